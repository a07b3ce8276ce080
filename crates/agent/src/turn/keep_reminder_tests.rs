//! Requests for reminders in a chat without a model: what the page then says, and what the owner is told.

use crate::event::Event;
use crate::test_kit::{Home, offline_home};

const NOW: &str = "2026-11-30T08:00:00Z";

fn begun() -> Home {
    let home = offline_home();
    home.runtime.home.workspace.init().unwrap();
    home
}

async fn told(home: &Home, text: &str) -> Vec<String> {
    let (_, events) = home.say_in("main", NOW, text).await;
    let mut told = Vec::new();
    for event in events {
        if let Event::MemoryChanged(notice) | Event::Notice(notice) = event {
            told.push(notice);
        }
    }
    told
}

/// The bullets of the page without their marks.
fn page(home: &Home) -> Vec<String> {
    let page = home.read("workspace/PROMISES.md");
    let bullets = page.lines().filter_map(|line| line.strip_prefix("- "));
    let bullets = bullets.map(|it| it.split(" ^").next().unwrap_or_default().to_owned());
    bullets.collect()
}

#[tokio::test]
async fn both_reminders_of_a_sentence_are_kept_at_their_own_times() {
    for (message, expected) in [
        (
            "remind me tomorrow at 9 to call Ann and on Friday at 10 to pay rent",
            ["2026-12-01 09:00 call Ann", "2026-12-04 10:00 pay rent"],
        ),
        (
            "remind me on Friday at 9 to call Ann and at 10 to pay rent",
            ["2026-12-04 09:00 call Ann", "2026-12-04 10:00 pay rent"],
        ),
        (
            "remind me on Friday to call Ann and at 10 to pay rent",
            ["2026-12-04 call Ann", "2026-12-04 10:00 pay rent"],
        ),
        (
            "remind me in an hour to call Ann and at 11 to pay rent",
            ["2026-11-30 10:00 call Ann", "2026-11-30 11:00 pay rent"],
        ),
    ] {
        let home = begun();
        let told = told(&home, message).await;
        assert_eq!(page(&home), expected, "{told:?}");
    }
}

#[tokio::test]
async fn part_without_a_day_behind_an_uncertain_part_is_asked_back() {
    let home = begun();
    let told = told(
        &home,
        "remind me tomorrow at 5 to call Ann and at 10 to pay rent",
    )
    .await;
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].contains("2026-12-01 05:00 call Ann"), "{told:?}");
    assert!(told[1].contains("YYYY-MM-DD 10:00 pay rent"), "{told:?}");
    assert_eq!(page(&home), Vec::<String>::new());
}

#[tokio::test]
async fn reminder_of_a_subject_is_kept_without_a_model() {
    let home = begun();
    let said = "Next time we talk about the boat, remind me to order the anodes";
    let told = told(&home, said).await;
    assert_eq!(page(&home), ["the boat: order the anodes"], "{told:?}");
    let [notice] = told.as_slice() else {
        panic!("{told:?}");
    };
    assert!(notice.starts_with("Reminder when the boat comes up: order the anodes (`"));
}

#[tokio::test]
async fn notices_about_a_reminder_are_in_the_language_of_the_message() {
    for (message, notice) in [
        (
            "Erinnere mich morgen um 9 an die Miete",
            "Erinnerung f\u{fc}r Dienstag, 2026-12-01 09:00: die Miete (`",
        ),
        (
            "Erinnere mich morgen um 5 an die Miete",
            "Es gibt noch keine Erinnerung, denn ihre Zeit ist nicht eindeutig: 5:00 kann morgens oder nachmittags sein. `",
        ),
        (
            "Rappelle-moi tous les lundis \u{e0} 19 h de sortir les poubelles",
            "Rappel pour lundi, 2026-11-30 19:00, chaque lundi \u{e0} 19:00 : sortir les poubelles (`",
        ),
        (
            "La prossima volta che parliamo della barca, ricordami di ordinare la vernice",
            "Promemoria, quando il tema \u{e8} barca: ordinare la vernice (`",
        ),
    ] {
        let home = begun();
        let told = told(&home, message).await;
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].starts_with(notice), "{told:?}");
    }
    let home = begun();
    told(&home, "Erinnere mich morgen um 9 an die Miete").await;
    let no = told(&home, "Nein").await;
    assert!(
        no[0].starts_with("Erinnerung entfernt: die Miete (`"),
        "{no:?}"
    );
}
