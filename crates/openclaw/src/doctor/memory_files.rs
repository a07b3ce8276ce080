//! Checks memory: invalid UTF-8, secrets, missing evidence, the review page, unfinished forgetting, the index.
//!
//! Never prints a secret that it finds.

use std::collections::{BTreeSet, HashMap};

use agent::IndexAccess;
use base::EntryId;
use base::disk::{DiskError, read_some};
use base::layout::no_data;
use cli::shell;
use memory::candidates::check_records;
use memory::curated::{LineOwner, memory_lines};
use memory::{Misread, TombstoneProgress, ledger_state, load_tombstones, note_paths};
use search::Inspection;
use session::LineContent;

use super::finding::{DoctorFinding, FindingWeight, Mend};
use crate::prelude::*;

/// The most bytes of a note that are read.
const NOTE_BYTES_MAX: u64 = 16 * 1024 * 1024;

pub(crate) fn look_at_memory(context: &Context, home: &Home) -> Vec<DoctorFinding> {
    let looks = [
        misread(context, home),
        Ok(secrets(context, home)),
        evidence(context, home),
        review_page(context, home).map(Vec::from_iter),
        Ok(Vec::from_iter(dream_records(context, home))),
        note_records(context, home),
        Ok(Vec::from_iter(half_forgotten(context, home))),
        index(context, home).map(Vec::from_iter),
    ];
    let findings = looks.into_iter();
    findings
        .flat_map(|found| DoctorFinding::of_look(home, found))
        .collect()
}

