//! Tells what happens in a chat: the reply as it comes, and beside it what the owner should know.
//!
//! Finds the words for events elsewhere, in `output`.

use std::time::Duration;

use agent::Event;
use base::ToolOutcome;
use compaction::{Event as WindowEvent, FlushMode, FlushOutcome};
use memory::search::Degraded;

use super::ears::Above;
use super::event::{self, ChatEvent};
use crate::commands::compacted::{Compacted, Said};
use crate::output::{Flow, Paint, reply_mark};
use crate::prelude::*;

/// Tells events as they happen.
pub(super) struct Teller<'a, 'out> {
    output: &'a mut Output<'out>,
    /// Prints above the prompt, while one is shown.
    above: Option<&'a mut Above>,
    flow: Flow,
    /// What is printed in front of the reply.
    mark: Option<String>,
    /// Why what memory holds may be missing from the reply.
    degraded: Option<Degraded>,
    /// What the owner knows of that from an earlier reply.
    known: Option<Degraded>,
    /// Who was asked for the reply in the place of the first model.
    asked_instead: Option<String>,
    /// Whether a piece of the reply was told.
    progress: Progress,
    /// The first failure of the output itself; after it nothing is told.
    failure: Option<CliError>,
}

/// How a reply comes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Progress {
    None,
    Shown,
}

impl<'a, 'out> Teller<'a, 'out> {
    /// Tells while no prompt is shown.
    pub(super) fn new(output: &'a mut Output<'out>, stdout: Stream) -> Self {
        let flow = Flow::new(stdout.text_columns());
        let is_dressed = matches!(stdout, Stream::Terminal(_)) && output.paint() == Paint::Coloured;
        Self {
            output,
            above: None,
            mark: None,
            flow: if is_dressed { flow.dressed() } else { flow },
            degraded: None,
            known: None,
            asked_instead: None,
            progress: Progress::None,
            failure: None,
        }
    }

    /// The same, to an owner who knows already why what memory holds may be missing.
    pub(super) fn knowing(self, known: Option<Degraded>) -> Self {
        Self { known, ..self }
    }

    /// The same for a reply at a prompt, where a mark tells it from what the owner typed.
    pub(super) fn marking_reply(mut self) -> Self {
        self.mark = Some(reply_mark(self.output.paint()));
        self
    }

    /// Tells while a prompt is shown.
    pub(super) fn above(output: &'a mut Output<'out>, above: Option<&'a mut Above>) -> Self {
        Self {
            above,
            ..Self::new(output, Stream::File)
        }
    }

    /// Tells an event.
    pub(super) fn tell(&mut self, event: Event) {
        if let Event::Recalled { degraded, .. } = &event {
            self.degraded = *degraded;
        }
        if let Event::AskedInstead { model, .. } = &event {
            self.asked_instead = Some(model.clone());
        }
        // Who is told that a turn is waited for is not told that the model is.
        if matches!(
            event,
            Event::ReplyDelta(_) | Event::ToolStarted { .. } | Event::WaitingForTurn { .. }
        ) {
            self.progress = Progress::Shown;
        }
        // A person is told once; a program gets each of them.
        let is_known = matches!(&event, Event::Recalled { degraded, unreadable, .. }
            if degraded.is_some() && *degraded == self.known && unreadable.is_empty());
        if is_known && self.output.format() == Format::Human {
            return;
        }
        if let Some(event) = translate(event) {
            self.say(&event);
        }
    }

    /// Tells something that has its form already.
    pub(super) fn say(&mut self, event: &ChatEvent) {
        if self.failure.is_none()
            && let Err(error) = self.try_say(event)
        {
            self.failure = Some(error);
        }
    }

    /// Whether no piece of the reply has come yet, whatever else was told: what a model thinks is not shown.
    pub(super) fn is_quiet(&self) -> bool {
        self.progress == Progress::None
    }

    /// Why what memory holds may be missing from the reply.
    pub(super) fn degraded(&self) -> Option<Degraded> {
        self.degraded
    }

    /// Who answered, where that was not the first model.
    pub(super) fn asked_instead(&self) -> Option<String> {
        self.asked_instead.clone()
    }

    /// Ends the line of the reply, if one was begun.
    pub(super) fn finish(mut self) -> Result<()> {
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        let rest = self.flow.finish();
        self.output.text(&rest)
    }

