//! Finds numbers followed by a separate unit, such as `12 kg`.
//!
//! Recognises unit names, but does not convert units.

/// The names of units, in lower case.
#[rustfmt::skip]
const UNITS: &[&str] = &[
    "ms", "s", "sec", "seconds", "min", "minutes", "minuten", "h", "hour", "hours", "stunden", "day",
    "days", "tage", "week", "weeks", "wochen", "month", "months", "monate", "year", "years", "jahre",
    "kb", "mb", "gb", "tb", "kib", "mib", "gib", "bytes", "tokens", "px", "mm", "cm", "m", "km", "miles",
    "g", "kg", "mg", "lb", "lbs", "l", "ml", "w", "kw", "kwh", "v", "hz", "mhz", "ghz", "rpm", "fps",
    "percent", "prozent", "points", "\u{b0}c", "\u{b0}f",
];

pub(super) fn measures(text: &str) -> Vec<&str> {
    text.lines().flat_map(of_line).collect()
}

fn of_line(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut number: Option<usize> = None;
    let mut start = 0;
    for word in line.split(' ') {
        let end = start + word.len();
        let bare = word.trim_end_matches([',', '.', ';', ':', ')', '!', '?', '*']);
        if let Some(from) = number
            && UNITS.contains(&bare.to_lowercase().as_str())
            && let Some(measure) = line.get(from..start + bare.len())
        {
            found.push(measure);
        }
        let digits = word.trim_start_matches(['(', '~', '*']);
        number = is_number(digits).then_some(start + word.len() - digits.len());
        start = end + 1;
    }
    found
}

fn is_number(word: &str) -> bool {
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    word.len() <= 12 && word.split(['.', ',', '-', '\u{2013}']).all(is_digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_find_numbers_with_units() {
        let text = "It took 12 minutes (about 3.5 GB), ran 2 kg\n1,200 tokens. 10-12 days; 7 apples, 5 m\u{fc}nzen";
        assert_eq!(
            measures(text),
            ["12 minutes", "3.5 GB", "2 kg", "1,200 tokens", "10-12 days"]
        );
        assert_eq!(
            measures("\u{65e5} 5\u{a0}kg 1.2.3. kg x kg"),
            Vec::<&str>::new()
        );
    }
}
