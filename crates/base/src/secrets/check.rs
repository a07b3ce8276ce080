//! Checksums and measures that distinguish a secret from a lookalike.
//!
//! Checks one candidate at a time; contains no patterns.

/// Whether the check digit of a card number is correct (Luhn).
pub(super) fn is_card(number: &str) -> bool {
    let digits = number.chars().rev().filter_map(|c| c.to_digit(10));
    let sum: u32 = digits
        .enumerate()
        .map(|(place, digit)| match (place % 2, digit * 2) {
            (0, _) => digit,
            (_, twice) if twice > 9 => twice - 9,
            (_, twice) => twice,
        })
        .sum();
    sum.is_multiple_of(10)
}

/// Whether digits are part of a longer number: a fraction, or a grouped number that begins earlier.
pub(super) fn is_in_number(before: &str, behind: &str) -> bool {
    let is_joint = |c: char| matches!(c, '.' | ',' | '-' | '_' | '/' | '+');
    let is_digit = |c: char| c.is_ascii_digit();
    let goes_on = |text: &str| {
        let rest = text.strip_prefix(is_joint).unwrap_or(text);
        rest.starts_with(is_digit)
    };
    let joined = before.strip_suffix(is_joint).unwrap_or(before);
    let grouped = before.strip_suffix(' ').unwrap_or(before);
    let group = grouped.strip_suffix(is_digit).unwrap_or("");
    joined.ends_with(is_digit) || group.ends_with(is_digit) || goes_on(behind)
}

/// Whether the check digits of an IBAN are correct (ISO 7064, modulo 97).
pub(super) fn is_iban(text: &str) -> bool {
    let plain: Vec<char> = text.chars().filter(char::is_ascii_alphanumeric).collect();
    if !(15..=34).contains(&plain.len()) {
        return false;
    }
    let (country, account) = plain.split_at(4);
    let digits = account.iter().chain(country).filter_map(|c| c.to_digit(36));
    let rest = digits.fold(0, |rest, value| {
        let shift = if value > 9 { 100 } else { 10 };
        (rest * shift + value) % 97
    });
    rest == 1
}

/// Shannon entropy in bits per byte.
pub(super) fn entropy(text: &str) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in text.bytes() {
        if let Some(count) = counts.get_mut(usize::from(byte)) {
            *count += 1;
        }
    }
    let total = f64::from(u32::try_from(text.len()).unwrap_or(u32::MAX));
    let counts = counts.iter().filter(|count| **count > 0);
    let shares = counts.map(|count| f64::from(*count) / total);
    shares.map(|share| -share * share.log2()).sum()
}

/// Whether a text contains both digits and letters.
pub(super) fn holds_figures(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit()) && text.contains(char::is_alphabetic)
}

/// Whether digits, lower and upper case alternate as in generated text. In words and paths, the kind of character
/// changes at fewer than a third of the positions.
pub(super) fn is_mixed(text: &str) -> bool {
    let kinds: Vec<u8> = text.bytes().map(kind).collect();
    let turns = kinds.windows(2).filter(|pair| pair.first() != pair.last());
    [0, 1, 2].iter().all(|kind| kinds.contains(kind)) && turns.count() * 3 >= kinds.len()
}

fn kind(byte: u8) -> u8 {
    match byte {
        b'0'..=b'9' => 0,
        b'a'..=b'z' => 1,
        b'A'..=b'Z' => 2,
        _ => 3,
    }
}
