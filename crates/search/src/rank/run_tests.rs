//! Tests of search as a whole, on a real index.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use base::disk::{MemoryDisk, OsDisk};
use base::{Day, Disk, EmbedError, EmbedRole, Embedder, EmbedderProfile, Origin, TokenCount};
use proptest::prelude::*;
use proptest::test_runner::Config;

use super::*;
use crate::index::Index;
use crate::notes_kit::{FolderNotes, now};
use crate::passage::ResumePlace;
use crate::passage_source::{MessagesInMemory, Source, SourceMessage};
use crate::rank::{Degraded, EvidenceKind, SearchAnswer, SearchResult, refresh};
use crate::sync::{Corpus, SMALL_FILES_MAX, sync};

/// Notes in memory, messages in memory, and an index on the real disk.
pub(super) struct Home {
    pub(super) directory: tempfile::TempDir,
    notes: MemoryDisk,
    pub(super) workspace: FolderNotes,
    pub(super) sessions: MessagesInMemory,
    pub(super) index: Index,
}

impl Home {
    pub(super) fn new(files: &[(&str, &str)]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let notes = MemoryDisk::new();
        let disk: Arc<dyn Disk> = Arc::new(notes.clone());
        let workspace = FolderNotes::new(disk, "/w".into());
        notes.create_dir("/w/memory".as_ref()).unwrap();
        let path = directory.path().join("index");
        let index = Index::open(Arc::new(OsDisk), &path).unwrap();
        let home = Self {
            directory,
            notes,
            workspace,
            sessions: MessagesInMemory::default(),
            index,
        };
        for (path, text) in files {
            home.write(path, text);
        }
        home.sync();
        home
    }

    pub(super) fn write(&self, path: &str, text: &str) {
        let path = format!("/w/{path}");
        self.remove(&path);
        self.notes.append(path.as_ref(), text.as_bytes()).unwrap();
    }

    pub(super) fn remove(&self, path: &str) {
        if self.notes.stat(path.as_ref()).unwrap().is_some() {
            self.notes.remove(path.as_ref()).unwrap();
        }
    }

    fn open(&self, name: &str) -> Index {
        Index::open(Arc::new(OsDisk), &self.directory.path().join(name)).unwrap()
    }

    fn notes_alone(&self) -> Corpus<'_> {
        Corpus {
            notes: &self.workspace,
            sessions: None,
        }
    }

    pub(super) fn sync(&self) {
        self.sync_into(&self.index);
    }

    pub(super) fn sync_into(&self, index: &Index) {
        let corpus = Corpus {
            sessions: Some(&self.sessions),
            ..self.notes_alone()
        };
        let report = sync(index, &corpus, now(), &mut |_| ()).unwrap();
        assert!(report.problems.is_empty(), "{report:?}");
    }

    fn search(&self, question: &str) -> SearchAnswer {
        search(&self.index, question, &SearchOptions::default()).unwrap()
    }

    fn found(&self, question: &str) -> Vec<String> {
        shown(&self.search(question))
    }

    /// The lines of the results.
    fn lines(&self, question: &str) -> Vec<usize> {
        let results = self.search(question).results.into_iter();
        results.map(|result| result.start_line).collect()
    }
}

pub(super) fn shown(answer: &SearchAnswer) -> Vec<String> {
    let line = |result: &SearchResult| {
        format!(
            "{}:{}-{} {}",
            result.path, result.start_line, result.end_line, result.text
        )
    };
    answer.results.iter().map(line).collect()
}

pub(super) fn said(line: usize, speaker: &str, text: &str) -> SourceMessage {
    SourceMessage {
        place: ResumePlace::at_line(line),
        speaker: speaker.into(),
        text: text.into(),
        day: "2024-05-01".parse().ok(),
        origin: Origin::Owner,
    }
}

/// An embedder with a few synonyms; any other word has another direction.
#[derive(Debug, Clone)]
pub(super) struct ToyEmbedder {
    identity: &'static str,
    is_down: bool,
}

pub(super) const TOY: ToyEmbedder = ToyEmbedder {
    identity: "toy:1",
    is_down: false,
};

impl Embedder for ToyEmbedder {
    fn profile(&self) -> EmbedderProfile {
        EmbedderProfile {
            name: "toy".into(),
            identity: self.identity.into(),
            dimensions: Some(8),
            batch_max: 3,
        }
    }

