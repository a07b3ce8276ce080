//! The page `PROMISES.md`: which of its bullets are promises, and how a promise is written.
//!
//! Pure. A bullet that cannot be read stays as it is.

use std::collections::BTreeSet;
use std::fmt;

use base::dates::{Every, When, time_ahead};
use base::{Day, EntryId, Origin, scope_of, short_hash};
use chrono::{NaiveDateTime, NaiveTime};

use super::plan::Covered;
use crate::curated::add_line;
use crate::note_text::{MemoryText, NoteLine, NoteText};

/// The start of a new page.
const HEADER: &str = "# Promises\n";

/// Reminders without a time of day are due at this hour.
const HOUR_DEFAULT: u32 = 9;

/// Whether the owner asked for something, or the assistant promised it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromiseKind {
    /// The owner asked for it.
    Reminder,
    /// The assistant said that it would do it.
    Promised,
}

impl PromiseKind {
    /// The heading of its section.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Reminder => "Reminders",
            Self::Promised => "Promised",
        }
    }

    fn of_heading(title: &str) -> Option<Self> {
        let kinds = [Self::Reminder, Self::Promised];
        let mut kinds = kinds.into_iter();
        kinds.find(|own| own.heading().eq_ignore_ascii_case(title))
    }
}

/// A day, and a time of day if one was named, in the owner's zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PromiseTime {
    /// The day.
    pub day: Day,
    /// The time of day.
    pub time: Option<NaiveTime>,
}

impl PromiseTime {
    /// The local time from which it is due.
    pub fn local(self) -> NaiveDateTime {
        let default = NaiveTime::from_hms_opt(HOUR_DEFAULT, 0, 0).unwrap_or_default();
        self.day.date().and_time(self.time.unwrap_or(default))
    }
}

impl fmt::Display for PromiseTime {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.day)?;
        let time = self.time.map(|time| time.format(" %H:%M"));
        time.map_or(Ok(()), |time| write!(formatter, "{time}"))
    }
}

/// A repetition, and the time of day of each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repetition {
    /// The days.
    pub every: Every,
    /// The time of day.
    pub time: Option<NaiveTime>,
}

impl Repetition {
    /// The first time after a day.
    pub(super) fn next_after(&self, day: Day) -> Option<PromiseTime> {
        let day = self.every.next_after(day)?;
        let time = self.time;
        Some(PromiseTime { day, time })
    }

    fn parse(text: &str) -> Option<Self> {
        // A repetition means the same on every day.
        let read = time_ahead(text, NaiveDateTime::default());
        let When { time, every, .. } = read.when.ok()??;
        let every = every.filter(|_| read.rest.is_empty())?;
        Some(Self { every, time })
    }
}

impl fmt::Display for Repetition {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.every)?;
        let time = self.time.map(|time| time.format(" at %H:%M"));
        time.map_or(Ok(()), |time| write!(formatter, "{time}"))
    }
}

/// A reminder, or something that the assistant promised to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Promise {
    /// Its id.
    pub id: String,
    /// Whether the owner asked for it, or the assistant promised it.
    pub kind: PromiseKind,
    /// When it is due, as the page says.
    pub when: PromiseTime,
    /// Its repetition.
    pub repeats: Option<Repetition>,
    /// The text of the reminder.
    pub text: String,
    /// Whether the owner ticked it off.
    pub is_done: bool,
    /// Its line in the page, from 1.
    pub line: usize,
    /// Who answers for it.
    pub origin: Origin,
    /// The messages that it was made from.
    pub evidence: Vec<EntryId>,
    /// The scope of the repository that it belongs to; `None` if it is told everywhere.
    pub scope: Option<String>,
}

impl Promise {
    /// The text of its line, without bullet and mark.
    pub(super) fn item(&self) -> String {
        let tick = if self.is_done { "[x] " } else { "" };
        let repeats = self.repeats.as_ref().map(|own| format!(" ({own})"));
        let repeats = repeats.unwrap_or_default();
        format!("{tick}{} {}{repeats}", self.when, self.text)
    }

    /// The text by which forgetting finds it.
    pub(super) fn is_hidden(&self, tombstones: &crate::Tombstones) -> bool {
        tombstones.hides_text(&self.text) || tombstones.hides_text(&self.item())
    }
}

