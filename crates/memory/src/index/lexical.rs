//! The postings: which terms stand in which pieces of which stretches.
//!
//! Counts nothing that was taken out, and scores nothing.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use base::{Day, Disk};
use chrono::{Datelike, NaiveDate};
use tantivy::columnar::Column;
use tantivy::indexer::IndexWriterOptions;
use tantivy::postings::Postings;
use tantivy::schema::{IndexRecordOption, Term as KeyTerm};
use tantivy::tokenizer::{PreTokenizedString, Token};
use tantivy::{
    DocSet, Index, IndexMeta, IndexReader, IndexSettings, IndexWriter, ReloadPolicy, Searcher,
    SegmentReader, TERMINATED, TantivyDocument,
};

use super::error::IndexError;
use super::generation::Generation;
use super::private::PrivateDirectory;
use super::read_only;
use super::record::StretchRecord;
use super::schema::{DAY_POSITION, Fields, HEADING_POSITION, fields};
use super::store::WholeStretch;
use crate::passage_source::Source;
use crate::search::Place;
use crate::terms::{Analyser, Term, TermKind, key};

/// The postings on disk.
pub(crate) struct Lexical {
    index: Index,
    reader: IndexReader,
    fields: Fields,
    /// What was given last, with its generation.
    kept: Mutex<Option<(Generation, Searcher)>>,
}

/// The postings of a generation, or the generation that they are of.
pub(crate) enum Sought {
    /// They are there.
    Those(Searcher),
    /// They are gone, or not there yet.
    Others {
        /// What the postings on disk say of themselves.
        written: Option<Generation>,
    },
}

/// Memory of the thread that builds postings, in bytes.
const BUILD_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Stands for no day; it lies in the last year before our era, of which no one keeps notes.
const NO_DAY: i32 = 0;

/// The words that count for a stretch as a whole, and the words of each piece.
pub(crate) struct Words {
    tokens: Vec<Token>,
    /// How many words each piece counts for.
    pub(crate) counts: Vec<u32>,
}

/// Where one term stands.
#[derive(Debug, Default)]
pub(crate) struct TermPostings {
    /// Stretches, by segment and then by number.
    pub(crate) hits: Vec<StretchHits>,
    /// Pieces that the term stands in, or whose day it names.
    pub(crate) n_pieces: u64,
    places: Vec<u16>,
}

/// One stretch in which a term stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StretchHits {
    /// Grows along the hits of a term, and is the same for all terms of a stretch.
    pub(crate) order: u64,
    pub(crate) key: i64,
    first: usize,
    len: usize,
}

impl StretchHits {
    /// How often the term stands there.
    pub(crate) fn n_times(&self) -> usize {
        self.len
    }
}

/// What tells whether a stretch may be shown; only searches that bound themselves ask for it.
pub(crate) struct StretchFacts {
    segments: Vec<(Column<u64>, Column<i64>)>,
}

impl StretchFacts {
    /// Whether the stretch of an order belongs to a source.
    pub(crate) fn is_of(&self, order: u64, source: Source) -> bool {
        let found = self
            .of(order)
            .and_then(|(sources, _, doc)| sources.first(doc));
        found.unwrap_or(0) == source.number().unsigned_abs()
    }

    /// The day of the stretch of an order, where it has one.
    pub(crate) fn day(&self, order: u64) -> Option<Day> {
        let (_, days, doc) = self.of(order)?;
        days.first(doc).and_then(day_of_number)
    }

    fn of(&self, order: u64) -> Option<(&Column<u64>, &Column<i64>, u32)> {
        let (sources, days) = self.segments.get(usize::try_from(order >> 32).ok()?)?;
        let doc = u32::try_from(order & u64::from(u32::MAX)).ok()?;
        Some((sources, days, doc))
    }
}

