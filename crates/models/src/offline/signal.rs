//! Scores a clause: what it is about and whether it is worth keeping.
//!
//! Sees one clause at a time; the tables of cues stand beside it.

use super::bare::is_bare;
use super::conduct;
use super::cue::{
    ADVICE, COMPLETIONS, CONDUCT, Cue, DECIDED, DECISIONS, ENGLISH, INSTRUCTIONS, INTENTS, ISSUES,
    ONE_THING, PREFERENCES, PROGRESS, REACTIONS, RESULTS, UNREAL,
};
use super::fact::{self, Lasts, Reading};
use super::identifier::{Identifier, Kind, identifiers};

/// A clause below this score is not worth a line.
pub(super) const KEPT_MIN: i32 = 5;

/// What a person says weighs this much before any cue.
const PERSON_BASE: i32 = 2;

/// Each exact identifier adds this much, up to [`EXACT_MAX`].
pub(super) const EXACT: i32 = 3;
const EXACT_MAX: i32 = 9;

/// Each name or plain number adds this much, up to [`LOOSE_MAX`].
const LOOSE: i32 = 1;
const LOOSE_MAX: i32 = 3;

/// Second and further cues of a table add this part of their weight.
const FURTHER_CUE_DIVISOR: i32 = 3;

/// An assistant's clause with weaker cues is a plan or a remark, not a result.
const RESULT_MIN: i32 = 4;

/// A reaction to what was said loses this much.
const REACTION: i32 = 5;

/// The name of an error says as much as the strongest words for one.
const NAMED_FAILURE: i32 = 5;

/// A clause that says what someone is doing weighs this much.
const ONGOING: i32 = 3;

/// What the owner wants done in a certain way is worth more than anything else of its kind.
const PREFERENCE_BONUS: i32 = 3;

/// A weaker instruction may be about one thing only, which is a decision and no wish.
const MILD_INSTRUCTION_MAX: i32 = 3;

/// A weaker wish in a reaction, such as `I like the second one`, is none.
const FAINT_WISH_MAX: i32 = 3;

/// `It means this, not that` settles something.
const CONTRAST: i32 = 4;

/// What follows `not` where nothing is put right.
const NO_CONTRAST: &[&str] = &[
    "sure", "yet", "only", "even", "that", "really", "too", "very", "because", "to", "just",
    "much", "bad", "certain", "quite", "so",
];

/// More words before a colon are no label of the clause after it.
const LABEL_WORDS_MAX: usize = 3;

/// What a plain fact about the owner is worth at least; what happens once is worth less.
const FACT_MIN: i32 = 8;
const FACT_ONCE_MIN: i32 = 6;

/// Fewer words do not show the language of a text in Latin letters.
const TELLING_WORDS_MIN: usize = 5;

/// What a clause is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Topic {
    /// How the owner wants things done.
    Preference,
    /// What was chosen or changed.
    Decision,
    /// What is wrong or open.
    Issue,
    /// Where work stands; facts.
    Progress,
}

/// Who said a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Speaker {
    /// The owner, in their own words.
    Owner,
    /// Another person, or words that the owner quotes.
    Other,
    /// The assistant.
    Assistant,
    /// A tool that did what was asked.
    Tool,
    /// A tool that failed.
    FailedTool,
}

/// What a clause is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Signal {
    /// What it is about.
    pub(super) topic: Topic,
    /// How much it is worth; compare with [`KEPT_MIN`].
    pub(super) score: i32,
    /// Whether it reports that something was brought to an end.
    pub(super) is_finished: bool,
    /// Whether it holds something that is only right when it is exact.
    pub(super) is_exact: bool,
    /// Whether it is a plain fact about the owner.
    pub(super) is_fact: bool,
}

/// A text in lower case, its words between single blanks, so that cues can be found in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Plain(pub(super) String);

