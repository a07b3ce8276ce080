//! Puts the newer of two passages about the same subject first.
//!
//! Reorders only the first few results: age never decides what is found.

use std::collections::BTreeSet;

use base::Day;

use super::score::real;
use crate::passage_source::Source;
use crate::terms::CommonWords;

/// How many results are compared.
pub(crate) const FIRST: usize = 10;

/// Two passages are about the same subject if they share at least this much of their combined stems.
const SHARE_MIN: f64 = 0.5;

/// The newer must score at least this share of the older: a passage that matches less of the question is not an update.
const SCORE_SHARE_MIN: f64 = 0.9;

/// The same threshold if both hold the subject of the question: an update is often said in passing, with few of the
/// question's words.
const SUBJECT_SCORE_SHARE_MIN: f64 = 0.6;

/// The subject is the question word with the highest IDF in the older passage, and any other that has at least this
/// share of that IDF and occurs in at most [`RARE_PIECES_MAX`] pieces.
const RARE_IDF_SHARE_MIN: f64 = 0.75;

/// A word that is mentioned this rarely was probably mentioned again because something about it changed.
const RARE_PIECES_MAX: u64 = 6;

/// A question word that a passage holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct AskedWord {
    /// Index of its term.
    pub(crate) term: usize,
    pub(crate) idf: f64,
    /// The number of pieces in the index that hold it.
    pub(crate) n_pieces: u64,
}

/// The claim of a passage, for comparison with others.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct ComparedClaim {
    stems: BTreeSet<String>,
    score: f64,
    /// The question words that it holds; empty if the question asks for more than the current state.
    pub(crate) asked: Vec<AskedWord>,
}

impl ComparedClaim {
    pub(crate) fn of(text: &str, score: f64, common: CommonWords) -> Self {
        let stems = common.telling_stems(text);
        Self {
            stems,
            score,
            asked: Vec::new(),
        }
    }

    /// Whether this later claim is about the same subject as an older one.
    fn renews(&self, older: &Self) -> bool {
        let n_common = self.stems.intersection(&older.stems).count() as u64;
        let n_all = self.stems.union(&older.stems).count() as u64;
        let is_same = n_common < n_all && real(n_common) >= SHARE_MIN * real(n_all);
        is_same && self.score >= SCORE_SHARE_MIN * older.score
            || n_common < n_all && self.renews_subject(older)
    }

    /// Whether a message says nearly all of this note; the figures of a day that the note reckoned do not count.
    fn is_told_by(&self, message: &Self) -> bool {
        let is_figure = |stem: &&String| stem.chars().all(|it| it.is_ascii_digit());
        let words: Vec<&String> = self.stems.iter().filter(|it| !is_figure(it)).collect();
        let told = words.iter().filter(|it| message.stems.contains(**it));
        let (n_told, n_all) = (told.count() as u64, words.len() as u64);
        n_told > 0 && real(n_told) >= TOLD_SHARE_MIN * real(n_all)
    }

    /// Whether this claim holds the subject of the older one, and scores high enough.
    fn renews_subject(&self, older: &Self) -> bool {
        let highest = older.asked.iter().map(|word| word.idf).fold(0.0, f64::max);
        let is_subject = |word: &&AskedWord| {
            let is_rare = word.n_pieces <= RARE_PIECES_MAX;
            word.idf >= highest || is_rare && word.idf >= RARE_IDF_SHARE_MIN * highest
        };
        let is_held = |word: &AskedWord| self.asked.iter().any(|own| own.term == word.term);
        let mut subject = older.asked.iter().filter(is_subject);
        subject.any(is_held) && self.score >= SUBJECT_SCORE_SHARE_MIN * older.score
    }
}

/// A note was made from a message of its day that holds at least this share of its stems.
const TOLD_SHARE_MIN: f64 = 0.7;

/// When something was said: on a day, in a line of a document.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PassageMoment<'r> {
    pub(crate) day: Option<Day>,
    /// Whether a person wrote it into a note that states the current state of something.
    pub(crate) is_by_hand: bool,
    pub(crate) source: Source,
    pub(crate) path: &'r str,
    pub(crate) line: usize,
}

