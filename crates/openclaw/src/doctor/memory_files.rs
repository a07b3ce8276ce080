//! Checks memory: invalid UTF-8, secrets, missing evidence, the review page, unfinished forgetting, the index.
//!
//! Never prints a secret that it finds.

use std::collections::{BTreeSet, HashMap};

use agent::IndexAccess;
use base::disk::{DiskError, read_some};
use base::layout::no_data;
use base::{EntryId, shell_word};
use memory::candidates::check_records;
use memory::curated::{LineOwner, memory_lines};
use memory::{Misread, file_lines, ledger_state, left_standing, load_tombstones, note_paths};
use search::Inspection;
use session::LineContent;

use super::finding::{AUTOMATIC, CheckRow, DoctorFinding, FindingWeight, Mend};
use crate::prelude::*;

/// The most bytes of a note that are read.
const NOTE_BYTES_MAX: u64 = 16 * 1024 * 1024;

pub(super) const NOT_UTF8: CheckRow = CheckRow {
    code: "notUtf8",
    checks: "Each line of a note is valid UTF-8.",
    weight: FindingWeight::Warning,
    fix: "rewrite the line in an editor, or convert the whole file with `iconv`",
};

pub(super) const SECRET: CheckRow = CheckRow {
    code: "secret",
    checks: "No line of a note seems to contain a secret.",
    weight: FindingWeight::Warning,
    fix: "remove it in an editor, or hide it with `openclaw memory forget FILE:LINE`",
};

pub(super) const EVIDENCE: CheckRow = CheckRow {
    code: "evidenceGone",
    checks: "The evidence of each line of `MEMORY.md` exists.",
    weight: FindingWeight::Warning,
    fix: "keep it, or forget it with `openclaw memory forget MEMORY.md:LINE`",
};

const NOTE_RECORDS_DAMAGED: CheckRow = CheckRow {
    code: "noteRecordsDamaged",
    checks: "Each record about a line of a note can be read.",
    weight: FindingWeight::Warning,
    fix: RESTORE_RECORDS,
};

const NOTE_RECORDS_LOST: CheckRow = CheckRow {
    code: "noteRecordsLost",
    checks: "Each line of a note that ends in a mark has its record.",
    weight: FindingWeight::Warning,
    fix: RESTORE_RECORDS,
};

const RESTORE_RECORDS: &str = "restore state/notes.jsonl from a backup; no line of a note is lost";

pub(super) const NOTE_RECORDS: [CheckRow; 2] = [NOTE_RECORDS_DAMAGED, NOTE_RECORDS_LOST];

const REVIEW_PAGE: CheckRow = CheckRow {
    code: "reviewPage",
    checks: "Each block of the review page can be read.",
    weight: FindingWeight::Warning,
    fix: "fix it in an editor; `openclaw dream list` shows what waits",
};

const DREAM_RECORDS: CheckRow = CheckRow {
    code: "dreamRecords",
    checks: "The records of dreams can be read.",
    weight: FindingWeight::Problem,
    fix: "restore `state/dreams` from a backup",
};

pub(super) const REVIEW: [CheckRow; 2] = [REVIEW_PAGE, DREAM_RECORDS];

const STILL_STANDING: CheckRow = CheckRow {
    code: "stillStanding",
    checks: "Each forgotten line of ours is gone from its file.",
    weight: FindingWeight::Warning,
    fix: AUTOMATIC,
};

const TOMBSTONES: CheckRow = CheckRow {
    code: "tombstones",
    checks: "The records of forgotten texts can be read.",
    weight: FindingWeight::Problem,
    fix: "restore `state/tombstones.jsonl` from a backup",
};

pub(super) const FORGOTTEN: [CheckRow; 2] = [STILL_STANDING, TOMBSTONES];

pub(super) const INDEX: CheckRow = CheckRow {
    code: "index",
    checks: "The index is complete and can be read.",
    weight: FindingWeight::Problem,
    fix: "`openclaw memory index`",
};

/// Lines that are not UTF-8.
pub(super) fn utf8(context: &Context, home: &Home) -> Result<Vec<DoctorFinding>> {
    let misread = context.host.workspace(home).misread_files()?;
    let finding = |Misread { path, line }: Misread| {
        let full = home.workspace().join(path.as_str());
        let what = "this line has bytes that are not UTF-8; the rest is read";
        let hint = format!(
            "rewrite the line in an editor, or convert the whole file: \
             `iconv -f {} -t UTF-8 {} > converted.md`",
            encoding(context, &full),
            shell_word(&full)
        );
        let finding = DoctorFinding::new(&NOT_UTF8, what).with_hint(hint);
        finding.at(format!("workspace/{path}:{line}"))
    };
    Ok(misread.into_iter().map(finding).collect())
}

/// The source encoding for `iconv`: UTF-16 if the file has its byte order mark, else the usual one before UTF-8.
fn encoding(context: &Context, path: &Path) -> &'static str {
    let mut mark = [0; 2];
    let file = context.host.disk.open(path);
    match file.and_then(|file| file.read_at(0, &mut mark)) {
        Ok(_) if [[0xff, 0xfe], [0xfe, 0xff]].contains(&mark) => "UTF-16",
        Ok(_) | Err(_) => "WINDOWS-1252",
    }
}

