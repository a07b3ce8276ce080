//! The review of candidates: keys at a terminal of any width, lines if there is none.
//!
//! Compares what the owner sees and what is in memory afterwards.

use insta::assert_snapshot;
use testkit::{TestHome, Words};

use crate::dream::{REVIEW, said, undated};
use crate::terminal::Terminal;

/// The end of a screen.
const ASKED: &str = "[?] > ";

/// The end of the screen on which the last decision can be undone.
const ENDED: &str = "any other key to end > ";

pub(crate) const SAID: &str = "\
I prefer tea over coffee, can you find me a shop?
Always answer in metric units when I ask for a recipe.
We decided to rent the small hall because it is cheap.
Never schedule meetings before 10 am.
";

/// A home in which four candidates wait.
pub(crate) fn waiting() -> TestHome {
    let home = said(SAID);
    let dreamt = home.ok(REVIEW);
    dreamt.stdout.holds("waiting in DREAMS.md: 4");
    home
}

fn at_terminal(home: &TestHome, columns: u16) -> Terminal {
    let mut command = home.command("dream review");
    command.env("NO_COLOR", "1");
    Terminal::sized(command, columns)
}

/// Our lines in memory, and the number of waiting candidates.
fn outcome(home: &TestHome) -> (Vec<String>, usize) {
    let memory = home.memory();
    let memory = memory.lines().filter_map(|line| {
        let (text, _) = line.strip_prefix("- ")?.rsplit_once(" ^")?;
        Some(text.to_owned())
    });
    let dreams = home.read("workspace/DREAMS.md");
    let n_waiting = dreams.matches("\nStatus: pending").count();
    (memory.collect(), n_waiting)
}

#[track_caller]
fn fits(screen: &str, columns: usize) {
    for line in screen.lines() {
        assert!(line.chars().count() <= columns, "{columns}: {line}");
    }
    // Nothing but the text: neither colour nor a key that moves the cursor.
    assert!(!screen.contains('\u{1b}'), "{screen:?}");
}

#[test]
fn review_keys_decide_and_show_evidence_in_context() {
    let home = waiting();
    let mut terminal = at_terminal(&home, 80);
    let first = terminal.until(ASKED);
    fits(&first, 80);
    assert!(first.lines().count() <= 24, "{first}");
    terminal.press("o");
    let source = terminal.until(ASKED);
    terminal.press("?");
    let keys = terminal.until(ASKED);
    // Neither is a key of a review.
    for other in ["\u{1b}[A", "\u{e9}"] {
        terminal.press(other);
        let told = terminal.until(ASKED);
        assert!(told.contains("unknown key; ? lists the keys"), "{told}");
    }
    assert_snapshot!(
        "review_at_a_terminal",
        undated(&[first, source, keys].concat())
    );
    terminal.press("a");
    terminal.answer(ASKED, "e");
    terminal.until("in your words > ");
    // Ctrl-U takes the words away that are there.
    terminal.press("\u{15}Metric units in recipes.\r");
    let third = terminal.until(ASKED);
    assert!(third.contains("3 of 4"), "{third}");
    terminal.press("r");
    terminal.answer(ASKED, "s");
    terminal.until("accepted 2, rejected 1; 1 candidate waits");
    terminal.answer(ENDED, "q");
    terminal.end();
    let lines = [
        "Never schedule meetings before 10 am.",
        "Metric units in recipes.",
    ];
    assert_eq!(outcome(&home), (lines.map(str::to_owned).to_vec(), 1));
}

#[test]
fn ctrl_c_ends_review_and_keeps_decisions() {
    let home = waiting();
    let mut terminal = at_terminal(&home, 80);
    terminal.answer(ASKED, "a");
    terminal.until(ASKED);
    // In the middle of an edit it only gives the edit up.
    terminal.press("e");
    terminal.answer("in your words > ", " and nothing else\u{3}");
    terminal.answer(ASKED, "\u{3}");
    terminal.until("accepted 1, rejected 0; 3 candidates wait");
    terminal.end();
    let lines = vec!["Never schedule meetings before 10 am.".to_owned()];
    assert_eq!(outcome(&home), (lines, 3));
}

#[test]
fn review_undo_rejects_decisions_of_earlier_reviews() {
    let home = waiting();
    home.ok("dream accept --all");
    let _more = home.run_with_input("chat", "I prefer trains over planes.\n");
    home.ok(REVIEW);
    let memory = home.memory();
    let mut terminal = at_terminal(&home, 80);
    terminal.answer(ASKED, "u");
    let refused = terminal.until(ASKED);
    let why = "nothing was decided in this review yet";
    assert!(refused.contains(why), "{refused}");
    terminal.press("q");
    terminal.until("1 candidate waits");
    terminal.end();
    assert_eq!(home.memory(), memory);
    let answers = "s\n";
    let _skipped = home.run_with_input("dream review", answers);
    assert_eq!(home.memory(), memory);
}

