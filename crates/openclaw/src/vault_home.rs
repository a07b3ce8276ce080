//! A home in a vault, used like any other: `--home vault://DIRECTORY/NAME`.
//!
//! Leases the home for one command, which finds it on the disk of its host.

use std::fmt;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use base::disk::{LockError, MemoryDisk, by_process, create_dir, read_some, replace};
use base::{Disk, content_hash};
use homes::{Cache, HomeName, HomesError, LeaseTerms, LeasedHome};
use search::is_being_written;
use uuid::Uuid;

use crate::cli::Command;
use crate::commands::homes::{self as homes_commands, Address, HELD_BYTES_MAX, are_apart};
use crate::config::{self, Assignment, ConfigSources};
use crate::environment::Environment;
use crate::home::LAYOUT;
use crate::host::Host;
use crate::prelude::*;

/// How long a home stays leased after a power failure; a killed process holds it only until the next command here.
const LEASE: Duration = Duration::from_mins(1);

/// How long to wait for another command on the same home.
const PATIENCE: Duration = Duration::from_secs(5);

/// Longest id of a directory in bytes.
const ID_BYTES_MAX: u64 = 64;

/// Lock of the directory for an open home.
const LOCK: &str = "lock";

/// How a command uses the home.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HomeUse {
    /// Not at all, apart from its settings.
    None,
    /// Alone, while it runs.
    Whole(Begins),
    /// Beside other programs, or as files of this machine; named as it is typed.
    Shared(&'static str),
}

/// Whether a command creates a missing home.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Begins {
    IfMissing,
    Never,
}

impl HomeUse {
    pub(crate) fn of(command: &Command) -> Self {
        use homes_commands::Command::{List, Pull, Push, Rekey, Verify};
        match command {
            Command::Init(_) => Self::Whole(Begins::IfMissing),
            Command::Chat(_)
            | Command::Replay(_)
            | Command::Session(_)
            | Command::Memory(_)
            | Command::Dream(_)
            | Command::About(_)
            | Command::Agenda(_)
            | Command::Doctor(_)
            | Command::Backup(_)
            | Command::Config(_) => Self::Whole(Begins::Never),
            Command::Homes(List(_) | Rekey(_) | Verify(_))
            | Command::Completions(_)
            | Command::Man(_) => Self::None,
            Command::Serve(arguments) if arguments.serves_many() => Self::None,
            Command::Homes(Push(_)) => Self::Shared("homes push"),
            Command::Homes(Pull(_)) => Self::Shared("homes pull"),
            Command::Serve(_) => Self::Shared("serve"),
            Command::Service(_) => Self::Shared("service"),
            Command::Mcp(_) => Self::Shared("mcp"),
            Command::Connect(_) => Self::Shared("connect"),
            Command::Hook(_) => Self::Shared("hook"),
            Command::Restore(_) => Self::Shared("restore"),
        }
    }
}

/// The home of a command.
#[derive(Debug)]
pub(crate) struct VaultHome {
    vault: Address,
    name: HomeName,
}

impl VaultHome {
    /// The home in a vault that `--home` or `OPENCLAW_HOME` names; `None` if it names a directory.
    pub(crate) fn named(option: Option<&Path>, environment: &Environment) -> Result<Option<Self>> {
        let named = option.or(environment.openclaw_home.as_deref());
        let Some(text) = named.and_then(Path::to_str) else {
            return Ok(None);
        };
        if !text.contains("://") && !text.starts_with("vault:") {
            return Ok(None);
        }
        let wrong = |reason: String| {
            CliError::new(ErrorKind::Usage, format!("{text} names no home: {reason}"))
                .hint("name a directory, or a home in a vault as `--home vault:///DIRECTORY/NAME`")
        };
        let (vault, name) = text.rsplit_once('/').unwrap_or((text, ""));
        let vault: Address = vault.parse().map_err(wrong)?;
        if vault.vault().is_none() {
            return Err(wrong("it is not in a vault".to_owned()));
        }
        Ok(Some(Self {
            vault,
            name: name
                .parse()
                .map_err(|error: homes::NameError| wrong(error.reason.to_owned()))?,
        }))
    }

