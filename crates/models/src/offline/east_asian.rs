//! Parts words of Chinese, Japanese and Korean, which blanks show only in part.
//!
//! Knows no grammar.

use base::Script;

/// Signs that belong to the words around them and name nothing.
#[rustfmt::skip]
const FUNCTION_SIGNS: &str = "我你您他她它们們的了是在有不这這那什么麼哪里裡裏儿兒吗嗎呢吧啊谁誰怎样樣为為多少几幾个個和与與也都就很还還要会會能没沒去来來说說做把被给給让讓从從到对對于於上下中之其何私僕俺";

/// Endings of Korean words, the longest first.
#[rustfmt::skip]
const KOREAN_ENDINGS: &[&str] = &[
    "입니다", "습니다", "이에요", "인가요", "에서", "에게", "부터", "까지", "예요", "이야", "해요", "어요", "아요", "은", "는",
    "이", "가", "을", "를", "에", "의", "도", "로", "와", "과", "요", "다",
];

/// A text whose Chinese signs stand apart, with what only joins them left out, so that its words can be told.
pub(super) fn parted(text: &str) -> String {
    if text.chars().all(|c| Script::of(c) == Script::Other) {
        return text.to_owned();
    }
    let mut parted = String::with_capacity(text.len() * 2);
    let mut before = Script::Other;
    for character in text.chars() {
        let script = Script::of(character);
        if script != before || script == Script::Han {
            parted.push(' ');
        }
        let is_empty = script == Script::Hiragana
            || script == Script::Han && FUNCTION_SIGNS.contains(character);
        if !is_empty {
            parted.push(character);
        }
        before = script;
    }
    let words = parted.split(' ').map(without_ending);
    words.collect::<Vec<_>>().join(" ")
}

/// A Korean word without its particle.
fn without_ending(word: &str) -> &str {
    if !word.chars().all(|c| Script::of(c) == Script::Hangul) {
        return word;
    }
    let ending = KOREAN_ENDINGS
        .iter()
        .find_map(|ending| word.strip_suffix(ending));
    ending.filter(|rest| !rest.is_empty()).unwrap_or(word)
}

#[cfg(test)]
#[path = "east_asian_tests.rs"]
mod tests;
