//! A finding of `doctor`, its hint, and its automatic fix.
//!
//! Fixes take the usual locks; one whose files are in use fails and can be repeated.

use agent::relocate;
use memory::finish_forgetting;
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
        let hint =
            "make it readable for your user, or move it away and run `openclaw doctor` again";
        let finding = Self::of_failure("unreadable", error, hint);
        // Show paths relative to the home, as in other findings.
        let root = format!("{}/", home.root().display());
        Self {
            message: finding.message.replace(&root, ""),
            ..finding
        }
    }

    /// A finding for an error, with the error's first hint, or `hint` if it has none.
    pub(super) fn of_failure(code: &'static str, error: &CliError, hint: &str) -> Self {
        let hint = error.hints.first().map_or(hint, String::as_str);
        Self::new(FindingWeight::Problem, code, error.one_line(), hint)
    }

    /// A finding without a place or an automatic fix.
    pub(super) fn new(
        weight: FindingWeight,
        code: &'static str,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Self {
            weight,
            code,
            place: None,
            message: message.into(),
            hint: hint.into(),
            mend: None,
            is_fixed: false,
        }
    }

    pub(super) fn at(self, place: impl Into<String>) -> Self {
        let place = Some(place.into());
        Self { place, ..self }
    }

    /// Sets the fix that `--fix` applies, and the hint to run it.
    pub(super) fn mended_by(self, mend: Mend) -> Self {
        let (hint, mend) = ("`openclaw doctor --fix`".to_owned(), Some(mend));
        Self { hint, mend, ..self }
    }

    /// The findings of a check, or one finding if the check failed.
    pub(crate) fn of_look<E: Into<CliError>>(
        home: &Home,
        found: Result<impl IntoIterator<Item = Self>, E>,
    ) -> Vec<Self> {
        match found {
            Ok(findings) => findings.into_iter().collect(),
            Err(error) => vec![Self::unread(home, &error.into())],
        }
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
    FinishForgetting,
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
        Mend::FinishForgetting => Ok(finish_forgetting(
            &context.host.workspace(home),
            context.host.clock.now(),
        )?),
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
