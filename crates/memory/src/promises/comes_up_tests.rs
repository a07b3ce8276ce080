//! Promises of a subject: which one is claimed, when again, and how the page holds them.

use base::{Origin, Timestamp, Tz};

use super::*;
use crate::Workspace;
use crate::workspace_kit::{text_if_there, workspace_with};

const PAGE: &str = "/home/workspace/PROMISES.md";

fn at(text: &str) -> (Timestamp, Tz) {
    (text.parse().unwrap(), Tz::named("Europe/Berlin").unwrap())
}

/// The text that a conversation about this subject brings up.
fn told(workspace: &Workspace, now: &str, subject: &str) -> Option<String> {
    let has_come_up = |own: &Promise| (own.occasion.subject() == Some(subject)).then_some(0);
    let own = claim_subject(workspace, at(now), "main", &has_come_up).unwrap();
    own.map(|own| own.text)
}

#[test]
fn promise_of_a_subject_is_told_once_a_day_until_it_is_done() {
    let workspace = workspace_with(&[(
        "PROMISES.md",
        b"## When it comes up\n\n- the bike: ask about the brake\n- Ana: thank her\n- no subject\n"
            as &[u8],
    )]);
    let list = promises(
        &workspace,
        at("2026-11-30T08:00:00Z").0,
        at("2026-11-30T08:00:00Z").1,
    );
    let list = list.unwrap();
    assert_eq!(list.promises.len(), 2);
    assert_eq!(list.unread.len(), 1);
    assert!(list.promises.iter().all(|(_, open)| open.is_none()));
    for (now, subject, expected) in [
        ("2026-11-30T08:00:00Z", "a boat", None),
        (
            "2026-11-30T08:00:00Z",
            "the bike",
            Some("ask about the brake"),
        ),
        ("2026-11-30T09:00:00Z", "the bike", None),
        // A clock that was set back brings nothing up again.
        ("2026-11-30T07:00:00Z", "the bike", None),
        ("2026-12-01T07:59:59Z", "the bike", None),
        ("2026-11-30T09:00:00Z", "Ana", Some("thank her")),
        (
            "2026-12-01T08:00:00Z",
            "the bike",
            Some("ask about the brake"),
        ),
    ] {
        assert_eq!(
            told(&workspace, now, subject).as_deref(),
            expected,
            "{now} {subject}"
        );
    }
    settle(&workspace, at("2026-12-01T08:00:00Z")).unwrap();
    let page = text_if_there(workspace.disk(), PAGE).unwrap();
    assert!(page.contains("- the bike: ask about the brake ^"), "{page}");
    let list = promises(
        &workspace,
        at("2026-12-01T08:00:00Z").0,
        at("2026-12-01T08:00:00Z").1,
    );
    let id = list.unwrap().promises[0].0.id.clone();
    let change = (id.as_str(), &PromiseChange::Done);
    change_promise(&workspace, change, at("2026-12-02T08:00:00Z"), &|_| true).unwrap();
    assert_eq!(told(&workspace, "2026-12-05T08:00:00Z", "the bike"), None);
}

#[test]
fn added_promise_of_a_subject_stands_in_its_section_and_is_never_due() {
    let workspace = workspace_with(&[]);
    let (now, zone) = at("2026-11-30T08:00:00Z");
    let new = NewPromise::about("Bike: repairs", "ask about: the brake".to_owned());
    let made = add_promise(&workspace, new, now, zone).unwrap().promise;
    assert_eq!(made.occasion.subject(), Some("Bike repairs"));
    let page = text_if_there(workspace.disk(), PAGE).unwrap();
    let line = format!(
        "# Promises\n\n## When it comes up\n\n- Bike repairs: ask about: the brake ^{}\n",
        made.id
    );
    assert_eq!(page, line);
    let due = claim_due(&workspace, at("2036-11-30T08:00:00Z"), "main", &|_| true).unwrap();
    assert_eq!(due, []);
    assert_eq!(next_due(&workspace, (now, zone), &|_| true).unwrap(), None);
    let empty = NewPromise::about(" : ", "ask".to_owned());
    let error = add_promise(&workspace, empty, now, zone).unwrap_err();
    assert!(matches!(error, PromiseError::NoSubject));
}

