//! Checks that the home is writable: ownership, mode, file system and free space.
//!
//! Queries the system; never probes by writing.

use std::os::unix::fs::MetadataExt;

use base::shell_word;
use rustix::fs::{Access, access, statvfs};
use rustix::io::Errno;
use rustix::process::geteuid;

use super::finding::{CheckRow, DoctorFinding, FindingWeight};
use super::home_files::shown;
use crate::prelude::*;
use base::disk::DiskError;
use base::layout::is_own_file;

/// Free space below which a longer chat may not fit.
const ROOM_BYTES_MIN: u64 = 1024 * 1024;

/// Depth at which the walk stops.
const DEPTH_MAX: usize = 4;

const NOT_WRITABLE: CheckRow = CheckRow {
    code: "notWritable",
    checks: "You can write to each file and directory.",
    weight: FindingWeight::Problem,
    fix: "make it writable",
};

const OTHER_OWNER: CheckRow = CheckRow {
    code: "otherOwner",
    checks: "Each file and directory that you cannot write to is yours.",
    weight: FindingWeight::Problem,
    fix: "take ownership",
};

const READ_ONLY_FILE_SYSTEM: CheckRow = CheckRow {
    code: "readOnlyFileSystem",
    checks: "The file system can be written.",
    weight: FindingWeight::Problem,
    fix: "make it writable",
};

const FULL_DISK: CheckRow = CheckRow {
    code: "fullDisk",
    checks: "The disk has room.",
    weight: FindingWeight::Problem,
    fix: "free some space on the disk of the home",
};

pub(super) const KINDS: [CheckRow; 4] =
    [READ_ONLY_FILE_SYSTEM, FULL_DISK, NOT_WRITABLE, OTHER_OWNER];

/// Finds that nothing in the home can be reached, even if its names can be listed.
pub(super) fn entry(context: &Context, home: &Home) -> Option<DoctorFinding> {
    let root = home.root();
    let error = context.host.disk.stat(&root.join(".")).err()?;
    let error = DiskError {
        path: root.to_owned(),
        ..error
    };
    let is_refused = error.kind() == std::io::ErrorKind::PermissionDenied;
    let mut finding = DoctorFinding::unread(home, &error.into());
    if is_refused {
        finding.hint = not_writable(Path::new(""), root).hint;
    }
    Some(finding)
}

/// Finds what makes the home unwritable. Reports an unwritable directory once, without its contents.
pub(super) fn writable(context: &Context, home: &Home) -> Vec<DoctorFinding> {
    // Invalid settings are a separate finding.
    let is_sandbox = context
        .settings_of(home)
        .is_ok_and(|settings| settings.sandbox.read_only);
    if is_sandbox {
        return Vec::new();
    }
    let root = home.root();
    if access(root, Access::WRITE_OK) == Err(Errno::ROFS) {
        return vec![read_only(root)];
    }
    let mut findings: Vec<DoctorFinding> = no_room(root).into_iter().collect();
    refused(context, root, Path::new(""), &mut findings);
    findings
}

fn refused(context: &Context, root: &Path, below: &Path, findings: &mut Vec<DoctorFinding>) {
    let disk = context.host.disk.as_ref();
    let path = root.join(below);
    // Other checks report unreadable paths and links.
    let Ok(Some(stat)) = disk.stat(&path) else {
        return;
    };
    let is_link = disk.resolve(&path).ok() != disk.resolve(root).ok().map(|root| root.join(below));
    if is_link && !below.as_os_str().is_empty() {
        return;
    }
    if (stat.is_dir || is_own_file(below)) && access(&path, Access::WRITE_OK) == Err(Errno::ACCESS)
    {
        findings.push(not_writable(below, &path));
        return;
    }
    if !stat.is_dir || below.iter().count() >= DEPTH_MAX {
        return;
    }
    for name in disk.list(&path).unwrap_or_default() {
        refused(context, root, &below.join(name), findings);
    }
}

fn problem(kind: &CheckRow, below: &Path, message: String, hint: String) -> DoctorFinding {
    let finding = DoctorFinding::new(kind, message).at(shown(below));
    finding.with_hint(hint)
}

fn not_writable(below: &Path, path: &Path) -> DoctorFinding {
    let owner = std::fs::metadata(path).map(|metadata| metadata.uid()).ok();
    match owner.filter(|owner| *owner != geteuid().as_raw()) {
        Some(owner) => of_another(below, path, owner),
        None => problem(
            &NOT_WRITABLE,
            below,
            "you cannot write to it".to_owned(),
            format!("make it writable: `chmod -R u+rwX {}`", shell_word(path)),
        ),
    }
}

fn of_another(below: &Path, path: &Path, owner: u32) -> DoctorFinding {
    let own = geteuid().as_raw();
    problem(
        &OTHER_OWNER,
        below,
        format!("it belongs to user {owner}, but you are user {own}: you cannot write to it"),
        format!("take ownership: `sudo chown -R {own} {}`", shell_word(path)),
    )
}

fn read_only(root: &Path) -> DoctorFinding {
    let path = shell_word(root);
    problem(
        &READ_ONLY_FILE_SYSTEM,
        Path::new(""),
        "the file system is read-only: nothing can be written".to_owned(),
        format!(
            "make it writable: `sudo mount -o remount,rw \"$(findmnt -n -o TARGET -T {path})\"`; or ask without \
             writing anything: `openclaw chat --set sandbox.readOnly=true`"
        ),
    )
}

/// Too little free space, or no free inodes.
fn no_room(root: &Path) -> Option<DoctorFinding> {
    let system = statvfs(root).ok()?;
    let n_bytes = system.f_bavail.saturating_mul(system.f_frsize);
    // Some file systems report no inode counts.
    let has_no_files_left = system.f_files > 0 && system.f_favail == 0;
    let what = if n_bytes < ROOM_BYTES_MIN {
        base::counted(n_bytes, "byte is left", "bytes are left")
    } else if has_no_files_left {
        "no inodes are left".to_owned()
    } else {
        return None;
    };
    Some(problem(
        &FULL_DISK,
        Path::new(""),
        format!("the disk is full: {what}"),
        format!(
            "free some space on the disk of {0}: `df -h {0}`",
            shell_word(root)
        ),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unwritable_path_suggests_chmod_or_chown_by_owner() {
        let own = tempfile::tempdir().unwrap();
        let found = |path: &Path| {
            let DoctorFinding { code, hint, .. } = not_writable(Path::new("state"), path);
            (code, hint)
        };
        let path = own.path().display();
        let chmod = format!("make it writable: `chmod -R u+rwX {path}`");
        assert_eq!(found(own.path()), ("notWritable", chmod));
        let user = geteuid().as_raw();
        let chown = format!("take ownership: `sudo chown -R {user} {path}`");
        assert_eq!(
            of_another(Path::new("state"), own.path(), user + 1).hint,
            chown
        );
    }
}