/// The text of a workspace file; `None` if it does not exist, or is not a file, which another check reports.
fn text(context: &Context, home: &Home, relative: &str) -> Result<Option<String>, DiskError> {
    let path = home.workspace().join(relative);
    let bytes = match read_some(context.host.disk.as_ref(), &path, NOTE_BYTES_MAX) {
        Err(error) if no_data(&error).is_some() => None,
        read => read?,
    };
    Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}

/// Lines that seem to hold a key or password.
pub(super) fn secrets(context: &Context, home: &Home) -> Vec<DoctorFinding> {
    let workspace = context.host.workspace(home);
    let mut findings = Vec::new();
    for path in note_paths(&workspace) {
        let path = path.to_string();
        let text = match text(context, home, &path) {
            Ok(text) => text.unwrap_or_default(),
            // Report an unreadable file and check the others.
            Err(error) => {
                findings.push(DoctorFinding::unread(home, &error.into()));
                continue;
            }
        };
        for (number, line) in workspace.read_note(&path, &text).numbered() {
            if base::redact(line.text()) != line.text() {
                let what = "this line seems to contain a secret";
                let place = format!("{path}:{number}");
                let hint = format!(
                    "remove it in an editor, or hide it with `openclaw memory forget {place}`"
                );
                let finding = DoctorFinding::new(&SECRET, what).with_hint(hint);
                findings.push(finding.at(format!("workspace/{place}")));
            }
        }
    }
    findings
}

/// Lines of ours in `MEMORY.md` whose evidence is gone.
pub(super) fn evidence(context: &Context, home: &Home) -> Result<Vec<DoctorFinding>> {
    let Some(curated) = text(context, home, "MEMORY.md")? else {
        return Ok(Vec::new());
    };
    let store = context.sessions(home);
    let mut known = KnownEvidence {
        store: &store,
        files: HashMap::new(),
    };
    let workspace = context.host.workspace(home);
    // Unreadable tombstones are a separate finding.
    let tombstones = load_tombstones(&workspace).unwrap_or_default();
    let mut findings = Vec::new();
    for line in memory_lines(&workspace.read_note("MEMORY.md", &curated)) {
        let LineOwner::Ours { evidence, .. } = &line.owner else {
            continue;
        };
        let place = format!("MEMORY.md:{}", line.number);
        let entries: Vec<EntryId> = evidence
            .iter()
            .map(|own| EntryId::new(own.key.as_str()))
            .collect();
        // A finding of its own.
        if tombstones.hides_note(&line.text, &entries) {
            continue;
        }
        let mut is_there = false;
        for reference in evidence {
            is_there |= known.holds(context, home, (&reference.path, &reference.key))?;
        }
        if !is_there && !evidence.is_empty() {
            let what = "its evidence no longer exists";
            let hint = format!("keep it, or forget it with `openclaw memory forget {place}`");
            let finding = DoctorFinding::new(&EVIDENCE, what).with_hint(hint);
            findings.push(finding.at(format!("workspace/{place}")));
        }
    }
    Ok(findings)
}

/// Caches the evidence keys of each file, so that each file is read once.
struct KnownEvidence<'a> {
    store: &'a SessionStore,
    files: HashMap<String, BTreeSet<String>>,
}

impl KnownEvidence<'_> {
    fn holds(&mut self, context: &Context, home: &Home, (path, key): (&str, &str)) -> Result<bool> {
        if !self.files.contains_key(path) {
            let keys = self.read(context, home, path)?;
            self.files.insert(path.to_owned(), keys);
        }
        let keys = self.files.get(path);
        // A `~` key is the hash of a line written by hand, which no key set holds: only its file must exist.
        Ok(keys
            .is_some_and(|keys| keys.contains(key) || (key.starts_with('~') && !keys.is_empty())))
    }

    fn read(&self, context: &Context, home: &Home, path: &str) -> Result<BTreeSet<String>> {
        let Some(name) = agent::SessionSource::name_of(path) else {
            if let Some(keys) = keys_elsewhere(context, home, path) {
                return Ok(keys);
            }
            let text = text(context, home, path)?.unwrap_or_default();
            let workspace = context.host.workspace(home);
            let note = workspace.read_note(path, &text);
            let ids = note.lines().iter();
            let ids = ids.filter_map(|line| line.id().map(str::to_owned));
            let by_hand = (!text.is_empty()).then(String::new);
            return Ok(ids.chain(by_hand).collect());
        };
        let mut ids = BTreeSet::new();
        if let Ok(lines) = self.store.lines(&name) {
            for line in lines {
                if let LineContent::Entry(entry) = line?.content {
                    ids.insert(entry.id.to_string());
                }
            }
        }
        Ok(ids)
    }
}

