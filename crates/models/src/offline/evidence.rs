//! Reads all excerpts of a request: what they state, ask and mention.
//!
//! Decides nothing about sections or room.

use std::collections::{BTreeMap, BTreeSet};

use base::model::Excerpt;
use base::{Message, Origin, Tz, day};

use super::identifier::{Kind, identifiers};
use super::sentence::fold;
use super::statement::{Statement, Taken, take};

/// The most identifiers that are ranked.
const MENTIONS_MAX: usize = 200;

/// Longer ones are data, not names.
const MENTION_CHARS_MAX: usize = 160;

/// What the excerpts of a request hold.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    /// What was stated, in order.
    pub(super) statements: Vec<Statement>,
    /// What persons asked, in order.
    pub(super) questions: Vec<Question>,
    /// The identifiers that matter, best first.
    pub(super) mentions: Vec<Mention>,
    /// What the last message of a person says, sentence by sentence, and where it stands.
    pub(super) last_request: Option<(usize, Vec<String>)>,
    /// The sentences of the last reply in prose, and where it stands.
    pub(super) last_reply: Option<(usize, Vec<String>)>,
    /// The names of the tools that the last calls asked for, in order.
    pub(super) last_tools: Vec<String>,
    /// The text of the earlier summary.
    pub(super) earlier: String,
}

/// A question or request of a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Question {
    /// What was asked.
    pub(super) text: String,
    /// The excerpt in which it was asked.
    pub(super) excerpt: usize,
}

/// An identifier and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mention {
    /// The identifier to the letter.
    pub(super) text: String,
    /// The first excerpt that holds it.
    pub(super) excerpt: usize,
    /// Whether a person wrote it or two messages hold it.
    pub(super) is_notable: bool,
}

/// Reads the excerpts; `timezone` is the one in which their days are told.
pub(super) fn read(excerpts: &[Excerpt], timezone: Tz) -> Evidence {
    let mut evidence = Evidence::default();
    let mut tallies = Tallies::default();
    for (index, excerpt) in excerpts.iter().enumerate() {
        if excerpt.entry.is_none() {
            evidence.earlier.push_str(&excerpt.message.text());
            evidence.earlier.push('\n');
        } else if excerpt.origin == Origin::System {
            // What the program said is no evidence; a question before it is answered all the same.
            if matches!(excerpt.message, Message::Assistant(_)) {
                evidence.last_reply = Some((index, Vec::new()));
            }
        } else {
            let taken = take(excerpt, index, day(excerpt.at, timezone));
            tallies.count(excerpt, index, &taken.prose);
            evidence.add(&excerpt.message, index, taken);
        }
    }
    evidence.mentions = tallies.ranked();
    evidence
}

impl Evidence {
    fn add(&mut self, message: &Message, index: usize, taken: Taken) {
        let asked = taken.questions.into_iter().map(|text| Question {
            text,
            excerpt: index,
        });
        self.questions.extend(asked);
        self.statements.extend(taken.statements);
        match message {
            Message::User { .. } => {
                if !taken.prose.is_empty() {
                    self.last_request = Some((index, taken.prose));
                }
                self.last_tools.clear();
            }
            Message::Assistant(_) => {
                let tools: Vec<String> =
                    message.tool_calls().map(|call| fold(&call.name)).collect();
                if !tools.is_empty() {
                    self.last_tools = tools;
                }
                if !taken.prose.is_empty() {
                    self.last_reply = Some((index, taken.prose));
                }
            }
            Message::ToolResult(_) => {}
        }
    }

    /// The last question, while no reply has followed it.
    pub(super) fn open_question(&self) -> Option<&Question> {
        let question = self.questions.last()?;
        let (asked_in, _) = self.last_request.as_ref()?;
        let replied_in = self.last_reply.as_ref().map_or(0, |(index, _)| *index);
        (question.excerpt == *asked_in && replied_in <= *asked_in).then_some(question)
    }
}

#[derive(Debug, Default)]
struct Tallies {
    by_text: BTreeMap<String, Tally>,
}

#[derive(Debug, Default)]
struct Tally {
    first_excerpt: Option<usize>,
    n_messages: usize,
    is_persons: bool,
    is_in_persons_prose: bool,
    is_exact: bool,
}

impl Tallies {
    fn count(&mut self, excerpt: &Excerpt, index: usize, prose: &[String]) {
        let is_person = matches!(excerpt.message, Message::User { .. });
        let text = excerpt.message.text();
        let mut seen: BTreeMap<&str, Kind> = BTreeMap::new();
        for identifier in identifiers(&text) {
            let is_short = identifier.text.len() <= MENTION_CHARS_MAX;
            if identifier.kind != Kind::Number && is_short {
                seen.entry(identifier.text).or_insert(identifier.kind);
            }
        }
        let spoken: BTreeSet<&str> = if is_person {
            prose
                .iter()
                .flat_map(|sentence| identifiers(sentence))
                .map(|found| found.text)
                .collect()
        } else {
            BTreeSet::new()
        };
        for (text, kind) in seen {
            let tally = self.by_text.entry(fold(text)).or_default();
            tally.n_messages += 1;
            tally.is_persons |= is_person;
            tally.is_in_persons_prose |= spoken.contains(text);
            tally.is_exact |= kind.is_exact();
            tally.first_excerpt.get_or_insert(index);
        }
    }

    /// Exact ones and names from a person's words; what a person said comes first, what an assistant said once last.
    fn ranked(self) -> Vec<Mention> {
        let mut kept: Vec<(String, Tally)> = self
            .by_text
            .into_iter()
            .filter(|(text, tally)| {
                !text.is_empty() && (tally.is_exact || tally.is_in_persons_prose)
            })
            .collect();
        kept.sort_by_key(|(_, tally)| {
            let worth = (
                tally.is_in_persons_prose,
                tally.is_persons,
                tally.n_messages,
            );
            (std::cmp::Reverse(worth), tally.first_excerpt)
        });
        kept.truncate(MENTIONS_MAX);
        let mentions = kept.into_iter().filter_map(|(text, tally)| {
            let is_notable = tally.is_persons || tally.n_messages > 1;
            tally.first_excerpt.map(|excerpt| Mention {
                text,
                excerpt,
                is_notable,
            })
        });
        mentions.collect()
    }
}
