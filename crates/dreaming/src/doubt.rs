//! Doubts about a finding: parts of its text that neither its messages nor the replaced line support.
//!
//! Compares dates, numbers, names and words as values; never reads a meaning.

use std::collections::{BTreeMap, BTreeSet};

use base::Day;
use base::dates::{MeantDates, WrittenDate, figures_said, meant_dates};
use chrono::Datelike;

use crate::conversations::TextReading;
use crate::figures::{figures, iso_dates};
use crate::ground::holds_quote;
use crate::literals::{clock_times, hours, identifiers, names};
use crate::wording::{
    COMMON_MAX, clauses, holds_name, holds_word, is_dense, is_dense_word, keeps_words, new_words,
    shares_subject, shares_word, tokens, widened, words,
};

/// A negation within this many words of a quote may apply to it: a model can leave it out of the quote.
const BESIDE_QUOTE_WORDS: usize = 3;

/// Maximum number of words in a finding that were not said.
const NEW_WORDS_MAX: usize = 3;

/// A number with at most this many letters is an amount, such as 20mg.
const UNIT_CHARS_MAX: usize = 3;

/// A text that may bear out a finding, and the day on which it was said.
pub type SaidText = (String, Day);

/// The reason why a finding may not follow from the messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Doubt {
    /// It has a number that was not said.
    Figure(String),
    /// It has a date that no cited message may mean.
    Date(String),
    /// It has a name, address or path that was not said.
    Name(String),
    /// It adds or drops a negation.
    Denial,
    /// Too many of its words, or all of them, were not said.
    Words(Vec<String>),
    /// It has words that only somebody else said.
    Foreign(Vec<String>),
}

impl Doubt {
    /// The reason, addressed to the owner.
    pub fn for_owner(&self) -> String {
        match self {
            Self::Figure(figure) => {
                format!("it says {figure}, which is not in the message that it cites")
            }
            Self::Date(date) => format!("it says {date}, which does not follow from what you said"),
            Self::Name(name) => format!("it names {name}, which you did not say"),
            Self::Denial => "it may mean the opposite of what you said".to_owned(),
            Self::Words(words) if words.is_empty() => {
                "the message that it cites does not say it".to_owned()
            }
            Self::Words(words) => {
                format!("it has words that you did not say: {}", words.join(", "))
            }
            Self::Foreign(words) => format!(
                "it has words that only a tool, a page or pasted text says: {}",
                words.join(", ")
            ),
        }
    }

    /// The reason, addressed to the model that wrote the finding.
    pub fn for_model(&self) -> String {
        match self {
            Self::Figure(own) | Self::Name(own) => format!(
                "`{own}` is in no message that you cite; also cite the message that says it, or leave it out"
            ),
            Self::Date(own) => format!(
                "`{own}` does not follow from the messages that you cite and their days; correct it, also cite the \
                 message that says it, or leave it out"
            ),
            Self::Denial => {
                "the message denies this, or the text denies what the message says; keep the negation of the message"
                    .to_owned()
            }
            Self::Words(words) if words.is_empty() => {
                "no message that you cite says this; keep to what the messages say".to_owned()
            }
            Self::Words(words) => format!(
                "no message that you cite says `{}`; keep to what the messages say",
                words.join("`, `")
            ),
            Self::Foreign(words) => format!(
                "`{}` is not from the owner, but from a tool, a page or pasted text; leave it out",
                words.join("`, `")
            ),
        }
    }
}

/// What may bear out a claim.
#[derive(Debug, Clone, Copy)]
pub struct Sources<'a> {
    /// The messages that it cites and the line that it would change, each with its day.
    pub said: &'a [SaidText],
    /// What else the owner is known to have said.
    pub known: &'a KnownWords,
    /// The day on which the claim was made: a claim may say as of when it holds.
    pub today: Day,
}

/// What is known next to the cited messages: what the owner said in the notes of a request, and the lines of
/// `MEMORY.md`. A claim may use their names and words; their figures and identifiers only where they are about the same
/// subject, as in `100 mg now, before 50 mg`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KnownWords {
    texts: Vec<KnownText>,
    /// The words of all texts.
    tokens: BTreeSet<String>,
    /// The number of texts that have a word.
    n_texts: BTreeMap<String, usize>,
    /// The words of each text of others.
    foreign: Vec<BTreeSet<String>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct KnownText {
    text: String,
    figures: BTreeSet<String>,
}

