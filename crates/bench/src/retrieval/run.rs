//! Lays sets out as a home each, asks their questions and tells the figures.
//!
//! Chooses no weight: it measures those of the program.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use base::disk::{DiskError, MemoryDisk, OsDisk};
use base::{Clock, Disk, Embedder, SystemClock, Timestamp};
use memory::search::{WEIGHTS, Weights};
use memory::sync::{Corpus as Searched, sync};
use memory::{CommonWords, Index, IndexError, MessagesInMemory, SearchOptions, Workspace, search};

use models::BundledEmbedder;

use super::folds::tell_folds;
use super::measure::{Figures, mean, measure};
use super::paired::{Earlier, keep};
use super::set::{Corpus, Place, Set, SetError};
use super::{beam, beir, locomo, table};

/// Arguments of `bench retrieval`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// `LoCoMo`, as published
    #[arg(long, value_name = "FILE")]
    locomo: Option<PathBuf>,
    /// BEAM, one chat a line
    #[arg(long, value_name = "FILE")]
    beam: Option<PathBuf>,
    /// A folder in the form of BEIR
    #[arg(long, value_name = "DIR")]
    beir: Vec<PathBuf>,
    /// Score the ranking without each kind of evidence too
    #[arg(long)]
    parts: bool,
    /// Choose weights on all parts of a set but one, and measure them on that one; so many parts
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..=100))]
    folds: Option<u64>,
    /// Keep the figures of each question in this file
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
    /// Tell what each question won or lost against figures that were kept
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// Tell how many questions are told that nothing is known: of each body of text, and of the next one
    #[arg(long)]
    strangers: bool,
    /// Look at so many results
    #[arg(long, value_name = "N", default_value_t = 60)]
    limit: usize,
}

/// A question that was asked.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) kind: String,
    pub(crate) figures: Figures,
    pub(crate) took: Duration,
    /// Whether it was told that nothing is known.
    is_denied: bool,
}

