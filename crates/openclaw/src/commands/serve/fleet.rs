//! `openclaw serve --homes`: many homes of a bucket or a folder behind one door, each with a token of its own.
//!
//! A home is leased when it is asked for, and given back when it rests: several workers may serve one bucket.

use std::collections::BTreeMap;
use std::time::Duration;

use agent::Runtime;
use agent::service::{IndexRefresh, Service};
use base::disk::{Lock, LockError, read_some};
use gateway::http::{
    AccessToken, Fleet, FleetSetup, HomeOpener, HttpError, HttpServer, HttpSetup, Kept, Newsroom,
    OpenedHome,
};
use homes::{Cache, HomeName, Homes, HomesError, LeaseTerms, LeasedHome};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;

use super::assembled::{Admission, Assembled, assembled};
use super::command::{Arguments, stopped};
use super::told::in_words;
use crate::commands::homes::Address;
use crate::config::Assignment;
use crate::executor::many_threads;
use crate::home::make_directory;
use crate::host::Host;
use crate::prelude::*;
use crate::wiring::KeyOptions;

/// How long a lease holds that is not renewed: after a crash another worker has the home so much later.
const LEASE: Duration = Duration::from_mins(1);

/// How long a home may rest before it is given back.
const REST_MAX: Duration = Duration::from_mins(2);

/// The most bytes of a file of tokens.
const TOKENS_BYTES_MAX: u64 = 64 * 1024 * 1024;

const INDEX: &str = "index";

/// Held by the worker that uses a cache.
const CACHE_LOCK: &str = "lock";

/// Which homes are served, and how.
#[derive(Debug, Args)]
pub(super) struct FleetOptions {
    /// Serve the homes of `s3://BUCKET/PREFIX` or `file://DIRECTORY`
    #[arg(long, value_name = "ADDRESS", help_heading = "Many homes")]
    #[arg(requires = "tokens")]
    pub(super) homes: Option<Address>,
    /// YAML file with a line `NAME: TOKEN` for each home
    #[arg(long, value_name = "FILE", help_heading = "Many homes")]
    #[arg(requires = "homes")]
    tokens: Option<PathBuf>,
    /// Directory for what is fetched [default: ~/.cache/openclaw/homes]
    #[arg(long, value_name = "DIR", help_heading = "Many homes")]
    #[arg(requires = "homes")]
    cache: Option<PathBuf>,
    /// Most mebibytes that are kept of what was fetched
    #[arg(long, value_name = "N", help_heading = "Many homes")]
    #[arg(default_value_t = 1024)]
    cache_size: u32,
    /// Most homes that are open at once
    #[arg(long, value_name = "N", help_heading = "Many homes")]
    #[arg(default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..))]
    open: u16,
    #[command(flatten)]
    key: KeyOptions,
}

impl FleetOptions {
    /// Whether a key was named.
    pub(super) fn names_key(&self) -> bool {
        self.key != KeyOptions::default()
    }
}

pub(super) fn run(arguments: &Arguments, address: &Address, context: &mut Context) -> Result<Exit> {
    let options = &arguments.fleet;
    let tokens = read_tokens(options, context)?;
    let (tell, mut told) = unbounded_channel();
    // Freed by the end of the process, however that comes.
    let (homes, _alone) = homes(options, address, context)?;
    let fleet = Arc::new(Fleet::new(FleetSetup {
        opener: Arc::new(Opener {
            homes,
            terms: LeaseTerms {
                holder: holder(),
                time: LEASE,
            },
            host: context.host.clone(),
            assignments: context.assignments.clone(),
            hosts: arguments.hosts.clone(),
            tell,
        }),
        tokens,
        hosts: arguments.hosts.clone(),
        open_max: options.open.into(),
        rest_max: REST_MAX,
        clock: Arc::clone(&context.host.clock),
    }));
    many_threads()?.block_on(async {
        let end = stopped();
        tokio::pin!(end);
        let server = HttpServer::bind_fleet(arguments.listen, Arc::clone(&fleet)).await?;
        let at = server.address();
        let serving = format!("Serving the homes of {address} at http://{at}/. Ctrl-C ends it.");
        context.output.tell_aside(&serving);
        let (tell_end, ended) = oneshot::channel::<()>();
        let serving = tokio::spawn(server.run(async { drop(ended.await) }));
        loop {
            tokio::select! {
                biased;
                () = &mut end => break,
                Some(ToldOf { home, text }) = told.recv() => {
                    context.output.warn(&format!("home {home}: {text}"));
                }
            }
        }
        drop(tell_end);
        // A server that panicked has nothing more to answer.
        drop(serving.await);
        fleet.close().await;
        while let Ok(ToldOf { home, text }) = told.try_recv() {
            context.output.warn(&format!("home {home}: {text}"));
        }
        Ok::<(), CliError>(())
    })?;
    context.output.tell_aside("Stopped.");
    Ok(Exit::Done)
}

