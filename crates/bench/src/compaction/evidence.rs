//! Asks the questions of a chat after it was compacted: how much of what answers them is found.
//!
//! Searches as the program does, messages and notes together; looks at nothing else.

use std::collections::HashMap;
use std::sync::Arc;

use agent::{Runtime, SessionSource};
use base::disk::OsDisk;
use base::{Embedder, Timestamp, Tz};
use memory::sync::{Corpus as Searched, sync};
use memory::{CommonWords, Index, SearchOptions, search};
use models::BundledEmbedder;
use session::{LineContent, Payload, SessionName};

use super::run::CompactionError;
use super::talk::AnsweredBy;
use crate::retrieval::measure::measure;
use crate::retrieval::set::{Place, Question};

/// As many results as `bench retrieval` looks at.
const LIMIT: usize = 60;

/// The share of the messages that answer a question among the first ten results, for each question.
pub(super) fn found(
    runtime: &Runtime,
    name: &SessionName,
    questions: &[AnsweredBy],
) -> Result<Vec<f64>, CompactionError> {
    if questions.is_empty() {
        return Ok(Vec::new());
    }
    let directory = tempfile::tempdir()?;
    let index = Index::open(Arc::new(OsDisk), &directory.path().join("index"))?;
    let embedder = BundledEmbedder::new().map(|it| Arc::new(it) as Arc<dyn Embedder>);
    let index = index.with_embedder(embedder);
    let index = index.with_common_words(CommonWords(extract::common_words));
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

/// Where a message of the recording stands in the transcript.
struct Stored {
    place: Place,
    n_chars: usize,
}

fn messages(
    runtime: &Runtime,
    name: &SessionName,
) -> Result<HashMap<u64, Stored>, CompactionError> {
    let path = SessionSource::path_of(name);
    let mut found = HashMap::new();
    let lines = runtime.sessions.lines(name);
    for line in lines.map_err(CompactionError::failed)? {
        let line = line.map_err(CompactionError::failed)?;
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