fn misread(context: &Context, home: &Home) -> Result<Vec<DoctorFinding>> {
    let misread = context.host.workspace(home).misread_files()?;
    let finding = |Misread { path, line }: Misread| {
        let full = home.workspace().join(path.as_str());
        let what = "this line has bytes that are not UTF-8; the rest is read";
        let hint = format!(
            "rewrite the line in an editor, or convert the whole file: \
             `iconv -f {} -t UTF-8 {} > converted.md`",
            encoding(context, &full),
            shell::word(&full)
        );
        let finding = DoctorFinding::new(FindingWeight::Warning, "notUtf8", what, hint);
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

/// The text of a workspace file; `None` if it does not exist, or is no file, which another check reports.
fn text(context: &Context, home: &Home, relative: &str) -> Result<Option<String>, DiskError> {
    let path = home.workspace().join(relative);
    let bytes = match read_some(context.host.disk.as_ref(), &path, NOTE_BYTES_MAX) {
        Err(error) if no_data(&error).is_some() => None,
        read => read?,
    };
    Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}

/// Lines that seem to hold a key or password.
fn secrets(context: &Context, home: &Home) -> Vec<DoctorFinding> {
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
        for (line, number) in workspace.spelled(&path, &text).lines().zip(1..) {
            if base::redact(line) != line {
                let what = "this line seems to contain a secret";
                let place = format!("{path}:{number}");
                let hint = format!(
                    "remove it in an editor, or hide it with `openclaw memory forget {place}`"
                );
                let finding = DoctorFinding::new(FindingWeight::Warning, "secret", what, hint);
                findings.push(finding.at(format!("workspace/{place}")));
            }
        }
    }
    findings
}

/// Lines of ours in `MEMORY.md` that are forgotten, or whose evidence is gone.
fn evidence(context: &Context, home: &Home) -> Result<Vec<DoctorFinding>> {
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
    for line in memory_lines(&workspace.spelled("MEMORY.md", &curated)) {
        let LineOwner::Ours { evidence, .. } = &line.owner else {
            continue;
        };
        let place = format!("MEMORY.md:{}", line.number);
        let entries: Vec<EntryId> = evidence
            .iter()
            .map(|own| EntryId::new(own.key.as_str()))
            .collect();
        if tombstones.hides_note(&line.text, &entries) {
            let what = "it is forgotten and hidden, but still in the file";
            let hint = format!("`openclaw memory forget {place}`");
            let finding = DoctorFinding::new(FindingWeight::Warning, "stillStanding", what, hint);
            findings.push(finding.at(format!("workspace/{place}")));
            continue;
        }
        let mut is_there = false;
        for reference in evidence {
            is_there |= known.holds(context, home, (&reference.path, &reference.key))?;
        }
        if !is_there && !evidence.is_empty() {
            let what = "its evidence no longer exists";
            let hint = format!("keep it, or forget it with `openclaw memory forget {place}`");
            let finding = DoctorFinding::new(FindingWeight::Warning, "evidenceGone", what, hint);
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
            let text = text(context, home, path)?.unwrap_or_default();
            let workspace = context.host.workspace(home);
            let text = workspace.spelled(path, &text);
            let ids = text.match_indices("<!-- n:").map(|(at, mark)| {
                let rest = text.get(at + mark.len()..).unwrap_or_default();
                rest.split([' ', '\n'])
                    .next()
                    .unwrap_or_default()
                    .to_owned()
            });
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

/// Records about lines of notes that are lost or cannot be read.
fn note_records(context: &Context, home: &Home) -> Result<Vec<DoctorFinding>> {
    let state = ledger_state(&context.host.workspace(home))?;
    let finding = |code, what: String| {
        let hint = "restore state/notes.jsonl from a backup; no line of a note is lost";
        let finding = DoctorFinding::new(FindingWeight::Warning, code, what, hint);
        finding.at("state/notes.jsonl")
    };
    let (n_damaged, n_unknown) = (state.n_damaged as u64, state.n_unknown as u64);
    let damaged = (n_damaged > 0).then(|| {
        let records = counted(n_damaged, "record about notes", "records about notes");
        finding("noteRecordsDamaged", format!("{records} cannot be read"))
    });
    let unknown = (n_unknown > 0).then(|| {
        let lines = counted(n_unknown, "line of a note has", "lines of notes have");
        let what = format!("{lines} no record; without it a line counts as the assistant's");
        finding("noteRecordsLost", what)
    });
    Ok(damaged.into_iter().chain(unknown).collect())
}

/// A review page whose decisions cannot be read.
fn review_page(context: &Context, home: &Home) -> Result<Option<DoctorFinding>> {
    let Some(text) = text(context, home, "DREAMS.md")? else {
        return Ok(None);
    };
    let parsed = memory::dreams_file::parse(&text);
    let is_sound = text.trim().is_empty() || parsed.is_whole || parsed.blocks().next().is_none();
    let what = "a block cannot be read, so its decision is ignored";
    let hint = "fix it in an editor; `openclaw dream list` shows what waits";
    let finding = DoctorFinding::new(FindingWeight::Warning, "reviewPage", what, hint);
    Ok((!is_sound).then(|| finding.at("workspace/DREAMS.md")))
}

/// Unreadable dream records, which block dreams and reviews.
fn dream_records(context: &Context, home: &Home) -> Option<DoctorFinding> {
    let workspace = context.host.workspace(home);
    let error = CliError::from(check_records(&workspace).err()?);
    let (what, hint) = (error.one_line(), error.hints.join("; "));
    Some(DoctorFinding::new(FindingWeight::Problem, "dreamRecords", what, hint).at("state/dreams"))
}

const TOMBSTONES: &str = "state/tombstones.jsonl";

/// A forgotten text that is hidden but still in its file, or unreadable tombstones.
fn half_forgotten(context: &Context, home: &Home) -> Option<DoctorFinding> {
    let workspace = context.host.workspace(home);
    match load_tombstones(&workspace) {
        Ok(tombstones) => {
            let mut begun = tombstones.all().iter();
            let begun = begun.find(|it| it.progress == TombstoneProgress::Begun);
            let id = &begun?.id;
            let what = format!("the text forgotten as {id} is hidden, but still in its file");
            let finding = DoctorFinding::new(FindingWeight::Warning, "halfForgotten", what, "");
            Some(finding.at(TOMBSTONES).mended_by(Mend::FinishForgetting))
        }
        Err(error) => {
            Some(DoctorFinding::of_failure("tombstones", &error.into(), "").at(TOMBSTONES))
        }
    }
}

/// A damaged or unfinished index; a missing one is built when needed.
fn index(context: &Context, home: &Home) -> Result<Option<DoctorFinding>> {
    // Invalid settings are a separate finding.
    let settings = context.settings_of(home);
    let access = settings.map_or(IndexAccess::ReadWrite, |it| wiring::access(&it));
    let inspected = context.host.inspect(home, access);
    let (weight, message) = match inspected {
        Ok(Inspection::Missing) => return Ok(None),
        Ok(Inspection::Sound(index)) if index.is_complete()? => return Ok(None),
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
    let finding =
        DoctorFinding::new(weight, "index", message, "`openclaw memory index`").at("index");
    Ok(Some(DoctorFinding {
        mend: Some(Mend::Index),
        ..finding
    }))
}
