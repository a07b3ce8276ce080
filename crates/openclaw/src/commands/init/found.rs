//! What on this machine memory can take in: conversations and memories of other programs, vaults, and exports.
//!
//! Counts the files that are new since the last import without reading them. Imports nothing without a yes.

use std::collections::BTreeMap;

use agent::{ImportKind, SessionSource};
use base::{Disk, Origin, Timestamp, shell_word};
use clap::Parser;
use import::{ImportFormat, find_memories};
use memory::NoteFolder;
use search::NoteSource;
use serde::Serialize;

use super::choice::{answer, is_anybody_there};
use crate::app::run_command;
use crate::command_line::Cli;
use crate::commands::session::import::{ConversationFiles, find};
use crate::commands::session::naming::{held_among, ids_of_transcript};
use crate::commands::undo_import::read_at;
use crate::connect::UserFolders;
use crate::prelude::*;

/// Something that memory can take in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct FoundHere {
    /// What it is, with its count.
    what: String,
    /// The command that takes it in.
    command: String,
    /// What the owner is asked.
    #[serde(skip)]
    ask: &'static str,
    #[serde(skip)]
    arguments: Vec<String>,
}

/// Folders with conversations of other programs, below the user's home: program, folder, and format.
const CONVERSATIONS: [(&str, &str, ImportFormat); 3] = [
    ("Claude Code", ".claude/projects", ImportFormat::ClaudeCode),
    ("Codex", ".codex/sessions", ImportFormat::Codex),
    ("OpenClaw", ".openclaw/agents", ImportFormat::OpenClaw),
];

/// Depth of the search for conversations.
const DEPTH_MAX: usize = 8;

/// Folders with memories of other programs, below the user's home.
const MEMORIES: [(&str, &str); 4] = [
    ("Claude Code", ".claude"),
    ("Codex", ".codex"),
    ("OpenClaw", ".openclaw/workspace"),
    ("Hermes", ".hermes/memories"),
];

/// Where browsers put exports of chat services.
const DOWNLOADS: &str = "Downloads";

/// The name of an export of ChatGPT or Claude.
const EXPORT: &str = "conversations.json";

/// The things on this machine that a home could import. Those that cannot be read are not offered.
pub(super) fn look(home: &Home, context: &Context) -> Vec<FoundHere> {
    let Some(place) = Place::of(home, context) else {
        return Vec::new();
    };
    place
        .kept_by(|_| true)
        .into_iter()
        .chain(place.vaults())
        .chain(place.exports())
        .collect()
}

impl FoundHere {
    /// What a program keeps on this machine and is new.
    pub(crate) fn of_program(program: &str, (home, context): (&Home, &Context)) -> Vec<Self> {
        let place = Place::of(home, context);
        place.map_or_else(Vec::new, |place| place.kept_by(|own| own == program))
    }

    /// Takes it in, as the owner does with its command.
    pub(crate) fn take(&self, context: &mut Context) -> Result<Exit> {
        let words = self.arguments.iter().map(String::as_str);
        let parsed = Cli::try_parse_from(["openclaw"].into_iter().chain(words));
        let parsed = parsed.map_err(|error| CliError::new(ErrorKind::Usage, error.to_string()))?;
        run_command(parsed.command, context)
    }
}

struct Place<'p, 'a, 'out> {
    context: &'p Context<'a, 'out>,
    home: &'p Home,
    user_home: &'p Path,
    disk: &'p dyn Disk,
    sessions: Vec<SessionName>,
    /// When exports were last imported from a path.
    exports: BTreeMap<PathBuf, Timestamp>,
    /// When memories were last imported from a path.
    memories: BTreeMap<PathBuf, Timestamp>,
}

/// Whether a file has changed since the last import of it or of a folder around it.
fn is_new(file: (&Path, Option<Timestamp>), read_at: &BTreeMap<PathBuf, Timestamp>) -> bool {
    let (path, modified_at) = file;
    let mut read = read_at.iter().filter(|(read, _)| path.starts_with(read));
    !read.any(|(_, at)| modified_at.is_some_and(|modified_at| modified_at <= *at))
}

