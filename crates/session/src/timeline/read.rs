//! Reads the timeline of a session from its transcript, line by line.
//!
//! Holds counts, events and titles, no other content.

use super::course::{
    MessageCounts, SessionPart, Timeline, TimelineDay, TimelineEvent, TimelineEventKind,
};
use super::title::{shortened_title, title_of};
use crate::reader::RawLine;
use crate::{
    Entry, FORMAT_VERSION, FlushIntent, ForwardReader, LineContent, Meta, Payload, ReadError,
    Reset, SessionName, SessionStore, TranscriptLine,
};
use base::{Message, Origin, SessionId, Timestamp, TokenCount, Tz, day};

/// Everything that one pass over a transcript collects.
#[derive(Debug)]
pub struct TimelineRead {
    pub timeline: Timeline,
    /// Time of the last entry.
    pub last_at: Option<Timestamp>,
    /// Damage that did not prevent reading.
    pub trouble: TranscriptTrouble,
    /// The context window at each compaction, if recorded.
    pub windows: Vec<Option<TokenCount>>,
    /// The sessions in the file, in order.
    pub parts: Vec<SessionPart>,
}

/// Whether an entry was forgotten, so that its text must not be shown.
pub type IsForgotten<'a> = &'a dyn Fn(&Entry) -> bool;

/// Reads the timeline of a session, without view sizes; see [`view_moments`](super::view_moments).
///
/// Forgotten entries are counted, but their text never becomes a title.
pub fn timeline(
    store: &SessionStore,
    name: &SessionName,
    timezone: Tz,
    is_forgotten: IsForgotten<'_>,
) -> Result<TimelineRead, ReadError> {
    let mut course = TimelineReading::new(name, timezone, is_forgotten);
    let lines = store.lines(name)?;
    let mut trouble = TranscriptTrouble::of(&lines);
    for line in lines {
        let line = line?;
        trouble.take(&line);
        course.timeline.bytes = line.offset + line.n_bytes + 1;
        course.line = line.number;
        course.take_line(line.content, line.offset);
    }
    if course.timeline.bytes == 0 {
        return Err(ReadError::NotBegun(name.clone()));
    }
    Ok(TimelineRead {
        parts: course.parts(),
        timeline: course.timeline,
        last_at: course.last_at,
        trouble,
        windows: course.windows,
    })
}

/// The last of [`list_parts`].
pub fn last_part(
    store: &SessionStore,
    name: &SessionName,
    is_forgotten: IsForgotten<'_>,
) -> Result<Option<SessionPart>, ReadError> {
    Ok(list_parts(store, name, is_forgotten)?.pop())
}

/// [`TimelineRead::parts`], for lists. Parses only messages that can change them.
///
/// Damaged messages count too.
pub fn list_parts(
    store: &SessionStore,
    name: &SessionName,
    is_forgotten: IsForgotten<'_>,
) -> Result<Vec<SessionPart>, ReadError> {
    let mut course = TimelineReading::new(name, Tz::UTC, is_forgotten);
    let mut last_skipped: Option<RawLine> = None;
    for raw in store.open(name)?.raw_lines() {
        let raw = raw?;
        course.timeline.bytes = raw.offset + raw.len + 1;
        course.line += 1;
        match course.titled_part() {
            Some(part) if raw.is_plain_message() => {
                part.messages += 1;
                last_skipped = Some(raw);
            }
            Some(_) | None => {
                course.settle(last_skipped.take());
                course.take_line(raw.parse(), raw.offset);
            }
        }
    }
    course.settle(last_skipped);
    Ok(course.parts())
}

struct TimelineReading<'a> {
    timeline: Timeline,
    /// The number of the line read last.
    line: u64,
    timezone: Tz,
    is_forgotten: IsForgotten<'a>,
    last_at: Option<Timestamp>,
    state: Meta,
    windows: Vec<Option<TokenCount>>,
    /// The parts of the file so far.
    parts: Vec<Subsession>,
    /// A reset that takes effect only if the next entry confirms it.
    reset: Option<Beginning>,
}

struct Beginning {
    offset: u64,
    at: Timestamp,
    reset: Reset,
}

/// A section of the file that belongs to one session.
struct Subsession {
    from_offset: u64,
    line: SessionPart,
    /// Whether the owner set the title.
    is_titled: bool,
    /// The title to use if no message is the owner's.
    other_title: Option<String>,
}

impl<'a> TimelineReading<'a> {
    fn new(name: &SessionName, timezone: Tz, is_forgotten: IsForgotten<'a>) -> Self {
        let timeline = Timeline {
            name: name.to_string(),
            id: SessionId::new(name.as_str()),
            parent: None,
            forked_from: None,
            created_at: None,
            messages: 0,
            epoch: 0,
            rewinds: 0,
            flushes: 0,
            compactions: 0,
            bytes: 0,
            days: Vec::new(),
        };
        Self {
            timeline,
            line: 0,
            timezone,
            is_forgotten,
            last_at: None,
            state: Meta::default(),
            windows: Vec::new(),
            parts: Vec::new(),
            reset: None,
        }
    }

