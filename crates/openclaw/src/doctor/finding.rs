//! One thing that is wrong, what to do about it, and doing it.
//!
//! Takes the locks that everybody takes; what is in use is left for another time.

use memory::finish_forgetting;
use models::Held;

use crate::prelude::*;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Weight {
    /// Worth knowing; nothing is wrong.
    Note,
    Warning,
    /// Something does not work, or data is damaged.
    Problem,
}

impl Weight {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Problem => "problem",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) weight: Weight,
    /// What kind it is, for programs.
    pub(crate) code: &'static str,
    /// Where, where that is a place.
    pub(crate) place: Option<String>,
    pub(crate) message: String,
    pub(crate) hint: String,
    /// What `--fix` does about it.
    pub(crate) mend: Option<Mend>,
}

impl Finding {
    /// What kept a look from being taken.
    pub(crate) fn unread(home: &Home, error: &CliError) -> Self {
        let hint = "give it back to your user, or move it away and run `openclaw doctor` again";
        let finding = Self::of_failure("unreadable", error, hint);
        // The place stands for itself, before what is wrong with it.
        let root = format!("{}/", home.root().display());
        Self {
            message: finding.message.replace(&root, ""),
            ..finding
        }
    }

    /// A failure that is found, with its first hint, or another where it has none.
    pub(super) fn of_failure(code: &'static str, error: &CliError, hint: &str) -> Self {
        let hint = error.hints.first().map_or(hint, String::as_str);
        Self::new(Weight::Problem, code, error.one_line(), hint)
    }

    /// Something that is wrong nowhere in particular, and that the owner has to decide about.
    pub(super) fn new(
        weight: Weight,
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
        }
    }

    pub(super) fn at(self, place: impl Into<String>) -> Self {
        let place = Some(place.into());
        Self { place, ..self }
    }

    /// The same, which `--fix` mends.
    pub(super) fn mended_by(self, mend: Mend) -> Self {
        let (hint, mend) = ("openclaw doctor --fix".to_owned(), Some(mend));
        Self { hint, mend, ..self }
    }

    /// The findings of a look, or what kept it from being taken.
    pub(crate) fn of_look(home: &Home, found: Result<impl IntoIterator<Item = Self>>) -> Vec<Self> {
        match found {
            Ok(findings) => findings.into_iter().collect(),
            Err(error) => vec![Self::unread(home, &error)],
        }
    }
}

/// What can be mended without a decision of the owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Mend {
    /// Others may read it no more.
    MakePrivate(PathBuf),
    /// The torn end of a transcript goes into quarantine.
    CutTornEnd(SessionName),
    /// A file that a crash left half written goes.
    Remove(PathBuf),
    /// Lines that are forgotten already are taken out of their files.
    FinishForgetting,
    /// The index is made to say what notes and transcripts say.
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
            // Beginning a turn makes the file whole.
            drop(store.begin_turn(name, wiring::resume_limit(&config))?);
            Ok(())
        }
        Mend::FinishForgetting => Ok(finish_forgetting(
            &context.host.workspace(home),
            context.host.clock.now(),
        )?),
        Mend::Index => {
            let config = context.config(home)?;
            let timezone = context.timezone(&config);
            let access = wiring::access(&config.settings);
            let embedder = wiring::embedder(context, home, Held::FromStart)?.embedder;
            let knowledge = context
                .host
                .knowledge(home, timezone, access)
                .with_embedder(embedder);
            knowledge.sync(&mut |_| {})?;
            Ok(())
        }
    }
}
