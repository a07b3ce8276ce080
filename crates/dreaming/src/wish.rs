//! Reads how the owner wants to be answered: in which language and units, how long, under which name.
//!
//! A line counts where it says nothing besides, in English or German; compares two, and judges no age.

use std::collections::BTreeSet;

/// What a wish is about; of each one value holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Matter {
    Tongue,
    Length,
    Units,
    Temperature,
    Distance,
    Spelling,
    Emoji,
    /// How the owner is called.
    Name,
    /// `Du` or `Sie`.
    Form,
}

/// A wish for every answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wish {
    matter: Matter,
    values: BTreeSet<String>,
    /// Whether it is said to hold no more.
    is_ended: bool,
}

/// How a wish stands to another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WishTurn {
    /// It wants the same.
    Same,
    /// It takes the place of the other.
    Replaces,
}

/// Words for one value.
struct Value {
    matter: Matter,
    name: &'static str,
    words: &'static [&'static str],
}

const fn value(matter: Matter, name: &'static str, words: &'static [&'static str]) -> Value {
    Value {
        matter,
        name,
        words,
    }
}

#[rustfmt::skip]
const VALUES: &[Value] = &[
    value(Matter::Length, "short", &["short", "shorter", "brief", "concise", "terse", "kurz", "kurze", "k\u{fc}rzer", "knapp", "knappe"]),
    value(Matter::Length, "long", &["long", "longer", "detailed", "verbose", "thorough", "ausf\u{fc}hrlich", "ausf\u{fc}hrliche", "lang", "lange"]),
    value(Matter::Units, "metric", &["metric", "si", "metrisch", "metrische"]),
    value(Matter::Units, "imperial", &["imperial"]),
    value(Matter::Temperature, "celsius", &["celsius"]),
    value(Matter::Temperature, "fahrenheit", &["fahrenheit"]),
    value(Matter::Distance, "kilometres", &["kilometres", "kilometers", "kilometer"]),
    value(Matter::Distance, "miles", &["miles", "meilen"]),
    value(Matter::Spelling, "british", &["british"]),
    value(Matter::Spelling, "american", &["american"]),
    value(Matter::Emoji, "emoji", &["emoji", "emojis", "smileys"]),
    value(Matter::Form, "du", &["duze", "duzen"]),
    value(Matter::Form, "sie", &["sieze", "siezen"]),
];

/// Words with which an answer is meant.
#[rustfmt::skip]
const ANSWERS: &[&str] = &[
    "answer", "answers", "answering", "reply", "replies", "replying", "respond", "responses", "responding", "write",
    "writing", "speak", "speaking", "talk", "talking", "communicate", "use", "using", "be", "units", "system", "spelling", "antworte", "antworten",
    "antwort", "schreib", "schreibe", "schreiben", "sprich", "sprechen", "rede", "reden", "verwende", "verwenden", "benutze", "einheiten",
    "emoji", "emojis", "smileys", "duze", "duzen", "sieze", "siezen",
];

/// Words that change nothing about a wish.
#[rustfmt::skip]
const BESIDE: &[&str] = &[
    "please", "always", "just", "and", "but", "so", "also", "ok", "okay", "kindly", "from", "now", "on", "you", "can", "may",
    "should", "could", "remember", "to", "generally", "me", "with", "us", "only", "everything", "all", "my", "questions",
    "your", "in", "again", "instead", "rather", "the", "keep", "i", "prefer", "want", "would", "like", "i'd", "for", "future",
    "going", "forward", "actually", "second", "thought", "thoughts", "any", "more", "anymore", "thanks", "user", "owner", "wants", "prefers", "have", "need", "i'm",
    "bitte", "immer", "nur", "mir", "mit", "mich", "auf", "ab", "jetzt", "sofort", "k\u{fc}nftig", "zukunft", "ich", "m\u{f6}chte", "dass",
    "du", "kannst", "wieder", "stattdessen", "doch", "lieber", "deine", "mehr", "und", "von", "nun", "an", "mag", "gerne", "alles",
];

/// Whoever speaks.
const SPEAKERS: &[&str] = &["i", "i'm", "i'd", "ich", "user", "owner"];

/// How they say that they would like something.
#[rustfmt::skip]
const LIKING: &[&str] = &["want", "wants", "prefer", "prefers", "like", "need", "m\u{f6}chte", "mag"];

/// Words behind a denial that deny a part only.
const PARTLY: &[&str] = &[
    "always",
    "only",
    "immer",
    "nur",
    "everything",
    "alles",
    "all",
];

/// Words behind what is denied with which something else begins.
const TURNS: &[&str] = &["but", "sondern", "only", "nur", "always", "immer"];

/// Words with which a wish is denied or taken back.
#[rustfmt::skip]
const DENIALS: &[&str] = &[
    "stop", "don't", "dont", "not", "never", "no", "without", "nicht", "kein", "keine", "nie", "niemals",
];

/// How somebody says under which name they want to be called.
const CALLS: [&[&str]; 4] = [
    &["call", "me"],
    &["calling", "me"],
    &["address", "me", "as"],
    &["nenn", "mich"],
];

/// When a call is to be made: `call me tomorrow`.
#[rustfmt::skip]
const TIMES: &[&str] = &[
    "today", "tonight", "tomorrow", "later", "back", "soon", "when", "if", "at", "after", "before", "once", "a", "morgen", "heute",
];

/// How somebody says in which units they think.
const THINKING: [&[&str]; 2] = [&["i", "think", "in"], &["we", "think", "in"]];

/// More words are no name.
const NAME_WORDS_MAX: usize = 3;

/// What a line wants of every answer; `None` where it says anything besides.
pub(crate) fn wish(text: &str) -> Option<Wish> {
    let lower = text.to_lowercase().replace('\u{2019}', "'");
    let words: Vec<&str> = lower
        .split(|c: char| !(c.is_alphanumeric() || c == '\''))
        .filter(|word| !word.is_empty())
        .collect();
    called(&words).or_else(|| manner(&words))
}

/// `Please call me Sam`.
fn called(words: &[&str]) -> Option<Wish> {
    let n_front = words.iter().take_while(|word| is_beside(word)).count();
    let (front, rest) = words.split_at_checked(n_front)?;
    let name = CALLS.iter().find_map(|call| rest.strip_prefix(*call))?;
    let n_beside = name.iter().take_while(|word| is_beside(word)).count();
    let name = name.get(n_beside..)?;
    let is_name = |word: &&&str| !is_beside(word) && !TIMES.contains(*word);
    let values: BTreeSet<String> = name
        .iter()
        .take_while(is_name)
        .map(|own| (*own).to_owned())
        .collect();
    let behind = name.get(values.len()..).unwrap_or_default();
    let is_whole = behind.iter().all(|word| is_beside(word));
    ((1..=NAME_WORDS_MAX).contains(&values.len()) && is_whole).then_some(Wish {
        matter: Matter::Name,
        values,
        is_ended: front.iter().any(|word| DENIALS.contains(word)),
    })
}

fn is_beside(word: &str) -> bool {
    BESIDE.contains(&word) || DENIALS.contains(&word)
}

/// `Please always answer in German`, `keep your answers short`.
fn manner(words: &[&str]) -> Option<Wish> {
    // `I think in kilometres` wants them, `I think in German` wants nothing.
    let thinks = THINKING.iter().find_map(|own| words.strip_prefix(*own));
    if let Some(units) = thinks {
        let units = [&["use"], units].concat();
        let found = manner(&units)?;
        let is_of_units = matches!(
            found.matter,
            Matter::Units | Matter::Temperature | Matter::Distance
        );
        return is_of_units.then_some(found);
    }
    if tells_of_speaker(words) || is_one_letter(words) {
        return None;
    }
    let mut matter = None;
    let (mut wanted, mut denied) = (BTreeSet::new(), BTreeSet::new());
    let mut is_answer = is_from_now_on(words);
    let (mut is_denied, mut is_turned) = (false, false);
    for (place, word) in words.iter().enumerate() {
        is_answer |= ANSWERS.contains(word);
        let before = place.checked_sub(1).and_then(|place| words.get(place));
        if let Some((own, name)) = value_of(word) {
            if *matter.get_or_insert(own) != own {
                return None;
            }
            if is_denied {
                denied.insert(name.to_owned());
            } else {
                wanted.insert(name.to_owned());
            }
        } else if DENIALS.contains(word) {
            is_denied = true;
        } else if is_denied && denied.is_empty() && wanted.is_empty() && PARTLY.contains(word) {
            // `Don't always answer in German` wants it at times.
            return None;
        } else if is_denied && !denied.is_empty() && TURNS.contains(word) {
            // `Not in German but in English`.
            (is_denied, is_turned) = (false, true);
        } else if is_denied && !denied.is_empty() && ANSWERS.contains(word) {
            // `Don't answer in German, answer in English`; behind `and` it may be denied, too.
            if !before.is_some_and(|before| *before == "please" || value_of(before).is_some()) {
                return None;
            }
            (is_denied, is_turned) = (false, true);
        } else if !BESIDE.contains(word) && !ANSWERS.contains(word) {
            return None;
        }
    }
    let matter = matter.filter(|_| is_answer)?;
    if is_turned && wanted.is_empty() {
        return None;
    }
    // `Answer in German no more`: what is denied behind all values are they themselves.
    let is_ended = wanted.is_empty() || is_denied && denied.is_empty();
    let values = if wanted.is_empty() { denied } else { wanted };
    Some(Wish {
        matter,
        values,
        is_ended,
    })
}

/// Whether somebody tells of themselves and wants nothing of an answer: `I speak German`, `I like speaking French`.
fn tells_of_speaker(words: &[&str]) -> bool {
    if !words.iter().any(|word| SPEAKERS.contains(word)) {
        return false;
    }
    let asks = |pair: &[&str]| matches!(pair, ["you", "to"] | ["dass", "du"]);
    if words.windows(2).any(asks) {
        return false;
    }
    let likes = words.iter().any(|word| LIKING.contains(word));
    let is_noun = |pair: &[&str]| match pair {
        [before, "answers" | "replies" | "responses"] => *before != "my",
        // Without an adjective it is the verb, and the owner's own doing.
        [before, "antworten"] => before.ends_with('e') && value_of(before).is_some(),
        _ => false,
    };
    let does = |word: &&str| {
        let is_noun = matches!(*word, "answers" | "replies" | "responses" | "antworten");
        ANSWERS.contains(word) && !is_noun && value_of(word).is_none()
    };
    !likes || !words.windows(2).any(is_noun) || words.iter().any(does)
}

/// `Schreib mir kurz` and `sprich kurz mit mir` ask for one letter and one talk.
fn is_one_letter(words: &[&str]) -> bool {
    let is_verb = |word: &&str| {
        matches!(
            *word,
            "schreib" | "schreibe" | "schreiben" | "sprich" | "sprechen" | "rede" | "reden"
        )
    };
    let lasts = |word: &&str| {
        matches!(
            *word,
            "immer" | "nur" | "knapp" | "ab" | "k\u{fc}nftig" | "zukunft" | "nun" | "alles"
        )
    };
    words.contains(&"kurz") && words.iter().any(is_verb) && !words.iter().any(lasts)
}

/// `Ab jetzt bitte auf Deutsch`: no verb, and only answers can be meant.
fn is_from_now_on(words: &[&str]) -> bool {
    let begins = [
        &["ab", "jetzt"][..],
        &["ab", "sofort"],
        &["von", "nun", "an"],
        &["from", "now", "on"],
    ];
    let is_manner = |pair: &[&str]| match pair {
        ["auf" | "in", tongue] => base::tongue(tongue).is_some(),
        _ => false,
    };
    let is_of_owner = words.contains(&"my") || words.contains(&"questions");
    begins.iter().any(|begin| words.starts_with(begin))
        && words.windows(2).any(is_manner)
        && !is_of_owner
}

fn value_of(word: &str) -> Option<(Matter, &'static str)> {
    if let Some(name) = base::tongue(word) {
        return Some((Matter::Tongue, name));
    }
    let found = VALUES.iter().find(|value| value.words.contains(&word));
    found.map(|value| (value.matter, value.name))
}

impl Wish {
    /// How it stands to an older wish; nothing where both may hold.
    pub(crate) fn turn(&self, old: &Self) -> Option<WishTurn> {
        if self.matter != old.matter {
            return None;
        }
        let is_shared = !self.values.is_disjoint(&old.values);
        match (self.is_ended, old.is_ended) {
            (new, old_one) if new == old_one && self.values == old.values => Some(WishTurn::Same),
            (false, false) => Some(WishTurn::Replaces),
            (true, true) => None,
            (true, false) | (false, true) => is_shared.then_some(WishTurn::Replaces),
        }
    }
}

#[cfg(test)]
#[path = "wish_tests.rs"]
mod tests;
