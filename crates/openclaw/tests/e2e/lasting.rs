//! Additions and corrections of memory by command, and the output of `about` and `agenda`.
//!
//! Compares the files that change.

use std::time::{Duration, SystemTime};

use testkit::{TestHome, Words};

fn home() -> TestHome {
    let home = TestHome::init();
    home.ok(&["memory", "add", "--lasting", "We live in Connewitz"]);
    home
}

#[test]
fn added_line_is_in_memory_and_log_and_undo_removes_it() {
    let home = TestHome::init();
    let before = home.memory();
    let dry = home.ok(&[
        "memory",
        "add",
        "--lasting",
        "--dry-run",
        "Ann eats no meat",
    ]);
    dry.stdout
        .holds("dry run: nothing was written\nin MEMORY.md: Ann eats no meat\n");
    assert_eq!(home.memory(), before);
    let added = home.ok(&["memory", "add", "--lasting", "Ann", "eats", "no", "meat"]);
    added.stdout.holds("in MEMORY.md: Ann eats no meat\n");
    home.memory().holds("## Facts\n\n- Ann eats no meat ^");
    home.notes().holds("- Ann eats no meat\n");
    let again = home.run(&["memory", "add", "--lasting", "Ann eats no meat"]);
    assert_eq!(again.code, Some(1));
    again
        .stderr
        .holds("MEMORY.md was not changed: already in MEMORY.md");
    let undone = home.ok("dream undo");
    undone
        .stdout
        .holds("undone: remembered: Ann eats no meat\nno candidates are waiting\n");
    assert_eq!(home.memory(), before);
}

#[test]
fn corrected_line_replaces_old_one_and_undo_restores_memory() {
    let home = home();
    let before = home.memory();
    let corrected = home.ok(&[
        "memory",
        "correct",
        "in connewitz",
        "We live in Markkleeberg",
    ]);
    corrected
        .stdout
        .holds("in MEMORY.md: We live in Markkleeberg\ninstead of: We live in Connewitz\n");
    home.memory().holds("- We live in Markkleeberg (until ");
    assert!(!home.memory().contains("- We live in Connewitz"));
    home.read("workspace/memory/archive.md")
        .holds("We live in Connewitz");
    home.ok("dream undo");
    assert_eq!(home.memory(), before);
    let missing = home.run(&["memory", "correct", "in Paris", "We live in Graz"]);
    missing
        .stderr
        .holds("neither a line of MEMORY.md nor a note of a daily log says \"in Paris\"");
    missing.stderr.holds("openclaw about");
}

#[test]
fn correction_does_not_name_value_that_was_never_true() {
    let home = home();
    let words = ["in Connewitz", "We live in Markkleeberg"];
    home.ok(&[&["memory", "correct", "--never-true"], &words[..]].concat());
    home.memory().holds("- We live in Markkleeberg ^");
    home.memory().lacks("until");
    // The archive explains itself to readers, but that is no memory.
    let found = home.ok(&["memory", "search", "for want of room or a newer value"]);
    found.stdout.lacks("What left MEMORY.md");
}

#[test]
fn correction_that_shares_no_word_with_its_line_takes_effect() {
    let home = TestHome::init();
    home.ok(&[
        "memory",
        "add",
        "--lasting",
        "I'm veggie since I was fourteen",
    ]);
    let corrected = home.ok(&["memory", "correct", "veggie", "Fish is fine for me again"]);
    corrected.stdout.holds("instead of: I'm veggie since");
    home.memory().holds("- Fish is fine for me again");
    assert!(!home.memory().contains("- I'm veggie"));
}

#[test]
fn line_written_by_hand_is_not_corrected_by_command() {
    let home = TestHome::init();
    home.write_memory("# Long-term memory\n\n- We live in Connewitz\n");
    let corrected = home.ok(&[
        "memory",
        "correct",
        "in Connewitz",
        "We live in Markkleeberg",
    ]);
    corrected
        .stdout
        .holds("you wrote that line of MEMORY.md, so it stays");
    assert_eq!(
        home.memory(),
        "# Long-term memory\n\n- We live in Connewitz\n"
    );
    home.ok("dream list")
        .stdout
        .holds("We live in Markkleeberg");
}

#[test]
fn about_prints_each_line_with_its_day_and_place() {
    let home = home();
    let empty = TestHome::init();
    empty
        .ok("about")
        .stdout
        .holds("nothing is known about you yet");
    let about = home.ok("about").stdout;
    about.holds("Facts\n  We live in Connewitz\n    2");
    about.holds(", MEMORY.md:5, from memory/");
    let object: serde_json::Value = serde_json::from_str(&home.ok("about --json").stdout).unwrap();
    let line = &object["lines"][0];
    assert_eq!(line["text"], "We live in Connewitz");
    assert_eq!(line["theme"], "Facts");
    assert_eq!(line["origin"], "owner");
    assert_eq!(line["place"], "MEMORY.md:5");
}