    fn embed(&self, _: EmbedRole, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        if self.is_down {
            return Err(EmbedError::Unavailable {
                name: "toy".into(),
                reason: "it is down".into(),
            });
        }
        let vector = |text: &&str| {
            let mut vector = vec![0.0; 8];
            for word in text.split(|c: char| !c.is_alphanumeric()) {
                let axis = match word {
                    "" => continue,
                    "boat" | "ship" | "vessel" => 0,
                    _ => 1 + word.bytes().map(usize::from).sum::<usize>() % 7,
                };
                vector[axis] += if axis == 0 { 4.0 } else { 1.0 };
            }
            vector
        };
        Ok(texts.iter().map(vector).collect())
    }
}

impl Home {
    /// The same home, asked by a process that has an embedder.
    pub(super) fn embedding(mut self, embedder: impl Embedder + 'static) -> Self {
        let index = self.open("index");
        self.index = index.with_embedder(Some(Arc::new(embedder)));
        self
    }
}

#[test]
fn distant_note_is_unsure_among_few_and_hidden_among_many() {
    // Its cosine with `ship` is 0.32.
    let note = format!("- vessel{}\n", " tea".repeat(12));
    for (n_others, expected) in [
        (0, (vec![1], Some(NothingFound::Unlikely))),
        (99, (Vec::new(), Some(NothingFound::NoMatch))),
    ] {
        let others: Vec<String> = (0..n_others).map(|it| format!("- rain {it}\n")).collect();
        let notes = format!("{note}{}", others.concat());
        let home = Home::new(&[("MEMORY.md", &notes)]).embedding(TOY);
        home.sync();
        let nothing = home.search("ship").nothing;
        assert_eq!((home.lines("ship"), nothing), expected, "{n_others}");
    }
}

#[test]
fn synonym_is_found_by_meaning_after_sync() {
    let notes = "- the vessel left\n\n## B\n- tea and cake\n\n## C\n- rain all day\n";
    let home = Home::new(&[("MEMORY.md", notes)]).embedding(TOY);
    assert_eq!(
        home.search("ship").degraded,
        Some(Degraded::VectorsIncomplete)
    );
    assert_eq!(home.search("ship").nothing, Some(NothingFound::NoMatch));
    home.sync();
    let answer = home.search("ship");
    assert_eq!((answer.mode, answer.degraded), (SearchMode::Hybrid, None));
    assert_eq!(shown(&answer), ["MEMORY.md:1-1 - the vessel left"]);
}

#[test]
fn long_question_is_read_only_up_to_limit() {
    let home = Home::new(&[("MEMORY.md", "- the vessel left\n\n## B\n- tea and cake\n")]);
    let found = |n: usize| shown(&home.search(&format!("{}cake", "vessel ".repeat(n))));
    let both = [
        "MEMORY.md:1-1 - the vessel left",
        "MEMORY.md:4-4 - tea and cake",
    ];
    assert_eq!(
        (found(1), found(3_000)),
        (both.map(str::to_owned).into(), vec![both[0].to_owned()])
    );
}

#[test]
fn new_embedder_degrades_search_to_words_until_sync() {
    let home =
        Home::new(&[("MEMORY.md", "- the vessel left\n\n## B\n- a boat came\n")]).embedding(TOY);
    home.sync();
    let next = ToyEmbedder {
        identity: "toy:2",
        ..TOY
    };
    let home = home.embedding(next);
    let answer = home.search("boat");
    assert_eq!(
        (answer.mode, answer.degraded),
        (SearchMode::Keyword, Some(Degraded::VectorsIncomplete))
    );
    assert_eq!(shown(&answer), ["MEMORY.md:4-4 - a boat came"]);
    home.sync();
    assert_eq!(home.search("boat").mode, SearchMode::Hybrid);
}

#[test]
fn failing_embedder_fails_neither_sync_nor_search() {
    let down = ToyEmbedder {
        is_down: true,
        ..TOY
    };
    let home = Home::new(&[("MEMORY.md", "- a boat came\n")]).embedding(TOY);
    home.sync();
    let home = home.embedding(down);
    home.write("memory/new.md", "- the boat left\n");
    let report = sync(&home.index, &home.notes_alone(), now(), &mut |_| ()).unwrap();
    assert!(matches!(
        report.unembedded,
        Some(EmbedError::Unavailable { .. })
    ));
    let answer = home.search("boat");
    assert_eq!(
        (answer.mode, answer.degraded),
        (SearchMode::Keyword, Some(Degraded::EmbedderFailed))
    );
    assert_eq!(answer.results.len(), 2);
}

