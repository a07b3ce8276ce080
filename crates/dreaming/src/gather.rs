//! The gather stage: collects notes of the daily logs, and for a backfill messages on which there are no notes.
//!
//! Read-only.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use base::disk::DiskError;
use base::{Day, EntryId, Origin, SessionId, Timestamp, Tz, day, scope_of};
use memory::candidates::{DreamState, Evidence, FoundIn};
use memory::{FolderItem, LogItem, Tombstones, Workspace, load_tombstones};

use crate::conversations::{Conversations, FoundMessage, SessionStat, SpokenMessage, hear};
use crate::material::{Material, MaterialItem, MaterialSource};
use crate::settings::DreamSettings;

/// Maximum number of notes that one dream reads, oldest first.
const ITEMS_MAX: usize = 50_000;

/// Maximum number of statements of notes in folders elsewhere that a daily dream reads; the next one reads on.
const ELSEWHERE_MAX: usize = 120;

/// Why a log, a session or the tombstones could not be read.
pub type GatherError = Box<dyn std::error::Error + Send + Sync>;

/// Which notes a dream reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Unread notes of the last days.
    Lately,
    /// Unread notes of any age.
    Always,
    /// All notes from this day on, even if a dream has read them.
    Since(Day),
}

/// The days of each session about which there are notes.
pub type NotedDays = BTreeSet<(SessionId, Day)>;

/// Finds the days of each session about which there are notes, read or unread.
pub fn noted_days(workspace: &Workspace) -> Result<NotedDays, GatherError> {
    let mut days = NotedDays::new();
    for log_day in workspace.log_days()? {
        let notes = workspace.log_items(log_day)?.into_iter();
        days.extend(notes.filter_map(|note| Some((note.session?, log_day))));
    }
    Ok(days)
}

/// Collects notes of the daily logs, oldest first.
pub fn gather_logs(
    workspace: &Workspace,
    conversations: &dyn Conversations,
    (settings, state, reach): (&DreamSettings, &DreamState, Reach),
    (now, timezone): (Timestamp, Tz),
) -> Result<Material, GatherError> {
    let tombstones = load_tombstones(workspace)?;
    let first = match reach {
        Reach::Lately => Some(first_day((settings, state), (now, timezone))),
        Reach::Always => None,
        Reach::Since(day) => Some(day),
    };
    let mut material = Material::default();
    let (mut notes, mut keys) = (Vec::new(), Vec::new());
    let days = workspace.log_days()?.into_iter();
    for log_day in days.filter(|own| first.is_none_or(|first| *own >= first)) {
        let known = state.consumed.get(&log_day);
        let known = known.filter(|_| !matches!(reach, Reach::Since(_)));
        for note in workspace.log_items(log_day)? {
            let key = tombstones.note_key(&note.text);
            if known.is_some_and(|known| known.contains(&key)) || notes.len() >= ITEMS_MAX {
                continue;
            }
            if tombstones.hides_note(&note.text, &note.evidence) {
                continue;
            }
            let consumed = material.consumed.entry(log_day).or_default();
            consumed.insert(key.clone());
            notes.push((log_day, note));
            keys.push(key);
        }
    }
    let elsewhere = Elsewhere {
        workspace,
        tombstones: &tombstones,
        state,
        timezone,
    };
    elsewhere.gather(first, reach, &mut material);
    let wanted: Vec<(Option<SessionId>, EntryId)> = notes
        .iter()
        .flat_map(|(_, note)| {
            let session = note.session.clone();
            let entries = note.evidence.iter().cloned();
            entries.map(move |entry| (session.clone(), entry))
        })
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    let found = if wanted.is_empty() {
        Vec::new()
    } else {
        conversations.find(&wanted)?
    };
    let mut by_entry: BTreeMap<&EntryId, Vec<&FoundMessage>> = BTreeMap::new();
    for found in &found {
        by_entry.entry(&found.said.entry).or_default().push(found);
    }
    material.n_read += notes.len();
    for ((log_day, note), key) in notes.iter().zip(keys) {
        let item = log_item(workspace, (*log_day, note), &by_entry, timezone);
        material.items.push(MaterialItem { key, ..item });
    }
    material.items.sort_by_key(|item| item.at);
    material.label();
    Ok(material)
}

/// The notes in folders elsewhere.
struct Elsewhere<'a> {
    workspace: &'a Workspace,
    tombstones: &'a Tombstones,
    state: &'a DreamState,
    timezone: Tz,
}

