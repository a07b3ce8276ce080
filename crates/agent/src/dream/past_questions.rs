//! Asks the owner's past questions again, with and without the lines that a dream may write.
//!
//! Bounded: a dream searches memory once for each of the newest questions, and then only an index in memory that holds
//! what these searches found. Sends nothing to a model, and writes nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use base::disk::MemoryDisk;
use base::{Day, HomeLayout, Origin, SourceError, Timestamp, TokenCount, locked};
use chrono::TimeDelta;
use dreaming::{EARNING_DAYS, Earned, Material, Operation, TriedLine, TriedQuestion};
use memory::curated::memory_lines;
use memory::{MemoryText, Workspace, sources_at};
use search::{
    Corpus, Index, IndexError, MessagesInMemory, Nearest, ResumePlace, SearchOptions, SearchResult,
    SourceMessage, search, sync,
};

use super::conversations::SessionConversations;
use crate::knowledge::worth::{IN_CHAT, worth_showing};
use crate::runtime::{HomeAccess, Runtime};
use crate::turn::recall::{FOUND_MAX, budget};

/// Maximum number of questions that a dream asks again, the newest.
const QUESTIONS_MAX: usize = 40;

/// Where the passages found and the lines are in the index.
const FOUND: &str = "found/";
const LINE: &str = "line/";

/// The past questions, and everything that they find; nothing by default.
#[derive(Debug, Default)]
pub(super) struct PastQuestions {
    questions: Vec<PastQuestion>,
    found: MessagesInMemory,
    today: Option<Day>,
    now: Timestamp,
    /// As for a message in a chat.
    budget: TokenCount,
    /// Holds `found`, and the lines that were tried last; `None` without questions.
    index: Option<Mutex<Index>>,
}

#[derive(Debug)]
struct PastQuestion {
    text: String,
    /// The places and ids of what it shows without the lines.
    shown: BTreeSet<String>,
}

impl PastQuestions {
    /// The owner's newest questions.
    pub(super) fn newest(
        conversations: &SessionConversations,
        home: &HomeAccess,
    ) -> Result<Vec<String>, SourceError> {
        let since = home.clock.now() - TimeDelta::days(EARNING_DAYS);
        conversations.questions(since, QUESTIONS_MAX)
    }

    /// Searches memory for each question.
    pub(super) fn ask(runtime: &Runtime, questions: Vec<String>) -> Result<Self, IndexError> {
        let Some(knowledge) = runtime
            .memory
            .knowledge
            .as_ref()
            .filter(|_| !questions.is_empty())
        else {
            return Ok(Self::default());
        };
        let workspace = &runtime.home.workspace;
        let memory = workspace.memory_path();
        let mut found: BTreeMap<(String, String), SearchResult> = BTreeMap::new();
        for question in &questions {
            let answer = knowledge.search(question, &options(None), &mut |_| {})?;
            // The lines of `MEMORY.md` are tried beside the proposals.
            let others = answer.results.into_iter();
            let others = others.filter(|own| own.path != memory.as_str() && !own.is_untrue);
            for own in others {
                found.insert((own.place().to_string(), own.text.clone()), own);
            }
        }
        let found: Vec<SearchResult> = found.into_values().collect();
        let sources: Vec<BTreeSet<String>> = found
            .iter()
            .map(|own| sources_at(workspace, &own.place()))
            .collect();
        let index = knowledge.equipped(Index::in_memory()?);
        let mut asked = Self {
            found: MessagesInMemory {
                documents: found.into_iter().enumerate().map(document).collect(),
            },
            today: Some(runtime.home.today()),
            now: runtime.home.clock.now(),
            budget: budget(runtime),
            ..Self::default()
        };
        asked.take_in(&index, &asked.found)?;
        for text in questions {
            let shown = asked.shown(&index, &text)?;
            let shown = numbers(&shown, FOUND).filter_map(|number| sources.get(number));
            let shown = shown.flatten().cloned().collect();
            asked.questions.push(PastQuestion { text, shown });
        }
        asked.index = Some(Mutex::new(index));
        Ok(asked)
    }