    /// Runs a command on a host whose disk has the home, at the path that `act` is given.
    ///
    /// # Errors
    ///
    /// Those of the command; else those of storing what it wrote.
    pub(crate) fn during(
        &self,
        (host, assignments): (&Host, &[Assignment]),
        begins: Begins,
        act: impl FnOnce(&Host, PathBuf) -> Result<Exit>,
    ) -> Result<Exit> {
        if begins == Begins::IfMissing {
            self.vault.create_vault(&*host.disk)?;
        }
        let create = "`openclaw init` creates it";
        self.vault.check_there(&*host.disk, create)?;
        let key = self.key(assignments, host)?;
        let directory = self.directory(host)?;
        create_dir(&*host.disk, &directory)?;
        let lock = host.disk.lock(&directory.join(LOCK), PATIENCE);
        let _alone = lock.map_err(|error| match error {
            LockError::Disk(error) => error.into(),
            LockError::Held { pid, .. } => {
                let message = format!("home {} is in use{}", self.name, by_process(pid));
                CliError::new(ErrorKind::Locked, message)
                    .hint("wait until it finishes, and run the same command again")
                    .hint(self.service())
            }
        })?;
        let place = self.vault.open_with(host, Some(key), || {
            // Cached in memory: on the disk, clear text would stay.
            let disk = Arc::clone(&host.disk);
            let objects = Arc::new(MemoryDisk::new());
            Ok(Cache::apart(
                disk,
                objects,
                (directory.clone(), HELD_BYTES_MAX),
            )?)
        })?;
        let homes = place.homes();
        if begins == Begins::Never
            && !homes.has(&self.name)?
            && let Err(error) = homes.read(&self.name)
        {
            if !matches!(error, HomesError::Missing(_)) {
                return Err(error.into());
            }
            let message = format!("no home named {} in {}", self.name, self.vault);
            return Err(CliError::new(ErrorKind::NotFound, message).hint(create));
        }
        let leased = homes.lease(&self.name, &terms(&*host.disk, &directory)?)?;
        let outcome = renewed(&*leased, LEASE / 3, || {
            let host = Host {
                disk: leased.disk(),
                ..host.clone()
            };
            act(&host, leased.root().to_owned())
        });
        let stored = give_back(&*leased);
        let exit = outcome?;
        stored?;
        Ok(exit)
    }

    /// The error of a command that cannot have the home for itself.
    pub(crate) fn refusal(&self, command: &str) -> CliError {
        let message = format!("`openclaw {command}` does not work on a home in a vault");
        let pull = format!(
            "or pull it into a directory: `openclaw --home DIR homes pull {} {}`",
            self.vault, self.name
        );
        CliError::new(ErrorKind::Usage, message)
            .hint(self.service())
            .hint(pull)
    }

    fn service(&self) -> String {
        format!(
            "for several programs, serve it: `openclaw serve --homes {} --tokens FILE --identity FILE`",
            self.vault
        )
    }

    /// The directory on this machine for the index and locks of the home while it is open: in memory, where the system
    /// has such a place for its user.
    fn directory(&self, host: &Host) -> Result<PathBuf> {
        let environment = &host.environment;
        let in_memory = environment.others.get("XDG_RUNTIME_DIR").map(PathBuf::from);
        let base = match in_memory.filter(|directory| directory.is_absolute()) {
            Some(directory) => directory,
            None => environment
                .user_home_with("a place for the index")?
                .join(".cache"),
        };
        let vaults = base.join("openclaw/vaults");
        let vault = self.vault.vault().unwrap_or_default();
        if !are_apart(&*host.disk, &vaults, &vault)? {
            let (vaults, vault) = (vaults.display(), vault.display());
            let message =
                format!("the directory {vaults} for the index and the vault {vault} are not apart");
            return Err(CliError::new(ErrorKind::Usage, message)
                .hint("set XDG_RUNTIME_DIR to another directory"));
        }
        clear_left(&*host.disk, &vaults)?;
        let place = host.disk.resolve(&vault)?.join(self.name.key());
        Ok(vaults.join(content_hash(place.as_os_str().as_encoded_bytes())))
    }

