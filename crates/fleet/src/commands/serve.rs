//! `openclaw-fleet serve`: serves many homes of a bucket or a folder at one address, each with its own token.
//!
//! Leases a home at its first request and releases it when it is idle, so that several workers can serve one bucket.

use std::collections::BTreeMap;
use std::time::Duration;

use agent::Runtime;
use agent::service::{IndexRefresh, Service};
use base::disk::{Lock, read_some};
use cli::config::Assignment;
use cli::executor::many_threads;
use cli::home::LAYOUT;
use cli::host::{Host, StateCache};
use cli::serving::{
    Admission, Assembled, ListenOptions, assembled, exclusive_lock, in_words, stopped,
    with_frugal_allocator,
};
use cli::wiring::KeyOptions;
use gateway::http::{AccessToken, EventBus, HttpError, HttpServer};
use indexmap::IndexMap;
use serde_saphyr::Spanned;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;

use super::address::Address;
use super::holder::holder;
use crate::http::{Fleet, FleetSetup, FleetSite, HomeEnd, HomeKeeping, HomeOpener, OpenedHome};
use crate::prelude::*;
use crate::{Cache, HomeName, Homes, HomesError, LeaseTerms, LeasedHome, NameError};

/// How long a lease lasts without renewal. After a crash, another worker can take the home once this time has passed.
const LEASE: Duration = Duration::from_mins(1);

/// Retry delay for clients while the storage does not respond.
const STORE_REST: Duration = Duration::from_secs(5);

/// How long a home may be idle before it is released.
const REST_MAX: Duration = Duration::from_mins(2);

/// Size limit of the token file, in bytes.
const TOKENS_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// Name of the lock file that a worker holds while it uses a cache.
const CACHE_LOCK: &str = "lock";

#[derive(Debug, Args)]
#[command(after_help = "\
A request goes to the home whose token it carries. Several workers can serve
one bucket: a home is leased at its first request, and released when idle.

Examples:
  openclaw-fleet serve s3://claw/homes --tokens tokens.yaml
  openclaw-fleet serve file:///srv/homes --tokens tokens.yaml --open 8")]
pub(crate) struct Arguments {
    /// Bucket or folder of homes: `s3://BUCKET/PREFIX` or `file://DIRECTORY`
    #[arg(value_name = "ADDRESS")]
    address: Address,
    /// YAML file with a line `NAME: TOKEN` for each home
    #[arg(long, value_name = "FILE")]
    tokens: PathBuf,
    #[command(flatten)]
    listening: ListenOptions,
    /// Cache directory for fetched homes [default: ~/.cache/openclaw/homes]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Maximum size of the cache in MiB
    #[arg(long, value_name = "N", default_value_t = 1024)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    cache_size: u32,
    /// Maximum number of homes open at once
    #[arg(long, value_name = "N", default_value_t = 64)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    open: u16,
    #[command(flatten)]
    key: KeyOptions,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    with_frugal_allocator(context);
    arguments.listening.check_reach()?;
    refuse_vault(&arguments.address)?;
    let tokens = read_tokens(&arguments.tokens, context)?;
    let (tell, mut told) = unbounded_channel();
    let (homes, _alone) = homes(arguments, context)?;
    check_reachable(&*homes, &tokens)?;
    let hosts = &arguments.listening.hosts;
    let fleet = Arc::new(Fleet::new(FleetSetup {
        opener: Arc::new(Opener {
            homes,
            terms: LeaseTerms {
                // The name is unique across machines and processes, so a lease with this holder belongs to this
                // worker and can be taken over.
                holder: format!(
                    "{}, since {}",
                    holder("openclaw-fleet serve"),
                    context.host.clock.now()
                ),
                time: LEASE,
            },
            host: context.host.clone(),
            assignments: context.assignments.clone(),
            hosts: hosts.clone(),
            tell,
        }),
        tokens,
        hosts: hosts.clone(),
        open_max: arguments.open.into(),
        rest_max: REST_MAX,
        clock: Arc::clone(&context.host.clock),
    }));
    many_threads()?.block_on(async {
        let end = stopped();
        tokio::pin!(end);
        let site = FleetSite(Arc::clone(&fleet));
        let server = HttpServer::bind(arguments.listening.listen, site).await?;
        let at = server.address();
        let address = &arguments.address;
        let serving =
            format!("Serving the homes in {address} at http://{at}/. Press Ctrl-C to stop.");
        context.output.tell_aside(&serving);
        let (tell_end, ended) = oneshot::channel::<()>();
        let serving = tokio::spawn(server.run(async { drop(ended.await) }));
        loop {
            tokio::select! {
                biased;
                () = &mut end => break,
                Some(text) = told.recv() => context.output.warn(&text),
            }
        }
        drop(tell_end);
        // A panic of the server is ignored, because the server has ended anyway.
        drop(serving.await);
        fleet.close().await;
        while let Ok(text) = told.try_recv() {
            context.output.warn(&text);
        }
        Ok::<(), CliError>(())
    })?;
    context.output.tell_aside("Stopped.");
    Ok(Exit::Done)
}

