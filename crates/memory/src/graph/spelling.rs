//! Spells any text as part of one line of Markdown, and reads it back to the character.
//!
//! Leaves alone what Markdown shows as it is.

const LINE_END: &str = "<br>";

/// A text as it may stand in a line of a page.
pub(super) fn spelled(text: &str) -> String {
    spelled_but(text, &[])
}

/// The same inside of a link.
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

/// What a spelled text says.
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

/// The character that a text begins with as `&#38;`, and what follows.
fn reference(text: &str) -> Option<(char, &str)> {
    let (digits, after) = text.strip_prefix("&#")?.split_once(';')?;
    let is_number = (1..8).contains(&digits.len()) && digits.bytes().all(|it| it.is_ascii_digit());
    let character = is_number.then(|| digits.parse().ok().and_then(char::from_u32))??;
    Some((character, after))
}
