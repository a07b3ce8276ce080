//! Reminders in chats: what became of one, requests in two parts, and those that come up with a subject.
//!
//! Compares what the program prints and the page.

use serde_json::json;
use testkit::{TestHome, Words};

const PAGE: &str = "workspace/PROMISES.md";

#[test]
fn dropped_or_done_reminder_is_no_plan_of_its_message_or_its_note() {
    let home = TestHome::init();
    home.ok(&[
        "chat",
        "-m",
        "Remind me tomorrow at 9:30 to call the plumber.",
    ]);
    home.ok(&["chat", "-m", "Remind me tomorrow at 11:00 to feed the cat."]);
    let ahead = || {
        let listed = home.ok("agenda --json").stdout;
        let asked = home
            .ok(&["chat", "-s", "other", "-m", "What is coming up?"])
            .stdout;
        let reply: serde_json::Value = serde_json::from_str(&listed).unwrap();
        assert_eq!(reply["items"], json!([]), "{listed}");
        asked
    };
    ahead().holds("plumber");
    home.ok("agenda drop plumber");
    home.ok("agenda done cat");
    ahead().lacks("plumber");
    // A session that ends writes a note of its messages.
    home.ok("session compact main");
    let asked = ahead();
    asked.lacks("plumber");
    asked.lacks("cat");
    // A line that the owner deletes is dropped too.
    home.ok("agenda undo plumber")
        .stdout
        .holds("call the plumber");
    let page = home.read(PAGE);
    let kept: Vec<&str> = page
        .lines()
        .filter(|line| !line.contains("plumber"))
        .collect();
    home.write(PAGE, kept.join("\n"));
    ahead().lacks("plumber");
}

#[test]
fn dropped_reminder_is_restored_by_its_words_and_other_changes_name_that_command() {
    let home = TestHome::init();
    home.ok(&["agenda", "add", "tomorrow at 9:30 call dad"]);
    home.ok("agenda drop dad");
    let refused = home.run("agenda done dad").stderr.replace('\n', " ");
    refused.holds("the reminder \"call dad\" was dropped");
    refused.holds("agenda undo ");
    home.ok("agenda undo dad").stdout.holds("call dad");
    home.read(PAGE).holds("call dad ^");
}

#[test]
fn offline_chat_keeps_both_parts_of_a_request() {
    let home = TestHome::init();
    let said =
        "Remind me tomorrow at 9:30 to call dad and remember that I take 5 mg of bisoprolol.";
    let kept = home.ok(&["chat", "-m", said]);
    kept.stdout.holds("I will remind you");
    home.read(PAGE).holds(" 09:30 call dad ^");
    home.read("workspace/MEMORY.md")
        .holds("I take 5 mg of bisoprolol");
    home.read(PAGE).lacks("bisoprolol");
}

#[test]
fn reminder_of_a_subject_comes_up_in_a_chat_about_it_once_a_day() {
    let home = TestHome::init();
    let added = home.ok(&[
        "agenda",
        "add",
        "--about",
        "my bike",
        "ask whether the brake was repaired",
    ]);
    added
        .stdout
        .holds("when my bike comes up: ask whether the brake was repaired");
    home.read(PAGE)
        .holds("## When it comes up\n\n- my bike: ask whether the brake was repaired ^");
    home.ok("agenda")
        .stdout
        .holds("When it comes up\n  my bike: ask whether");
    home.ok(&["chat", "-m", "My sister lives in Graz."])
        .stderr
        .lacks("Reminder");
    let told = home.ok(&["chat", "-m", "I rode my bike to work today."]);
    told.stderr
        .holds("Reminder (about my bike): ask whether the brake was repaired");
    home.ok(&["chat", "-m", "My bike is blue."])
        .stderr
        .lacks("Reminder");
    home.ok("agenda done brake");
}

#[test]
fn reminder_whose_text_another_line_contains_does_not_come_up_with_that_line() {
    let home = TestHome::init();
    home.ok(&["agenda", "add", "--about", "bike", "pump"]);
    home.ok(&["agenda", "add", "--about", "car", "pump the tyres"]);
    let told = home.ok(&["chat", "-m", "The car is back."]);
    told.stderr.holds("Reminder (about car): pump the tyres");
    told.stderr.lacks("about bike");
}

#[test]
fn words_of_several_reminders_are_answered_with_the_command_for_each() {
    let home = TestHome::init();
    home.ok(&["agenda", "add", "2030-12-04 09:00 call Ann"]);
    home.ok(&["agenda", "add", "2030-12-05 10:00 call Bob"]);
    let refused = home.run("agenda done call").stderr.replace('\n', " ");
    refused.holds("several reminders match \"call\"");
    for (text, command) in [
        ("2030-12-04 09:00: call Ann", "agenda done "),
        ("2030-12-05 10:00: call Bob", "agenda done "),
    ] {
        refused.holds(text);
        assert_eq!(refused.matches(command).count(), 2, "{refused}");
    }
    let refused = home.run(&["agenda", "snooze", "call", "tomorrow at 10:00"]);
    refused
        .stderr
        .replace('\n', " ")
        .holds("'tomorrow at 10:00'` means");
}

#[test]
fn undo_takes_back_the_last_change_that_took_effect_and_names_it() {
    let home = TestHome::init();
    let nothing = home.run("agenda undo").stderr;
    nothing.holds("no reminder was changed lately");
    home.ok(&["agenda", "add", "2030-12-04 09:00 call Ann"]);
    home.ok(&["agenda", "add", "2030-12-05 10:00 pay rent"]);
    home.ok("agenda done Ann");
    home.run("agenda done nobody").with_code(1);
    let undone = home.ok("agenda undo").stdout;
    undone.holds("taken back: the reminder had been ticked off");
    undone.holds("2030-12-04 09:00: call Ann");
    home.read(PAGE).holds("- 2030-12-05 10:00 pay rent ^");
    home.ok("agenda drop rent");
    let undone = home.ok("agenda undo --json").stdout;
    let undone: serde_json::Value = serde_json::from_str(&undone).unwrap();
    assert_eq!(undone["takenBack"], json!("dropped"), "{undone}");
    home.ok("agenda undo rent")
        .stdout
        .holds("dropped: pay rent");
}

#[test]
fn placeholder_in_a_new_reminder_is_answered_with_a_command() {
    let home = TestHome::init();
    for words in ["YYYY-MM-DD 10:00 call Ann", "2030-12-04 HH:MM call Ann"] {
        let refused = home
            .run(&["agenda", "add", words])
            .stderr
            .replace('\n', " ");
        refused.holds("stands for a value");
        let command = refused.split("agenda add '").nth(1).unwrap();
        let filled = command.split('\'').next().unwrap();
        home.ok(&["agenda", "add", filled]).stdout.holds("call Ann");
    }
    let refused = home.run(&["agenda", "add", "2030-12-04 09:00 TEXT"]);
    refused.stderr.holds("does not say what to remind you of");
}
