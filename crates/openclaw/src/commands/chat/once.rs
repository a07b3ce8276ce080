//! `openclaw chat -m`: one message, one reply.
//!
//! Writes no notes before the reply is printed.

use agent::service::{Dreams, IDLE_AFTER, is_mended_by_refresh};
use agent::{FlushReason, TurnError, flush};
use base::{Assistant, StopReason, day};
use cli::executor::interrupt;
use cli::serving::news_in_words;
use cli::wiring::OFFLINE_NOTICE;
use session::{BeginTurnError, SessionSnapshot};

use super::event_printer::EventPrinter;
use super::index_refresh::catch_up;
use super::opening::Opened;
use super::say::{SaidAt, TurnAnswer, say};
use super::slash::{Typed, parse};
use crate::commands::stdin;
use crate::prelude::*;

const MESSAGE_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// The message after `-m`, or standard input for `-`; fails if it is empty or a command of the chat.
pub(super) fn words(message: &str) -> Result<String> {
    let words = stdin::words_or_stdin(message, "the message", MESSAGE_BYTES_MAX)?;
    if words.trim().is_empty() {
        return Err(CliError::new(ErrorKind::Usage, "the message is empty")
            .hint("pass it with `-m TEXT`, or run `openclaw chat` for a prompt"));
    }
    if let Some(command) = command_in(&words) {
        let message = format!("`{command}` is a command of the chat, and `-m` sends a message");
        return Err(CliError::new(ErrorKind::Usage, message)
            .hint("run `openclaw chat` and type it there")
            .hint(format!(
                "put a space before it to send it: `-m ' {command}'`"
            )));
    }
    Ok(words)
}

/// The command that a message is in a chat. A message that only begins like an unknown one is sent: it may be a path.
fn command_in(words: &str) -> Option<&str> {
    let first = words.split_whitespace().next()?;
    match parse(words) {
        Typed::Command(..) => Some(first),
        Typed::Wrong(_) => (words.trim() == first).then_some(first),
        Typed::Nothing | Typed::Said(_) => None,
    }
}

/// Sends the message and prints the reply. Then finishes background jobs, flushes a session that had been idle
/// or else a part of a long backlog, syncs an index that is far behind, and runs a dream that is due.
pub(super) async fn run(
    opened: Opened,
    words: String,
    context: &mut Context<'_, '_>,
) -> Result<Exit> {
    let before = opened.snapshot()?;
    let had_rested = had_rested(&opened, before.as_ref());
    let is_human = context.output.format() == OutputFormat::Human;
    // Each reply says so itself; how to change it is said once.
    if before.is_none() && opened.runtime.engine.models.is_offline() && is_human {
        context.output.tell_aside(OFFLINE_NOTICE);
    }
    let TurnAnswer { reply, degraded } = say(&opened, words, SaidAt::Once, context).await?;
    let mut teller = EventPrinter::new(context);
    let mut on_event = |event| teller.tell(&event);
    if had_rested {
        match flush(
            &opened.runtime,
            &opened.name,
            FlushReason::ChatEnd,
            &mut on_event,
        )
        .await
        {
            // The process that uses the session now, or the next one, writes the notes.
            Ok(_) | Err(TurnError::Begin(BeginTurnError::Locked(..))) => {}
            Err(error) => return Err(error.into()),
        }
    } else {
        flush(
            &opened.runtime,
            &opened.name,
            FlushReason::LongBacklog,
            &mut on_event,
        )
        .await?;
    }
    teller.finish()?;
    if degraded.is_some_and(is_mended_by_refresh) {
        let own = opened.own_knowledge(context.host);
        catch_up(own, context.output).await;
    }
    if opened.is_for_others() {
        return Ok(exit_of(&reply));
    }
    // Dreams also run for owners who never keep a chat open; the reply is printed by now.
    let dreams = Dreams::begin(&opened.runtime, opened.dreaming.clone()).at_once();
    if let Some(news) = dreams.once(interrupt()).await {
        context.output.tell_aside(&news_in_words(news));
    }
    Ok(exit_of(&reply))
}

fn exit_of(reply: &Assistant) -> Exit {
    if reply.stop == StopReason::Aborted {
        Exit::Interrupted
    } else {
        Exit::Done
    }
}

/// Whether the last message is of today and at least `IDLE_AFTER` old; the turn itself flushes messages of
/// earlier days.
fn had_rested(opened: &Opened, before: Option<&SessionSnapshot>) -> bool {
    let home = &opened.runtime.home;
    let now = home.clock.now();
    let last = before.and_then(|read| read.view.items.last());
    last.is_some_and(|item| {
        let is_idle = (now - item.at)
            .to_std()
            .is_ok_and(|rested| rested >= IDLE_AFTER);
        let is_today = day(item.at, home.timezone) == day(now, home.timezone);
        is_idle && is_today
    })
}

#[cfg(test)]
#[path = "once_tests.rs"]
mod tests;