/// What a position in the postings stands for.
pub(crate) fn place(position: u16) -> Place {
    match u32::from(position) {
        DAY_POSITION => Place::Day,
        HEADING_POSITION => Place::Heading,
        _ => Place::Piece(position.into()),
    }
}

impl TermPostings {
    /// The pieces of a stretch in which the term stands, in order, one entry each time.
    pub(crate) fn places(&self, hits: &StretchHits) -> &[u16] {
        self.places
            .get(hits.first..hits.first + hits.len)
            .unwrap_or_default()
    }
}

impl Lexical {
    /// Makes empty postings in an empty directory.
    pub(crate) fn create(disk: Arc<dyn Disk>, directory: &Path) -> Result<Self, IndexError> {
        let (schema, _) = fields();
        guarded(|| {
            let files = PrivateDirectory::open(disk, directory)?;
            Self::new(Index::create(files, schema, IndexSettings::default())?)
        })
    }

    /// Opens the postings that are there.
    pub(crate) fn open(disk: Arc<dyn Disk>, directory: &Path) -> Result<Self, IndexError> {
        guarded(|| Self::known(Index::open(PrivateDirectory::open(disk, directory)?)?))
    }

    /// Opens the postings that are there, where nothing may be written.
    pub(crate) fn open_read_only(directory: &Path) -> Result<Self, IndexError> {
        guarded(|| Self::known(read_only::postings(directory)?))
    }

    fn known(index: Index) -> Result<Self, IndexError> {
        let (schema, _) = fields();
        if index.schema() != schema {
            return Err(IndexError::Damaged {
                what: "its postings have other fields".into(),
            });
        }
        Self::new(index)
    }

    /// Postings that hold nothing and no file.
    pub(crate) fn nowhere() -> Result<Self, IndexError> {
        let (schema, _) = fields();
        Self::new(Index::create_in_ram(schema))
    }

    fn new(index: Index) -> Result<Self, IndexError> {
        let reader = index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .try_into()?;
        let (_, fields) = fields();
        Ok(Self {
            index,
            reader,
            fields,
            kept: Mutex::default(),
        })
    }

    /// What the postings on disk say of themselves; nothing where they were just made.
    pub(crate) fn written(&self) -> Result<Option<Generation>, IndexError> {
        guarded(|| generation_of(&self.index.load_metas()?))
    }

    /// The postings of a generation: those on disk, or those that were used last where a writer has
    /// committed the next ones already.
    pub(crate) fn at(&self, wanted: Generation) -> Result<Sought, IndexError> {
        guarded(|| {
            let metas = self.index.load_metas()?;
            let written = generation_of(&metas)?;
            if wanted.is_that_of(written) {
                if !is_same_set(&metas.segments, &self.reader.searcher()) {
                    self.reader.reload()?;
                }
                let searcher = self.reader.searcher();
                // What was loaded may be newer than what was read just before.
                let metas = self.index.load_metas()?;
                if is_same_set(&metas.segments, &searcher)
                    && wanted.is_that_of(generation_of(&metas)?)
                {
                    *self.kept() = Some((wanted, searcher.clone()));
                    return Ok(Sought::Those(searcher));
                }
            }
            let kept = self.kept();
            let kept = kept
                .as_ref()
                .filter(|(generation, _)| *generation == wanted);
            Ok(match kept {
                Some((_, searcher)) => Sought::Those(searcher.clone()),
                None => Sought::Others { written },
            })
        })
    }

    fn kept(&self) -> MutexGuard<'_, Option<(Generation, Searcher)>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A writer; one at a time over all processes.
    pub(crate) fn writer(&self) -> Result<IndexWriter, IndexError> {
        let options = IndexWriterOptions::builder()
            .num_worker_threads(1)
            .num_merge_threads(1)
            .memory_budget_per_thread(BUILD_BYTES_MAX)
            .build();
        guarded(|| Ok(self.index.writer_with_options(options)?))
    }