/// Rejects a vault. Vaults are only for push and pull; a home in use would be in clear text next to the vault.
fn refuse_vault(address: &Address) -> Result<()> {
    if address.vault().is_none() {
        return Ok(());
    }
    let message = format!("{address} is a vault, and homes cannot be served from a vault");
    Err(CliError::new(ErrorKind::Usage, message)
        .hint(format!(
            "pull its homes into a folder, such as with `openclaw-fleet --home /srv/homes/NAME pull {address} NAME`, \
             and serve that: `openclaw-fleet serve file:///srv/homes --tokens FILE`"
        ))
        .hint("or push them into a bucket, where they are encrypted while they are served"))
}

/// Fails at the start, and not at the first request, if the storage does not respond or the key is wrong.
fn check_reachable(homes: &dyn Homes, tokens: &[(String, AccessToken)]) -> Result<()> {
    let names = homes.names()?;
    let is_served = |name: &&HomeName| tokens.iter().any(|(own, _)| own == name.as_str());
    let first = names.iter().find(is_served);
    match first.map(|name| homes.read(name)) {
        Some(Err(error @ HomesError::WrongKey { .. })) => Err(error.into()),
        // Other problems of one home must not keep the other homes from being served.
        Some(_) | None => Ok(()),
    }
}

/// Opens the homes with a cache on the disk of this machine, locked against other workers.
fn homes(arguments: &Arguments, context: &Context) -> Result<(Arc<dyn Homes>, Option<Lock>)> {
    let host = context.host;
    let key = arguments.key.key(&*host.disk)?;
    let mut held = None;
    let place = arguments.address.open_with(host, key, || {
        let directory = cache_directory(arguments, host)?;
        held = Some(exclusive_lock(
            &*host.disk,
            &directory.join(CACHE_LOCK),
            |_| {
                let message = format!("another worker is using {}", directory.display());
                CliError::new(ErrorKind::Locked, message)
                    .hint("give this worker its own directory with `--cache DIR`")
            },
        )?);
        let bytes_max = u64::from(arguments.cache_size) * 1024 * 1024;
        Ok(Cache::new(Arc::clone(&host.disk), directory, bytes_max)?)
    })?;
    Ok((place.homes(), held))
}

fn cache_directory(arguments: &Arguments, host: &Host) -> Result<PathBuf> {
    let user_home = host.environment.user_home.as_ref();
    let default = || Some(user_home?.join(".cache/openclaw/homes"));
    arguments.cache.clone().or_else(default).ok_or_else(|| {
        CliError::new(ErrorKind::Usage, "the home directory is unknown")
            .hint("give a cache directory with `--cache DIR`")
    })
}