#[test]
fn score_equals_bm25_computed_by_hand() {
    let home = Home::new(&[(
        "MEMORY.md",
        "- red boat\n\n## Two\n- blue boat boat\n\n## Three\n- green leaf stem root\n",
    )]);
    let options = SearchOptions {
        explain: true,
        ..SearchOptions::default()
    };
    let answer = search(&home.index, "boat", &options).unwrap();
    // Three passages of 2, 3 and 4 words in sections of their own; "boat" stands in two of them.
    let idf = (1.0_f64 + (3.0 - 2.0 + 0.5) / (2.0 + 0.5)).ln();
    let bm25 =
        |count: f64, n_words: f64| count * 1.8 / (count + 0.8 * (0.85 + 0.15 * n_words / 3.0));
    let section =
        |count: f64, n_words: f64| count * 2.5 / (count + 1.5 * (0.25 + 0.75 * n_words / 3.0));
    // Words count 1; the section, which is the passage alone, 0.1 with the numbers of documents. Neither takes a
    // quarter of the usual room.
    let room = 0.05 * 4.0_f64.ln();
    let expected = [
        bm25(2.0, 3.0) + section(2.0, 3.0) * 0.1 + room,
        bm25(1.0, 2.0) + section(1.0, 2.0) * 0.1 + room,
    ];
    let scores: Vec<f64> = answer.results.iter().map(|result| result.score).collect();
    assert_eq!(scores.len(), 2);
    for (score, expected) in scores.iter().zip(expected) {
        assert!((score - expected).abs() < 1e-9, "{scores:?} {expected}");
    }
    let explanation = answer.results[0].explanation.clone().unwrap();
    let sum: f64 = explanation.parts.iter().map(|(_, value)| value).sum();
    assert!((sum - scores[0]).abs() < 1e-9);
    assert_eq!(explanation.parts[0].0, EvidenceKind::Words);
    assert!(
        (explanation.terms[0].idf - idf).abs() < 1e-9
            && (explanation.terms[0].count - 2.0).abs() < 1e-9
    );
}

#[test]
fn words_score_equals_neighbours_and_rarity_computed_by_hand() {
    let home = Home::new(&[(
        "MEMORY.md",
        "- red boat\n- blue leaf\n- green boat boat stone\n\n## Far\n- lamp chair table shelf\n",
    )]);
    let options = SearchOptions {
        explain: true,
        ..SearchOptions::default()
    };
    let answer = search(&home.index, "boat leaf", &options).unwrap();
    // Four passages of 2, 2, 4 and 4 words; "boat" stands in two of them, "leaf" in one.
    let idf = |n_with: f64| (1.0 + (4.0 - n_with + 0.5) / (n_with + 0.5)).ln();
    let (boat, leaf) = (idf(2.0), idf(1.0));
    let tf = |count: f64, n_words: f64| {
        count * 1.8 / (count + 0.8 * (1.0 - 0.15 + 0.15 * n_words / 3.0))
    };
    // A word counts 0.3 in the passage next to its own and 0.15 in the next one; never in another section.
    let words = |n_boat: f64, n_leaf: f64, n_words: f64| {
        (boat * tf(n_boat, n_words) + leaf * tf(n_leaf, n_words)) / (boat + leaf)
    };
    let expected = [
        ("- red boat", words(1.0 + 2.0 * 0.15, 0.3, 2.0)),
        ("- blue leaf", words(0.3 + 2.0 * 0.3, 1.0, 2.0)),
        ("- green boat boat stone", words(2.0 + 0.15, 0.3, 4.0)),
    ];
    assert_eq!(answer.results.len(), expected.len());
    for (text, by_hand) in expected {
        let result = answer.results.iter().find(|result| result.text == text);
        let explanation = result.unwrap().explanation.as_ref().unwrap();
        let (evidence, value) = explanation.parts[0];
        assert_eq!(evidence, EvidenceKind::Words);
        assert!((value - by_hand).abs() < 1e-9, "{text}: {value} {by_hand}");
    }
}

