//! Checks a home's files: permissions, leftovers of crashes, and locks.

use base::Disk;
use base::disk::{DiskError, FileStat, LockError, target_of_temporary};
use chrono::TimeDelta;
use cli::shell;

use super::finding::{DoctorFinding, FindingWeight, Mend};
use crate::prelude::*;
use base::layout::{is_own_file, is_own_folder, no_data};

/// A younger temporary file may belong to a write in progress.
const LEFTOVER_AGE_MIN: TimeDelta = TimeDelta::hours(1);

/// Depth at which the walk stops.
const DEPTH_MAX: usize = 16;

/// Finds files that others can read, leftovers of crashes, misplaced files and held locks.
pub(crate) fn look_at_home(context: &Context, home: &Home) -> Vec<DoctorFinding> {
    let disk = context.host.disk.as_ref();
    let mut look = HomeFilesCheck {
        disk,
        home,
        index: home.index(),
        is_closed: disk.is_private(home.root()).unwrap_or(false),
        now: context.host.clock.now(),
        findings: Vec::new(),
    };
    look.take(Path::new(""), DEPTH_MAX);
    let mut findings = look.findings;
    findings.extend(DoctorFinding::of_look(home, workspace(disk, home)));
    findings.extend(DoctorFinding::of_look(home, locks(disk, home)));
    findings.extend(DoctorFinding::of_look(home, quarantine(disk, home)));
    findings
}

struct HomeFilesCheck<'a> {
    disk: &'a dyn Disk,
    home: &'a Home,
    index: PathBuf,
    /// Whether nobody else can enter the home.
    is_closed: bool,
    now: base::Timestamp,
    findings: Vec<DoctorFinding>,
}

impl HomeFilesCheck<'_> {
    /// Checks one path; a failure becomes a finding, so that the walk goes on.
    fn take(&mut self, below: &Path, depth: usize) {
        if let Err(error) = self.look(below, depth) {
            self.findings
                .push(DoctorFinding::unread(self.home, &error.into()));
        }
    }

    fn look(&mut self, below: &Path, depth: usize) -> Result<(), DiskError> {
        let path = self.home.root().join(below);
        let stat = match self.disk.stat(&path) {
            Err(error) if error.is_link_loop() => {
                self.findings.push(leads_back(below, &path));
                return Ok(());
            }
            stat => stat?,
        };
        if let Some(misplaced) = misplaced(self.disk, (below, &path), stat) {
            self.findings.push(misplaced);
            return Ok(());
        }
        let Some(stat) = stat else {
            return Ok(());
        };
        let root = self.disk.resolve(self.home.root())?;
        let target = self.disk.resolve(&path)?;
        // Follow no link: a target outside belongs to the owner, and one inside the home is checked under its own
        // path.
        if !below.as_os_str().is_empty() && target != root.join(below) {
            if !target.starts_with(&root) {
                self.findings.push(leads_out(below, &path, &target));
            }
            return Ok(());
        }
        // Editors give their pages the mode of the umask, which does no harm behind a closed door.
        let is_behind_door = self.is_closed && below.starts_with("workspace");
        if !is_behind_door && !self.disk.is_private(&path)? {
            let what = "other users can read or write it";
            let finding =
                DoctorFinding::new(FindingWeight::Warning, "notPrivate", what, "").at(shown(below));
            let mend = Mend::MakePrivate(path.clone());
            self.findings.push(finding.mended_by(mend));
        }
        let name = Path::new(below.file_name().unwrap_or_default());
        let is_temporary = target_of_temporary(name).is_some();
        let is_old = stat
            .modified_at
            .is_some_and(|at| at + LEFTOVER_AGE_MIN < self.now);
        if !stat.is_dir && is_temporary && is_old {
            let what = "left behind by an interrupted write; safe to remove";
            let finding =
                DoctorFinding::new(FindingWeight::Note, "leftover", what, "").at(shown(below));
            self.findings
                .push(finding.mended_by(Mend::Remove(path.clone())));
        }
        if !stat.is_dir || depth == 0 {
            return Ok(());
        }
        // Skip the index: it is derived, and the directory's mode protects the files that libraries write there.
        if path == self.index && self.disk.is_private(&path)? {
            return Ok(());
        }
        for name in self.disk.list(&path)? {
            self.take(&below.join(name), depth.saturating_sub(1));
        }
        Ok(())
    }
}

fn leads_back(below: &Path, path: &Path) -> DoctorFinding {
    let what = "it is a circular link";
    let hint = format!("fix the link, or remove it: `rm {}`", shell::word(path));
    DoctorFinding::new(FindingWeight::Warning, "danglingLink", what, hint).at(shown(below))
}

fn leads_out(below: &Path, path: &Path, target: &Path) -> DoctorFinding {
    let what = format!(
        "it is a link to a place outside the home, {}; who can read that is up to you",
        target.display()
    );
    let word = shell::word(path);
    let hint = format!("keep it if you made it, or remove it: `rm {word}`");
    DoctorFinding::new(FindingWeight::Note, "linkOut", what, hint).at(shown(below))
}

