//! The course of a session, read from its transcript line by line.
//!
//! Holds counts and events, never what was said. How large the context was is shown through the same pruning as a
//! request; the prompt around the messages is not in the transcript and not counted.

use base::{Message, Origin, SessionId, Timestamp, TokenCount, Tz, day};
use compaction::{Budget, Settings, show};
use session::{
    Compaction, Entry, FlushIntent, LineContent, Meta, Payload, ReadError, Reset, ResetReason,
    ResumeLimit, SessionName, SessionStore, View, ViewContent, ViewItem,
};

use super::list::SessionLine;
use super::show::{DayReport, MessageCounts, SessionEvent, SessionEventKind, SessionReport};
use super::telling::Trouble;
use crate::error::CliError;

/// What a transcript says of a session.
pub(super) struct Read {
    /// Its course; of the context nothing yet.
    pub(super) report: SessionReport,
    pub(super) last_at: Option<Timestamp>,
    pub(super) trouble: Trouble,
    /// The window of each compaction, where the transcript tells it.
    pub(super) windows: Vec<Option<TokenCount>>,
    /// The sessions that the file holds, one after the other.
    pub(super) parts: Vec<SessionLine>,
}

pub(super) fn read(
    store: &SessionStore,
    name: &SessionName,
    timezone: Tz,
) -> Result<Read, CliError> {
    let mut course = Course::new(name, timezone);
    let lines = store.lines(name)?;
    let mut trouble = Trouble::of(&lines);
    for line in lines {
        let line = line?;
        trouble.take(&line);
        course.report.bytes = line.offset + line.n_bytes + 1;
        match line.content {
            LineContent::Header(header) => {
                course.report.forked_from.clone_from(&header.parent);
                course.begin_part(line.offset, header.id, header.parent);
                course.report.created_at = header.at;
            }
            LineContent::Entry(entry) => course.take(&entry, line.offset),
            LineContent::ShortMeta(_) | LineContent::Damaged { .. } => {}
        }
    }
    if course.report.bytes == 0 {
        return Err(ReadError::NotFound(name.clone()).into());
    }
    Ok(Read {
        parts: course.parts(),
        report: course.report,
        last_at: course.last_at,
        trouble,
        windows: course.windows,
    })
}

struct Course {
    report: SessionReport,
    last_at: Option<Timestamp>,
    state: Meta,
    windows: Vec<Option<TokenCount>>,
    /// From which byte on lines belong to which part of the file.
    parts: Vec<Part>,
    /// A reset of which only the next entry says whether a session begins there.
    reset: Option<Beginning>,
}

/// Where a session begins anew in the file.
struct Beginning {
    offset: u64,
    at: Timestamp,
    reset: Reset,
}

/// A stretch of the file that is a session of its own.
struct Part {
    from_offset: u64,
    line: SessionLine,
}

impl Course {
    fn new(name: &SessionName, timezone: Tz) -> Self {
        let report = SessionReport {
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
            context_tokens: Vec::new(),
            timezone,
        };
        Self {
            report,
            last_at: None,
            state: Meta::default(),
            windows: Vec::new(),
            parts: Vec::new(),
            reset: None,
        }
    }

    /// A session begins: with the file, or anew in it.
    fn begin_part(&mut self, from_offset: u64, id: SessionId, parent: Option<SessionId>) {
        self.report.id.clone_from(&id);
        self.report.parent.clone_from(&parent);
        let line = SessionLine {
            name: self.report.name.clone(),
            id,
            parent,
            messages: 0,
            last_activity_at: None,
            epoch: self.report.epoch,
            bytes: 0,
        };
        self.parts.push(Part { from_offset, line });
    }

    /// The part goes on to which the entry at `target` belongs.
    fn go_back(&mut self, offset: u64, target: u64) {
        let mut before = self.parts.iter().rev();
        let part = before.find(|part| part.from_offset <= target);
        if let Some(SessionLine { id, parent, .. }) = part.map(|part| part.line.clone()) {
            self.begin_part(offset, id, parent);
        }
    }

