//! Sends one message and prints the reply as it arrives.
//!
//! Decides nothing about the session.

use std::io;
use std::pin::pin;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use agent::{TurnError, TurnInput, run_turn_until};
use base::disk::DiskError;
use base::model::ModelError;
use base::{Assistant, Message, StopReason};
use cli::executor::interrupt;
use search::Degraded;
use session::BeginTurnError;

use super::event_printer::EventPrinter;
use super::opening::Opened;
use crate::prelude::*;

/// How long a model may be silent before a message says that the chat waits for it.
const PATIENCE: Duration = Duration::from_secs(4);

pub(super) struct TurnAnswer {
    pub(super) reply: Assistant,
    /// Why recalled memory may be incomplete in it.
    pub(super) degraded: Option<Degraded>,
}

/// How the owner sent the message, which decides the hints if no reply comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SaidAt {
    Prompt,
    /// In a line of a pipe or a file.
    Pipe,
    /// After `-m`.
    Once,
}

impl SaidAt {
    /// Hints for a model that may answer later.
    fn hints(self) -> [&'static str; 2] {
        match self {
            Self::Prompt => [
                "the message is saved; send it again once the model responds (it is not stored twice)",
                "or `/exit` and continue offline with `openclaw chat --set model.provider=offline`",
            ],
            Self::Pipe => [
                "the message is saved; restart from its line once the model responds (it is not stored twice)",
                "or continue from there offline with `--set model.provider=offline`",
            ],
            Self::Once => [
                "the message is saved; rerun the command once the model responds (it is not stored twice)",
                "or get an offline answer with `--set model.provider=offline`",
            ],
        }
    }
}

/// The error, with hints that fit how the message was sent.
fn unanswered(error: TurnError, at: SaidAt) -> CliError {
    use ModelError::{Broken, RateLimited, Unavailable};
    let may_answer_later = matches!(
        &error,
        TurnError::Model(Unavailable { .. } | RateLimited { .. } | Broken { .. })
    );
    let is_closed =
        matches!(&error, TurnError::Begin(BeginTurnError::Disk(error)) if is_closed(error));
    let mut failure = CliError::from(error);
    if may_answer_later {
        failure.hints = at.hints().map(str::to_owned).to_vec();
    }
    if is_closed {
        return failure
            .hint("or ask without writing anything: `openclaw chat --set sandbox.readOnly=true`");
    }
    failure
}

/// Whether only writing was refused, which a read-only sandbox does not need.
fn is_closed(error: &DiskError) -> bool {
    use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
    !error.is_reading() && matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem)
}

/// Sends `words` and prints the reply as it streams; Ctrl-C interrupts it.
pub(super) async fn say(
    opened: &Opened,
    words: String,
    at: SaidAt,
    context: &mut Context<'_, '_>,
) -> Result<TurnAnswer> {
    let mut teller = EventPrinter::new(context);
    teller.known = *base::locked(&opened.told);
    teller.only_quotes = opened.runtime.engine.models.is_offline();
    if at == SaidAt::Prompt {
        teller.mark_reply();
    }
    let teller = Mutex::new(teller);
    let mut on_event = |event| base::locked(&teller).tell(&event);
    let stop = pin!(interrupt());
    let input = TurnInput::Owner(Message::user(words));
    let turn = run_turn_until(&opened.runtime, &opened.name, input, stop, &mut on_event);
    // Box the turn: its future is large and would be copied with each move.
    let turn = Box::pin(turn);
    let models = &opened.runtime.engine.models;
    let replied = told_where_long(turn, PATIENCE, || {
        let mut teller = base::locked(&teller);
        let asked = teller.asked_instead.clone();
        let asked = asked.unwrap_or_else(|| models.primary.profile().name);
        if teller.is_quiet && !models.only_quotes(&asked) {
            teller.tell_waiting(&format!("Waiting for {asked}... Ctrl-C cancels."));
        }
    });
    let replied = replied.await;
    let mut teller = teller.into_inner().unwrap_or_else(PoisonError::into_inner);
    match replied {
        Ok(reply) => {
            let model = teller.asked_instead.take();
            teller.object(&whole(opened, &reply, model));
            let degraded = teller.degraded;
            *base::locked(&opened.told) = degraded;
            teller.finish()?;
            if context.output.format() == OutputFormat::Human {
                tell_ending(&reply, context);
            }
            Ok(TurnAnswer { reply, degraded })
        }
        Err(error) => {
            teller.finish()?;
            Err(unanswered(error, at))
        }
    }
}

/// Awaits `work`, and calls `tell` once if the work takes longer than `patience`.
async fn told_where_long<T>(
    work: impl Future<Output = T>,
    patience: Duration,
    tell: impl FnOnce(),
) -> T {
    let mut work = pin!(work);
    tokio::select! {
        biased;
        done = &mut work => return done,
        () = tokio::time::sleep(patience) => tell(),
    }
    work.await
}

/// The reply as JSON, the last event of a message.
fn whole(opened: &Opened, reply: &Assistant, asked_instead: Option<String>) -> Value {
    let models = &opened.runtime.engine.models;
    let model = asked_instead.unwrap_or_else(|| models.primary.profile().name);
    json!({
        "event": "reply",
        "text": Message::Assistant(reply.clone()).text(),
        "stopReason": reply.stop,
        "model": model,
        "offline": models.only_quotes(&model),
    })
}

fn tell_ending(reply: &Assistant, context: &mut Context) {
    let ending = match reply.stop {
        StopReason::Aborted if Message::Assistant(reply.clone()).text().trim().is_empty() => {
            "Interrupted before the reply began; your message is saved."
        }
        StopReason::Aborted => "Interrupted; the partial reply was kept.",
        StopReason::Length => "The reply reached its maximum length; ask for the rest.",
        StopReason::Stop | StopReason::ToolUse | StopReason::Error => return,
    };
    context.output.tell_aside(ending);
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;

    use super::*;

    #[test]
    fn sandbox_hint_appears_only_if_lock_cannot_be_written() {
        let hints = |act, kind: io::ErrorKind| {
            let error = DiskError::on(act, Path::new("/home/state/locks/main.lock"))(kind.into());
            let hints = unanswered(TurnError::Begin(error.into()), SaidAt::Once).hints;
            hints.iter().any(|hint| hint.contains("sandbox.readOnly"))
        };
        assert!(hints("lock", io::ErrorKind::PermissionDenied));
        assert!(hints("lock", io::ErrorKind::ReadOnlyFilesystem));
        assert!(!hints("read", io::ErrorKind::PermissionDenied));
        assert!(!hints("lock", io::ErrorKind::StorageFull));
    }

    #[tokio::test(start_paused = true)]
    async fn slow_work_triggers_notice() {
        let (tell, told) = oneshot::channel();
        let work = async { told.await == Ok("waiting") };
        let done = told_where_long(work, PATIENCE, || tell.send("waiting").unwrap());
        assert!(done.await);
    }

    #[tokio::test(start_paused = true)]
    async fn quick_work_does_not_trigger_notice() {
        let work = async { "done" };
        let done = told_where_long(work, PATIENCE, || panic!("it did not take long"));
        assert_eq!(done.await, "done");
    }
}
