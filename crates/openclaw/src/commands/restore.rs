//! `openclaw restore`: a home of a backup.
//!
//! Never overwrites anything.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use serde::Serialize;

use crate::app::Context;
use crate::backup::{Manifest, check, unpack};
use crate::error::CliError;
use crate::exit_code::Exit;
use crate::output::{Format, counted};

/// Arguments of `openclaw restore`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The backup
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Check that it is whole, and write nothing
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    home: String,
    created_at: String,
    program: String,
    files: usize,
    bytes: u64,
    dry_run: bool,
}

/// Checks it and makes the home.
pub(crate) fn run(arguments: &Arguments, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let home = context.home()?;
    let disk = Arc::clone(&context.host.disk);
    let Manifest {
        created_at,
        program,
        files,
        ..
    } = check(&*disk, &arguments.file)?;
    if !arguments.dry_run {
        unpack(&*disk, &arguments.file, home.root())?;
    }
    let report = Report {
        home: home.root().display().to_string(),
        created_at,
        program,
        files: files.len(),
        bytes: files.iter().map(|file| file.bytes).sum(),
        dry_run: arguments.dry_run,
    };
    match context.output.format() {
        Format::Json => context.output.object(&report)?,
        Format::Human => {
            let stdout = context.host.environment.stdout();
            context.output.lines(&human(&report), stdout, "  ")?;
        }
    }
    Ok(Exit::Done)
}

fn human(report: &Report) -> String {
    let files = counted(report.files as u64, "file", "files");
    let bytes = counted(report.bytes, "byte", "bytes");
    let made = format!(
        "made at {} by openclaw {}",
        report.created_at, report.program
    );
    if report.dry_run {
        format!("the backup is whole: {files}, {bytes}, {made}\n")
    } else {
        format!("{}  {files}, {bytes}, {made}\n", report.home)
    }
}
