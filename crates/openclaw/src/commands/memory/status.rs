//! `openclaw memory status`: shows what is indexed and what is not.
//!
//! Writes and repairs nothing.

use base::head;
use cli::home::files_below;
use cli::output::size;
use cli::wiring::ChosenEmbedder;
use memory::{Misread, PROMPT_FILE_CHARS_MAX};
use search::{Embedding, Index, Inspection, SearchMode, difference};
use serde::Serialize;

use super::known::{MemoryContext, Unreadable, unreadable};
use crate::prelude::*;

pub(crate) fn run(context: &mut Context) -> Result<Exit> {
    let known = MemoryContext::find(context)?;
    let disk = &context.host.disk;
    let directory = known.home.index();
    let (state, reason, index) = match context.host.inspect(&known.home, known.access)? {
        Inspection::Missing => ("missing", None, None),
        Inspection::Sound(index) if index.is_complete()? => ("sound", None, Some(index)),
        Inspection::Sound(index) => ("unfinished", None, Some(index)),
        Inspection::Unhealed(index) => ("unhealed", None, Some(index)),
        Inspection::Damaged(reason) => ("damaged", Some(reason), None),
    };
    let chosen = known.embedder(context)?;
    let index = index.map(|index| index.with_embedder(chosen.embedder.clone()));
    let knowledge = known.unembedded(context);
    let difference = difference(index.as_ref(), &knowledge.corpus())?;
    let (files, passages) = match &index {
        Some(index) => (index.n_files()? as u64, index.n_pieces()?),
        None => (0, 0),
    };
    let (mode, mode_reason) = mode(&chosen, index.as_ref(), context.output)?;
    let index_files = files_below(&**disk, directory)?;
    let status = MemoryStatus {
        mode: mode.as_str(),
        mode_reason,
        state,
        reason,
        files,
        passages,
        bytes: index_files.iter().map(|(_, stat)| stat.len).sum(),
        not_indexed: difference.unread,
        gone: difference.gone,
        unreadable: unreadable(&difference.problems)
            .into_iter()
            .chain(misread(&known, context)?)
            .collect(),
        cut: cut_files(&known, context)?,
    };
    context.emit(&status)
}

/// The current search mode, and the reason for it.
fn mode(
    chosen: &ChosenEmbedder,
    index: Option<&Index>,
    output: &Output,
) -> Result<(SearchMode, String)> {
    let Some(embedder) = &chosen.embedder else {
        let reason = "memory.embedding.provider is none";
        return Ok((SearchMode::Keyword, reason.to_owned()));
    };
    let name = embedder.profile().name;
    let embedding = index.map_or(Ok(Embedding::None), Index::embedding)?;
    Ok(match embedding {
        Embedding::Incomplete {
            n_done, n_total, ..
        } => {
            let all = counted(n_total, "passage", "passages");
            let done = format!("{n_done} of {all} have a vector of the {name} embedder");
            let next = output.at_home("`openclaw memory index` computes the rest");
            let reason = format!("{done}; {next}");
            (SearchMode::Keyword, reason)
        }
        Embedding::None | Embedding::Complete(..) => {
            let mut reason = format!("words and vectors of the {name} embedder");
            if let Some(stands_in) = &chosen.stands_in {
                reason = format!("{reason}, the stand-in: {}", stands_in.reason);
            }
            (SearchMode::Hybrid, reason)
        }
    })
}

/// Files that are indexed only in part, because the rest cannot be read.
fn misread(known: &MemoryContext, context: &Context) -> Result<Vec<Unreadable>> {
    let misread = context.host.workspace(&known.home).misread_files()?;
    let next = "`openclaw doctor` says how to convert it";
    let next = context.output.at_home(next);
    let told = misread
        .into_iter()
        .map(|Misread { path, line }| Unreadable {
            path: path.to_string(),
            message: format!("it is not UTF-8 at line {line}; {next}"),
            is_outside: false,
        });
    Ok(told.collect())
}

fn cut_files(known: &MemoryContext, context: &Context) -> Result<Vec<CutFile>> {
    let files = context.host.workspace(&known.home).prompt_files()?;
    let cut = files
        .into_iter()
        .filter(|file| file.is_cut)
        .map(|file| CutFile {
            path: file.name.to_string(),
            bytes: file.n_bytes,
        });
    Ok(cut.collect())
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MemoryStatus {
    mode: &'static str,
    /// The reason for the mode.
    mode_reason: String,
    /// The state of the index: sound, missing, unfinished, unhealed or damaged.
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    files: u64,
    passages: u64,
    bytes: u64,
    not_indexed: Vec<String>,
    /// Indexed files that no longer exist.
    gone: Vec<String>,
    unreadable: Vec<Unreadable>,
    /// Files too long for a prompt, which shows only a part of them.
    cut: Vec<CutFile>,
}

#[derive(Serialize)]
struct CutFile {
    path: String,
    bytes: u64,
}

/// Maximum number of paths shown to people; programs get all.
const PATHS_MAX: usize = 5;

impl Report for MemoryStatus {
    /// Aligns a wrapped line with the text after the label.
    const INDENT: Option<&'static str> = Some("             ");

    fn json(&self) -> Value {
        json!(self)
    }

    fn human(&self, _: Stream) -> String {
        let mut lines = vec![
            format!(
                "indexed      {}, {}, {}",
                counted(self.files, "file", "files"),
                counted(self.passages, "passage", "passages"),
                size(self.bytes)
            ),
            format!("index        {}", state(self)),
            format!("search       {}; {}", self.mode, self.mode_reason),
            format!("not indexed  {}", paths(&self.not_indexed)),
        ];
        if !self.gone.is_empty() {
            lines.push(format!("gone         {}", paths(&self.gone)));
        }
        for it in &self.unreadable {
            let (path, message) = (printable(&it.path), printable(&it.message));
            let label = if it.is_outside {
                "left out"
            } else {
                "unreadable"
            };
            lines.push(format!("{label:<11}  {path}: {message}"));
        }
        for CutFile { path, bytes } in &self.cut {
            let (bytes, shown) = (size(*bytes), grouped(PROMPT_FILE_CHARS_MAX as u64));
            lines.push(format!(
                "cut          {path} is {bytes}; a prompt shows {shown} characters"
            ));
        }
        lines.join("\n") + "\n"
    }
}

fn state(status: &MemoryStatus) -> String {
    let next = match status.state {
        "missing" => "; the next search creates it",
        "unfinished" => "; the next search finishes it",
        "unhealed" => "; the next search repairs it",
        "damaged" => "; the next search rebuilds it",
        _ => "",
    };
    let reason = status.reason.as_deref().map(printable);
    let reason = reason.map(|reason| format!(" ({})", head(&reason, 200)));
    let state = if status.state == "sound" {
        "ok"
    } else {
        status.state
    };
    format!("{state}{}{next}", reason.unwrap_or_default())
}

fn paths(paths: &[String]) -> String {
    let (named, more) = paths.split_at(paths.len().min(PATHS_MAX));
    let named = printable(&named.join(", "));
    match (paths, more.len() as u64) {
        ([], _) => "nothing".to_owned(),
        (_, 0) => named,
        (_, n_more) => format!("{named} and {} more", grouped(n_more)),
    }
}