impl Elsewhere<'_> {
    /// Adds the unread statements of notes that changed on this day or later.
    fn gather(&self, first: Option<Day>, reach: Reach, material: &mut Material) {
        let begin = |day: Day| day.noon(self.timezone) - chrono::TimeDelta::hours(12);
        let since = match reach {
            Reach::Lately => first.map(begin),
            Reach::Always | Reach::Since(_) => None,
        };
        // A changed note is read again, but not what it said before.
        let known: BTreeSet<&String> = match reach {
            Reach::Since(_) => BTreeSet::new(),
            Reach::Lately | Reach::Always => self.state.consumed.values().flatten().collect(),
        };
        let n_max = match reach {
            Reach::Lately => ELSEWHERE_MAX,
            Reach::Always | Reach::Since(_) => ITEMS_MAX,
        };
        let items = self.workspace.folder_items(since, self.timezone);
        let items = items.into_iter().filter_map(|item| {
            let key = self.tombstones.note_key(&item.text);
            let is_wanted = match reach {
                Reach::Since(day) => item.day >= day,
                Reach::Lately | Reach::Always => !known.contains(&key),
            };
            let is_hidden = || self.tombstones.hides_text(&item.text);
            (is_wanted && !is_hidden()).then_some((key, item))
        });
        let mut seen = BTreeSet::new();
        for (key, item) in items {
            if seen.len() >= n_max {
                break;
            }
            if seen.insert(key.clone()) {
                let consumed = material.consumed.entry(item.day).or_default();
                consumed.insert(key.clone());
                let item = folder_item(item, self.timezone);
                material.items.push(MaterialItem { key, ..item });
            }
        }
        material.n_read += seen.len();
    }
}

/// A statement of a note in a folder elsewhere; its source names the note and the nearest heading, too, because few
/// statements name their own subject.
fn folder_item(item: FolderItem, timezone: Tz) -> MaterialItem {
    let source = MaterialSource {
        key: Evidence::key_by_hand(&item.text),
        line: item.line,
        text: under_subject(&item),
        path: item.path,
        origin: Origin::Owner,
        day: item.day,
        at: None,
        scope: None,
    };
    MaterialItem {
        label: String::new(),
        text: item.text,
        key: String::new(),
        origin: Origin::Owner,
        at: item.day.noon(timezone),
        day: item.day,
        found_in: FoundIn::Note,
        sources: vec![source],
        heard: Vec::new(),
        offset: None,
        is_orphan: false,
    }
}

/// A statement after the name of its subject, unless it begins with that name.
fn under_subject(FolderItem { subject, text, .. }: &FolderItem) -> String {
    if text.starts_with(subject) {
        text.clone()
    } else {
        format!("{subject}: {text}")
    }
}

/// Returns the material with items that have been forgotten or removed from their log moved to `gone`.
pub fn still_standing(
    material: &Material,
    (workspace, tombstones): (&Workspace, &Tombstones),
    timezone: Tz,
) -> Result<Material, DiskError> {
    let mut notes = BTreeSet::new();
    for day in material.consumed.keys() {
        let standing = workspace.log_items(*day)?.into_iter();
        notes.extend(standing.map(|note| (*day, note.text)));
    }
    let paths = material.items.iter().flat_map(|item| &item.sources);
    let paths = paths.filter(|own| workspace.folder_of(&own.path).is_some());
    let paths: BTreeSet<&str> = paths.map(|own| own.path.as_str()).collect();
    for path in paths {
        let standing = workspace.folder_items_of(path, timezone).into_iter();
        notes.extend(standing.map(|item| (item.day, item.text)));
    }
    let is_hidden = |own: &MaterialSource| {
        let id = EntryId::new(own.key.clone());
        let is_cut = || matches!(tombstones.left_of(&[&id], &own.text), Cow::Owned(_));
        tombstones.hides_entry(&id) || is_cut()
    };
    let is_there = |item: &MaterialItem| {
        // The owner may state forgotten text again in a message.
        let is_message = item.found_in == FoundIn::SessionReplay;
        let is_noted = notes.contains(&(item.day, item.text.clone()));
        (is_message || is_noted && !tombstones.hides_text(&item.text))
            && !item.sources.iter().any(is_hidden)
    };
    let (items, gone) = material.items.iter().cloned().partition(is_there);
    Ok(Material {
        items,
        gone,
        ..material.clone()
    })
}

fn first_day(
    (settings, state): (&DreamSettings, &DreamState),
    (now, timezone): (Timestamp, Tz),
) -> Day {
    let mut first = day(now, timezone);
    for _ in 1..settings.lookback_days.max(1) {
        first = first.previous();
    }
    // Catch up on days on which the program did not run.
    state
        .dreamt_at
        .map_or(first, |at| first.min(day(at, timezone)))
}

/// Number of sessions that ended before the days that a dream reads and that no dream has read: a backfill can.
pub fn unread_sessions(
    sessions: &[SessionStat],
    (settings, state): (&DreamSettings, &DreamState),
    (now, timezone): (Timestamp, Tz),
) -> usize {
    let first = first_day((settings, state), (now, timezone));
    let is_unread = |session: &&SessionStat| {
        let Some((at, _)) = &session.last else {
            return false;
        };
        let last = day(*at, timezone);
        let is_replayed = state.backfilled.contains_key(&session.path);
        last < first && !is_replayed && !state.may_have_read(last)
    };
    sessions.iter().filter(is_unread).count()
}

