//! Finds memory files below a path, by the folders in which programs keep them.
//!
//! Opens no files, except a transcript that names the folder of a project.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use base::disk::{Disk, DiskError};

use super::markdown::is_page;
use super::model::{Holds, MemoryFile, MemoryFormat};
use super::{claude_code, codex, hermes, obsidian, openclaw};

/// Maximum depth of the search.
const DEPTH_MAX: usize = 8;

/// Exports whose format can be detected only from their text.
const EXPORTS: [&str; 4] = [
    "memory.json",
    "memory.jsonl",
    "memories.json",
    "conversations.json",
];

/// The memory files at or below a path, and the links that lead outside it, which are not followed. Detects the
/// format if `format` is `None`.
pub fn find_memories(
    disk: &dyn Disk,
    path: &Path,
    format: Option<MemoryFormat>,
) -> Result<(Vec<MemoryFile>, Vec<PathBuf>), DiskError> {
    let mut search = Search {
        disk,
        given: path,
        resolved: disk.resolve(path)?,
        entered: BTreeSet::from([path.to_owned()]),
        found: Vec::new(),
        outside: Vec::new(),
    };
    let is_dir = disk.stat(path)?.is_some_and(|stat| stat.is_dir);
    if is_dir {
        search.directory(path, format, DEPTH_MAX)?;
    } else {
        let directory = path.parent().unwrap_or(path);
        let around = disk.list(directory)?;
        let kind = format.or_else(|| search.kind_of(directory, &around));
        let name = path.file_name().unwrap_or_default();
        let known = match format_of(directory, name, kind) {
            Some(FormatHint::ByName(format)) => Some(format),
            Some(FormatHint::ByText) | None => format,
        };
        // A file that the user named is always read, even if its name is unknown.
        search.add(path, known)?;
    }
    Ok((search.found, search.outside))
}

struct Search<'d> {
    disk: &'d dyn Disk,
    given: &'d Path,
    /// The given path with its links followed.
    resolved: PathBuf,
    /// The directories already searched, so that circular links end.
    entered: BTreeSet<PathBuf>,
    found: Vec<MemoryFile>,
    outside: Vec<PathBuf>,
}

impl Search<'_> {
    fn directory(
        &mut self,
        directory: &Path,
        kind: Option<MemoryFormat>,
        depth: usize,
    ) -> Result<(), DiskError> {
        let names = self.disk.list(directory)?;
        let kind = kind.or_else(|| self.kind_of(directory, &names));
        for name in names {
            let path = directory.join(&name);
            if name.to_string_lossy().starts_with('.') {
                continue;
            }
            // Dangling and cyclic links are skipped.
            let Ok(Some(stat)) = self.disk.stat(&path) else {
                continue;
            };
            if !stat.is_dir {
                let format = match format_of(directory, name.as_os_str(), kind) {
                    Some(FormatHint::ByName(format)) => Some(format),
                    Some(FormatHint::ByText) => None,
                    None => continue,
                };
                if self.inside(&path)?.is_some() {
                    self.add(&path, format)?;
                }
            } else if depth > 0
                && is_entered(&name, kind)
                && let Some(directory) = self.inside(&path)?
                && self.entered.insert(directory.clone())
            {
                self.directory(&directory, kind, depth - 1)?;
            }
        }
        Ok(())
    }

    /// The real path of a path below the given one; records a link that leads outside it.
    fn inside(&mut self, path: &Path) -> Result<Option<PathBuf>, DiskError> {
        let target = self.disk.resolve(path)?;
        if let Ok(below) = target.strip_prefix(&self.resolved) {
            return Ok(Some(self.given.join(below)));
        }
        self.outside.push(path.to_owned());
        Ok(None)
    }

    /// The program that a folder belongs to, judged by its name and content.
    fn kind_of(&self, directory: &Path, names: &[PathBuf]) -> Option<MemoryFormat> {
        let has = |name: &str| names.iter().any(|it| it == Path::new(name));
        let mut above = directory.ancestors().map(|it| it.file_name()?.to_str());
        let mut next = || above.next().flatten().unwrap_or_default();
        let [own, first, second] = [next(), next(), next()];
        if has(obsidian::SETTINGS) {
            Some(MemoryFormat::Obsidian)
        } else if has(openclaw::SIGN) || has("MEMORY.md") && has(openclaw::LOGS) {
            Some(MemoryFormat::OpenClaw)
        } else if own == openclaw::LOGS && second == "projects" {
            Some(MemoryFormat::ClaudeCode)
        } else if own == openclaw::LOGS && self.is_workspace(directory.parent()) {
            Some(MemoryFormat::OpenClaw)
        } else if has("memory_summary.md") || own == "memories" && first == ".codex" {
            Some(MemoryFormat::Codex)
        } else if own == "memories" && (first == ".hermes" || has("USER.md")) {
            Some(MemoryFormat::Hermes)
        } else {
            None
        }
    }

    fn is_workspace(&self, directory: Option<&Path>) -> bool {
        let sign = directory.map(|directory| self.disk.stat(&directory.join(openclaw::SIGN)));
        matches!(sign, Some(Ok(Some(_))))
    }

    fn add(&mut self, path: &Path, format: Option<MemoryFormat>) -> Result<(), DiskError> {
        let stat = self.disk.stat(path)?;
        self.found.push(MemoryFile {
            path: path.to_owned(),
            format,
            holds: self.holds(path, format),
            modified_at: stat.and_then(|stat| stat.modified_at),
        });
        Ok(())
    }

    /// Where the memories of a file apply. Rules apply to their folder or, in the program's own folder, everywhere.
    /// Notes on a project apply to the project.
    fn holds(&self, path: &Path, format: Option<MemoryFormat>) -> Holds {
        let directory = path.parent().unwrap_or(path);
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        let is_own = |directory: &Path, sign: &str| {
            matches!(self.disk.stat(&directory.join(sign)), Ok(Some(_)))
        };
        let rules_of = |own: &str, sign: &str| match directory.file_name() {
            Some(folder) if folder == own && is_own(directory, sign) => Holds::Everywhere,
            Some(folder) if folder == own => at(directory.parent()),
            _ => at(Some(directory)),
        };
        match format {
            Some(MemoryFormat::ClaudeCode) if claude_code::RULES.contains(&name) => {
                rules_of(".claude", "projects")
            }
            Some(MemoryFormat::ClaudeCode) => {
                let is_logs = |it: &&Path| it.file_name().is_some_and(|it| it == openclaw::LOGS);
                let project = directory.ancestors().find(is_logs);
                let project = project.and_then(Path::parent).unwrap_or(directory);
                claude_code::holds_of_project(self.disk, project)
            }
            Some(MemoryFormat::Codex) if name == codex::RULES => match directory.file_name() {
                Some(folder) if folder == ".codex" => Holds::Everywhere,
                _ => at(Some(directory)),
            },
            _ => Holds::Everywhere,
        }
    }
}

