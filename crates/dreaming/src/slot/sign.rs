//! Finds the words with which a sentence says that something ended, moved, was put right or is new.
//!
//! Sees one sentence; what of another it touches is told elsewhere.

use std::collections::BTreeSet;

use super::ended::is_name;
use super::table::{GROUPS, PAID_FOR, UNSURE};
use super::token::Token;
use crate::stance::FAMILY;
use crate::words::stem;

/// With which words a sentence tells of an end or a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sign {
    pub(crate) how: How,
    /// What it is about, in stems; none where the sentence leaves it out.
    pub(crate) things: BTreeSet<String>,
    /// Whether those stems hold a name.
    pub(crate) is_named: bool,
    /// How sure it is that all of it ended.
    pub(crate) whole: Whole,
}

/// Whether something has ended as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whole {
    /// For good, in whatever is said of it.
    Sure,
    /// Perhaps.
    Perhaps,
    /// It was called off for one time: what is done each week goes on.
    Once,
}

/// How something ends or changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    /// What was to be, or was paid, taken or done, is so no more.
    Stopped,
    /// A thing is the owner's no more.
    Gone,
    /// Somebody or an animal is dead.
    Died,
    /// An animal was put down; what else is put down or to sleep lives.
    PutDown,
    /// Two people are together no more.
    Parted,
    /// Somebody works no more where or as what they did.
    Left,
    /// Somebody is married, or is so no more.
    Family,
    /// Somebody lives elsewhere.
    Moved,
    /// A thing lies elsewhere.
    Placed,
    /// What was said before was wrong.
    PutRight,
    /// It is so now, and was not before.
    Anew,
}

impl How {
    /// Whether it tells of an end, and not of another value.
    pub(crate) fn is_end(self) -> bool {
        matches!(
            self,
            Self::Stopped | Self::Gone | Self::Died | Self::PutDown | Self::Parted | Self::Left
        )
    }
}

/// With which words an end is told, in lower case.
#[rustfmt::skip]
const ENDS: &[(&str, How)] = &[
    ("retired", How::Left), ("resigned", How::Left), ("left the company", How::Left), ("left the firm", How::Left),
    ("left the practice", How::Left), ("not together", How::Parted), ("no longer together", How::Parted), ("nicht mehr zusammen", How::Parted),
    ("cancelled", How::Stopped), ("canceled", How::Stopped), ("called off", How::Stopped), ("unsubscribed", How::Stopped),
    ("stopped taking", How::Stopped), ("stopped paying for", How::Stopped), ("stopped using", How::Stopped),
    ("stopped eating", How::Stopped), ("stopped drinking", How::Stopped), ("stopped learning", How::Stopped),
    ("stopped playing", How::Stopped), ("stopped going to", How::Stopped), ("took me off", How::Stopped), ("switched", How::Stopped), ("changed", How::Stopped), ("stopped", How::Stopped), ("gave up", How::Stopped),
    ("given up", How::Stopped), ("quit", How::Stopped), ("dropped out of", How::Stopped), ("no longer", How::Stopped),
    ("any more", How::Stopped), ("anymore", How::Stopped), ("used to", How::Stopped), ("nicht mehr", How::Stopped),
    ("kein", How::Stopped), ("gek\u{fc}ndigt", How::Stopped), ("abgesagt", How::Stopped), ("storniert", How::Stopped),
    ("aufgegeben", How::Stopped), ("aufgeh\u{f6}rt", How::Stopped), ("abbestellt", How::Stopped), ("abgesetzt", How::Stopped),
    ("left", How::Stopped), ("sold", How::Gone), ("gave away", How::Gone), ("got rid of", How::Gone), ("stolen", How::Gone),
    ("verkauft", How::Gone), ("gestohlen", How::Gone), ("scrapped", How::Gone), ("rehomed", How::Gone),
    ("died", How::Died), ("passed away", How::Died), ("is dead", How::Died),
    ("gestorben", How::Died), ("verstorben", How::Died), ("ist tot", How::Died), ("eingeschl\u{e4}fert", How::Died),
    ("broke up", How::Parted), ("split up", How::Parted), ("got divorced", How::Parted), ("am divorced", How::Parted),
    ("are divorced", How::Parted), ("separated", How::Parted), ("getrennt", How::Parted), ("geschieden", How::Parted),
];

