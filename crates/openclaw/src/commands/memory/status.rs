//! `openclaw memory status`: what is indexed and what is not.
//!
//! Writes nothing, and mends nothing.

use std::path::Path;

use base::{Disk, counted};
use clap::Args;
use memory::index::{Embedding, Inspection};
use memory::search::SearchMode;
use memory::sync::difference;
use memory::{Index, Misread};

use super::known::{Known, unreadable};
use crate::app::Context;
use crate::assistant;
use crate::error::CliError;
use crate::exit_code::Exit;
use crate::home::Directory;
use crate::output::{
    CutFile, Format, MEMORY_STATUS_INDENT, MemoryStatus, Unreadable, render_memory_status,
};

/// Arguments of `openclaw memory status`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {}

/// Shows it.
pub(crate) fn run(_: &Arguments, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let known = Known::find(context)?;
    let disk = &context.host.disk;
    let directory = known.home.directory(Directory::Index);
    let (state, reason, index) = match known.inspect(context)? {
        Inspection::Missing => ("missing", None, None),
        Inspection::Sound(index) if index.is_complete()? => ("sound", None, Some(index)),
        Inspection::Sound(index) => ("unfinished", None, Some(index)),
        Inspection::Unhealed(index) => ("unhealed", None, Some(index)),
        Inspection::Damaged { reason } => ("damaged", Some(reason), None),
    };
    let index = index.map(|index| index.with_embedder(known.chosen.embedder.clone()));
    let knowledge = known.knowledge(context);
    let difference = difference(index.as_ref(), &knowledge.corpus())?;
    let (files, passages) = match &index {
        Some(index) => (index.n_files()? as u64, index.n_pieces()?),
        None => (0, 0),
    };
    let (mode, mode_reason) = mode(&known, index.as_ref())?;
    let status = MemoryStatus {
        mode: mode.as_str(),
        mode_reason,
        state,
        reason,
        files,
        passages,
        bytes: n_bytes(&**disk, &directory)?,
        not_indexed: difference.unread,
        gone: difference.gone,
        unreadable: unreadable(&difference.problems)
            .into_iter()
            .chain(misread(&known, context)?)
            .collect(),
        cut: cut_files(&known, context)?,
    };
    match context.output.format() {
        Format::Json => context.output.object(&status)?,
        Format::Human => {
            let stdout = context.host.environment.stdout();
            let text = render_memory_status(&status);
            context.output.lines(&text, stdout, MEMORY_STATUS_INDENT)?;
        }
    }
    Ok(Exit::Done)
}

/// How search finds now, and why not better.
fn mode(known: &Known, index: Option<&Index>) -> Result<(SearchMode, String), CliError> {
    let Some(embedder) = &known.chosen.embedder else {
        let reason = "memory.embedding.provider is none";
        return Ok((SearchMode::Keyword, reason.to_owned()));
    };
    let name = embedder.profile().name;
    let embedding = index.map_or(Ok(Embedding::None), Index::embedding)?;
    Ok(match embedding {
        Embedding::Incomplete {
            n_done, n_total, ..
        } => {
            let reason = format!(
                "{n_done} of {} with a vector of the {name} embedder; \
                 `openclaw memory index` makes the rest",
                counted(n_total, "passage", "passages")
            );
            (SearchMode::Keyword, reason)
        }
        Embedding::None | Embedding::Complete { .. } => {
            let mut reason = format!("words, and vectors of the {name} embedder");
            if let Some(stands_in) = &known.chosen.stands_in {
                reason = format!("{reason}, which stands in: {}", stands_in.reason);
            }
            (SearchMode::Hybrid, reason)
        }
    })
}

/// Files of which only a part is indexed, for it is all that can be read.
fn misread(known: &Known, context: &Context<'_, '_>) -> Result<Vec<Unreadable>, CliError> {
    let misread = assistant::workspace(context.host, &known.home).misread_files()?;
    let told = misread
        .into_iter()
        .map(|Misread { path, line }| Unreadable {
            path: path.to_string(),
            message: format!(
                "it is not UTF-8 at line {line}; `openclaw doctor` says how to convert it"
            ),
            is_outside: false,
        });
    Ok(told.collect())
}

fn cut_files(known: &Known, context: &Context<'_, '_>) -> Result<Vec<CutFile>, CliError> {
    let files = assistant::workspace(context.host, &known.home).prompt_files()?;
    let cut = files.into_iter().filter(|file| file.is_cut);
    Ok(cut
        .map(|file| CutFile {
            path: file.name.to_string(),
            bytes: file.n_bytes,
        })
        .collect())
}

/// Bytes of the files in a directory and below.
fn n_bytes(disk: &dyn Disk, directory: &Path) -> Result<u64, CliError> {
    let mut sum = 0;
    for name in disk.list(directory)? {
        let path = directory.join(name);
        match disk.stat(&path)? {
            Some(stat) if stat.is_dir => sum += n_bytes(disk, &path)?,
            Some(stat) => sum += stat.len,
            None => {}
        }
    }
    Ok(sum)
}
