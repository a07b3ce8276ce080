//! Shows and edits the owner's files. Each edit can be undone.
//!
//! Never overwrites a version that the owner has not seen.

use std::sync::Arc;

use agent::ops::left_by_last;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Redirect, Response};
use base::redact;
use maud::{Markup, html};
use memory::FileError;
use memory::WorkspacePath;
use memory::candidates::Access;
use memory::files::{
    FileAccessError, FileKind, OwnerEdit, OwnerEditError, OwnerFile, list_files, read_owner_file,
    restore_owner_file, save_owner_file,
};
use serde::Deserialize;

use super::subpages::{Subpage, head};
use crate::http::{FormBody, HttpError, HttpState, UrlQuery};
use crate::page::dreams::LEFT_FIELD;
use crate::page::frame::{Tab, csrf_field, key};
use crate::page::request::{Browser, FormFields, FramedPage, Visit, page};
use crate::page::words::{encoded, safe, size};

/// The folder of the daily logs.
const LOGS: &str = "memory";

/// Lists the Markdown files of the workspace, then the daily logs, newest first.
pub(in crate::page) async fn files(visit: Visit) -> Result<Html<String>, HttpError> {
    visit
        .show(Tab::Memory, move |state, _| {
            let workspace = &state.runtime.home.workspace;
            let logs: WorkspacePath = LOGS.parse()?;
            let mut files = Vec::new();
            for (folder, prefix) in [(None, ""), (Some(&logs), "memory/")] {
                let listed = match list_files(workspace, folder) {
                    Err(FileAccessError::NotFound(_)) => continue,
                    listed => listed?,
                };
                let mut listed: Vec<_> = listed
                    .into_iter()
                    .filter_map(|file| match file.kind {
                        FileKind::File(n_bytes) => {
                            Some((format!("{prefix}{}", file.name), n_bytes))
                        }
                        FileKind::Folder => None,
                    })
                    .filter(|(path, _)| is_markdown(path))
                    .collect();
                listed.sort();
                if folder.is_some() {
                    listed.reverse();
                }
                files.extend(listed);
            }
            let content = html! {
                (head(Subpage::Files, ""))
                ul class="lines" {
                    @for (path, n_bytes) in &files {
                        li data-item tabindex="-1" {
                            a class="title" href={ "/memory/file?path=" (encoded(path)) } { (path) }
                            span class="small muted number" { (size(*n_bytes)) }
                        }
                    }
                }
            };
            Ok(FramedPage::new("Files", content))
        })
        .await
}

fn is_markdown(path: &str) -> bool {
    let ending = std::path::Path::new(path).extension();
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case("md"))
}

