//! Writes flush notes: the clauses worth keeping, under the sections of a daily log.
//!
//! Asks no model and adds no word; says so when there is nothing to keep.

mod listing;

use std::collections::BTreeSet;

use base::model::Excerpt;
use base::{FLUSH_NOTES_MAX, FLUSH_SECTIONS, NOTHING_TO_FLUSH, TokenCount};

use super::evidence::Evidence;
use super::identifier::figures;
use super::mention::Mention;
use super::rank::{Room, distinct};
use super::signal::{Speaker, Topic};
use super::statement::Statement;
use super::template;
use listing::{listed, lists};

/// The part of the room that identifiers may take which no note shows.
const MENTIONS_PERCENT: u64 = 15;

/// The part of the room that identifiers may take which an assistant mentioned once.
const PASSING_PERCENT: u64 = 6;

/// The part that they may take besides when the notes leave it.
const SPARE_PERCENT: u64 = 35;

/// A note under its section.
struct Note {
    section: usize,
    text: String,
    excerpts: Vec<usize>,
    /// Its place within the first of its excerpts.
    position: usize,
}

/// The whole reply of a flush.
pub(super) fn notes(evidence: &Evidence, excerpts: &[Excerpt], output_max: TokenCount) -> String {
    let for_mentions = output_max.percent(MENTIONS_PERCENT);
    let mut page = Page {
        excerpts,
        room: Room::new(output_max.saturating_sub(for_mentions)),
        notes: Vec::new(),
    };
    page.add_open_question(evidence);
    page.add_statements(distinct(evidence.statements.clone()));
    let place = |note: &Note| (note.section, note.excerpts.first().copied(), note.position);
    page.notes.sort_by_key(place);
    let spare = page.room.left().0.min(output_max.percent(SPARE_PERCENT).0);
    page.room = Room::new(for_mentions + TokenCount(spare));
    page.add_mentions(&evidence.mentions, output_max.percent(PASSING_PERCENT));
    page.rendered()
}

/// The section of a topic.
fn section(topic: Topic) -> usize {
    match topic {
        Topic::Progress => 0,
        Topic::Decision => 1,
        Topic::Issue => 2,
        Topic::Preference => 3,
    }
}

struct Page<'a> {
    excerpts: &'a [Excerpt],
    room: Room,
    notes: Vec<Note>,
}

impl Page<'_> {
    fn add_open_question(&mut self, evidence: &Evidence) {
        if let Some(question) = evidence.open_question() {
            let text = format!("{}{}", template::STILL_OPEN, question.text);
            self.add(Note {
                section: section(Topic::Issue),
                text,
                excerpts: vec![question.excerpt],
                position: usize::MAX,
            });
        }
    }

    /// First what shows something new, best first; what only repeats identifiers takes the room left.
    fn add_statements(&mut self, statements: Vec<Statement>) {
        let mut shown: BTreeSet<String> = BTreeSet::new();
        let mut repeating = Vec::new();
        for statement in statements {
            let own: Vec<String> = figures(&statement.text)
                .into_iter()
                .map(str::to_owned)
                .collect();
            if !own.is_empty() && own.iter().all(|identifier| shown.contains(identifier)) {
                repeating.push(statement);
            } else if self.add_statement(&statement) {
                shown.extend(own);
            }
        }
        for statement in repeating {
            self.add_statement(&statement);
        }
    }

    fn add_statement(&mut self, statement: &Statement) -> bool {
        let phrase = if statement.speaker == Speaker::Assistant {
            template::ASSISTANT
        } else {
            ""
        };
        let text = format!("{phrase}{}", statement.text);
        self.add(Note {
            section: section(statement.topic),
            text,
            excerpts: statement.excerpts.clone(),
            position: statement.position,
        })
    }

    /// Lists the identifiers that no note shows, under the first section, by the place where they stand.
    fn add_mentions(&mut self, mentions: &[Mention], for_passing: TokenCount) {
        let lines: Vec<&str> = self.notes.iter().map(|note| note.text.as_str()).collect();
        let listed = listed(mentions, &lines, self.room, for_passing);
        for list in lists(listed) {
            let mut names = list.names;
            while !names.is_empty() {
                let text = format!(
                    "{}{}",
                    template::ALSO_MENTIONED,
                    names.join(template::LIST_SEPARATOR)
                );
                if self.add(Note {
                    section: section(Topic::Progress),
                    text,
                    excerpts: list.excerpts.clone(),
                    position: usize::MAX,
                }) {
                    break;
                }
                names.pop();
            }
        }
    }

    /// Adds a note if there is room for it and for its section's heading.
    fn add(&mut self, note: Note) -> bool {
        let heading = FLUSH_SECTIONS
            .get(note.section)
            .copied()
            .unwrap_or_default();
        let is_new = !self.notes.iter().any(|other| other.section == note.section);
        let line = self.bullet(&note.text, &note.excerpts);
        let line = if is_new {
            format!("## {heading}\n\n{line}\n")
        } else {
            line
        };
        let is_added = self.notes.len() < FLUSH_NOTES_MAX && self.room.take(&line);
        if is_added {
            self.notes.push(note);
        }
        is_added
    }

    fn bullet(&self, text: &str, excerpts: &[usize]) -> String {
        let cited = excerpts
            .iter()
            .filter_map(|index| self.excerpts.get(*index));
        let labels: Vec<&str> = cited.map(|excerpt| excerpt.label.as_str()).collect();
        format!("- {text} [{}]", labels.join(", "))
    }

    fn rendered(&self) -> String {
        if self.notes.is_empty() {
            return NOTHING_TO_FLUSH.to_owned();
        }
        let mut sections = Vec::new();
        for (number, heading) in FLUSH_SECTIONS.iter().enumerate() {
            let own = self.notes.iter().filter(|note| note.section == number);
            let bullets: Vec<String> = own
                .map(|note| self.bullet(&note.text, &note.excerpts))
                .collect();
            if !bullets.is_empty() {
                sections.push(format!("## {heading}\n\n{}\n", bullets.join("\n")));
            }
        }
        sections.join("\n")
    }
}

#[cfg(test)]
#[path = "notes_tests.rs"]
mod tests;
