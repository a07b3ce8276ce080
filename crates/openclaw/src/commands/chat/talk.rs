//! The loop of an interactive chat: reads lines, runs turns and commands, and flushes notes when idle.
//!
//! Finishes each line before it reads the next.

use std::future::pending;

use agent::service::{
    Activity, Dreams, DueWatch, EditsWatch, IndexRefresh, NextFlush, UnflushedState,
    is_mended_by_refresh, next_flush,
};
use agent::{Event, FlushReason, PRIMARY_SESSION, PollOutcome, SlashCommand, flush};
use cli::executor::interrupt;
use cli::output::Verbosity;
use cli::serving::{edits_news_in_words, news_in_words};
use cli::wiring::OFFLINE_NOTICE;
use search::Degraded;

use super::event_printer::EventPrinter;
use super::idle::{due_watch, next_due};
use super::index_refresh::{finish, next_edits, next_news, tell_news};
use super::input::{Input, InputEvent, InputPlace};
use super::opening::{Opened, SeenSession, failure as gone};
use super::reports::{self, ChatStanding, waiting};
use super::say::{SaidAt, say};
use super::slash::{Typed, parse};
use crate::prelude::*;

/// Why a chat ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ChatEnding {
    Wanted,
    /// The owner switched to another session.
    Resumed(SessionName),
    /// Another process deleted the session.
    Gone,
    /// A message got no reply, and it cannot be sent again.
    Failed(Exit),
}

/// The result of a chat.
pub(super) struct Ended {
    pub(super) exit: Exit,
    /// The session to continue in, and the input to read from.
    pub(super) next: Option<(SessionName, Input)>,
}

pub(super) struct Talk<'a, 'c, 'out> {
    pub(super) opened: Opened,
    pub(super) input: Input,
    index: Option<IndexRefresh>,
    edits: Option<EditsWatch>,
    pub(super) seen: SeenSession,
    pub(super) activity: Activity,
    n_lines: u64,
    /// Whether the model failed to answer the last message.
    pub(super) is_model_down: bool,
    /// The sessions that `/resume` listed last.
    pub(super) listed: Vec<SessionName>,
    /// The status after the last reply, to print only changes.
    standing: Option<ChatStanding>,
    /// Exit code if the owner ends the chat; a failure once a line was not UTF-8.
    exit: Exit,
    pub(super) dreams: Dreams,
    due: Option<DueWatch>,
    pub(super) context: &'a mut Context<'c, 'out>,
}

impl<'a, 'c, 'out> Talk<'a, 'c, 'out> {
    pub(super) fn begin(opened: Opened, input: Input, context: &'a mut Context<'c, 'out>) -> Self {
        let is_fresh = opened.runtime.sandbox.is_none();
        let edits = is_fresh.then(|| EditsWatch::begin(opened.runtime.home.clone()));
        let index = edits.as_ref().map(|edits| {
            IndexRefresh::start(opened.own_knowledge(context.host))
                .watching(&opened.runtime.home.workspace, edits.listener())
        });
        let activity = Activity::now(opened.activity_snapshot(), UnflushedState::Waiting);
        let dreams = Dreams::begin(&opened.runtime, opened.dreaming.clone());
        Self {
            due: due_watch(&opened, &input.place),
            dreams,
            standing: reports::standing(&opened).map(|(standing, _)| standing),
            seen: SeenSession::first(&opened),
            opened,
            input,
            index,
            edits,
            activity,
            n_lines: 0,
            is_model_down: false,
            listed: Vec::new(),
            exit: Exit::Done,
            context,
        }
    }

    pub(super) async fn run(mut self) -> Result<Ended> {
        self.greet()?;
        self.keep_fresh(self.opened.degraded);
        self.flush_rested().await?;
        let ending = loop {
            let heard = self.next_input().await?;
            self.n_lines += 1;
            let ending = match heard {
                InputEvent::Line(line) => self.act(&line).await?,
                InputEvent::Unreadable => {
                    self.tell_unreadable();
                    None
                }
                InputEvent::Ended => Some(ChatEnding::Wanted),
                InputEvent::Failed(reason) => {
                    let failure = CliError::new(ErrorKind::Input, "cannot read your input");
                    self.context.output.report(&failure.caused_by(reason));
                    Some(ChatEnding::Failed(Exit::Failure))
                }
            };
            if let Some(ending) = ending {
                break ending;
            }
        };
        self.end(ending).await
    }

    fn tell_unreadable(&mut self) {
        let message = format!("line {} was not sent: it is not UTF-8", self.n_lines);
        let failure = CliError::new(ErrorKind::Input, message);
        self.context
            .output
            .report(&failure.hint("convert it to UTF-8 and send it again"));
        self.exit = Exit::Failure;
    }

    /// Warns how many lines of a script follow the one at which the chat stops.
    async fn tell_unsaid(&mut self) -> Result<()> {
        let (n_unsaid, is_all) = self.input.count_rest().await;
        if n_unsaid == 0 {
            return Ok(());
        }
        let least = if is_all { "" } else { "at least " };
        let lines = counted(n_unsaid, "later line was", "later lines were");
        let message = format!(
            "the chat stopped at line {}; {least}{lines} not sent",
            self.n_lines
        );
        let mut teller = EventPrinter::new(self.context);
        teller.tell(&Event::Warning(message));
        teller.finish()
    }

