//! The vaults of Obsidian, and the folders of notes that `connect` adds to the settings for them.
//!
//! Reads Obsidian's list of vaults, and returns changed text: it never changes a vault or any other file.

use base::Disk;
use base::disk::read_some;
use cli::config::{Assignment, setting_in, with_setting, without_setting};

use crate::prelude::*;

/// The setting with the folders of notes.
const SOURCES: &str = "memory.sources";

/// Where Obsidian keeps its list of vaults, below the user's home directory: on macOS, on Linux from a package, Flatpak
/// or Snap, and on Windows.
const LISTS: [&str; 5] = [
    "Library/Application Support/obsidian/obsidian.json",
    ".config/obsidian/obsidian.json",
    ".var/app/md.obsidian.Obsidian/config/obsidian/obsidian.json",
    "snap/obsidian/current/.config/obsidian/obsidian.json",
    "AppData/Roaming/obsidian/obsidian.json",
];

const LIST_BYTES_MAX: u64 = 1 << 20;

/// The user's folders, in which lists and vaults are found.
#[derive(Clone, Copy)]
pub(crate) struct UserFolders<'a> {
    pub(crate) disk: &'a dyn Disk,
    pub(crate) user_home: &'a Path,
    /// The folder of settings, if it is not the usual one.
    pub(crate) config_home: Option<&'a str>,
}

