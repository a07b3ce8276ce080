//! Reads postings: the count of a term in every stretch, and its positions in a few.
//!
//! Skips deleted stretches, and scores nothing.

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;

use base::Day;
use base::dates::DaySpan;
use tantivy::columnar::Column;
use tantivy::fastfield::AliveBitSet;
use tantivy::postings::{Postings as _, TermInfo};
use tantivy::query::FuzzyTermQuery;
use tantivy::schema::{IndexRecordOption, Term as KeyTerm};
use tantivy::{DocId, DocSet, InvertedIndexReader, Searcher, SegmentReader, TERMINATED};

use super::error::IndexError;
use super::lexical::guarded;
use super::schema::{HEADING_POSITION, IndexFields, day_of, fields};
use super::words::TermField;
use crate::passage_source::Source;
use crate::rank::TermPlace;
use crate::terms::{Term, TermKind};

/// The postings of one state of the index.
pub(crate) struct Postings {
    fields: IndexFields,
    segments: Vec<Segment>,
}

/// An immutable tantivy segment.
struct Segment {
    terms: Arc<InvertedIndexReader>,
    reader: SegmentReader,
    keys: Column<i64>,
}

/// The counts of one term.
#[derive(Debug, Default)]
pub(crate) struct TermPostings {
    /// Pieces that contain the term.
    pub(crate) n_pieces: u64,
    /// Per segment.
    segments: Vec<SegmentPostings>,
}

/// The counts of one term in a segment.
#[derive(Debug, Default)]
pub(crate) struct SegmentPostings {
    /// Stretches that contain the term, in order.
    docs: Vec<DocId>,
    /// Its count in each.
    counts: Vec<u32>,
    /// Its postings lists, to read positions from.
    ways: Vec<(TermField, TermInfo)>,
}

/// A stretch in one state of the postings: its segment and its number there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct StretchId {
    segment: usize,
    doc: DocId,
}

/// The positions of a term in one stretch.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct StretchHits {
    places: Vec<u16>,
}

impl StretchHits {
    /// Whether the term does not occur.
    pub(crate) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The pieces in order, one entry per occurrence; then the headings.
    pub(crate) fn places(&self) -> impl Iterator<Item = TermPlace> + use<'_> {
        self.places
            .iter()
            .map(|position| match u32::from(*position) {
                HEADING_POSITION => TermPlace::Heading,
                _ => TermPlace::Piece((*position).into()),
            })
    }
}

impl TermPostings {
    /// The number of stretches that contain the term.
    pub(crate) fn n_stretches(&self) -> u64 {
        let segments = self.segments.iter();
        segments.map(|segment| segment.docs.len() as u64).sum()
    }

    /// The count of the term in each stretch of a segment, in order.
    pub(crate) fn counts(&self, segment: usize) -> impl Iterator<Item = (DocId, u32)> {
        let found = self.segments.get(segment);
        let docs = found.map_or(&[][..], |found| &found.docs);
        let counts = found.map_or(&[][..], |found| &found.counts);
        docs.iter().copied().zip(counts.iter().copied())
    }

    /// The last stretch of a segment that contains the term.
    pub(crate) fn last(&self, segment: usize) -> Option<DocId> {
        self.segments.get(segment)?.docs.last().copied()
    }
}

impl StretchId {
    pub(crate) fn new(segment: usize, doc: DocId) -> Self {
        Self { segment, doc }
    }
}

impl Postings {
    /// Opens the postings of one state.
    pub(crate) fn of(searcher: &Searcher) -> Result<Self, IndexError> {
        let (_, fields) = fields();
        guarded(|| {
            let mut segments = Vec::with_capacity(searcher.segment_readers().len());
            for reader in searcher.segment_readers() {
                segments.push(Segment {
                    terms: reader.inverted_index(fields.terms)?,
                    keys: reader.fast_fields().i64("key")?,
                    reader: reader.clone(),
                });
            }
            Ok(Self { fields, segments })
        })
    }