impl KnownWords {
    /// Splits texts.
    pub fn of<T: AsRef<str>>(texts: impl IntoIterator<Item = T>, reading: &TextReading) -> Self {
        let mut known = Self::default();
        for own in texts {
            let text = own.as_ref().to_owned();
            let in_words = (reading.claimed)(&text).into_iter().flatten();
            let mut figures = figures(&text);
            figures.extend(in_words.map(|number| number.to_string()));
            for token in tokens(&text) {
                known.tokens.insert(token.clone());
                *known.n_texts.entry(token).or_default() += 1;
            }
            known.texts.push(KnownText { text, figures });
        }
        known
    }

    /// Adds texts of others, whose words speak against a claim unless the owner used them too.
    #[must_use]
    pub fn beside<T: AsRef<str>>(mut self, texts: impl IntoIterator<Item = T>) -> Self {
        self.foreign
            .extend(texts.into_iter().map(|own| tokens(own.as_ref())));
        self
    }

    /// Whether only others said a word, in a text that also has another distinctive word of the claim: without that,
    /// the word occurs there by chance.
    fn is_foreign(&self, word: &String, telling: &BTreeSet<String>) -> bool {
        let mut others = self.foreign.iter().filter(|own| own.contains(word));
        !self.tokens.contains(word)
            && others.any(|own| telling.intersection(own).any(|it| it != word))
    }

    /// Whether a text that has a figure or an identifier is about the subject of a claim.
    fn about(
        &self,
        claim: &str,
        reading: &TextReading,
        has_it: impl Fn(&KnownText) -> bool,
    ) -> bool {
        let holders: Vec<&KnownText> = self.texts.iter().filter(|own| has_it(own)).collect();
        if holders.is_empty() {
            return false;
        }
        let n_max = COMMON_MAX.max(self.texts.len() / 4);
        let mut common = (reading.common_words)(claim);
        let claimed = tokens(claim).into_iter();
        common.extend(claimed.filter(|word| self.n_texts.get(word).is_some_and(|n| *n > n_max)));
        holders
            .iter()
            .any(|own| shares_subject(claim, &own.text, &common))
    }
}

/// All parts of a claim that its sources do not support.
pub fn doubts(claim: &str, quote: &str, sources: Sources<'_>, reading: &TextReading) -> Vec<Doubt> {
    let texts = sources.said.iter().map(|(text, _)| text.as_str());
    let all = texts.collect::<Vec<_>>().join("\n");
    let meant = meant(sources.said, &all);
    let (date, undated) = foreign_date(claim, sources, &meant);
    let mut found: Vec<Doubt> = date.into_iter().collect();
    found.extend(foreign_figure(
        &undated,
        (claim, sources, &all),
        &meant,
        reading,
    ));
    found.extend(foreign_identifier(&undated, (sources, &all), reading));
    found.extend(foreign_name(claim, (sources, &all), reading));
    found.extend(turned(claim, (sources.said, &all, quote), reading));
    let has_date = undated.len() < claim.len();
    found.extend(unsaid((&undated, has_date), (sources, &all), reading));
    found
}

/// The dates that the sources may mean, each by itself and all together: a message may shift a date of the line.
fn meant(said: &[SaidText], all: &str) -> MeantDates {
    let mut meant = MeantDates::default();
    for (text, day) in said {
        meant.extend(meant_dates(text, *day));
    }
    if let [(_, day), _, ..] = said {
        meant.extend(meant_dates(all, *day));
    }
    meant
}

/// The first date of a claim that no source may mean, and the claim without its dates.
fn foreign_date(claim: &str, sources: Sources<'_>, meant: &MeantDates) -> (Option<Doubt>, String) {
    let first = sources.said.iter().map(|(_, day)| *day).min();
    let is_as_of = |date: WrittenDate| {
        let span = date.days().filter(|_| date.day.is_some());
        span.is_some_and(|span| Some(span.first) >= first && span.first <= sources.today)
    };
    let mut undated = claim.to_owned();
    let mut foreign = None;
    for (range, date) in iso_dates(claim).into_iter().rev() {
        let written = claim.get(range.clone()).unwrap_or_default();
        let is_written = sources.said.iter().any(|(text, _)| text.contains(written));
        if !meant.include(date) && !is_written && !is_as_of(date) {
            foreign = Some(Doubt::Date(written.to_owned()));
        }
        undated.replace_range(range, " ");
    }
    (foreign, undated)
}

