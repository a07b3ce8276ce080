//! `openclaw serve`: a service in the foreground that dreams when it is time, and notes what sessions hold that rest.
//!
//! Opens no door: nobody can ask it anything.

use agent::service::{NotesNews, Service, ServiceNews};
use base::disk::{Lock, LockError};
use models::Held;
use tokio::signal::unix::SignalKind;

use crate::commands::chat::{finish, refresh_failure};
use crate::commands::dream::news_in_words;
use crate::executor::{pressed, threads};
use crate::prelude::*;

/// Who serves a home holds it; no session name begins with this sign.
const LOCK_FILE: &str = "@serve.lock";

pub(crate) fn run(context: &mut Context) -> Result<Exit> {
    context.refuse_in_sandbox("a dream")?;
    let home = context.home()?;
    let settings = wiring::dreaming_settings(context, &home)?;
    let runtime = wiring::runtime(context, &home, Arc::clone(&context.host.clock))?;
    let names = settings.triggers.iter().map(dreaming::Trigger::name);
    let when = match names.collect::<Vec<_>>().join(", ") {
        none if none.is_empty() => "no trigger is set, and no dream will begin".to_owned(),
        names => format!("dreams begin by {names}"),
    };
    let embedder = wiring::embedder(context, &home, Held::FromFirstText)?.embedder;
    let access = wiring::access_of(&runtime);
    let knowledge = context
        .host
        .knowledge(&home, runtime.timezone, access)
        .with_embedder(embedder);
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
        let mut service = Service::begin(&runtime, settings, knowledge);
        loop {
            tokio::select! {
                biased;
                () = &mut end => break,
                news = service.next() => tell(news, context.output),
            }
        }
        finish(service.stop().await, context.output).await;
    });
    context.output.tell_aside("Stopped.");
    Ok(Exit::Done)
}

/// Tells what the owner should know of it.
fn tell(news: ServiceNews, output: &mut Output) {
    match news {
        ServiceNews::Dream(news) => output.tell_aside(&news_in_words(news)),
        ServiceNews::Notes(NotesNews::Written { session, n_notes }) => {
            let notes = counted(n_notes as u64, "note", "notes");
            output.tell_aside(&format!("Session {session} rests: wrote {notes}."));
        }
        ServiceNews::Notes(NotesNews::Failed { session, error }) => {
            let reason = error.map_or_else(
                || "no engine gave usable notes".to_owned(),
                |error| CliError::from(error).one_line(),
            );
            output.warn(&format!("no notes of session {session}: {reason}"));
        }
        ServiceNews::Index(news) => {
            if let Some(warning) = news.err().and_then(refresh_failure) {
                output.warn(&warning);
            }
        }
    }
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