    /// The number of segments.
    pub(crate) fn n_segments(&self) -> usize {
        self.segments.len()
    }

    /// Looks up a term.
    pub(crate) fn of_term(&self, term: &Term) -> Result<TermPostings, IndexError> {
        guarded(|| {
            let mut found = TermPostings::default();
            for segment in &self.segments {
                let (postings, n_pieces) = segment.of_term(self.fields, term)?;
                found.segments.push(postings);
                found.n_pieces += n_pieces;
            }
            Ok(found)
        })
    }

    /// Whether more than `n_max` live stretches contain a term.
    pub(crate) fn is_in_more_than(&self, term: &Term, n_max: u64) -> Result<bool, IndexError> {
        guarded(|| {
            let (mut n_least, mut n_most) = (0, 0);
            for segment in &self.segments {
                let ways = segment.ways(self.fields, term)?;
                let counts = || ways.iter().map(|(_, it)| u64::from(it.doc_freq));
                n_most += counts().sum::<u64>();
                if segment.reader.alive_bitset().is_none() {
                    n_least += counts().max().unwrap_or(0);
                }
            }
            if n_least > n_max || n_most <= n_max {
                return Ok(n_least > n_max);
            }
            Ok(self.of_term(term)?.n_stretches() > n_max)
        })
    }

    /// Indexed words within `n_slips` edits of a word: insertion, deletion, substitution, or swap of adjacent letters.
    /// The first letter is the same.
    pub(crate) fn spelt_like(
        &self,
        word: &str,
        n_slips: u8,
    ) -> Result<BTreeSet<String>, IndexError> {
        let key = |text: &str| {
            TermField::Piece.key(&Term {
                kind: TermKind::Exact,
                text: text.to_owned(),
            })
        };
        let first: String = word.chars().take(1).collect();
        let (before, first) = (key(""), key(&first));
        let sought = KeyTerm::from_field_text(self.fields.terms, &key(word));
        let sought = FuzzyTermQuery::new(sought, n_slips, true);
        // No term contains this byte, so it sorts after every term with the same first letter.
        let behind = [first.as_bytes(), &[u8::MAX]].concat();
        guarded(|| {
            let automaton = sought.automaton()?;
            let mut found = BTreeSet::new();
            for segment in &self.segments {
                let stream = segment.terms.terms().search(&automaton);
                let stream = stream.ge(first.as_bytes()).lt(&behind).into_stream();
                let mut stream = stream.map_err(tantivy_error)?;
                while stream.advance() {
                    let term = str::from_utf8(stream.key()).unwrap_or_default();
                    found.extend(term.strip_prefix(&before).map(str::to_owned));
                }
            }
            found.remove(word);
            Ok(found)
        })
    }

    /// The positions of a term in each of some stretches, which must be sorted.
    pub(crate) fn places(
        &self,
        term: &TermPostings,
        stretches: &[StretchId],
    ) -> Result<Vec<StretchHits>, IndexError> {
        guarded(|| {
            let mut found = vec![StretchHits::default(); stretches.len()];
            let mut rest = found.as_mut_slice();
            for stretches in stretches.chunk_by(|left, right| left.segment == right.segment) {
                let (found, others) = rest.split_at_mut(stretches.len());
                rest = others;
                let Some(first) = stretches.first() else {
                    continue;
                };
                let of_term = term.segments.get(first.segment);
                let segment = self.segments.get(first.segment);
                if let Some((of_term, segment)) = of_term.zip(segment) {
                    segment.add_places(of_term, stretches, found)?;
                }
            }
            for hits in &mut found {
                hits.places.sort_unstable();
            }
            Ok(found)
        })
    }

    /// Whether a stretch is not deleted.
    pub(crate) fn is_there(&self, stretch: StretchId) -> bool {
        let segment = self.segments.get(stretch.segment);
        segment.is_some_and(|it| is_alive(it.reader.alive_bitset(), stretch.doc))
    }