/// With these, one thing has ended as a whole, at whatever time of the day that was.
#[rustfmt::skip]
const CALLED_OFF: &[&str] = &[
    "cancelled", "canceled", "called off", "unsubscribed", "gek\u{fc}ndigt", "abgesagt", "storniert", "abbestellt",
];

/// Who says so of something has given up all of it.
#[rustfmt::skip]
const GIVEN_UP: &[&str] = &[
    "stopped taking", "stopped paying for", "stopped using", "stopped eating", "stopped drinking", "stopped learning",
    "stopped playing", "gave up", "given up", "quit", "no longer", "any more", "anymore", "nicht mehr", "aufgegeben",
    "aufgeh\u{f6}rt", "abgesetzt",
];

/// Of these the day of the week tells when it is so, and not since when.
const DENIED: &[&str] = &["no longer", "any more", "anymore", "nicht mehr", "kein"];

/// Days and weeks for which something is called off.
#[rustfmt::skip]
const ONCE: &[&str] = &["today", "tonight", "tomorrow", "heute", "morgen"];

/// Words before a thing that one has.
#[rustfmt::skip]
const OWNED_BY: &[&str] = &[
    "my", "our", "the", "mein", "meine", "meinen", "unser", "unsere", "unseren", "das", "die", "den", "der",
];

/// Behind `retired`, these lead to what is put out of use.
const ARTICLES: &[&str] = &["the", "a", "an", "my", "our", "his", "her", "their", "its"];

/// Words for a short while, after which a thing is where it was.
const FOR_A_WHILE: &[&str] = &["moment", "second", "minute", "while", "briefly", "quickly"];

/// Days of the week.
#[rustfmt::skip]
const WEEKDAYS: &[&str] = &[
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "mondays", "tuesdays", "wednesdays",
    "thursdays", "fridays", "saturdays", "sundays", "weekend", "weekends", "montags", "dienstags", "mittwochs",
    "donnerstags", "freitags", "samstags", "sonntags",
];

/// Parts of a day.
#[rustfmt::skip]
const DAY_PARTS: &[&str] = &[
    "morning", "mornings", "noon", "afternoon", "afternoons", "evening", "evenings", "night", "nights", "tonight", "morgen",
    "morgens", "mittag", "mittags", "nachmittag", "nachmittags", "abend", "abends", "nacht", "nachts",
];

/// Behind these, another thing follows than the one that was had.
#[rustfmt::skip]
const TO_ANOTHER: &[&str] = &["to", "on", "off", "from", "over", "back", "into", "it", "the", "a", "my", "our", "his", "her", "their", ""];

/// How an animal is put down: what stands between is the animal.
const PUT_DOWN: &[&str] = &["down", "to sleep"];

/// Words with which something is not simply so, besides those of the grammar.
#[rustfmt::skip]
const NOT_SO: &[&str] = &[
    "may", "will", "want", "wants", "wanted", "plan", "planning", "hope", "thinking", "think", "dreamt", "dreamed", "never",
    "told", "wenn", "falls", "w\u{fc}rde", "vielleicht", "m\u{f6}chte", "fast",
];

/// Words of the grammar that leave it open how long something holds, but not that it has ended.
const LEAVES_OPEN: &[&str] = &[
    "used", "second", "half", "too", "also", "both", "game", "story", "novel", "side", "each",
    "every", "other", "another", "weekends", "weekdays", "weekend", "until", "till", "mornings",
    "evenings", "nights", "summers", "winters",
];

/// Verbs that tell where somebody went to live.
const MOVED: &[&str] = &[
    "moved",
    "relocated",
    "gezogen",
    "umgezogen",
    "zur\u{fc}ckgezogen",
];

/// What follows such a verb where nothing else was moved.
#[rustfmt::skip]
const WHERE: &[&str] = &[
    "back", "out", "away", "house", "home", "in", "into", "from", "abroad", "here", "there", "again", "to", "nearby", "",
];

/// Words that begin a correction.
#[rustfmt::skip]
const PUTTING_RIGHT: &[&str] = &[
    "no", "sorry", "actually", "correction", "oops", "wait", "nein", "entschuldigung", "doch",
];

/// With these somebody puts right what they said.
const I_WAS_WRONG: &[&str] = &[
    "i meant",
    "i was wrong",
    "i got that wrong",
    "i misspoke",
    "ich meinte",
];

/// Words that say that it is so since lately.
const ANEW: &[&str] = &[
    "now",
    "nowadays",
    "turned",
    "jetzt",
    "inzwischen",
    "mittlerweile",
];

