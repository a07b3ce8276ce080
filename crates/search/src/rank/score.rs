//! Weights and formulas of the ranking.
//!
//! Pure. The weights were tuned on several kinds of conversations together.

/// A kind of evidence for a passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EvidenceKind {
    /// Question words in the passage and, with less weight, in its neighbours.
    Words,
    /// A short name or quoted phrase of several words, found verbatim.
    Literal,
    /// Semantic similarity of the passage and, with less weight, of its neighbours.
    Meaning,
    /// In a note, word-by-word similarity to the question, for equal and different words.
    Likeness,
    /// Question words in the whole section and its headings.
    Section,
    /// The speaker is the person whom the question names, with less weight the first of several; in a transcript, the
    /// owner, with more weight the higher the cosine of the piece.
    Who,
    /// In a note, it answers another person's question that holds the words.
    Answer,
    /// It ends in a question; in a transcript, one by the owner.
    Asks,
    /// The message matches as a whole or, for running text, the section is near in meaning as a whole.
    Whole,
    /// It opens a message, where the topic is usually stated.
    Opening,
    /// Its day matches one that the question names.
    Day,
    /// It is longer than usual: of two equal passages the shorter leaves room for more.
    Room,
}

/// The weights of a kind of evidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EvidenceWeight {
    /// The kind.
    pub evidence: EvidenceKind,
    /// Weight in a passage of a note.
    pub in_notes: f64,
    /// Weight in running text of a note, where one thought spans many lines.
    pub in_text: f64,
    /// Weight in a message of a session, where long replies surround it.
    pub in_sessions: f64,
}

/// The number of kinds.
pub(crate) const N_KINDS: usize = EvidenceKind::ALL.len();

/// The weights of every kind; the only place that defines them.
pub const WEIGHTS: [EvidenceWeight; N_KINDS] = [
    worth(EvidenceKind::Words, 1.0, 1.0),
    worth(EvidenceKind::Literal, 0.5, 0.5),
    EvidenceWeight {
        in_text: 0.15,
        ..worth(EvidenceKind::Meaning, 0.5, 0.45)
    },
    EvidenceWeight {
        in_text: 0.4,
        ..worth(EvidenceKind::Whole, 0.0, 0.1)
    },
    worth(EvidenceKind::Likeness, 0.4, 0.0),
    EvidenceWeight {
        in_text: 1.5,
        ..worth(EvidenceKind::Section, 0.1, 0.0)
    },
    worth(EvidenceKind::Who, 0.4, 0.4),
    worth(EvidenceKind::Answer, 0.3, 0.0),
    worth(EvidenceKind::Asks, -0.1, 0.05),
    worth(EvidenceKind::Opening, 0.0, 0.3),
    worth(EvidenceKind::Day, 1.5, 1.5),
    worth(EvidenceKind::Room, -0.05, -0.03),
];

/// The weights for ranking one answer: the defaults or an experiment's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EvidenceWeights([EvidenceWeight; N_KINDS]);

impl Default for EvidenceWeights {
    fn default() -> Self {
        Self(WEIGHTS)
    }
}

impl EvidenceWeights {
    /// Multiplies the weights of one kind by a factor.
    #[must_use]
    pub fn scaled(mut self, evidence: EvidenceKind, factor: f64) -> Self {
        for weight in &mut self.0 {
            if weight.evidence == evidence {
                weight.in_notes *= factor;
                weight.in_text *= factor;
                weight.in_sessions *= factor;
            }
        }
        self
    }

    /// Adapts the weights to the share of the question that the best piece holds literally.
    ///
    /// The fewer words match, the more meaning counts: double if none does.
    pub(crate) fn adapted_to(self, share: f64) -> Self {
        self.scaled(EvidenceKind::Meaning, 2.0 - share.clamp(0.0, 1.0))
    }

    /// The weights of each kind.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &EvidenceWeight> {
        self.0.iter()
    }
}

const fn worth(evidence: EvidenceKind, in_notes: f64, in_sessions: f64) -> EvidenceWeight {
    EvidenceWeight {
        evidence,
        in_notes,
        in_text: in_notes,
        in_sessions,
    }
}

/// BM25 k1 for pieces: how fast repetitions of a term saturate.
const K1: f64 = 0.8;

/// BM25 k1 and b for sections: the usual values for documents.
const SECTION_K1: f64 = 1.5;
const SECTION_B: f64 = 0.75;

/// BM25 b for pieces: how much length is penalised.
const B: f64 = 0.15;

/// Weight of a term in a piece and in its neighbours, by distance.
const NEIGHBOURS: [f64; 3] = [1.0, 0.3, 0.15];

/// Weight of a heading's term in each piece below it.
const HEADING: f64 = 1.0;

/// BM25 inverse document frequency of a term in `n_with` of `n_all`.
pub(crate) fn idf(n_with: u64, n_all: u64) -> f64 {
    let (n_with, n_all) = (real(n_with), real(n_all.max(n_with)));
    (1.0 + (n_all - n_with + 0.5) / (n_with + 0.5)).ln()
}

/// BM25 term weight in a piece, between 0 and `K1 + 1`.
pub(crate) fn saturated(count: f64, length_ratio: f64) -> f64 {
    of_count(count, length_ratio, (K1, B))
}

/// BM25 term weight in a section.
pub(crate) fn saturated_in_section(count: f64, length_ratio: f64) -> f64 {
    of_count(count, length_ratio, (SECTION_K1, SECTION_B))
}

fn of_count(count: f64, length_ratio: f64, (k1, b): (f64, f64)) -> f64 {
    count * (k1 + 1.0) / (count + k1 * (1.0 - b + b * length_ratio))
}

/// Length relative to the average; 1 if the total length is 0.
pub(crate) fn length_ratio(n_words: u64, n_words_all: u64, n_all: u64) -> f64 {
    if n_words_all == 0 {
        1.0
    } else {
        real(n_words) * real(n_all) / real(n_words_all)
    }
}

/// Where in a stretch a term occurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TermPlace {
    /// In a piece.
    Piece(usize),
    /// In a heading.
    Heading,
}

/// Counts a term for each piece of a stretch, including its neighbours' occurrences.
pub(crate) fn count_in_context(places: impl Iterator<Item = TermPlace>, counts: &mut [f64]) {
    counts.fill(0.0);
    let mut is_in_heading = false;
    for place in places {
        match place {
            TermPlace::Piece(piece) => spread(piece, counts),
            TermPlace::Heading => is_in_heading = true,
        }
    }
    if is_in_heading {
        for count in counts {
            *count += HEADING;
        }
    }
}

fn spread(piece: usize, counts: &mut [f64]) {
    for (distance, share) in NEIGHBOURS.iter().enumerate() {
        let before = piece.checked_sub(distance).filter(|_| distance > 0);
        for neighbour in before.into_iter().chain([piece + distance]) {
            if let Some(count) = counts.get_mut(neighbour) {
                *count += share;
            }
        }
    }
}

/// Exact: counts of words, passages and vectors stay far below 2^53.
#[expect(clippy::cast_precision_loss, reason = "exact up to 2^53")]
pub(crate) fn real(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
#[path = "score_tests.rs"]
mod tests;