/// A measurement failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RetrievalError {
    /// A set cannot be read.
    #[error(transparent)]
    Set(#[from] SetError),
    /// The index failed.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// A file or stream failed.
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// Runs `bench retrieval`.
pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<(), RetrievalError> {
    let earlier = arguments.against.as_deref();
    let earlier = earlier.map(Earlier::read).transpose()?;
    for set in sets(arguments)? {
        for compared in [Compared::Words, Compared::WordsAndMeaning] {
            let mut asked = Vec::new();
            for corpus in &set.corpora {
                let home = Home::new(corpus, compared)?;
                asked.extend(ask(&home, corpus, &options(&set, arguments.limit))?);
            }
            writeln!(out, "{}", table::line(set.name, compared.as_str(), &asked))?;
            if compared == Compared::WordsAndMeaning {
                if let Some(path) = &arguments.keep {
                    keep(path, set.name, &asked)?;
                }
                if let Some(earlier) = &earlier {
                    earlier.tell(set.name, &asked, out)?;
                }
            }
        }
        if arguments.strangers {
            tell_denied(&set, &homes(&set)?, arguments.limit, out)?;
        }
        if arguments.parts {
            tell_parts(&set, &homes(&set)?, arguments.limit, out)?;
        }
        if let Some(n_parts) = arguments
            .folds
            .and_then(|n_parts| usize::try_from(n_parts).ok())
        {
            let options = options(&set, arguments.limit);
            tell_folds(&set, &homes(&set)?, (options, n_parts), out)?;
        }
    }
    Ok(())
}

/// What each kind of evidence is worth: the figures without it.
fn tell_parts(
    set: &Set,
    homes: &[Home],
    limit: usize,
    out: &mut dyn Write,
) -> Result<(), RetrievalError> {
    for weight in WEIGHTS {
        let mut asked = Vec::new();
        for (home, corpus) in homes.iter().zip(&set.corpora) {
            let options = SearchOptions {
                weights: Weights::default().scaled(weight.evidence, 0.0),
                ..options(set, limit)
            };
            asked.extend(ask(home, corpus, &options)?);
        }
        let ranking = format!("without {}", weight.evidence.as_str());
        writeln!(out, "{}", table::line(set.name, &ranking, &asked))?;
    }
    Ok(())
}

/// How many questions are told that nothing is known, those of each corpus and those of the next one.
fn tell_denied(
    set: &Set,
    homes: &[Home],
    limit: usize,
    out: &mut dyn Write,
) -> Result<(), RetrievalError> {
    let (mut own, mut strange) = (Vec::new(), Vec::new());
    for (idx, home) in homes.iter().enumerate() {
        let next = (idx + 1) % homes.len();
        for (asked_of, denied) in [(idx, &mut own), (next, &mut strange)] {
            if let Some(corpus) = set.corpora.get(asked_of) {
                denied.extend(ask(home, corpus, &options(set, limit))?);
            }
        }
    }
    let denied = |asked: &[Asked]| {
        let denied = asked.iter().map(|it| f64::from(u8::from(it.is_denied)));
        mean(denied)
    };
    writeln!(
        out,
        "{:8} told that nothing is known: own questions {:.3}, those of the next body of text {:.3}",
        set.name,
        denied(&own),
        denied(&strange)
    )?;
    Ok(())
}

fn homes(set: &Set) -> Result<Vec<Home>, RetrievalError> {
    let corpora = set.corpora.iter();
    corpora
        .map(|corpus| Home::new(corpus, Compared::WordsAndMeaning))
        .collect()
}

fn options(set: &Set, limit: usize) -> SearchOptions {
    SearchOptions {
        limit,
        source: Some(set.source),
        ..SearchOptions::default()
    }
}

fn sets(arguments: &Arguments) -> Result<Vec<Set>, SetError> {
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

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Compared {
    Words,
    WordsAndMeaning,
}

impl Compared {
    fn as_str(self) -> &'static str {
        match self {
            Self::Words => "words",
            Self::WordsAndMeaning => "words and meaning",
        }
    }

    fn embedder(self) -> Option<Arc<dyn Embedder>> {
        match self {
            Self::Words => None,
            Self::WordsAndMeaning => Some(Arc::new(BundledEmbedder::new()?)),
        }
    }
}

/// A corpus with its index.
pub(super) struct Home {
    index: Index,
    _directory: tempfile::TempDir,
}

impl Home {
    fn new(corpus: &Corpus, compared: Compared) -> Result<Self, RetrievalError> {
        let directory = tempfile::tempdir()?;
        let notes = MemoryDisk::new();
        notes.create_dir(Path::new("/w/memory"))?;
        for (path, text) in &corpus.notes {
            notes.append(&Path::new("/w").join(path), text.as_bytes())?;
        }
        let disk: Arc<dyn Disk> = Arc::new(notes);
        let workspace = Workspace::new(disk, "/w".into(), "/locks".into(), "/quarantine".into());
        let index = Index::open(Arc::new(OsDisk), &directory.path().join("index"))?;
        let index = index.with_embedder(compared.embedder());
        let index = index.with_common_words(CommonWords(extract::common_words));
        let sessions = MessagesInMemory {
            documents: corpus.documents.clone(),
        };
        let searched = Searched {
            workspace: &workspace,
            sessions: Some(&sessions),
        };
        // The notes are in memory; no instant is too early for them to have settled.
        sync(&index, &searched, Timestamp::MAX_UTC, &mut |_| ())?;
        Ok(Self {
            index,
            _directory: directory,
        })
    }
}

pub(super) fn ask(
    home: &Home,
    corpus: &Corpus,
    options: &SearchOptions,
) -> Result<Vec<Asked>, RetrievalError> {
    let lengths: HashMap<Place, usize> = corpus
        .documents
        .iter()
        .flat_map(|(path, messages)| {
            messages.iter().map(|message| {
                let place = (path.clone(), message.place.line);
                (place, message.text.chars().count())
            })
        })
        .collect();
    let clock = SystemClock::new();
    let mut asked = Vec::with_capacity(corpus.questions.len());
    for question in &corpus.questions {
        let began_at = clock.monotonic();
        let answer = search(&home.index, &question.text, options)?;
        let took = clock.monotonic().saturating_sub(began_at);
        let length_of = |place: &Place| lengths.get(place).copied().unwrap_or(0);
        asked.push(Asked {
            kind: question.kind.clone(),
            figures: measure(&answer.results, question, &length_of),
            took,
            is_denied: answer.results.is_empty(),
        });
    }
    Ok(asked)
}
