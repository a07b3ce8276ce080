//! `openclaw serve`: a service in the foreground that dreams when it is time.
//!
//! Opens no door: nobody can ask it anything.

use base::disk::{Lock, LockError};
use tokio::signal::unix::SignalKind;

use crate::commands::dream::{Dreams, LOOK_EVERY};
use crate::executor::{pressed, threads};
use crate::prelude::*;

/// Who serves a home holds it; no session name begins with this sign.
const LOCK_FILE: &str = "@serve.lock";

pub(crate) fn run(context: &mut Context) -> Result<Exit> {
    context.refuse_in_sandbox("a dream")?;
    let home = context.home()?;
    let settings = assistant::dreaming_settings(context, &home)?;
    let runtime = assistant::runtime(context, &home, Arc::clone(&context.host.clock))?;
    let names = settings.triggers.iter().map(dreaming::Trigger::name);
    let when = match names.collect::<Vec<_>>().join(", ") {
        none if none.is_empty() => "no trigger is set, and no dream will begin".to_owned(),
        names => format!("dreams begin by {names}"),
    };
    // Freed by the end of the process, however that comes.
    let _alone = alone(context, &home)?;
    let root = home.root().display();
    let serving = format!("Serving {root}; {when}. Ctrl-C ends it.");
    let executor = threads()?;
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

/// Holds the home for this service: a second one would look for the same dreams.
fn alone(context: &Context, home: &Home) -> Result<Lock> {
    let disk = context.host.disk.as_ref();
    let path = home.make(disk, Directory::Locks)?.join(LOCK_FILE);
    disk.try_lock(&path).map_err(|error| match error {
        LockError::Held { pid, .. } => {
            let root = home.root().display();
            let by = pid.map_or("another process".to_owned(), |pid| format!("process {pid}"));
            let failure = CliError::new(ErrorKind::Locked, format!("{by} serves {root} already"))
                .hint("let it serve; `openclaw dream --now` dreams at once all the same");
            let end = pid.map(|pid| format!("or end it with `kill {pid}`, and serve again"));
            end.into_iter().fold(failure, CliError::hint)
        }
        error @ LockError::Disk(_) => error.into(),
    })
}

/// Listens from now on; is ready when the owner presses Ctrl-C, or the system asks the program to end.
fn stopped() -> impl Future<Output = ()> {
    let terminated = pressed(SignalKind::terminate());
    let interrupted = pressed(SignalKind::interrupt());
    async {
        tokio::select! {
            () = terminated => {}
            () = interrupted => {}
        }
    }
}