    /// Removes a stretch and adds it again as it is now.
    pub(crate) fn put(
        &self,
        writer: &IndexWriter,
        whole: &WholeStretch,
        words: Words,
    ) -> Result<(), IndexError> {
        self.remove(writer, whole.key);
        let mut document = TantivyDocument::default();
        document.add_i64(self.fields.key, whole.key);
        document.add_u64(self.fields.source, whole.source.number().unsigned_abs());
        document.add_i64(
            self.fields.day,
            whole.day.map_or(i64::from(NO_DAY), day_number),
        );
        document.add_u64(self.fields.n_pieces, whole.record.pieces.len() as u64);
        let text = PreTokenizedString {
            text: String::new(),
            tokens: words.tokens,
        };
        document.add_pre_tokenized_text(self.fields.terms, text);
        writer.add_document(document)?;
        Ok(())
    }

    /// Removes a stretch.
    pub(crate) fn remove(&self, writer: &IndexWriter, key: i64) {
        writer.delete_term(KeyTerm::from_field_i64(self.fields.key, key));
    }

    /// Where a term stands now.
    pub(crate) fn postings(
        &self,
        searcher: &Searcher,
        term: &Term,
    ) -> Result<TermPostings, IndexError> {
        guarded(|| {
            let mut found = TermPostings::default();
            for (segment_idx, segment) in searcher.segment_readers().iter().enumerate() {
                self.add_segment((segment_idx as u64) << 32, segment, term, &mut found)?;
            }
            Ok(found)
        })
    }

    /// Whether a term stands in more stretches than so many; what was taken out counts for nothing.
    pub(crate) fn is_in_more_than(
        &self,
        searcher: &Searcher,
        term: &Term,
        n_max: usize,
    ) -> Result<bool, IndexError> {
        let term = KeyTerm::from_field_text(self.fields.terms, &term.key());
        guarded(|| {
            let mut n_found = 0;
            for segment in searcher.segment_readers() {
                let inverted = segment.inverted_index(self.fields.terms)?;
                let postings = inverted
                    .read_postings(&term, IndexRecordOption::Basic)
                    .map_err(tantivy::TantivyError::from)?;
                let Some(mut postings) = postings else {
                    continue;
                };
                let alive = segment.alive_bitset();
                while postings.doc() != TERMINATED && n_found <= n_max {
                    let is_alive = alive.is_none_or(|alive| alive.is_alive(postings.doc()));
                    n_found += usize::from(is_alive);
                    postings.advance();
                }
            }
            Ok(n_found > n_max)
        })
    }

    /// What is known of the stretches besides their terms.
    pub(crate) fn facts(searcher: &Searcher) -> Result<StretchFacts, IndexError> {
        guarded(|| {
            let mut segments = Vec::new();
            for segment in searcher.segment_readers() {
                let fast = segment.fast_fields();
                segments.push((fast.u64("source")?, fast.i64("day")?));
            }
            Ok(StretchFacts { segments })
        })
    }

    fn add_segment(
        &self,
        order: u64,
        segment: &SegmentReader,
        term: &Term,
        found: &mut TermPostings,
    ) -> Result<(), IndexError> {
        let inverted = segment.inverted_index(self.fields.terms)?;
        let term = KeyTerm::from_field_text(self.fields.terms, &term.key());
        let Some(mut postings) = inverted
            .read_postings(&term, IndexRecordOption::WithFreqsAndPositions)
            .map_err(tantivy::TantivyError::from)?
        else {
            return Ok(());
        };
        let fast = segment.fast_fields();
        let (keys, pieces) = (fast.i64("key")?, fast.u64("pieces")?);
        let alive = segment.alive_bitset();
        let mut positions = Vec::new();
        while postings.doc() != TERMINATED {
            let doc = postings.doc();
            if alive.is_none_or(|alive| alive.is_alive(doc)) {
                postings.positions(&mut positions);
                let first = found.places.len();
                found.places.extend(
                    positions
                        .iter()
                        .map(|place| u16::try_from(*place).unwrap_or(u16::MAX)),
                );
                let n_pieces = || pieces.first(doc).unwrap_or(0);
                found.n_pieces += n_pieces_with(&positions, n_pieces);
                found.hits.push(StretchHits {
                    order: order | u64::from(doc),
                    key: keys.first(doc).unwrap_or(0),
                    first,
                    len: positions.len(),
                });
            }
            postings.advance();
        }
        Ok(())
    }
}

