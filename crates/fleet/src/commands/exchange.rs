//! `openclaw-fleet push` and `pull`: makes one home the same as another.
//!
//! Never replaces changes that only the target has, except with `--overwrite`.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use backon::{BlockingRetryable, ConstantBuilder};
use base::Disk;
use base::FolderKind;
use base::disk::{DiskError, Lock, LockError, create_dir};
use cli::home::LAYOUT;
use cli::wiring::KeyOptions;

use super::address::{Address, HomeStore, are_apart};
use super::holder::{terms, unless_dead};
use super::marker::Marker;
use super::report::{Direction, ExchangeReport};
use crate::prelude::*;
use crate::{
    Changes, HomeName, HomePlace, HomeView, Homes, HomesError, LeasedHome, Listing, SeenObjects,
    WrittenFiles, copy,
};

/// The number of times that an exchange is retried if its source changes meanwhile.
const RETRIES_MAX: usize = 2;

#[derive(Debug, Args)]
#[command(after_help = "\
The index and locks are not copied. A push can be repeated: it resumes where an
interrupted one stopped, and sends only what changed.
The key of the first push opens the home there from then on;
`openclaw-fleet rekey` changes it.

Examples:
  openclaw-fleet push s3://claw/homes anna
  openclaw-fleet push s3://claw/homes anna --dry-run
  openclaw-fleet push vault:///srv/vault anna --identity ~/key.txt
  openclaw-fleet --home ~/anna push file:///srv/homes anna")]
