//! Searches for the answers to a chat's questions after its compaction.
//!
//! Searches messages and notes together, as the program does.

use std::collections::HashMap;

use agent::{Runtime, SessionSource};
use base::{Timestamp, Tz};
use search::{Corpus as Searched, SearchOptions, search, sync};
use session::{LineContent, Payload, SessionName};

use super::talk::AnsweredBy;
use crate::Result;
use crate::home::{bundled, empty_index};
use crate::retrieval::measure::measure;
use crate::retrieval::set::{GoldPlace, SetQuestion};

/// The number of search results, as in `bench retrieval`.
const LIMIT: usize = 60;

/// For each question, the share of its answering messages among the first ten results.
pub(super) fn found(
    runtime: &Runtime,
    name: &SessionName,
    questions: &[AnsweredBy],
) -> Result<Vec<f64>> {
    if questions.is_empty() {
        return Ok(Vec::new());
    }
    let (_directory, index) = empty_index(bundled())?;
    let sessions = SessionSource::new(runtime.home.sessions.clone(), Tz::UTC);
    let searched = Searched {
        notes: &*runtime.home.workspace,
        sessions: Some(&sessions),
    };
    sync(&index, &searched, Timestamp::MAX_UTC, &mut |_| ())?;
    let messages = messages(runtime, name)?;
    let length_of = |place: &GoldPlace| {
        let mut all = messages.values();
        all.find(|(of, _)| of == place).map_or(0, |found| found.1)
    };
    let options = SearchOptions {
        limit: LIMIT,
        ..SearchOptions::default()
    };
    let share = |asked: &AnsweredBy| {
        let gold = asked.messages.iter().filter_map(|idx| messages.get(idx));
        let question = SetQuestion {
            text: asked.question.text.clone(),
            gold: gold.map(|(place, _)| (place.clone(), 1)).collect(),
            ..SetQuestion::default()
        };
        let answer = search(&index, &question.text, &options)?;
        Ok(measure(&answer.results, &question, &length_of).recall)
    };
    questions.iter().map(share).collect()
}

/// The place of each message of the recording, and its length in characters.
fn messages(runtime: &Runtime, name: &SessionName) -> Result<HashMap<u64, (GoldPlace, usize)>> {
    let path = SessionSource::path_of(name);
    let mut found = HashMap::new();
    for line in runtime.home.sessions.lines(name)? {
        let line = line?;
        if let LineContent::Entry(entry) = line.content
            && let Payload::Message(stored) = entry.payload
            && let Some(source) = &stored.source
        {
            let number = usize::try_from(line.number).unwrap_or(usize::MAX);
            let n_chars = stored.message.text().chars().count();
            found.insert(source.index, ((path.clone(), number), n_chars));
        }
    }
    Ok(found)
}
