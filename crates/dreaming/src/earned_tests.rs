//! What lines earn, and which of them earn nothing for long.
//!
//! Asks nothing: the answers are given.

use memory::NoteText;

use super::*;

fn line(text: &str, source: &str) -> TriedLine {
    TriedLine {
        text: text.to_owned(),
        sources: BTreeSet::from([source.to_owned()]),
    }
}

fn question(shown: &[&str], lines: &[usize]) -> TriedQuestion {
    TriedQuestion {
        shown: shown.iter().map(|own| (*own).to_owned()).collect(),
        lines: lines.iter().copied().collect(),
    }
}

#[test]
fn line_earns_question_that_shows_it_and_not_its_source() {
    let lines = [
        line("Her sister lives in Graz.", "m:2"),
        line("The boat is blue.", "m:5"),
    ];
    let questions = [
        question(&["m:7"], &[0]),
        question(&[], &[0, 1]),
        // Its source is shown without it.
        question(&["m:2"], &[0]),
        // The question does not show it.
        question(&["m:7"], &[]),
    ];
    let earned = Earned::of(&lines, &questions);
    let times = lines.each_ref().map(|line| earned.times(&line.text));
    assert_eq!(times, [2, 1]);
    assert_eq!(earned.times("The fence is green."), 0);
}

/// The ids of lines that earned nothing, of a memory of one line of this day that was tried with this many questions.
fn unearned(day: &str, n_questions: usize, lines: &[usize]) -> Option<BTreeSet<String>> {
    let text = "The boat is blue.";
    let hash = base::short_hash(text);
    let mark = format!("<!-- n:aaa1 e:sessions/old.jsonl#e1 h:{hash} o:owner d:{day} -->");
    let memory = format!("## Facts\n\n- {text} {mark}\n");
    let memory = NoteText::alone(&memory).into_owned();
    let questions = vec![question(&[], lines); n_questions];
    let earned = Earned::of(&[line(text, "m:5")], &questions);
    earned.unearned(&memory, "2026-06-01".parse().unwrap())
}

#[test]
fn old_line_without_gain_is_unearned_if_enough_questions_were_asked() {
    let old = "2026-03-03";
    let own = BTreeSet::from(["aaa1".to_owned()]);
    assert_eq!(unearned(old, QUESTIONS_MIN, &[]), Some(own));
    assert_eq!(unearned(old, QUESTIONS_MIN - 1, &[]), None);
    let nothing = Some(BTreeSet::new());
    assert_eq!(unearned(old, QUESTIONS_MIN, &[0]), nothing);
    assert_eq!(unearned("2026-03-04", QUESTIONS_MIN, &[]), nothing);
}
