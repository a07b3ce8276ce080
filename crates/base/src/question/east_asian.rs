//! Reads questions of Chinese, Japanese and Korean, which marks show only in part.
//!
//! A table of the words that ask; knows no grammar.

use super::asks::Asks;
use crate::script::Script;

/// What asks without a mark; of every word only the uses that hardly ever tell something.
struct Asking {
    words: &'static [&'static str],
    /// `Nothing`, `somebody`, `some years ago`: taken out before the words are looked for.
    indefinite: &'static [&'static str],
    /// Of whatever holds one of these the word asks nothing: `knows how`.
    indirect: &'static [&'static str],
    /// What a question ends in.
    ends: &'static [&'static str],
}

#[rustfmt::skip]
const CHINESE: Asking = Asking {
    words: &[
        "什么", "什麼", "甚麼", "哪里", "哪裡", "哪裏", "哪儿", "哪兒", "哪个", "哪個", "哪家", "哪天", "哪年", "哪些", "哪位",
        "谁", "誰", "怎么", "怎麼", "怎样", "怎樣", "为何", "為何", "多少", "多大", "多久", "多远", "多遠", "多高", "几点", "幾點",
        "几岁", "幾歲", "几号", "幾號", "几月", "幾月", "星期几", "星期幾", "周几", "何时", "何時", "是不是", "有没有", "有沒有",
        "能不能", "会不会", "會不會", "可不可以", "要不要", "对不对", "對不對",
    ],
    indefinite: &[
        "没什么", "沒什麼", "没有什么", "沒有什麼", "不怎么", "不怎麼", "什么的", "什麼的", "多少有", "没多少", "沒多少",
        "没有多少", "沒有多少", "很多", "许多", "許多", "好多", "差不多", "十几", "十幾", "好几", "好幾", "有几点", "有幾點",
    ],
    indirect: &["知道", "懂", "明白", "学会", "學會", "不管", "无论", "無論", "不论", "不論"],
    ends: &["吗", "嗎"],
};

#[rustfmt::skip]
const JAPANESE: Asking = Asking {
    words: &[
        "どこ", "だれ", "誰", "いつ", "なぜ", "どうして", "どうやって", "どれ", "どの", "どんな", "どちら", "なに", "何",
    ],
    indefinite: &["なぜなら", "何となく", "何しろ", "何せ", "なにわ", "いつの間にか"],
    indirect: &["か知", "か覚え", "か分か", "かわか", "か忘れ"],
    ends: &[
        "ですか", "ますか", "ましたか", "でしたか", "ませんか", "でしょうか", "ましょうか", "るのか", "たのか", "たっけ",
        "だっけ", "どこ", "だれ", "誰", "はいつ", "どれ", "どちら", "はいくら", "いくつ", "なに", "何", "何色", "何時", "何歳",
        "何日", "何月", "何曜日", "何番",
    ],
};

#[rustfmt::skip]
const KOREAN: Asking = Asking {
    words: &[
        "무엇", "무슨", "뭐", "뭘", "어디", "언제", "누구", "누가", "왜", "어떻게", "얼마", "얼마나", "몇시", "몇살", "며칠",
    ],
    indefinite: &["얼마 전", "얼마나 좋", "며칠 전", "며칠 동안"],
    indirect: &["지 알", "지 모르", "지 몰"],
    ends: &[
        "습니까", "입니까", "합니까", "갑니까", "됩니까", "삽니까", "인가요", "는가요", "은가요", "있나요", "없나요", "었나요",
        "았나요", "했나요", "되나요", "사나요", "까요", "었나", "았나",
    ],
};

/// What follows a Korean word that asks and is part of the same word.
#[rustfmt::skip]
const KOREAN_PARTICLES: &[&str] = &[
    "", "에", "에서", "에게", "한테", "은", "는", "이", "가", "을", "를", "로", "으로", "의", "부터", "까지", "야", "이야",
    "예요", "이에요", "에요", "죠", "세요", "였죠",
];