/// The query: which file, and the last action on it.
#[derive(Deserialize)]
pub(in crate::page) struct WantedFile {
    path: String,
    done: Option<String>,
    /// The name of the backup of the file's previous content.
    kept: Option<String>,
    /// Identifies the change of `MEMORY.md`, so that its undo reverts nothing else.
    left: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FileDone {
    Saved,
    Same,
    Restored,
}

base::words! { FileDone: Saved = "saved", Same = "same", Restored = "restored" }

/// Shows a file in an editor.
pub(in crate::page) async fn edit(
    visit: Visit,
    UrlQuery(asked): UrlQuery<WantedFile>,
) -> Result<Html<String>, HttpError> {
    visit
        .show(Tab::Memory, move |state, browser| {
            let path = parsed(&asked.path)?;
            let file = read_owner_file(&state.runtime.home.workspace, &path).map_err(missing)?;
            let done = asked.done.as_deref().and_then(FileDone::parse);
            let done = done.map(|done| saved(&browser.csrf, (&path, &file.hash), (done, &asked)));
            let content = editor(&browser.csrf, &path, &file, None);
            Ok(FramedPage::new(path.as_str(), content).after(done))
        })
        .await
}

/// Saves the text that the owner wrote.
pub(in crate::page) async fn save(
    State(state): State<Arc<HttpState>>,
    browser: Browser,
    FormBody(fields): FormBody<FormFields>,
) -> Result<Response, HttpError> {
    let done = state.work(move |state| {
        let runtime = &state.runtime;
        let path = parsed(fields.one("path")?)?;
        let before = read_owner_file(&runtime.home.workspace, &path).map_err(missing)?;
        let text = as_before(fields.one("text")?, &before.text);
        let edit = (fields.one("hash")?, text.as_str());
        match save_owner_file(
            &runtime.home.workspace,
            &path,
            edit,
            runtime.home.clock.now(),
        ) {
            Ok(edit) => Ok(after(state, &path, (&edit, FileDone::Saved))?.into_response()),
            Err(error) if was_changed(&error) => {
                let content = editor(&browser.csrf, &path, &before, Some(&text));
                let content = FramedPage::new(path.as_str(), content);
                let shown = page(state, Tab::Memory, &browser, content)?;
                Ok((StatusCode::CONFLICT, shown).into_response())
            }
            Err(error) => Err(refused(error)),
        }
    });
    done.await
}

/// Restores the content that a file had before it was saved here.
pub(in crate::page) async fn restore(
    State(state): State<Arc<HttpState>>,
    FormBody(fields): FormBody<FormFields>,
) -> Result<Redirect, HttpError> {
    let done = state.work(move |state| {
        let runtime = &state.runtime;
        let path = parsed(fields.one("path")?)?;
        let kept = (fields.one("kept")?, fields.one("hash")?);
        let edit = restore_owner_file(
            &runtime.home.workspace,
            &path,
            kept,
            runtime.home.clock.now(),
        );
        after(state, &path, (&edit.map_err(refused)?, FileDone::Restored))
    });
    done.await
}

fn parsed(path: &str) -> Result<WorkspacePath, HttpError> {
    path.parse().map_err(|error| HttpError::missing(&error))
}

fn missing(error: FileAccessError) -> HttpError {
    if matches!(error, FileAccessError::File(FileError::Disk(_))) {
        error.into()
    } else {
        HttpError::missing(&error)
    }
}

pub(super) fn was_changed(error: &OwnerEditError) -> bool {
    matches!(
        error,
        OwnerEditError::File(FileAccessError::File(FileError::Changed(_)))
    )
}

pub(super) fn refused(error: OwnerEditError) -> HttpError {
    let is_gone = matches!(
        error,
        OwnerEditError::Rendered(_) | OwnerEditError::NotKept(_)
    );
    if is_gone || was_changed(&error) {
        HttpError::conflict(&error)
    } else {
        error.into()
    }
}

/// Restores the line breaks that the file had, because browsers send each line break of a form as CRLF.
fn as_before(text: &str, before: &str) -> String {
    if before.contains("\r\n") {
        text.to_owned()
    } else {
        text.replace("\r\n", "\n")
    }
}

fn after(
    state: &HttpState,
    path: &WorkspacePath,
    (edit, done): (&OwnerEdit, FileDone),
) -> Result<Redirect, HttpError> {
    let (done, undo) = match edit {
        OwnerEdit::Same => (FileDone::Same, String::new()),
        OwnerEdit::Kept(kept) => (done, format!("&kept={}", encoded(kept))),
        // The previous `MEMORY.md` is stored with the changes of dreams.
        OwnerEdit::Undoable => {
            let left = left_by_last(&state.desk(Access::Read)?);
            (done, format!("&{LEFT_FIELD}={left}"))
        }
    };
    let (path, done) = (encoded(path.as_str()), done.as_str());
    Ok(Redirect::to(&format!(
        "/memory/file?path={path}&done={done}{undo}"
    )))
}

/// A message about the last action, with a button that undoes it.
fn saved(
    csrf: &str,
    (path, hash): (&WorkspacePath, &str),
    (done, asked): (FileDone, &WantedFile),
) -> Markup {
    let text = match done {
        FileDone::Saved => "Saved.",
        FileDone::Same => "Nothing was changed.",
        FileDone::Restored => "Restored the previous version.",
    };
    let undo = match (&asked.kept, &asked.left) {
        (Some(kept), _) => Some(("/memory/restore", "kept", kept)),
        (None, Some(left)) if done == FileDone::Saved => Some(("/dreams/undo", LEFT_FIELD, left)),
        (None, _) => None,
    };
    html! {
        span { (text) }
        @if let Some((action, field, value)) = undo.filter(|_| done != FileDone::Same) {
            form method="post" action=(action) {
                (csrf_field(csrf))
                input type="hidden" name="path" value=(path);
                input type="hidden" name="hash" value=(hash);
                input type="hidden" name="back" value="/memory";
                input type="hidden" name=(field) value=(value);
                button data-key="u" { "Undo " (key("u")) }
            }
        }
    }
}

/// The editor of a file; `unsaved` is the owner's text if the file was saved after the editor was opened.
fn editor(csrf: &str, path: &WorkspacePath, file: &OwnerFile, unsaved: Option<&str>) -> Markup {
    let text = unsaved.unwrap_or(&file.text);
    html! {
        (head(Subpage::Files, ""))
        h2 { (path) }
        @if unsaved.is_some() {
            p class="note bad" role="alert" {
                "This file was saved elsewhere since you opened it, and your text is not saved. "
                "Save again to replace the other text, which is kept."
            }
            details open { summary { "What the file says now" } pre { (safe(&file.text)) } }
        }
        @if path.as_str() == "DREAMS.md" {
            p class="muted" { "This file is written by openclaw. " a href="/review" { "Decide about the candidates" } " instead." }
            div class="card scroll" { pre { (safe(text)) } }
        } @else if redact(&file.text) != file.text {
            p class="note" { "This file contains what looks like a key or password, which is not shown here. Edit the file in an editor." }
            div class="card scroll" { pre { (safe(text)) } }
        } @else {
            (form(csrf, path, (text, &file.hash)))
        }
    }
}

/// A form with the text to edit. A save is rejected if the file no longer has this hash.
fn form(csrf: &str, path: &WorkspacePath, (text, hash): (&str, &str)) -> Markup {
    html! {
        form method="post" action="/memory/save" class="stack" {
            (csrf_field(csrf))
            input type="hidden" name="path" value=(path);
            input type="hidden" name="hash" value=(hash);
            label class="visually-hidden" for="text" { "The text of " (path) }
            // Browsers drop the first line break in a text area.
            textarea id="text" class="file" name="text" spellcheck="true" data-key="e" { "\n" (text) }
            div class="row" {
                button class="main" { "Save" }
                span class="small muted" { "Comments at the end record where each line comes from; leave them unchanged." }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_before_restores_line_ends_of_file() {
        assert_eq!(as_before("a\r\nb\r\n", "x\n"), "a\nb\n");
        assert_eq!(as_before("a\r\nb", "x\r\n"), "a\r\nb");
    }
}