    /// The key of a stretch in the store.
    pub(crate) fn key(&self, stretch: StretchId) -> i64 {
        let segment = self.segments.get(stretch.segment);
        let key = segment.and_then(|segment| segment.keys.first(stretch.doc));
        key.unwrap_or(0)
    }

    /// The live stretch with a key, if any.
    pub(crate) fn find(&self, key: i64) -> Result<Option<StretchId>, IndexError> {
        let term = KeyTerm::from_field_i64(self.fields.key, key);
        guarded(|| {
            for (idx, segment) in self.segments.iter().enumerate() {
                let keys = segment.reader.inverted_index(self.fields.key)?;
                let postings = keys.read_postings(&term, IndexRecordOption::Basic);
                let Some(mut postings) = postings.map_err(tantivy_error)? else {
                    continue;
                };
                while postings.doc() != TERMINATED {
                    if is_alive(segment.reader.alive_bitset(), postings.doc()) {
                        return Ok(Some(StretchId::new(idx, postings.doc())));
                    }
                    postings.advance();
                }
            }
            Ok(None)
        })
    }
}

impl Segment {
    /// The postings lists of a term in this segment.
    fn ways(
        &self,
        fields: IndexFields,
        term: &Term,
    ) -> Result<Vec<(TermField, TermInfo)>, IndexError> {
        let mut found = Vec::new();
        for way in TermField::ALL {
            let key = KeyTerm::from_field_text(fields.terms, &way.key(term));
            let info = self.terms.get_term_info(&key).map_err(tantivy_error)?;
            found.extend(info.map(|info| (way, info)));
        }
        Ok(found)
    }

    /// The counts of a term, and the number of pieces with it.
    fn of_term(
        &self,
        fields: IndexFields,
        term: &Term,
    ) -> Result<(SegmentPostings, u64), IndexError> {
        let mut found = SegmentPostings {
            ways: self.ways(fields, term)?,
            ..SegmentPostings::default()
        };
        let mut n_pieces = 0;
        for idx in 0..found.ways.len() {
            let Some((way, info)) = found.ways.get(idx) else {
                break;
            };
            let way = *way;
            let (docs, counts) = self.counts(info)?;
            n_pieces += match way {
                TermField::Piece => counts.iter().copied().map(u64::from).sum(),
                TermField::Again | TermField::Heading => 0,
            };
            add(&mut found, docs, counts);
        }
        Ok((found, n_pieces))
    }

    /// The live stretches of a postings list, and the count in each.
    fn counts(&self, info: &TermInfo) -> Result<(Vec<DocId>, Vec<u32>), IndexError> {
        let option = IndexRecordOption::WithFreqs;
        let blocks = self.terms.read_block_postings_from_terminfo(info, option);
        let mut blocks = blocks.map_err(tantivy_error)?;
        let n_docs = info.doc_freq as usize;
        let (mut docs, mut counts) = (Vec::with_capacity(n_docs), Vec::with_capacity(n_docs));
        while !blocks.docs().is_empty() {
            match self.reader.alive_bitset() {
                None => {
                    docs.extend_from_slice(blocks.docs());
                    counts.extend_from_slice(blocks.freqs());
                }
                Some(alive) => {
                    let both = blocks.docs().iter().zip(blocks.freqs());
                    for (doc, count) in both.filter(|(doc, _)| alive.is_alive(**doc)) {
                        docs.push(*doc);
                        counts.push(*count);
                    }
                }
            }
            blocks.advance();
        }
        Ok((docs, counts))
    }

