//! Shared by the memory commands: the home, and a progress bar for the index.
//!
//! Creates a home only for commands that add to it: a mistyped one would look like an empty memory.

use agent::{IndexAccess, Knowledge};
use cli::output::ProgressMeter;
use cli::wiring::ChosenEmbedder;
use memory::NoteFolder;
use models::ModelLoad;
use search::{SyncProblem, SyncProgress};
use serde::Serialize;

use crate::prelude::*;

pub(super) struct MemoryContext {
    pub(super) home: Home,
    pub(super) timezone: Tz,
    pub(super) access: IndexAccess,
    /// Folders of notes elsewhere.
    pub(super) folders: Arc<[NoteFolder]>,
}

impl MemoryContext {
    pub(super) fn find(context: &mut Context) -> Result<Self> {
        let home = context.existing_home()?;
        Self::of(home, context)
    }

    /// Finds or creates the home, for a command that adds to it.
    pub(super) fn find_or_make(context: &mut Context) -> Result<Self> {
        let home = context.home()?;
        wiring::make_workspace(&context.host.workspace(&home), context)?;
        Self::of(home, context)
    }

    fn of(home: Home, context: &mut Context) -> Result<Self> {
        let config = context.config(&home)?;
        let timezone = context.timezone(&config);
        Ok(Self {
            timezone,
            access: wiring::access(&config.settings),
            folders: wiring::note_folders(&config.settings, context.host, &home),
            home,
        })
    }

    /// Whether a path begins with the name of a folder of notes elsewhere.
    pub(super) fn is_elsewhere(&self, path: &str) -> bool {
        let mut folders = self.folders.iter();
        let first = path.split('/').next();
        folders.any(|folder| first == Some(&*folder.name))
    }

    /// The embedder; loads its model at once, so call it only to compare passages.
    pub(super) fn embedder(&self, context: &mut Context) -> Result<ChosenEmbedder> {
        wiring::embedder(context, &self.home, ModelLoad::FromStart)
    }

    /// The notes and sessions for a search; does not open the index yet.
    pub(super) fn knowledge(&self, context: &mut Context) -> Result<Knowledge> {
        let chosen = self.embedder(context)?;
        Ok(chosen.equip(self.unembedded(context)))
    }

    /// The notes and sessions without an embedder, for reading.
    pub(super) fn unembedded(&self, context: &Context) -> Knowledge {
        context.host.knowledge(
            &self.home,
            Arc::clone(&self.folders),
            (self.timezone, self.access),
        )
    }
}

/// A smaller sync is over before anyone could look at a bar.
const SHOWN_BYTES_MIN: u64 = 1024 * 1024;

/// A progress bar that appears only for a large sync.
pub(crate) struct Bar<'a, 'out> {
    output: &'a Output<'out>,
    shown: Option<ProgressMeter>,
}

impl<'a, 'out> Bar<'a, 'out> {
    pub(crate) fn new(context: &'a Context<'_, 'out>) -> Self {
        Self {
            output: context.output,
            shown: None,
        }
    }

    pub(crate) fn tell(&mut self, progress: SyncProgress) {
        if progress.n_bytes_total < SHOWN_BYTES_MIN {
            return;
        }
        let n_total = progress.n_total as u64;
        let start = || ProgressMeter::start("indexing", n_total, self.output);
        let bar = self.shown.get_or_insert_with(start);
        bar.set(progress.n_done as u64);
    }
}

/// Why a readable note is left out.
const OUTSIDE: &str =
    "it is a link out of the workspace and is not followed; replace it with a copy of the file";

/// A file or session that could not be read.
#[derive(Serialize)]
pub(super) struct Unreadable {
    pub(super) path: String,
    pub(super) message: String,
    /// Whether it was left out because it leads out of the workspace.
    #[serde(skip)]
    pub(super) is_outside: bool,
}

/// Describes the files that could not be read.
pub(super) fn unreadable(problems: &[SyncProblem]) -> Vec<Unreadable> {
    let told = problems.iter().map(|problem| {
        let is_outside = problem.error.is_outside();
        let message = if is_outside {
            OUTSIDE.to_owned()
        } else {
            CliError::from_error(ErrorKind::Disk, &problem.error).one_line()
        };
        Unreadable {
            path: problem.path.clone(),
            message,
            is_outside,
        }
    });
    told.collect()
}