fn generation_of(metas: &IndexMeta) -> Result<Option<Generation>, IndexError> {
    let read = |payload: &String| {
        Generation::parse(payload).ok_or_else(|| IndexError::Damaged {
            what: "its generation cannot be read".into(),
        })
    };
    metas.payload.as_ref().map(read).transpose()
}

fn is_same_set(metas: &[tantivy::SegmentMeta], searcher: &Searcher) -> bool {
    let segments = searcher.generation().segments();
    metas.len() == segments.len()
        && metas
            .iter()
            .all(|meta| segments.get(&meta.id()) == Some(&meta.delete_opstamp()))
}

/// In how many pieces a term stands, given its positions in a stretch.
fn n_pieces_with(positions: &[u32], n_pieces: impl Fn() -> u64) -> u64 {
    let is_day = positions.contains(&DAY_POSITION);
    if is_day {
        return n_pieces();
    }
    let mut last = None;
    let mut n_found = 0;
    for place in positions.iter().filter(|place| **place != HEADING_POSITION) {
        n_found += u64::from(last != Some(place));
        last = Some(place);
    }
    n_found
}

/// Days since the beginning of our era.
fn day_number(day: Day) -> i64 {
    i64::from(day.date().num_days_from_ce())
}

fn day_of_number(number: i64) -> Option<Day> {
    let number = i32::try_from(number)
        .ok()
        .filter(|number| *number != NO_DAY)?;
    Some(Day::from(NaiveDate::from_num_days_from_ce_opt(number)?))
}

/// The words of a stretch, made from what the store holds.
pub(crate) fn words(whole: &WholeStretch, analyser: &mut Analyser) -> Words {
    let mut words = Words {
        tokens: Vec::new(),
        counts: Vec::new(),
    };
    for (piece_idx, piece) in whole.record.pieces.iter().enumerate() {
        let text = whole.texts.get(piece.text.clone()).unwrap_or("");
        let n_words = words.add(text, piece_idx, analyser);
        words.counts.push(n_words);
    }
    if let Some(day) = whole.day {
        words.add(&written_out(day), DAY_POSITION as usize, analyser);
    }
    words.add(&whole.heading, HEADING_POSITION as usize, analyser);
    words
}

impl Words {
    fn add(&mut self, text: &str, position: usize, analyser: &mut Analyser) -> u32 {
        let mut n_words = 0;
        analyser.each(text, &mut |kind, term| {
            n_words += u32::from(kind == TermKind::Stem);
            self.tokens.push(Token {
                position,
                text: key(kind, term),
                position_length: 1,
                ..Token::default()
            });
        });
        n_words
    }
}

/// A day as people write it: `7 May 2023`.
fn written_out(day: Day) -> String {
    day.date().format("%-d %B %Y").to_string()
}

impl StretchRecord {
    /// Whether the pieces can be told apart by positions.
    pub(crate) fn fits(&self) -> bool {
        self.pieces.len() < DAY_POSITION as usize
    }
}

/// Tantivy panics on some damaged files; to us that is damage like any other.
fn guarded<T>(act: impl FnOnce() -> Result<T, IndexError>) -> Result<T, IndexError> {
    catch_unwind(AssertUnwindSafe(act)).unwrap_or_else(|_| {
        Err(IndexError::Damaged {
            what: "its postings cannot be read".into(),
        })
    })
}

impl std::fmt::Debug for Lexical {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Lexical").finish_non_exhaustive()
    }
}