fn log_item(
    workspace: &Workspace,
    (log_day, note): (Day, &LogItem),
    by_entry: &BTreeMap<&EntryId, Vec<&FoundMessage>>,
    timezone: Tz,
) -> MaterialItem {
    let found = note.evidence.iter().filter_map(|entry| {
        let mut found = by_entry.get(entry)?.iter();
        // A note outside of a block does not name its session.
        let is_there = |own: &&&FoundMessage| {
            let session = note.session.as_ref();
            session.is_none_or(|session| *session == own.said.session)
        };
        found.find(is_there).copied()
    });
    let found: Vec<&FoundMessage> = found.collect();
    let sources = found.iter().map(|own| source(&own.said, timezone));
    let mut sources: Vec<MaterialSource> = sources.collect();
    let is_orphan = sources.is_empty() && !note.evidence.is_empty();
    let are_of = |origins: &[Origin]| sources.iter().all(|own| origins.contains(&own.origin));
    let are_owners = are_of(&[Origin::Owner, Origin::Agent]) && !are_of(&[Origin::Agent]);
    let origin = match (note.origin, sources.as_slice()) {
        (Origin::Owner, []) if is_orphan => Origin::Agent,
        // A model has worded the note from words of the owner, and of the assistant in answer to them; nobody else's.
        (Origin::Agent, _) if are_owners => Origin::Owner,
        (other, _) => other,
    };
    let at = log_day.noon(timezone);
    if sources.iter().all(|own| own.text.trim().is_empty()) {
        let own = note_source(workspace, (log_day, note));
        sources = vec![MaterialSource { origin, ..own }];
    }
    MaterialItem {
        label: String::new(),
        text: note.text.clone(),
        key: String::new(),
        origin,
        at,
        day: log_day,
        found_in: FoundIn::DailyLog,
        sources,
        heard: found.iter().flat_map(|own| own.heard.clone()).collect(),
        offset: None,
        is_orphan,
    }
}

/// Collects the messages of people in a session, from byte `from` on, on days without notes; with `since`, from that
/// day on.
pub fn gather_session(
    conversations: &dyn Conversations,
    (session, from): (&SessionStat, u64),
    (state, since, noted): (&DreamState, Option<Day>, &NotedDays),
    timezone: Tz,
) -> Result<Material, GatherError> {
    let mut material = Material::default();
    let seen = state.backfilled.get(&session.path).copied();
    if from >= session.n_bytes {
        return Ok(material);
    }
    let mut is_answering = false;
    conversations.read(&session.path, from, &mut |said| {
        let said_on = day(said.at, timezone);
        let is_noted = noted.contains(&(said.session.clone(), said_on));
        if said.is_person && !is_noted && since.is_none_or(|since| said_on >= since) {
            material.n_read += 1;
            material.items.push(message_item(&said, timezone));
            is_answering = true;
        } else if said.is_person {
            is_answering = false;
        } else if is_answering
            && said.origin == Origin::Untrusted
            && let Some(item) = material.items.last_mut()
        {
            hear(&mut item.heard, said.text);
        }
    })?;
    if seen != Some(session.n_bytes) {
        let path = session.path.clone();
        material.backfilled.insert(path, session.n_bytes);
    }
    material.label();
    Ok(material)
}

/// The point from which a backfill continues in a session; with `since`, the session's beginning.
pub fn unread_from(session: &SessionStat, state: &DreamState, since: Option<Day>) -> u64 {
    let seen = state.backfilled.get(&session.path).copied();
    // A shorter session is a new one.
    let seen = seen.filter(|seen| since.is_none() && *seen <= session.n_bytes);
    seen.unwrap_or(0)
}

fn message_item(said: &SpokenMessage, timezone: Tz) -> MaterialItem {
    MaterialItem {
        label: String::new(),
        text: said.text.clone(),
        key: String::new(),
        origin: said.origin,
        at: said.at,
        day: day(said.at, timezone),
        found_in: FoundIn::SessionReplay,
        sources: vec![source(said, timezone)],
        heard: Vec::new(),
        offset: Some(said.offset),
        is_orphan: false,
    }
}

/// A note as its own source.
fn note_source(workspace: &Workspace, (log_day, note): (Day, &LogItem)) -> MaterialSource {
    let key = note.id.clone();
    MaterialSource {
        path: workspace.log_path(log_day).to_string(),
        key: key.unwrap_or_else(|| Evidence::key_by_hand(&note.text)),
        line: note.line,
        text: note.text.clone(),
        origin: note.origin,
        day: log_day,
        at: None,
        scope: note
            .session
            .as_ref()
            .and_then(|it| scope_of(it.as_str()))
            .map(str::to_owned),
    }
}

fn source(said: &SpokenMessage, timezone: Tz) -> MaterialSource {
    MaterialSource {
        path: said.path.clone(),
        key: said.entry.to_string(),
        line: said.line,
        text: said.text.clone(),
        origin: if said.is_person {
            said.origin
        } else {
            said.origin.max(Origin::Agent)
        },
        day: day(said.at, timezone),
        at: Some(said.at),
        scope: None,
    }
}
