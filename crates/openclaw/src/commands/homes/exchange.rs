//! `openclaw homes push` and `pull`: make one home the same as another.
//!
//! Never replaces what only the target holds, except with `--overwrite`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use base::disk::{Lock, LockError, create_dir};
use base::{Disk, HomeLayout};
use homes::{
    Changes, HomeName, HomePlace, HomeView, Homes, HomesError, LeaseTerms, LeasedHome, Listing,
    copy,
};
use serde::Serialize;

use super::marker::Marker;
use super::{Address, LAYOUT};
use crate::prelude::*;
use crate::wiring::KeyOptions;

/// Most changes listed for people.
const SHOWN_MAX: usize = 20;

/// How often a pull is tried while the holder changes the home.
const N_TRIES: usize = 3;

#[derive(Debug, Args)]
#[command(after_help = "\
The index and locks are not copied. A push can be repeated: it resumes where an
interrupted one stopped, and sends only what changed.
The key of the first push to a bucket stays the key of the home there.

Examples:
  openclaw homes push s3://claw/homes anna
  openclaw homes push s3://claw/homes anna --dry-run
  openclaw homes push s3://claw/homes anna --identity ~/key.txt
  openclaw --home ~/anna homes push file:///srv/homes anna")]
pub(crate) struct PushArguments {
    #[command(flatten)]
    other: OtherHome,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw homes pull s3://claw/homes anna
  openclaw --home ~/restored homes pull s3://claw/homes anna
  openclaw homes pull s3://claw/homes anna --identity ~/key.txt")]
pub(crate) struct PullArguments {
    #[command(flatten)]
    other: OtherHome,
}

#[derive(Debug, Args)]
struct OtherHome {
    /// Bucket or folder of homes: `s3://BUCKET/PREFIX` or `file://DIRECTORY`; a
    /// bucket needs `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_REGION` and,
    /// outside AWS, `AWS_ENDPOINT_URL`
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

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ExchangeReport {
    home: String,
    address: String,
    name: String,
    /// Number of files in each home afterwards.
    files: usize,
    bytes: u64,
    written: Vec<String>,
    written_bytes: u64,
    removed: Vec<String>,
    dry_run: bool,
    #[serde(skip)]
    direction: Direction,
}

pub(crate) fn push(arguments: &PushArguments, context: &mut Context) -> Result<Exit> {
    context.refuse_in_sandbox("a push")?;
    let other = &arguments.other;
    let home = context.existing_home()?;
    let disk = Arc::clone(&context.host.disk);
    other.check_apart(&*disk, &home)?;
    let key = other.key.key_of_homes(context)?;
    let place = other.address.open(context.host, key)?;
    let homes = place.homes();
    let there = other
        .address
        .folder()
        .map(|root| HomeLayout::new(root.join(other.name.as_str())));
    let held = match there.filter(|_| !other.dry_run) {
        Some(there) => hold(&*disk, &there, Some(LAYOUT.lock))?,
        None => Vec::new(),
    };
    let workspace = context.host.workspace(&home);
    let still = workspace.hold_still()?;
    let here = HomePlace {
        disk: &*disk,
        root: home.root(),
    };
    let own = Listing::read(here, &LAYOUT)?;
    let changes = if other.dry_run {
        let marker = other.marker(&*disk, &home)?;
        let there = match homes.read(&other.name) {
            Ok(view) => listing_of(&view, marker.as_ref(), &own)?.0,
            Err(HomesError::Missing(_)) => Listing::default(),
            Err(error) => return Err(error.into()),
        };
        Changes::between(&own, &there)
    } else {
        let leased = homes.lease(&other.name, &terms())?;
        let pushed = other.push_into(&*leased, here, &own, &home);
        // Release the home at once, even if the push failed, so that another process can lease it.
        let released = leased.release();
        let (changes, version) = pushed?;
        released?;
        Marker::new(&other.address, &other.name, version, own.clone()).save(&*disk, &home)?;
        changes
    };
    drop((still, held));
    other.report(&home, (&own, changes), Direction::Push, context)
}

pub(crate) fn pull(arguments: &PullArguments, context: &mut Context) -> Result<Exit> {
    context.refuse_in_sandbox("a pull")?;
    let other = &arguments.other;
    let home = context.home()?;
    let disk = Arc::clone(&context.host.disk);
    other.check_apart(&*disk, &home)?;
    let key = other.key.key_of_homes(context)?;
    let homes = other.address.open(context.host, key)?.homes();
    let held = if other.dry_run {
        Vec::new()
    } else {
        hold(&*disk, &home, None)?
    };
    let mut n_tries = 1;
    let done = loop {
        match other.pull_once(&home, &*homes, &*disk) {
            // The holder may have folded the bytes into other objects during the read.
            Err(HomesOrRefusal::Homes(HomesError::Damaged { .. })) if n_tries < N_TRIES => {
                n_tries += 1;
            }
            Err(HomesOrRefusal::Homes(error)) => return Err(error.into()),
            Err(HomesOrRefusal::Refusal(refusal)) => return Err(refusal),
            Ok(done) => break done,
        }
    };
    drop(held);
    other.report(&home, (&done.0, done.1), Direction::Pull, context)
}

/// Whether the target may hold something that the other home never had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Novelty {
    /// Unchanged since the last exchange.
    Shared,
    New,
}

impl Novelty {
    fn of(marker: Option<&Marker>, listing: &Listing) -> Self {
        if marker.is_some_and(|marker| marker.listing == *listing) {
            Self::Shared
        } else {
            Self::New
        }
    }
}

/// Which home is the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    Push,
    Pull,
}