    fn try_say(&mut self, event: &ChatEvent) -> Result<()> {
        if self.output.format() == Format::Json {
            return self.output.object(event);
        }
        if let ChatEvent::Delta { text } = event {
            if let Some(mark) = self.mark.take() {
                self.output.text(&mark)?;
                self.flow.begin_behind(&mark);
            }
            let text = self.flow.push(text);
            return self.output.text(&text);
        }
        let Some(said) = event::render(event, self.output.verbosity()) else {
            return Ok(());
        };
        let rest = self.flow.finish();
        self.output.text(&rest)?;
        match (said, self.above.as_deref_mut()) {
            (Said::Data(text), _) => self.output.text(&text)?,
            (Said::Message(text) | Said::Warning(text), Some(above)) => {
                if let Some(aside) = self.output.aside(&text) {
                    above(aside);
                }
            }
            (Said::Message(text), None) => self.output.tell_aside(&text),
            (Said::Warning(warning), None) => self.output.warn(&warning),
        }
        Ok(())
    }
}

/// What is told of an event; nothing of those that only a replay has.
fn translate(event: Event) -> Option<ChatEvent> {
    Some(match event {
        Event::Message { .. } => return None,
        Event::ReplyDelta(text) => ChatEvent::Delta { text },
        Event::ThinkingDelta(text) => ChatEvent::Thinking { text },
        Event::Recalled {
            n_passages,
            degraded,
            unreadable,
        } => ChatEvent::Recall {
            passages: n_passages as u64,
            degraded: degraded.map(Degraded::as_str),
            unreadable,
        },
        Event::ToolStarted { name, arguments } => ChatEvent::ToolCall { name, arguments },
        Event::ToolEnded {
            name,
            outcome,
            reason,
        } => ChatEvent::ToolResult {
            name,
            failed: outcome == ToolOutcome::Failure,
            reason,
        },
        Event::Notice(message) => ChatEvent::Notice { message },
        Event::WaitingForTurn { session, pid } => ChatEvent::Notice {
            message: format!(
                "Waiting for {}, which uses session {session}. Ctrl-C gives up.",
                pid.map_or_else(
                    || "another process".to_owned(),
                    |pid| format!("process {pid}")
                )
            ),
        },
        Event::AskedInstead { model, reason } => ChatEvent::Warning {
            message: format!("{reason}; asking {model}"),
        },
        Event::AskedAgain { reason, wait } => ChatEvent::Warning {
            message: format!("{reason}; asking again in {}", seconds(wait)),
        },
        Event::Warning(message) => ChatEvent::Warning { message },
        Event::Window(event) => return translate_window(event),
    })
}

fn translate_window(event: WindowEvent) -> Option<ChatEvent> {
    Some(match event {
        WindowEvent::FlushStarted { .. } => return None,
        WindowEvent::FlushEnded {
            epoch,
            mode,
            outcome,
        } => ChatEvent::Flush {
            epoch: epoch.0,
            outcome: outcome.into(),
            notes: match outcome {
                FlushOutcome::Written { n_notes } => n_notes as u64,
                FlushOutcome::Nothing | FlushOutcome::Failed => 0,
            },
            is_silent: mode == FlushMode::BeforeCompaction,
        },
        WindowEvent::CompactStarted {
            current_context_tokens,
            threshold,
            summarised,
        } => ChatEvent::CompactionStarted {
            context_tokens: current_context_tokens,
            threshold,
            messages: summarised.map(|summarised| summarised.n_messages as u64),
            line: event.to_string(),
        },
        WindowEvent::CompactEnded { .. } | WindowEvent::CompactDropped { .. } => {
            ChatEvent::Compaction {
                line: event.to_string(),
                compacted: Compacted::of(&event)?,
            }
        }
        warning @ WindowEvent::ContextWarning { .. } => ChatEvent::Warning {
            message: warning.to_string(),
        },
    })
}

/// In seconds, rounded up: a wait of nothing is none.
fn seconds(wait: Duration) -> String {
    format!("{} s", wait.as_millis().div_ceil(1_000).max(1))
}

#[cfg(test)]
mod tests {
    use session::Epoch;

    use super::*;

    #[test]
    fn only_notes_before_a_compaction_are_silent() {
        let is_silent = |mode| {
            let ended = WindowEvent::FlushEnded {
                epoch: Epoch(2),
                mode,
                outcome: FlushOutcome::Written { n_notes: 1 },
            };
            matches!(
                translate_window(ended),
                Some(ChatEvent::Flush {
                    is_silent: true,
                    ..
                })
            )
        };
        assert!(is_silent(FlushMode::BeforeCompaction));
        assert!(!is_silent(FlushMode::SessionNotes));
    }
}