impl<'p, 'a, 'out> Place<'p, 'a, 'out> {
    /// `None` without a home directory of the user.
    fn of(home: &'p Home, context: &'p Context<'a, 'out>) -> Option<Self> {
        Some(Self {
            context,
            home,
            user_home: context.host.environment.user_home.as_ref()?,
            disk: context.host.disk.as_ref(),
            sessions: context.sessions(home).names().unwrap_or_default(),
            exports: read_at(ImportKind::Conversations, (context, home)),
            memories: read_at(ImportKind::Memories, (context, home)),
        })
    }

    /// The conversations and memories that these programs keep.
    fn kept_by(&self, is_meant: impl Fn(&str) -> bool) -> Vec<FoundHere> {
        let conversations = CONVERSATIONS
            .iter()
            .filter(|(program, ..)| is_meant(program));
        let conversations = conversations
            .filter_map(|(program, folder, format)| self.conversations(program, folder, *format));
        let memories = MEMORIES.iter().filter(|(program, _)| is_meant(program));
        let memories = memories.filter_map(|(program, folder)| self.memories(program, folder));
        conversations.chain(memories).collect()
    }

    /// A folder of the user, if it is there and no home of this program has its notes in it.
    fn folder(&self, below: &str) -> Option<PathBuf> {
        let path = self.user_home.join(below);
        let is_there = matches!(self.disk.stat(&path), Ok(Some(stat)) if stat.is_dir);
        let resolved = self.disk.resolve(&path).ok()?;
        let own = self.disk.resolve(self.home.workspace()).ok()?;
        let is_own = resolved.starts_with(&own) || own.starts_with(&resolved);
        (is_there && !is_own && !self.is_workspace(&resolved)).then_some(path)
    }

    /// Whether a folder is the workspace of a home of this program.
    fn is_workspace(&self, folder: &Path) -> bool {
        let home = folder.parent().map(Home::new);
        home.is_some_and(|home| {
            home.workspace() == folder && matches!(self.disk.stat(&home.user_config()), Ok(Some(_)))
        })
    }

    /// Whether the session of a transcript is here and has changed since, as a hook or an import changes it.
    fn is_here(&self, file: &Path, format: ImportFormat) -> bool {
        let held = held_among(&self.sessions, format, &ids_of_transcript(file));
        held.is_some_and(|name| {
            let session = self.home.root().join(SessionSource::path_of(name));
            self.modified_at(&session) >= self.modified_at(file)
        })
    }

    fn modified_at(&self, file: &Path) -> Option<Timestamp> {
        self.disk.stat(file).ok()??.modified_at
    }

    fn found(&self, what: String, ask: &'static str, arguments: Vec<String>) -> FoundHere {
        let words = arguments.iter().map(|word| shell_word(Path::new(word)));
        let words: Vec<String> = words.collect();
        let command = format!("openclaw {}", words.join(" "));
        FoundHere {
            what,
            command: self.context.output.at_home(&command),
            ask,
            arguments,
        }
    }

    fn conversations(
        &self,
        program: &str,
        folder: &str,
        format: ImportFormat,
    ) -> Option<FoundHere> {
        let path = self.folder(folder)?;
        let mut found = ConversationFiles::default();
        find(self.disk, &path, DEPTH_MAX, &mut found).ok()?;
        let new = found.files.iter().filter(|it| !self.is_here(it, format));
        let n_found = new.count() as u64;
        let what = counted(n_found, "conversation", "conversations");
        let what = format!("{what} of {program} in ~/{folder}");
        let arguments = import_of("session", &path);
        (n_found > 0).then(|| self.found(what, IMPORT, arguments))
    }

    fn memories(&self, program: &str, folder: &str) -> Option<FoundHere> {
        let path = self.folder(folder)?;
        let (found, _) = find_memories(self.disk, &path, None).ok()?;
        let files = found.iter();
        let new = files.filter(|it| is_new((&it.path, it.modified_at), &self.memories));
        let n_found = new.count() as u64;
        let what = counted(n_found, "memory file", "memory files");
        let what = format!("{what} of {program} in ~/{folder}");
        let arguments = import_of("memory", &path);
        (n_found > 0).then(|| self.found(what, IMPORT, arguments))
    }

