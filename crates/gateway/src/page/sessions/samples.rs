//! Conversations as examples, for tests and the gallery.

use std::sync::Arc;

use agent::ops::{ReadItem, ReadSessionReply};
use base::disk::MemoryDisk;
use base::{EntryId, HomeLayout, LineRange, Locator, Origin, SessionId, Tz};
use maud::Markup;
use memory::Workspace;
use session::timeline::SessionPart;

use super::list::{Conversation, ListView, shown};
use super::read::{PartView, conversation};
use super::talk::{Margin, Talk, talk};
use crate::page::gallery::{Sample, instant, sample_day};

fn items(text: &str) -> Vec<ReadItem> {
    let item = |line: u64, role: &'static str, origin| ReadItem {
        position: usize::try_from(line).unwrap_or_default(),
        line,
        entry: EntryId::new(format!("e{line}")),
        parent: Some(EntryId::new("e0")),
        at: instant("2026-04-20T08:00:00Z"),
        role,
        origin,
        text: text.to_owned(),
        recalled: match role {
            "assistant" => vec![Locator::new("memory/2026-04-20.md", LineRange::line(3))],
            _ => Vec::new(),
        },
    };
    vec![
        item(2, "user", Origin::Owner),
        item(3, "assistant", Origin::Agent),
        item(4, "toolResult", Origin::Untrusted),
        item(5, "summary", Origin::System),
        item(6, "new", Origin::Owner),
        item(7, "user", Origin::Untrusted),
    ]
}

/// Messages of every kind with their margin.
pub(in crate::page) fn sample_talk(text: &str) -> Markup {
    let mut margin = Margin::default();
    let note = (text.to_owned(), sample_day("2026-04-20"));
    margin.notes.insert("e2".to_owned(), vec![note]);
    let line = (text.to_owned(), "a1b2".to_owned());
    margin.lines.insert(2, vec![line]);
    let layout = HomeLayout::new("/nowhere");
    talk(&Talk {
        name: "main",
        items: &items(text),
        margin: &margin,
        workspace: &Workspace::new(Arc::new(MemoryDisk::new()), layout),
        timezone: Tz::UTC,
        today: sample_day("2026-04-21"),
        marked: Some(3),
        csrf: Some("c5rf"),
    })
}

fn listed(text: &str) -> Vec<Conversation> {
    let part = SessionPart {
        name: "main".to_owned(),
        id: SessionId::new("s"),
        parent: None,
        first_line: 1,
        title: Some(text.to_owned()),
        messages: 1_234,
        last_activity_at: Some(instant("2026-04-20T08:00:00Z")),
        epoch: 2,
        bytes: 90_000,
    };
    let name = || "main".parse().ok();
    let of = |part: Result<SessionPart, String>, is_earlier| {
        Some(Conversation {
            name: name()?,
            title: text.to_owned(),
            part,
            is_earlier,
        })
    };
    let all = [
        of(Ok(part.clone()), false),
        of(Ok(part), true),
        of(Err(text.to_owned()), false),
    ];
    all.into_iter().flatten().collect()
}

fn part(text: &str, items: Vec<ReadItem>) -> PartView {
    PartView {
        reply: ReadSessionReply {
            name: "main".to_owned(),
            lines: Some(400),
            has_earlier: !items.is_empty(),
            has_later: !items.is_empty(),
            items,
            as_of: None,
        },
        title: text.to_owned(),
        talk: sample_talk(text),
        timezone: Tz::UTC,
        today: sample_day("2026-04-21"),
    }
}

/// The states of the pages of conversations; `text` is inserted wherever the owner's or a model's words appear.
pub(in crate::page) fn samples(text: &str) -> Vec<Sample> {
    let list = |asked: &str, listed: Vec<Conversation>, n_all| ListView {
        asked: asked.to_owned(),
        listed,
        n_all,
        said: Vec::new(),
        timezone: Tz::UTC,
        today: sample_day("2026-04-21"),
    };
    let view = list("", listed(text), 3);
    let found = list(text, listed(text), 3);
    let nothing = list(text, Vec::new(), 3);
    let none = list("", Vec::new(), 0);
    vec![
        Sample::new(
            "conversation",
            "messages of every kind",
            conversation(&part(text, items(text))),
        ),
        Sample::new(
            "conversation-empty",
            "nothing was said",
            conversation(&part(text, Vec::new())),
        ),
        Sample::new(
            "conversations",
            "the list, with one that cannot be read",
            shown(&view),
        ),
        Sample::new(
            "conversations-found",
            "titles that were found",
            shown(&found),
        ),
        Sample::new(
            "conversations-nothing",
            "nothing was found",
            shown(&nothing),
        ),
        Sample::new("conversations-empty", "no conversation yet", shown(&none)),
    ]
}
