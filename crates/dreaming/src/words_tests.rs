//! How alike two texts are.
//!
//! Text in, numbers out.

use super::*;

#[test]
fn texts_are_compared_by_the_words_that_tell() {
    let alike = |left: &str, right: &str| words(left).alike(&words(right));
    assert_eq!(alike("I prefer tea", "i PREFERRED the teas!"), 33);
    assert_eq!(alike("use tabs", "Use tabs."), 100);
    assert_eq!(alike("", "tea"), 0);
    assert_eq!(
        alike(
            "\u{6211}\u{559c}\u{6b22}\u{7eff}\u{8336}",
            "\u{6211}\u{559c}\u{6b22}\u{7ea2}\u{8336}"
        ),
        33
    );
    assert!(words("I don't like it").is_negative && !words("I like it").is_negative);
    let figures: Vec<String> = words("v2.3.1, 40% by 2026-04-20")
        .figures
        .into_iter()
        .collect();
    assert_eq!(figures, ["2026-04-20", "40", "v2.3.1"]);
}