    /// Adds the positions of a term in stretches of this segment, which must be sorted.
    fn add_places(
        &self,
        term: &SegmentPostings,
        stretches: &[StretchId],
        found: &mut [StretchHits],
    ) -> Result<(), IndexError> {
        let is_there = |it: &StretchId| term.docs.binary_search(&it.doc).is_ok();
        let found = stretches.iter().zip(found);
        let mut found: Vec<_> = found.filter(|(stretch, _)| is_there(stretch)).collect();
        if found.is_empty() {
            return Ok(());
        }
        let mut positions = Vec::new();
        for (_, info) in &term.ways {
            let option = IndexRecordOption::WithFreqsAndPositions;
            let postings = self.terms.read_postings_from_terminfo(info, option);
            let mut postings = postings.map_err(tantivy_error)?;
            for (stretch, hits) in &mut found {
                if postings.doc() < stretch.doc {
                    postings.seek(stretch.doc);
                }
                if postings.doc() == stretch.doc {
                    postings.positions(&mut positions);
                    let places = positions.iter();
                    let places = places.map(|it| u16::try_from(*it).unwrap_or(u16::MAX));
                    hits.places.extend(places);
                }
            }
        }
        Ok(())
    }
}

/// Adds counts to those already found; both are sorted.
fn add(found: &mut SegmentPostings, docs: Vec<DocId>, counts: Vec<u32>) {
    if found.docs.is_empty() {
        (found.docs, found.counts) = (docs, counts);
        return;
    }
    let old = std::mem::take(&mut found.docs).into_iter();
    let old = old.zip(std::mem::take(&mut found.counts));
    let mut sum: Vec<(DocId, u32)> = old.chain(docs.into_iter().zip(counts)).collect();
    // The stable sort merges two sorted runs in one pass.
    sum.sort_by_key(|(doc, _)| *doc);
    sum.dedup_by(|next, kept| {
        let is_same = next.0 == kept.0;
        kept.1 += if is_same { next.1 } else { 0 };
        is_same
    });
    (found.docs, found.counts) = sum.into_iter().unzip();
}

fn is_alive(alive: Option<&AliveBitSet>, doc: DocId) -> bool {
    alive.is_none_or(|alive| alive.is_alive(doc))
}

fn tantivy_error(error: io::Error) -> IndexError {
    tantivy::TantivyError::from(error).into()
}

/// Source and day of stretches; only filtered searches need them.
pub(crate) struct StretchFacts {
    segments: Vec<(Column<u64>, Column<i64>)>,
}

impl StretchFacts {
    /// Opens the columns of source and day.
    pub(crate) fn of_index(searcher: &Searcher) -> Result<Self, IndexError> {
        guarded(|| {
            let mut segments = Vec::new();
            for segment in searcher.segment_readers() {
                let fast = segment.fast_fields();
                segments.push((fast.u64("source")?, fast.i64("day")?));
            }
            Ok(Self { segments })
        })
    }

    /// The source of a stretch.
    pub(crate) fn source(&self, stretch: StretchId) -> Option<Source> {
        let (sources, _) = self.segments.get(stretch.segment)?;
        Source::from_number(sources.first(stretch.doc).unwrap_or(0).cast_signed())
    }

    /// The stretches whose day is in one of the spans, in order, each with its day.
    pub(crate) fn within(&self, spans: &[DaySpan]) -> Vec<(StretchId, Day)> {
        let mut found = Vec::new();
        for (segment, (_, days)) in self.segments.iter().enumerate() {
            for doc in 0..days.num_docs() {
                let stretch = StretchId::new(segment, doc);
                let day = self.day(stretch);
                let day = day.filter(|day| spans.iter().any(|span| span.holds(*day)));
                found.extend(day.map(|day| (stretch, day)));
            }
        }
        found
    }

    /// The day of a stretch, if it has one.
    pub(crate) fn day(&self, stretch: StretchId) -> Option<Day> {
        let (_, days) = self.segments.get(stretch.segment)?;
        day_of(i32::try_from(days.first(stretch.doc)?).ok()?)
    }
}

#[cfg(test)]
#[path = "postings_tests.rs"]
mod tests;