/// Brings a text into the form in which cues are spelt.
pub(super) fn plain(text: &str) -> Plain {
    let mut words = String::with_capacity(text.len() + 2);
    words.push(' ');
    for character in text.chars() {
        match character {
            '\'' | '\u{2019}' => words.push('\''),
            _ if character.is_alphanumeric() => words.extend(character.to_lowercase()),
            _ if !words.ends_with(' ') => words.push(' '),
            _ => {}
        }
    }
    if !words.ends_with(' ') {
        words.push(' ');
    }
    Plain(words)
}

impl Plain {
    fn holds_any(&self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| self.0.contains(phrase))
    }

    /// The heaviest cue counts whole, the others in part.
    fn weight(&self, cues: &[Cue]) -> i32 {
        let hits = cues.iter().filter(|(phrase, _)| self.0.contains(phrase));
        let (most, sum) = hits.fold((0, 0), |(most, sum), (_, weight)| {
            (most.max(*weight), sum + *weight)
        });
        most + (sum - most) / FURTHER_CUE_DIVISOR
    }

    /// The weight of the cue that opens the clause.
    fn opening_weight(&self, cues: &[Cue]) -> i32 {
        let start = self.0.trim_start();
        let opening = cues.iter().find(|(phrase, _)| start.starts_with(phrase));
        opening.map_or(0, |(_, weight)| *weight)
    }

    /// What it weighs that someone says what they are doing: `I'm moving the tests`.
    fn ongoing_weight(&self) -> i32 {
        let mut words = self.0.split_whitespace();
        let is_about_us = matches!(words.next(), Some("i'm" | "we're"));
        let is_ongoing = words.next().is_some_and(|word| word.ends_with("ing"));
        if is_about_us && is_ongoing {
            ONGOING
        } else {
            0
        }
    }
}

/// Whether a text is English, as far as its common words tell; names, numbers and short texts tell nothing.
pub(super) fn is_english(text: &str) -> bool {
    let words = text
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| c.is_ascii_punctuation()));
    let telling = words.filter(|word| {
        // A capital at the start of a sentence makes no name of a common word.
        let is_no_name = word.starts_with(|c: char| c.is_lowercase() || !c.is_ascii())
            || is_common(&word.to_lowercase());
        is_no_name
            && word
                .chars()
                .all(|c| c.is_alphabetic() || !c.is_ascii() || c == '\'')
    });
    let (n_words, n_common) = telling.fold((0_usize, 0_usize), |(all, common), word| {
        (
            all + 1,
            common + usize::from(is_common(&word.to_lowercase())),
        )
    });
    n_common * 6 >= n_words || n_words < TELLING_WORDS_MIN && text.is_ascii()
}

fn is_common(word: &str) -> bool {
    ENGLISH.contains(&word.replace('\u{2019}', "'").as_str())
}

/// Scores a clause, read together with the line that introduces its list.
pub(super) fn signal(clause: &str, lead: Option<&str>, speaker: Speaker) -> Signal {
    let found = identifiers(clause);
    let mut signal = Signal {
        topic: Topic::Progress,
        score: 0,
        is_finished: false,
        is_exact: found.iter().any(|identifier| identifier.kind.is_exact()),
        is_fact: false,
    };
    let words = plain(&[lead.unwrap_or_default(), clause].join(" "));
    // Most of what an assistant says is advice; its clauses are not looked at further.
    let is_nameless = found.is_empty() && !words.holds_any(DECIDED);
    let is_advice = speaker == Speaker::Assistant && (is_nameless || words.holds_any(ADVICE));
    let reading = match speaker {
        Speaker::Owner => fact::read(clause),
        Speaker::Other | Speaker::Assistant | Speaker::Tool | Speaker::FailedTool => Reading::Other,
    };
    signal.is_fact = matches!(reading, Reading::Fact(..));
    let says_nothing = is_bare(clause) && !signal.is_fact || is_hole(clause);
    if is_advice || says_nothing || clause.ends_with(':') {
        return signal;
    }
    let exactness = exactness(&found);
    let weights = Weights::of(&words, clause, speaker, &found);
    let (topic, topical) = weights.topic();
    signal.topic = topic;
    signal.is_finished = words.weight(COMPLETIONS) > 0 && !words.holds_any(UNREAL);
    let bonus = if topic == Topic::Preference {
        PREFERENCE_BONUS
    } else {
        0
    };
    signal.score = match speaker {
        Speaker::Owner | Speaker::Other => {
            let reaction = if words.opening_weight(REACTIONS) > 0 {
                REACTION
            } else {
                0
            };
            PERSON_BASE + topical + exactness + capitalised(clause).min(2) + bonus - reaction
        }
        Speaker::Assistant => assistant_worth(&words, &found, weights) + exactness,
        Speaker::Tool => tool_worth(&words, &found, weights) + exactness,
        Speaker::FailedTool => PERSON_BASE + weights.issue + exactness,
    };
    if speaker == Speaker::Owner {
        let is_hearsay = fact::is_reported(clause) && reading == Reading::Other && !signal.is_exact;
        signal.score = if fact::is_fiction(clause) || is_hearsay {
            0
        } else {
            signal.read_as(reading)
        };
    }
    signal
}

