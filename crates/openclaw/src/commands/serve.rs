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
    let serving = format!("Serving {root}; {when}. Ctrl-C ends it.");
    let executor = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()?;
    executor.block_on(async {
        // Before it says that it serves: whoever reads that may ask it to end.
        let end = stopped();
        tokio::pin!(end);
        context.output.tell_aside(&serving);
        let mut dreams = Dreams::begin(&runtime, settings).at_once();
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

/// Listens from now on; is ready when the owner presses Ctrl-C, or the system asks the program to end.
#[cfg(unix)]
fn stopped() -> impl Future<Output = ()> {
    use tokio::signal::unix::{SignalKind, signal};
    let terminated = signal(SignalKind::terminate());
    let pressed = signal(SignalKind::interrupt());
    async move {
        let wait = async |listened: std::io::Result<tokio::signal::unix::Signal>| {
            if let Ok(mut signal) = listened
                && signal.recv().await.is_some()
            {
                return;
            }
            std::future::pending::<()>().await;
        };
        tokio::select! {
            () = wait(terminated) => {}
            () = wait(pressed) => {}
        }
    }
}

/// Is ready when the owner presses Ctrl-C.
#[cfg(not(unix))]
async fn stopped() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
