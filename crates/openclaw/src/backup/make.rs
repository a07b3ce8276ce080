//! Makes a backup of a home and reports what it holds.
//!
//! Prints nothing, so that it can run alongside a chat.

use base::Timestamp;
use cli::host::Host;
use encryption::Recipients;
use serde::Serialize;

use super::pack::{BackupTarget, LeftOutFile, pack, would_pack};
use crate::prelude::*;

/// A finished backup.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Made {
    pub(crate) file: String,
    pub(crate) files: usize,
    /// Total size of the files before compression.
    pub(crate) bytes: u64,
    pub(crate) encrypted: bool,
    pub(crate) left_out: Vec<LeftOutFile>,
    /// Why notes could not be locked, so that they may have changed while they were packed.
    #[serde(skip)]
    pub(crate) unsteady: Option<String>,
}

impl Made {
    /// Files that belong to the home but could not be read.
    pub(crate) fn missing(&self) -> impl Iterator<Item = &LeftOutFile> {
        self.left_out.iter().filter(|it| it.is_missing)
    }
}

/// The file name of a backup made at `now`.
pub(crate) fn name(prefix: &str, now: Timestamp, recipients: Option<&Recipients>) -> String {
    let ending = recipients.map_or("", |_| ENCRYPTED);
    format!("{prefix}{}{PACKED}{ending}", now.format(TIME))
}

/// The time format in file names; names sort by time.
pub(super) const TIME: &str = "%Y-%m-%dT%H%M%SZ";

pub(super) const PACKED: &str = ".tar.gz";

pub(super) const ENCRYPTED: &str = ".age";

/// Packs the home into `file`, which must not exist.
pub(crate) fn make(
    host: &Host,
    home: &Home,
    file: &Path,
    recipients: Option<&Recipients>,
) -> Result<Made> {
    let disk = &*host.disk;
    refuse_place(disk, file, home)?;
    let workspace = host.workspace(home);
    let mut problem = None;
    let target = BackupTarget {
        file,
        now: host.clock.now(),
        recipients,
    };
    let (manifest, left_out) = pack(disk, home.root(), &target, || {
        let held = workspace.hold_still();
        held.map_err(|error| problem = Some(error))
    })?;
    Ok(Made {
        file: file.display().to_string(),
        files: manifest.files.len(),
        bytes: manifest.files.iter().map(|file| file.bytes).sum(),
        encrypted: recipients.is_some(),
        left_out,
        unsteady: problem.map(|error| CliError::from(error).one_line()),
    })
}

/// Refuses an existing file, and one inside the home, which the next backup would include.
fn refuse_place(disk: &dyn base::Disk, file: &Path, home: &Home) -> Result<()> {
    let (what, hint) = if disk.stat(file)?.is_some() {
        ("already exists", "choose another file, or a directory")
    } else if would_pack(disk, home.root(), &disk.resolve(file)?)? {
        (
            "is inside the home",
            "choose a file elsewhere, ideally on another disk",
        )
    } else {
        return Ok(());
    };
    Err(CliError::new(ErrorKind::Input, format!("{} {what}", file.display())).hint(hint))
}
