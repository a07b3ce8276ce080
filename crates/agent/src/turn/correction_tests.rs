//! Corrections in a chat without a model: when `MEMORY.md` changes, and which commands the reply offers otherwise.

use crate::event::Event;
use crate::test_kit::{Home, offline_home};

const MEMORY: &str = "workspace/MEMORY.md";
const AT: &str = "2026-03-02T08:00:00Z";

async fn begun(lines: &[&str]) -> Home {
    let home = offline_home();
    home.runtime.home.workspace.init().unwrap();
    for line in lines {
        home.say("2026-03-01T08:00:00Z", &format!("Remember that {line}."))
            .await;
    }
    home
}

/// The reply to a message, and the notices of changes of memory.
async fn said(home: &Home, text: &str) -> (String, Vec<String>) {
    let (reply, events) = home.say_in("main", AT, text).await;
    let mut notices = Vec::new();
    for event in events {
        if let Event::MemoryChanged(notice) = event {
            notices.push(notice);
        }
    }
    (reply, notices)
}

#[tokio::test]
async fn correction_of_only_fitting_line_takes_effect_and_can_be_undone() {
    for message in [
        "No, I live in Plagwitz.",
        "Correct that: I live in Plagwitz.",
        "That's wrong, it is Plagwitz.",
    ] {
        let home = begun(&["my sister Ann lives in Leeds", "I live in Connewitz"]).await;
        let before = home.read(MEMORY);
        let (reply, notices) = said(&home, message).await;
        assert!(reply.contains("corrections work"), "{message}: {reply}");
        let [notice] = &notices[..] else {
            panic!("{message}: {notices:?} {reply}");
        };
        assert!(
            notice.starts_with("Corrected: I live in Plagwitz (before: I live in Connewitz"),
            "{message}: {notice}"
        );
        let memory = home.read(MEMORY);
        assert!(memory.contains("- I live in Plagwitz ^"), "{memory}");
        assert!(!memory.contains("Connewitz"), "{memory}");
        // The id in the notice still reverts it after a later change.
        let (_, id) = notice.split_once("dream undo ").unwrap();
        let id = id.split('`').next().unwrap();
        said(&home, "Remember that the bins go out on Tuesday.").await;
        home.desk().undo_decision(id).unwrap();
        let memory = home.read(MEMORY);
        assert!(memory.contains("- I live in Connewitz"), "{memory}");
        assert!(memory.contains("bins"), "{memory}");
        assert!(memory.len() > before.len());
    }
}

#[tokio::test]
async fn correction_answers_in_language_of_message() {
    let home = offline_home();
    home.runtime.home.workspace.init().unwrap();
    said(&home, "Merk dir, dass wir in Salzburg wohnen.").await;
    said(&home, "Merk dir: Wir wohnen in Salzburg.").await;
    let (reply, notices) = said(&home, "Nein, wir wohnen in Graz.").await;
    assert!(reply.contains("Korrekturen wirken"), "{reply} {notices:?}");
}

#[tokio::test]
async fn correction_of_uncertain_line_offers_commands_and_changes_nothing() {
    let home = begun(&[
        "my sister Ann lives in Leeds",
        "my brother Tom lives in Leeds",
    ])
    .await;
    let before = home.read(MEMORY);
    let (reply, notices) = said(&home, "No, she lives in York.").await;
    assert_eq!(notices, [""; 0]);
    assert_eq!(home.read(MEMORY), before);
    assert!(reply.contains("not certain"), "{reply}");
    let commands = reply
        .matches("```\nopenclaw memory correct MEMORY.md:")
        .count();
    assert_eq!(commands, 2, "{reply}");
    // Nothing in memory is like it: it is a statement like any other.
    let (reply, notices) = said(&home, "No, the boiler is from Vaillant.").await;
    assert!(reply.contains("memory correct LINE TEXT"), "{reply}");
    assert_eq!(notices, [""; 0]);
    assert_eq!(home.read(MEMORY), before);
}

#[tokio::test]
async fn owners_line_and_line_of_other_subject_stay_with_correction() {
    let home = begun(&["I live with two cats"]).await;
    home.write(
        "MEMORY.md",
        &format!("{}\n- I live in Connewitz\n", home.read(MEMORY)),
    );
    let before = home.read(MEMORY);
    let (reply, notices) = said(&home, "No, I live in Plagwitz.").await;
    assert_eq!(notices, [""; 0]);
    assert!(reply.contains("'I live in Plagwitz'"), "{reply}");
    assert_eq!(home.read(MEMORY), before);
}

#[tokio::test]
async fn correction_of_note_writes_line_and_hides_note_as_older() {
    let home = offline_home();
    home.runtime.home.workspace.init().unwrap();
    home.note("I live in Connewitz", base::Origin::Owner);
    let before = home.read(MEMORY);
    // Nothing was just said of it.
    let (_, notices) = said(&home, "No, I live in Plagwitz.").await;
    assert_eq!((notices.len(), home.read(MEMORY)), (0, before));
    said(&home, "Where do I live?").await;
    let (_, notices) = said(&home, "No, I live in Plagwitz.").await;
    assert_eq!(notices.len(), 1, "{notices:?}");
    let memory = home.read(MEMORY);
    assert!(memory.contains("- I live in Plagwitz"), "{memory}");
}

#[tokio::test]
async fn value_alone_corrects_only_quoted_line() {
    let home = begun(&["my sister Ann lives in Leeds", "I live in Plagwitz"]).await;
    let (reply, _) = said(&home, "Where does Ann live?").await;
    assert!(reply.contains("Leeds"), "{reply}");
    let (reply, notices) = said(&home, "No, it is York.").await;
    assert_eq!(notices.len(), 1, "{reply}");
    let memory = home.read(MEMORY);
    assert!(memory.contains("- My sister Ann lives in York"), "{memory}");
    assert!(memory.contains("- I live in Plagwitz"), "{memory}");
}
