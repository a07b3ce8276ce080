//! Words without blanks.

use super::*;

#[test]
fn words_are_told_apart() {
    for (text, expected) in [
        ("我的车是红色的。", "车 红 色 。"),
        ("私はカフェで働く", "カフェ 働"),
        ("제 차는 빨간색입니다", "제 차 빨간색"),
        ("I like tea", "I like tea"),
    ] {
        let found = parted(text);
        let found: Vec<&str> = found.split_whitespace().collect();
        assert_eq!(found.join(" "), expected);
    }
}