    /// The vaults that Obsidian lists and that are not part of memory yet.
    fn vaults(&self) -> Vec<FoundHere> {
        let folders = UserFolders {
            disk: self.disk,
            user_home: self.user_home,
            config_home: self.context.host.environment.others.get("XDG_CONFIG_HOME"),
        };
        let settings = self.context.settings_of(self.home).ok();
        let known = settings.map(|it| wiring::note_folders(&it, self.context.host, self.home));
        let is_new = |vault: &PathBuf| {
            let mut known = known.iter().flat_map(|folders| folders.iter());
            !known.any(|folder| folder.root == *vault)
        };
        let vaults = folders.listed_vaults().into_iter().filter(is_new);
        let offers = vaults.map(|vault| {
            let name = vault.file_name().unwrap_or_default().to_string_lossy();
            let n_notes = counted(self.n_notes(&vault), "note", "notes");
            let what = format!("{n_notes} in the Obsidian vault {}", printable(&name));
            let path = vault.display().to_string();
            let arguments = ["connect", "obsidian", &path, "--yes"].map(str::to_owned);
            self.found(what, CONNECT, arguments.into())
        });
        offers.collect()
    }

    fn n_notes(&self, vault: &Path) -> u64 {
        let folder = NoteFolder {
            name: "vault".to_owned(),
            root: vault.to_owned(),
            origin: Origin::Owner,
            ignore: Vec::new(),
        };
        let workspace = self.context.host.workspace(self.home);
        let (notes, _) = workspace.with_folders(vec![folder]).notes();
        let notes = notes.iter().filter(|note| note.path.starts_with("vault/"));
        notes.count() as u64
    }

    /// The exports of chat services among the downloads.
    fn exports(&self) -> Vec<FoundHere> {
        let Some(path) = self.folder(DOWNLOADS) else {
            return Vec::new();
        };
        let inside = self.disk.list(&path).unwrap_or_default().into_iter();
        let folders = inside.map(|name| path.join(name));
        let files = [path.clone()]
            .into_iter()
            .chain(folders)
            .map(|it| it.join(EXPORT));
        let is_file =
            |path: &PathBuf| matches!(self.disk.stat(path), Ok(Some(stat)) if !stat.is_dir);
        let files = files.filter(is_file);
        let files = files.filter(|it| is_new((it, self.modified_at(it)), &self.exports));
        let exports = files.map(|file| {
            let shown = file.strip_prefix(self.user_home).unwrap_or(&file);
            let what = format!(
                "an export of conversations, ~/{}",
                printable(&shown.display().to_string())
            );
            self.found(what, IMPORT, import_of("session", &file))
        });
        exports.collect()
    }
}

const IMPORT: &str = "Import them? [y/N]: ";

const CONNECT: &str = "Read them in place, without copying? [y/N]: ";

fn import_of(noun: &str, path: &Path) -> Vec<String> {
    vec![
        noun.to_owned(),
        "import".to_owned(),
        path.display().to_string(),
    ]
}

/// Asks for each at a terminal whether to import it; otherwise names the commands.
pub(super) fn offer(found: &[FoundHere], context: &mut Context) -> Result<()> {
    if !is_anybody_there(context) {
        for it in found {
            let told = format!("found {}: `{}`", it.what, it.command);
            context.output.tell_aside(&told);
        }
        return Ok(());
    }
    for it in found {
        let question = format!("Found {}.\n{}", it.what, it.ask);
        let Some(answered) = answer(&question, context)? else {
            break;
        };
        if !answered.trim().eq_ignore_ascii_case("y") {
            continue;
        }
        // One that fails is reported and does not stop the others.
        if let Err(error) = it.take(context) {
            context.output.report(&error);
        }
    }
    Ok(())
}