#[test]
fn review_undo_restores_original_wording() {
    let home = said("Always answer in metric units when I ask for a recipe.\n");
    home.ok(REVIEW);
    let mut terminal = at_terminal(&home, 80);
    terminal.answer(ASKED, "e");
    terminal.answer("in your words > ", "\u{15}Metric units for ever.\r");
    terminal.answer(ENDED, "u");
    let again = terminal.until(ASKED);
    assert!(again.contains("Always answer in metric units"), "{again}");
    terminal.press("q");
    terminal.until("accepted 0, rejected 0; 1 candidate waits");
    terminal.end();
    let dreams = home.read("workspace/DREAMS.md");
    assert!(!dreams.contains("Metric units for ever"), "{dreams}");
    assert_eq!(outcome(&home), (Vec::new(), 1));
}

#[test]
fn review_undo_asks_for_candidate_again() {
    let home = waiting();
    let memory = home.memory();
    let run = home.run_with_input("dream review", "a\ns\nu\nq\n");
    let run = run.with_code(0);
    let asked: Vec<&str> = run
        .stdout
        .lines()
        .filter_map(|line| line.split_once(" of 4: ").map(|(number, _)| number))
        .collect();
    assert_eq!(asked, ["1", "2", "3", "1"]);
    assert_eq!(home.memory(), memory);
    run.stdout
        .ends("accepted 0, rejected 0; 4 candidates wait\n");
}

#[test]
fn review_undo_works_through_pipe() {
    let home = said("Always answer in metric units when I ask for a recipe.\n");
    let review = ["dream", "--now", "--set", "dreaming.promotion=review"];
    let _dreamt = home.run(&review).with_code(0);
    let run = home.run_with_input(&["dream", "review"], "a\nu\n");
    let told = run.with_code(0).stdout;
    told.ends("accepted 0, rejected 0; 1 candidate waits\n");
    assert_eq!(outcome(&home), (Vec::new(), 1));
}

#[test]
fn review_summary_and_dream_log_fit_30_columns() {
    let home = waiting();
    let mut terminal = at_terminal(&home, 30);
    terminal.answer(ASKED, "q");
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let end = terminal.rest();
    fits(&end, 30);
    assert!(words(&end).ends_with("accepted 0, rejected 0; 4 candidates wait"));
    let mut log = home.command("dream log");
    log.env("NO_COLOR", "1");
    let log = Terminal::sized(log, 30).rest();
    fits(&log, 30);
    assert!(words(&log).ends_with("read 4, proposed 4, refused 0, promoted 0, staged 4"));
}

#[test]
fn review_wraps_at_terminal_width_after_resize() {
    let home = waiting();
    let mut terminal = at_terminal(&home, 40);
    let narrow = terminal.until(ASKED);
    fits(&narrow, 40);
    for key in ["?", "u", "o", "a", "u"] {
        terminal.press(key);
        fits(&terminal.until(ASKED), 40);
    }
    terminal.resize(120);
    terminal.press("s");
    let wide = terminal.until(ASKED);
    fits(&wide, 120);
    let longest = wide.lines().map(|line| line.chars().count()).max();
    assert!(longest > Some(70), "{wide}");
    // Whoever edits lines is told of another size by a signal, and it ends nothing.
    terminal.press("e");
    terminal.answer("in your words > ", "\u{3}");
    terminal.until(ASKED);
    terminal.resize(20);
    for _ in 0..10 {
        testkit::signal(&terminal.child, "-WINCH");
    }
    terminal.press("s");
    // Words that are longer than the line stand alone on it; every one of them is there.
    let tiny = terminal.until(ASKED);
    assert!(tiny.contains("MEMORY.md"), "{tiny}");
    terminal.press("\u{4}");
    terminal.until("4 candidates\r\n  wait");
    terminal.end();
}

#[test]
fn review_without_terminal_reads_one_answer_per_line() {
    let home = waiting();
    let answers = "o\n?\naccept\ne\n\ne\nMetric units in recipes.\nr\ns\n";
    let run = home.run_with_input("dream review", answers);
    assert_snapshot!(
        "review_without_a_terminal",
        undated(&run.with_code(0).transcript())
    );
    let lines = [
        "Never schedule meetings before 10 am.",
        "Metric units in recipes.",
    ];
    assert_eq!(outcome(&home), (lines.map(str::to_owned).to_vec(), 1));
}

