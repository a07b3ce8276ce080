//! The calendar: its lines, its repetitions, and texts that a calendar program must not misread.

use base::{LineRange, Locator, Origin};

use super::super::promises::PromiseKindReply;
use super::*;

fn promise(text: &str, (day, time): (&str, Option<&str>), repeats: Option<&str>) -> PromiseReply {
    PromiseReply {
        id: "3f2a90c1".to_owned(),
        day: Some(day.parse().unwrap()),
        about: None,
        time: time.map(str::to_owned),
        repeats: repeats.map(str::to_owned),
        text: text.to_owned(),
        was: None,
        status: PromiseStatus::Open,
        kind: PromiseKindReply::Reminder,
        already: false,
        taken_back: None,
        path: "PROMISES.md".to_owned(),
        line: 5,
    }
}

fn of(promises: Vec<PromiseReply>, items: Vec<AgendaItem>) -> String {
    let agenda = AgendaReply {
        from: "2026-11-30".parse().unwrap(),
        days: 30,
        items,
        promises,
        later: 0,
    };
    calendar(&agenda, "2026-11-30T08:00:00Z".parse().unwrap())
}

#[test]
fn reminders_and_plans_are_events() {
    let done = PromiseReply {
        status: PromiseStatus::Done,
        ..promise("done", ("2026-12-01", None), None)
    };
    let plan = AgendaItem {
        day: "2026-12-07".parse().unwrap(),
        until: Some("2026-12-13".parse().unwrap()),
        text: "Guests".to_owned(),
        place: Locator::new("memory/2026-11-30.md".to_owned(), LineRange::line(3)),
        noted_on: None,
        origin: Origin::Owner,
    };
    let timed = promise("Call, then; write", ("2026-12-04", Some("23:50")), None);
    insta::assert_snapshot!(of(vec![timed, done], vec![plan]).replace('\r', ""));
}

#[test]
fn repetitions_are_rules() {
    for (repeats, rule) in [
        ("every day at 07:00", "FREQ=DAILY"),
        ("every Monday and Friday", "FREQ=WEEKLY;BYDAY=MO,FR"),
        (
            "every other Thursday at 17:00",
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=TH",
        ),
        ("every month on the 1st", "FREQ=MONTHLY;BYMONTHDAY=1"),
        (
            "every month on the 30th",
            "FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1",
        ),
        (
            "every year on 29 February",
            "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28,29;BYSETPOS=-1",
        ),
    ] {
        let all = of(
            vec![promise("x", ("2026-12-04", None), Some(repeats))],
            Vec::new(),
        );
        assert!(all.contains(&format!("\r\nRRULE:{rule}\r\n")), "{all}");
    }
}

#[test]
fn i16_no_text_breaks_lines_or_adds_events() {
    let nasty = format!(
        "a\r\nEND:VEVENT\r\nBEGIN:VEVENT\n{}",
        "\u{1f431}".repeat(60)
    );
    let all = of(
        vec![promise(&nasty, ("2026-12-04", Some("09:00")), None)],
        Vec::new(),
    );
    assert!(all.split("\r\n").all(|line| line.len() <= LINE_BYTES_MAX));
    assert_eq!(all.matches("\r\nBEGIN:VEVENT").count(), 1);
    assert_eq!(all.matches('\r').count(), all.matches('\n').count());
}