impl UserFolders<'_> {
    /// The vaults that Obsidian lists and that exist, in order.
    pub(crate) fn listed_vaults(&self) -> Vec<PathBuf> {
        let usual = LISTS.iter().map(|list| self.user_home.join(list));
        let other = self.config_home.filter(|it| !it.is_empty()).map(Path::new);
        let other = other.map(|it| it.join("obsidian/obsidian.json"));
        let mut vaults: Vec<PathBuf> = other
            .into_iter()
            .chain(usual)
            .flat_map(|list| self.vaults_in(&list))
            .filter(|vault| self.is_folder(vault))
            .collect();
        vaults.sort();
        vaults.dedup();
        vaults
    }

    /// The vaults in one list; none if it cannot be read.
    fn vaults_in(&self, list: &Path) -> Vec<PathBuf> {
        let bytes = read_some(self.disk, list, LIST_BYTES_MAX).ok().flatten();
        let list: Value = serde_json::from_slice(&bytes.unwrap_or_default()).unwrap_or_default();
        let vaults = list.get("vaults").and_then(Value::as_object);
        let paths = vaults
            .into_iter()
            .flat_map(|vaults| vaults.values())
            .filter_map(|vault| Some(PathBuf::from(vault.get("path")?.as_str()?)));
        paths.collect()
    }

    /// The vaults with these names or paths; all that Obsidian lists if none is named.
    pub(crate) fn chosen_vaults(&self, asked: &[String]) -> Result<Vec<PathBuf>> {
        let listed = self.listed_vaults();
        if asked.is_empty() && listed.is_empty() {
            let failure = "Obsidian lists no vault on this machine";
            return Err(CliError::new(ErrorKind::NotFound, failure)
                .hint("name its folder: `openclaw connect obsidian FOLDER`"));
        }
        if asked.is_empty() {
            return Ok(listed);
        }
        let chosen = asked.iter().map(|asked| {
            let is_named = |vault: &&PathBuf| {
                let name = vault.file_name().unwrap_or_default().to_string_lossy();
                name.to_lowercase() == asked.to_lowercase()
            };
            if let Some(vault) = listed.iter().find(is_named) {
                return Ok(vault.clone());
            }
            let path = std::path::absolute(self.expanded(asked))?;
            if self.is_folder(&path) {
                return Ok(path);
            }
            let names = listed.iter().map(|vault| vault.display().to_string());
            let names: Vec<String> = names.collect();
            let failure = format!("{asked} is neither a folder nor a vault that Obsidian lists");
            let failure = CliError::new(ErrorKind::NotFound, failure);
            Err(if names.is_empty() {
                failure.hint("name the folder of a vault: `openclaw connect obsidian FOLDER`")
            } else {
                failure.hint(format!("it lists {}", names.join(", ")))
            })
        });
        chosen.collect()
    }

    fn is_folder(&self, path: &Path) -> bool {
        matches!(self.disk.stat(path), Ok(Some(stat)) if stat.is_dir)
    }

    fn expanded(&self, path: &str) -> PathBuf {
        match path.strip_prefix("~/") {
            Some(below) => self.user_home.join(below),
            None => PathBuf::from(path),
        }
    }

    /// The settings in `text`, the file at `config`, with these vaults as folders of notes.
    pub(crate) fn with_vaults(
        &self,
        (config, text): (&Path, &str),
        vaults: &[PathBuf],
    ) -> Result<String> {
        let mut sources = sources_in(config, text)?;
        for vault in vaults {
            if sources.iter().any(|known| self.is_of(known, vault)) {
                continue;
            }
            let shown = vault.strip_prefix(self.user_home).map(|below| {
                let below = below.display();
                format!("~/{below}")
            });
            let path = shown.unwrap_or_else(|_| vault.display().to_string());
            sources.push(match free_name(&sources, vault) {
                Some(name) => json!({ "path": path, "name": name }),
                None => json!({ "path": path }),
            });
        }
        with_sources((config, text), sources)
    }

    /// The settings in `text` without these vaults. If the result has the same folders as the original, and nothing
    /// else has changed since, it is the original.
    pub(crate) fn without_vaults(
        &self,
        (config, text): (&Path, &str),
        original: &str,
        vaults: &[PathBuf],
    ) -> Result<String> {
        let (sources, before) = (sources_in(config, text)?, sources_in(config, original)?);
        let goes = |source: &Value| {
            let is_asked = vaults.iter().any(|vault| self.is_of(source, vault));
            is_asked && !before.contains(source)
        };
        let left: Vec<Value> = sources.iter().filter(|it| !goes(it)).cloned().collect();
        if left == before && with_sources((config, original), sources)? == text {
            return Ok(original.to_owned());
        }
        with_sources((config, text), left)
    }

    /// The vaults among the folders of notes in `text`.
    pub(crate) fn connected_vaults(&self, (config, text): (&Path, &str)) -> Result<Vec<PathBuf>> {
        let sources = sources_in(config, text)?.into_iter();
        let paths = sources.filter_map(|source| Some(self.expanded(source.get("path")?.as_str()?)));
        let listed = self.listed_vaults();
        let is_vault =
            |path: &PathBuf| listed.contains(path) || self.is_folder(&path.join(".obsidian"));
        Ok(paths.filter(is_vault).collect())
    }

    fn is_of(&self, source: &Value, vault: &Path) -> bool {
        let path = source.get("path").and_then(Value::as_str);
        path.is_some_and(|path| self.expanded(path) == vault)
    }
}

fn sources_in(config: &Path, text: &str) -> Result<Vec<Value>> {
    let found = setting_in(config, text, SOURCES)?;
    Ok(found
        .and_then(|it| it.as_array().cloned())
        .unwrap_or_default())
}

fn with_sources((config, text): (&Path, &str), sources: Vec<Value>) -> Result<String> {
    if sources.is_empty() {
        return without_setting(config, text, SOURCES);
    }
    let assignment = Assignment {
        key: SOURCES.to_owned(),
        value: Value::Array(sources).to_string(),
    };
    with_setting(config, text, &assignment)
}

/// A name for a vault whose folder has one that is taken or invalid; `None` if that of the folder does.
fn free_name(sources: &[Value], vault: &Path) -> Option<String> {
    let own = vault.file_name().unwrap_or_default().to_string_lossy();
    let is_free = |name: &str| {
        let is_taken = |source: &Value| {
            let path = source.get("path").and_then(Value::as_str);
            let of_folder = || Path::new(path?).file_name()?.to_str();
            let named = source.get("name").and_then(Value::as_str);
            named.or_else(of_folder) == Some(name)
        };
        memory::check_folder_name(name).is_ok() && !sources.iter().any(is_taken)
    };
    if is_free(&own) {
        return None;
    }
    let plain: String = own
        .chars()
        .filter(|c| !matches!(c, '/' | '\\' | ':') && !c.is_control())
        .collect();
    let plain = plain.trim().trim_start_matches('.').to_owned();
    let mut names = (2_u32..).map(|number| format!("{plain} {number}"));
    let vault = Some("vault".to_owned()).into_iter();
    vault
        .chain(names.by_ref().take(99))
        .find(|name| is_free(name))
}