impl PassageMoment<'_> {
    /// Whether it is later than another. On one day, what the owner writes by hand corrects what was said; otherwise
    /// the lines of two documents have no order, because a note has the day of the message that it was made from.
    ///
    /// A line by hand without a known day has no order with anything that is dated.
    fn is_after(&self, other: &Self) -> bool {
        let is_undated = |it: &Self| it.is_by_hand && it.day.is_none();
        if self.day != other.day {
            return self.day > other.day && !is_undated(self) && !is_undated(other);
        }
        if self.is_by_hand != other.is_by_hand {
            return self.is_by_hand;
        }
        self.path == other.path && self.line > other.line
    }
}

/// The display order: a claim that updates an older one comes before it.
///
/// `claims` are those of the first results, best first, each with its moment. Returns their indexes, each with the
/// index of the claim that it updates.
pub(crate) fn newer_first(
    claims: &[(PassageMoment<'_>, ComparedClaim)],
) -> Vec<(usize, Option<usize>)> {
    let mut order: Vec<(usize, Option<usize>)> = Vec::with_capacity(claims.len());
    for (idx, (at, claim)) in claims.iter().enumerate() {
        let renewed = order.iter().position(|(older, _)| {
            claims
                .get(*older)
                .is_some_and(|(older_at, older)| at.is_after(older_at) && claim.renews(older))
        });
        match renewed {
            Some(to) => order.insert(to, (idx, order.get(to).map(|(older, _)| *older))),
            None => order.push((idx, None)),
        }
    }
    order
}

/// The display order with each note before the message that it was made from: a note says the day that the message
/// only points to.
pub(crate) fn notes_first(
    claims: &[(PassageMoment<'_>, ComparedClaim)],
    order: Vec<(usize, Option<usize>)>,
) -> Vec<(usize, Option<usize>)> {
    let mut arranged: Vec<(usize, Option<usize>)> = Vec::with_capacity(order.len());
    for (idx, older) in order {
        let note = claims
            .get(idx)
            .filter(|(at, _)| at.source == Source::Memory);
        let is_of = |(message, _): &(usize, Option<usize>)| {
            let both = note.zip(claims.get(*message));
            both.is_some_and(|((at, note), (said, message))| {
                said.source == Source::Session
                    && at.day.is_some()
                    && at.day == said.day
                    && note.is_told_by(message)
            })
        };
        let to = arranged.iter().position(is_of).unwrap_or(arranged.len());
        arranged.insert(to, (idx, older));
    }
    arranged
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(line: usize) -> PassageMoment<'static> {
        PassageMoment {
            day: None,
            is_by_hand: false,
            source: Source::Memory,
            path: "a.md",
            line,
        }
    }

    fn claim(text: &str, score: f64) -> ComparedClaim {
        ComparedClaim::of(text, score, CommonWords::default())
    }

    #[test]
    fn later_claim_on_same_subject_replaces_older_claim() {
        let word = |term, idf, n_pieces| AskedWord {
            term,
            idf,
            n_pieces,
        };
        let about = |text: &str, score: f64, asked: &[AskedWord]| ComparedClaim {
            asked: asked.to_vec(),
            ..claim(text, score)
        };
        let (open, pool, evening) = (word(0, 1.0, 4), word(1, 3.0, 40), word(2, 2.5, 6));
        let held = [open, pool, evening];
        let older = about("The pool is open on Tuesday evenings", 1.0, &held);
        let often = |score| about("They moved the pool to Saturdays", score, &[pool]);
        let rare = about("No more swimming in the evening", 0.7, &[evening]);
        let common = about("We are open for ideas", 0.7, &[open]);
        let renewed = [(1, Some(0)), (0, None)];
        let unchanged = [(0, None), (1, None)];
        for (later, expected) in [
            (often(0.7), renewed),
            (often(0.5), unchanged),
            (rare.clone(), renewed),
            (common, unchanged),
        ] {
            let claims = [(line(1), older.clone()), (line(5), later)];
            assert_eq!(newer_first(&claims), expected);
        }
        // A word of less weight is the subject only if it is rare.
        let evening = word(2, 2.5, 7);
        let older = ComparedClaim {
            asked: vec![open, pool, evening],
            ..older
        };
        assert_eq!(newer_first(&[(line(1), older), (line(5), rare)]), unchanged);
    }

    #[test]
    fn moments_have_one_order_and_handwritten_line_is_later() {
        let days = [None, "2026-03-02".parse().ok(), "2026-03-03".parse().ok()];
        let mut moments = Vec::new();
        for day in days {
            for is_by_hand in [false, true] {
                for (path, line) in [("a.md", 1), ("a.md", 5), ("b.md", 3)] {
                    moments.push(PassageMoment {
                        day,
                        is_by_hand,
                        source: Source::Memory,
                        path,
                        line,
                    });
                }
            }
        }
        for one in &moments {
            for other in &moments {
                let (there, back) = (one.is_after(other), other.is_after(one));
                assert!(!(there && back), "{one:?} {other:?}");
                if one.day == other.day && one.is_by_hand && !other.is_by_hand {
                    assert!(there, "{one:?} {other:?}");
                }
                if one.is_by_hand && one.day.is_none() && other.day.is_some() {
                    assert!(!there && !back, "{one:?} {other:?}");
                }
            }
        }
    }

    #[test]
    fn newer_claim_on_same_subject_ranks_before_older() {
        let older = claim("The test coverage of the engine is 65%.", 1.0);
        let newer = claim("The test coverage of the engine is now 78%.", 0.95);
        let other = claim("The coverage of the roof is 20 meters.", 0.98);
        let claims = [
            (line(1), older.clone()),
            (line(9), other),
            (line(5), newer.clone()),
        ];
        assert_eq!(newer_first(&claims), [(2, Some(0)), (0, None), (1, None)]);
        let claims = [(line(5), newer), (line(1), older.clone())];
        assert_eq!(newer_first(&claims), [(0, None), (1, None)]);
        // What is said again in the same words renews nothing.
        let claims = [(line(1), older.clone()), (line(5), older)];
        assert_eq!(newer_first(&claims), [(0, None), (1, None)]);
    }

    #[test]
    fn note_renews_only_message_of_earlier_day() {
        let at = |path, day: &str, line| PassageMoment {
            day: day.parse().ok(),
            is_by_hand: false,
            source: Source::Session,
            path,
            line,
        };
        let message = claim("My dentist is Dr. Huber on the main square.", 1.0);
        let note = claim("The dentist is Dr. Huber on the main square.", 1.0);
        for (day, expected) in [
            ("2026-03-02", [(0, None), (1, None)]),
            ("2026-03-03", [(1, Some(0)), (0, None)]),
        ] {
            let claims = [
                (at("sessions/main.jsonl", "2026-03-02", 2), message.clone()),
                (at("memory/x.md", day, 7), note.clone()),
            ];
            assert_eq!(newer_first(&claims), expected);
        }
    }

    #[test]
    fn note_ranks_before_its_source_message_of_same_day() {
        let at = |source, day: &str| PassageMoment {
            day: day.parse().ok(),
            is_by_hand: false,
            source,
            path: "",
            line: 1,
        };
        let said = claim(
            "It's Thursday after all for the dentist, and I bought oranges",
            1.0,
        );
        let note = claim("The dentist is Thursday after all (2026-03-05)", 0.5);
        let other = claim("The plumber comes on Monday with a new boiler", 0.4);
        let claims = |day: &str, note: &ComparedClaim| {
            [
                (at(Source::Session, "2026-03-02"), said.clone()),
                (at(Source::Memory, day), note.clone()),
            ]
        };
        let unchanged = vec![(0, None), (1, None)];
        for (day, note, expected) in [
            ("2026-03-02", &note, vec![(1, None), (0, None)]),
            ("2026-03-03", &note, unchanged.clone()),
            ("2026-03-02", &other, unchanged.clone()),
        ] {
            let claims = claims(day, note);
            assert_eq!(notes_first(&claims, unchanged.clone()), expected);
        }
    }
}
