//! Decides which files of a folder of notes are left out: by the folder's own settings and by those of Obsidian.
//!
//! Reads only the settings of Obsidian, and treats settings that it cannot read as empty.

use std::path::Path;

use base::Disk;
use base::disk::read_some;
use regex::{Regex, RegexBuilder};
use serde_json::Value;

use super::folder::NoteFolder;

/// The folder with the settings of a vault.
const SETTINGS: &str = ".obsidian";

/// The largest settings file, in bytes.
const SETTINGS_BYTES_MAX: u64 = 1 << 20;

/// The settings that name the folder of templates: file and key.
const TEMPLATES: [(&str, &str); 2] = [
    ("templates.json", "folder"),
    ("plugins/templater-obsidian/data.json", "templates_folder"),
];

/// Files and folders that the owner excluded in Obsidian: paths, or regular expressions between slashes.
const EXCLUDED: (&str, &str) = ("app.json", "userIgnoreFilters");

/// The files that are left out of a folder.
#[derive(Debug, Default)]
pub(crate) struct Ignored {
    /// Folders, by path.
    folders: Vec<String>,
    /// Beginnings of paths.
    beginnings: Vec<String>,
    patterns: Vec<Regex>,
}

impl Ignored {
    /// The exclusions that the settings contain for this folder.
    pub(crate) fn of(disk: &dyn Disk, folder: &NoteFolder) -> Self {
        let mut ignored = Self::default();
        for (file, key) in TEMPLATES {
            let templates = setting(disk, &folder.root, file, key);
            let templates = templates.as_ref().and_then(Value::as_str);
            let templates = templates.map(|path| path.trim_matches('/').to_owned());
            ignored
                .folders
                .extend(templates.filter(|path| !path.is_empty()));
        }
        let (file, key) = EXCLUDED;
        let excluded = setting(disk, &folder.root, file, key).unwrap_or_default();
        let excluded = excluded.as_array().into_iter().flatten();
        for filter in excluded.filter_map(Value::as_str) {
            let inner = filter.strip_prefix('/').and_then(|it| it.strip_suffix('/'));
            match inner.filter(|inner| !inner.is_empty()) {
                Some(inner) => ignored.patterns.extend(RegexBuilder::new(inner).build()),
                None => ignored.beginnings.push(filter.to_owned()),
            }
        }
        ignored.beginnings.retain(|filter| !filter.is_empty());
        ignored
            .patterns
            .extend(folder.ignore.iter().filter_map(|entry| own_pattern(entry)));
        ignored
    }

    /// Whether a file or folder is left out, by its path in the folder of notes.
    pub(crate) fn has(&self, relative: &str) -> bool {
        let is_below = |folder: &String| {
            let rest = relative.strip_prefix(folder.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        self.folders.iter().any(is_below)
            || self
                .beginnings
                .iter()
                .any(|it| relative.starts_with(it.as_str()))
            || self.patterns.iter().any(|it| it.is_match(relative))
    }
}

impl NoteFolder {
    /// Whether the folder is a vault of Obsidian.
    pub(crate) fn is_vault(&self, disk: &dyn Disk) -> bool {
        let settings = disk.stat(&self.root.join(SETTINGS));
        matches!(settings, Ok(Some(stat)) if stat.is_dir)
    }
}

/// Whether a path has a part that begins with a dot.
pub(crate) fn is_hidden(relative: &str) -> bool {
    relative.split('/').any(|part| part.starts_with('.'))
}

fn setting(disk: &dyn Disk, root: &Path, file: &str, key: &str) -> Option<Value> {
    let path = root.join(SETTINGS).join(file);
    let bytes = read_some(disk, &path, SETTINGS_BYTES_MAX).ok()??;
    let mut settings: Value = serde_json::from_slice(&bytes).ok()?;
    settings.get_mut(key).map(Value::take)
}

/// The pattern of an entry of `ignore`. One with a slash is a path in the folder; another is a name at any depth.
fn own_pattern(entry: &str) -> Option<Regex> {
    let path = entry.trim_matches('/');
    if path.is_empty() {
        return None;
    }
    let parts: Vec<String> = path.split('*').map(regex::escape).collect();
    let begin = if path.contains('/') { "^" } else { "(^|/)" };
    Regex::new(&format!("{begin}{}($|/)", parts.join(".*"))).ok()
}

#[cfg(test)]
mod tests {
    use base::disk::{MemoryDisk, create_parent, replace};

    use super::*;

    fn ignored(files: &[(&str, &str)], ignore: &[&str]) -> Ignored {
        let disk = MemoryDisk::new();
        for (name, text) in files {
            let path = Path::new("/v").join(name);
            create_parent(&disk, &path).unwrap();
            replace(&disk, &path, text.as_bytes()).unwrap();
        }
        let folder = NoteFolder {
            name: "v".to_owned(),
            root: "/v".into(),
            origin: base::Origin::Owner,
            ignore: ignore.iter().map(|it| (*it).to_owned()).collect(),
        };
        Ignored::of(&disk, &folder)
    }

    #[test]
    fn settings_of_obsidian_leave_out_templates_and_excluded_files() {
        let found = ignored(
            &[
                (".obsidian/templates.json", r#"{"folder": "Vorlagen/"}"#),
                (
                    ".obsidian/plugins/templater-obsidian/data.json",
                    r#"{"templates_folder": "Extra/Tpl"}"#,
                ),
                (
                    ".obsidian/app.json",
                    r#"{"userIgnoreFilters": ["Archive/", "READ", "/^x.*y$/", "/(/", ""]}"#,
                ),
            ],
            &[],
        );
        for (path, expected) in [
            ("Vorlagen", true),
            ("Vorlagen/Person.md", true),
            ("Vorlagen.md", false),
            ("Extra/Tpl/a.md", true),
            ("Extra/a.md", false),
            ("Archive/old.md", true),
            ("README.md", true),
            ("x/1/y", true),
            ("notes.md", false),
        ] {
            assert_eq!(found.has(path), expected, "{path}");
        }
        let broken = ignored(&[(".obsidian/app.json", "{")], &[]);
        assert!(!broken.has("a.md"));
    }

    #[test]
    fn own_entries_leave_out_paths_and_names_with_any_characters() {
        let found = ignored(
            &[],
            &["Private", "Work/Clients/", "*.excalidraw.md", "a/*/c", "/"],
        );
        for (path, expected) in [
            ("Private/x.md", true),
            ("Deep/Private", true),
            ("Privates/x.md", false),
            ("Work/Clients/acme.md", true),
            ("Home/Work/Clients/acme.md", false),
            ("Drawings/x.excalidraw.md", true),
            ("a/b/c/d.md", true),
            ("notes.md", false),
        ] {
            assert_eq!(found.has(path), expected, "{path}");
        }
    }
}