#[test]
fn results_have_exact_text_and_line_numbers() {
    let home = Home::new(&[
        (
            "MEMORY.md",
            "# Facts\n\n- The boat is\n  called Ada.\n- Tea at five\n",
        ),
        ("memory/2024-05-01.md", "# 2024-05-01\n- boat repaired\n"),
    ]);
    assert_eq!(
        home.found("boat"),
        [
            "memory/2024-05-01.md:2-2 - boat repaired",
            "MEMORY.md:3-4 - The boat is\n  called Ada.",
            // It stands next to what was asked for.
            "MEMORY.md:5-5 - Tea at five"
        ]
    );
}

#[test]
fn empty_search_result_gives_reason() {
    let home = Home::new(&[("MEMORY.md", "- The boat is called Ada.\n")]);
    let nothing = |question: &str| home.search(question).nothing;
    assert_eq!(nothing("?!"), Some(NothingFound::NoWords));
    assert_eq!(nothing("submarine"), Some(NothingFound::NoMatch));
    let budget = SearchOptions {
        budget: Some(TokenCount(2)),
        ..SearchOptions::default()
    };
    assert_eq!(
        search(&home.index, "boat", &budget).unwrap().nothing,
        Some(NothingFound::OverBudget)
    );
    assert_eq!(nothing("boat"), None);
}

#[test]
fn results_far_below_best_are_dropped() {
    let home = Home::new(&[(
        "MEMORY.md",
        "- The red boat sails to Rome\n\n## House\n- A red house\n\n## Sea\n- The boat sails\n",
    )]);
    // One word of four is about a quarter of the question; half of it is enough.
    assert_eq!(
        home.found("red boat sails Rome"),
        [
            "MEMORY.md:1-1 - The red boat sails to Rome",
            "MEMORY.md:7-7 - The boat sails"
        ]
    );
}

#[test]
fn list_item_with_word_ranks_first_among_other_text() {
    let page = "# Boats\n\n- The boat is called Aurora.\n- The dentist is Dr Weber.\n\nI like short answers.\n";
    let home = Home::new(&[
        ("boats.md", page),
        ("memory/2026-03-02.md", "- We sail on Sunday\n"),
    ]);
    let found = home.search("Aurora");
    assert_eq!(found.results[0].text, "- The boat is called Aurora.");
}

#[test]
fn repeated_line_is_one_result_with_both_places() {
    let home = Home::new(&[
        ("MEMORY.md", "- The boat is moored in Rome\n"),
        (
            "memory/2024-05-01.md",
            "# 2024-05-01\n- the boat is moored, in Rome\n- The boat is moored in Paris\n",
        ),
    ]);
    let shown = |options: &SearchOptions| -> Vec<(String, Vec<String>)> {
        let answer = search(&home.index, "where is the boat moored in Rome", options).unwrap();
        let results = answer.results.into_iter();
        let told = |result: SearchResult| {
            let also = result.also.iter().map(ToString::to_string).collect();
            (format!("{}:{}", result.path, result.start_line), also)
        };
        results.map(told).collect()
    };
    let first = shown(&SearchOptions::default());
    let mut both = vec![first[0].0.clone()];
    both.extend(first[0].1.iter().cloned());
    both.sort();
    assert_eq!(
        both,
        ["MEMORY.md:1", "memory/2024-05-01.md:2"].map(String::from)
    );
    assert_eq!(first.len(), 2);
    let each = SearchOptions {
        each_place: true,
        ..SearchOptions::default()
    };
    assert_eq!(shown(&each).len(), 3);
}

#[test]
fn budget_holds_whole_passages_only() {
    let long = "boat ".repeat(60);
    let home = Home::new(&[(
        "MEMORY.md",
        &format!("- boat\n\n## A\n- {long}\n\n## B\n- boat two\n"),
    )]);
    let options = SearchOptions {
        budget: Some(TokenCount(10)),
        ..SearchOptions::default()
    };
    let found = shown(&search(&home.index, "boat", &options).unwrap());
    assert_eq!(found.len(), 2, "{found:?}");
}

