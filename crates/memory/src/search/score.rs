//! The numbers of the ranking: how words count, and what else speaks for a passage.
//!
//! Pure. The weights were chosen on conversations of several kinds; none fits one of them alone.

/// What speaks for a passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Evidence {
    /// Words of the question in the passage and, for less, in its neighbours.
    Words,
    /// The very forms of the words.
    Forms,
    /// Words of the question in the whole section.
    Section,
    /// The one person whom the question names says it; in a transcript, the one whose words are asked for.
    Who,
    /// In a note, it answers a question of another person in which the words stand.
    Answer,
    /// In a note, it asks something itself.
    Asks,
    /// Its day is a day that the question names.
    Day,
    /// The question asks for a time, and it names one.
    Time,
    /// The question asks for a name, and it names one.
    Name,
}

/// What a kind of evidence is worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weight {
    /// The kind.
    pub evidence: Evidence,
    /// The score of full evidence of this kind.
    pub weight: f64,
}

/// Every kind of evidence with its worth; the only place where these numbers stand.
pub const WEIGHTS: [Weight; 9] = [
    Weight {
        evidence: Evidence::Words,
        weight: 1.0,
    },
    Weight {
        evidence: Evidence::Forms,
        weight: 0.1,
    },
    Weight {
        evidence: Evidence::Section,
        weight: 0.1,
    },
    Weight {
        evidence: Evidence::Who,
        weight: 0.3,
    },
    Weight {
        evidence: Evidence::Answer,
        weight: 0.2,
    },
    Weight {
        evidence: Evidence::Asks,
        weight: -0.1,
    },
    Weight {
        evidence: Evidence::Day,
        weight: 0.2,
    },
    Weight {
        evidence: Evidence::Time,
        weight: 0.1,
    },
    Weight {
        evidence: Evidence::Name,
        weight: 0.1,
    },
];

/// How soon a term that comes again adds nothing more.
const K1: f64 = 0.9;

/// How much longer pieces are held back.
const B: f64 = 0.15;

/// What a term counts for in the pieces around the one it stands in, by distance.
const NEIGHBOURS: [f64; 3] = [1.0, 0.3, 0.15];

/// What a term of a heading counts for in each piece below.
const HEADING: f64 = 0.3;

/// What a term of the written-out day counts for in each piece of that day.
const DAY: f64 = 1.0;

/// The weight of a kind of evidence.
pub(crate) fn weight(evidence: Evidence) -> f64 {
    WEIGHTS
        .iter()
        .find(|weight| weight.evidence == evidence)
        .map_or(0.0, |weight| weight.weight)
}

/// How much a term tells that stands in `n_with` of `n_all`.
pub(crate) fn idf(n_with: u64, n_all: u64) -> f64 {
    let (n_with, n_all) = (real(n_with), real(n_all.max(n_with)));
    (1.0 + (n_all - n_with + 0.5) / (n_with + 0.5)).ln()
}

/// What a count is worth, between 0 and `K1 + 1`.
pub(crate) fn saturated(count: f64, length_ratio: f64) -> f64 {
    count * (K1 + 1.0) / (count + K1 * (1.0 - B + B * length_ratio))
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

/// Counts of words and passages are far below the point where this loses anything.
#[expect(clippy::cast_precision_loss, reason = "exact up to 2^53")]
fn real(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
#[path = "score_tests.rs"]
mod tests;