/// The key set of a note in a folder elsewhere, whose lines are all written by hand; `None` for any other note.
fn keys_elsewhere(context: &Context, home: &Home, path: &str) -> Option<BTreeSet<String>> {
    let settings = context.settings_of(home).ok()?;
    let folders = wiring::note_folders(&settings, context.host, home);
    let workspace = context.host.workspace(home).with_folders(folders);
    workspace.folder_of(path)?;
    let is_there = file_lines(&workspace, &path.parse().ok()?, None).is_ok();
    Some(BTreeSet::from_iter(is_there.then(String::new)))
}

/// Records about lines of notes that are lost or cannot be read.
pub(super) fn note_records(context: &Context, home: &Home) -> Result<Vec<DoctorFinding>> {
    let state = ledger_state(&context.host.workspace(home))?;
    let finding = |kind, what: String| DoctorFinding::new(kind, what).at("state/notes.jsonl");
    let (n_damaged, n_unknown) = (state.n_damaged as u64, state.n_unknown as u64);
    let damaged = (n_damaged > 0).then(|| {
        let records = counted(n_damaged, "record about notes", "records about notes");
        finding(&NOTE_RECORDS_DAMAGED, format!("{records} cannot be read"))
    });
    let unknown = (n_unknown > 0).then(|| {
        let lines = counted(n_unknown, "line of a note has", "lines of notes have");
        let what = format!("{lines} no record; without it a line counts as the assistant's");
        finding(&NOTE_RECORDS_LOST, what)
    });
    Ok(damaged.into_iter().chain(unknown).collect())
}

/// A review page or dream records that cannot be read.
pub(super) fn review(context: &Context, home: &Home) -> Result<Vec<DoctorFinding>> {
    let page = review_page(context, home)?;
    let records = dream_records(context, home);
    Ok(page.into_iter().chain(records).collect())
}

/// A review page whose decisions cannot be read.
fn review_page(context: &Context, home: &Home) -> Result<Option<DoctorFinding>> {
    let Some(text) = text(context, home, "DREAMS.md")? else {
        return Ok(None);
    };
    let parsed = memory::dreams_file::parse(&text);
    let is_sound = text.trim().is_empty() || parsed.is_whole || parsed.blocks().next().is_none();
    let what = "a block cannot be read, so its decision is ignored";
    let finding = DoctorFinding::new(&REVIEW_PAGE, what);
    Ok((!is_sound).then(|| finding.at("workspace/DREAMS.md")))
}

/// Unreadable dream records, which block dreams and reviews.
fn dream_records(context: &Context, home: &Home) -> Option<DoctorFinding> {
    let workspace = context.host.workspace(home);
    let error = CliError::from(check_records(&workspace).err()?);
    let finding = DoctorFinding::new(&DREAM_RECORDS, error.one_line()).at("state/dreams");
    Some(finding.with_hint(error.hints.join("; ")))
}

const TOMBSTONES_FILE: &str = "state/tombstones.jsonl";

/// Forgotten lines of ours that are hidden but still in a file, or unreadable tombstones.
pub(super) fn forgotten(context: &Context, home: &Home) -> Vec<DoctorFinding> {
    let workspace = context.host.workspace(home);
    let found = match load_tombstones(&workspace) {
        Ok(tombstones) => {
            let left = left_standing(&workspace, &tombstones).into_iter().next();
            left.map(|(path, _)| {
                let what = "a line that was forgotten is hidden, but still in its file";
                let finding = DoctorFinding::new(&STILL_STANDING, what);
                finding
                    .at(format!("workspace/{path}"))
                    .mended_by(Mend::SweepForgotten)
            })
        }
        Err(error) => {
            Some(DoctorFinding::of_failure(&TOMBSTONES, &error.into()).at(TOMBSTONES_FILE))
        }
    };
    Vec::from_iter(found)
}

/// A damaged or unfinished index; a missing one is built when needed.
pub(super) fn index(context: &Context, home: &Home) -> Result<Vec<DoctorFinding>> {
    // Invalid settings are a separate finding.
    let settings = context.settings_of(home);
    let access = settings.map_or(IndexAccess::ReadWrite, |it| wiring::access(&it));
    let inspected = context.host.inspect(home, access);
    let (weight, message) = match inspected {
        Ok(Inspection::Missing) => return Ok(Vec::new()),
        Ok(Inspection::Sound(index)) if index.is_complete()? => return Ok(Vec::new()),
        Ok(Inspection::Sound(_)) => (FindingWeight::Note, "it is incomplete".to_owned()),
        Ok(Inspection::Unhealed(_)) => (
            FindingWeight::Warning,
            "a crash left it half-written".to_owned(),
        ),
        Ok(Inspection::Damaged(reason)) => {
            (FindingWeight::Problem, format!("it is damaged: {reason}"))
        }
        Err(error) => (FindingWeight::Problem, CliError::from(error).one_line()),
    };
    let finding = DoctorFinding::new(&INDEX, message).with_weight(weight);
    Ok(vec![finding.at("index").mended_by(Mend::Index)])
}
