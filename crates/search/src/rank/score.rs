//! The numbers of the ranking: how words count, and what else speaks for a passage.
//!
//! Pure. The weights were chosen on conversations of several kinds; none fits one of them alone.

/// What speaks for a passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Evidence {
    /// Words of the question in the passage and, for less, in its neighbours.
    Words,
    /// What the question names in several words: a short name, or words in quotation marks.
    Literal,
    /// Nearness in meaning, of the passage and, for less, of its neighbours.
    Meaning,
    /// In a note, words that are like those of the question, whether or not they are the same.
    Likeness,
    /// Words of the question in the whole section and its headings.
    Section,
    /// The one person whom the question names says it, or for less the first of several; in a transcript, the
    /// owner does, and for more the nearer it is in meaning by itself.
    Who,
    /// In a note, it answers a question of another person in which the words stand.
    Answer,
    /// It asks something itself; in a transcript, the owner does.
    Asks,
    /// The message or, of running text, the section that it belongs to is near as a whole.
    Whole,
    /// It is where a message begins, which is where its matter is said.
    Opening,
    /// Its day is a day that the question names.
    Day,
    /// It takes more room than usual: of two that speak alike the shorter leaves room for more.
    Room,
}

/// What a kind of evidence is worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weight {
    /// The kind.
    pub evidence: Evidence,
    /// The score of full evidence of this kind for a passage of a note.
    pub in_notes: f64,
    /// The same for running text in a note, where one thought goes through many lines.
    pub in_text: f64,
    /// The same for a message of a session, which stands among long answers.
    pub in_sessions: f64,
}

/// How many kinds of evidence there are.
pub(crate) const N_KINDS: usize = Evidence::ALL.len();

/// Every kind of evidence with its worth; the only place where these numbers stand.
pub const WEIGHTS: [Weight; N_KINDS] = [
    worth(Evidence::Words, 1.0, 1.0),
    worth(Evidence::Literal, 0.5, 0.5),
    Weight {
        in_text: 0.15,
        ..worth(Evidence::Meaning, 0.5, 0.45)
    },
    Weight {
        in_text: 0.4,
        ..worth(Evidence::Whole, 0.0, 0.1)
    },
    worth(Evidence::Likeness, 0.4, 0.0),
    Weight {
        in_text: 1.5,
        ..worth(Evidence::Section, 0.1, 0.0)
    },
    worth(Evidence::Who, 0.4, 0.4),
    worth(Evidence::Answer, 0.3, 0.0),
    worth(Evidence::Asks, -0.1, 0.05),
    worth(Evidence::Opening, 0.0, 0.3),
    worth(Evidence::Day, 1.5, 1.5),
    worth(Evidence::Room, -0.05, -0.03),
];

/// The worths by which one answer is ranked: those of the program, or others that somebody tries.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights([Weight; N_KINDS]);

impl Default for Weights {
    fn default() -> Self {
        Self(WEIGHTS)
    }
}

impl Weights {
    /// These, with all that a kind of evidence is worth multiplied by a factor.
    #[must_use]
    pub fn scaled(mut self, evidence: Evidence, factor: f64) -> Self {
        for weight in &mut self.0 {
            if weight.evidence == evidence {
                weight.in_notes *= factor;
                weight.in_text *= factor;
                weight.in_sessions *= factor;
            }
        }
        self
    }

    /// These, for a question of which a share stands in the piece that holds most of it.
    ///
    /// The less of a question is found as it was asked, the more has to be told by meaning: twice as much
    /// where none of its words is found.
    pub(crate) fn where_found(self, share: f64) -> Self {
        self.scaled(Evidence::Meaning, 2.0 - share.clamp(0.0, 1.0))
    }

    /// Each kind of evidence with its worth.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Weight> {
        self.0.iter()
    }
}

const fn worth(evidence: Evidence, in_notes: f64, in_sessions: f64) -> Weight {
    Weight {
        evidence,
        in_notes,
        in_text: in_notes,
        in_sessions,
    }
}

/// How soon a term that comes again adds nothing more.
const K1: f64 = 0.8;

/// The same for whole sections, which are as long as documents: the usual values for those.
const SECTION_K1: f64 = 1.5;
const SECTION_B: f64 = 0.75;

/// How much longer pieces are held back.
const B: f64 = 0.15;

/// What a term counts for in the pieces around the one it stands in, by distance.
const NEIGHBOURS: [f64; 3] = [1.0, 0.3, 0.15];

/// What a term of a heading counts for in each piece below.
const HEADING: f64 = 1.0;

/// What a term of the written-out day counts for in each piece of that day.
const DAY: f64 = 1.0;

/// How much a term tells that stands in `n_with` of `n_all`.
pub(crate) fn idf(n_with: u64, n_all: u64) -> f64 {
    let (n_with, n_all) = (real(n_with), real(n_all.max(n_with)));
    (1.0 + (n_all - n_with + 0.5) / (n_with + 0.5)).ln()
}

/// What a count in a piece is worth, between 0 and `K1 + 1`.
pub(crate) fn saturated(count: f64, length_ratio: f64) -> f64 {
    of_count(count, length_ratio, (K1, B))
}

/// What a count in a whole section is worth.
pub(crate) fn saturated_in_section(count: f64, length_ratio: f64) -> f64 {
    of_count(count, length_ratio, (SECTION_K1, SECTION_B))
}

fn of_count(count: f64, length_ratio: f64, (k1, b): (f64, f64)) -> f64 {
    count * (k1 + 1.0) / (count + k1 * (1.0 - b + b * length_ratio))
}

/// How long something is against the average; 1 where nothing has a length.
pub(crate) fn length_ratio(n_words: u64, n_words_all: u64, n_all: u64) -> f64 {
    if n_words_all == 0 {
        1.0
    } else {
        real(n_words) * real(n_all) / real(n_words_all)
    }
}

/// Where the occurrences of a term stand in a stretch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// In a piece.
    Piece(usize),
    /// In the written-out day.
    Day,
    /// In a heading.
    Heading,
}

/// Counts a term for each piece of a stretch, its neighbours' occurrences included.
pub(crate) fn count_in_context(places: impl Iterator<Item = Place>, counts: &mut [f64]) {
    counts.fill(0.0);
    let (mut is_in_day, mut is_in_heading) = (false, false);
    for place in places {
        match place {
            Place::Piece(piece) => spread(piece, counts),
            Place::Day => is_in_day = true,
            Place::Heading => is_in_heading = true,
        }
    }
    let everywhere = if is_in_day { DAY } else { 0.0 } + if is_in_heading { HEADING } else { 0.0 };
    if everywhere > 0.0 {
        for count in counts {
            *count += everywhere;
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

/// Counts of words, passages and vectors are far below the point where this loses anything.
#[expect(clippy::cast_precision_loss, reason = "exact up to 2^53")]
pub(crate) fn real(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
#[path = "score_tests.rs"]
mod tests;
