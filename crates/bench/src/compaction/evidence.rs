//! Asks the questions of a chat after it was compacted: how much of what answers them is found.
//!
//! Searches as the program does, messages and notes together; looks at nothing else.

use std::collections::HashMap;

use agent::{Runtime, SessionSource};
use base::{Timestamp, Tz};
use memory::sync::{Corpus as Searched, sync};
use memory::{SearchOptions, search};
use session::{LineContent, Payload, SessionName};

use super::talk::AnsweredBy;
use crate::Result;
use crate::home::{bundled, empty_index};
use crate::retrieval::measure::measure;
use crate::retrieval::set::{Place, Question};

/// As many results as `bench retrieval` looks at.
const LIMIT: usize = 60;

/// The share of the messages that answer a question among the first ten results, for each question.
pub(super) fn found(
    runtime: &Runtime,
    name: &SessionName,
    questions: &[AnsweredBy],
) -> Result<Vec<f64>> {
    if questions.is_empty() {
        return Ok(Vec::new());
    }
    let (_directory, index) = empty_index(bundled())?;
    let sessions = SessionSource::new(runtime.sessions.clone(), Tz::UTC);
    let searched = Searched {
        workspace: &runtime.workspace,
        sessions: Some(&sessions),
    };
    sync(&index, &searched, Timestamp::MAX_UTC, &mut |_| ())?;
    let messages = messages(runtime, name)?;
    let length_of = |place: &Place| {
        let mut all = messages.values();
        all.find(|message| message.place == *place)
            .map_or(0, |message| message.n_chars)
    };
    let options = SearchOptions {
        limit: LIMIT,
        ..SearchOptions::default()
    };
    let share = |asked: &AnsweredBy| {
        let gold = asked.messages.iter().filter_map(|idx| messages.get(idx));
        let question = Question {
            text: asked.question.text.clone(),
            gold: gold.map(|message| (message.place.clone(), 1)).collect(),
            ..Question::default()
        };
        let answer = search(&index, &question.text, &options)?;
        Ok(measure(&answer.results, &question, &length_of).recall)
    };
    questions.iter().map(share).collect()
}

struct Stored {
    place: Place,
    n_chars: usize,
}

fn messages(runtime: &Runtime, name: &SessionName) -> Result<HashMap<u64, Stored>> {
    let path = SessionSource::path_of(name);
    let mut found = HashMap::new();
    let lines = runtime.sessions.lines(name);
    for line in lines? {
        let line = line?;
        let LineContent::Entry(entry) = line.content else {
            continue;
        };
        if let Payload::Message(stored) = entry.payload
            && let Some(source) = &stored.source
        {
            let number = usize::try_from(line.number).unwrap_or(usize::MAX);
            let stored = Stored {
                place: (path.clone(), number),
                n_chars: stored.message.text().chars().count(),
            };
            found.insert(source.index, stored);
        }
    }
    Ok(found)
}
