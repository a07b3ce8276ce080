//! `openclaw serve`: a service in the foreground that dreams when it is time.
//!
//! Opens no door: nobody can ask it anything.

use std::sync::Arc;

use clap::Args;

use crate::app::Context;
use crate::assistant;
use crate::commands::dream::{Dreams, LOOK_EVERY};
use crate::error::CliError;
use crate::exit_code::Exit;

/// Arguments of `openclaw serve`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {}

/// Serves until it is told to stop.
pub(crate) fn run(_: &Arguments, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    context.refuse_in_sandbox("a dream")?;
    let home = context.home()?;
    let settings = assistant::dreaming_settings(context, &home)?;
    let runtime = assistant::runtime(context, &home, Arc::clone(&context.host.clock))?;
    let names: Vec<String> = settings
        .triggers
        .iter()
        .map(dreaming::Trigger::name)
        .collect();
    let when = match names.as_slice() {
        [] => "no trigger is set, and no dream will begin".to_owned(),
        names => format!("dreams begin by {}", names.join(", ")),
    };
    let root = home.root().display();
    context
        .output
        .tell_aside(&format!("Serving {root}; {when}. Ctrl-C ends it."));
    let executor = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()?;
    executor.block_on(async {
        let mut dreams = Dreams::begin(&runtime, settings).at_once();
        let end = stopped();
        tokio::pin!(end);
        loop {
            dreams.begin_if_time();
            tokio::select! {
                biased;
                () = &mut end => break,
                words = dreams.done() => context.output.tell_aside(&words),
                () = tokio::time::sleep(LOOK_EVERY) => {}
            }
        }
        dreams.stop().await;
    });
    context.output.tell_aside("Stopped.");
    Ok(Exit::Done)
}

/// Is ready when the owner presses Ctrl-C, or the system asks the program to end.
async fn stopped() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminated) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = terminated.recv() => return,
                pressed = tokio::signal::ctrl_c() => if pressed.is_ok() {
                    return;
                },
            }
        }
    }
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
