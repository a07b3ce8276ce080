//! Checks a home's files: permissions, leftovers of crashes, and locks.

use base::disk::{DiskError, FileStat, LockError, target_of_temporary};
use base::{Disk, shell_word};
use chrono::TimeDelta;
use cli::home::LAYOUT;

use super::finding::{AUTOMATIC, CheckRow, DoctorFinding, FindingWeight, Mend};
use crate::prelude::*;
use base::layout::{is_own_file, is_own_folder, no_data};

/// A younger temporary file may belong to a write in progress.
const LEFTOVER_AGE_MIN: TimeDelta = TimeDelta::hours(1);

/// Depth at which the walk stops.
const DEPTH_MAX: usize = 16;

pub(super) const NOT_PRIVATE: CheckRow = CheckRow {
    code: "notPrivate",
    checks: "Only you can read and write the home, and the key files that settings name.",
    weight: FindingWeight::Warning,
    fix: AUTOMATIC,
};

const LEFTOVER: CheckRow = CheckRow {
    code: "leftover",
    checks: "No interrupted write left a file behind.",
    weight: FindingWeight::Note,
    fix: AUTOMATIC,
};

const DANGLING_LINK: CheckRow = CheckRow {
    code: "danglingLink",
    checks: "Each link leads to something.",
    weight: FindingWeight::Warning,
    fix: "fix the link, or remove it",
};

const LINK_OUT: CheckRow = CheckRow {
    code: "linkOut",
    checks: "No link leads out of the home.",
    weight: FindingWeight::Note,
    fix: "keep it if you made it, or remove it",
};

const NOT_A_FILE: CheckRow = CheckRow {
    code: "notAFile",
    checks: "Where a file belongs there is one.",
    weight: FindingWeight::Problem,
    fix: "move it away",
};

const NOT_A_DIRECTORY: CheckRow = CheckRow {
    code: "notADirectory",
    checks: "Where a directory belongs there is one.",
    weight: FindingWeight::Problem,
    fix: "move it away",
};

pub(super) const NO_WORKSPACE: CheckRow = CheckRow {
    code: "noWorkspace",
    checks: "A home that was in use has its workspace.",
    weight: FindingWeight::Warning,
    fix: "put it back from a backup, or create a new one with `openclaw init`",
};

pub(super) const HELD: CheckRow = CheckRow {
    code: "held",
    checks: "No process except a running service holds a lock.",
    weight: FindingWeight::Note,
    fix: "wait for it to finish, or stop it",
};

pub(super) const QUARANTINE: CheckRow = CheckRow {
    code: "quarantine",
    checks: "No data torn by a crash waits for review.",
    weight: FindingWeight::Note,
    fix: "review the files in `state/quarantine`, and delete what you do not need",
};

/// What the walk through the home finds.
pub(super) const KINDS: [CheckRow; 6] = [
    NOT_PRIVATE,
    LEFTOVER,
    DANGLING_LINK,
    LINK_OUT,
    NOT_A_FILE,
    NOT_A_DIRECTORY,
];

/// Finds files that others can read, leftovers of crashes, and misplaced files.
pub(super) fn files(context: &Context, home: &Home) -> Vec<DoctorFinding> {
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
    look.findings
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
    /// Checks one path; a failure becomes a finding, so that the walk continues.
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
            let finding = DoctorFinding::new(&NOT_PRIVATE, what).at(shown(below));
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
            let finding = DoctorFinding::new(&LEFTOVER, what).at(shown(below));
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
    let hint = format!("fix the link, or remove it: `rm {}`", shell_word(path));
    let finding = DoctorFinding::new(&DANGLING_LINK, what).at(shown(below));
    finding.with_hint(hint)
}

fn leads_out(below: &Path, path: &Path, target: &Path) -> DoctorFinding {
    let what = format!(
        "it is a link to a place outside the home, {}; who can read that is up to you",
        target.display()
    );
    let word = shell_word(path);
    let hint = format!("keep it if you made it, or remove it: `rm {word}`");
    let finding = DoctorFinding::new(&LINK_OUT, what).at(shown(below));
    finding.with_hint(hint)
}

/// Finds a dangling link, something else in place of a file, or a file in place of a directory.
fn misplaced(
    disk: &dyn Disk,
    (below, path): (&Path, &Path),
    stat: Option<FileStat>,
) -> Option<DoctorFinding> {
    let move_away = || format!("move it away: `mv {0} {0}.moved`", shell_word(path));
    let (kind, message, hint) = match stat {
        None => (
            &DANGLING_LINK,
            "it is a link to nothing".to_owned(),
            format!("fix the link, or remove it: `rm {}`", shell_word(path)),
        ),
        Some(stat) if is_own_file(below) || (!stat.is_dir && is_note(below)) => (
            &NOT_A_FILE,
            format!("{}, but must be a file", no_file(disk, path, stat)?),
            move_away(),
        ),
        Some(stat) if !stat.is_dir && is_own_folder(below) => (
            &NOT_A_DIRECTORY,
            "it is a file, but must be a directory".to_owned(),
            move_away(),
        ),
        Some(_) => return None,
    };
    let finding = DoctorFinding::new(kind, message).at(shown(below));
    Some(finding.with_hint(hint))
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
pub(super) fn workspace(context: &Context, home: &Home) -> Result<Vec<DoctorFinding>> {
    let disk = context.host.disk.as_ref();
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
    let name = Path::new(home.workspace().file_name().unwrap_or_default());
    let finding = DoctorFinding::new(&NO_WORKSPACE, what).at(shown(name));
    Ok(Vec::from_iter(is_gone.then_some(finding)))
}

/// Locks that a process holds now, except that of a running service; a lock file alone means nothing.
pub(super) fn locks(context: &Context, home: &Home) -> Result<Vec<DoctorFinding>> {
    held_locks(context.host.disk.as_ref(), home)
}

fn held_locks(disk: &dyn Disk, home: &Home) -> Result<Vec<DoctorFinding>> {
    let directory = home.locks();
    let mut findings = Vec::new();
    for name in disk.list(&directory)? {
        let path = directory.join(&name);
        if path == home.root().join(LAYOUT.lock) {
            continue;
        }
        // Other files are next to the locks.
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
        let finding = DoctorFinding::new(&HELD, format!("{by} holds it"));
        findings.push(finding.at(format!("state/locks/{}", name.display())));
    }
    Ok(findings)
}

pub(super) fn quarantine(context: &Context, home: &Home) -> Result<Vec<DoctorFinding>> {
    let directory = home.quarantine();
    let n_files = context.host.disk.list(&directory)?.len() as u64;
    let files = counted(n_files, "file holds", "files hold");
    let what = format!("{files} data torn by a crash");
    let shown = directory.display();
    let hint = format!("review them, and delete what you do not need: {shown}");
    let finding = DoctorFinding::new(&QUARANTINE, what).at("state/quarantine");
    let finding = finding.with_hint(hint);
    Ok(Vec::from_iter((n_files > 0).then_some(finding)))
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
        let _service = OsDisk.try_lock(&home.root().join(LAYOUT.lock)).unwrap();
        assert_eq!(held_locks(&OsDisk, &home).unwrap().len(), 1);
        assert_eq!(read_all(&OsDisk, &other, 99).unwrap(), b"{}");
        assert_eq!(read_all(&OsDisk, &free, 99).unwrap(), b"1");
    }
}