/// How the format of a file is determined.
enum FormatHint {
    ByName(MemoryFormat),
    ByText,
}

/// The format of a file, judged by its name and folder; `None` if it contains no memories.
fn format_of(directory: &Path, name: &OsStr, kind: Option<MemoryFormat>) -> Option<FormatHint> {
    let text = name.to_str()?;
    let Some(kind) = kind else {
        let is_in_memories = directory.file_name().is_some_and(|it| it == "memories");
        return if claude_code::RULES.contains(&text) {
            Some(FormatHint::ByName(MemoryFormat::ClaudeCode))
        } else if text == codex::RULES {
            Some(FormatHint::ByName(MemoryFormat::Codex))
        } else if EXPORTS.contains(&text) || is_in_memories && is_json(name) {
            Some(FormatHint::ByText)
        } else {
            None
        };
    };
    let is_held = match kind {
        MemoryFormat::Codex => codex::FILES.contains(&text) || text == codex::RULES,
        MemoryFormat::Hermes => hermes::FILES.contains(&text),
        MemoryFormat::OpenClaw => is_page(text) && openclaw::is_memory(directory, text),
        MemoryFormat::ClaudeCode | MemoryFormat::Obsidian | MemoryFormat::Markdown => is_page(text),
        MemoryFormat::Graph | MemoryFormat::ChatGpt | MemoryFormat::Claude => is_json(name),
        MemoryFormat::Export => is_page(text) || is_json(name),
    };
    is_held.then_some(FormatHint::ByName(kind))
}

pub(super) fn is_json(name: &OsStr) -> bool {
    let ending = Path::new(name).extension();
    ending.is_some_and(|ending| ending == "json" || ending == "jsonl")
}

fn at(directory: Option<&Path>) -> Holds {
    let shown = directory.map(|directory| directory.display().to_string());
    Holds::At(shown.unwrap_or_default())
}

/// Whether to search a subfolder.
fn is_entered(name: &Path, kind: Option<MemoryFormat>) -> bool {
    match kind {
        Some(MemoryFormat::OpenClaw) => !openclaw::OTHERS.iter().any(|it| name == Path::new(it)),
        Some(MemoryFormat::Codex | MemoryFormat::Hermes) => false,
        _ => true,
    }
}
