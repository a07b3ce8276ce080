//! The kinds of findings of `doctor`, a finding with its hint, and its automatic fix.
//!
//! Fixes take the usual locks; one whose files are in use fails and can be repeated.

use agent::relocate;
use memory::sweep;
use models::ModelLoad;
use serde::Serialize;

use crate::prelude::*;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum FindingWeight {
    /// Worth knowing; nothing is wrong.
    Note,
    Warning,
    /// Something does not work, or data is damaged.
    Problem,
}

impl FindingWeight {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Problem => "problem",
        }
    }
}

/// A kind of finding: a row of the table of checks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CheckRow {
    /// Its name, for programs.
    pub(crate) code: &'static str,
    /// The condition that holds if the check finds nothing.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "a test prints the page of checks")
    )]
    pub(crate) checks: &'static str,
    /// The usual weight of a finding; some findings of the kind weigh more or less.
    pub(crate) weight: FindingWeight,
    /// What the owner does about it, unless the finding gives a more specific step.
    pub(crate) fix: &'static str,
}

/// The fix of a kind that `--fix` repairs.
pub(super) const AUTOMATIC: &str = "`openclaw doctor --fix`";

/// The fix of a kind that a changed setting repairs.
pub(super) const SHOW_SETTINGS: &str = "`openclaw config show`";

/// Something in the home cannot be read, so a check cannot run.
pub(super) const UNREADABLE: CheckRow = CheckRow {
    code: "unreadable",
    checks: "Everything in the home can be read.",
    weight: FindingWeight::Problem,
    fix: "make it readable for your user, or move it away and run `openclaw doctor` again",
};

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct DoctorFinding {
    pub(crate) weight: FindingWeight,
    /// The kind, for programs.
    pub(crate) code: &'static str,
    /// The path and line, if it has one.
    pub(crate) place: Option<String>,
    pub(crate) message: String,
    pub(crate) hint: String,
    /// How `--fix` repairs it.
    #[serde(skip)]
    pub(crate) mend: Option<Mend>,
    /// Whether `--fix` has repaired it.
    #[serde(rename = "fixed")]
    pub(crate) is_fixed: bool,
}

impl DoctorFinding {
    /// A check that failed because something cannot be read.
    pub(crate) fn unread(home: &Home, error: &CliError) -> Self {
        let finding = Self::of_failure(&UNREADABLE, error);
        // Show paths relative to the home, as in other findings.
        let root = format!("{}/", home.root().display());
        Self {
            message: finding.message.replace(&root, ""),
            ..finding
        }
    }

    /// A finding for an error, with the error's first hint if it has one.
    pub(super) fn of_failure(kind: &CheckRow, error: &CliError) -> Self {
        let finding = Self::new(kind, error.one_line());
        match error.hints.first() {
            Some(hint) => finding.with_hint(hint),
            None => finding,
        }
    }

    /// A finding without a place or an automatic fix.
    pub(super) fn new(kind: &CheckRow, message: impl Into<String>) -> Self {
        Self {
            weight: kind.weight,
            code: kind.code,
            place: None,
            message: message.into(),
            hint: kind.fix.to_owned(),
            mend: None,
            is_fixed: false,
        }
    }

    pub(super) fn at(self, place: impl Into<String>) -> Self {
        let place = Some(place.into());
        Self { place, ..self }
    }

    /// Adds the next step for this particular finding.
    pub(super) fn with_hint(self, hint: impl Into<String>) -> Self {
        let hint = hint.into();
        Self { hint, ..self }
    }

    /// A weight other than the usual one of its kind.
    pub(super) fn with_weight(self, weight: FindingWeight) -> Self {
        Self { weight, ..self }
    }

    /// Sets the fix that `--fix` applies.
    pub(super) fn mended_by(self, mend: Mend) -> Self {
        let mend = Some(mend);
        Self { mend, ..self }
    }
}

/// A repair that needs no decision from the owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Mend {
    /// Remove other users' access.
    MakePrivate(PathBuf),
    /// Move a transcript's torn end into quarantine.
    CutTornEnd(SessionName),
    /// Remove a temporary file left by a crash.
    Remove(PathBuf),
    /// Remove forgotten lines that are still in their files.
    SweepForgotten,
    /// Move a session, with its notes, to the name that has the scope of its repository.
    Relocate(SessionName, SessionName),
    /// Sync the index with notes and transcripts.
    Index,
}

pub(crate) fn mend(mend: &Mend, home: &Home, context: &mut Context) -> Result<()> {
    let disk = Arc::clone(&context.host.disk);
    match mend {
        Mend::MakePrivate(path) => Ok(disk.make_private(path)?),
        Mend::Remove(path) => Ok(base::disk::remove(&*disk, path)?),
        Mend::CutTornEnd(name) => {
            let config = context.config(home)?;
            let store = context.sessions(home);
            // Beginning a turn repairs the file.
            drop(store.begin_turn(name, wiring::resume_limit(&config))?);
            Ok(())
        }
        Mend::SweepForgotten => {
            let workspace = context.host.workspace(home);
            // Unreadable candidates are a finding of their own.
            sweep(&workspace, context.host.clock.now())?;
            Ok(())
        }
        Mend::Relocate(name, wanted) => {
            let store = context.sessions(home);
            relocate(&store, &context.host.workspace(home), name, wanted)?;
            // The index still has the session at its old place.
            sync_index(home, context)
        }
        Mend::Index => sync_index(home, context),
    }
}

/// Syncs the index with notes and transcripts.
pub(crate) fn sync_index(home: &Home, context: &mut Context) -> Result<()> {
    let knowledge = context.knowledge(home)?;
    let embedder = wiring::embedder(context, home, ModelLoad::FromStart)?.embedder;
    knowledge.with_embedder(embedder).sync(&mut |_| {})?;
    Ok(())
}
