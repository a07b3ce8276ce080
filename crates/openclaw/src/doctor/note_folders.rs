//! Checks folders of notes: whether those elsewhere are there, and whether each note can be read.
//!
//! Changes none of them.

use cli::output::size;
use memory::{LeftOutNote, LeftOutWhy};

use super::finding::{CheckRow, DoctorFinding, FindingWeight};
use crate::prelude::*;

const FOLDER_MISSING: CheckRow = CheckRow {
    code: "sourceMissing",
    checks: "Each folder of notes that `memory.sources` names exists.",
    weight: FindingWeight::Warning,
    fix: "mount its disk, or correct `memory.sources`",
};

const FOLDER_SHADOWS: CheckRow = CheckRow {
    code: "sourceShadows",
    checks: "No folder of the workspace has the name of a folder of notes elsewhere.",
    weight: FindingWeight::Warning,
    fix: "give the folder elsewhere another `name` in `memory.sources`",
};

const NOTE_LEFT_OUT: CheckRow = CheckRow {
    code: "sourceNote",
    checks: "Each note in a folder of the workspace or elsewhere is UTF-8 text of at most 16 MB.",
    weight: FindingWeight::Note,
    fix: "convert it to UTF-8, or add it to `ignore` in `memory.sources`",
};

pub(super) const KINDS: [CheckRow; 3] = [FOLDER_MISSING, FOLDER_SHADOWS, NOTE_LEFT_OUT];

/// Folders that are missing or have the name of a folder of the workspace, and notes that are left out.
pub(super) fn folders(context: &Context, home: &Home) -> Vec<DoctorFinding> {
    // Invalid settings are a separate finding.
    let Ok(settings) = context.settings_of(home) else {
        return Vec::new();
    };
    let folders = wiring::note_folders(&settings, context.host, home);
    let disk = context.host.disk.as_ref();
    let mut findings = Vec::new();
    for folder in &*folders {
        let (name, root) = (&folder.name, folder.root.display());
        if !matches!(disk.stat(&folder.root), Ok(Some(stat)) if stat.is_dir) {
            let what = format!("there is no folder {root}, so its notes are not searched");
            findings.push(DoctorFinding::new(&FOLDER_MISSING, what).at("memory.sources"));
        }
        if matches!(disk.stat(&home.workspace().join(name)), Ok(Some(_))) {
            let what = format!("{root} has the same name, so this folder is not searched");
            let finding = DoctorFinding::new(&FOLDER_SHADOWS, what);
            findings.push(finding.at(format!("workspace/{name}")));
        }
    }
    let workspace = context.host.workspace(home).with_folders(folders);
    findings.extend(workspace.left_out_notes().into_iter().map(left_out));
    findings
}

fn left_out(note: LeftOutNote) -> DoctorFinding {
    let what = match note.why {
        LeftOutWhy::NotUtf8 => "it is not UTF-8, so it is not searched".to_owned(),
        LeftOutWhy::TooLarge(limit) => {
            format!("it is larger than {}, so it is not searched", size(limit))
        }
    };
    DoctorFinding::new(&NOTE_LEFT_OUT, what).at(note.path)
}