    /// Asks the questions again with these lines beside what they find.
    pub(super) fn with_lines(&self, lines: &[TriedLine]) -> Result<Earned, IndexError> {
        let Some(index) = &self.index else {
            return Ok(Earned::default());
        };
        let index = locked(index);
        let mut beside = self.found.clone();
        let of_lines = lines.iter().enumerate().map(|(number, line)| {
            let message = message(line.text.clone(), Origin::Owner, None);
            (format!("{LINE}{number}"), vec![message])
        });
        beside.documents.extend(of_lines);
        self.take_in(&index, &beside)?;
        let mut answers = Vec::new();
        for question in &self.questions {
            let shown = self.shown(&index, &question.text)?;
            answers.push(TriedQuestion {
                shown: question.shown.clone(),
                lines: numbers(&shown, LINE).collect(),
            });
        }
        Ok(Earned::of(lines, &answers))
    }

    /// Replaces what the index holds.
    fn take_in(&self, index: &Index, texts: &MessagesInMemory) -> Result<(), IndexError> {
        // A home without files.
        let notes = Workspace::new(Arc::new(MemoryDisk::new()), HomeLayout::new("/"));
        let corpus = Corpus {
            notes: &notes,
            sessions: Some(texts),
        };
        sync(index, &corpus, self.now, &mut |_| {}).map(drop)
    }

    /// What a question shows, as recall in a chat does.
    fn shown(&self, index: &Index, question: &str) -> Result<Vec<SearchResult>, IndexError> {
        let found = search(index, question, &options(self.today))?.results;
        Ok(worth_showing(&found, IN_CHAT, self.budget, &|_| false))
    }
}

/// The options with which recall searches.
fn options(today: Option<Day>) -> SearchOptions {
    SearchOptions {
        limit: FOUND_MAX,
        today,
        is_message: true,
        nearest: Nearest::Always,
        ..SearchOptions::default()
    }
}

/// The numbers of the documents below a path that were found.
fn numbers(found: &[SearchResult], below: &'static str) -> impl Iterator<Item = usize> {
    let numbers = found
        .iter()
        .filter_map(move |own| own.path.strip_prefix(below));
    numbers.filter_map(|number| number.parse().ok())
}

/// A passage, as a document of its own.
fn document((number, own): (usize, SearchResult)) -> (String, Vec<SourceMessage>) {
    let message = SourceMessage {
        speaker: own.speaker.unwrap_or_else(|| "user".to_owned()),
        ..message(own.text, own.origin, own.day)
    };
    (format!("{FOUND}{number}"), vec![message])
}

fn message(text: String, origin: Origin, day: Option<Day>) -> SourceMessage {
    SourceMessage {
        place: ResumePlace { line: 1, offset: 0 },
        speaker: "user".to_owned(),
        text,
        day,
        origin,
    }
}

/// The proposals, each with the places and ids of what it cites.
pub(super) fn tried_operations(material: &Material, operations: &[Operation]) -> Vec<TriedLine> {
    let tried = operations.iter().map(|own| {
        let items = material.items.iter();
        let items = items.filter(|item| own.evidence.contains(&item.label));
        let sources = items.flat_map(|item| &item.sources);
        let sources = sources.map(|own| (own.path.as_str(), own.line, own.key.as_str()));
        line_tried(&own.text, sources)
    });
    tried.collect()
}

/// The lines of memory, each with the places and ids of its evidence.
pub(super) fn tried_lines(memory: &MemoryText) -> Vec<TriedLine> {
    let lines = memory_lines(memory).into_iter();
    let tried = lines.map(|line| {
        let evidence = line.evidence().iter();
        let sources = evidence.map(|own| (own.path.as_str(), own.line, own.key.as_str()));
        line_tried(&line.text, sources)
    });
    tried.collect()
}

fn line_tried<'s>(
    text: &str,
    sources: impl Iterator<Item = (&'s str, usize, &'s str)>,
) -> TriedLine {
    let names = sources.flat_map(|(path, line, key)| [format!("{path}:{line}"), key.to_owned()]);
    TriedLine {
        text: text.to_owned(),
        sources: names.collect(),
    }
}

#[cfg(test)]
#[path = "past_questions_tests.rs"]
mod tests;
