//! `openclaw restore`: unpacks a backup into a new home.
//!
//! Never overwrites anything.

use base::Disk;
use cli::wiring::KeyOptions;
use serde::Serialize;

use crate::backup::{BackupSource, Manifest, check, read_file, unpack};
use crate::prelude::*;
use crate::service_unit::ENVIRONMENT_FILE;

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
    let manifest = check(&*disk, source)?;
    let warning = warning_of_programs(&*disk, source, &manifest)?;
    let Manifest {
        created_at,
        program,
        files,
        ..
    } = manifest;
    if !arguments.dry_run {
        unpack(&*disk, source, home.root())?;
    }
    if let Some(warning) = warning {
        context.output.warn(&warning);
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

/// The settings of a home, in it and in its backups.
const SETTINGS: &str = "config.yaml";

/// The most bytes of settings that are read.
const SETTINGS_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// Settings that start programs.
const STARTING: [[&str; 2]; 3] = [
    ["hooks", "beforeCompaction"],
    ["hooks", "afterCompaction"],
    ["mcp", "servers"],
];

/// Warns about programs and an environment in a backup: it may be a stranger's.
fn warning_of_programs(
    disk: &dyn Disk,
    source: BackupSource<'_>,
    manifest: &Manifest,
) -> Result<Option<String>> {
    let text = read_file(disk, source, (SETTINGS, SETTINGS_BYTES_MAX))?;
    // Settings that cannot be read start nothing, and every command says why.
    let settings = text.and_then(|text| serde_saphyr::from_str::<Value>(&text).ok());
    let settings = settings.unwrap_or_default();
    let is_set = |[group, name]: &[&str; 2]| {
        let value = settings.get(group).and_then(|it| it.get(name));
        value.is_some_and(|it| it.as_array().is_some_and(|it| !it.is_empty()) || it.is_object())
    };
    let starting = STARTING.iter().filter(|it| is_set(it));
    let starting: Vec<String> = starting.map(|it| it.join(".")).collect();
    let has_environment = manifest.files.iter().any(|it| it.path == ENVIRONMENT_FILE);
    let starts = (!starting.is_empty())
        .then(|| format!("its {SETTINGS} starts programs ({})", starting.join(", ")));
    let environment = has_environment
        .then(|| format!("its {ENVIRONMENT_FILE} sets the environment of the service"));
    let found: Vec<String> = starts.into_iter().chain(environment).collect();
    let warning = format!(
        "{}; read them before you use this home",
        found.join(", and ")
    );
    Ok((!found.is_empty()).then_some(warning))
}

impl Report for RestoreReport {
    const INDENT: Option<&'static str> = Some("  ");

    fn json(&self) -> Value {
        json!(self)
    }

    fn is_dry_run(&self) -> bool {
        self.dry_run
    }

    fn human(&self, _: Stream) -> String {
        let files = counted(self.files as u64, "file", "files");
        let bytes = counted(self.bytes, "byte", "bytes");
        let made = format!(
            "created at {} by openclaw {}",
            self.created_at, self.program
        );
        format!("{}  {files}, {bytes}, {made}\n", self.home)
    }
}