/// Whether a clause tells nothing but a secret that was taken out of it: `My password is [REDACTED:password]`.
fn is_hole(clause: &str) -> bool {
    let told = clause.trim_end_matches(['.', '!', ' ']);
    let last = told.rsplit_once(char::is_whitespace);
    last.is_some_and(|(before, last)| {
        let is_mark = last.starts_with("[REDACTED:") && last.ends_with(']');
        let verb = before
            .rsplit(char::is_whitespace)
            .next()
            .unwrap_or_default();
        is_mark
            && (before.ends_with([':', '='])
                || matches!(verb, "is" | "are" | "was" | "ist" | "lautet"))
    })
}

impl Signal {
    /// The score as far as the grammar of facts knows the clause: a fact is kept, a mood is not.
    fn read_as(self, reading: Reading) -> i32 {
        match reading {
            Reading::Fact(_, Lasts::Long | Lasts::Habit | Lasts::Over) => self.score.max(FACT_MIN),
            Reading::Fact(_, Lasts::Taste | Lasts::Once) => self.score.max(FACT_ONCE_MIN),
            Reading::Idle if !self.is_exact => 0,
            Reading::Passing if !self.is_exact => self.score.min(KEPT_MIN - 1),
            Reading::Passing | Reading::Idle | Reading::Other => self.score,
        }
    }
}

/// How strongly the cues of a clause speak for each topic.
#[derive(Debug, Clone, Copy)]
struct Weights {
    preference: i32,
    decision: i32,
    issue: i32,
    progress: i32,
}