    /// The sessions that the file holds; to one that a rewind came back to belongs what was said then, too.
    fn parts(&self) -> Vec<SessionLine> {
        let ends = self.parts.iter().skip(1).map(|part| part.from_offset);
        let ends = ends.chain([self.report.bytes]);
        let mut lines: Vec<SessionLine> = Vec::new();
        for (part, end) in self.parts.iter().zip(ends) {
            let mut own = part.line.clone();
            own.bytes = end.saturating_sub(part.from_offset);
            match lines.iter_mut().find(|line| line.id == own.id) {
                Some(line) => {
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

    fn take(&mut self, entry: &Entry, offset: u64) {
        if let Some(beginning) = self.reset.take() {
            self.begin_anew(beginning, Some(entry));
        }
        self.take_payload(entry, offset);
        let epoch = self.report.epoch;
        if let Some(Part { line, .. }) = self.parts.last_mut() {
            line.last_activity_at = Some(entry.at);
            line.epoch = epoch;
            line.messages += u64::from(matches!(entry.payload, Payload::Message(_)));
        }
    }

    fn take_payload(&mut self, entry: &Entry, offset: u64) {
        self.last_at = Some(entry.at);
        match &entry.payload {
            Payload::Message(stored) => self.message(entry.at, &stored.message),
            Payload::Compaction(compaction) => {
                let details = &compaction.details;
                self.windows.push(details.context_window);
                self.report.epoch += 1;
                // The fork counts one that happened elsewhere, too.
                if details.copied_from.is_none() {
                    self.report.compactions += 1;
                    let kind = SessionEventKind::Compaction {
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
                let beginning = Beginning {
                    offset,
                    at: entry.at,
                    reset: reset.clone(),
                };
                self.begin_anew(beginning, None);
            }
            Payload::Rewind(rewind) => {
                self.report.rewinds += 1;
                self.go_back(offset, rewind.target.offset);
                let target = rewind.target.id.clone();
                self.event(entry.at, SessionEventKind::Rewind { target });
            }
            Payload::BranchSummary(_)
            | Payload::CustomMessage(_)
            | Payload::Custom(_)
            | Payload::Other(..) => {}
        }
    }

    /// A session begins, or the next entry will tell, or none does.
    fn begin_anew(&mut self, beginning: Beginning, next: Option<&Entry>) {
        if !beginning.reset.begins(next) {
            self.reset = next.is_none().then_some(beginning);
            return;
        }
        let Beginning { offset, at, reset } = beginning;
        let parent = Some(self.report.id.clone());
        self.begin_part(offset, reset.session.clone(), parent);
        let session = reset.session;
        self.event(at, SessionEventKind::Reset { session });
    }

    fn message(&mut self, at: Timestamp, message: &Message) {
        self.report.messages += 1;
        let counts = &mut self.day(at).messages;
        *match message {
            Message::User { .. } => &mut counts.user,
            Message::Assistant(_) => &mut counts.assistant,
            Message::ToolResult(_) => &mut counts.tool,
        } += 1;
    }

    /// A flush ends where an intent is gone, or where the text it covers moves without one.
    fn meta(&mut self, at: Timestamp, meta: &Meta) {
        let before = std::mem::replace(&mut self.state, meta.clone());
        self.report.epoch = self.report.epoch.max(meta.compaction_count.0);
        if meta.intent.is_some() {
            return;
        }
        let epoch = meta.compaction_count.0;
        if meta.flush_failures > before.flush_failures {
            self.event(at, SessionEventKind::FlushFailed { epoch });
        } else if meta.memory_flush_at != before.memory_flush_at {
            self.report.flushes += 1;
            let log_file = before.intent.map(|FlushIntent { log_file, .. }| log_file);
            self.event(at, SessionEventKind::Flush { epoch, log_file });
        }
    }

    fn event(&mut self, at: Timestamp, kind: SessionEventKind) {
        self.day(at).events.push(SessionEvent { at, kind });
    }

    fn day(&mut self, at: Timestamp) -> &mut DayReport {
        let day = day(at, self.report.timezone);
        let days = &mut self.report.days;
        let position = days.iter().rposition(|report| report.day == day);
        let position = position.unwrap_or_else(|| {
            days.push(DayReport {
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

/// The most moments that are shown: more than a chart has columns.
const N_MOMENTS_MAX: u64 = 240;

/// In which window a session ran, from one compaction to the next.
#[derive(Debug)]
pub(super) struct Frames {
    /// What is set now; of it the window holds where the transcript tells none.
    pub(super) settings: Settings,
    /// Of each compaction, where the transcript tells it.
    pub(super) windows: Vec<Option<TokenCount>>,
}

/// A view that was once shown fits into memory.
const EVERYTHING: ResumeLimit = ResumeLimit {
    tokens: TokenCount(u64::MAX),
};

impl Frames {
    /// What holds after so many compactions: a compaction tells the window in which it became due, and
    /// the last one stands for what came after it.
    fn after(&self, n_compactions: usize) -> Settings {
        let window = self.windows.get(n_compactions).or(self.windows.last());
        let window = window.copied().flatten();
        Settings {
            context_window: window.unwrap_or(self.settings.context_window),
            ..self.settings.clone()
        }
    }
}

fn shown_tokens(view: &View, settings: &Settings) -> TokenCount {
    show(view, settings, &Budget::new(settings)).tokens
}

/// Tokens of what is shown, at evenly spaced messages and around each compaction.
pub(super) fn context_tokens(
    store: &SessionStore,
    name: &SessionName,
    n_messages: u64,
    frames: &Frames,
) -> Result<Vec<TokenCount>, CliError> {
    let mut n_compactions = 0;
    let mut settings = frames.after(n_compactions);
    let step = n_messages.div_ceil(N_MOMENTS_MAX).max(1);
    let mut view = View::default();
    let mut tokens = Vec::new();
    let mut n_seen = 0_u64;
    for line in store.lines(name)? {
        let LineContent::Entry(entry) = line?.content else {
            continue;
        };
        let is_cut = matches!(entry.payload, Payload::Compaction(_) | Payload::Reset(_));
        let mut is_moment = is_cut;
        if is_cut {
            tokens.push(shown_tokens(&view, &settings));
        }
        if let Payload::Compaction(_) = &entry.payload {
            n_compactions += 1;
            settings = frames.after(n_compactions);
        }
        if let Payload::Message(_) = &entry.payload {
            n_seen += 1;
            is_moment = n_seen.is_multiple_of(step);
        }
        if let Payload::Rewind(rewind) = &entry.payload {
            // What it goes back to may have left the view long ago.
            view = store.view_at(name, &rewind.target, EVERYTHING)?;
        } else {
            apply(&mut view, entry);
        }
        if is_moment {
            tokens.push(shown_tokens(&view, &settings));
        }
    }
    Ok(tokens)
}

fn apply(view: &mut View, entry: Entry) {
    let item = |content: ViewContent, origin| ViewItem {
        entry: entry.id,
        at: entry.at,
        origin,
        tokens: content.estimate(),
        content,
    };
    match entry.payload {
        Payload::Message(stored) => {
            let origin = stored.origin.unwrap_or(Origin::Untrusted);
            view.items
                .push(item(ViewContent::Message(stored.message), origin));
        }
        Payload::Compaction(Compaction {
            summary,
            first_kept,
            details,
            ..
        }) => {
            let kept = view.items.iter().position(|item| item.entry == first_kept);
            let pinned = |item: &ViewItem| {
                let mut pointers = details.keep_first.iter();
                pointers.any(|pointer| pointer.id == item.entry)
            };
            let leaving = view.items.drain(..kept.unwrap_or(view.items.len()));
            let pinned: Vec<ViewItem> = leaving.filter(pinned).collect();
            let summary = item(ViewContent::Summary(summary), Origin::System);
            view.items.splice(..0, pinned.into_iter().chain([summary]));
        }
        // The summary in the next line stands for what was said.
        Payload::Reset(reset) if reset.reason == ResetReason::Replaced => {}
        Payload::Reset(_) => view.items.clear(),
        Payload::Rewind(_)
        | Payload::Meta(_)
        | Payload::BranchSummary(_)
        | Payload::CustomMessage(_)
        | Payload::Custom(_)
        | Payload::Other(..) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_stretch_is_shown_in_the_window_it_ran_in() {
        let settings = Settings::default();
        let told = |windows: &[Option<u64>]| -> Vec<u64> {
            let windows = windows.iter().map(|window| window.map(TokenCount));
            let frames = Frames {
                settings: settings.clone(),
                windows: windows.collect(),
            };
            let window = |n| frames.after(n).context_window.0;
            (0..4).map(window).collect()
        };
        assert_eq!(told(&[]), [200_000; 4]);
        assert_eq!(
            told(&[Some(16_000), None, Some(32_000)]),
            [16_000, 200_000, 32_000, 32_000]
        );
    }
}
