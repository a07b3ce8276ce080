//! Tells which of some labelled sentences the offline engine notes; it learnt from none of them.
//!
//! Gives each sentence to the engine as a message of its own.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use base::model::Excerpt;
use base::{EntryId, Message, Origin, Timestamp, TokenCount, Tz};
use clap::Args;
use extract::{Class, Extract};

use crate::Result;
use crate::home::bundled;
use crate::labelled::{Labelled, labelled};

/// Room for the notes of one message.
const ROOM: TokenCount = TokenCount(2_000);

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The folder with one file of labelled sentences a language
    #[arg(long, default_value = "crates/bench/sets/facts")]
    sentences: PathBuf,
    /// Whether to list the sentences that are noted, or left out, against their label
    #[arg(long)]
    wrong: bool,
}

/// Notes each sentence by itself, and tells how many of each class and language were noted.
pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<()> {
    let engine = Extract::new(Tz::UTC, bundled());
    let sentences = labelled(&arguments.sentences)?;
    let rows: Vec<(&Labelled, bool)> = sentences
        .iter()
        .map(|it| (it, !engine.notes(&[said(&it.text)], ROOM).is_empty()))
        .collect();
    let mut counted: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
    for (sentence, is_noted) in &rows {
        for key in [
            ("language", sentence.language.as_str()),
            ("class", sentence.class.name()),
        ] {
            // Of a language the share that is right, of a class the share that is noted.
            let is_counted = if key.0 == "class" {
                *is_noted
            } else {
                *is_noted == sentence.class.is_noted()
            };
            let (n, all) = counted.entry(key).or_default();
            *n += usize::from(is_counted);
            *all += 1;
        }
    }
    for class in Class::ALL {
        if let Some((n, all)) = counted.get(&("class", class.name())) {
            writeln!(out, "{:10} noted {n:3} of {all:3}", class.name())?;
        }
    }
    for ((kind, language), (n, all)) in &counted {
        if *kind == "language" {
            writeln!(out, "{language:10} right {n:3} of {all:3}")?;
        }
    }
    for (sentence, is_noted) in rows {
        if arguments.wrong && is_noted != sentence.class.is_noted() {
            writeln!(
                out,
                "{} {}: {}",
                sentence.language,
                sentence.class.name(),
                sentence.text
            )?;
        }
    }
    Ok(())
}

fn said(text: &str) -> Excerpt {
    Excerpt {
        label: "e1".into(),
        entry: Some(EntryId::new("1")),
        at: Timestamp::UNIX_EPOCH,
        origin: Origin::Owner,
        message: Message::user(text),
        recalled: None,
    }
}