    pub(super) fn is_at_terminal(&self) -> bool {
        matches!(self.input.place, InputPlace::Terminal(_))
    }

    fn greet(&mut self) -> Result<()> {
        if self.is_at_terminal() {
            let status = reports::status(&self.opened)?;
            let name = &self.opened.name;
            let so_far = match status.n_messages {
                0 => "no messages yet".to_owned(),
                n_messages => counted(n_messages, "message so far", "messages so far"),
            };
            let models = &self.opened.runtime.engine.models;
            let replies = (!models.is_offline())
                .then(|| format!("; {} replies", models.primary.profile().name));
            let begins = format!("Session {name}, {so_far}{}.", replies.unwrap_or_default());
            self.aside(&format!(
                "{begins} `/help` lists commands; Ctrl-D ends the chat."
            ));
        }
        if self.context.output.format() == OutputFormat::Json {
            return Ok(());
        }
        if let Some(waiting) = waiting(&self.opened) {
            self.aside(&waiting);
        }
        if self.opened.runtime.engine.models.is_offline() {
            self.aside(OFFLINE_NOTICE);
        }
        if !self.opened.runtime.is_primary(&self.opened.name) {
            self.aside("This session cannot see your notes or other sessions; only main can.");
        }
        Ok(())
    }

    pub(super) fn aside(&mut self, text: &str) {
        self.context.output.tell_aside(text);
    }

    /// Waits for input; until then it runs due flushes and dreams, applies jobs and reports syncs.
    async fn next_input(&mut self) -> Result<InputEvent> {
        self.input.want_line();
        // While another turn holds the session, do not poll its jobs again before the next input.
        let mut is_held = false;
        loop {
            let wait = match next_flush(self.activity, self.opened.activity_snapshot()) {
                NextFlush::Now => match self.flush_waiting().await? {
                    Some(heard) => return Ok(heard),
                    None => continue,
                },
                NextFlush::In(wait, activity) => {
                    self.activity = activity;
                    wait
                }
            };
            let is_for_others = self.opened.is_for_others();
            if !is_for_others {
                self.dreams.begin_if_due();
            }
            let is_at_terminal = self.is_at_terminal();
            // At a terminal the prompt reports Ctrl-C.
            let stop = async {
                if is_at_terminal {
                    pending::<()>().await;
                } else {
                    interrupt().await;
                }
            };
            tokio::select! {
                biased;
                heard = self.input.next_input() => return Ok(heard),
                () = stop => return Ok(InputEvent::Ended),
                () = self.opened.runtime.jobs.news(&self.opened.name), if !is_held => {
                    is_held = self.tend()? == PollOutcome::Held;
                }
                news = self.dreams.next() => {
                    EventPrinter::above(self.context.output, &mut self.input.place)
                        .aside(&news_in_words(news));
                }
                news = next_edits(self.edits.as_mut()), if !is_for_others => {
                    let (text, _) = edits_news_in_words(news);
                    EventPrinter::above(self.context.output, &mut self.input.place).aside(&text);
                }
                news = next_news(self.index.as_mut()) => {
                    let mut teller = EventPrinter::above(self.context.output, &mut self.input.place);
                    tell_news(news, &mut teller);
                    teller.finish()?;
                }
                () = next_due(self.due.as_mut()) => self.show_due()?,
                () = tokio::time::sleep(wait) => {}
            }
        }
    }

    /// Handles a line; returns how the chat ends, if it does.
    async fn act(&mut self, line: &str) -> Result<Option<ChatEnding>> {
        // A dream uses the models, too; the owner must not wait for it.
        self.dreams.stop().await;
        self.refresh_terminal_width();
        let typed = parse(line);
        let is_for_session = !matches!(
            typed,
            Typed::Nothing | Typed::Command(SlashCommand::Exit, _)
        );
        if is_for_session && self.seen.is_gone(&self.opened) {
            self.context.output.report(&gone(&self.opened.name));
            if !self.is_at_terminal() {
                self.tell_unsaid().await?;
            }
            return Ok(Some(ChatEnding::Gone));
        }
        match typed {
            Typed::Nothing => {}
            Typed::Said(words) => return self.say(words).await,
            Typed::Command(SlashCommand::Exit, _) => return Ok(Some(ChatEnding::Wanted)),
            Typed::Command(command, words) => {
                let done = tokio::select! {
                    biased;
                    done = self.command(command, words) => done,
                    () = interrupt() => Err(broken_off()),
                };
                match done {
                    Ok(Some(ending)) => return Ok(Some(ending)),
                    Ok(None) => {}
                    Err(error) => self.report_and_continue(error)?,
                }
                self.leave_a_line_free()?;
            }
            Typed::Wrong(failure) => self.context.output.report(&failure),
        }
        Ok(None)
    }

    /// Adopts the current size of the terminal, which may have changed.
    fn refresh_terminal_width(&mut self) {
        let environment = &self.context.host.environment;
        if environment.stderr.is_terminal() && self.is_at_terminal() {
            self.context.output.modes.stderr = environment.stdout();
        }
    }

