//! Measures which labelled sentences the offline engine notes. The sentences are held out from its training.
//!
//! Passes each sentence to the engine as a separate message.

use std::io::Write;
use std::path::PathBuf;

use base::model::Excerpt;
use base::{EntryId, Message, Origin, Timestamp, TokenCount, Tz};
use clap::Args;
use extract::{Class, Extract};

use crate::Result;
use crate::home::bundled;
use crate::labelled::{Labelled, labelled};

/// The budget for the notes of one message.
const ROOM: TokenCount = TokenCount(2_000);

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The folder with one file of labelled sentences per language
    #[arg(long, default_value = "tools/bench/sets/facts")]
    sentences: PathBuf,
    /// List the sentences that are noted or left out contrary to their label
    #[arg(long)]
    wrong: bool,
}

/// Runs the engine on each sentence, and prints the results by class and by language.
pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<()> {
    let engine = Extract::new(Tz::UTC, bundled());
    let sentences = labelled(&arguments.sentences)?;
    let rows: Vec<(&Labelled, bool)> = sentences
        .iter()
        .map(|it| (it, !engine.notes(&[said(&it.text)], ROOM).is_empty()))
        .collect();
    for class in Class::ALL {
        let own = rows.iter().filter(|(it, _)| it.class == *class);
        let (n_own, n) = (own.clone().count(), own.filter(|row| row.1).count());
        if n_own > 0 {
            writeln!(out, "{:10} noted {n:3} of {n_own:3}", class.name())?;
        }
    }
    for own in rows.chunk_by(|left, right| left.0.language == right.0.language) {
        let is_right = |(it, is_noted): &&(&Labelled, bool)| *is_noted == it.class.is_noted();
        let n = own.iter().filter(is_right).count();
        let language = own.first().map_or("", |(it, _)| it.language.as_str());
        writeln!(out, "{language:10} right {n:3} of {:3}", own.len())?;
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
