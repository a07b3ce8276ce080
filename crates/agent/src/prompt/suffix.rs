//! The volatile suffix: the owner's local time, pauses, the latest logs, and recalled passages.
//!
//! Comes after the conversation, so that the cached prefix stays valid; never stored.

use base::model::MemoryReach;
use base::{Origin, Timestamp, Tz};
use chrono::TimeDelta;
use memory::RecentLog;
use search::{SearchResult, SpanCount};
use session::ViewItem;

use super::parts::PromptPart;
use crate::fence::{RecallFence, fenced};
use crate::turn::recall;

#[derive(Debug)]
pub(super) struct Volatile<'a> {
    pub(super) now: Timestamp,
    pub(super) timezone: Tz,
    pub(super) pauses: Vec<(Timestamp, Timestamp)>,
    pub(super) logs: &'a [RecentLog],
    pub(super) passages: &'a [SearchResult],
    pub(super) span: Option<SpanCount>,
    pub(super) reach: MemoryReach,
}

/// Tells the model that the search failed; without it, it would conclude that memory holds nothing.
const NOT_SEARCHED: &str = "<recalled source=\"memory\">\nMemory search failed for this message; what memory \
                            holds about it is unknown.\n</recalled>";

/// The parts of the suffix, in order; each after the first begins with a newline.
pub(super) fn parts(volatile: &Volatile<'_>) -> Vec<PromptPart> {
    let Volatile { now, timezone, .. } = volatile;
    let now = format!("<now>{} ({timezone})</now>", local(*now, *timezone));
    let pauses = pause_lines(&volatile.pauses, *timezone);
    let logs: Vec<String> = volatile.logs.iter().map(log).collect();
    let mut passages = recall::rendered(volatile.passages, volatile.span);
    if volatile.reach == MemoryReach::Failed {
        passages.push(NOT_SEARCHED.to_owned());
    }
    let texts = [
        ("time", [now, pauses].join("\n").trim_end().to_owned()),
        ("recent logs", logs.join("\n")),
        ("recalled", passages.join("\n")),
    ];
    let filled = texts.into_iter().filter(|(_, text)| !text.is_empty());
    filled
        .enumerate()
        .map(|(position, (name, text))| PromptPart {
            name: name.to_owned(),
            text: if position == 0 {
                text
            } else {
                format!("\n{text}")
            },
        })
        .collect()
}

fn log(log: &RecentLog) -> String {
    let fence = RecallFence {
        day: Some(log.day),
        ..RecallFence::of(log.name.as_str())
    };
    let lines = log.text.lines().zip(&log.lines);
    let lines = lines.map(|(line, known)| {
        let origin = match known.origin {
            Origin::Agent | Origin::Untrusted => format!(" [{}]", known.origin),
            Origin::Owner | Origin::System => String::new(),
        };
        let replaced = known.replaced_on.map(|day| format!(" [replaced {day}]"));
        format!("{line}{origin}{}", replaced.unwrap_or_default())
    });
    fenced(fence, lines.collect::<Vec<_>>().join("\n").trim())
}

/// Shortest gap between messages that counts as a pause.
const PAUSE_MIN: TimeDelta = TimeDelta::hours(4);

const PAUSES_MAX: usize = 3;

/// Start and end of the newest pauses between messages, oldest first.
pub(super) fn pauses(items: &[ViewItem]) -> Vec<(Timestamp, Timestamp)> {
    let messages = items.iter().filter(|item| item.message().is_some());
    let times: Vec<Timestamp> = messages.map(|item| item.at).collect();
    let both = times.iter().copied().zip(times.iter().copied().skip(1));
    let mut long: Vec<_> = both
        .filter(|(before, after)| *after - *before >= PAUSE_MIN)
        .collect();
    long.split_off(long.len().saturating_sub(PAUSES_MAX))
}

pub(super) fn pause_lines(pauses: &[(Timestamp, Timestamp)], timezone: Tz) -> String {
    let lines = pauses.iter().map(|(from, to)| {
        let (from, to) = (local(*from, timezone), local(*to, timezone));
        format!("<pause from=\"{from}\" to=\"{to}\"/>")
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// An instant in the owner's local time.
pub(super) fn local(at: Timestamp, timezone: Tz) -> String {
    let local = at.with_timezone(&timezone);
    local.format("%A, %Y-%m-%d %H:%M").to_string()
}

#[cfg(test)]
mod pause_tests {
    use base::Message;

    use super::*;
    use crate::test_kit::items;

    #[track_caller]
    fn check(times: &[&str], expected: &str) {
        let mut items = items(times.iter().map(|_| Message::user("text")));
        for (item, time) in items.iter_mut().zip(times) {
            item.at = time.parse().unwrap();
        }
        let timezone = Tz::named("Europe/Berlin").unwrap();
        assert_eq!(pause_lines(&pauses(&items), timezone), expected);
    }

    #[test]
    fn i12_suffix_lists_newest_pauses_in_owners_zone() {
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