#[test]
fn i7_scores_do_not_depend_on_age() {
    let talk = "## 10:00 talk\n\n- Anna: the old boat leaks\n- Bob: when do you mend it?\n- Anna: on Sunday, with Eve\n- Bob: fine\n";
    let other = "## 10:00 talk\n\n- Bob: I sold my boat\n- Anna: a pity\n";
    let old = Home::new(&[
        ("memory/2014-05-01.md", talk),
        ("memory/2013-05-02.md", other),
    ]);
    let new = Home::new(&[
        ("memory/2026-11-14.md", talk),
        ("memory/2026-11-13.md", other),
    ]);
    for question in ["When does Anna mend the boat?", "who sold a boat", "Eve"] {
        let lines = |home: &Home| -> Vec<(String, f64)> {
            home.search(question)
                .results
                .into_iter()
                .map(|result| (result.text, result.score))
                .collect()
        };
        assert_eq!(lines(&old), lines(&new), "{question}");
    }
}

#[test]
fn newer_passage_on_same_subject_ranks_first_and_names_older() {
    let mut home = Home::new(&[]);
    let messages = vec![
        said(2, "user", "The test coverage of the module is 65%."),
        said(3, "user", "What is for lunch?"),
        said(4, "user", "The test coverage of the module is now 78%."),
    ];
    home.sessions.documents = vec![("sessions/main.jsonl".into(), messages)];
    home.sync();
    let places = |question: &str| -> Vec<(usize, Option<usize>)> {
        let results = home.search(question).results.into_iter();
        results
            .map(|result| {
                (
                    result.start_line,
                    result.renews.map(|older| older.start_line),
                )
            })
            .filter(|(line, _)| *line != 3)
            .collect()
    };
    assert_eq!(
        places("What is the test coverage of the module?"),
        [(4, Some(2)), (2, None)]
    );
}

#[test]
fn update_in_other_words_ranks_first_except_for_past_days() {
    let mut home = Home::new(&[]);
    let mut messages = vec![
        said(2, "user", "The ferry to Lisca costs nine crowns a ride"),
        said(3, "user", "By the way, a ride to Lisca is twelve"),
    ];
    messages.extend((4..24).map(|line| said(line, "user", "Fine again")));
    home.sessions.documents = vec![("sessions/main.jsonl".into(), messages)];
    home.sync();
    let lines = |question: &str| -> Vec<usize> {
        let options = SearchOptions {
            today: "2026-06-10".parse().ok(),
            ..SearchOptions::default()
        };
        let found = search(&home.index, question, &options).unwrap();
        let lines = found.results.iter().map(|it| it.start_line);
        lines.filter(|line| *line < 4).collect()
    };
    assert_eq!(lines("How much does a ride to Lisca cost now?"), [3, 2]);
    assert_eq!(lines("How much does a ride to Lisca cost today?"), [3, 2]);
    assert_eq!(
        lines("How much does a ride to Lisca cost this year?"),
        [3, 2]
    );
    assert_eq!(
        lines("How much did a ride to Lisca cost last week?"),
        [2, 3]
    );
}

#[test]
fn relative_days_in_question_need_todays_date() {
    let home = Home::new(&[
        ("memory/2024-05-01.md", "- Anna mended the boat\n"),
        ("memory/2024-05-10.md", "- Anna mended the boat\n"),
    ]);
    let first = |today: Option<&str>| {
        let options = SearchOptions {
            today: today.and_then(|today| today.parse().ok()),
            ..SearchOptions::default()
        };
        let answer = search(&home.index, "what did Anna mend last week", &options).unwrap();
        answer.results[0].path.clone()
    };
    assert_eq!(first(Some("2024-05-15")), "memory/2024-05-10.md");
    assert_eq!(first(Some("2024-05-09")), "memory/2024-05-01.md");
    assert_eq!(first(None), "memory/2024-05-01.md");
}

#[test]
fn identifiers_are_found_as_written() {
    let home = Home::new(&[(
        "MEMORY.md",
        "- edit src/main.rs\n- edit src/lib.rs and main\n\n## B\n- version 1.2.3 of it\n- version 1.3.2 of it\n\n## C\n- it cost $1,200\n- it cost $1,300\n\n## D\n- up by 12.5%\n- born on 7 May 1990\n",
    )]);
    for (question, line) in [
        ("main.rs", 1),
        ("src/lib.rs", 2),
        ("1.3.2", 6),
        ("$1,300", 10),
        ("12.5%", 13),
        ("May 7", 14),
    ] {
        assert_eq!(home.lines(question).first(), Some(&line), "{question}");
    }
}