/// Reads the tokens of all homes. Fails if two homes have the same token, or if other users can read the file.
fn read_tokens(file: &Path, context: &Context) -> Result<Vec<(String, AccessToken)>> {
    let disk = &*context.host.disk;
    let place = file.display().to_string();
    let wrong = |message: String| {
        let line =
            "write a line `NAME: TOKEN` for each home; `openssl rand -hex 32` generates a token";
        CliError::new(ErrorKind::Config, message).hint(line)
    };
    let bytes = read_some(disk, file, TOKENS_BYTES_MAX)?
        .ok_or_else(|| wrong(format!("file not found: {place}")))?;
    if !disk.is_private(file)? {
        let message = format!("other users on this machine can read {place}");
        let quoted = shlex::try_quote(&place).unwrap_or_default();
        let close = format!("restrict it with `chmod 600 {quoted}`");
        return Err(CliError::new(ErrorKind::Config, message).hint(close));
    }
    // The parser's error is dropped, because it may quote a token.
    let read = serde_saphyr::from_slice::<IndexMap<String, Spanned<String>>>(&bytes);
    let read = read.map_err(|error| {
        let line = error
            .location()
            .map_or(String::new(), |at| format!(" at line {}", at.line()));
        wrong(format!(
            "{place} is not a YAML map of names to tokens, or lists a home twice{line}"
        ))
    })?;
    let mut owners: BTreeMap<String, u64> = BTreeMap::new();
    let mut tokens = Vec::new();
    // Errors do not quote the name, because a token may be in the wrong column.
    for (name, token) in read {
        let (line, token) = (token.referenced.line(), token.value);
        let home: HomeName = name.parse().map_err(|error: NameError| {
            let reason = error.reason;
            wrong(format!(
                "line {line} of {place} has an invalid home name: {reason}"
            ))
        })?;
        let own = AccessToken::given(&token, &format!("line {line} of {place}"))
            .map_err(|error| wrong(error.to_string()))?;
        if let Some(other) = owners.insert(token.trim().to_owned(), line) {
            let message = format!("lines {other} and {line} of {place} have the same token");
            return Err(wrong(message));
        }
        tokens.push((home.as_str().to_owned(), own));
    }
    if tokens.is_empty() {
        return Err(wrong(format!("{place} lists no homes")));
    }
    Ok(tokens)
}

/// Leases and assembles homes.
struct Opener {
    homes: Arc<dyn Homes>,
    terms: LeaseTerms,
    host: Host,
    assignments: Vec<Assignment>,
    hosts: Vec<String>,
    /// Sends messages about homes to the operator.
    tell: UnboundedSender<String>,
}

impl HomeOpener for Opener {
    fn open(&self, home: &str, token: &AccessToken) -> Result<OpenedHome, HttpError> {
        let told = |error: CliError| {
            let text = format!("home {home}: {}", error.one_line());
            // The receiver is gone once the service has ended.
            self.tell.send(text).ok();
        };
        // Only the operator sees the cause.
        let broken = "cannot open this home; ask the operator of the service";
        let leased = self.lease(home).map_err(|error| {
            let told_client = if matches!(error, HomesError::Held { .. }) {
                HttpError::unavailable("another worker holds this home", LEASE)
            } else if matches!(error, HomesError::Store { .. } | HomesError::Disk(_)) {
                HttpError::unavailable("the storage of homes is not responding", STORE_REST)
            } else {
                HttpError::internal(broken)
            };
            told(error.into());
            told_client
        })?;
        self.opened(home, token, &leased).map_err(|error| {
            // If the lease cannot be released, it expires.
            leased.release().ok();
            told(error);
            HttpError::internal(broken)
        })
    }
}

impl Opener {
    fn lease(&self, home: &str) -> Result<Arc<dyn LeasedHome>, HomesError> {
        // This does not fail, because the name was already parsed from the token file.
        let name: HomeName = home
            .parse()
            .map_err(|error: NameError| HomesError::Address {
                address: error.name,
                reason: error.reason.to_owned(),
            })?;
        Ok(Arc::from(self.homes.lease(&name, &self.terms)?))
    }

    fn opened(
        &self,
        home: &str,
        token: &AccessToken,
        leased: &Arc<dyn LeasedHome>,
    ) -> Result<OpenedHome> {
        let Assembled {
            setup,
            beside,
            index,
        } = self.assemble((home, &**leased), token)?;
        let keeping = Keeping {
            home: home.to_owned(),
            leased: Arc::clone(leased),
            beside,
            dreaming: setup.dreaming.clone(),
            index,
            tell: self.tell.clone(),
            renew_every: self.terms.time / 3,
        };
        let leased = Arc::clone(leased);
        Ok(OpenedHome {
            setup,
            is_usable: Box::new(move || leased.is_usable()),
            keeper: Box::new(move |event_bus, end| -> HomeKeeping {
                Box::pin(keeping.keep(event_bus, end))
            }),
        })
    }