    async fn say(&mut self, words: String) -> Result<Option<ChatEnding>> {
        let at = if self.is_at_terminal() {
            SaidAt::Prompt
        } else {
            SaidAt::Pipe
        };
        let said = say(&self.opened, words, at, self.context).await;
        self.seen.look(&self.opened);
        self.activity = Activity::now(self.opened.activity_snapshot(), UnflushedState::Waiting);
        match said {
            Ok(said) => {
                self.is_model_down = false;
                self.keep_fresh(said.degraded);
                self.leave_a_line_free()?;
                self.tell_standing();
                Ok(None)
            }
            Err(error) => {
                self.is_model_down |= error.kind == ErrorKind::Model;
                let exit = error.kind.into();
                self.report_and_continue(error)?;
                if at == SaidAt::Prompt {
                    return Ok(None);
                }
                // The rest of a script may depend on the missing reply.
                self.tell_unsaid().await?;
                Ok(Some(ChatEnding::Failed(exit)))
            }
        }
    }

    /// Prints an empty line before the next prompt.
    fn leave_a_line_free(&mut self) -> Result<()> {
        if self.is_at_terminal() {
            self.context.output.text("\n")?;
        }
        Ok(())
    }

    /// Prints the status line above the next prompt if it has changed, or with `-v`.
    fn tell_standing(&mut self) {
        if !self.is_at_terminal() {
            return;
        }
        let (standing, line) = reports::standing(&self.opened).unzip();
        let is_wanted = self.context.output.verbosity() == Verbosity::Verbose;
        if let Some(line) = line.filter(|_| is_wanted || standing != self.standing) {
            self.aside(&line);
        }
        self.standing = standing;
    }

    /// Reports an error and lets the chat continue; returns a broken pipe, which ends it.
    pub(super) fn report_and_continue(&mut self, error: CliError) -> Result<()> {
        if error.kind == ErrorKind::BrokenPipe {
            return Err(error);
        }
        self.context.output.report(&error);
        Ok(())
    }

    /// Requests a background sync if the index is far behind; each search syncs smaller changes.
    fn keep_fresh(&mut self, degraded: Option<Degraded>) {
        if let Some(index) = &self.index
            && degraded.is_some_and(is_mended_by_refresh)
        {
            index.request();
        }
    }

    /// Prints why the owner waits if a model has to write notes first.
    pub(super) fn tell_of_waiting_notes(&mut self, text: &str) {
        let is_offline = self.opened.runtime.engine.models.is_offline() || self.is_model_down;
        let has_waiting = reports::status(&self.opened).is_ok_and(|status| status.n_waiting > 0);
        if self.is_at_terminal() && !is_offline && has_waiting {
            self.aside(text);
        }
    }

    /// Writes notes; Ctrl-C leaves them to the next process that opens the session.
    async fn end(mut self, ending: ChatEnding) -> Result<Ended> {
        self.dreams.stop().await;
        let is_left = !matches!(ending, ChatEnding::Gone | ChatEnding::Resumed(_));
        // Before the notes of this chat are written: it may go on soon.
        if is_left && !self.is_model_down && !self.opened.is_for_others() {
            self.dream_if_due().await;
        }
        if ending != ChatEnding::Gone {
            self.write_down().await?;
        }
        if let Some(index) = self.index.take() {
            finish(index, self.context.output).await;
        }
        if self.is_at_terminal() && is_left {
            let again = match self.opened.name.as_str() {
                PRIMARY_SESSION => "openclaw chat".to_owned(),
                name => format!("openclaw chat -s {name}"),
            };
            self.aside(&format!("Goodbye. `{again}` picks up where you left off."));
        }
        let (exit, next) = match ending {
            ChatEnding::Wanted => (self.exit, None),
            ChatEnding::Resumed(name) => (self.exit, Some((name, self.input))),
            ChatEnding::Gone => (Exit::Failure, None),
            ChatEnding::Failed(exit) => (exit, None),
        };
        Ok(Ended { exit, next })
    }

    async fn write_down(&mut self) -> Result<()> {
        self.tell_of_waiting_notes("Writing notes... Ctrl-C postpones them.");
        let mut teller = EventPrinter::new(self.context);
        let mut on_event = |event| teller.tell(&event);
        let Opened { runtime, name, .. } = &self.opened;
        let notes = async {
            if self.is_model_down {
                flush(runtime, name, FlushReason::ChatEndOffline, &mut on_event).await
            } else {
                flush(runtime, name, FlushReason::ChatEnd, &mut on_event).await
            }
        };
        let flushed = tokio::select! {
            biased;
            flushed = notes => flushed.map(|_| ()),
            () = interrupt() => Ok(()),
        };
        teller.finish()?;
        self.tell_unless_locked(flushed)
    }
}

fn broken_off() -> CliError {
    CliError::new(ErrorKind::Input, "the command was interrupted")
        .hint("type it again to start over; what it has saved by now stays")
}

#[cfg(test)]
#[path = "talk_tests.rs"]
mod tests;
