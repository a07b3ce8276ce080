//! Runs `openclaw chat`: a single message, or an interactive chat that may move from session to session.
//!
//! Sends nothing to the model itself.

use std::time::Duration;

use agent::PRIMARY_SESSION;
use base::disk::create_dir;
use cli::executor::threads;
use models::ModelLoad;

use super::input::{Input, InputPlace};
use super::opening::{Opened, open};
use super::talk::Talk;
use super::{asking, input, once, opening, terminal};
use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw chat
  openclaw chat -s work \"What is left to do this week?\"")]
pub(crate) struct Arguments {
    /// Session to talk in
    #[arg(short, long, value_name = "NAME", default_value = "main")]
    pub(crate) session: SessionName,
    /// Send TEXT, print the reply and exit; - reads it from stdin
    #[arg(short, long, value_name = "TEXT", conflicts_with = "words")]
    pub(crate) message: Option<String>,
    /// Keep your memory out of the session, now and later, so that others may talk in it
    #[arg(long)]
    pub(crate) isolated: bool,
    /// Fail at once if another process is using the session
    #[arg(long)]
    pub(crate) no_wait: bool,
    /// Same as --message
    #[arg(value_name = "TEXT")]
    pub(crate) words: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let joined = (!arguments.words.is_empty()).then(|| arguments.words.join(" "));
    let message = arguments.message.clone().or(joined);
    let Some(message) = message.as_deref().map(once::words).transpose()? else {
        return converse(arguments, context);
    };
    let mut opened = opened(arguments, &arguments.session, ModelLoad::FromStart, context)?;
    let executor = threads()?;
    let servers = executor.block_on(opening::start(&mut opened, context))?;
    let ended = executor.block_on(once::run(opened, message, context));
    executor.block_on(opening::end(servers));
    ended
}

fn opened(
    arguments: &Arguments,
    session: &SessionName,
    held: ModelLoad,
    context: &mut Context,
) -> Result<Opened> {
    if arguments.isolated && session.as_str() == PRIMARY_SESSION {
        let failure = format!("{session} is the primary session, which always sees your memory");
        return Err(CliError::new(ErrorKind::Usage, failure)
            .hint("name another session, as in `openclaw chat --isolated -s guests`"));
    }
    let mut opened = open(session, (held, arguments.isolated), context)?;
    if arguments.no_wait {
        opened.runtime.turn_timeout = Duration::ZERO;
    }
    Ok(opened)
}

/// Runs one session after another until the owner leaves.
fn converse(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let executor = threads()?;
    let mut exit = Exit::Done;
    let mut session = arguments.session.clone();
    let mut heard = None;
    let mut quiet = None;
    loop {
        // Load the embedder on demand: a chat may be idle for hours.
        let mut opened = opened(arguments, &session, ModelLoad::FromFirstText, context)?;
        let servers = executor.block_on(opening::start(&mut opened, context))?;
        let input = match heard.take() {
            Some(input) => input,
            None => listen(&opened, context)?,
        };
        attend(&mut opened, &input, context);
        // A dumb terminal, which cannot print above the prompt, must echo by itself.
        let is_edited = matches!(input.place, InputPlace::Terminal(Some(_)));
        if is_edited && quiet.is_none() {
            quiet = terminal::quiet();
        }
        let ended = executor.block_on(Talk::begin(opened, input, context).run());
        executor.block_on(opening::end(servers));
        let ended = ended?;
        if ended.exit != Exit::Done {
            exit = ended.exit;
        }
        let Some((next, input)) = ended.next else {
            return Ok(exit);
        };
        session = next;
        heard = Some(input);
    }
}

fn listen(opened: &Opened, context: &Context) -> Result<Input> {
    let environment = &context.host.environment;
    let is_at_terminal = environment.stdin.is_terminal()
        && environment.stdout().is_terminal()
        && context.output.format() == OutputFormat::Human;
    if !is_at_terminal {
        return Ok(input::listen());
    }
    let history = if opened.runtime.sandbox.is_some() || opened.is_for_others() {
        None
    } else {
        let disk = &*context.host.disk;
        create_dir(disk, &opened.home.state())?;
        Some(opened.home.chat_history())
    };
    terminal::listen(history, context.output.paint())
}

/// Lets tool calls ask at the prompt, if there is one.
fn attend(opened: &mut Opened, input: &Input, context: &Context) {
    match input.place {
        InputPlace::Terminal(_) => {
            let (wanted, screen) = (input.wanted.clone(), context.host.environment.screen());
            opened.runtime.tools.approver = Some(Arc::new(asking::AtThePrompt { wanted, screen }));
        }
        InputPlace::Lines => {
            if !opened.runtime.turn_timeout.is_zero() {
                // Wait for the turn as long as it takes: nobody could resend a refused line.
                opened.runtime.turn_timeout = Duration::MAX;
            }
        }
    }
}
