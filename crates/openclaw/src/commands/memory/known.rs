//! What the commands of memory share: a home, and a bar while the index grows.
//!
//! Makes a home only for what adds to it: a mistyped one would otherwise answer that nothing is known.

use agent::{IndexAccess, Knowledge};
use models::Held;
use search::{Inspection, SyncProblem, SyncProgress};
use serde::Serialize;

use crate::output::Progress;
use crate::prelude::*;
use crate::wiring::ChosenEmbedder;

pub(super) struct MemoryContext {
    pub(super) home: Home,
    pub(super) timezone: Tz,
    access: IndexAccess,
}

impl MemoryContext {
    pub(super) fn find(context: &mut Context) -> Result<Self> {
        let home = context.existing_home()?;
        Self::of(home, context)
    }

    /// Finds the home, for a command that adds to it; one that is new is made.
    pub(super) fn find_or_make(context: &mut Context) -> Result<Self> {
        let home = context.home()?;
        wiring::make_workspace(&context.host.workspace(&home), context)?;
        Self::of(home, context)
    }

    fn of(home: Home, context: &mut Context) -> Result<Self> {
        let config = context.config(&home)?;
        let timezone = context.timezone(&config);
        Ok(Self {
            home,
            timezone,
            access: wiring::access(&config.settings),
        })
    }

    pub(super) fn inspect(&self, context: &Context) -> Result<Inspection> {
        Ok(context.host.inspect(&self.home, self.access)?)
    }

    /// What compares passages by their meaning; it is loaded, so that only what compares any asks for it.
    pub(super) fn embedder(&self, context: &mut Context) -> Result<ChosenEmbedder> {
        wiring::embedder(context, &self.home, Held::FromStart)
    }

    /// Its notes and sessions, to be searched; the index is not opened yet.
    pub(super) fn knowledge(&self, context: &mut Context) -> Result<Knowledge> {
        let chosen = self.embedder(context)?;
        let lack = chosen.lack();
        let knowledge = self.unembedded(context).with_embedder(chosen.embedder);
        Ok(knowledge.lacking(lack))
    }

    /// Its notes and sessions, to be read.
    pub(super) fn unembedded(&self, context: &Context) -> Knowledge {
        context
            .host
            .knowledge(&self.home, self.timezone, self.access)
    }
}

/// Less than this is indexed before a bar could be looked at.
const SHOWN_BYTES_MIN: u64 = 1024 * 1024;

/// A bar that appears once it is known that there is much to do.
pub(crate) struct Bar<'a, 'out> {
    output: &'a Output<'out>,
    stderr: Stream,
    shown: Option<Progress>,
}

impl<'a, 'out> Bar<'a, 'out> {
    pub(crate) fn new(context: &'a Context<'_, 'out>) -> Self {
        Self {
            output: context.output,
            stderr: context.host.environment.stderr,
            shown: None,
        }
    }

    pub(crate) fn tell(&mut self, progress: SyncProgress) {
        if progress.n_bytes_total < SHOWN_BYTES_MIN {
            return;
        }
        let n_total = progress.n_total as u64;
        let start = || Progress::start("indexing", n_total, self.output, self.stderr);
        let bar = self.shown.get_or_insert_with(start);
        bar.set(progress.n_done as u64);
    }
}

/// Why a note is left out that could be read.
const OUTSIDE: &str =
    "it is a link that leads out of the workspace, and is not followed; copy the file in its place";

/// A file or session that could not be read.
#[derive(Serialize)]
pub(super) struct Unreadable {
    pub(super) path: String,
    pub(super) message: String,
    /// Whether it was left out because it leads out of the workspace.
    #[serde(skip)]
    pub(super) is_outside: bool,
}

/// What could not be read, as it is told.
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