/// Finds a dangling link, something else in place of a file, or a file in place of a directory.
fn misplaced(
    disk: &dyn Disk,
    (below, path): (&Path, &Path),
    stat: Option<FileStat>,
) -> Option<DoctorFinding> {
    let move_away = || format!("move it away: `mv {0} {0}.moved`", shell::word(path));
    let (weight, code, message, hint) = match stat {
        None => (
            FindingWeight::Warning,
            "danglingLink",
            "it is a link to nothing".to_owned(),
            format!("fix the link, or remove it: `rm {}`", shell::word(path)),
        ),
        Some(stat) if is_own_file(below) || (!stat.is_dir && is_note(below)) => (
            FindingWeight::Problem,
            "notAFile",
            format!("{}, but must be a file", no_file(disk, path, stat)?),
            move_away(),
        ),
        Some(stat) if !stat.is_dir && is_own_folder(below) => (
            FindingWeight::Problem,
            "notADirectory",
            "it is a file, but must be a directory".to_owned(),
            move_away(),
        ),
        Some(_) => return None,
    };
    Some(DoctorFinding::new(weight, code, message, hint).at(shown(below)))
}

fn is_note(below: &Path) -> bool {
    below.starts_with("workspace") && below.extension().is_some_and(|ending| ending == "md")
}

/// Why the path holds no file; `None` for a file, even one that cannot be opened.
fn no_file(disk: &dyn Disk, path: &Path, stat: FileStat) -> Option<&'static str> {
    if stat.is_dir {
        return Some("it is a directory");
    }
    disk.open(path).err().as_ref().and_then(no_data)
}

pub(super) fn shown(below: &Path) -> String {
    if below.as_os_str().is_empty() {
        ".".to_owned()
    } else {
        below.display().to_string()
    }
}

/// A workspace that is gone from a home with traces of earlier memory; other homes may never have had one.
fn workspace(disk: &dyn Disk, home: &Home) -> Result<Option<DoctorFinding>, DiskError> {
    // A listing includes dangling links, which are a separate finding.
    let present = disk.list(home.root())?;
    let mut present = present.iter().map(|name| home.root().join(name));
    let exists = |path: &PathBuf| disk.stat(path).is_ok_and(|stat| stat.is_some());
    let traces = [
        home.tombstones(),
        home.ledger(),
        home.dreams(),
        home.note_records(),
    ];
    let is_gone = !present.any(|path| path == home.workspace()) && traces.iter().any(exists);
    let what = "it does not exist, so the assistant has no instructions and no notes";
    let hint = "put it back from a backup, or create a new one with `openclaw init`";
    let finding = DoctorFinding::new(FindingWeight::Warning, "noWorkspace", what, hint);
    let name = Path::new(home.workspace().file_name().unwrap_or_default());
    Ok(is_gone.then(|| finding.at(shown(name))))
}

/// Locks that a process holds now; a lock file alone means nothing.
fn locks(disk: &dyn Disk, home: &Home) -> Result<Vec<DoctorFinding>, DiskError> {
    let directory = home.locks();
    let mut findings = Vec::new();
    for name in disk.list(&directory)? {
        let path = directory.join(&name);
        // Other files are beside the locks.
        if path.extension().is_none_or(|ending| ending != "lock") {
            continue;
        }
        let pid = match disk.check_lock(&path) {
            Ok(()) => continue,
            Err(LockError::Held { pid, .. }) => pid,
            Err(LockError::Disk(error)) => {
                findings.push(DoctorFinding::unread(home, &error.into()));
                continue;
            }
        };
        let by = pid.map_or("a process".to_owned(), |pid| format!("process {pid}"));
        let (what, hint) = (
            format!("{by} holds it"),
            "wait for it to finish, or stop it",
        );
        let finding = DoctorFinding::new(FindingWeight::Note, "held", what, hint);
        findings.push(finding.at(format!("state/locks/{}", name.display())));
    }
    Ok(findings)
}

fn quarantine(disk: &dyn Disk, home: &Home) -> Result<Option<DoctorFinding>, DiskError> {
    let directory = home.quarantine();
    let n_files = disk.list(&directory)?.len() as u64;
    let files = counted(n_files, "file holds", "files hold");
    let what = format!("{files} data torn by a crash");
    let shown = directory.display();
    let hint = format!("review them, and delete what you do not need: {shown}");
    let finding =
        DoctorFinding::new(FindingWeight::Note, "quarantine", what, hint).at("state/quarantine");
    Ok((n_files > 0).then_some(finding))
}

#[cfg(test)]
mod tests {
    use base::disk::{OsDisk, append, create_dir, read_all};

    use super::*;

    #[test]
    fn locks_check_leaves_lock_files_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::new(folder.path());
        let directory = home.locks();
        create_dir(&OsDisk, &directory).unwrap();
        let other = directory.join("exchange.json");
        append(&OsDisk, &other, b"{}").unwrap();
        let free = directory.join("free.lock");
        append(&OsDisk, &free, b"1").unwrap();
        let _held = OsDisk.try_lock(&directory.join("main.lock")).unwrap();
        assert_eq!(locks(&OsDisk, &home).unwrap().len(), 1);
        assert_eq!(read_all(&OsDisk, &other, 99).unwrap(), b"{}");
        assert_eq!(read_all(&OsDisk, &free, 99).unwrap(), b"1");
    }
}
