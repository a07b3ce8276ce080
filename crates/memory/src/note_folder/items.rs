//! The statements of notes in folders of the workspace and elsewhere, for dreams.
//!
//! Reads only folders whose notes are the owner's words.

use base::disk::read_all;
use base::{Day, Origin, Timestamp, Tz, day};
use search::{NoteFile, NoteLabel, PassageKind};

use super::folder::NoteFolder;
use super::page::{PAGE_BYTES_MAX, decoded, prepared_page};
use crate::Workspace;

/// A statement of a note in a folder of the workspace or elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderItem {
    /// The note, below the name of its folder.
    pub path: String,
    /// Its line, from 1.
    pub line: usize,
    /// The title of the note and the nearest heading.
    pub subject: String,
    /// Its text, without the mark of a list.
    pub text: String,
    /// The day of the note, or else the day of its last change.
    pub day: Day,
    /// Whether the note or a heading of it names that day, as in a diary.
    pub is_dated: bool,
}

impl Workspace {
    /// The statements of the owner's notes in folders that changed at this time or later, or of all notes without a
    /// time. Notes that cannot be read are left out: search reports them.
    pub fn folder_items(&self, since: Option<Timestamp>, timezone: Tz) -> Vec<FolderItem> {
        let mut items = Vec::new();
        for folder in self.read_in_place() {
            if folder.origin != Origin::Owner {
                continue;
            }
            let listing = self.list(folder);
            let is_new = |file: &NoteFile| {
                since.is_none_or(|since| file.stat.modified_at.is_some_and(|at| at >= since))
            };
            for file in listing.found.iter().filter(|file| is_new(file)) {
                items.extend(self.items_of(folder, file, timezone));
            }
        }
        items
    }

    /// The statements of the owner's notes in folders that changed last, at most of this many, the newest first.
    pub fn newest_folder_items(&self, n_notes: usize, timezone: Tz) -> Vec<FolderItem> {
        let owners = self.read_in_place();
        let owners = owners.filter(|folder| folder.origin == Origin::Owner);
        let files = owners.flat_map(|folder| {
            let listing = self.list(folder).found.into_iter();
            listing.map(move |file| (folder, file))
        });
        let mut files: Vec<(&NoteFolder, NoteFile)> = files.collect();
        files.sort_by_key(|(_, file)| std::cmp::Reverse(file.stat.modified_at));
        let newest = files.iter().take(n_notes);
        let items = newest.flat_map(|(folder, file)| self.items_of(folder, file, timezone));
        items.collect()
    }

    /// The statements of one note in a folder, as it is now.
    pub fn folder_items_of(&self, path: &str, timezone: Tz) -> Vec<FolderItem> {
        let found = self.folder_of(path).and_then(|(folder, relative)| {
            let stat = self.disk().stat(&folder.locate(relative)).ok()??;
            let file = NoteFile {
                path: path.to_owned(),
                stat,
                origin: folder.origin,
            };
            folder
                .has(self.disk(), relative)
                .then(|| self.items_of(folder, &file, timezone))
        });
        found.unwrap_or_default()
    }

    fn items_of(&self, folder: &NoteFolder, file: &NoteFile, timezone: Tz) -> Vec<FolderItem> {
        let Some(relative) = folder.relative(&file.path) else {
            return Vec::new();
        };
        let is_inside = self.inside(&file.path).is_ok_and(|it| it.is_ok());
        let bytes = read_all(self.disk(), &folder.locate(relative), PAGE_BYTES_MAX).ok();
        let text = bytes.filter(|_| is_inside).and_then(decoded);
        let changed = file.stat.modified_at.map(|at| day(at, timezone));
        text.map_or_else(Vec::new, |text| {
            items(&file.path, (folder, relative, &text), changed)
        })
    }
}

/// The statements of a note; none without a day.
fn items(
    path: &str,
    (folder, relative, text): (&NoteFolder, &str, &str),
    changed: Option<Day>,
) -> Vec<FolderItem> {
    let prepared = prepared_page(folder, relative, text);
    let label = prepared.label.unwrap_or_default();
    let NoteLabel { names, day, .. } = &label;
    let note = search::MarkdownFile {
        text: &prepared.text,
        title: names.first().map_or("", String::as_str),
        day: day.or_else(|| names.iter().find_map(|name| day_in(name))),
        origins: &prepared.origins,
        label: Some(&label),
    };
    let mut items = Vec::new();
    search::cut_markdown(&note, &mut |stretch| {
        let Some(day) = stretch.heading.day.or(changed) else {
            return;
        };
        for passage in stretch.passages {
            let says = matches!(
                passage.kind,
                PassageKind::Bullet | PassageKind::Paragraph | PassageKind::TableRow
            );
            let text = passage
                .text
                .trim()
                .trim_start_matches(['-', '*', '+'])
                .trim();
            if says && text.chars().any(char::is_alphanumeric) {
                items.push(FolderItem {
                    path: path.to_owned(),
                    line: passage.lines.start,
                    subject: subject(&stretch.heading.path),
                    text: text.to_owned(),
                    day,
                    is_dated: stretch.heading.day.is_some(),
                });
            }
        }
    });
    items
}

/// The title of a note and the nearest heading, unless they are the same.
fn subject(path: &str) -> String {
    let mut headings = path.lines();
    let title = headings.next().unwrap_or_default();
    match headings.next_back().filter(|nearest| *nearest != title) {
        Some(nearest) => format!("{title}, {nearest}"),
        None => title.to_owned(),
    }
}

/// The first day in a name.
fn day_in(name: &str) -> Option<Day> {
    let mut starts = name.char_indices().map(|(start, _)| start);
    starts.find_map(|start| name.get(start..start.checked_add(10)?)?.parse().ok())
}
