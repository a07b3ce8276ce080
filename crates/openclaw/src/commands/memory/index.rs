//! `openclaw memory index`: brings the index up to date with the notes and sessions.
//!
//! Changes no note and no session.

use cli::output::ProgressMeter;
use cli::wiring::model_to_fetch;
use models::{OnnxModel, shown_address};
use search::{Index, when_free};
use serde::Serialize;

use super::known::{Bar, MemoryContext, Unreadable, unreadable};
use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw memory index
  openclaw memory index --rebuild")]
pub(crate) struct Arguments {
    /// Rebuild the index from the files
    #[arg(long)]
    pub(crate) rebuild: bool,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    context.refuse_in_sandbox("indexing")?;
    fetch_model(context)?;
    let known = MemoryContext::find(context)?;
    if arguments.rebuild {
        let directory = known.home.index();
        let mut index = Index::open(Arc::clone(&context.host.disk), &directory)?;
        when_free(&*context.host.disk, || index.rebuild())?;
    }
    let knowledge = known.knowledge(context)?;
    let mut bar = Bar::new(context);
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
        no_vectors: synced.unembedded.as_ref().map(ToString::to_string),
    };
    for problem in &report.unreadable {
        let warning = format!("{} is not indexed: {}", problem.path, problem.message);
        context.output.warn(&warning);
    }
    if let Some(reason) = &report.no_vectors {
        let warning = format!("{reason}; until it works, memory is searched by words only");
        context.output.warn(&warning);
    }
    context.emit(&report)
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct IndexReport {
    files: u64,
    passages: u64,
    changed: u64,
    gone: u64,
    unreadable: Vec<Unreadable>,
    /// Why some passages have no vector.
    #[serde(skip_serializing_if = "Option::is_none")]
    no_vectors: Option<String>,
}

impl Report for IndexReport {
    const INDENT: Option<&'static str> = Some("  ");

    fn json(&self) -> Value {
        json!(self)
    }

    /// Unreadable files are counted here; warnings name them.
    fn human(&self, _: Stream) -> String {
        let problems = match self.unreadable.len() {
            0 => String::new(),
            n_unreadable => format!(", {n_unreadable} could not be read"),
        };
        let files = counted(self.files, "file", "files");
        let passages = counted(self.passages, "passage", "passages");
        let (changed, gone) = (grouped(self.changed), grouped(self.gone));
        format!("{files}, {passages}; {changed} updated, {gone} removed{problems}\n")
    }
}

/// Downloads the owner's model if it is missing; no other command does.
fn fetch_model(context: &mut Context) -> Result<()> {
    let home = context.home()?;
    let config = context.config(&home)?;
    let host = context.host;
    let settings = &config.settings;
    if settings.sandbox.read_only || host.disk.stat(home.root())?.is_none() {
        return Ok(());
    }
    if let Some((model, base_url)) = model_to_fetch(&settings.memory.embedding, host, &home)? {
        fetch(&model, &base_url, context);
    }
    Ok(())
}

fn fetch(model: &OnnxModel, base_url: &str, context: &mut Context) {
    let host = context.host;
    let (name, from) = (model.name(), shown_address(base_url));
    let downloading = format!("downloading model {name} from {from}\n");
    context.output.tell(&downloading);
    let bar = ProgressMeter::bytes("downloading", context.output);
    let fetched = model.fetch(&*host.disk, base_url, &mut |n_done, n_known| {
        bar.set_total(n_known);
        bar.set(n_done);
    });
    drop(bar);
    if let Err(error) = fetched {
        // Index anyway; what is missing is reported next.
        let error = CliError::from_error(ErrorKind::Model, &error).one_line();
        let warning = format!(
            "{error}; try again, name another server with `openclaw config set memory.embedding.baseUrl URL`, or set \
             `memory.embedding.model` to a directory that contains the files"
        );
        context.output.warn(&warning);
    }
}