    /// The key that `--set` or a variable names: the settings of the home are encrypted themselves.
    fn key(&self, assignments: &[Assignment], host: &Host) -> Result<homes::Key> {
        let nowhere = Home::new(PathBuf::new());
        let config = config::load(ConfigSources {
            disk: &MemoryDisk::new(),
            home: &nowhere,
            variables: &host.environment.settings,
            assignments,
        })?;
        let settings = &config.settings.homes;
        for file in [&settings.identity_file, &settings.passphrase_file] {
            if let Some(file) = file.as_ref().filter(|it| !it.starts_with(['/', '~'])) {
                let message = format!("{file} is relative to a home that is encrypted");
                return Err(CliError::new(ErrorKind::Usage, message)
                    .hint("name the file by its path from `/` or `~/`"));
            }
        }
        let key = wiring::homes_key(settings, host, &nowhere)?;
        key.ok_or_else(|| {
            CliError::new(
                ErrorKind::Usage,
                format!("{self} is encrypted and needs a key"),
            )
            .hint("`export OPENCLAW_HOMES__IDENTITY_FILE=FILE` names a file with your key")
            .hint("`export OPENCLAW_HOMES__PASSPHRASE_FILE=FILE` names one with a passphrase")
        })
    }
}

impl fmt::Display for VaultHome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.vault, self.name)
    }
}

/// Publishes the index and gives the home back.
fn give_back(leased: &dyn LeasedHome) -> Result<()> {
    let index = Home::new(leased.root().to_owned()).index();
    if is_being_written(&*leased.disk(), &index) {
        // An update that the owner postponed ends with this process. Its files may be in the way of their removal,
        // which the next command repeats; what the command wrote is stored already.
        leased.release().unwrap_or_default();
        return Ok(());
    }
    let published = LAYOUT.derived.iter().try_for_each(|it| leased.publish(it));
    Ok(published.and(leased.release())?)
}

/// Removes what killed commands left of other homes.
fn clear_left(disk: &dyn Disk, vaults: &Path) -> Result<()> {
    for name in disk.list(vaults)? {
        let directory = vaults.join(name);
        // A home that is in use keeps its files.
        if let Ok(_alone) = disk.try_lock(&directory.join(LOCK)) {
            Cache::remove_open(disk, &directory)?;
        }
    }
    Ok(())
}

/// The lease of a command. Only one process uses the directory, so a lease of this holder was left by a killed one.
fn terms(disk: &dyn Disk, directory: &Path) -> Result<LeaseTerms> {
    let path = directory.join("id");
    let found = read_some(disk, &path, ID_BYTES_MAX)?;
    let id = found.unwrap_or_else(|| Uuid::now_v7().to_string().into_bytes());
    replace(disk, &path, &id)?;
    let id = String::from_utf8_lossy(&id);
    let node = rustix::system::uname();
    Ok(LeaseTerms {
        holder: format!("a command on {}, {id}", node.nodename().to_string_lossy()),
        time: LEASE,
    })
}

/// Renews the lease at intervals while `act` runs. Once it is lost, each write fails, so nothing is reported here.
fn renewed<T>(leased: &dyn LeasedHome, every: Duration, act: impl FnOnce() -> T) -> T {
    thread::scope(|scope| {
        let (end, ended) = channel::<()>();
        scope.spawn(move || {
            while ended.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
                leased.renew().unwrap_or_default();
            }
        });
        let outcome = act();
        drop(end);
        outcome
    })
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender};

    use base::locked;
    use homes::{HomeVersion, HomesError};

    use super::*;

    /// Signals each renewal.
    #[derive(Debug)]
    struct RenewalProbe(std::sync::Mutex<Sender<()>>);

    impl LeasedHome for RenewalProbe {
        fn renew(&self) -> Result<(), HomesError> {
            locked(&self.0).send(()).unwrap();
            Ok(())
        }

        fn epoch(&self) -> u64 {
            1
        }

        fn version(&self) -> Option<HomeVersion> {
            None
        }

        fn root(&self) -> &Path {
            Path::new("/")
        }

        fn disk(&self) -> Arc<dyn Disk> {
            Arc::new(MemoryDisk::new())
        }

        fn is_usable(&self) -> bool {
            true
        }

        fn publish(&self, _: &str) -> Result<(), HomesError> {
            Ok(())
        }

        fn commit(&self) -> Result<(), HomesError> {
            Ok(())
        }

        fn release(&self) -> Result<(), HomesError> {
            Ok(())
        }
    }

    #[test]
    fn i1_a_lease_is_renewed_while_a_command_runs_and_no_longer() {
        let (signal, renewed_at): (_, Receiver<()>) = channel();
        let leased = RenewalProbe(signal.into());
        let act = || renewed_at.iter().take(3).count();
        assert_eq!(renewed(&leased, Duration::from_millis(1), act), 3);
        while renewed_at.try_recv().is_ok() {}
        drop(leased);
        assert_eq!(renewed_at.iter().count(), 0);
    }
}