#[cfg(test)]
mod tests {
    use base::disk::{MemoryDisk, create_parent, replace};

    use super::*;

    fn disk(files: &[(&str, &str)], folders: &[&str]) -> MemoryDisk {
        let disk = MemoryDisk::new();
        for folder in folders {
            disk.create_dir(Path::new(folder)).unwrap();
        }
        for (path, text) in files {
            create_parent(&disk, Path::new(path)).unwrap();
            replace(&disk, Path::new(path), text.as_bytes()).unwrap();
        }
        disk
    }

    fn folders(disk: &MemoryDisk) -> UserFolders<'_> {
        UserFolders {
            disk,
            user_home: Path::new("/u"),
            config_home: Some("/x"),
        }
    }

    const CONFIG: &str = "/u/.openclaw/config.yaml";

    #[test]
    fn vaults_of_each_list_are_offered_if_they_exist() {
        let list = |path: &str| format!("{{\"vaults\": {{\"a\": {{\"path\": {path:?}}}}}}}");
        let disk = disk(
            &[
                ("/u/.config/obsidian/obsidian.json", &list("/u/Notes")),
                ("/x/obsidian/obsidian.json", &list("/u/Work")),
                (
                    "/u/.var/app/md.obsidian.Obsidian/config/obsidian/obsidian.json",
                    &list("/u/Gone"),
                ),
                (
                    "/u/snap/obsidian/current/.config/obsidian/obsidian.json",
                    "{",
                ),
            ],
            &["/u/Notes", "/u/Work"],
        );
        let folders = folders(&disk);
        let expected = ["/u/Notes", "/u/Work"].map(PathBuf::from);
        assert_eq!(folders.listed_vaults(), expected);
        assert_eq!(folders.chosen_vaults(&[]).unwrap(), expected);
        let [first, _] = expected;
        assert_eq!(
            folders.chosen_vaults(&["notes".to_owned()]).unwrap(),
            [first]
        );
        let refused = folders.chosen_vaults(&["Gone".to_owned()]).unwrap_err();
        assert_eq!(refused.hints, ["it lists /u/Notes, /u/Work"]);
    }

    #[test]
    fn vaults_are_added_once_with_unique_names_and_removed_exactly() {
        let disk = disk(&[], &["/u/Notes", "/y/Notes", "/y/memory"]);
        let folders = folders(&disk);
        let config = Path::new(CONFIG);
        let vaults = ["/u/Notes", "/y/Notes", "/y/memory"].map(PathBuf::from);
        for original in [
            "",
            "# mine\ntimezone: Europe/Berlin\n",
            "memory:\n  sessions: all # here\n",
            "memory:\n  sources:\n    - path: /srv/wiki\n      origin: untrusted\n",
        ] {
            let text = folders.with_vaults((config, original), &vaults).unwrap();
            let sources = sources_in(config, &text).unwrap();
            let ours = sources.iter().rev().take(3).rev().cloned();
            let expected = json!([
                { "path": "~/Notes" },
                { "path": "/y/Notes", "name": "vault" },
                { "path": "/y/memory", "name": "memory 2" },
            ]);
            assert_eq!(Value::Array(ours.collect()), expected, "{original}");
            assert_eq!(folders.with_vaults((config, &text), &vaults).unwrap(), text);
            let undone = folders.without_vaults((config, &text), original, &vaults);
            assert_eq!(undone.unwrap(), original);
            let edited = format!("{text}# more\n");
            let undone = folders.without_vaults((config, &edited), original, &vaults);
            let undone = undone.unwrap();
            assert!(
                undone.contains("# more") && !undone.contains("Notes"),
                "{undone}"
            );
        }
    }
}
