//! `openclaw serve`: answers programs and browsers, runs due dreams, and flushes idle sessions.
//!
//! Holds no policy: `gateway` implements the protocols, `agent::service` the background work.

use agent::service::{BackUp, BackupNews, Service, ServiceNews};
use base::Timestamp;
use base::disk::create_dir;
use cli::environment::TOKEN_VARIABLE;
use cli::executor::threads;
use cli::home::LAYOUT;
use cli::serving::{
    Admission, Assembled, ListenOptions, assembled, exclusive_lock, in_words, stopped,
    with_frugal_allocator,
};
use gateway::http::{AccessToken, EventBus, HttpServer, Programs, ServedHome};

use crate::backup::ScheduledBackups;
use crate::commands::chat::finish;
use crate::doctor::ConnectedPrograms;
use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw serve
  openclaw serve --listen 127.0.0.1:9000")]
pub(crate) struct Arguments {
    #[command(flatten)]
    listening: ListenOptions,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    with_frugal_allocator(context);
    arguments.listening.check_reach()?;
    context.refuse_in_sandbox("serving a home")?;
    let home = context.home()?;
    let dreaming = wiring::dreaming_settings(context, &home)?;
    let (back_up, backed_up_at) = backing_up(context, &home)?;
    let when = when(&dreaming);
    let lock = home.root().join(LAYOUT.lock);
    let _alone = exclusive_lock(&*context.host.disk, &lock, |pid| already_served(&home, pid))?;
    let admission = Admission {
        token: token(context, &home)?,
        hosts: arguments.listening.hosts.clone(),
        programs: programs(context, &home),
        runs_commands: true,
    };
    let Assembled {
        setup,
        beside,
        index,
    } = assembled(context, &home, admission)?;
    let root = home.root().display();
    let serving = format!("Serving {root}; {when}. Press Ctrl-C to stop.");
    let executor = threads()?;
    executor.block_on(async {
        // Install the signal handlers before announcing the service, since a script may stop it right after that.
        let end = stopped();
        tokio::pin!(end);
        let home_served = ServedHome::new(setup);
        let event_bus = home_served.news();
        if let Some(at) = backed_up_at {
            event_bus.backed_up(at);
        }
        let server = HttpServer::bind(arguments.listening.listen, home_served).await?;
        let door = format!(
            "Open http://{}/ in a browser and sign in with the token in {}.",
            server.address(),
            AccessToken::path(&home.state()).display(),
        );
        context.output.tell_aside(&serving);
        context.output.tell_aside(&door);
        let (tell_end, ended) = tokio::sync::oneshot::channel::<()>();
        let serving = tokio::spawn(server.run(async { drop(ended.await) }));
        index.request();
        let mut service = Service::begin(&beside, dreaming, index).backing_up(back_up);
        loop {
            tokio::select! {
                biased;
                () = &mut end => break,
                news = service.next() => tell(news, &event_bus, context),
            }
        }
        drop(tell_end);
        finish(service.stop().await, context.output).await;
        // Ignore a panic of the server, which is at its end anyway.
        drop(serving.await);
        Ok::<(), CliError>(())
    })?;
    context.output.tell_aside("Stopped.");
    Ok(Exit::Done)
}

/// Describes when dreams begin.
fn when(dreaming: &dreaming::DreamSettings) -> String {
    let names = dreaming.triggers.iter().map(dreaming::Trigger::name);
    match names.collect::<Vec<_>>().join(", ") {
        none if none.is_empty() => "no dream trigger is set".to_owned(),
        names => format!("dream triggers: {names}"),
    }
}

/// The function that makes a backup if one is due, and the time of the last one.
fn backing_up(context: &Context, home: &Home) -> Result<(Arc<BackUp>, Option<Timestamp>)> {
    let settings = context.settings_of(home)?;
    Ok(match ScheduledBackups::of(context.host, home, &settings)? {
        Some(backups) => {
            let newest = backups.newest();
            (Arc::new(move || backups.run_if_due()), newest)
        }
        None => (Arc::new(|| None), None),
    })
}

/// The programs that can be connected; `None` without the user's home, which holds their settings.
fn programs(context: &Context, home: &Home) -> Option<Arc<dyn Programs>> {
    let user_home = context.host.environment.user_home.clone()?;
    Some(Arc::new(ConnectedPrograms {
        disk: Arc::clone(&context.host.disk),
        user_home,
        home: std::path::absolute(home.root()).ok()?,
    }))
}

/// The access token: from the environment, or from the state directory, where it is created if missing.
fn token(context: &Context, home: &Home) -> Result<AccessToken> {
    if let Some(own) = context.host.environment.others.get(TOKEN_VARIABLE) {
        return Ok(AccessToken::given(own, TOKEN_VARIABLE)?);
    }
    let disk = context.host.disk.as_ref();
    create_dir(disk, &home.state())?;
    Ok(AccessToken::load_or_make(disk, &home.state())?)
}

/// Reports news to the owner, here and to the connected clients.
fn tell(news: ServiceNews, event_bus: &EventBus, context: &mut Context) {
    let (now, output) = (context.host.clock.now(), &mut *context.output);
    if let ServiceNews::Backup(backup) = &news {
        match backup {
            BackupNews::Made(_) => event_bus.backed_up(now),
            BackupNews::Failed(reason) => event_bus.backup_failed(now, reason),
        }
    }
    let Some((text, is_warning)) = in_words(news) else {
        return;
    };
    event_bus.tell_of_service(&text);
    if is_warning {
        output.warn(&text);
    } else {
        output.tell_aside(&text);
    }
}

/// The error that another service serves this home; a second one would run the same dreams.
fn already_served(home: &Home, pid: Option<u32>) -> CliError {
    let root = home.root().display();
    let by = pid.map_or("another process".to_owned(), |pid| format!("process {pid}"));
    let failure = CliError::new(ErrorKind::Locked, format!("{by} is already serving {root}"))
        .hint("to dream now, run `openclaw dream --now` while it serves");
    let end = pid.map(|pid| format!("or stop it with `kill {pid}` and run this again"));
    end.into_iter().fold(failure, CliError::hint)
}
