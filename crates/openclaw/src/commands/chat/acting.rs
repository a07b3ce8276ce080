//! Carries out the slash commands of an interactive chat.
//!
//! Those that the command line has, too, are carried out by the same code.

use std::ffi::OsString;
use std::iter;

use agent::service::{Activity, UnflushedState};
use agent::{OwnerAnswer, SlashCommand, compact_now, new_session};
use cli::arguments::{ParsedCommandLine, parse};

use super::asking::may_forget;
use super::event_printer::EventPrinter;
use super::opening::Opened;
use super::reports;
use super::slash::{HELP_INDENT, check_for_others, help, misused_command};
use super::talk::{ChatEnding, Talk};
use crate::app::run_guarded;
use crate::command_line::Cli;
use crate::commands::dream;
use crate::commands::memory;
use crate::commands::session::CompactReport;
use crate::prelude::*;

impl Talk<'_, '_, '_> {
    /// Carries out a command; returns how the chat ends, if it does.
    pub(super) async fn command(
        &mut self,
        command: SlashCommand,
        words: Option<String>,
    ) -> Result<Option<ChatEnding>> {
        if self.opened.is_for_others() {
            check_for_others(command)?;
        }
        let is_json = self.context.output.format() == OutputFormat::Json;
        let done = match command {
            SlashCommand::Resume => return self.resume(words.as_deref()),
            SlashCommand::Title => self.title(words.as_deref()).await,
            SlashCommand::Model => match words {
                None => self.show_models().await,
                Some(name) => self.change_model(&name).await,
            },
            SlashCommand::New => self.begin_anew().await,
            SlashCommand::Compact => self.compact(words).await,
            SlashCommand::Status => {
                let status = reports::status_of_part(&self.opened)?;
                self.context.emit(&status).map(|_| ())
            }
            SlashCommand::Context => {
                let report = reports::context(&self.opened)?;
                self.context.emit(&report).map(|_| ())
            }
            SlashCommand::Memory => match words {
                None if is_json => memory::show_status(self.context),
                None => reports::tell_held(&self.opened, self.context),
                Some(question) => memory::show_found(&question, self.context),
            },
            SlashCommand::Forget => self.forget(&words.unwrap_or_default()),
            SlashCommand::About
            | SlashCommand::Agenda
            | SlashCommand::Why
            | SlashCommand::Remember
            | SlashCommand::Correct
            | SlashCommand::Undo => self.on_command_line(command, words.as_deref()),
            SlashCommand::Dream => dream::show_waiting(self.context),
            SlashCommand::Help if is_json => {
                let help = json!({ "event": "help", "text": help() });
                self.context.output.object(&help)
            }
            SlashCommand::Help => {
                let stdout = self.context.host.environment.stdout();
                self.context.output.lines(&help(), stdout, HELP_INDENT)
            }
            SlashCommand::Exit => Ok(()),
        };
        done.map(|()| None)
    }

    /// Runs the command line that does the same.
    fn on_command_line(&mut self, command: SlashCommand, words: Option<&str>) -> Result<()> {
        let line = command.on_command_line(words);
        let line = line.ok_or_else(|| misused_command(command))?;
        let line = line.into_iter().map(OsString::from);
        let line: Vec<OsString> = iter::once("openclaw".into()).chain(line).collect();
        let parsed: ParsedCommandLine<Cli> =
            parse(&line).map_err(|unparsed| unparsed.to_error())?;
        run_guarded(parsed.arguments.command, self.context).map(|_| ())
    }

    /// Forgets what the words name, if the owner agrees at the prompt.
    fn forget(&mut self, words: &str) -> Result<()> {
        let wanted = self.input.wanted.clone();
        let mut ask = |asked, _: &mut Context| Ok(may_forget(&wanted, asked) == OwnerAnswer::Yes);
        memory::forget_words(words, &mut ask, self.context)
    }

    async fn begin_anew(&mut self) -> Result<()> {
        self.tell_of_waiting_notes(
            "Writing notes before the new conversation begins... Ctrl-C cancels `/new`.",
        );
        let mut teller = EventPrinter::new(self.context);
        let mut on_event = |event| teller.tell(&event);
        let Opened { runtime, name, .. } = &self.opened;
        let reset = new_session(runtime, name, &mut on_event).await;
        teller.finish()?;
        let told = match reset? {
            Some(_) => "Started a new conversation; the previous one is kept.",
            None => "This conversation is already new: nothing has been said yet.",
        };
        self.activity = Activity::now(self.opened.activity_snapshot(), UnflushedState::Tried);
        if self.context.output.format() == OutputFormat::Json {
            let notice = json!({ "event": "notice", "message": told });
            return self.context.output.object(&notice);
        }
        self.aside(told);
        Ok(())
    }

    async fn compact(&mut self, wishes: Option<String>) -> Result<()> {
        let mut teller = EventPrinter::new(self.context);
        let mut on_event = |event| teller.tell(&event);
        let Opened { runtime, name, .. } = &self.opened;
        let compacted = compact_now(runtime, name, wishes, &mut on_event).await;
        teller.finish()?;
        let report = CompactReport::done(name, compacted?);
        self.context.emit(&report).map(|_| ())
    }
}