#[test]
fn name_of_several_words_is_found_as_written() {
    let home = Home::new(&[(
        "MEMORY.md",
        "- the new office is in York\n- the office moves to New York\n",
    )]);
    for question in ["New York", "What did we say of the office in \"New York\"?"] {
        assert_eq!(home.lines(question), [2, 1], "{question}");
    }
}

#[test]
fn scripts_without_spaces_are_found() {
    let home = Home::new(&[(
        "MEMORY.md",
        "- \u{6771}\u{4eac}\u{90fd}\u{306b}\u{4f4f}\u{3080}\n- \u{0e41}\u{0e21}\u{0e27}\u{0e14}\u{0e33}\n- plain words\n",
    )]);
    for (question, line) in [
        ("\u{6771}\u{4eac}", 1),
        ("\u{4f4f}", 1),
        ("\u{0e41}\u{0e21}\u{0e27}", 2),
    ] {
        assert_eq!(home.lines(question).first(), Some(&line), "{question}");
    }
}

#[test]
fn message_is_single_result_showing_its_best_part() {
    let filler = "Nothing of interest is said in this sentence at all. ".repeat(30);
    let mut home = Home::new(&[]);
    home.sessions.documents = vec![(
        "sessions/main.jsonl".into(),
        vec![
            said(2, "user", "Where is the boat?"),
            said(
                3,
                "assistant",
                &format!("{filler}The boat lies in the harbour of Kiel. {filler}"),
            ),
        ],
    )];
    home.sync();
    let answer = home.search("Kiel harbour");
    assert_eq!(answer.results[0].start_line, 3);
    assert!(
        answer.results[0].text.contains("Kiel") && answer.results[0].text.chars().count() <= 900
    );
    let lines = home.lines("Kiel harbour").into_iter();
    assert_eq!(lines.filter(|line| *line == 3).count(), 1);
    let only = SearchOptions {
        source: Some(Source::Memory),
        ..SearchOptions::default()
    };
    assert_eq!(search(&home.index, "boat", &only).unwrap().results, []);
}

#[test]
fn grown_document_answers_like_fresh_index() {
    let mut home = Home::new(&[]);
    let message = |line: usize| said(line, "user", &format!("boat number {line} sails"));
    home.sessions.documents = vec![(
        "sessions/main.jsonl".into(),
        (2..700).map(message).collect(),
    )];
    home.sync();
    home.sessions.documents[0].1.push(message(700));
    home.sync();
    let fresh = Home::new(&[]);
    home.sync_into(&fresh.index);
    for question in ["boat 700", "number 255", "boat 3"] {
        assert_eq!(
            home.search(question),
            search(&fresh.index, question, &SearchOptions::default()).unwrap()
        );
    }
    assert_eq!(home.search("700").results[0].start_line, 700);
}

#[test]
fn search_is_bounded_by_days() {
    let home = Home::new(&[
        ("memory/2024-05-01.md", "- boat one\n"),
        ("memory/2024-05-02.md", "- boat two\n"),
        ("USER.md", "boat three\n"),
    ]);
    let day = |text: &str| text.parse::<Day>().ok();
    let found = |after, before| {
        let options = SearchOptions {
            after,
            before,
            ..SearchOptions::default()
        };
        shown(&search(&home.index, "boat", &options).unwrap())
    };
    assert_eq!(
        found(day("2024-05-02"), None),
        ["memory/2024-05-02.md:1-1 - boat two"]
    );
    assert_eq!(
        found(None, day("2024-05-01")),
        ["memory/2024-05-01.md:1-1 - boat one"]
    );
    assert_eq!(found(None, None).len(), 3);
}

