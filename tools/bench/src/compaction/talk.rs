//! The input of a replay: a session given by path, or a chat of an evaluation set with its questions.
//!
//! Converts the chats of a set on a disk in memory; never copies a set.

use std::path::Path;
use std::sync::Arc;

use base::disk::{MemoryDisk, OsDisk};
use base::{Disk, Message, Timestamp, Tz};
use import::{Recording, line_of};

use crate::Result;
use crate::retrieval::beam::{self, FIRST_LINE};
use crate::retrieval::set::{BenchCorpus, SetQuestion};

pub(super) struct BenchTalk {
    /// The name to use in messages.
    pub(super) name: String,
    pub(super) recording: Recording,
    pub(super) questions: Vec<AnsweredBy>,
}

/// A question, and the indexes in the recording of the messages that answer it.
pub(super) struct AnsweredBy {
    pub(super) question: SetQuestion,
    pub(super) messages: Vec<u64>,
}

impl BenchTalk {
    pub(super) fn at(path: &Path) -> Result<Self> {
        Ok(Self {
            name: path.display().to_string(),
            recording: Recording::open(Arc::new(OsDisk), path)?,
            questions: Vec::new(),
        })
    }

    pub(super) fn of_beam(path: &Path) -> Result<Vec<Self>> {
        let set = beam::read(path)?;
        let chats = set.corpora.into_iter().enumerate();
        chats
            .map(|(number, corpus)| Self::of(&format!("chat {number}"), corpus))
            .collect()
    }

    fn of(name: &str, corpus: BenchCorpus) -> Result<Self> {
        let disk = MemoryDisk::new();
        let path = Path::new("/talk/chat.jsonl");
        let mut text = String::new();
        for said in corpus.documents.iter().flat_map(|(_, said)| said) {
            let at = said
                .day
                .map_or(Timestamp::default(), |day| day.noon(Tz::UTC));
            let message = if said.speaker == "user" {
                Message::user(said.text.clone())
            } else {
                Message::assistant(said.text.clone())
            };
            let line = line_of(&message, at, said.origin);
            text.push_str(&line?);
        }
        disk.create_dir(Path::new("/talk"))
            .and_then(|()| disk.append(path, text.as_bytes()))?;
        let questions = corpus.questions.into_iter().map(|question| {
            let places = question.gold.iter();
            let places = places.filter_map(|((_, line), _)| line.checked_sub(FIRST_LINE));
            let messages = places.filter_map(|idx| u64::try_from(idx).ok()).collect();
            AnsweredBy { question, messages }
        });
        Ok(Self {
            name: name.to_owned(),
            questions: questions.collect(),
            recording: Recording::open(Arc::new(disk), path)?,
        })
    }
}