#[test]
fn review_without_answers_changes_nothing() {
    let home = waiting();
    let before = home.files();
    for input in ["", "?\n\n\u{1f600}\n", "e\n\n", "\u{0}\n"] {
        let run = home.run_with_input("dream review", input).with_code(0);
        assert!(
            run.stdout.ends_with("; 4 candidates wait\n"),
            "{input:?}: {}",
            run.stdout
        );
        assert_eq!(home.files(), before, "{input:?}");
    }
    let refused = home.run("dream review --json").with_code(2);
    assert_eq!(refused.json_lines()[0]["error"]["kind"], "usage");
}

/// A candidate that was decided in an editor during the review is not shown again.
#[test]
fn review_respects_decisions_saved_in_editor() {
    let home = waiting();
    let mut terminal = at_terminal(&home, 80);
    terminal.until(ASKED);
    let dreams = home.read("workspace/DREAMS.md");
    let decided = dreams.replace("Status: pending", "Status: rejected");
    home.write("workspace/DREAMS.md", decided);
    terminal.press("s");
    terminal.until("accepted 0, rejected 4; no candidates are waiting");
    terminal.end();
    assert_eq!(outcome(&home), (Vec::new(), 0));
}

#[test]
fn review_decides_ten_candidates_with_ten_keys() {
    let rules = [
        "Always answer in metric units.",
        "Never schedule meetings before ten.",
        "I prefer tea over coffee.",
        "I work at Bosch.",
        "I live in Graz.",
        "My dog is Rex.",
        "My sister Anna studies law in Vienna.",
        "I am allergic to peanuts.",
        "From now on, call the boat Heron.",
        "My birthday is on 3 March.",
    ];
    let home = said(&rules.map(|rule| format!("{rule}\n")).concat());
    let dreamt = home.ok(REVIEW);
    dreamt.stdout.holds("waiting in DREAMS.md: 10");
    let mut terminal = at_terminal(&home, 80);
    for (number, key) in (1..).zip("aararaasaa".chars()) {
        let screen = terminal.until(ASKED);
        assert!(screen.contains(&format!("{number} of 10")), "{screen}");
        terminal.press(&key.to_string());
    }
    terminal.until("accepted 7, rejected 2; 1 candidate waits");
    terminal.answer(ENDED, "q");
    terminal.end();
    let (lines, n_waiting) = outcome(&home);
    assert_eq!((lines.len(), n_waiting), (7, 1));
    // What was turned down does not come back.
    let again = home.ok(REVIEW);
    assert_eq!(
        again.stdout,
        "nothing new since the last dream; nothing was written\n"
    );
}

#[test]
fn review_rejects_piped_words_as_keys() {
    let home = waiting();
    let memory = home.memory();
    let run = home.run_with_input("dream review", "no\nabort\nall\nrather not\n");
    let run = run.with_code(0);
    assert_eq!(
        run.stdout.matches("unknown key").count(),
        4,
        "{}",
        run.stdout
    );
    assert_eq!(home.memory(), memory);
    run.stdout
        .ends("accepted 0, rejected 0; 4 candidates wait\n");
}

#[test]
fn decision_dry_run_reports_as_many_waiting_as_the_real_run() {
    for command in ["dream accept --all", "dream reject --all"] {
        let home = waiting();
        let dry = home.ok(&*format!("{command} --dry-run")).stdout;
        let real = home.ok(command).stdout;
        let left = real.lines().last().unwrap();
        assert!(dry.starts_with("dry run: nothing was written\n"), "{dry}");
        assert_eq!(dry.lines().last().unwrap(), left, "{dry}");
        assert_eq!(left, "no candidates are waiting");
    }
}

#[test]
fn undo_and_log_quote_the_decision() {
    let home = waiting();
    let listed = home.ok("dream list --json").json_lines().remove(0);
    let own = &listed["candidates"][0];
    let id = own["id"].as_str().unwrap();
    home.ok(&["dream", "reject", id]);
    let told = format!("you rejected \"{}\"", own["finding"].as_str().unwrap());
    home.ok("dream log").stdout.holds(&told);
    home.ok("dream undo --dry-run").stdout.holds(&format!(
        "dry run: nothing was written\nwould undo: {told}\n"
    ));
    home.ok("dream undo")
        .stdout
        .holds(&format!("undone: {told}\n"));
    home.ok("dream log")
        .stdout
        .holds(&format!("undone: {told}"));
}
