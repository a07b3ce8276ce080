//! What the commands of dreams share: a home that is there, and its desk.
//!
//! Makes no home.

use base::Tz;
use memory::Workspace;
use memory::candidates::{Desk, Review};

use crate::app::Context;
use crate::assistant;
use crate::error::{CliError, ErrorKind};
use crate::home::Home;

/// A home that is there.
pub(super) struct Known {
    pub(super) home: Home,
    pub(super) timezone: Tz,
    workspace: Workspace,
    is_sandboxed: bool,
}

impl Known {
    /// Finds the home.
    ///
    /// # Errors
    ///
    /// Where there is none, or a setting is wrong.
    pub(super) fn find(context: &mut Context<'_, '_>) -> Result<Self, CliError> {
        let home = context.home()?;
        if context.host.disk.stat(home.root())?.is_none() {
            let message = format!("there is no home at {}", home.root().display());
            return Err(CliError::new(ErrorKind::NotFound, message)
                .hint("make it with `openclaw init`, or name another one with `--home DIR`"));
        }
        let config = context.config(&home)?;
        let timezone = context.timezone(&config);
        let workspace = assistant::workspace(context.host, &home);
        Ok(Self {
            home,
            timezone,
            workspace,
            is_sandboxed: config.settings.sandbox.read_only,
        })
    }

    /// Its desk to look at: what the owner decided in `DREAMS.md` is taken in and told, but in a sandbox.
    ///
    /// # Errors
    ///
    /// Where memory or candidates cannot be read.
    pub(super) fn desk_to_read(&self, context: &mut Context<'_, '_>) -> Result<Desk<'_>, CliError> {
        if self.is_sandboxed {
            let now = context.host.clock.now();
            return Ok(Desk::open(&self.workspace, now, Review::LeaveAsIs)?);
        }
        self.desk(context)
    }

    /// Its desk; what the owner decided in `DREAMS.md` is taken in and told.
    ///
    /// # Errors
    ///
    /// Where memory or candidates cannot be read, and in a sandbox.
    pub(super) fn desk(&self, context: &mut Context<'_, '_>) -> Result<Desk<'_>, CliError> {
        context.refuse_in_sandbox("a decision about what dreams found")?;
        let desk = Desk::open(&self.workspace, context.host.clock.now(), Review::TakeIn)?;
        let taken = desk.taken_in();
        let parts = [
            (taken.accepted.len(), "accepted"),
            (taken.rejected.len(), "rejected"),
            (taken.reworded.len(), "reworded"),
        ];
        for (n_candidates, what) in parts {
            if n_candidates > 0 {
                let text = format!("DREAMS.md: you {what} {n_candidates} of the candidates\n");
                context.output.tell(&text);
            }
        }
        for id in desk.unclear() {
            let text = format!(
                "DREAMS.md: the status of {id} is none of pending, accepted and rejected; it waits"
            );
            context.output.warn(&text);
        }
        Ok(desk)
    }
}
