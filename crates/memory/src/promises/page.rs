//! The page `PROMISES.md`: which of its bullets are promises, and how a promise is written.
//!
//! Pure. A bullet that cannot be read stays as it is.

use std::collections::BTreeSet;

use base::dates::{When, time_ahead};
use base::{Day, EntryId, Origin, scope_of, short_hash};
use chrono::{NaiveDateTime, NaiveTime};

use super::occasion::{Occasion, PromiseTime, Repetition};
use super::plan::Covered;
use crate::curated::add_line;
use crate::note_text::{MemoryText, NoteLine, NoteText};

/// The start of a new page.
const HEADER: &str = "# Promises\n";

/// Whether the owner asked for something, at a time or by a subject, or the assistant promised it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromiseKind {
    /// The owner asked for it at a time.
    Reminder,
    /// The owner asked for it when a conversation comes to a subject.
    Subject,
    /// The assistant said that it would do it.
    Promised,
}

impl PromiseKind {
    /// The heading of its section.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Reminder => "Reminders",
            Self::Subject => "When it comes up",
            Self::Promised => "Promised",
        }
    }

    fn of_heading(title: &str) -> Option<Self> {
        let kinds = [Self::Reminder, Self::Subject, Self::Promised];
        let mut kinds = kinds.into_iter();
        kinds.find(|own| own.heading().eq_ignore_ascii_case(title))
    }
}

/// A reminder, or something that the assistant promised to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Promise {
    /// Its id.
    pub id: String,
    /// Whether the owner asked for it, or the assistant promised it.
    pub kind: PromiseKind,
    /// When it is brought up, as the page says.
    pub occasion: Occasion,
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
        match &self.occasion {
            Occasion::Time { when, repeats } => {
                let repeats = repeats.as_ref().map(|own| format!(" ({own})"));
                let repeats = repeats.unwrap_or_default();
                format!("{tick}{when} {}{repeats}", self.text)
            }
            Occasion::Subject(subject) => format!("{tick}{subject}: {}", self.text),
        }
    }

    /// The same at another time.
    #[must_use]
    pub(super) fn moved_to(self, when: PromiseTime) -> Self {
        Self {
            occasion: self.occasion.moved_to(when),
            ..self
        }
    }

    /// Whether the assistant promised it and the owner has not agreed to be reminded of it.
    pub fn is_proposed(&self) -> bool {
        let is_owners = match self.origin {
            Origin::Owner => true,
            Origin::Agent | Origin::System | Origin::Untrusted => false,
        };
        self.kind == PromiseKind::Promised && !is_owners
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
        let (occasion, text) = match kind {
            PromiseKind::Reminder | PromiseKind::Promised => timed(line, now)?,
            PromiseKind::Subject => about(item)?,
        };
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
            occasion,
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

/// A time and a text, seen from a local time.
fn timed(line: &NoteLine<'_>, now: NaiveDateTime) -> Result<(Occasion, String), String> {
    let is_ours = line.record().is_some();
    let (_, item) = ticked(line.item());
    let (item, repeats) = repeated(item);
    let of = |when, text: &str| {
        (
            Occasion::Time {
                when,
                repeats: repeats.clone(),
            },
            text.to_owned(),
        )
    };
    Ok(match written(item) {
        Some((when, text)) if is_ours || when.time.is_some() => of(when, text),
        // The owner may write the time of a day in other forms, such as `at 6pm`.
        Some((when, text)) => match in_words(item, now) {
            Ok(read) if read.0.when().is_some_and(|it| it.time.is_some()) => read,
            Ok(_) | Err(_) => of(when, text),
        },
        None => in_words(item, now)?,
    })
}

/// A subject, and the text behind its colon.
fn about(item: &str) -> Result<(Occasion, String), String> {
    let parts = item
        .split_once(": ")
        .map(|(subject, text)| (subject.trim(), text.trim()));
    let named = parts.filter(|(subject, _)| !subject.is_empty());
    let (subject, text) =
        named.ok_or_else(|| "it names no subject: write it as `subject: text`".to_owned())?;
    Ok((Occasion::Subject(subject.to_owned()), text.to_owned()))
}

/// A promise with a time in words, seen from a local time.
fn in_words(item: &str, now: NaiveDateTime) -> Result<(Occasion, String), String> {
    let read = time_ahead(item, now);
    let when: Option<When> = read.when.map_err(|why| why.to_string())?;
    let when = when.ok_or_else(|| {
        "it does not name a day: begin it with one, such as 2026-12-04".to_owned()
    })?;
    Ok((Occasion::at(when), read.rest))
}

/// The time at which a promise is open: the written one, or the first repetition that was not told; `None` if it was, and
/// for a subject.
pub(super) fn open_time(promise: &Promise, told: &[Covered]) -> Option<PromiseTime> {
    let Occasion::Time { when, repeats } = &promise.occasion else {
        return None;
    };
    let mut when = *when;
    for _ in 0..=told.len() {
        // A telling covers its own times and those of the repetition between them. A time to which the owner moved the
        // promise may lie between them too, if the clock was set back since.
        let is_repetition = repeats.as_ref().is_some_and(|own| own.has(when));
        let covers = |own: &&Covered| {
            let is_between = own.from < when.local() && when.local() < own.through;
            own.from == when.local() || own.through == when.local() || is_between && is_repetition
        };
        let Some(covered) = told.iter().find(covers) else {
            return Some(when);
        };
        let through = Day::from(covered.through.date());
        when = repeats.as_ref()?.next_after(through)?;
    }
    None
}
