//! `openclaw restore`: unpacks a backup into a new home.
//!
//! Never overwrites anything.

use serde::Serialize;

use crate::backup::{BackupSource, Manifest, check, unpack};
use crate::prelude::*;
use crate::wiring::KeyOptions;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw restore openclaw.tar.gz --dry-run
  openclaw --home ~/restored restore openclaw.tar.gz
  openclaw restore openclaw.tar.gz.age --identity ~/key.txt")]
pub(crate) struct Arguments {
    /// Backup to restore
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Check the backup; write nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    key: KeyOptions,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct RestoreReport {
    home: String,
    created_at: String,
    program: String,
    files: usize,
    bytes: u64,
    dry_run: bool,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let home = context.home()?;
    let disk = Arc::clone(&context.host.disk);
    let key = arguments.key.key(&*disk)?;
    let source = BackupSource {
        file: &arguments.file,
        key: key.as_ref(),
    };
    let Manifest {
        created_at,
        program,
        files,
        ..
    } = check(&*disk, source)?;
    if !arguments.dry_run {
        unpack(&*disk, source, home.root())?;
    }
    let report = RestoreReport {
        home: home.root().display().to_string(),
        created_at,
        program,
        files: files.len(),
        bytes: files.iter().map(|file| file.bytes).sum(),
        dry_run: arguments.dry_run,
    };
    context.emit(&report)
}

impl Report for RestoreReport {
    const INDENT: Option<&'static str> = Some("  ");

    fn json(&self) -> Value {
        json!(self)
    }

    fn human(&self, _: Stream) -> String {
        let files = counted(self.files as u64, "file", "files");
        let bytes = counted(self.bytes, "byte", "bytes");
        let made = format!(
            "created at {} by openclaw {}",
            self.created_at, self.program
        );
        if self.dry_run {
            format!("the backup is intact: {files}, {bytes}, {made}\n")
        } else {
            format!("{}  {files}, {bytes}, {made}\n", self.home)
        }
    }
}
