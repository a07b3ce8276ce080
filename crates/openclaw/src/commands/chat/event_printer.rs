//! Prints the events of a chat: the reply as it streams, and notices next to it.
//!
//! Leaves the wording of events to `events`.

use agent::Event;
use cli::output::{Flow, Paint, reply_mark};
use search::Degraded;

use super::input::{Above, InputPlace};
use crate::commands::events::{EventText, event_in_words, event_json};
use crate::prelude::*;

/// The beginning of lines in which a reply of the offline engine quotes the owner.
const QUOTATION: &str = "- ";

pub(super) struct EventPrinter<'a, 'out> {
    output: &'a mut Output<'out>,
    /// Prints above the prompt; set only while one is shown.
    above: Option<&'a mut Above>,
    flow: Flow,
    /// Printed before the reply.
    mark: Option<String>,
    /// Whether the replies quote the owner between words of ours.
    pub(super) only_quotes: bool,
    /// Why recalled memory may be incomplete in this reply.
    pub(super) degraded: Option<Degraded>,
    /// The reason that was reported with an earlier reply; it is not reported to the owner again.
    pub(super) known: Option<Degraded>,
    /// The fallback model that was asked for the reply.
    pub(super) asked_instead: Option<String>,
    /// Whether nothing of the reply has been printed yet; thinking is never printed.
    pub(super) is_quiet: bool,
    /// Whether the last line on the terminal says that the chat waits.
    is_waiting_shown: bool,
    /// The first output error; nothing is printed after it.
    failure: Option<CliError>,
}

impl<'a, 'out> EventPrinter<'a, 'out> {
    /// A printer for use while no prompt is shown.
    pub(super) fn new(context: &'a mut Context<'_, 'out>) -> Self {
        let stdout = context.host.environment.stdout();
        Self::to(context.output, stdout)
    }

    fn to(output: &'a mut Output<'out>, stdout: Stream) -> Self {
        let flow = Flow::new(stdout.text_columns());
        let is_styled = stdout.is_terminal() && output.paint() == Paint::Coloured;
        Self {
            output,
            above: None,
            mark: None,
            only_quotes: false,
            flow: if is_styled { flow.styled() } else { flow },
            degraded: None,
            known: None,
            asked_instead: None,
            is_quiet: true,
            is_waiting_shown: false,
            failure: None,
        }
    }

    /// Marks the reply, to distinguish it from the input at a prompt.
    pub(super) fn mark_reply(&mut self) {
        self.mark = Some(reply_mark(self.output.paint()));
    }

    /// A printer for use while a prompt is shown.
    pub(super) fn above(output: &'a mut Output<'out>, place: &'a mut InputPlace) -> Self {
        Self {
            above: match place {
                InputPlace::Terminal(above) => above.as_mut(),
                InputPlace::Lines => None,
            },
            ..Self::to(output, Stream::File)
        }
    }

    pub(super) fn tell(&mut self, event: &Event) {
        // A chat that waits for its turn needs no notice about a slow model.
        if matches!(
            event,
            Event::ReplyDelta(_) | Event::ToolStarted { .. } | Event::WaitingForTurn { .. }
        ) {
            self.is_quiet = false;
        }
        if let Event::FallbackModel { model, .. } = event {
            self.asked_instead = Some(model.clone());
        }
        if let Event::Recalled {
            degraded,
            unreadable,
            ..
        } = event
        {
            self.degraded = *degraded;
            // Print it once for people; programs get every event.
            let is_known = degraded.is_some() && *degraded == self.known && unreadable.is_empty();
            if is_known && self.output.format() == OutputFormat::Human {
                return;
            }
        }
        self.attempt(|teller| teller.try_tell(event));
    }

    /// Says that the chat waits; at a terminal only until there is something else to print.
    pub(super) fn tell_waiting(&mut self, text: &str) {
        let is_passing = self.output.format() == OutputFormat::Human && self.above.is_none();
        if is_passing && self.output.tell_in_passing(text) {
            self.is_waiting_shown = true;
        } else {
            self.tell(&Event::Notice(text.to_owned()));
        }
    }

    /// Takes away the line that said that the chat waits.
    fn end_waiting(&mut self) {
        if std::mem::take(&mut self.is_waiting_shown) {
            self.output.take_back_line();
        }
    }

    /// Prints a JSON object, in JSON output only.
    pub(super) fn object(&mut self, object: &Value) {
        if self.output.format() == OutputFormat::Json {
            self.attempt(|teller| teller.output.object(object));
        }
    }

    fn attempt(&mut self, act: impl FnOnce(&mut Self) -> Result<()>) {
        if self.failure.is_none() {
            self.failure = act(self).err();
        }
    }

    /// Ends the last line of the reply, or returns the first output error.
    pub(super) fn finish(mut self) -> Result<()> {
        self.end_waiting();
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        self.output.text(&self.flow.finish())
    }

    fn try_tell(&mut self, event: &Event) -> Result<()> {
        if self.output.format() == OutputFormat::Json {
            return event_json(event).map_or(Ok(()), |object| self.output.object(&object));
        }
        if let Event::ReplyDelta(text) = event {
            self.end_waiting();
            if let Some(mark) = self.mark.take() {
                self.output.text(&mark)?;
                self.flow.begin_behind(&mark);
            }
            let is_ours = self.only_quotes && !text.starts_with(QUOTATION);
            let ours = is_ours.then(|| self.output.at_home(text));
            let text = ours.as_deref().unwrap_or(text);
            return self.output.text(&self.flow.push(text));
        }
        let Some(said) = event_in_words(event, self.output.verbosity()) else {
            return Ok(());
        };
        self.end_waiting();
        self.output.text(&self.flow.finish())?;
        match said {
            EventText::Warning(warning) if self.above.is_none() => self.output.warn(&warning),
            EventText::Reminder(reminder) => self.remind(&reminder),
            EventText::Message(text) | EventText::Warning(text) => self.aside(&text),
        }
        Ok(())
    }

    /// Prints a reminder above the prompt or before the reply, in quiet mode too: it is shown only once.
    fn remind(&mut self, reminder: &str) {
        match self.above.as_deref_mut() {
            Some(above) => above(self.output.reminder(reminder)),
            None => self.output.remind(reminder),
        }
    }

    /// Prints a message above the prompt, or next to the conversation while none is shown.
    pub(super) fn aside(&mut self, text: &str) {
        let Some(above) = self.above.as_deref_mut() else {
            return self.output.tell_aside(text);
        };
        if let Some(aside) = self.output.aside(text) {
            above(aside);
        }
    }
}