#[test]
fn refresh_indexes_small_change_at_once_and_large_one_in_parts() {
    let home = Home::new(&[("MEMORY.md", "- boat\n")]);
    let degraded = || {
        let freshness = refresh(&home.index, &home.notes_alone(), now(), &mut |_| ());
        freshness.unwrap().degraded
    };
    home.write("memory/new.md", "- a new boat\n");
    assert_eq!(degraded(), None);
    assert_eq!(home.found("boat").len(), 2);
    for number in 0..120 {
        let text = format!("- cup{number} is on the shelf\n");
        home.write(&format!("memory/{number}.md"), &text);
    }
    let n_found = || (0..120).filter(|number| !home.found(&format!("cup{number}")).is_empty());
    assert_eq!(degraded(), Some(Degraded::Stale));
    // The two older notes were saved a moment before they were read, so they are read again.
    assert_eq!(n_found().count(), SMALL_FILES_MAX - 2);
    assert_eq!(degraded(), Some(Degraded::Stale));
    assert_eq!(degraded(), None);
    assert_eq!(n_found().count(), 120);
}

#[derive(Debug, Clone)]
enum Edit {
    Write(u8, String),
    Append(u8, String),
    Remove(u8),
    Say(u8, String),
    Cut(u8),
}

fn any_edit() -> impl Strategy<Value = Edit> {
    let bullet = "- (Anna|Bob): ([a-d]{1,2} ){1,6}(\\?|boat|2024)";
    let note = proptest::collection::vec(
        prop_oneof![4 => Just(()).prop_flat_map(move |()| bullet), 1 => "## [a-d]{1,3}"],
        0..12,
    );
    prop_oneof![
        3 => (0..12_u8, note.clone()).prop_map(|(file, lines)| Edit::Write(file, lines.join("\n"))),
        3 => (0..12_u8, note).prop_map(|(file, lines)| Edit::Append(file, lines.join("\n"))),
        1 => (0..12_u8).prop_map(Edit::Remove),
        3 => (0..3_u8, "([a-d]{1,2} ){1,8}[?.]").prop_map(|(document, text)| Edit::Say(document, text)),
        1 => (0..3_u8).prop_map(Edit::Cut),
    ]
}

fn apply(home: &mut Home, notes: &mut BTreeMap<u8, String>, edit: Edit) {
    let path = |file: u8| format!("memory/2024-05-{:02}.md", file + 1);
    match edit {
        Edit::Write(file, text) => {
            home.write(&path(file), &text);
            notes.insert(file, text);
        }
        Edit::Append(file, text) => {
            let whole = notes.entry(file).or_default();
            whole.push('\n');
            whole.push_str(&text);
            home.write(&path(file), whole);
        }
        Edit::Remove(file) => {
            home.remove(&format!("/w/{}", path(file)));
            notes.remove(&file);
        }
        Edit::Say(document, text) => {
            let name = format!("sessions/{document}.jsonl");
            let documents = &mut home.sessions.documents;
            if documents.iter().all(|(path, _)| *path != name) {
                documents.push((name.clone(), Vec::new()));
            }
            let mut documents = documents.iter_mut();
            let (_, messages) = documents.find(|(path, _)| *path == name).unwrap();
            let asks = text.ends_with('?');
            let speaker = if asks { "user" } else { "assistant" };
            messages.push(said(messages.len() + 2, speaker, &text));
        }
        Edit::Cut(document) => {
            home.sessions
                .documents
                .retain(|(path, _)| *path != format!("sessions/{document}.jsonl"));
        }
    }
}

proptest! {
    #![proptest_config(Config { cases: 3, max_shrink_iters: 20, ..Config::default() })]
    #[test]
    fn i7_rebuilt_index_gives_same_answers(
        batches in proptest::collection::vec(proptest::collection::vec(any_edit(), 90..110), 8..10),
    ) {
        let mut home = Home::new(&[]).embedding(TOY);
        let mut notes = BTreeMap::new();
        for batch in batches {
            for edit in batch {
                apply(&mut home, &mut notes, edit);
            }
            home.sync();
            let rebuilt = home.open("rebuilt").with_embedder(Some(Arc::new(TOY)));
            home.sync_into(&rebuilt);
            for question in ["ab", "When did Anna see a boat?", "a b c d", "Bob dd ca", "2024-05-03 boat", "did you say ba"] {
                let options = SearchOptions { limit: 40, ..SearchOptions::default() };
                let incremental = search(&home.index, question, &options).unwrap();
                prop_assert_eq!(&incremental, &search(&rebuilt, question, &options).unwrap(), "{}", question);
                prop_assert!(incremental.results.iter().all(|result| result.score.is_finite()));
            }
            drop(rebuilt);
            fs::remove_dir_all(home.directory.path().join("rebuilt")).unwrap();
        }
    }
}