#[test]
fn agenda_prints_the_days_ahead() {
    let home = TestHome::init();
    home.ok("agenda")
        .stdout
        .holds("note names any of the next 30 days");
    home.ok(&["memory", "add", "The dentist is tomorrow at 9"]);
    home.ok("agenda")
        .stdout
        .holds("\n  The dentist is tomorrow at 9\n    memory/");
    let object: serde_json::Value =
        serde_json::from_str(&home.ok("agenda --days 2 --json").stdout).unwrap();
    assert_eq!(object["items"][0]["text"], "The dentist is tomorrow at 9");
    assert_eq!(object["days"], 2);
    home.ok("agenda --days 1")
        .stdout
        .holds("note names any of the next 1 day");
}

#[test]
fn refused_line_is_not_noted() {
    let home = home();
    let notes = home.notes();
    let long = "a word about the garden ".repeat(20);
    let secret = "The password of the router is hunter2-Xy7!qq";
    for (text, hint) in [
        (long.as_str(), "in fewer words"),
        ("Where does Ann live now?", "as a statement"),
        (secret, "without the secret"),
        ("We live in Connewitz", "openclaw about"),
    ] {
        let refused = home.run(&["memory", "add", "--lasting", text]);
        assert_eq!(refused.code, Some(1), "{text}");
        refused.stderr.replace("\n  ", " ").holds(hint);
        assert_eq!(home.notes(), notes, "{text}");
    }
    let refused = home.run(&["memory", "correct", "in Connewitz", "Where do we live now?"]);
    assert_eq!(refused.code, Some(1));
    assert_eq!(home.notes(), notes);
}

#[test]
fn evidence_of_line_already_in_log_is_that_log_line() {
    let home = TestHome::init();
    home.ok(&["memory", "add", "The boiler was serviced"]);
    home.ok(&["memory", "add", "Ann eats no meat"]);
    home.ok(&["memory", "add", "--lasting", "Ann eats no meat"]);
    let notes = home.notes();
    let line = notes.lines().position(|it| it == "- Ann eats no meat");
    let place = format!(".md:{}", line.unwrap() + 1);
    home.ok("about").stdout.holds(&place);
}

#[test]
fn handwritten_line_keeps_its_age_when_memory_changes() {
    let home = TestHome::init();
    home.write_memory("# Long-term memory\n\n- The rent of the flat is 950 euros\n");
    let by_hand = |home: &TestHome| {
        let file = home.path().join("workspace/MEMORY.md");
        let file = std::fs::File::options().write(true).open(file).unwrap();
        let june = SystemTime::UNIX_EPOCH + Duration::from_hours(24 * 18_414);
        file.set_modified(june).unwrap();
    };
    by_hand(&home);
    let said = r#"{"role":"user","content":"The rent of the flat is 1000 euros now","timestamp":"2020-11-25T08:00:00Z"}"#;
    home.replay("main", said);
    let is_newer_first = || {
        let found = home
            .ok("memory search What is the rent of the flat?")
            .stdout;
        let at = |text: &str| found.find(text).unwrap();
        at("1000 euros") < at("950 euros")
    };
    assert!(is_newer_first());
    home.ok(&["memory", "add", "--lasting", "Ann eats no meat"]);
    assert!(is_newer_first());
    home.ok("memory forget meat --yes");
    assert!(is_newer_first());
}

#[test]
fn moved_appointment_of_a_note_leaves_the_agenda_until_undone() {
    let home = TestHome::init();
    home.ok(&[
        "memory",
        "add",
        "The dentist appointment is tomorrow at 14:30",
    ]);
    home.ok(&["memory", "add", "The piano is tuned tomorrow"]);
    let agenda = || home.ok("agenda").stdout;
    agenda().holds("tomorrow at 14:30");
    let moved = "The dentist appointment is the day after tomorrow at 8:15";
    let corrected = home.ok(&["memory", "correct", "dentist appointment", moved]);
    corrected
        .stdout
        .holds("instead of: The dentist appointment is tomorrow at 14:30\n");
    agenda().holds(moved);
    agenda().holds("The piano is tuned tomorrow");
    agenda().lacks("14:30");
    home.ok("dream undo");
    agenda().holds("tomorrow at 14:30");
    agenda().lacks("8:15");
}

#[test]
fn typed_words_always_have_owner_origin() {
    let home = TestHome::init();
    home.ok("memory add --lasting Foo bar baz");
    home.memory().holds("- Foo bar baz ^");
    home.ok("memory correct 'Foo bar' Qux 42 zapp");
    home.memory().holds("- Qux 42 zapp");
    let empty = home.run("memory add --lasting Tea").with_code(1);
    empty.stderr.holds("hint: say a whole sentence, as in");
}

#[test]
fn correction_of_text_only_in_message_names_that_message() {
    let home = TestHome::init();
    home.ok("chat -m 'My appointment with the dentist is on 2030-12-10 at 8:30.'");
    let correct = "memory correct 'appointment with the dentist' The dentist is on 2030-12-12";
    let refused = home.run(correct).with_code(1);
    refused
        .stderr
        .holds("only the message at sessions/main.jsonl:");
    refused
        .stderr
        .holds("`openclaw memory add --lasting TEXT` adds the line");
}