/// Who holds a lease, for whoever finds a home held.
fn holder() -> String {
    let node = rustix::system::uname();
    let node = node.nodename().to_string_lossy().into_owned();
    format!("`openclaw serve`, process {} on {node}", std::process::id())
}

/// The homes, with what is fetched of them on the disk of this machine, where no other worker may use it.
fn homes(
    options: &FleetOptions,
    address: &Address,
    context: &Context,
) -> Result<(Arc<dyn Homes>, Option<Lock>)> {
    let host = context.host;
    let key = options.key.key(&*host.disk)?;
    let mut held = None;
    let place = address.open_with(host, key, || {
        let directory = cache_directory(options, host)?;
        held = Some(alone_in(&directory, host)?);
        let bytes_max = u64::from(options.cache_size) * 1024 * 1024;
        Ok(Cache::new(Arc::clone(&host.disk), directory, bytes_max)?)
    })?;
    Ok((place.homes(), held))
}

fn cache_directory(options: &FleetOptions, host: &Host) -> Result<PathBuf> {
    let user_home = host.environment.user_home.as_ref();
    let default = || Some(user_home?.join(".cache/openclaw/homes"));
    options.cache.clone().or_else(default).ok_or_else(|| {
        CliError::new(ErrorKind::Usage, "the home directory is unknown")
            .hint("name a directory with `--cache DIR`")
    })
}

fn alone_in(directory: &Path, host: &Host) -> Result<Lock> {
    let directory = make_directory(&*host.disk, directory)?;
    let locked = host.disk.try_lock(&directory.join(CACHE_LOCK));
    locked.map_err(|error| match error {
        LockError::Held { .. } => {
            let message = format!("another worker uses {}", directory.display());
            CliError::new(ErrorKind::Locked, message)
                .hint("name a directory for this one with `--cache DIR`")
        }
        error @ LockError::Disk(_) => error.into(),
    })
}

/// The tokens of all homes; no two are the same, and nobody else may read them.
fn read_tokens(options: &FleetOptions, context: &Context) -> Result<Vec<(String, AccessToken)>> {
    let Some(file) = &options.tokens else {
        return Ok(Vec::new());
    };
    let disk = &*context.host.disk;
    let place = file.display().to_string();
    let wrong = |message: String| {
        CliError::new(ErrorKind::Config, message)
            .hint("write a line `NAME: TOKEN` for each home, such as the output of `openssl rand -hex 32`")
    };
    let bytes = read_some(disk, file, TOKENS_BYTES_MAX)?
        .ok_or_else(|| CliError::new(ErrorKind::NotFound, format!("there is no file {place}")))?;
    if !disk.is_private(file)? {
        let message = format!("others on this machine may read {place}");
        let close = format!(
            "close it with `chmod 600 {}`",
            shlex::try_quote(&place).unwrap_or_default()
        );
        return Err(CliError::new(ErrorKind::Config, message).hint(close));
    }
    // What the reader quotes may hold a token.
    let read = serde_saphyr::from_slice::<BTreeMap<String, String>>(&bytes);
    let read = read.map_err(|_| wrong(format!("{place} is no YAML of names and tokens")))?;
    let mut homes: BTreeMap<String, String> = BTreeMap::new();
    let mut tokens = Vec::new();
    for (name, token) in read {
        let home: HomeName = name
            .parse()
            .map_err(|error: homes::NameError| wrong(error.to_string()))?;
        let own = AccessToken::given(&token, &format!("{place} for home {name}"))
            .map_err(|error| wrong(error.to_string()))?;
        if let Some(other) = homes.insert(token.trim().to_owned(), name.clone()) {
            return Err(wrong(format!(
                "homes {other} and {name} have the same token in {place}"
            )));
        }
        tokens.push((home.as_str().to_owned(), own));
    }
    if tokens.is_empty() {
        return Err(wrong(format!("{place} names no home")));
    }
    Ok(tokens)
}

/// Something that whoever runs the service should know of a home.
struct ToldOf {
    home: String,
    text: String,
}

/// Leases homes and puts them together.
struct Opener {
    homes: Arc<dyn Homes>,
    terms: LeaseTerms,
    host: Host,
    assignments: Vec<Assignment>,
    hosts: Vec<String>,
    tell: UnboundedSender<ToldOf>,
}

