//! Fills the placeholders of a prompt.
//!
//! Never looks into the values: what stands in them is text.

/// Replaces each `{{name}}` by its value.
///
/// A value is not searched again, and a name without a value stays as it is, so that a test sees it.
pub(crate) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        filled.push_str(before);
        let value = after.split_once("}}").and_then(|(name, behind)| {
            let (_, value) = values.iter().find(|(known, _)| *known == name)?;
            Some((*value, behind))
        });
        if let Some((value, behind)) = value {
            filled.push_str(value);
            rest = behind;
        } else {
            filled.push_str("{{");
            rest = after;
        }
    }
    filled.push_str(rest);
    filled.truncate(filled.trim_end().len());
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(template: &str, expected: &str) {
        let values = [
            ("day", "2026-04-20"),
            ("text", "{{day}} }} {{"),
            ("empty", ""),
        ];
        assert_eq!(fill(template, &values), expected);
    }

    #[test]
    fn placeholders_are_filled_once() {
        check("on {{day}}, {{day}}.\n", "on 2026-04-20, 2026-04-20.");
        check("{{text}}{{empty}}|", "{{day}} }} {{|");
        check("{{unknown}} {{day}}", "{{unknown}} 2026-04-20");
        check("{{{day}} {{ {{day", "{{{day}} {{ {{day");
        check("{{ü}}日{{day}}", "{{ü}}日2026-04-20");
        check("", "");
    }
}