    /// Begins a part of the file at a header, a reset or a rewind.
    fn begin_part(&mut self, from_offset: u64, id: SessionId, parent: Option<SessionId>) {
        self.timeline.id.clone_from(&id);
        self.timeline.parent.clone_from(&parent);
        let line = SessionPart {
            name: self.timeline.name.clone(),
            id,
            parent,
            first_line: self.line,
            title: None,
            messages: 0,
            last_activity_at: None,
            epoch: self.timeline.epoch,
            bytes: 0,
        };
        self.parts.push(Subsession {
            from_offset,
            line,
            is_titled: false,
            other_title: None,
        });
    }

    /// Handles a rewind: continues the session to which the entry at `target` belongs.
    fn go_back(&mut self, offset: u64, target: u64) {
        let mut before = self.parts.iter().rev();
        let part = before.find(|part| part.from_offset <= target);
        if let Some(SessionPart { id, parent, .. }) = part.map(|part| part.line.clone()) {
            self.begin_part(offset, id, parent);
        }
    }

    /// The sessions in the file; parts that a rewind continued are merged into their session.
    fn parts(&self) -> Vec<SessionPart> {
        let ends = self.parts.iter().skip(1).map(|part| part.from_offset);
        let ends = ends.chain([self.timeline.bytes]);
        let mut lines: Vec<SessionPart> = Vec::new();
        for (part, end) in self.parts.iter().zip(ends) {
            let mut own = part.line.clone();
            own.bytes = end.saturating_sub(part.from_offset);
            own.title = own.title.or_else(|| part.other_title.clone());
            match lines.iter_mut().find(|line| line.id == own.id) {
                Some(line) => {
                    let is_better = part.is_titled || line.title.is_none();
                    line.title = own.title.filter(|_| is_better).or(line.title.take());
                    line.messages += own.messages;
                    line.last_activity_at = own.last_activity_at.or(line.last_activity_at);
                    line.epoch = own.epoch;
                    line.bytes += own.bytes;
                }
                None => lines.push(own),
            }
        }
        lines
    }

    /// The current part if another message would not change its title.
    fn titled_part(&mut self) -> Option<&mut SessionPart> {
        let part = self.parts.last_mut().filter(|_| self.reset.is_none())?;
        part.line.title.is_some().then_some(&mut part.line)
    }

    /// Takes over the time of the last skipped message.
    fn settle(&mut self, skipped: Option<RawLine>) {
        if let Some(LineContent::Entry(entry)) = skipped.map(|raw| raw.parse())
            && let Some(part) = self.titled_part()
        {
            part.last_activity_at = Some(entry.at);
        }
    }

    fn take_line(&mut self, content: LineContent, offset: u64) {
        match content {
            LineContent::Header(header) => {
                self.timeline.forked_from.clone_from(&header.parent);
                self.begin_part(offset, header.id, header.parent);
                self.timeline.created_at = header.at;
            }
            LineContent::Entry(entry) => self.take(&entry, offset),
            LineContent::ShortMeta(_) | LineContent::Damaged { .. } => {}
        }
    }

    fn take(&mut self, entry: &Entry, offset: u64) {
        if let Some(beginning) = self.reset.take() {
            self.begin_anew(beginning, Some(entry));
        }
        self.take_payload(entry, offset);
        let epoch = self.timeline.epoch;
        if let Some(Subsession { line, .. }) = self.parts.last_mut() {
            line.last_activity_at = Some(entry.at);
            line.epoch = epoch;
            line.messages += u64::from(matches!(entry.payload, Payload::Message(_)));
        }
    }

    fn take_payload(&mut self, entry: &Entry, offset: u64) {
        self.last_at = Some(entry.at);
        match &entry.payload {
            Payload::Message(stored) => self.message(entry, &stored.message, stored.origin()),
            Payload::SessionInfo(info) => self.title(&info.name),
            Payload::Compaction(compaction) => {
                let details = &compaction.details;
                self.windows.push(details.context_window);
                self.timeline.epoch += 1;
                // A compaction copied into a fork advances the epoch but did not happen in this session.
                if details.copied_from.is_none() {
                    self.timeline.compactions += 1;
                    let kind = TimelineEventKind::Compaction {
                        entry: entry.id.clone(),
                        epoch: compaction.epoch.map(|epoch| epoch.0),
                        tokens_before: compaction.tokens_before,
                        tokens_after: details.tokens_after,
                        ratio_percent: details.ratio_percent,
                        retention_percent: details.retention_percent,
                        rung: details.rung.clone(),
                    };
                    self.event(entry.at, kind);
                }
            }
            Payload::Meta(meta) => self.meta(entry.at, meta),
            Payload::Reset(reset) => {
                let reset = reset.clone();
                let at = entry.at;
                self.begin_anew(Beginning { offset, at, reset }, None);
            }
            Payload::Rewind(rewind) => {
                self.timeline.rewinds += 1;
                self.go_back(offset, rewind.target.offset);
                let target = rewind.target.id.clone();
                self.event(entry.at, TimelineEventKind::Rewind { target });
            }
            Payload::BranchSummary(_)
            | Payload::CustomMessage(_)
            | Payload::Custom(_)
            | Payload::Other(..) => {}
        }
    }

