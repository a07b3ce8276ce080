//! Reads every byte of a home.
//!
//! Follows no link out of the home.

use std::path::{Path, PathBuf};

use base::disk::{DiskError, FileStat};
use base::{Disk, Timestamp, counted, day};
use chrono::TimeDelta;
use session::SessionName;

use super::place::{FileKind, Kept, ProofPlace, ProofReply};
use super::sought::{PIECE_CHARS_MIN, Sought};
use crate::knowledge::session_source::SessionSource;
use crate::runtime::HomeAccess;

/// What no program can look at from here.
const OUTSIDE: [&str; 4] = [
    "not looked at: backups, copies that other programs have synced, and free blocks of the disk",
    "not looked at: what a model's provider or a connected program has received",
    "files are compared byte by byte in UTF-8 and as JSON; compressed, encrypted and otherwise encoded files are not decoded",
    "hashes of the text stay in state/tombstones.jsonl and state/notes.jsonl: they recognise the text and do not contain it",
];

/// Reads every file of a home, and says which still have what is sought, and until when those keep it that hide what was
/// forgotten at `forgotten_at`.
///
/// # Errors
///
/// [`DiskError`] if the home cannot be listed.
pub fn prove(
    home: &HomeAccess,
    sought: &Sought,
    forgotten_at: Option<Timestamp>,
) -> Result<ProofReply, DiskError> {
    let disk = home.sessions.disk();
    let layout = home.workspace.layout();
    let mut reply = ProofReply {
        files: 0,
        bytes: 0,
        pieces: sought.n_pieces(),
        short: sought.n_short(),
        found: Vec::new(),
        unread: Vec::new(),
        outside: OUTSIDE.map(str::to_owned).to_vec(),
    };
    reply.outside.extend(not_sought(sought));
    let mut files = Files::default();
    files.below(&*disk, layout.root())?;
    files.all.sort_by(|one, other| one.0.cmp(&other.0));
    for (path, stat) in &files.all {
        let shown = path.strip_prefix(layout.root()).unwrap_or(path);
        let shown = shown.display().to_string();
        let read = disk
            .open(path)
            .and_then(|file| sought.in_file(&*file, &mut reply.bytes));
        let Ok(found) = read else {
            reply.unread.push(shown);
            continue;
        };
        reply.files += 1;
        if let Some(found) = found {
            let kind = FileKind::of(path, layout);
            let session = SessionSource::name_of(&shown);
            // A disk without times has just written everything.
            let copied_at = stat.modified_at.unwrap_or_else(|| home.clock.now());
            let until = until(kind, (copied_at, forgotten_at));
            let until = until.map(|until| day(until, home.timezone));
            reply.found.push(ProofPlace {
                line: found.first_line,
                places: found.n_places,
                why: kind.why(session.as_ref().map(SessionName::as_str), &home.invocation),
                until,
                path: shown,
            });
        }
    }
    let folders = home.workspace.folders().iter();
    let links = files.links.iter().map(|it| it.display().to_string());
    let elsewhere = folders
        .map(|folder| folder.root.display().to_string())
        .chain(links);
    reply
        .outside
        .extend(elsewhere.map(|path| format!("not looked at: {path}, which lies elsewhere")));
    Ok(reply)
}

/// A sentence about what was not looked for.
fn not_sought(sought: &Sought) -> Option<String> {
    let n_short = sought.n_short();
    let short = counted(n_short as u64, "sentence", "sentences");
    (n_short > 0).then(|| {
        format!("not looked for: {short} of fewer than {PIECE_CHARS_MIN} characters, which occur by chance")
    })
}

/// When the program deletes a text from a file by itself.
pub(super) fn until(
    kind: FileKind,
    (copied_at, forgotten_at): (Timestamp, Option<Timestamp>),
) -> Option<Timestamp> {
    match kind.kept()? {
        Kept::AfterCopy(days) => Some(copied_at + TimeDelta::days(days)),
        Kept::AfterForget(days) => Some(forgotten_at? + TimeDelta::days(days)),
    }
}

/// The files of a home.
#[derive(Default)]
struct Files {
    all: Vec<(PathBuf, FileStat)>,
    /// Links that lead elsewhere.
    links: Vec<PathBuf>,
}

impl Files {
    fn below(&mut self, disk: &dyn Disk, directory: &Path) -> Result<(), DiskError> {
        let real = disk.resolve(directory)?;
        for name in disk.list(directory)? {
            let path = directory.join(&name);
            if disk.resolve(&path)? != real.join(&name) {
                self.links.push(path);
                continue;
            }
            match disk.stat(&path)? {
                Some(stat) if stat.is_dir => self.below(disk, &path)?,
                Some(stat) => self.all.push((path, stat)),
                None => self.links.push(path),
            }
        }
        Ok(())
    }
}
