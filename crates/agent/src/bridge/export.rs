//! Exports the memories of a workspace: each text once, in a stable order.
//!
//! Never exports secrets or forgotten text.

use base::{Disk, Origin, Tz, day};
use import::{Holds, Memory};
use memory::{Workspace, load_tombstones};

use super::known::KnownTexts;
use super::model::BridgeError;
use super::own::{OwnMemory, memories_of, statements};
use crate::scope::Viewer;

/// The memories that a viewer may see, by day; a memory without a day gets that of its file's last change.
pub fn exported_memories(
    workspace: &Workspace,
    disk: &dyn Disk,
    viewer: &Viewer,
    timezone: Tz,
) -> Result<Vec<Memory>, BridgeError> {
    let tombstones = load_tombstones(workspace)?;
    let mut all = Vec::new();
    for own in memories_of(workspace, disk, Origin::Owner)? {
        let OwnMemory {
            memory,
            modified_at,
        } = own;
        let day = memory.day.or(modified_at.map(|at| day(at, timezone)));
        for text in statements(&memory.text) {
            all.push(Memory {
                text,
                day,
                ..memory.clone()
            });
        }
    }
    all.retain(|memory| sees(viewer, memory) && !tombstones.hides_text(&memory.text));
    // Of equal texts, keep the one with the widest scope, the most trusted origin and the earliest day.
    all.sort_by_key(|it| {
        let distrust = u8::MAX - it.origin.trust();
        (it.holds.clone(), distrust, it.day, it.text.clone())
    });
    let mut known = KnownTexts::default();
    all.retain(|memory| !known.add(memory));
    all.sort_by(|left, right| {
        let key = |it: &Memory| (it.day, it.text.clone(), it.holds.clone());
        key(left).cmp(&key(right))
    });
    for (memory, line) in all.iter_mut().zip(1..) {
        memory.line = line;
    }
    Ok(all)
}

fn sees(viewer: &Viewer, memory: &Memory) -> bool {
    match &memory.holds {
        Holds::Everywhere => true,
        Holds::In(scope) => viewer.sees_session(scope),
        Holds::At(_) => *viewer == Viewer::Owner,
    }
}