pub(crate) struct PushArguments {
    #[command(flatten)]
    other: OtherHome,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw-fleet pull s3://claw/homes anna
  openclaw-fleet --home ~/restored pull s3://claw/homes anna
  openclaw-fleet pull s3://claw/homes anna --identity ~/key.txt")]
pub(crate) struct PullArguments {
    #[command(flatten)]
    other: OtherHome,
}

#[derive(Debug, Args)]
struct OtherHome {
    /// Bucket, vault or folder of homes: `s3://BUCKET/PREFIX`, `vault://DIRECTORY`
    /// or `file://DIRECTORY`; a bucket needs `AWS_ACCESS_KEY_ID`,
    /// `AWS_SECRET_ACCESS_KEY`, `AWS_REGION` and, outside AWS, `AWS_ENDPOINT_URL`
    #[arg(value_name = "ADDRESS")]
    address: Address,
    /// Name of the home there
    #[arg(value_name = "NAME")]
    name: HomeName,
    /// Show what would change; change nothing
    #[arg(long)]
    dry_run: bool,
    /// Discard changes that only the target has
    #[arg(long)]
    overwrite: bool,
    #[command(flatten)]
    key: KeyOptions,
}

pub(crate) fn push(arguments: &PushArguments, context: &mut Context) -> Result<Exit> {
    context.refuse_in_sandbox("a push")?;
    let other = &arguments.other;
    let home = context.existing_home()?;
    let disk = Arc::clone(&context.host.disk);
    if LAYOUT.kind_of(&*disk, home.root())? != FolderKind::Home {
        return Err(HomesError::NotHome(home.root().to_owned()).into());
    }
    other.check_apart(&*disk, &home)?;
    let key = other.key.key_of_homes(context)?;
    let store = other.address.open(context.host, key)?;
    let homes = store.homes();
    other.prepare_vault(&*disk, &home)?;
    let mut seen = other.marker(&*disk, &home)?.and_then(|it| it.objects);
    let workspace = context.host.workspace(&home);
    // The home is locked only while it is read, so that a chat can continue while the copy is sent.
    let read = || -> Result<Listing> {
        let _still = workspace.hold_still()?;
        Ok(Listing::read(place_of(&*disk, &home), &LAYOUT)?)
    };
    let plan = if other.dry_run {
        let own = read()?;
        let mut marker = other.marker(&*disk, &home)?;
        let there = if other.address.is_new_vault(&*disk)? {
            Listing::default()
        } else {
            match homes.read(&other.name) {
                Ok(view) => {
                    other.check_whole(&store, &mut seen)?;
                    marker = of_same_home(marker, &view);
                    listing_of(&view, marker.as_ref(), &own)?
                }
                Err(HomesError::Missing(_)) => Listing::default(),
                Err(error) => return Err(error.into()),
            }
        };
        other.plan(own, &there, marker.as_ref())
    } else {
        let there = other.address.folder();
        let there = there.map(|root| Home::new(root.join(other.name.as_str())));
        let held = there.map(|there| hold(&*disk, &there, Some(LAYOUT.lock)));
        let _held = held.transpose()?;
        let own = terms("openclaw-fleet push");
        let leased = unless_dead(&own, |terms| homes.lease(&other.name, terms))?;
        let mut sent = WrittenFiles::new();
        let pushed = with_retries(|| {
            other.check_whole(&store, &mut seen)?;
            match read() {
                Ok(own) => other.push_into(&*leased, (&*disk, &home), own, &mut sent),
                Err(refusal) => Ok(Err(refusal)),
            }
        });
        // Releases the home at once, even if the push failed, so that another process can lease it.
        let version = leased.version();
        let released = leased.release();
        let mut plan = pushed?;
        released?;
        let mut marker = Marker::new(&other.address, &other.name, version, plan.source.clone());
        marker.objects = seen;
        marker.save(&*disk, &home)?;
        plan.changes.bytes = sent.values().map(|digest| digest.bytes).sum();
        plan.changes.write = sent.into_keys().collect();
        plan
    };
    other.report(&home, plan, Direction::Push, context)
}

pub(crate) fn pull(arguments: &PullArguments, context: &mut Context) -> Result<Exit> {
    context.refuse_in_sandbox("a pull")?;
    let other = &arguments.other;
    let home = context.home()?;
    let disk = Arc::clone(&context.host.disk);
    if LAYOUT.kind_of(&*disk, home.root())? == FolderKind::Foreign {
        return Err(HomesError::NotHome(home.root().to_owned()).into());
    }
    other.check_apart(&*disk, &home)?;
    let key = other.key.key_of_homes(context)?;
    other.address.check_there(&*disk, "check the address")?;
    let homes = other.address.open(context.host, key)?.homes();
    let held = if other.dry_run {
        Vec::new()
    } else {
        hold(&*disk, &home, None)?
    };
    let plan = with_retries(|| other.pull_once(&home, &*homes, &*disk))?;
    drop(held);
    other.report(&home, plan, Direction::Pull, context)
}

/// The changes of an exchange.
struct ExchangePlan {
    /// The content of both homes after the exchange.
    source: Listing,
    changes: Changes,
    /// Paths of changes that only the target has, and would lose.
    lost: Vec<String>,
}

/// The result of an exchange. The outer error is a storage error, which may be temporary; the inner error is a
/// refusal.
type Exchanged<T = ExchangePlan> = Result<Result<T>, HomesError>;

/// Runs an exchange again if its source changes meanwhile: the owner may save a file, or the holder of a home may
/// fold the bytes of a file into other objects.
fn with_retries<T>(exchange: impl FnMut() -> Exchanged<T>) -> Result<T> {
    let tries = ConstantBuilder::default()
        .with_delay(Duration::ZERO)
        .with_max_times(RETRIES_MAX);
    let is_passing =
        |error: &HomesError| matches!(error, HomesError::Changed(_) | HomesError::Damaged { .. });
    exchange.retry(tries).when(is_passing).call()?
}

impl OtherHome {
    /// Refuses to copy a home into itself, which would grow with each copy.
    fn check_apart(&self, disk: &dyn Disk, home: &Home) -> Result<()> {
        let Some(directory) = self.address.directory() else {
            return Ok(());
        };
        let there = directory.join(self.name.as_str());
        if are_apart(disk, &there, home.root())? {
            return Ok(());
        }
        let (there, root) = (there.display(), home.root().display());
        let message = format!("{there} and the home {root} overlap: one is inside the other");
        Err(CliError::new(ErrorKind::Usage, message).hint("name a directory outside the home"))
    }

    /// Creates a vault at its first push. A later push must find it, because otherwise its disk may not be mounted.
    fn prepare_vault(&self, disk: &dyn Disk, home: &Home) -> Result<()> {
        let is_new = self.address.is_new_vault(disk)?;
        if is_new && self.marker(disk, home)?.is_some() {
            let message = format!(
                "{} held this home before, but no longer exists",
                self.address
            );
            return Err(CliError::new(ErrorKind::NotFound, message)
                .hint("mount its disk, or begin a new vault with `--overwrite`"));
        }
        if self.dry_run {
            return self.address.check_new_vault(disk);
        }
        self.address.create_vault(disk)
    }

    /// Fails if a file in a bucket is damaged, because a push relies on the files that were sent before. With
    /// `--overwrite`, the push reads all files there and sends the damaged ones again. Objects listed in `seen` are
    /// not read again.
    fn check_whole(
        &self,
        store: &HomeStore,
        seen: &mut Option<SeenObjects>,
    ) -> Result<(), HomesError> {
        let HomeStore::Bucket(bucket) = store else {
            return Ok(());
        };
        let known = seen.take().unwrap_or_default();
        let (now, damage) = bucket.check_files(&self.name, &known)?;
        *seen = Some(now);
        damage.filter(|_| !self.overwrite).map_or(Ok(()), Err)
    }

