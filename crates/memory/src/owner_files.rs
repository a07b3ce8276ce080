//! The table of the owner's files in the workspace: a new file is one row, and a template in `workspace-template/`.
//!
//! Reads and writes nothing.

/// Who may see a file in a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Audience {
    EverySession,
    /// Only the primary session: the file is private.
    PrimarySession,
}

/// A file that `init` creates for the owner to write in.
pub(crate) struct OwnerFile {
    pub(crate) name: &'static str,
    /// The content until the owner writes in it.
    pub(crate) template: &'static str,
    /// Which sessions have it in the stable part of their prompt; `None` for no session.
    pub(crate) audience: Option<Audience>,
    /// Whether search covers it. A file that steers the program answers no question.
    pub(crate) is_searched: bool,
}

macro_rules! owner_file {
    ($name:literal, $audience:expr, is_searched: $is_searched:literal) => {
        OwnerFile {
            name: $name,
            template: include_str!(concat!("../../../workspace-template/", $name)),
            audience: $audience,
            is_searched: $is_searched,
        }
    };
}

/// All of them, in the order in which `init` creates them.
pub(crate) const OWNER_FILES: [OwnerFile; 6] = [
    owner_file!("AGENTS.md", Some(Audience::EverySession), is_searched: false),
    owner_file!("SOUL.md", Some(Audience::EverySession), is_searched: false),
    owner_file!("USER.md", Some(Audience::PrimarySession), is_searched: true),
    owner_file!("HEARTBEAT.md", Some(Audience::EverySession), is_searched: false),
    owner_file!("MEMORY.md", Some(Audience::PrimarySession), is_searched: true),
    owner_file!("DREAMS.md", None, is_searched: false),
];

/// The files in the stable part of a prompt, in order: first those that every session has, so that sessions share the
/// beginning of their prompts.
pub(crate) fn prompt_files() -> impl Iterator<Item = (&'static str, Audience)> {
    let audiences = [Audience::EverySession, Audience::PrimarySession].into_iter();
    audiences.flat_map(|audience| {
        let files = OWNER_FILES.into_iter();
        let files = files.filter(move |file| file.audience == Some(audience));
        files.map(move |file| (file.name, audience))
    })
}

/// The names of the files that search leaves out.
pub(crate) fn unsearched_files() -> impl Iterator<Item = &'static str> {
    let files = OWNER_FILES.into_iter().filter(|file| !file.is_searched);
    files.map(|file| file.name)
}
