//! Writes the seven-section summary: what the span adds, merged with what the earlier summary held.
//!
//! Cites nothing and adds no word; what gives way first is old and weak.

mod closing;
mod page;

use std::cmp::Reverse;
use std::collections::BTreeSet;

use base::{Day, TokenCount};

use super::earlier::{Earlier, Point, earlier};
use super::evidence::Evidence;
use super::identifier::{Kind, identifiers};
use super::question::part;
use super::rank::{Subject, distinct, subject};
use super::sentence::{Sentence, sentences};
use super::signal::{KEPT_MIN, Speaker, Topic, plain, signal};
use super::statement::Statement;
use super::template;
use closing::{last_actions, next_step};
use page::{Item, Page};

pub(super) use page::Section;

/// What points of the earlier summary keep of their score, in hundredths: the oldest least, the newest most.
const OLDEST_PERCENT: usize = 45;
const NEWEST_PERCENT: usize = 85;

/// How many of the last requests are looked at as goals, and how many goals are kept.
const REQUESTS_MAX: usize = 60;
const GOALS_MAX: usize = 8;

/// A request whose words name fewer things depends on what stood before it.
const REQUEST_WORDS_MIN: usize = 4;

/// More words add nothing to the worth of a request.
const REQUEST_WORDS_MAX: usize = 10;

/// Words that show a step still to be done.
#[rustfmt::skip]
const PENDING: &[&str] = &[
    " remaining ", " still need", " still have to ", " left to do ", " todo ", " not yet ",
    " haven't ", " hasn't ", " pending ", " waiting for ", " waiting on ", " noch offen ",
    " reste ", " falta ",
];

/// Words that announce a step to come.
#[rustfmt::skip]
const ANNOUNCING: &[&str] = &[
    " next step ", " next i ", " next up ", " next we ", " i'll ", " we'll ", " i will ",
    " we will ", " i'm going to ", " then i ", " i need to ", " we need to ", " i have to ",
    " als n\u{e4}chstes ", " ensuite ", " luego ", " despu\u{e9}s ", "\u{63a5}\u{4e0b}\u{6765}",
    "\u{6b21}\u{306f}",
];

/// Words that say what someone is after.
#[rustfmt::skip]
const WISHES: &[&str] = &[
    " i want to ", " we want to ", " i'd like to ", " i would like to ", " my goal ", " our goal ",
    " the goal ", " i aim to ", " i hope to ", " ich m\u{f6}chte ", " je veux ", " je voudrais ",
    " quiero ", "\u{6211}\u{60f3}", "\u{305f}\u{3044}\u{3067}\u{3059}",
];

/// The whole summary; empty when there is nothing to say or no room for it.
pub(super) fn summary(evidence: &Evidence, output_max: TokenCount) -> String {
    let earlier = earlier(&evidence.earlier);
    let statements = distinct(evidence.statements.clone());
    let ends = Ends::of(&statements, &earlier);
    let mut items = carried(&earlier, &ends);
    items.extend(
        statements
            .iter()
            .filter_map(|statement| stated(statement, &ends)),
    );
    items.extend(goals(evidence));
    let next = next_step(evidence, &statements, &earlier, &ends);
    if let Some(next) = &next {
        let own = template::without_phrase(&next.text);
        items.retain(|item| {
            item.section == Section::Goals || item.text != own && item.text != next.text
        });
    }
    items.extend(last_actions(evidence, next.as_ref()));
    items.extend(next);
    let mut page = Page::new(output_max);
    page.fill(items);
    page.add_identifiers(&evidence.mentions, &earlier);
    page.rendered()
}

/// What the span reports as brought to an end.
struct Ends(Vec<End>);

struct End {
    excerpt: usize,
    subject: Subject,
    failures: BTreeSet<String>,
}

impl End {
    fn new(excerpt: usize, text: &str) -> Self {
        Self {
            excerpt,
            subject: subject(text),
            failures: failures(text),
        }
    }
}

/// A line of a summary without the phrase and the day before it.
fn bare(text: &str) -> &str {
    let undated = text
        .split_once(": ")
        .filter(|(day, _)| day.parse::<Day>().is_ok());
    template::without_phrase(undated.map_or(text, |(_, rest)| rest))
}

impl Ends {
    /// What the statements of the span report, and what the earlier summary holds as reported.
    fn of(statements: &[Statement], earlier: &Earlier) -> Self {
        let finished = statements.iter().filter(|statement| statement.is_finished);
        let new = finished.map(|statement| End::new(statement.last_excerpt(), &statement.text));
        let known = earlier.points.iter().filter(|point| {
            let is_told = matches!(point.section, Section::Timeline | Section::Files);
            is_told && signal(bare(&point.text), None, Speaker::Owner).is_finished
        });
        let old = known.map(|point| End::new(0, bare(&point.text)));
        Self(new.chain(old).collect())
    }

    /// Whether a point that was still open in an excerpt was ended after it.
    fn close(&self, text: &str, open_in: Option<usize>) -> bool {
        let point = subject(bare(text));
        let named = failures(text);
        let later = || {
            self.0
                .iter()
                .filter(|end| open_in.is_none_or(|open_in| end.excerpt > open_in))
        };
        let is_named = later().any(|end| !named.is_disjoint(&end.failures));
        is_named || point.is_ended_by(later().map(|end| &end.subject))
    }
}

