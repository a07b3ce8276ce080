//! Repairs JSON escapes of lone surrogates.
//!
//! Leaves all other text unchanged.

/// Replaces each lone surrogate escape with the replacement character; `None` if there is none.
pub(super) fn mend(json: &str) -> Option<String> {
    if !json.contains("\\u") {
        return None;
    }
    let mut mended = String::new();
    let mut copied_to = 0;
    let mut position = 0;
    while let Some(found) = json.get(position..).and_then(|rest| rest.find('\\')) {
        let start = position + found;
        position = match (code_at(json, start), code_at(json, start + ESCAPE_LEN)) {
            (Some(HIGH_FIRST..=HIGH_LAST), Some(LOW_FIRST..=LOW_LAST)) => start + 2 * ESCAPE_LEN,
            (Some(HIGH_FIRST..=LOW_LAST), _) => {
                mended.push_str(json.get(copied_to..start).unwrap_or_default());
                mended.push_str(r"\ufffd");
                copied_to = start + ESCAPE_LEN;
                copied_to
            }
            (Some(_), _) => start + ESCAPE_LEN,
            // Any other escape is a backslash and one ASCII character.
            (None, _) => start + 2,
        };
    }
    if copied_to == 0 {
        return None;
    }
    mended.push_str(json.get(copied_to..).unwrap_or_default());
    Some(mended)
}

const ESCAPE_LEN: usize = r"\ud800".len();
const HIGH_FIRST: u16 = 0xd800;
const HIGH_LAST: u16 = 0xdbff;
const LOW_FIRST: u16 = 0xdc00;
const LOW_LAST: u16 = 0xdfff;

/// The code unit of the `\uXXXX` escape at `start`.
fn code_at(json: &str, start: usize) -> Option<u16> {
    let digits = json
        .get(start..start + ESCAPE_LEN)?
        .strip_prefix("\\u")
        .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mend_replaces_only_lone_surrogates() {
        for (json, expected) in [
            (r#""a\ud83d""#, Some(r#""a\ufffd""#)),
            (r#""\ude00b\uD83D\n""#, Some(r#""\ufffdb\ufffd\n""#)),
            (r#""\ud83d\ud83d\ude00""#, Some(r#""\ufffd\ud83d\ude00""#)),
            (r#""\ud83d\ude00""#, None),
            (r#""\\ud83d""#, None),
            (r#""plain \u00e9""#, None),
            ("\\", None),
            ("\\\u{e9}\\ud83", None),
        ] {
            assert_eq!(mend(json).as_deref(), expected, "{json}");
        }
    }
}
