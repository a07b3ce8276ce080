//! Serves one home: answers programs and browsers, runs due dreams, and flushes idle sessions.
//!
//! Holds no policy: `gateway` implements the protocols, `agent::service` the background work.

use clap::builder::NonEmptyStringValueParser;
use std::net::SocketAddr;
use std::os::unix::process::CommandExt;
use std::process::Command;

use agent::service::{BackUp, BackupNews, Service, ServiceNews};
use base::Timestamp;
use base::disk::create_dir;
use gateway::http::{AccessToken, HttpServer, Newsroom, Programs, Served, ServedHome};
use tokio::signal::unix::SignalKind;

use super::alone::alone;
use super::assembled::{Admission, Assembled, assembled};
use super::fleet::{self, FleetOptions};
use super::told::in_words;
use crate::backup::ScheduledBackups;
use crate::commands::chat::finish;
use crate::doctor::ConnectedPrograms;
use crate::environment::TOKEN_VARIABLE;
use crate::executor::{pressed, threads};
use crate::home::LAYOUT;
use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw serve
  openclaw serve --listen 127.0.0.1:9000
  openclaw serve --homes s3://claw/homes --tokens tokens.yaml")]
pub(crate) struct Arguments {
    /// Address to listen on; port 0 picks a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:18789")]
    pub(super) listen: SocketAddr,
    /// Allow an address that other machines can reach; the token grants full
    /// access
    #[arg(long)]
    allow_remote: bool,
    /// Accept this host name besides IP addresses and localhost; may be repeated
    #[arg(long = "host", value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(super) hosts: Vec<String>,
    #[command(flatten)]
    pub(super) fleet: FleetOptions,
}

impl Arguments {
    /// Whether it serves the homes at an address, and not the home of this machine.
    pub(crate) fn serves_many(&self) -> bool {
        self.fleet.homes.is_some()
    }
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    with_frugal_allocator(context);
    check_reach(arguments)?;
    if let Some(address) = &arguments.fleet.homes {
        return fleet::run(arguments, address, context);
    }
    if arguments.fleet.names_key() {
        let message = "a key was given, but no bucket or vault";
        return Err(CliError::new(ErrorKind::Usage, message)
            .hint("name one: `openclaw serve --homes s3://BUCKET/PREFIX --tokens FILE`"));
    }
    context.refuse_in_sandbox("serving a home")?;
    let home = context.home()?;
    let dreaming = wiring::dreaming_settings(context, &home)?;
    let (back_up, backed_up_at) = backing_up(context, &home)?;
    let when = when(&dreaming);
    let lock = home.root().join(LAYOUT.lock);
    let _alone = alone(&*context.host.disk, &lock, |pid| already_served(&home, pid))?;
    let admission = Admission {
        token: token(context, &home)?,
        hosts: arguments.hosts.clone(),
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
        let newsroom = home_served.news();
        if let Some(at) = backed_up_at {
            newsroom.backed_up(at);
        }
        let server = HttpServer::bind(arguments.listen, Served::Home(home_served)).await?;
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
                news = service.next() => tell(news, &newsroom, context),
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

/// Re-executes this process with an allocator that returns freed memory, unless the owner has configured it.
///
/// By default the C library keeps the freed memory of each thread apart, and serves small allocations from freed
/// large blocks, so that the process would grow for hours.
fn with_frugal_allocator(context: &mut Context) {
    const FRUGAL: [(&str, &str); 3] = [
        ("MALLOC_ARENA_MAX", "2"),
        ("MALLOC_MMAP_THRESHOLD_", "131072"),
        ("MALLOC_TRIM_THRESHOLD_", "131072"),
    ];
    let variables = &context.host.environment.others;
    let is_set = FRUGAL.iter().any(|(name, _)| variables.get(name).is_some());
    if !cfg!(target_env = "gnu") || is_set {
        return;
    }
    let failure = match std::env::current_exe() {
        Ok(program) => Command::new(program)
            .args(std::env::args_os().skip(1))
            .envs(FRUGAL)
            .exec(),
        Err(error) => error,
    };
    context.output.warn(&format!(
        "memory use may grow: cannot configure the allocator: {failure}"
    ));
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

/// Refuses an address that other machines can reach, unless `--allow-remote` is given.
fn check_reach(arguments: &Arguments) -> Result<()> {
    let at = arguments.listen;
    if at.ip().is_loopback() || arguments.allow_remote {
        return Ok(());
    }
    let message =
        format!("other machines can reach {at}, and anyone with the token can read everything");
    Err(CliError::new(ErrorKind::Usage, message)
        .hint("listen on 127.0.0.1 and use a tunnel, such as `ssh -L`")
        .hint("or add `--allow-remote` and put an encrypting proxy in front"))
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
fn tell(news: ServiceNews, newsroom: &Newsroom, context: &mut Context) {
    let (now, output) = (context.host.clock.now(), &mut *context.output);
    if let ServiceNews::Backup(backup) = &news {
        match backup {
            BackupNews::Made(_) => newsroom.backed_up(now),
            BackupNews::Failed(reason) => newsroom.backup_failed(now, reason),
        }
    }
    let Some((text, is_warning)) = in_words(news) else {
        return;
    };
    newsroom.tell_of_service(&text);
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

/// Starts to listen for signals at once; the future ends at Ctrl-C or SIGTERM.
pub(super) fn stopped() -> impl Future<Output = ()> {
    let terminated = pressed(SignalKind::terminate());
    let interrupted = pressed(SignalKind::interrupt());
    async {
        tokio::select! {
            () = terminated => {}
            () = interrupted => {}
        }
    }
}
