//! `openclaw memory index`: an index that says what the notes and sessions say now.
//!
//! Changes no note and no session.

use std::sync::Arc;

use clap::Args;
use memory::Index;

use super::known::{Bar, Known, unreadable};
use crate::app::Context;
use crate::error::CliError;
use crate::exit_code::Exit;
use crate::home::Directory;
use crate::output::{Format, IndexReport, render_index_report};

/// Arguments of `openclaw memory index`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Make it anew from the files
    #[arg(long)]
    pub(crate) rebuild: bool,
}

/// Brings the index up to date.
pub(crate) fn run(arguments: &Arguments, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let known = Known::find(context)?;
    if arguments.rebuild {
        let directory = known.home.directory(Directory::Index);
        let mut index = Index::open(Arc::clone(&context.host.disk), &directory)?;
        index.rebuild("the owner asked for it".to_owned())?;
    }
    let knowledge = known.knowledge(context);
    let mut bar = Bar::new(context.output, context.host.environment.stderr);
    let synced = knowledge.sync(&mut |progress| bar.tell(progress))?;
    drop(bar);
    let (files, passages) =
        knowledge.with_index(|index| Ok((index.n_files()?, index.n_pieces()?)))?;
    let report = IndexReport {
        files: files as u64,
        passages,
        changed: synced.n_changed as u64,
        gone: synced.n_gone as u64,
        unreadable: unreadable(&synced.problems),
    };
    for problem in &report.unreadable {
        let warning = format!("{} is not indexed: {}", problem.path, problem.message);
        context.output.warn(&warning);
    }
    match context.output.format() {
        Format::Json => context.output.object(&report)?,
        Format::Human => context.output.text(&render_index_report(&report))?,
    }
    Ok(Exit::Done)
}