impl Weights {
    fn of(words: &Plain, clause: &str, speaker: Speaker, found: &[Identifier<'_>]) -> Self {
        let names_failure = found
            .iter()
            .any(|identifier| identifier.kind == Kind::Failure);
        let own = plain(clause);
        // Only the owner's own words are taken for the owner's wishes.
        let (preference, instruction) = match speaker {
            Speaker::Owner if conduct::is_instruction(unlabelled(clause)) => (conduct::WEIGHT, 0),
            Speaker::Owner => wishes(words, &plain(unlabelled(clause))),
            Speaker::Other | Speaker::Assistant | Speaker::Tool | Speaker::FailedTool => (0, 0),
        };
        let is_person = matches!(speaker, Speaker::Owner | Speaker::Other);
        let contrast = if is_person && puts_right(clause) {
            CONTRAST
        } else {
            0
        };
        let named = if names_failure { NAMED_FAILURE } else { 0 };
        let issue = words.weight(ISSUES).max(named);
        // Who wants to handle errors has none yet.
        let is_intent = own.opening_weight(INTENTS) > 0 && !names_failure;
        Self {
            preference,
            decision: words.weight(DECISIONS).max(instruction).max(contrast),
            issue: if is_intent { issue / 2 } else { issue },
            progress: words
                .weight(PROGRESS)
                .max(words.weight(COMPLETIONS))
                .max(own.ongoing_weight()),
        }
    }

    /// What the clause is about, and how strongly its cues say so; of equal signs the rarer kind wins.
    fn topic(self) -> (Topic, i32) {
        let ranked = [
            (Topic::Progress, self.progress),
            (Topic::Issue, self.issue),
            (Topic::Decision, self.decision),
            (Topic::Preference, self.preference),
        ];
        let best = ranked.into_iter().max_by_key(|(_, weight)| *weight);
        let (topic, weight) = best
            .filter(|(_, weight)| *weight > 0)
            .unwrap_or((Topic::Progress, 0));
        let rest = self.preference + self.decision + self.issue + self.progress - weight;
        (topic, weight + rest / FURTHER_CUE_DIVISOR)
    }
}

/// What the wishes of the owner in a clause weigh, and what an instruction about one thing weighs.
fn wishes(words: &Plain, own: &Plain) -> (i32, i32) {
    let wish = words.weight(PREFERENCES);
    let instruction = own.opening_weight(INSTRUCTIONS);
    let second = own.0.split_whitespace().nth(1).unwrap_or_default();
    let is_mild = (1..=MILD_INSTRUCTION_MAX).contains(&instruction);
    if is_mild && ONE_THING.contains(&second) && !own.holds_any(CONDUCT) {
        return (wish, instruction);
    }
    let is_reaction = words.opening_weight(REACTIONS) > 0 && wish <= FAINT_WISH_MAX;
    (if is_reaction { 0 } else { wish } + instruction, 0)
}

/// A clause without the label before it, as in `Changes: never mention him`.
pub(super) fn unlabelled(clause: &str) -> &str {
    let labelled = clause.split_once(": ");
    let is_label = |label: &str| label.split_whitespace().count() <= LABEL_WORDS_MAX;
    labelled
        .filter(|(label, _)| is_label(label))
        .map_or(clause, |(_, rest)| rest)
}

/// Whether a clause ends in what is not meant, as in `Missing means unknown, not zero`.
fn puts_right(clause: &str) -> bool {
    clause.split_once(", not ").is_some_and(|(_, denied)| {
        let first = denied.split_whitespace().next().unwrap_or_default();
        !NO_CONTRAST.contains(&first.trim_matches(|c: char| !c.is_alphanumeric()))
    })
}

/// An assistant's clause counts where it reports a result or a decision, and names something or says `we decided`; else its identifiers weigh nothing.
fn assistant_worth(words: &Plain, found: &[Identifier<'_>], weights: Weights) -> i32 {
    let names_something = found
        .iter()
        .any(|identifier| identifier.kind != Kind::Number);
    let result = words.weight(RESULTS).max(weights.decision);
    if words.holds_any(DECIDED) {
        return result + weights.issue.min(3);
    }
    if names_something && result >= RESULT_MIN {
        result + weights.issue.min(3) - 2
    } else {
        -EXACT_MAX - LOOSE_MAX
    }
}

/// The output of a tool counts where it reports an error, or a result with identifiers.
fn tool_worth(words: &Plain, found: &[Identifier<'_>], weights: Weights) -> i32 {
    let result = words.weight(RESULTS);
    let names_something = found.iter().any(|identifier| identifier.kind.is_exact());
    if weights.issue >= RESULT_MIN || result > 0 && names_something {
        weights.issue.max(result) - 1
    } else {
        -EXACT_MAX - LOOSE_MAX
    }
}

fn exactness(found: &[Identifier<'_>]) -> i32 {
    let (mut exact, mut loose) = (0, 0);
    for identifier in found {
        if identifier.kind.is_exact() {
            exact += EXACT;
        } else {
            loose += LOOSE;
        }
    }
    exact.min(EXACT_MAX) + loose.min(LOOSE_MAX)
}

/// How many words inside the clause begin with a capital: names of people, places, products.
fn capitalised(clause: &str) -> i32 {
    let words = clause.split_whitespace().skip(1);
    let names = words.filter(|word| {
        word.chars().next().is_some_and(char::is_uppercase)
            && !word.starts_with("I'")
            && *word != "I"
    });
    i32::try_from(names.count()).unwrap_or(i32::MAX)
}

#[cfg(test)]
#[path = "signal_tests.rs"]
mod tests;