/// Words that name nothing that ends.
#[rustfmt::skip]
const EMPTY: &[&str] = &[
    "i", "we", "my", "our", "the", "a", "an", "and", "it", "is", "am", "are", "was", "were", "been", "'s",
    "has", "have", "had", "be", "to", "in", "on", "at", "of", "for", "from", "with", "by", "do", "does",
    "not", "no", "longer", "any", "more", "just", "finally", "now", "already", "sadly", "unfortunately", "down", "up", "put",
    "last", "this", "week", "month", "year", "weeks", "months", "years", "ago", "yesterday", "today", "morning", "evening",
    "night", "afternoon", "since", "got", "so", "because", "me", "us", "as", "take", "taking", "doctor", "dr", "mr", "mrs", "two",
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february", "march", "april",
    "june", "july", "august", "september", "october", "november", "december", "but", "sorry", "actually", "meant",
    "ich", "wir", "mein", "meine", "meinen", "meinem", "meiner", "unser", "unsere", "unseren", "der", "die", "das", "den",
    "dem", "ein", "eine", "einen", "und", "ist", "sind", "bin", "war", "wurde", "wurden", "habe", "haben", "hat", "mit", "bei",
    "nicht", "mehr", "gestern", "heute", "vorgestern", "letzte", "letzten", "woche", "monat", "jahr", "leider", "jetzt", "von",
    "im", "zu", "mich", "uns", "keine", "keinen", "seit", "still", "only", "immer", "noch",
];

/// The signs in a sentence.
pub(crate) fn signs(tokens: &[Token]) -> Vec<Sign> {
    let clauses: Vec<&[Token]> = tokens.split_inclusive(|token| token.is_end).collect();
    let ends = clauses.iter().filter_map(|clause| end(clause, tokens));
    let moved = clauses.iter().any(|clause| is_moved(clause));
    let others = [
        (How::Moved, moved),
        (How::Family, !family(tokens).is_empty()),
        (How::PutRight, is_put_right(&clauses)),
        (
            How::Anew,
            holds_any(tokens, ANEW) || at(tokens, "these days").is_some(),
        ),
    ];
    let others = others.into_iter().filter(|(_, is_told)| *is_told);
    let bare = others.map(|(how, _)| Sign {
        how,
        things: BTreeSet::new(),
        is_named: false,
        whole: Whole::Perhaps,
    });
    let placed = clauses.iter().filter_map(|clause| placed(clause));
    ends.chain(bare).chain(placed).collect()
}

/// The stem by which a word of one sentence is found in another.
pub(crate) fn stem_of(token: &Token) -> String {
    let stem = stem(&token.plain);
    // `Rauchen` is what `rauche` says.
    match stem
        .strip_suffix("en")
        .filter(|rest| rest.chars().count() >= 4)
    {
        Some(rest) => rest.to_owned(),
        None => stem,
    }
}

/// Whether a word tells nothing of what a sentence is about.
pub(crate) fn is_empty(token: &Token) -> bool {
    EMPTY.contains(&token.plain.as_str())
}

/// Whether a sentence only says what may be, or what somebody thinks or wants.
pub(crate) fn is_unsure(tokens: &[Token]) -> bool {
    tokens.iter().enumerate().any(|(place, token)| {
        let word = token.plain.as_str();
        // `In May` is a date.
        let before = place.checked_sub(1).and_then(|place| tokens.get(place));
        let is_date = |token: &Token| {
            token.is_figure
                || matches!(
                    token.plain.as_str(),
                    "in" | "since" | "of" | "last" | "early" | "late"
                )
        };
        let is_month = word == "may" && before.is_some_and(is_date);
        let is_open = UNSURE.contains(&word) && !LEAVES_OPEN.contains(&word);
        is_open || NOT_SO.contains(&word) && !is_month
    })
}

