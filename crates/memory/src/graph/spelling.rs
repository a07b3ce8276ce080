//! Escapes any text for one line of Markdown, and unescapes it without loss.
//!
//! Never escapes text that Markdown shows unchanged.

const LINE_END: &str = "<br>";

/// Escapes a text for a line of a page.
pub(super) fn spelled(text: &str) -> String {
    spelled_but(text, &[])
}

/// Escapes a text for the inside of a link.
pub(super) fn spelled_in_link(text: &str) -> String {
    spelled_but(text, &['[', ']', '|'])
}

fn spelled_but(text: &str, others: &[char]) -> String {
    let mut out = String::with_capacity(text.len());
    for (start, character) in text.char_indices() {
        let rest = text.get(start..).unwrap_or_default();
        let is_edge = start == 0 || rest.len() == character.len_utf8();
        let is_spelled = match character {
            '\n' => {
                out.push_str(LINE_END);
                continue;
            }
            '<' => rest.starts_with(LINE_END) || rest.starts_with("<!--"),
            '&' => reference(rest).is_some(),
            '\u{feff}' | '\u{2028}' | '\u{2029}' => true,
            _ => {
                character.is_control()
                    || (is_edge && character.is_whitespace())
                    || others.contains(&character)
            }
        };
        if is_spelled {
            out.extend(["&#", &u32::from(character).to_string(), ";"]);
        } else {
            out.push(character);
        }
    }
    out
}

/// Unescapes a text.
pub(super) fn unspelled(mut text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    while let Some(at) = text.find(['&', '<']) {
        let (plain, rest) = text.split_at(at);
        out.push_str(plain);
        if let Some(after) = rest.strip_prefix(LINE_END) {
            out.push('\n');
            text = after;
        } else if let Some((character, after)) = reference(rest) {
            out.push(character);
            text = after;
        } else {
            let (sign, after) = rest.split_at(1);
            out.push_str(sign);
            text = after;
        }
    }
    out.push_str(text);
    out
}

/// Parses a leading character reference such as `&#38;`; returns the character and the rest.
fn reference(text: &str) -> Option<(char, &str)> {
    let (digits, after) = text.strip_prefix("&#")?.split_once(';')?;
    let is_number = (1..8).contains(&digits.len()) && digits.bytes().all(|it| it.is_ascii_digit());
    let character = is_number.then(|| digits.parse().ok().and_then(char::from_u32))??;
    Some((character, after))
}