/// Behind a word that asks these make `everybody` and `wherever` of it.
const CHINESE_EACH: [char; 2] = ['\u{90fd}', '\u{4e5f}'];

/// How far a sentence of these scripts asks: surely where its last clause does.
///
/// What a full stop ends asks surely only where its last words do, and so does what somebody knows or does not.
pub(super) fn asks(sentence: &str) -> Asks {
    let has = |is_one: fn(Script) -> bool| sentence.chars().any(|c| is_one(Script::of(c)));
    let (table, holds): (&Asking, fn(&str) -> bool) = if has(Script::is_kana) {
        (&JAPANESE, holds_japanese)
    } else if has(|script| script == Script::Hangul) {
        (&KOREAN, holds_korean)
    } else if has(|script| script == Script::Han) {
        (&CHINESE, holds_chinese)
    } else {
        return Asks::No;
    };
    let closing = sentence.trim_end();
    let is_closed = closing.ends_with(['\u{3002}', '\u{ff0e}', '.', '\u{ff01}', '!']);
    let sentence = closing.trim_end_matches(|c: char| !c.is_alphanumeric());
    let mut clauses = sentence
        .rsplit(['\u{ff0c}', '\u{3001}', ',', '\u{ff1b}', ';', '\u{3002}'])
        .map(str::trim);
    let last = clauses.next().unwrap_or_default();
    if ends_in_question(table, last) {
        return Asks::Surely;
    }
    let asks = |clause: &str| {
        let mut own = clause.to_owned();
        for indefinite in table.indefinite {
            own = own.replace(indefinite, " ");
        }
        holds(&own)
    };
    let is_indirect = table.indirect.iter().any(|word| last.contains(word));
    // `Do you know where I live` asks.
    let is_of_you = last.starts_with(['\u{4f60}', '\u{60a8}']);
    let is_sure = !is_closed && (!is_indirect || is_of_you);
    match asks(last) {
        true if is_sure => Asks::Surely,
        true => Asks::Perhaps,
        false if clauses.any(asks) => Asks::Perhaps,
        false => Asks::No,
    }
}

/// Whether a clause ends as a question does, and more than that end is said.
fn ends_in_question(table: &Asking, clause: &str) -> bool {
    table.ends.iter().any(|end| {
        let before = clause.strip_suffix(end);
        before.is_some_and(|before| {
            before
                .chars()
                .next_back()
                .is_some_and(char::is_alphanumeric)
        })
    })
}

fn holds_chinese(clause: &str) -> bool {
    CHINESE.words.iter().any(|word| {
        let behind = clause.split_once(word).map(|(_, behind)| behind);
        behind.is_some_and(|behind| !behind.contains(CHINESE_EACH))
    })
}

/// Kana do not show where a word begins, but behind the topic and at the start of a clause.
fn holds_japanese(clause: &str) -> bool {
    let starts = [
        Some(clause),
        clause.split_once('\u{306f}').map(|(_, behind)| behind),
    ];
    starts.into_iter().flatten().any(|start| {
        let behind = JAPANESE
            .words
            .iter()
            .find_map(|word| start.strip_prefix(word));
        behind.is_some_and(|behind| {
            // `Somebody`, `some years`; `from where` asks.
            let mut pairs = behind.chars().zip(behind.chars().skip(1)).take(2);
            let is_some = pairs.any(|(one, next)| one == '\u{304b}' && next != '\u{3089}');
            !behind.contains('\u{3082}') && !is_some
        })
    })
}

fn holds_korean(clause: &str) -> bool {
    let is_word = |word: &str, asking: &str| {
        let behind = word.strip_prefix(asking);
        behind.is_some_and(|behind| KOREAN_PARTICLES.contains(&behind))
    };
    let words: Vec<&str> = clause.split_whitespace().collect();
    let mut pairs = words.iter().zip(words.iter().skip(1));
    let is_time =
        pairs.any(|(one, next)| *one == "몇" && (is_word(next, "시") || is_word(next, "살")));
    let mut single = words.iter();
    is_time || single.any(|word| KOREAN.words.iter().any(|asking| is_word(word, asking)))
}
