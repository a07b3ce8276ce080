//! Shows and edits the owner's files; each edit can be undone.
//!
//! Never overwrites a version that the owner has not seen.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Redirect, Response};
use base::redact;
use maud::{Markup, html};
use memory::WorkspacePath;
use memory::curated::ChangeError;
use memory::files::{
    FileError, FileKind, OwnerEdit, OwnerEditError, OwnerFile, list_files, read_owner_file,
    restore_owner_file, save_owner_file,
};
use serde::Deserialize;

use super::subpages::{Subpage, head};
use crate::http::{FormBody, HttpError, HttpState, UrlQuery};
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
                    Err(FileError::NotFound(_)) => continue,
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

/// The query: which file, and what was just done to it.
#[derive(Deserialize)]
pub(in crate::page) struct WantedFile {
    path: String,
    done: Option<String>,
    /// The name of the backup of its former content.
    kept: Option<String>,
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
            let done = done.map(|done| {
                saved(
                    &browser.csrf,
                    (&path, &file.hash),
                    (done, asked.kept.as_deref()),
                )
            });
            let content = editor(&browser.csrf, &path, &file, None);
            Ok(FramedPage::new(path.as_str(), content).after(done))
        })
        .await
}

/// Saves what the owner wrote.
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
            Ok(edit) => Ok(after(&path, &edit, FileDone::Saved).into_response()),
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
        Ok(after(&path, &edit.map_err(refused)?, FileDone::Restored))
    });
    done.await
}

fn parsed(path: &str) -> Result<WorkspacePath, HttpError> {
    path.parse().map_err(|error| HttpError::missing(&error))
}

fn missing(error: FileError) -> HttpError {
    if matches!(error, FileError::Disk(_)) {
        error.into()
    } else {
        HttpError::missing(&error)
    }
}

fn was_changed(error: &OwnerEditError) -> bool {
    matches!(
        error,
        OwnerEditError::File(FileError::Changed(_)) | OwnerEditError::Memory(ChangeError::Changed)
    )
}

fn refused(error: OwnerEditError) -> HttpError {
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

/// Browsers send each line break of a form as CRLF; keeps the line breaks that the file had.
fn as_before(text: &str, before: &str) -> String {
    if before.contains("\r\n") {
        text.to_owned()
    } else {
        text.replace("\r\n", "\n")
    }
}

fn after(path: &WorkspacePath, edit: &OwnerEdit, done: FileDone) -> Redirect {
    let (done, kept) = match edit {
        OwnerEdit::Same => (FileDone::Same, String::new()),
        OwnerEdit::Kept(kept) => (done, format!("&kept={}", encoded(kept))),
        OwnerEdit::Undoable => (done, String::new()),
    };
    let (path, done) = (encoded(path.as_str()), done.as_str());
    Redirect::to(&format!("/memory/file?path={path}&done={done}{kept}"))
}

/// Says what was just done, with a button to undo it.
fn saved(
    csrf: &str,
    (path, hash): (&WorkspacePath, &str),
    (done, kept): (FileDone, Option<&str>),
) -> Markup {
    let text = match done {
        FileDone::Saved => "Saved.",
        FileDone::Same => "Nothing was changed.",
        FileDone::Restored => "Restored the previous version.",
    };
    let action = match kept {
        Some(_) => "/memory/restore",
        // The former `MEMORY.md` is kept with the changes of dreams.
        None => "/dreams/undo",
    };
    html! {
        span { (text) }
        @if done != FileDone::Same && (kept.is_some() || done == FileDone::Saved) {
            form method="post" action=(action) {
                (csrf_field(csrf))
                input type="hidden" name="path" value=(path);
                input type="hidden" name="hash" value=(hash);
                @if let Some(kept) = kept { input type="hidden" name="kept" value=(kept); }
                button data-key="u" { "Undo " (key("u")) }
            }
        }
    }
}

/// The editor of a file; `unsaved` is the owner's text if the file was saved since the editor was opened.
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
            p class="muted" { "openclaw writes this file. " a href="/" { "Decide about the candidates" } " instead." }
            div class="card scroll" { pre { (safe(text)) } }
        } @else if redact(&file.text) != file.text {
            p class="note" { "This file contains what looks like a key or password, which is not shown here. Edit the file in an editor." }
            div class="card scroll" { pre { (safe(text)) } }
        } @else {
            (form(csrf, path, (text, &file.hash)))
        }
    }
}

/// A text to edit; a save is refused if the file has another hash by then.
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
