//! Texts that ask, that may ask and that tell.

use super::*;

#[test]
fn a_text_asks_surely_perhaps_or_not() {
    for (text, expected) in [
        ("where do I live", Asks::Surely),
        ("What\u{2019}s my name", Asks::Surely),
        ("  who's my dentist", Asks::Surely),
        ("is my dog called Rex", Asks::Surely),
        ("am I allergic to nuts", Asks::Surely),
        ("I wonder if my dog is called Rex", Asks::Surely),
        ("wie heißt mein Hund", Asks::Surely),
        ("puedes ayudarme", Asks::Surely),
        ("is the ferry late", Asks::Perhaps),
        ("was the train late", Asks::Perhaps),
        ("When I moved to Graz, I sold my car.", Asks::Perhaps),
        ("do not call me", Asks::Perhaps),
        ("wo ich wohne, ist es ruhig", Asks::Perhaps),
        ("我知道我的医生是谁。", Asks::Perhaps),
        ("我的医生是谁，我忘了", Asks::Perhaps),
        ("何度も京都に行きました", Asks::No),
        ("我什么都吃", Asks::No),
        ("The ferry is late?", Asks::No),
        ("Whatever you like", Asks::No),
        ("How-tos help", Asks::No),
        ("Whoever asks is told", Asks::No),
        ("write me a poem", Asks::No),
        ("", Asks::No),
    ] {
        assert_eq!(asks(text), expected, "{text}");
    }
}

#[test]
fn east_asian_questions_need_no_mark() {
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
        "你知道我住在哪里",
        "我忘了，我住在哪里",
        "私はどこに住んでる",
        "どこから来た",
        "私の車は何色",
        "몇 시에 만나요",
        "제 의사는 누구예요",
    ] {
        assert_eq!(asks(question), Asks::Surely, "{question}");
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
        assert_ne!(asks(told), Asks::Surely, "{told}");
    }
}

#[test]
fn what_holds_a_word_that_asks_in_passing_is_told() {
    for told in [
        "我住在北京，知道怎么做饭。",
        "我住在北京，知道怎么做饭",
        "几年前我住在北京，没有多少钱。",
        "几年前我住在北京，没有多少钱",
        "我去过很多大学",
        "我什么菜都吃",
        "我喜欢苹果什么的",
        "十几岁时我住在北京",
        "你知道吗，我住在北京",
        "我还在家呢",
        "我知道我的医生是谁。",
        "私は大阪に住んでいて、どの店も好きです。",
        "何度も京都に行きました。",
        "何度も京都に行きました",
        "私は何年か大阪に住みました",
        "なにわ区に住んでいます",
        "などの店が好きです",
        "好きな食べ物はさかな",
        "何を食べるか知っています",
        "나는 왜건을 운전해요.",
        "나는 왜건을 운전해요",
        "우리 아들은 왜소해요",
        "저는 매일 뭐라도 먹어요",
        "내일 친구를 만나요",
        "얼마 전에 이사했어요",
        "몇 시간 걸렸어요",
        "누가 왔는지 알아요",
        "어디에 살아요.",
    ] {
        assert_ne!(asks(told), Asks::Surely, "{told}");
    }
}
