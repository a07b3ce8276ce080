//! The long pauses of a conversation, so that a model knows when it goes on.
//!
//! Rendered with what is added for one request, so that earlier turns stay as they were sent.

use base::{Timestamp, Tz};
use chrono::TimeDelta;
use session::{ViewContent, ViewItem};

/// Silence of this length is worth knowing: the owner has done something else in between.
const PAUSE_MIN: TimeDelta = TimeDelta::hours(4);

/// The newest pauses that are told.
const PAUSES_MAX: usize = 3;

/// The newest long pauses between messages, the oldest first: when each began and when it ended.
pub(super) fn pauses(items: &[ViewItem]) -> Vec<(Timestamp, Timestamp)> {
    let times: Vec<Timestamp> = items
        .iter()
        .filter(|item| matches!(item.content, ViewContent::Message(_)))
        .map(|item| item.at)
        .collect();
    let both = times.iter().zip(times.iter().skip(1));
    let long = both.filter(|(before, after)| **after - **before >= PAUSE_MIN);
    let mut newest: Vec<(Timestamp, Timestamp)> = long
        .rev()
        .take(PAUSES_MAX)
        .map(|(before, after)| (*before, *after))
        .collect();
    newest.reverse();
    newest
}

/// The lines that tell of the pauses.
pub(super) fn render(pauses: &[(Timestamp, Timestamp)], timezone: Tz) -> String {
    let lines: Vec<String> = pauses
        .iter()
        .map(|(from, to)| {
            let (from, to) = (local(*from, timezone), local(*to, timezone));
            format!("<pause from=\"{from}\" to=\"{to}\"/>")
        })
        .collect();
    lines.join("\n")
}

/// An instant on the owner's clock.
pub(super) fn local(at: Timestamp, timezone: Tz) -> String {
    let local = at.with_timezone(&timezone);
    local.format("%A, %Y-%m-%d %H:%M").to_string()
}

#[cfg(test)]
mod tests {
    use base::{EntryId, Message, Origin, TokenCount};

    use super::*;

    fn items(times: &[&str]) -> Vec<ViewItem> {
        let item = |time: &&str| ViewItem {
            entry: EntryId::new(*time),
            at: time.parse().unwrap(),
            origin: Origin::Owner,
            content: ViewContent::Message(Message::user("text")),
            tokens: TokenCount(1),
        };
        times.iter().map(item).collect()
    }

    #[track_caller]
    fn check(times: &[&str], expected: &str) {
        assert_eq!(render(&pauses(&items(times)), Tz::Europe__Berlin), expected);
    }

    #[test]
    fn i12_the_newest_pauses_are_told_on_the_owners_clock() {
        check(&[], "");
        check(&["2026-03-02T08:00:00Z", "2026-03-02T11:59:59Z"], "");
        check(
            &[
                "2026-03-01T08:00:00Z",
                "2026-03-02T08:00:00Z",
                "2026-03-03T08:00:00Z",
                "2026-03-03T08:05:00Z",
                "2026-03-03T12:05:00Z",
                "2026-03-29T22:30:00Z",
            ],
            "<pause from=\"Monday, 2026-03-02 09:00\" to=\"Tuesday, 2026-03-03 09:00\"/>\n\
             <pause from=\"Tuesday, 2026-03-03 09:05\" to=\"Tuesday, 2026-03-03 13:05\"/>\n\
             <pause from=\"Tuesday, 2026-03-03 13:05\" to=\"Monday, 2026-03-30 00:30\"/>",
        );
        // A recording may go back in time.
        check(&["2026-03-02T08:00:00Z", "2026-03-01T08:00:00Z"], "");
    }
}