#[test]
fn promise_of_the_assistant_is_due_once_the_owner_agrees() {
    let workspace = workspace_with(&[]);
    let (now, zone) = at("2026-11-30T08:00:00Z");
    let proposed = || NewPromise {
        kind: PromiseKind::Promised,
        origin: Origin::Agent,
        ..NewPromise::reminder(
            base::dates::time_ahead("2026-12-04 09:00", now.naive_utc())
                .when
                .unwrap()
                .unwrap(),
            "check the price".to_owned(),
        )
    };
    let made = add_promise(&workspace, proposed(), now, zone)
        .unwrap()
        .promise;
    assert!(made.is_proposed());
    let due = || claim_due(&workspace, at("2026-12-05T08:00:00Z"), "main", &|_| true).unwrap();
    assert_eq!(due(), []);
    assert_eq!(next_due(&workspace, (now, zone), &|_| true).unwrap(), None);
    let keep = (made.id.as_str(), &PromiseChange::Keep);
    change_promise(&workspace, keep, (now, zone), &|_| true).unwrap();
    assert_eq!(due().len(), 1);
    assert_eq!(due(), []);
}

#[test]
fn dropped_promise_is_among_the_earlier_ones_with_each_time_that_it_had() {
    let workspace = workspace_with(&[]);
    let (now, zone) = at("2026-11-30T08:00:00Z");
    let when = base::dates::time_ahead("2026-12-04 09:00", now.naive_utc())
        .when
        .unwrap()
        .unwrap();
    let made = add_promise(
        &workspace,
        NewPromise::reminder(when, "call dad".to_owned()),
        now,
        zone,
    );
    let id = made.unwrap().promise.id;
    let later = base::dates::time_ahead("2026-12-06", now.naive_utc())
        .when
        .unwrap()
        .unwrap();
    let change = PromiseChange::Snooze(Occasion::at(later).when().unwrap());
    change_promise(&workspace, (&id, &change), (now, zone), &|_| true).unwrap();
    change_promise(
        &workspace,
        (&id, &PromiseChange::Drop),
        (now, zone),
        &|_| true,
    )
    .unwrap();
    let earlier = earlier_promises(&workspace, now, zone).unwrap();
    let days = earlier
        .iter()
        .map(|own| own.occasion.when().unwrap().day.to_string());
    assert_eq!(days.collect::<Vec<_>>(), ["2026-12-06", "2026-12-04"]);
    assert_eq!(promises(&workspace, now, zone).unwrap().promises, []);
}

#[test]
fn promise_that_rests_is_not_looked_up() {
    let page = b"## When it comes up\n\n- the bike: ask about the brake\n" as &[u8];
    let workspace = workspace_with(&[("PROMISES.md", page)]);
    let n_asked = std::cell::Cell::new(0);
    let has_come_up = |_: &Promise| {
        n_asked.set(n_asked.get() + 1);
        Some(0)
    };
    let claim = |now: &str| claim_subject(&workspace, at(now), "main", &has_come_up).unwrap();
    assert!(claim("2026-11-30T08:00:00Z").is_some());
    let n_first = n_asked.replace(0);
    assert!(n_first > 0);
    assert_eq!(claim("2026-11-30T09:00:00Z"), None);
    assert_eq!(n_asked.get(), 0);
    assert!(claim("2026-12-01T09:00:00Z").is_some());
}

#[test]
fn copy_that_is_no_text_is_skipped_among_the_earlier_promises() {
    let workspace = workspace_with(&[]);
    let (now, zone) = at("2026-11-30T08:00:00Z");
    let about = |text: &str| NewPromise::about("the bike", text.to_owned());
    let made = add_promise(&workspace, about("ask about the brake"), now, zone).unwrap();
    let id = made.promise.id;
    let dropped = (id.as_str(), &PromiseChange::Drop);
    change_promise(&workspace, dropped, (now, zone), &|_| true).unwrap();
    let path = std::path::Path::new(PAGE);
    crate::files::keep(&workspace, (path, b"- \xff\n"), now).unwrap();
    let earlier = earlier_promises(&workspace, now, zone).unwrap();
    let texts = earlier.iter().map(|own| own.text.as_str());
    assert_eq!(texts.collect::<Vec<_>>(), ["ask about the brake"]);
}