/// A bullet of the page that cannot be read as a promise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadLine {
    /// Its number, from 1.
    pub line: usize,
    /// Why it cannot be read.
    pub why: String,
}

/// The page as it was read.
#[derive(Debug, Default)]
pub(super) struct Page {
    pub(super) text: MemoryText,
    pub(super) promises: Vec<Promise>,
    pub(super) unread: Vec<UnreadLine>,
    /// Lines of `promises` that are not written as this version writes them: without a mark, or with a time in words.
    pub(super) by_hand: BTreeSet<usize>,
}

impl Page {
    /// Reads the page, seen from a local time.
    pub(super) fn of(text: MemoryText, now: NaiveDateTime) -> Self {
        let mut page = Self::default();
        let mut kind = Some(PromiseKind::Reminder);
        let mut ids = BTreeSet::new();
        for (number, line) in text.numbered() {
            let plain = line.text().trim();
            if let Some(title) = heading(plain) {
                kind = PromiseKind::of_heading(title).or_else(|| {
                    let is_page = plain.starts_with("# ");
                    is_page.then_some(PromiseKind::Reminder)
                });
                continue;
            }
            let Some(kind) = kind.filter(|_| is_bullet(line.text())) else {
                continue;
            };
            match page.promise(line, (number, kind), now, &mut ids) {
                Ok(promise) => page.promises.push(promise),
                Err(why) => page.unread.push(UnreadLine { line: number, why }),
            }
        }
        page.text = text;
        page
    }

    fn promise(
        &mut self,
        line: &NoteLine<'_>,
        (number, kind): (usize, PromiseKind),
        now: NaiveDateTime,
        ids: &mut BTreeSet<String>,
    ) -> Result<Promise, String> {
        let (is_done, item) = ticked(line.item());
        let (item, repeats) = repeated(item);
        let is_ours = line.record().is_some();
        let read = match written(item) {
            Some((when, text)) if is_ours || when.time.is_some() => {
                (when, repeats, text.to_owned())
            }
            // The owner may write the time of a day in other forms, such as `at 6pm`.
            Some((when, text)) => match in_words(item, now) {
                Ok(read) if read.0.time.is_some() => read,
                Ok(_) | Err(_) => (when, repeats, text.to_owned()),
            },
            None => in_words(item, now)?,
        };
        let (when, repeats, text) = read;
        if text.is_empty() {
            return Err("it has no text".to_owned());
        }
        let record = line.record();
        let known = record.map(|own| own.id.clone());
        let known = known.filter(|id| ids.insert(id.clone()));
        let is_by_hand = known.is_none();
        let id = known.unwrap_or_else(|| {
            let mut tries = (0..).map(|n: u32| short_hash(&format!("PROMISES.md\n{n}\n{item}")));
            tries.find(|id| ids.insert(id.clone())).unwrap_or_default()
        });
        let session = record.and_then(|own| own.session.as_deref());
        let promise = Promise {
            id,
            kind,
            when,
            repeats,
            text,
            is_done,
            line: number,
            origin: line.origin(),
            evidence: record
                .map(|own| own.entries().collect())
                .unwrap_or_default(),
            scope: session.and_then(scope_of).map(str::to_owned),
        };
        if is_by_hand || promise.item() != line.item() {
            self.by_hand.insert(number);
        }
        Ok(promise)
    }

    /// Adds a line at the end of the section of its kind.
    pub(super) fn add(&mut self, promise: &Promise) {
        if self.text.lines.is_empty() {
            self.text = NoteText::alone(HEADER).into_owned();
        }
        let raw = raw_line(promise);
        let line = |end: &str| NoteLine::plain(raw, end.to_owned());
        add_line(&mut self.text, promise.kind.heading(), line);
    }

    /// Puts a promise of an earlier page back: at its place if nothing else changed since, else at the end of its section.
    pub(super) fn restore(&mut self, promise: &Promise, earlier: &Self) {
        let at = promise.line - 1;
        let own = earlier.text.lines.iter().enumerate();
        let others = own.filter(|(place, _)| *place != at).map(|(_, it)| it);
        let is_unchanged = bytes_of(others) == self.bytes();
        if let Some(line) = earlier.text.lines.get(at).filter(|_| is_unchanged) {
            let line = NoteLine::plain(raw_line(promise), line.end.clone());
            self.text.lines.insert(at, line);
        } else {
            self.add(promise);
        }
    }

