//! `openclaw backup`: the whole home in one file.
//!
//! Changes nothing of the home; a chat may go on meanwhile.

use serde::Serialize;

use crate::backup::{LeftOut, pack, would_pack};
use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
The index is left out, since it can be rebuilt. Exits with 1 if a file could not
be read; the backup then holds the rest.

Examples:
  openclaw backup
  openclaw backup /mnt/disk/openclaw.tar.gz")]
pub(crate) struct Arguments {
    /// File to write, or a directory for a file named after the time
    /// [default: the current directory]
    #[arg(value_name = "FILE|DIR")]
    file: Option<PathBuf>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct BackupReport {
    file: String,
    files: usize,
    /// Of the files, before they were packed.
    bytes: u64,
    left_out: Vec<LeftOut>,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    // It holds the locks of the home while it reads, and a lock is a file.
    context.refuse_in_sandbox("a backup")?;
    let home = context.existing_home()?;
    let disk = Arc::clone(&context.host.disk);
    let now = context.host.clock.now();
    let given = arguments.file.clone().unwrap_or_else(|| PathBuf::from("."));
    let is_dir = disk.stat(&given)?.is_some_and(|stat| stat.is_dir);
    let file = if is_dir {
        given.join(now.format("openclaw-%Y-%m-%dT%H%M%SZ.tar.gz").to_string())
    } else {
        given
    };
    refuse_place(&*disk, &file, &home)?;
    let workspace = context.host.workspace(&home);
    let mut problem = None;
    let packed = pack(&*disk, home.root(), (&file, now), || {
        let held = workspace.hold_still();
        held.map_err(|error| problem = Some(error))
    })?;
    if let Some(error) = problem {
        let reason = CliError::from(error).one_line();
        context.output.warn(&format!(
            "notes may have been written while they were packed: {reason}"
        ));
    }
    let report = BackupReport {
        file: file.display().to_string(),
        files: packed.manifest.files.len(),
        bytes: packed.manifest.files.iter().map(|file| file.bytes).sum(),
        left_out: packed.left_out,
    };
    for it in &report.left_out {
        let warning = format!("{} is left out: {}", it.path, it.reason);
        context.output.warn(&warning);
    }
    let is_whole = !report.left_out.iter().any(|it| it.is_missing);
    context.emit(&report)?;
    Ok(if is_whole { Exit::Done } else { Exit::Failure })
}

impl Report for BackupReport {
    fn json(&self) -> Value {
        json!(self)
    }

    fn human(&self, _: Stream) -> String {
        let files = counted(self.files as u64, "file", "files");
        let bytes = counted(self.bytes, "byte", "bytes");
        format!("{}  {files}, {bytes}\n", self.file)
    }
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