fn foreign_figure(
    undated: &str,
    (claim, sources, all): (&str, Sources<'_>, &str),
    meant: &MeantDates,
    reading: &TextReading,
) -> Option<Doubt> {
    let said = sources.said;
    let written = figures(all);
    let mut reckoned = BTreeSet::new();
    for (text, day) in said {
        reckoned.extend(figures_said(text, *day));
    }
    let is_known = |figure: &str| {
        let known = sources.known;
        known.about(claim, reading, |own| own.figures.contains(figure))
    };
    let is_said = |figure: u64| {
        // `:00` is often added to an hour.
        figure == 0
            || reckoned.contains(&figure)
            // As in '84.
            || (1900..=2099).contains(&figure)
                && ['\'', '\u{2019}'].iter().any(|mark| all.contains(&format!("{mark}{:02}", figure % 100)))
            || written.contains(&figure.to_string())
            || is_known(&figure.to_string())
            || i32::try_from(figure).is_ok_and(|year| meant.include_year(year))
    };
    let hours = hours(claim);
    let quarters = quarters(claim, &is_said);
    let is_borne_out = |figure: &String| {
        let Ok(number) = figure.parse::<u64>() else {
            return written.contains(figure) || is_known(figure);
        };
        let completes_date = || {
            said.iter().any(|(text, day)| {
                let year = u64::from(day.date().year().unsigned_abs());
                (year - 1..=year + 1).contains(&number)
                    && completes_date(claim, figure, (text, *day), (reading, &is_said))
            })
        };
        is_said(number)
            || completes_date()
            || hours.contains(&number) && number > 12 && is_said(number - 12)
            || quarters.contains(&number)
    };
    if let Some(foreign) = figures(undated).into_iter().find(|own| !is_borne_out(own)) {
        return Some(Doubt::Figure(foreign));
    }
    let mut in_words = (reading.claimed)(undated).into_iter();
    // Ignore words for one and two: they may be articles, or count what the message lists.
    let foreign = in_words.find(|all| !all.iter().any(|own| *own <= 2 || is_said(*own)))?;
    foreign.first().map(|own| Doubt::Figure(own.to_string()))
}

/// The figures of the times on a quarter of an hour whose hour or next hour is said, as 8 and 15 for `quarter past
/// eight`, or 10 and 30 for `halb elf`: quarters are usually written in words.
fn quarters(claim: &str, is_said: &dyn Fn(u64) -> bool) -> BTreeSet<u64> {
    let is_hour = |hour: u64| is_said(hour) || hour > 12 && is_said(hour - 12);
    let is_told = |(hour, minute): &(u64, u64)| {
        *hour < 24 && matches!(minute, 15 | 30 | 45) && (is_hour(*hour) || is_hour(*hour + 1))
    };
    let told = clock_times(claim).into_iter().filter(is_told);
    told.flat_map(|(hour, minute)| [hour, minute]).collect()
}

/// Whether a year in a claim completes a date of the message: next to a month or day, as in `March 2026`, or after a
/// season or feast, as in `autumn 2025`.
fn completes_date(
    claim: &str,
    year: &str,
    (said, day): (&str, Day),
    (reading, is_said): (&TextReading, &dyn Fn(u64) -> bool),
) -> bool {
    let Some((before, behind)) = claim.split_once(year) else {
        return false;
    };
    let (left, right) = (words(before).last(), words(behind).next());
    let is_date = |word: &str| figures_said(word, day).into_iter().any(is_said);
    if left.into_iter().chain(right).any(is_date) {
        return true;
    }
    // Where nouns are capitalised, a lowercase word is no season.
    let may_be_noun = |word: &&str| {
        let has_capital = word.chars().next().is_some_and(char::is_uppercase);
        has_capital || !(reading.capitalises_nouns)(claim)
    };
    let common = (reading.common_words)(claim);
    !common.is_empty()
        && left.filter(may_be_noun).is_some_and(|word| {
            !common.contains(&word.to_lowercase()) && shares_word(word, said, &common)
        })
}

/// Whether a word is a date, a time or an amount, which is compared by its numbers.
fn is_amount(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
        && !word.contains(['@', '/', '\\', '_', '#'])
        && word.chars().filter(|c| c.is_alphabetic()).count() <= UNIT_CHARS_MAX
}

fn foreign_identifier(
    claim: &str,
    (sources, said): (Sources<'_>, &str),
    reading: &TextReading,
) -> Option<Doubt> {
    let (text, known) = (said.to_lowercase(), sources.known);
    let foreign = identifiers(claim).into_iter().find(|own| {
        let own = own.to_lowercase();
        // As in am/pm for `am pm`.
        let mut parts = own.split('/');
        let is_of_words = own.contains('/') && parts.all(|part| known.tokens.contains(part));
        let is_known = || {
            known.about(claim, reading, |known| {
                known.text.to_lowercase().contains(&own)
            })
        };
        !is_amount(&own) && !is_of_words && !text.contains(&own) && !is_known()
    });
    foreign.map(Doubt::Name)
}

/// The first name that was not said. In languages that capitalise nouns, a capital does not make a name.
fn foreign_name(
    claim: &str,
    (sources, said): (Sources<'_>, &str),
    reading: &TextReading,
) -> Option<Doubt> {
    if (reading.capitalises_nouns)(&format!("{claim} {said}")) {
        return None;
    }
    let foreign = names(claim).into_iter().find(|name| {
        let lower = name.to_lowercase();
        !is_dense_word(name)
            && !(reading.is_calendar_word)(&lower)
            && !holds_name(said, &lower)
            && !holds_word(&sources.known.tokens, &lower)
    });
    foreign.map(Doubt::Name)
}

/// Whether a claim in the words of its message adds a negation that no source has, or drops one. A clause of the quote
/// that says the same without a negation bears the claim out, as in `in Graz, not Leeds`.
fn turned(
    claim: &str,
    (said, all, quote): (&[SaidText], &str, &str),
    reading: &TextReading,
) -> Option<Doubt> {
    let denies = reading.denies;
    // What follows may belong to another statement, as in `she started in August and must not eat nuts`.
    let n_behind = if quote.ends_with(is_dense) {
        BESIDE_QUOTE_WORDS
    } else {
        0
    };
    let beside = widened(all, quote, (BESIDE_QUOTE_WORDS, n_behind));
    if !keeps_words(claim, beside) {
        return None;
    }
    let claimed = tokens(claim);
    let shares = |clause: &&str| !tokens(clause).is_disjoint(&claimed);
    let mut said = said.iter().map(|(text, _)| text.as_str());
    let is_turned = if denies(claim, claim) {
        !said.any(|text| clauses(text).filter(shares).any(|own| denies(own, text)))
    } else {
        let whole = said.find(|text| holds_quote(text, quote)).unwrap_or(all);
        let mut sharing = clauses(beside).filter(shares).peekable();
        sharing.peek().is_some() && sharing.all(|own| denies(own, whole))
    };
    is_turned.then_some(Doubt::Denial)
}

/// The words of a claim that were not said, if they are too many or all.
fn unsaid(
    (claim, has_date): (&str, bool),
    (sources, said): (Sources<'_>, &str),
    reading: &TextReading,
) -> Option<Doubt> {
    let common = (reading.common_words)(claim);
    let mut known = tokens(said);
    known.extend(sources.known.tokens.iter().cloned());
    let (new, n_new) = new_words(claim, &known, &common);
    let telling: BTreeSet<String> = tokens(claim).difference(&common).cloned().collect();
    let is_foreign = |word: &&String| sources.known.is_foreign(word, &telling);
    let foreign: Vec<String> = new.iter().filter(is_foreign).cloned().collect();
    if !foreign.is_empty() {
        return Some(Doubt::Foreign(foreign));
    }
    // A claim that shares neither a word nor a number with the message was not said there.
    let is_linked =
        has_date || shares_word(claim, said, &BTreeSet::new()) || !figures(claim).is_empty();
    (n_new > NEW_WORDS_MAX || !is_linked).then_some(Doubt::Words(new))
}
