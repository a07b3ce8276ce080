//! The list of sessions, and which one is continued.
//!
//! Opens none.

use anstream::adapter::strip_str;
use base::SessionId;

use super::*;

fn part(name: &str, title: Option<&str>, at: Option<&str>) -> SessionPart {
    SessionPart {
        name: name.to_owned(),
        id: SessionId::new(name),
        parent: None,
        first_line: 1,
        title: title.map(str::to_owned),
        messages: 12,
        last_activity_at: at.map(|at| at.parse().unwrap()),
        epoch: 0,
        bytes: 4_096,
    }
}

#[test]
fn sessions_are_listed_with_their_titles_in_80_columns() {
    let long = "Which of the three offers for the roof is the best one if it\u{2026}";
    let menu = SessionMenu {
        sessions: vec![
            part("work", Some(long), Some("2026-04-20T22:30:00Z")),
            part("main", Some("The move"), Some("2026-04-19T07:00:00Z")),
            part("empty", None, None),
        ],
        current: "main".parse().unwrap(),
        timezone: Tz::UTC,
    };
    let shown = strip_str(&menu.human(Stream::Terminal(80))).to_string();
    insta::assert_snapshot!(shown);
    insta::assert_snapshot!("sessions_json", menu.json().to_string());
    let none = SessionMenu {
        sessions: Vec::new(),
        ..menu
    };
    assert_eq!(none.human(Stream::Terminal(80)), "  no sessions yet\n");
}

#[test]
fn resume_chooses_session_by_list_number_or_name() {
    let listed = ["work", "main", "2026"].map(|name| name.parse().unwrap());
    let choice = |wanted| match chosen(wanted, &listed) {
        Ok(name) => name.to_string(),
        Err(error) => format!("{}; {}", error.message, error.hints.join(", ")),
    };
    assert_eq!(["1", "main", "2026"].map(choice), ["work", "main", "2026"]);
    assert_eq!(
        ["0", "4", "mian"].map(choice),
        [
            "there is no session 0; `/resume` lists the sessions",
            "there is no session 4; `/resume` lists the sessions",
            "there is no session mian; did you mean `/resume main`? `/resume` lists all",
        ]
    );
}