/// Why a pull failed; some errors of the storage are retried.
enum HomesOrRefusal {
    Homes(HomesError),
    Refusal(CliError),
}

impl From<HomesError> for HomesOrRefusal {
    fn from(error: HomesError) -> Self {
        Self::Homes(error)
    }
}

impl From<base::disk::DiskError> for HomesOrRefusal {
    fn from(error: base::disk::DiskError) -> Self {
        Self::Homes(error.into())
    }
}

impl From<CliError> for HomesOrRefusal {
    fn from(error: CliError) -> Self {
        Self::Refusal(error)
    }
}

impl OtherHome {
    /// Refuses to copy a home into itself, which would grow with each copy.
    fn check_apart(&self, disk: &dyn Disk, home: &Home) -> Result<()> {
        let Some(folder) = self.address.folder() else {
            return Ok(());
        };
        let there = folder.join(self.name.as_str());
        let resolved = disk.resolve(&std::path::absolute(&there)?)?;
        let here = disk.resolve(home.root())?;
        if !resolved.starts_with(&here) && !here.starts_with(&resolved) {
            return Ok(());
        }
        let (there, root) = (there.display(), home.root().display());
        let message = format!("{there} and the home {root} are not apart");
        Err(CliError::new(ErrorKind::Usage, message).hint("name a folder outside the home"))
    }

    /// Makes the leased home the same as `own`, the listing of this one; returns the changes and its new version.
    fn push_into(
        &self,
        leased: &dyn LeasedHome,
        here: HomePlace<'_>,
        own: &Listing,
        home: &Home,
    ) -> Result<(Changes, Option<u64>)> {
        let view = HomeView {
            root: leased.root().to_owned(),
            disk: leased.disk(),
            version: leased.version(),
        };
        let marker = self.marker(here.disk, home)?;
        let (mut there, knowledge) = listing_of(&view, marker.as_ref(), own)?;
        let changes = Changes::between(own, &there);
        self.allow(&changes, &there, knowledge, "the target home")?;
        let target = HomePlace {
            disk: &*view.disk,
            root: &view.root,
        };
        copy((here, own), target, &changes, &mut |written| {
            there.take(own, written);
            let marker = Marker::new(&self.address, &self.name, leased.version(), there.clone());
            leased.renew().map_err(|error| {
                base::disk::DiskError::on("renew the lease of", home.root())(std::io::Error::other(
                    error,
                ))
            })?;
            marker.save(here.disk, home)
        })?;
        Ok((changes, leased.version()))
    }

    fn pull_once(
        &self,
        home: &Home,
        homes: &dyn Homes,
        disk: &dyn Disk,
    ) -> Result<(Listing, Changes), HomesOrRefusal> {
        let here = HomePlace {
            disk,
            root: home.root(),
        };
        let own = Listing::read(here, &LAYOUT)?;
        let marker = self.marker(disk, home)?;
        let view = homes.read(&self.name)?;
        let (mut there, _) = listing_of(&view, marker.as_ref(), &own)?;
        let changes = Changes::between(&there, &own);
        // A home that is unchanged since the last exchange holds nothing new.
        let knowledge = Novelty::of(marker.as_ref(), &own);
        self.allow(&changes, &own, knowledge, "this home")?;
        if self.dry_run {
            return Ok((there, changes));
        }
        base::disk::create_dir(disk, home.root())?;
        let source = HomePlace {
            disk: &*view.disk,
            root: &view.root,
        };
        copy((source, &there), here, &changes, &mut |_| Ok(()))?;
        // Record what the other home holds, not what is here now: an edit saved during the pull is new.
        there.complete(&Listing::read(here, &LAYOUT)?);
        Marker::new(&self.address, &self.name, view.version, there.clone()).save(disk, home)?;
        Ok((there, changes))
    }

    /// What both held at the last exchange; `--overwrite` ignores it, so that damaged files are reread, too.
    fn marker(&self, disk: &dyn Disk, home: &Home) -> Result<Option<Marker>> {
        if self.overwrite {
            return Ok(None);
        }
        Marker::load(disk, home, &self.address, &self.name)
    }

