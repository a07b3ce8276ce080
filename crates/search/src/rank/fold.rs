//! Folds results with the same words into one.
//!
//! Never folds results that differ in a word, a number or the speaker.

use std::collections::{BTreeSet, HashMap};

use base::{Day, Locator, Origin};

use super::model::SearchResult;
use crate::passage_source::Source;
use crate::terms::{Analyser, TermKind};

/// Results with fewer stems are too short to compare.
const STEMS_MIN: usize = 3;

/// The key by which two results are the same.
#[derive(Debug, PartialEq, Eq, Hash)]
struct FoldKey {
    stems: BTreeSet<String>,
    by: (Source, Origin, Option<String>),
    /// The day, if the question asks about days: repetitions on other days then count.
    on: Option<Day>,
}

/// Results, best first, each with the places of its repetitions.
#[derive(Default)]
pub(crate) struct Folded {
    pub(crate) results: Vec<SearchResult>,
    known: HashMap<FoldKey, usize>,
    analyser: Option<Analyser>,
    /// Whether a repetition on another day is a separate result.
    pub(crate) each_day: bool,
}

impl Folded {
    /// Adds a result, or adds its place to an earlier, better one with the same words.
    pub(crate) fn add(&mut self, result: SearchResult) {
        let analyser = self.analyser.get_or_insert_with(Analyser::new);
        if let Some(mut said) = said(analyser, &result) {
            said.on = result.day.filter(|_| self.each_day);
            if let Some(same) = self
                .known
                .get(&said)
                .and_then(|idx| self.results.get_mut(*idx))
            {
                same.last_confirmed = same.last_confirmed.max(result.day);
                same.also.push(Locator {
                    path: result.path,
                    start_line: result.start_line,
                    end_line: result.end_line,
                });
                return;
            }
            self.known.insert(said, self.results.len());
        }
        self.results.push(result);
    }
}

fn said(analyser: &mut Analyser, result: &SearchResult) -> Option<FoldKey> {
    let mut stems = BTreeSet::new();
    analyser.each(&result.text, &mut |kind, term| {
        if kind != TermKind::Exact {
            stems.insert(term.to_owned());
        }
    });
    (stems.len() >= STEMS_MIN).then(|| FoldKey {
        stems,
        by: (result.source, result.origin, result.speaker.clone()),
        on: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(line: usize, text: &str, speaker: Option<&str>) -> SearchResult {
        SearchResult {
            speaker: speaker.map(str::to_owned),
            ..crate::notes_kit::result(line, text)
        }
    }

    fn folded(texts: &[(&str, Option<&str>)]) -> Vec<(usize, Vec<usize>)> {
        let mut folded = Folded::default();
        for (line, (text, speaker)) in (1..).zip(texts) {
            folded.add(result(line, text, *speaker));
        }
        let lines = |result: SearchResult| {
            let also = result.also.iter().map(|place| place.start_line);
            (result.start_line, also.collect())
        };
        folded.results.into_iter().map(lines).collect()
    }

    #[test]
    fn same_words_fold_into_single_result_with_all_places() {
        let texts = [
            ("- The dentist is on Monday at 9", None),
            ("- Tea, five", None),
            ("- The dentist is at 9, on Mondays!", None),
            ("- Tea, five", None),
            ("- The dentist is on Monday at 9", None),
        ];
        // Two words are too little.
        assert_eq!(folded(&texts), [(1, vec![3, 5]), (2, vec![]), (4, vec![])]);
    }

    #[test]
    fn lines_that_differ_in_figure_negation_or_speaker_are_not_folded() {
        let texts = [
            ("- The garden gate is locked at 9", None),
            ("- The garden gate is locked at 8", None),
            ("- The garden gate is not locked at 9", None),
            ("- The garden gate isn't locked at 9", None),
            ("- The garden gate is locked at 9", Some("Anna")),
        ];
        let each = folded(&texts);
        assert_eq!(each, (1..=5).map(|line| (line, vec![])).collect::<Vec<_>>());
    }
}
