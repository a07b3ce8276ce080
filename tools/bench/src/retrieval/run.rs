//! Builds an index for each corpus, asks its questions and prints the figures.
//!
//! Uses the weights that the program uses.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use base::disk::MemoryDisk;
use base::{Disk, Embedder, Timestamp};
use search::{Corpus as Searched, Index, MessagesInMemory, SearchOptions, search, sync};

use super::measure::{RetrievalFigures, mean, measure};
use super::set::{BenchCorpus, GoldPlace, Set};
use super::{beam, beir, locomo, table};
use crate::Result;
use crate::called::timed;
use crate::home::{bundled, empty_index, workspace};

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// `LoCoMo`, as published
    #[arg(long, value_name = "FILE")]
    locomo: Option<PathBuf>,
    /// BEAM, one chat per line
    #[arg(long, value_name = "FILE")]
    beam: Option<PathBuf>,
    /// A folder in BEIR format
    #[arg(long, value_name = "DIR")]
    beir: Vec<PathBuf>,
    /// Print the share of questions that find nothing: each corpus's own, and the next corpus's
    #[arg(long)]
    strangers: bool,
    /// How many results to look at
    #[arg(long, value_name = "N", default_value_t = 60)]
    limit: usize,
}

#[derive(Debug)]
pub(crate) struct QuestionResult {
    pub(crate) kind: String,
    pub(crate) figures: RetrievalFigures,
    pub(crate) took: Duration,
    /// Whether the search found nothing.
    is_denied: bool,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<()> {
    for set in sets(arguments)? {
        let options = SearchOptions {
            limit: arguments.limit,
            source: Some(set.source),
            ..SearchOptions::default()
        };
        let asked = ask_all(&set, &homes(&set, None)?, &options)?;
        writeln!(out, "{}", table::line(set.name, "words", &asked))?;
        let homes = homes(&set, bundled().as_ref())?;
        let asked = ask_all(&set, &homes, &options)?;
        writeln!(
            out,
            "{}",
            table::line(set.name, "words and meaning", &asked)
        )?;
        if arguments.strangers {
            tell_denied(&set, &homes, &options, out)?;
        }
    }
    Ok(())
}

/// Prints the share of questions that find nothing, for each corpus's own questions and for those of the next corpus.
fn tell_denied(
    set: &Set,
    homes: &[BenchHome],
    options: &SearchOptions,
    out: &mut dyn Write,
) -> Result<()> {
    let denied = |asked: Vec<QuestionResult>| {
        let denied = asked.iter().map(|it| f64::from(u8::from(it.is_denied)));
        mean(denied)
    };
    let own = ask_all(set, homes, options)?;
    let next = homes.iter().zip(set.corpora.iter().cycle().skip(1));
    writeln!(
        out,
        "{:8} found nothing: own questions {:.3}, the next corpus's {:.3}",
        set.name,
        denied(own),
        denied(ask_each(next, options)?)
    )?;
    Ok(())
}

fn homes(set: &Set, embedder: Option<&Arc<dyn Embedder>>) -> Result<Vec<BenchHome>> {
    let corpora = set.corpora.iter();
    corpora
        .map(|corpus| BenchHome::new(corpus, embedder.cloned()))
        .collect()
}

fn sets(arguments: &Arguments) -> Result<Vec<Set>> {
    let mut sets = Vec::new();
    if let Some(path) = &arguments.locomo {
        sets.push(locomo::read(path)?);
    }
    if let Some(path) = &arguments.beam {
        sets.push(beam::read(path)?);
    }
    for folder in &arguments.beir {
        sets.push(beir::read(folder)?);
    }
    Ok(sets)
}

struct BenchHome {
    index: Index,
    _directory: tempfile::TempDir,
}

impl BenchHome {
    fn new(corpus: &BenchCorpus, embedder: Option<Arc<dyn Embedder>>) -> Result<Self> {
        let notes = MemoryDisk::new();
        notes.create_dir(Path::new("/w/memory"))?;
        for (path, text) in &corpus.notes {
            notes.append(&Path::new("/w").join(path), text.as_bytes())?;
        }
        let (directory, index) = empty_index(embedder)?;
        let sessions = MessagesInMemory {
            documents: corpus.documents.clone(),
        };
        let searched = Searched {
            notes: &workspace(Arc::new(notes)),
            sessions: Some(&sessions),
        };
        // With the latest possible `now`, every note counts as settled, because notes in memory do not change.
        sync(&index, &searched, Timestamp::MAX_UTC, &mut |_| ())?;
        Ok(Self {
            index,
            _directory: directory,
        })
    }
}

fn ask_all(set: &Set, homes: &[BenchHome], options: &SearchOptions) -> Result<Vec<QuestionResult>> {
    ask_each(homes.iter().zip(&set.corpora), options)
}

/// Asks the questions of each corpus in the home that is paired with it.
fn ask_each<'a>(
    pairs: impl Iterator<Item = (&'a BenchHome, &'a BenchCorpus)>,
    options: &SearchOptions,
) -> Result<Vec<QuestionResult>> {
    let mut asked = Vec::new();
    for (home, corpus) in pairs {
        asked.extend(ask(home, corpus, options)?);
    }
    Ok(asked)
}

fn ask(
    home: &BenchHome,
    corpus: &BenchCorpus,
    options: &SearchOptions,
) -> Result<Vec<QuestionResult>> {
    let lengths: HashMap<GoldPlace, usize> = corpus
        .documents
        .iter()
        .flat_map(|(path, messages)| {
            messages.iter().map(|message| {
                let place = (path.clone(), message.place.line);
                (place, message.text.chars().count())
            })
        })
        .collect();
    let mut asked = Vec::with_capacity(corpus.questions.len());
    for question in &corpus.questions {
        let (took, answer) = timed(|| search(&home.index, &question.text, options));
        let answer = answer?;
        let length_of = |place: &GoldPlace| lengths.get(place).copied().unwrap_or(0);
        asked.push(QuestionResult {
            kind: question.kind.clone(),
            figures: measure(&answer.results, question, &length_of),
            took,
            is_denied: answer.results.is_empty(),
        });
    }
    Ok(asked)
}
