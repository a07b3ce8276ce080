//! Makes a backup of a home: where it goes, for whom it is encrypted, and what came of it.
//!
//! Prints nothing; a chat may go on meanwhile.

use base::Timestamp;
use homes::Recipients;
use serde::Serialize;

use super::pack::{LeftOut, Target, pack, would_pack};
use crate::host::Host;
use crate::prelude::*;

/// A backup that was made.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Made {
    pub(crate) file: String,
    pub(crate) files: usize,
    /// Of the files, before they were packed.
    pub(crate) bytes: u64,
    pub(crate) encrypted: bool,
    pub(crate) left_out: Vec<LeftOut>,
    /// Why notes may have been written meanwhile.
    #[serde(skip)]
    pub(crate) unsteady: Option<String>,
}

impl Made {
    /// What belongs to the home and is not in it.
    pub(crate) fn missing(&self) -> impl Iterator<Item = &LeftOut> {
        self.left_out.iter().filter(|it| it.is_missing)
    }
}

/// The name of a backup after its time.
pub(crate) fn name(prefix: &str, now: Timestamp, recipients: Option<&Recipients>) -> String {
    let ending = recipients.map_or("", |_| ENCRYPTED);
    format!("{prefix}{}{PACKED}{ending}", now.format(TIME))
}

/// How the time stands in a name: names sort as their times do.
pub(super) const TIME: &str = "%Y-%m-%dT%H%M%SZ";

pub(super) const PACKED: &str = ".tar.gz";

pub(super) const ENCRYPTED: &str = ".age";

/// Packs the home into a file that is not there yet.
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
    let target = Target {
        file,
        now: host.clock.now(),
        recipients,
    };
    let packed = pack(disk, home.root(), &target, || {
        let held = workspace.hold_still();
        held.map_err(|error| problem = Some(error))
    })?;
    Ok(Made {
        file: file.display().to_string(),
        files: packed.manifest.files.len(),
        bytes: packed.manifest.files.iter().map(|file| file.bytes).sum(),
        encrypted: recipients.is_some(),
        left_out: packed.left_out,
        unsteady: problem.map(|error| CliError::from(error).one_line()),
    })
}

/// Never over something, and never into the home, of which it would be a part the next time.
fn refuse_place(disk: &dyn base::Disk, file: &Path, home: &Home) -> Result<()> {
    let (what, hint) = if disk.stat(file)?.is_some() {
        ("is there already", "name another file, or a directory")
    } else if would_pack(disk, home.root(), &disk.resolve(file)?)? {
        (
            "lies in the home itself",
            "name a file elsewhere, best on another disk",
        )
    } else {
        return Ok(());
    };
    Err(CliError::new(ErrorKind::Input, format!("{} {what}", file.display())).hint(hint))
}