/// What a clause says has ended; where it leaves that out, the rest of the sentence tells it.
fn end(clause: &[Token], sentence: &[Token]) -> Option<Sign> {
    let told = ENDS.iter().find_map(|(phrase, how)| {
        let place = at(clause, phrase)?;
        Some((*phrase, *how, place..place + phrase.split(' ').count()))
    });
    let (phrase, how, span) = told.or_else(|| put_down(clause))?;
    let whole = whole(clause, (phrase, how))?;
    let ended: Vec<&str> = if phrase.is_empty() {
        vec!["put", "down", "to", "sleep"]
    } else {
        phrase.split(' ').collect()
    };
    let is_thing = |token: &&Token| !is_empty(token) && !ended.contains(&token.plain.as_str());
    let inside: Vec<&Token> = clause.iter().filter(is_thing).collect();
    let told = if inside.is_empty() && how != How::Parted {
        sentence.iter().filter(is_thing).collect()
    } else {
        inside
    };
    let mut things: BTreeSet<String> = told.iter().map(|token| stem_of(token)).collect();
    let is_paid = |thing: &String| PAID_FOR.iter().any(|word| stem(word) == *thing);
    if !things.iter().all(is_paid) {
        things.retain(|thing| !is_paid(thing));
    }
    let is_joined = told
        .iter()
        .any(|token| GROUPS.contains(&token.plain.as_str()));
    let before = span
        .start
        .checked_sub(1)
        .and_then(|place| clause.get(place));
    let behind = clause
        .get(span.end)
        .map_or("", |token| token.plain.as_str());
    // `Mr Holm retired the old boiler`.
    let has_object = how == How::Left && ARTICLES.contains(&behind) && !phrase.contains(' ');
    let is_ones_own = how != How::Gone || is_owned(clause, told.first().copied());
    // `I switched gyms`, but `I switched to Linux`.
    let is_to_another = matches!(phrase, "switched" | "changed") && TO_ANOTHER.contains(&behind);
    // One stops at a shop and leaves an umbrella there, too.
    let is_bare = is_to_another
        || has_object
        || !is_ones_own
        || phrase == "left" && !is_joined
        || phrase == "stopped" && before.is_none_or(|token| token.plain != "was");
    let first = sentence.first();
    let is_of_living = matches!(how, How::Died | How::PutDown | How::Parted);
    let is_of_name = |token: &&&Token| is_name(token) && (is_of_living || first != Some(**token));
    let is_named = told.iter().any(|token| is_of_name(&token));
    (!is_bare && (!things.is_empty() || how == How::Parted)).then_some(Sign {
        how,
        things,
        is_named,
        whole,
    })
}

/// How much of what a clause speaks of has ended; nothing where it goes on but for a part of the day or the week.
fn whole(clause: &[Token], (phrase, how): (&str, How)) -> Option<Whole> {
    if how != How::Stopped {
        return Some(Whole::Perhaps);
    }
    // Who cancels a membership today has none tomorrow.
    let is_once = !holds_any(clause, PAID_FOR);
    let is_of_the_day = is_once && holds_any(clause, DAY_PARTS);
    if is_once && (at(clause, "this week").is_some() || holds_any(clause, ONCE) && !is_of_the_day) {
        return None;
    }
    let is_called_off = CALLED_OFF.contains(&phrase);
    if is_of_the_day {
        return is_called_off.then_some(Whole::Once);
    }
    if DENIED.contains(&phrase) && holds_any(clause, WEEKDAYS) {
        return None;
    }
    let is_given_up = GIVEN_UP.contains(&phrase);
    Some(if is_given_up {
        Whole::Sure
    } else {
        Whole::Perhaps
    })
}

/// Whether the thing is called by its name, or as one that somebody has: `my car`, but not `a painting`.
fn is_owned(clause: &[Token], thing: Option<&Token>) -> bool {
    let Some(thing) = thing else {
        return false;
    };
    let place = clause.iter().position(|token| token == thing);
    let before = place.and_then(|place| clause.get(place.checked_sub(1)?));
    is_name(thing) || before.is_some_and(|own| OWNED_BY.contains(&own.plain.as_str()))
}

/// Whether somebody is married or not, as a sentence says of them: `is single`, but not `a single room`.
pub(crate) fn family(tokens: &[Token]) -> BTreeSet<&str> {
    let said = tokens.iter().enumerate().filter(|(place, token)| {
        let before = tokens.get(..*place).unwrap_or_default().iter().rev();
        let mut before = before.skip_while(|own| BESIDE_STATE.contains(&own.plain.as_str()));
        let is_led = before
            .next()
            .is_some_and(|own| STATES.contains(&own.plain.as_str()));
        is_led && FAMILY.contains(&token.plain.as_str())
    });
    said.map(|(_, token)| token.plain.as_str()).collect()
}

/// Verbs before such a state.
#[rustfmt::skip]
const STATES: &[&str] = &["is", "are", "am", "'s", "got", "was", "were", "been", "ist", "sind", "bin", "war"];

/// Words between them.
#[rustfmt::skip]
const BESIDE_STATE: &[&str] = &["now", "just", "finally", "already", "still", "recently", "not", "both"];

