//! The gather stage: collects unread notes of the daily logs, and messages of sessions for a backfill.
//!
//! Read-only.

use std::collections::{BTreeMap, BTreeSet};

use base::disk::DiskError;
use base::{Day, EntryId, Origin, SessionId, Timestamp, Tz, day, scope_of};
use memory::candidates::{DreamState, Evidence, FoundIn};
use memory::{LogItem, Tombstones, Workspace, load_tombstones};

use crate::conversations::{Conversations, SessionStat, SpokenMessage};
use crate::gate::PENDING_MAX;
use crate::material::{Material, MaterialItem, MaterialSource};
use crate::settings::DreamSettings;

/// Maximum number of items per dream; the next dream reads the rest.
const ITEMS_MAX: usize = 5_000;

/// Why a log, a session or the tombstones could not be read.
pub type GatherError = Box<dyn std::error::Error + Send + Sync>;

/// Collects the notes of the last days that no dream has read, and once there is room, those that met a full queue.
pub fn gather_logs(
    workspace: &Workspace,
    conversations: &dyn Conversations,
    (settings, state): (&DreamSettings, &DreamState),
    (now, timezone): (Timestamp, Tz),
) -> Result<Material, GatherError> {
    let tombstones = load_tombstones(workspace)?;
    let first = first_day((settings, state), (now, timezone));
    let is_full = state.pending.len() >= PENDING_MAX;
    let mut material = Material::default();
    let (mut notes, mut keys) = (Vec::new(), Vec::new());
    for log_day in workspace
        .log_days()?
        .into_iter()
        .filter(|own| *own >= first || state.postponed.iter().any(|(day, _)| day == own))
    {
        let known = state.consumed.get(&log_day);
        for note in workspace.log_items(log_day)? {
            let key = tombstones.note_key(&note.text);
            if known.is_some_and(|known| known.contains(&key)) || notes.len() >= ITEMS_MAX {
                continue;
            }
            let is_postponed = state.postponed.contains(&(log_day, key.clone()));
            let is_hidden = tombstones.hides_note(&note.text, &note.evidence);
            if is_hidden || !is_postponed && log_day < first {
                continue;
            }
            // A full queue would refuse it again, at the price of a request.
            if is_postponed && is_full {
                material.n_postponed += 1;
                continue;
            }
            let consumed = material.consumed.entry(log_day).or_default();
            consumed.insert(key.clone());
            notes.push((log_day, note));
            keys.push(key);
        }
    }
    let wanted: Vec<(SessionId, EntryId)> = notes
        .iter()
        .flat_map(|(_, note)| {
            let session = note.session.clone();
            let entries = note.evidence.iter().cloned();
            entries.filter_map(move |entry| Some((session.clone()?, entry)))
        })
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    let said = if wanted.is_empty() {
        Vec::new()
    } else {
        conversations.find(&wanted)?
    };
    let by_entry: BTreeMap<(&SessionId, &EntryId), &SpokenMessage> = said
        .iter()
        .map(|said| ((&said.session, &said.entry), said))
        .collect();
    material.n_read = notes.len();
    for ((log_day, note), key) in notes.iter().zip(keys) {
        let item = log_item(workspace, (*log_day, note), &by_entry, timezone);
        material.items.push(MaterialItem { key, ..item });
    }
    material.label();
    Ok(material)
}

/// Returns the material with items that have been forgotten or removed from their log moved to `gone`.
pub fn still_standing(
    material: &Material,
    workspace: &Workspace,
    tombstones: &Tombstones,
) -> Result<Material, DiskError> {
    let mut notes = BTreeSet::new();
    for day in material.consumed.keys() {
        let standing = workspace.log_items(*day)?.into_iter();
        notes.extend(standing.map(|note| (*day, note.text)));
    }
    let is_hidden = |own: &MaterialSource| tombstones.hides_entry(&EntryId::new(own.key.clone()));
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
    by_entry: &BTreeMap<(&SessionId, &EntryId), &SpokenMessage>,
    timezone: Tz,
) -> MaterialItem {
    let session = note.session.as_ref();
    let found = note.evidence.iter().filter_map(|entry| {
        let said = by_entry.get(&(session?, entry))?;
        Some(source(said, timezone))
    });
    let mut sources: Vec<MaterialSource> = found.collect();
    let is_orphan = sources.is_empty() && !note.evidence.is_empty();
    let is_owners = sources.iter().any(|own| own.origin == Origin::Owner);
    let origin = match (note.origin, sources.as_slice()) {
        (Origin::Owner, []) if is_orphan => Origin::Agent,
        // A model may have worded the note. A finding quotes one of the messages behind it, and the origin of that
        // message decides.
        (Origin::Owner | Origin::Agent, [_, ..]) if is_owners => Origin::Owner,
        (Origin::Owner, [_, ..]) => Origin::Untrusted,
        (other, _) => other,
    };
    let at = log_day.noon(timezone);
    if sources.is_empty() {
        let own = note_source(workspace, (log_day, note));
        sources.push(MaterialSource { origin, ..own });
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
        is_orphan,
    }
}

/// Collects what persons said in a session and no backfill has read; with `since`, all from that day on.
pub fn gather_session(
    conversations: &dyn Conversations,
    session: &SessionStat,
    (state, since): (&DreamState, Option<Day>),
    timezone: Tz,
) -> Result<Material, GatherError> {
    let mut material = Material::default();
    let seen = state.backfilled.get(&session.path).copied();
    let from = match since {
        Some(_) => 0,
        // A shorter session is a new one.
        None => seen.filter(|seen| *seen <= session.n_bytes).unwrap_or(0),
    };
    if from >= session.n_bytes {
        return Ok(material);
    }
    conversations.read(&session.path, from, &mut |said| {
        let said_on = day(said.at, timezone);
        if said.is_person && since.is_none_or(|since| said_on >= since) {
            material.n_read += 1;
            material.items.push(message_item(&said, timezone));
        }
    })?;
    if seen != Some(session.n_bytes) {
        let path = session.path.clone();
        material.backfilled.insert(path, session.n_bytes);
    }
    material.label();
    Ok(material)
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