    /// Fails if files that only the target holds would be lost, unless the owner allows that.
    fn allow(
        &self,
        changes: &Changes,
        target: &Listing,
        knowledge: Novelty,
        which: &str,
    ) -> Result<()> {
        let replaced = changes
            .write
            .iter()
            .filter(|path| target.files.contains_key(*path));
        let lost: Vec<&String> = replaced.chain(&changes.remove).collect();
        let Some(first) = lost
            .first()
            .filter(|_| knowledge == Novelty::New && !self.overwrite && !self.dry_run)
        else {
            return Ok(());
        };
        let n_lost = counted(lost.len() as u64, "file", "files");
        let message = format!("{which} has changes that would be lost: {n_lost}, such as {first}");
        let address = &self.address;
        let name = shlex::try_quote(self.name.as_str()).unwrap_or_default();
        Err(CliError::new(ErrorKind::Input, message)
            .hint("`--dry-run` lists all of them; `--overwrite` discards them")
            .hint(format!(
                "or keep both: pull into a new directory with \
                 `openclaw --home DIR homes pull {address} {name}`"
            )))
    }

    fn report(
        &self,
        home: &Home,
        (listing, changes): (&Listing, Changes),
        direction: Direction,
        context: &mut Context,
    ) -> Result<Exit> {
        context.emit(&ExchangeReport {
            home: home.root().display().to_string(),
            address: self.address.to_string(),
            name: self.name.to_string(),
            files: listing.files.len(),
            bytes: listing.files.values().map(|digest| digest.bytes).sum(),
            written_bytes: changes.bytes,
            written: changes.write,
            removed: changes.remove,
            dry_run: self.dry_run,
            direction,
        })
    }
}

/// Lists a home, and says whether it is unchanged since the last exchange.
fn listing_of(
    view: &HomeView,
    marker: Option<&Marker>,
    own: &Listing,
) -> Result<(Listing, Novelty), HomesError> {
    let same = marker.filter(|marker| view.version.is_some() && marker.version == view.version);
    if let Some(marker) = same {
        return Ok((marker.listing.clone(), Novelty::Shared));
    }
    let place = HomePlace {
        disk: &*view.disk,
        root: &view.root,
    };
    let listing = match view.version {
        Some(_) => Listing::read_beside(place, &LAYOUT, own)?,
        // Without a version, only the whole content shows whether anything is new.
        None => Listing::read(place, &LAYOUT)?,
    };
    let knowledge = Novelty::of(marker, &listing);
    Ok((listing, knowledge))
}

fn terms() -> LeaseTerms {
    LeaseTerms {
        holder: holder("openclaw homes push"),
        time: std::time::Duration::from_mins(2),
    }
}

/// Describes this process as the holder of a lease, for others that find the home held.
pub(crate) fn holder(command: &str) -> String {
    let node = rustix::system::uname();
    let node = node.nodename().to_string_lossy();
    format!("`{command}`, process {} on {node}", std::process::id())
}

/// Takes every lock of the home to be replaced, so that no process works on it, except the one that a lease holds.
fn hold(disk: &dyn Disk, home: &HomeLayout, except: Option<&str>) -> Result<Vec<Lock>> {
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

impl Report for ExchangeReport {
    fn json(&self) -> Value {
        json!(self)
    }

    fn human(&self, _: Stream) -> String {
        let mut text = String::new();
        let shown = |sign, path: &String| format!("  {sign} {}", printable(path));
        if self.dry_run {
            let written = self.written.iter().map(|path| shown('+', path));
            let removed = self.removed.iter().map(|path| shown('-', path));
            let all: Vec<String> = written.chain(removed).collect();
            for line in all.iter().take(SHOWN_MAX) {
                add_line!(text, "{line}");
            }
            if let Some(n_more) = all.len().checked_sub(SHOWN_MAX).filter(|n| *n > 0) {
                add_line!(text, "  and {n_more} more");
            }
        }
        let files = counted(self.files as u64, "file", "files");
        let bytes = counted(self.bytes, "byte", "bytes");
        let written = counted(self.written.len() as u64, "file", "files");
        let (from, to) = (
            &self.home,
            format!("{}/{}", self.address.trim_end_matches('/'), self.name),
        );
        let (from, to) = match self.direction {
            Direction::Push => (from.as_str(), to.as_str()),
            Direction::Pull => (to.as_str(), from.as_str()),
        };
        let (wrote, removed) = if self.dry_run {
            ("would write", "would remove")
        } else {
            ("wrote", "removed")
        };
        add_line!(
            text,
            "{from} -> {to}  {files}, {bytes}; {wrote} {written}, {}; {removed} {}",
            counted(self.written_bytes, "byte", "bytes"),
            self.removed.len(),
        );
        text
    }
}