    /// Makes the leased home the same as `own`, the listing of this home. Adds the files that were sent to `sent`.
    fn push_into(
        &self,
        leased: &dyn LeasedHome,
        (disk, home): (&dyn Disk, &Home),
        own: Listing,
        sent: &mut WrittenFiles,
    ) -> Exchanged {
        let view = HomeView {
            root: leased.root().to_owned(),
            disk: leased.disk(),
            version: leased.version(),
        };
        let marker = of_same_home(self.marker(disk, home)?, &view);
        let mut there = listing_of(&view, marker.as_ref(), &own)?;
        let plan = self.plan(own, &there, marker.as_ref());
        if let Err(refusal) = self.allow(&plan, Direction::Push) {
            return Ok(Err(refusal));
        }
        // A lease excludes every writer from a bucket, but in a folder the owner may edit a file meanwhile.
        let planned = view.version.is_none().then(|| there.clone());
        let source = (place_of(disk, home), &plan.source);
        copy(
            source,
            (place_in(&view), planned.as_ref()),
            &plan.changes,
            &mut |written| {
                there
                    .directories
                    .extend(plan.source.directories.iter().cloned());
                there.files.extend(written.clone());
                sent.extend(written.clone());
                let marker =
                    Marker::new(&self.address, &self.name, leased.version(), there.clone());
                leased.renew().map_err(|error| {
                    let error = std::io::Error::other(error);
                    DiskError::on("renew the lease of", home.root())(error)
                })?;
                marker.save(disk, home)
            },
        )?;
        Ok(Ok(plan))
    }

    fn pull_once(&self, home: &Home, homes: &dyn Homes, disk: &dyn Disk) -> Exchanged {
        let here = place_of(disk, home);
        let own = Listing::read(here, &LAYOUT)?;
        let view = homes.read(&self.name)?;
        let marker = of_same_home(self.marker(disk, home)?, &view);
        let there = listing_of(&view, marker.as_ref(), &own)?;
        let mut plan = self.plan(there, &own, marker.as_ref());
        if self.dry_run {
            return Ok(Ok(plan));
        }
        if let Err(refusal) = self.allow(&plan, Direction::Pull) {
            return Ok(Err(refusal));
        }
        create_dir(disk, home.root())?;
        let mut read = WrittenFiles::new();
        let last = Marker::load(disk, home, &self.address, &self.name)?;
        let mut both = last.map(|marker| marker.listing).unwrap_or_default();
        both.directories
            .extend(plan.source.directories.iter().cloned());
        copy(
            (place_in(&view), &plan.source),
            (here, Some(&own)),
            &plan.changes,
            &mut |written| {
                read.extend(written.clone());
                both.files.extend(written.clone());
                // The marker has no version, because the rest of the other home is not known yet.
                Marker::new(&self.address, &self.name, None, both.clone()).save(disk, home)
            },
        )?;
        // Records the content of the other home and not of this one, so that an edit saved during the pull counts as
        // new.
        plan.source.files.extend(read);
        let version = view.version.clone();
        Marker::new(&self.address, &self.name, version, plan.source.clone()).save(disk, home)?;
        Ok(Ok(plan))
    }

    /// The changes that make the target the same as the source. Content that the target had at the last exchange is
    /// not lost, because the source has had it too.
    fn plan(&self, source: Listing, target: &Listing, marker: Option<&Marker>) -> ExchangePlan {
        let changes = Changes::between(&source, target);
        let is_shared =
            |path: &String| marker.is_some_and(|marker| marker.listing.agrees(target, path));
        let replaced = changes.write.iter();
        let replaced = replaced.filter(|path| target.files.contains_key(*path));
        let lost = replaced.chain(&changes.remove);
        let lost = lost.filter(|path| !self.overwrite && !is_shared(path));
        ExchangePlan {
            lost: lost.cloned().collect(),
            changes,
            source,
        }
    }

    /// The marker of the last exchange; `None` with `--overwrite`, so that damaged files are read again too.
    fn marker(&self, disk: &dyn Disk, home: &Home) -> Result<Option<Marker>, DiskError> {
        if self.overwrite {
            return Ok(None);
        }
        Marker::load(disk, home, &self.address, &self.name)
    }