/// `We had to put Rex down`, `put our old cat to sleep`: nobody says of a child that they had to put it to sleep.
fn put_down(clause: &[Token]) -> Option<(&'static str, How, std::ops::Range<usize>)> {
    let put = at(clause, "put")?;
    let behind = clause.get(put..)?;
    let end = PUT_DOWN.iter().find_map(|words| {
        let place = at(behind, words)?;
        Some((place, *words))
    });
    let (n_between, words) = end.filter(|(place, _)| *place <= PUT_WORDS_MAX)?;
    let is_had_to = at(clause, "had to").is_some() || at(clause, "was put").is_some();
    let is_told = words == "down" || is_had_to;
    is_told.then_some(("", How::PutDown, put..put + n_between))
}

/// An animal is told in so many words between `put` and `down`.
const PUT_WORDS_MAX: usize = 5;

fn is_moved(clause: &[Token]) -> bool {
    let Some(place) = clause
        .iter()
        .position(|token| MOVED.contains(&token.plain.as_str()))
    else {
        return false;
    };
    let behind = clause.get(place + 1);
    let next = behind.map_or("", |token| token.plain.as_str());
    let target = clause.get(place + 2);
    // `Moved to the new team`, `moved from sales to marketing`, but `moved to Bergen`.
    let is_place = !matches!(next, "to" | "from") || target.is_some_and(is_name);
    WHERE.contains(&next) && is_place
}

/// `I moved the spare key to the shed`, `we put the ladder in the cellar`.
fn placed(clause: &[Token]) -> Option<Sign> {
    let place = clause
        .iter()
        .position(|token| matches!(token.plain.as_str(), "moved" | "put" | "hid"))?;
    let things = thing_at_a_place(clause.get(place + 1..)?, PLACED)?;
    let is_lasting = !holds_any(clause, FOR_A_WHILE) && at(clause, "for now").is_none();
    is_lasting.then_some(Sign {
        how: How::Placed,
        things,
        is_named: false,
        whole: Whole::Perhaps,
    })
}

/// Words behind a thing that was put somewhere.
const PLACED: &[&str] = &[
    "to", "in", "into", "under", "on", "onto", "behind", "beside",
];

/// The words of a thing that stand next, in stems, where these words follow it.
pub(crate) fn thing_at_a_place(tokens: &[Token], behind: &[&str]) -> Option<BTreeSet<String>> {
    let (article, rest) = tokens.split_first()?;
    let n_words = rest
        .iter()
        .take(THING_WORDS_MAX + 1)
        .position(|token| behind.contains(&token.plain.as_str()))?;
    let is_thing = matches!(article.plain.as_str(), "the" | "my" | "our") && n_words > 0;
    let own = rest.get(..n_words).filter(|_| is_thing)?;
    let is_whole = own.iter().all(|token| !is_empty(token) && !token.is_end);
    is_whole.then(|| own.iter().map(stem_of).collect())
}

/// A thing that lies somewhere has so many words.
const THING_WORDS_MAX: usize = 3;

fn is_put_right(clauses: &[&[Token]]) -> bool {
    let is_word = |token: &Token| PUTTING_RIGHT.contains(&token.plain.as_str());
    // `No` and `sorry` stand alone; `actually` leads on.
    let begins = clauses.first().is_some_and(|clause| match *clause {
        [word] => is_word(word),
        [word, ..] => word.plain == "actually",
        [] => false,
    });
    let ends = clauses.len() > 1
        && clauses.last().is_some_and(|clause| match *clause {
            [word] => word.plain == "sorry" || word.plain == "actually",
            // `7, not 6`.
            [not, value] => {
                matches!(not.plain.as_str(), "not" | "nicht") && (value.is_figure || is_name(value))
            }
            _ => false,
        });
    let is_wrong = clauses
        .iter()
        .any(|clause| I_WAS_WRONG.iter().any(|words| at(clause, words).is_some()));
    begins || ends || is_wrong
}

fn holds_any(tokens: &[Token], words: &[&str]) -> bool {
    tokens
        .iter()
        .any(|token| words.contains(&token.plain.as_str()))
}

/// Where these words stand together.
pub(crate) fn at(tokens: &[Token], phrase: &str) -> Option<usize> {
    let words: Vec<&str> = phrase.split(' ').collect();
    tokens.windows(words.len()).position(|own| {
        let mut both = own.iter().zip(&words);
        both.all(|(token, word)| token.plain == **word)
    })
}
