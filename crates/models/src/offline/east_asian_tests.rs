//! Questions and words without blanks.

use super::*;

#[test]
fn a_question_is_known_without_its_mark() {
    for question in [
        "我住在哪里",
        "我的车是什么颜色",
        "我的医生是谁？",
        "我什麼時候搬家",
        "我有车吗",
        "我是不是有一只猫",
        "火车几点开",
        "私の車は何色ですか",
        "どこに住んでいますか。",
        "私の先生は誰",
        "私の車は赤ですか",
        "제 차는 무슨 색이에요",
        "저는 어디에 살아요",
        "제 차는 빨간색입니까",
    ] {
        assert!(asks(question), "{question}");
    }
}

#[test]
fn what_is_told_with_nothing_or_somebody_asks_nothing() {
    for told in [
        "我住在上海。",
        "我的车是红色的。",
        "我没什么爱好",
        "我什么都吃",
        "我有几个朋友",
        "私の車は赤いです。",
        "いつも紅茶を飲みます。",
        "部屋は静か",
        "誰も来ませんでした。",
        "제 차는 빨간색이에요.",
        "저는 언제나 차를 마셔요",
        "어머니",
        "I like tea.",
        "",
    ] {
        assert!(!asks(told), "{told}");
    }
}

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