    /// Fails if the target would lose changes that only it has, unless `--overwrite` allows that.
    fn allow(&self, plan: &ExchangePlan, direction: Direction) -> Result<()> {
        let Some(first) = plan.lost.first() else {
            return Ok(());
        };
        let which = match direction {
            Direction::Push => "the target home",
            Direction::Pull => "this home",
        };
        let n_lost = counted(plan.lost.len() as u64, "file", "files");
        let message = format!("{which} has changes that would be lost: {n_lost}, such as {first}");
        let address = &self.address;
        let name = shlex::try_quote(self.name.as_str()).unwrap_or_default();
        let hint = if self.dry_run {
            "`--overwrite` discards them"
        } else {
            "`--dry-run` lists all of them; `--overwrite` discards them"
        };
        Err(CliError::new(ErrorKind::Input, message)
            .hint(hint)
            .hint(format!(
                "or keep both: pull into a new directory with \
                 `openclaw-fleet --home DIR pull {address} {name}`"
            )))
    }

    /// Reports an exchange. A dry run fails if the exchange would fail.
    fn report(
        &self,
        home: &Home,
        plan: ExchangePlan,
        direction: Direction,
        context: &mut Context,
    ) -> Result<Exit> {
        let allowed = self.allow(&plan, direction);
        let ExchangePlan {
            source,
            changes,
            lost,
        } = plan;
        for (path, reason) in &source.left_out {
            context.output.warn(&format!("skipped {path}: {reason}"));
        }
        let exit = context.emit(&ExchangeReport {
            home: home.root().display().to_string(),
            address: self.address.to_string(),
            name: self.name.to_string(),
            files: source.files.len(),
            bytes: source.files.values().map(|digest| digest.bytes).sum(),
            written_bytes: changes.bytes,
            written: changes.write,
            removed: changes.remove,
            lost,
            dry_run: self.dry_run,
            direction,
        })?;
        allowed.map(|()| exit)
    }
}

fn place_of<'a>(disk: &'a dyn Disk, home: &'a Home) -> HomePlace<'a> {
    HomePlace {
        disk,
        root: home.root(),
    }
}

pub(super) fn place_in(view: &HomeView) -> HomePlace<'_> {
    HomePlace {
        disk: &*view.disk,
        root: &view.root,
    }
}

/// The marker of the last exchange, unless the other home was recreated or restored since. A file that only one home
/// has was then not necessarily removed from the other.
fn of_same_home(marker: Option<Marker>, view: &HomeView) -> Option<Marker> {
    marker.filter(|marker| match (&marker.version, &view.version) {
        (Some(last), Some(version)) => version.can_follow(last),
        (None, _) | (_, None) => true,
    })
}

/// Lists a home; reads little if the home is unchanged since the last exchange.
fn listing_of(
    view: &HomeView,
    marker: Option<&Marker>,
    own: &Listing,
) -> Result<Listing, HomesError> {
    let same = marker.filter(|marker| view.version.is_some() && marker.version == view.version);
    if let Some(marker) = same {
        return Ok(marker.listing.clone());
    }
    let place = place_in(view);
    let known = marker.map(|marker| &marker.listing);
    let known: Vec<&Listing> = known.into_iter().chain([own]).collect();
    Ok(match &view.version {
        Some(_) => Listing::read_beside(place, &LAYOUT, &known)?,
        // A copy into a folder compares each file with the listing, so the listing must be complete.
        None => Listing::read(place, &LAYOUT)?,
    })
}

/// Takes every lock of the home that will be replaced, so that no process works on it. `except` is the lock that the
/// lease already holds.
fn hold(disk: &dyn Disk, home: &Home, except: Option<&str>) -> Result<Vec<Lock>> {
    let directory = home.locks();
    let ends_so = |name: &PathBuf, ending: &str| name.extension().is_some_and(|it| it == ending);
    let transcripts = disk.list(&home.sessions())?.into_iter();
    let of_sessions = transcripts.filter(|name| ends_so(name, "jsonl"));
    let mut names: BTreeSet<PathBuf> = of_sessions
        .map(|name| name.with_extension("lock"))
        .collect();
    let there = disk.list(&directory)?.into_iter();
    names.extend(there.filter(|name| ends_so(name, "lock")));
    names.retain(|name| except.is_none_or(|lock| !lock.ends_with(&*name.to_string_lossy())));
    if !names.is_empty() {
        create_dir(disk, &directory)?;
    }
    let mut held = Vec::new();
    for name in names {
        match disk.try_lock(&directory.join(&name)) {
            Ok(lock) => held.push(lock),
            Err(error @ LockError::Held { .. }) => return Err(error.into()),
            Err(LockError::Disk(error)) => return Err(error.into()),
        }
    }
    Ok(held)
}
