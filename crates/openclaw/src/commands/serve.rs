//! `openclaw serve`: answers programs and browsers, runs due dreams, and flushes idle sessions.
//!
//! Holds no policy: `gateway` implements the protocols, `agent::service` the background work.

use std::net::{Ipv4Addr, SocketAddr, UdpSocket};

use agent::DueReminder;
use agent::service::{BackUp, BackupNews, Notify, QuietHours, Service, ServiceNews};
use base::Timestamp;
use base::disk::create_dir;
use cli::config::QuietHoursSetting;
use cli::environment::TOKEN_VARIABLE;
use cli::executor::threads;
use cli::home::LAYOUT;
use cli::hooks::{post_reminder, show_reminder};
use cli::serving::{
    Admission, Assembled, ListenOptions, assembled, exclusive_lock, in_words, stopped,
    with_frugal_allocator,
};
use gateway::http::{AccessToken, EventBus, FeedToken, HttpServer, Programs, ServedHome};

use crate::backup::ScheduledBackups;
use crate::commands::chat::finish;
use crate::doctor::{ConnectedPrograms, NotifyRecord};
use crate::prelude::*;
use crate::{qr, repository};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw serve
  openclaw serve --listen 127.0.0.1:9000
  openclaw serve --qr --listen 192.168.1.20:18789 --allow-remote")]
pub(crate) struct Arguments {
    #[command(flatten)]
    listening: ListenOptions,
    /// Print the link that signs a browser in as a QR code too, for a phone that
    /// reaches this address
    #[arg(long)]
    qr: bool,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    with_frugal_allocator(context);
    arguments.listening.check_reach()?;
    let is_terminal = context.host.environment.stderr.is_terminal();
    if arguments.qr && !is_terminal {
        return Err(no_terminal());
    }
    context.refuse_in_sandbox("serving a home")?;
    let home = context.home()?;
    context.name_home(&home)?;
    let dreaming = wiring::dreaming_settings(context, &home)?;
    let (back_up, backed_up_at) = backing_up(context, &home)?;
    let (notify, quiet) = notifying(context, &home)?;
    let when = when(&dreaming);
    let lock = home.root().join(LAYOUT.lock);
    let _alone = exclusive_lock(&*context.host.disk, &lock, |pid| already_served(&home, pid))?;
    let admitted = admission(arguments, context, &home)?;
    let Assembled {
        setup,
        beside,
        index,
    } = assembled(context, &home, admitted)?;
    let serving = format!(
        "Serving {}; {when}. Press Ctrl-C to stop.",
        home.root().display()
    );
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
        // A link in a log would sign in whoever reads the log.
        let link = if is_terminal {
            Some(home_served.sign_in_link()?)
        } else {
            None
        };
        let server = HttpServer::bind(arguments.listening.listen, home_served).await?;
        let address = opened_at(server.address());
        let door = door(address, link.as_deref(), &home);
        context.output.tell_aside(&serving);
        context.output.tell_aside(&door);
        if let (true, Some(link)) = (arguments.qr, &link) {
            show_code(address, link, &arguments.listening.hosts, context);
        }
        let (tell_end, ended) = tokio::sync::oneshot::channel::<()>();
        let serving = tokio::spawn(server.run(async { drop(ended.await) }));
        index.request();
        let service = Service::begin(&beside, dreaming, index);
        let mut service = service.backing_up(back_up).notifying(notify, quiet);
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

/// Who is let in, and what they may do.
fn admission(arguments: &Arguments, context: &mut Context, home: &Home) -> Result<Admission> {
    Ok(Admission {
        token: token(context, home)?,
        feed: Some(FeedToken::of(Arc::clone(&context.host.disk), &home.state())),
        hosts: arguments.listening.hosts.clone(),
        programs: programs(context, home),
        repositories: Some(Arc::new(repository::OnThisMachine)),
        runs_commands: true,
    })
}

/// The address at which a browser finds the server. For a server that listens on all addresses, this is the address
/// from which this machine reaches others, or loopback if it reaches none.
fn opened_at(listening: SocketAddr) -> SocketAddr {
    if !listening.ip().is_unspecified() {
        return listening;
    }
    // The system chooses the address for a route; nothing is sent. The target is reserved for documentation.
    let chosen = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).and_then(|socket| {
        socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9))?;
        socket.local_addr()
    });
    let own = chosen.map(|own| own.ip()).ok();
    let own = own.filter(|own| !own.is_unspecified());
    SocketAddr::new(own.unwrap_or(Ipv4Addr::LOCALHOST.into()), listening.port())
}