    /// Writes a promise over its line.
    pub(super) fn put(&mut self, promise: &Promise) {
        let at = promise.line.saturating_sub(1);
        if let Some(line) = self.text.lines.get_mut(at) {
            let end = std::mem::take(&mut line.end);
            *line = NoteLine::plain(raw_line(promise), end);
        }
    }

    /// The page as it is written.
    pub(super) fn bytes(&self) -> Vec<u8> {
        bytes_of(self.text.lines.iter())
    }
}

fn bytes_of<'l>(lines: impl Iterator<Item = &'l NoteLine<'static>>) -> Vec<u8> {
    let parts = lines.flat_map(|line| [&*line.raw, &*line.end]);
    parts.collect::<String>().into_bytes()
}

fn raw_line(promise: &Promise) -> String {
    format!("- {} ^{}", promise.item(), promise.id)
}

fn heading(line: &str) -> Option<&str> {
    let title = line.trim_start_matches('#');
    (title.len() < line.len()).then(|| title.trim())
}

fn is_bullet(line: &str) -> bool {
    ["- ", "* ", "+ "].iter().any(|it| line.starts_with(it))
}

/// Whether an item is ticked off, and its text.
fn ticked(item: &str) -> (bool, &str) {
    for (tick, is_done) in [("[x]", true), ("[X]", true), ("[ ]", false)] {
        if let Some(rest) = item.strip_prefix(tick) {
            return (is_done, rest.trim_start());
        }
    }
    (false, item)
}

/// The item without the repetition in brackets at its end, and that.
fn repeated(item: &str) -> (&str, Option<Repetition>) {
    let found = || {
        let (rest, last) = item.strip_suffix(')')?.rsplit_once('(')?;
        Some((rest.trim_end(), Repetition::parse(last)?))
    };
    match found() {
        Some((rest, own)) => (rest, Some(own)),
        None => (item, None),
    }
}

/// A day, a time of day if there is one, and the rest.
fn written(item: &str) -> Option<(PromiseTime, &str)> {
    let (day, rest) = item.split_at_checked(10)?;
    let day: Day = day.parse().ok()?;
    let rest = rest.trim_start_matches([',', ':']).trim_start();
    let time = rest
        .get(..5)
        .and_then(|it| NaiveTime::parse_from_str(it, "%H:%M").ok());
    let behind = rest.get(5..).unwrap_or_default();
    let is_time = behind.is_empty() || behind.starts_with([' ', ',', ':']);
    match time.filter(|_| is_time) {
        Some(time) => {
            let text = behind.trim_start_matches([',', ':']).trim();
            let time = Some(time);
            Some((PromiseTime { day, time }, text))
        }
        None => Some((PromiseTime { day, time: None }, rest.trim())),
    }
}

/// A promise with a time in words, seen from a local time.
fn in_words(
    item: &str,
    now: NaiveDateTime,
) -> Result<(PromiseTime, Option<Repetition>, String), String> {
    let read = time_ahead(item, now);
    let when = read.when.map_err(|why| why.to_string())?;
    let When { day, time, every } =
        when.ok_or_else(|| "it names no day: begin it with one, such as 2026-12-04".to_owned())?;
    let repeats = every.map(|every| Repetition { every, time });
    Ok((PromiseTime { day, time }, repeats, read.rest))
}

/// The time at which a promise is open: the written one, or the first repetition that was not told; `None` if it was.
pub(super) fn open_time(promise: &Promise, told: &[Covered]) -> Option<PromiseTime> {
    let mut when = promise.when;
    for _ in 0..=told.len() {
        let covers = |own: &&Covered| own.from <= when.local() && when.local() <= own.through;
        let Some(covered) = told.iter().find(covers) else {
            return Some(when);
        };
        let through = Day::from(covered.through.date());
        when = promise.repeats.as_ref()?.next_after(through)?;
    }
    None
}