/// The names of errors and tickets in a text: who reports the end of one means this one.
fn failures(text: &str) -> BTreeSet<String> {
    let found = identifiers(text).into_iter();
    let named = found.filter(|identifier| matches!(identifier.kind, Kind::Failure | Kind::Code));
    named.map(|identifier| identifier.text.to_owned()).collect()
}

/// The points of the earlier summary, re-ranked and aged.
fn carried(earlier: &Earlier, ends: &Ends) -> Vec<Item> {
    let n_points = earlier.points.len().max(1);
    let lasting = earlier
        .points
        .iter()
        .enumerate()
        .filter(|(_, point)| lasts(point, ends));
    let items = lasting.map(|(index, point)| {
        let signal = signal(bare(&point.text), None, Speaker::Owner);
        let kept = OLDEST_PERCENT + (NEWEST_PERCENT - OLDEST_PERCENT) * index / n_points;
        let kept = if signal.topic == Topic::Preference {
            NEWEST_PERCENT
        } else {
            kept
        };
        let score = signal.score.max(KEPT_MIN) * i32::try_from(kept).unwrap_or(0) / 100;
        // A next step that nobody reported as done is a pending task by now.
        let section = if point.section == Section::Next {
            Section::Open
        } else {
            point.section
        };
        Item {
            section,
            text: continued(&point.text).unwrap_or(&point.text).to_owned(),
            score,
            order: (0, index),
        }
    });
    items.collect()
}

/// What work was to go on with.
fn continued(text: &str) -> Option<&str> {
    text.strip_prefix(template::CONTINUE_WITH)
}

fn asks(text: &str) -> bool {
    let asks = |sentence: &Sentence| part(&sentence.text).question.is_some();
    sentences(text).iter().any(asks)
}

/// Whether a point of the earlier summary still holds after the span.
fn lasts(point: &Point, ends: &Ends) -> bool {
    // In prose there are no sections to tell that it is over.
    if point.text.starts_with(template::LAST_MESSAGE) {
        return false;
    }
    match point.section {
        Section::Active => false,
        // A request stands among the goals as well.
        Section::Next if continued(&point.text).is_some_and(asks) => false,
        Section::Open | Section::Next => !ends.close(&point.text, None),
        Section::Goals | Section::Timeline | Section::Context | Section::Files => true,
    }
}

/// The line of a statement of the span; `None` for an open point that was ended later.
fn stated(statement: &Statement, ends: &Ends) -> Option<Item> {
    let section = section(statement);
    let at = statement.last_excerpt();
    // Questions stand among the goals.
    let is_settled = section == Section::Open && ends.close(&statement.text, Some(at));
    if is_settled || statement.text.starts_with(template::ASKED) {
        return None;
    }
    let phrase = if statement.speaker == Speaker::Assistant {
        template::ASSISTANT
    } else {
        ""
    };
    let said = format!("{phrase}{}", statement.text);
    let text = if section == Section::Timeline {
        format!("{}: {said}", statement.said_on)
    } else {
        said
    };
    Some(Item {
        section,
        text,
        score: statement.score,
        order: (1, at),
    })
}

fn section(statement: &Statement) -> Section {
    let words = plain(&statement.text);
    let holds = |phrases: &[&str]| phrases.iter().any(|phrase| words.0.contains(phrase));
    let names_file = identifiers(&statement.text)
        .iter()
        .any(|identifier| matches!(identifier.kind, Kind::Path | Kind::Address));
    let is_open = !statement.is_finished;
    match statement.topic {
        Topic::Preference | Topic::Decision => Section::Context,
        Topic::Issue if is_open => Section::Open,
        Topic::Progress if is_open && (holds(PENDING) || holds(ANNOUNCING)) => Section::Open,
        Topic::Progress if holds(WISHES) && statement.speaker == Speaker::Owner => Section::Goals,
        Topic::Issue | Topic::Progress if names_file => Section::Files,
        Topic::Issue | Topic::Progress => Section::Timeline,
    }
}

/// What persons asked for: those requests that can be understood alone, the fullest of them.
fn goals(evidence: &Evidence) -> Vec<Item> {
    let n_skipped = evidence.questions.len().saturating_sub(REQUESTS_MAX);
    let mut seen = BTreeSet::new();
    let mut items = Vec::new();
    for question in evidence.questions.iter().skip(n_skipped) {
        let n_words = subject(&question.text).n_words();
        if n_words < REQUEST_WORDS_MIN || !seen.insert(question.text.as_str()) {
            continue;
        }
        let fullness = i32::try_from(n_words.min(REQUEST_WORDS_MAX)).unwrap_or(0);
        let signal = signal(&question.text, None, Speaker::Owner);
        items.push(Item {
            section: Section::Goals,
            text: question.text.clone(),
            score: fullness + signal.score / 2,
            order: (1, question.excerpt),
        });
    }
    items.sort_by_key(|item| Reverse((item.score, item.order)));
    items.truncate(GOALS_MAX);
    items
}

#[cfg(test)]
#[path = "summary_tests.rs"]
mod tests;