    /// Begins a session at a reset, defers it until the next entry is known, or ignores it.
    fn begin_anew(&mut self, beginning: Beginning, next: Option<&Entry>) {
        if !beginning.reset.begins(next) {
            self.reset = next.is_none().then_some(beginning);
            return;
        }
        let Beginning { offset, at, reset } = beginning;
        let parent = Some(self.timeline.id.clone());
        self.begin_part(offset, reset.session.clone(), parent);
        let session = reset.session;
        self.event(at, TimelineEventKind::Reset { session });
    }

    fn title(&mut self, title: &str) {
        if let Some(part) = self.parts.last_mut() {
            part.line.title = shortened_title(title);
            part.is_titled = part.line.title.is_some();
        }
    }

    fn message(&mut self, entry: &Entry, message: &Message, origin: Origin) {
        if let (Message::User { .. }, Some(part)) = (message, self.parts.last_mut())
            && part.line.title.is_none()
            && !(self.is_forgotten)(entry)
        {
            match origin {
                Origin::Owner => part.line.title = title_of(&message.text()),
                Origin::Agent | Origin::Untrusted if part.other_title.is_none() => {
                    part.other_title = title_of(&message.text());
                }
                Origin::Agent | Origin::Untrusted | Origin::System => {}
            }
        }
        self.timeline.messages += 1;
        let counts = &mut self.day(entry.at).messages;
        *match message {
            Message::User { .. } => &mut counts.user,
            Message::Assistant(_) => &mut counts.assistant,
            Message::ToolResult(_) => &mut counts.tool,
        } += 1;
    }

    /// Records the end of a flush: a `meta` without an intent that has a new failure count or a new flush time.
    fn meta(&mut self, at: Timestamp, meta: &Meta) {
        let before = std::mem::replace(&mut self.state, meta.clone());
        self.timeline.epoch = self.timeline.epoch.max(meta.compaction_count.0);
        if meta.intent.is_some() {
            return;
        }
        let epoch = meta.compaction_count.0;
        if meta.flush_failures > before.flush_failures {
            self.event(at, TimelineEventKind::FlushFailed { epoch });
        } else if meta.memory_flush_at != before.memory_flush_at {
            self.timeline.flushes += 1;
            let log_file = before.intent.map(|FlushIntent { log_file, .. }| log_file);
            self.event(at, TimelineEventKind::Flush { epoch, log_file });
        }
    }

    fn event(&mut self, at: Timestamp, kind: TimelineEventKind) {
        self.day(at).events.push(TimelineEvent { at, kind });
    }

    fn day(&mut self, at: Timestamp) -> &mut TimelineDay {
        let day = day(at, self.timezone);
        let days = &mut self.timeline.days;
        let position = days.iter().rposition(|own| own.day == day);
        let position = position.unwrap_or_else(|| {
            days.push(TimelineDay {
                day,
                messages: MessageCounts::default(),
                events: Vec::new(),
            });
            days.len() - 1
        });
        #[expect(clippy::indexing_slicing, reason = "found or pushed just above")]
        &mut days[position]
    }
}

/// Damage to a transcript that is still readable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TranscriptTrouble {
    /// Number of unreadable lines.
    pub n_damaged: u64,
    /// Bytes of a torn last line, if there is one.
    pub n_torn_bytes: Option<u64>,
    /// The format version, if it differs from the one that this program writes.
    pub version: Option<u64>,
}

impl TranscriptTrouble {
    /// The damage that is known before the first line is read.
    fn of(lines: &ForwardReader) -> Self {
        Self {
            n_torn_bytes: lines.torn_tail().map(|tail| tail.n_bytes),
            ..Self::default()
        }
    }

    fn take(&mut self, line: &TranscriptLine) {
        if let LineContent::Header(header) = &line.content {
            if line.number == 1 {
                self.version = Some(header.version).filter(|version| *version != FORMAT_VERSION);
            }
        } else if let LineContent::Damaged { damage, .. } = &line.content {
            self.n_damaged += u64::from(!damage.is_absence());
        }
    }
}

#[cfg(test)]
#[path = "read_tests.rs"]
mod tests;