/// Says how a browser gets in.
fn door(at: SocketAddr, link: Option<&str>, home: &Home) -> String {
    let token = AccessToken::path(&home.state());
    let token = token.display();
    match link {
        Some(link) => format!(
            "Open http://{at}{link}\nwithin 15 minutes to sign a browser in; the link works once. Later, open http://{at}/ and sign in with the token in {token}."
        ),
        None => format!("Open http://{at}/ in a browser and sign in with the token in {token}."),
    }
}

/// The error for a QR code that would go into a log.
fn no_terminal() -> CliError {
    let message = "`--qr` prints a link that signs in whoever reads it, so it needs a terminal";
    CliError::new(ErrorKind::Usage, message).hint("run `openclaw serve --qr` at a terminal")
}

/// Prints the link as a QR code, with the host name that a phone can reach.
fn show_code(at: SocketAddr, link: &str, hosts: &[String], context: &mut Context) {
    let host = match hosts.first() {
        Some(name) => format!("{name}:{}", at.port()),
        None => at.to_string(),
    };
    let drawn = qr::drawn(&format!("http://{host}{link}"));
    context.output.ask(&drawn.unwrap_or_default());
    if at.ip().is_loopback() && hosts.is_empty() {
        context.output.tell_aside(
            "A phone cannot reach this address. Run `openclaw serve --qr --listen ADDRESS --allow-remote` with an address of this machine that it reaches.",
        );
    }
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

/// The function that shows a reminder, if a program or an address is set for it, and the hours in which it does not run.
fn notifying(context: &Context, home: &Home) -> Result<(Option<Arc<Notify>>, Option<QuietHours>)> {
    let settings = context.settings_of(home)?.promises;
    let quiet = settings.quiet_hours.map(QuietHoursSetting::to_library);
    let (program, webhook) = (settings.notify, settings.webhook);
    if program.is_empty() && webhook.is_none() {
        return Ok((None, quiet));
    }
    let record = NotifyRecord::of(context.host, home);
    let notify = move |due: &DueReminder| {
        let posted = webhook.as_deref().map(|to| post_reminder(to, due));
        let run = (!program.is_empty()).then(|| show_reminder(&program, due));
        let tried: Vec<std::result::Result<(), String>> = posted.into_iter().chain(run).collect();
        let failure = tried.iter().find_map(|it| it.clone().err());
        record.keep(&failure.clone().map_or(Ok(()), Err));
        // What one of the two has shown is not tried again.
        if tried.iter().any(Result::is_ok) {
            return Ok(());
        }
        failure.map_or(Ok(()), Err)
    };
    Ok((Some(Arc::new(notify)), quiet))
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
    event_bus.tell_of_service(&output.at_home(&text));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn server_on_all_addresses_is_opened_at_specific_address() {
        for (listening, is_kept) in [
            ("127.0.0.1:18789", true),
            ("192.0.2.7:80", true),
            ("0.0.0.0:18789", false),
            ("[::]:18789", false),
        ] {
            let listening: SocketAddr = listening.parse().unwrap();
            let opened = opened_at(listening);
            assert_eq!(opened == listening, is_kept, "{listening}: {opened}");
            assert_eq!(opened.port(), listening.port());
            assert!(!opened.ip().is_unspecified(), "{listening}: {opened}");
        }
    }
}
