//! Reads questions and words of Chinese, Japanese and Korean, which blanks and marks show only in part.
//!
//! A table of the words that ask; knows no grammar.

/// Words that ask, with those that hold them and ask nothing.
struct Asking {
    words: &'static [&'static str],
    /// `Nothing`, `somebody`, `always`: taken out before the words are looked for.
    indefinite: &'static [&'static str],
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
        "没什么", "沒什麼", "没有什么", "沒有什麼", "什么都", "什麼都", "什么也", "什麼也", "不管什么", "不管怎么", "不怎么",
        "不怎麼", "无论", "無論", "谁都", "誰都", "谁也", "誰也", "哪里都", "哪裡都", "不管谁", "多少有",
    ],
    ends: &["吗", "嗎", "呢"],
};

#[rustfmt::skip]
const JAPANESE: Asking = Asking {
    words: &[
        "どこ", "だれ", "誰", "いつ", "なぜ", "どうして", "どうやって", "どれ", "どの", "どんな", "どちら", "いくら", "いくつ",
        "なに", "何",
    ],
    indefinite: &[
        "どこか", "どこも", "どこでも", "だれか", "だれも", "だれでも", "誰か", "誰も", "誰でも", "いつか", "いつも", "いつでも",
        "なにか", "なにも", "何か", "何も", "何でも", "どれも", "どれか", "どちらも", "どちらか", "いくつか", "どうしても",
    ],
    ends: &[
        "ですか", "ますか", "ましたか", "でしたか", "せんか", "しょうか", "のか", "たっけ", "だっけ", "かな",
    ],
};

#[rustfmt::skip]
const KOREAN: Asking = Asking {
    words: &[
        "무엇", "무슨", "뭐", "뭘", "어디", "언제", "누구", "누가", "왜", "어떻게", "얼마", "몇 시", "몇시", "몇 살", "몇살",
        "며칠",
    ],
    indefinite: &[
        "어딘가", "어디든", "어디나", "어디서나", "언젠가", "언제나", "언제든", "누군가", "누구나", "누구든", "뭔가", "왜냐",
        "무엇이든", "얼마나 좋", "어떻게든",
    ],
    ends: &["습니까", "입니까", "ㅂ니까", "인가요", "나요", "까요", "는가요", "은가요", "었나", "았나"],
};

/// Signs that belong to the words around them and name nothing.
#[rustfmt::skip]
const FUNCTION_SIGNS: &str = "我你您他她它们們的了是在有不这這那什么麼哪里裡裏儿兒吗嗎呢吧啊谁誰怎样樣为為多少几幾个個和与與也都就很还還要会會能没沒去来來说說做把被给給让讓从從到对對于於上下中之其何私僕俺";

/// Endings of Korean words, the longest first.
#[rustfmt::skip]
const KOREAN_ENDINGS: &[&str] = &[
    "입니다", "습니다", "이에요", "인가요", "에서", "에게", "부터", "까지", "예요", "이야", "해요", "어요", "아요", "은", "는",
    "이", "가", "을", "를", "에", "의", "도", "로", "와", "과", "요", "다",
];

/// Whether a sentence asks, as far as its words tell.
pub(super) fn asks(sentence: &str) -> bool {
    let has = |is_one: fn(char) -> bool| sentence.contains(is_one);
    let table = if has(is_kana) {
        &JAPANESE
    } else if has(is_hangul) {
        &KOREAN
    } else if has(is_han) {
        &CHINESE
    } else {
        return false;
    };
    let sentence = sentence.trim_end_matches(|c: char| !c.is_alphanumeric());
    let mut own = sentence.to_owned();
    for indefinite in table.indefinite {
        own = own.replace(indefinite, " ");
    }
    table.words.iter().any(|word| own.contains(word))
        || table.ends.iter().any(|end| sentence.ends_with(end))
}

/// A text whose Chinese signs stand apart, with what only joins them left out, so that its words can be told.
pub(super) fn parted(text: &str) -> String {
    if !text.contains(|c| is_han(c) || is_kana(c) || is_hangul(c)) {
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
    if !word.chars().all(is_hangul) {
        return word;
    }
    let ending = KOREAN_ENDINGS
        .iter()
        .find_map(|ending| word.strip_suffix(ending));
    ending.filter(|rest| !rest.is_empty()).unwrap_or(word)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Script {
    Han,
    Hiragana,
    Katakana,
    Hangul,
    Other,
}

impl Script {
    fn of(character: char) -> Self {
        match character {
            '\u{3040}'..='\u{309f}' => Self::Hiragana,
            '\u{30a0}'..='\u{30ff}' => Self::Katakana,
            other if is_han(other) => Self::Han,
            other if is_hangul(other) => Self::Hangul,
            _ => Self::Other,
        }
    }
}

fn is_han(character: char) -> bool {
    matches!(character, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{20000}'..='\u{2ebef}')
}

fn is_kana(character: char) -> bool {
    matches!(character, '\u{3040}'..='\u{30ff}')
}

fn is_hangul(character: char) -> bool {
    matches!(character, '\u{ac00}'..='\u{d7a3}')
}

#[cfg(test)]
#[path = "east_asian_tests.rs"]
mod tests;