impl HomeOpener for Opener {
    fn open(&self, home: &str, token: &AccessToken) -> Result<OpenedHome, HttpError> {
        self.opened(home, token).map_err(|error| {
            let is_held = error.kind == ErrorKind::Locked;
            let text = error.one_line();
            // Nobody listens once the service ends.
            self.tell
                .send(ToldOf {
                    home: home.to_owned(),
                    text,
                })
                .ok();
            // What is wrong with it is for whoever runs the service.
            if is_held {
                HttpError::unavailable("another worker holds this home", LEASE)
            } else {
                HttpError::internal("this home cannot be opened; whoever runs the service sees why")
            }
        })
    }
}

impl Opener {
    fn opened(&self, home: &str, token: &AccessToken) -> Result<OpenedHome> {
        let name: HomeName = home
            .parse()
            .map_err(|error: homes::NameError| CliError::from_error(ErrorKind::Config, &error))?;
        let leased: Arc<dyn LeasedHome> = Arc::from(self.homes.lease(&name, &self.terms)?);
        let assembled = self.assemble(&*leased, token);
        let Assembled {
            setup,
            beside,
            index,
        } = assembled.inspect_err(|_| {
            // The lease ends by itself in a while.
            leased.release().ok();
        })?;
        let HttpSetup { dreaming, .. } = &setup;
        let keeping = Keeping {
            home: home.to_owned(),
            leased,
            beside,
            dreaming: dreaming.clone(),
            index,
            tell: self.tell.clone(),
            renew_every: self.terms.time / 3,
        };
        Ok(OpenedHome {
            setup,
            keeper: Box::new(move |newsroom, end| -> Kept {
                Box::pin(keeping.keep(newsroom, end))
            }),
        })
    }

    fn assemble(&self, leased: &dyn LeasedHome, token: &AccessToken) -> Result<Assembled> {
        leased.hydrate(INDEX)?;
        let host = Host {
            disk: leased.disk(),
            ..self.host.clone()
        };
        let (mut stdout, mut stderr) = (std::io::sink(), std::io::sink());
        let context = &mut Context {
            host: &host,
            home_option: Some(leased.root().to_owned()),
            assignments: self.assignments.clone(),
            output: &mut Output::new(&mut stdout, &mut stderr),
            known: None,
        };
        let home = context.home()?;
        let admission = Admission {
            token: token.clone(),
            hosts: self.hosts.clone(),
            programs: None,
        };
        assembled(context, &home, admission)
    }
}

/// A home that is open, with what works for it.
struct Keeping {
    home: String,
    leased: Arc<dyn LeasedHome>,
    beside: Runtime,
    dreaming: dreaming::Settings,
    index: IndexRefresh,
    tell: UnboundedSender<ToldOf>,
    renew_every: Duration,
}

impl Keeping {
    /// Dreams, notes what rests and renews the lease until the end is told or the lease is lost; then stores the index
    /// and gives the home back.
    async fn keep(self, newsroom: Newsroom, end: oneshot::Receiver<()>) {
        let tell = |text: String| {
            let home = self.home.clone();
            // Nobody listens once the service ends.
            self.tell.send(ToldOf { home, text }).ok();
        };
        let mut service = Service::begin(&self.beside, self.dreaming, self.index);
        let mut renewal = tokio::time::interval(self.renew_every);
        tokio::pin!(end);
        let is_lost = loop {
            tokio::select! {
                biased;
                _ = &mut end => break false,
                _ = renewal.tick() => match renewed(&self.leased).await {
                    Ok(()) => {}
                    Err(error) => {
                        let is_lost = matches!(error, HomesError::Lost { .. });
                        tell(CliError::from(error).one_line());
                        if is_lost {
                            break true;
                        }
                    }
                },
                news = service.next() => if let Some((text, is_warning)) = in_words(news) {
                    newsroom.tell_of_service(&text);
                    if is_warning {
                        tell(text);
                    }
                },
            }
        };
        let index = service.stop().await;
        let leased = self.leased;
        let returned = tokio::task::spawn_blocking(move || {
            index.close();
            if is_lost { Ok(()) } else { give_back(&*leased) }
        });
        if let Ok(Err(error)) = returned.await {
            tell(CliError::from(error).one_line());
        }
    }
}

async fn renewed(leased: &Arc<dyn LeasedHome>) -> Result<(), HomesError> {
    let leased = Arc::clone(leased);
    let renewed = tokio::task::spawn_blocking(move || leased.renew());
    // It did not panic: the next try tells.
    renewed.await.unwrap_or(Ok(()))
}

/// Stores the index for the next holder and gives the home back.
fn give_back(leased: &dyn LeasedHome) -> Result<(), HomesError> {
    leased.publish(INDEX)?;
    leased.release()
}