    fn assemble(
        &self,
        (name, leased): (&str, &dyn LeasedHome),
        token: &AccessToken,
    ) -> Result<Assembled> {
        let host = Host {
            disk: leased.disk(),
            states: StateCache::default(),
            ..self.host.clone()
        };
        let options = (Some(leased.root().to_owned()), self.assignments.clone());
        Context::silently(&host, options, |context| {
            context.refuse_in_sandbox("serving a home")?;
            let home = context.home()?;
            let (config, left_out) = context.config(&home)?.of_served_home()?;
            if !left_out.is_empty() {
                let keys = left_out.join(", ");
                let text = format!(
                    "home {name}: ignoring {keys} of its config.yaml: a home cannot name files, programs or \
                     variables of the worker, or send the worker's key to another address"
                );
                // The receiver is gone once the service has ended.
                self.tell.send(text).ok();
            }
            context.known = Some((home.root().to_owned(), config));
            let admission = Admission {
                token: token.clone(),
                feed: None,
                hosts: self.hosts.clone(),
                programs: None,
                repositories: None,
                // The settings of a home must not run programs on this machine.
                runs_commands: false,
            };
            assembled(context, &home, admission)
        })
    }
}

/// The work on an open home between its requests.
struct Keeping {
    home: String,
    leased: Arc<dyn LeasedHome>,
    beside: Runtime,
    dreaming: dreaming::DreamSettings,
    index: IndexRefresh,
    tell: UnboundedSender<String>,
    renew_every: Duration,
}

impl Keeping {
    /// Runs dreams, flushes idle sessions and renews the lease until `end`, or until the lease is lost. Then
    /// publishes the index and releases the home.
    async fn keep(self, event_bus: EventBus, end: oneshot::Receiver<HomeEnd>) {
        let tell = {
            let (home, tell) = (self.home, self.tell);
            move |text: String| {
                // The receiver is gone once the service has ended.
                tell.send(format!("home {home}: {text}")).ok();
            }
        };
        // The renewal is a separate task, so that it continues while the index is published.
        let (tell_lost, mut lost) = oneshot::channel();
        let leased = Arc::clone(&self.leased);
        let renewing = renewed((leased, self.renew_every), tell.clone(), tell_lost);
        let renewal = tokio::spawn(renewing);
        let mut service = Service::begin(&self.beside, self.dreaming, self.index);
        tokio::pin!(end);
        let ending = loop {
            tokio::select! {
                biased;
                told = &mut end => break told.ok(),
                _ = &mut lost => break None,
                news = service.next() => if let Some((text, is_warning)) = in_words(news) {
                    event_bus.tell_of_service(&text);
                    if is_warning {
                        tell(text);
                    }
                },
            }
        };
        let index = service.stop().await;
        let leased = Arc::clone(&self.leased);
        let stored = blocking(move || {
            index.close();
            match ending {
                Some(HomeEnd::Quiet) => {
                    let mut derived = LAYOUT.derived.iter();
                    derived.try_for_each(|directory| leased.publish(directory))
                }
                // The index is not published; the next holder updates an older one.
                Some(HomeEnd::Busy) | None => Ok(()),
            }
        });
        let stored = stored.await;
        // Stops the renewal first, because after the release it would take the lease again.
        renewal.abort();
        drop(renewal.await);
        let leased = self.leased;
        let released = match ending {
            Some(_) => blocking(move || leased.release()).await,
            None => Ok(()),
        };
        for failed in [stored, released].into_iter().filter_map(Result::err) {
            tell(CliError::from(failed).one_line());
        }
    }
}

/// Renews a lease in intervals until it is lost, and reports the loss. Does not renew the lease of an unusable home.
async fn renewed(
    (leased, every): (Arc<dyn LeasedHome>, Duration),
    tell: impl Fn(String),
    tell_lost: oneshot::Sender<()>,
) {
    loop {
        tokio::time::sleep(every).await;
        if !leased.is_usable() {
            continue;
        }
        let own = Arc::clone(&leased);
        let Err(error) = blocking(move || own.renew()).await else {
            continue;
        };
        let is_lost = matches!(error, HomesError::Lost { .. });
        tell(CliError::from(error).one_line());
        if is_lost {
            // The keeper may already have ended.
            tell_lost.send(()).ok();
            return;
        }
    }
}

/// Runs a blocking storage operation outside the threads that answer requests.
async fn blocking(
    act: impl FnOnce() -> Result<(), HomesError> + Send + 'static,
) -> Result<(), HomesError> {
    let done = tokio::task::spawn_blocking(act).await;
    // The panic hook has already reported the panic.
    done.unwrap_or(Ok(()))
}

#[cfg(test)]
#[path = "serve_tests.rs"]
mod tests;
