//! Exports the memories of a workspace: each text once, in a stable order.
//!
//! Never exports secrets or forgotten text.

use base::Tz;
use import::{Holds, Memory};
use memory::{Workspace, load_tombstones};

use super::known::KnownTexts;
use super::model::BridgeError;
use super::own::memories_of;
use crate::knowledge::scope::Viewer;

/// The memories that a viewer may see, by day, and the paths of notes that cannot be read.
pub fn exported_memories(
    workspace: &Workspace,
    viewer: &Viewer,
    timezone: Tz,
) -> Result<(Vec<Memory>, Vec<String>), BridgeError> {
    let tombstones = load_tombstones(workspace)?;
    let (mut all, unreadable) = memories_of(workspace, timezone)?;
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
    Ok((all, unreadable))
}

fn sees(viewer: &Viewer, memory: &Memory) -> bool {
    match &memory.holds {
        Holds::Everywhere => true,
        Holds::In(scope) => viewer.sees_session(scope),
        Holds::At(_) => *viewer == Viewer::Owner,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use base::disk::{MemoryDisk, create_dir, replace};
    use base::{Disk, HomeLayout, Origin, short_hash};

    use super::*;

    #[test]
    fn exported_memories_keep_origin_of_their_records() {
        let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::new());
        let marked = |text: &str, origin| {
            let hash = short_hash(text);
            format!(
                "- {text} <!-- n:f95e e:sessions/main.jsonl#e1@2:0a0a0a0a h:{hash} o:{origin} d:2026-03-02 -->\n"
            )
        };
        let curated =
            marked("My dentist is Dr. Huber", "owner") + &marked("The gate squeaks", "agent");
        let log = "# 2026-03-03\n\n- By hand\n".to_owned() + &marked("A page says so", "untrusted");
        for (path, text) in [("MEMORY.md", curated), ("memory/2026-03-03.md", log)] {
            let path = Path::new("/w").join(path);
            create_dir(&*disk, path.parent().unwrap()).unwrap();
            replace(&*disk, &path, text.as_bytes()).unwrap();
        }
        let workspace = Workspace::new(Arc::clone(&disk), HomeLayout::of_workspace("/w"));
        let (found, _) = exported_memories(&workspace, &Viewer::Owner, Tz::UTC).unwrap();
        let mut found: Vec<(&str, Origin)> = found
            .iter()
            .map(|it| (it.text.as_str(), it.origin))
            .collect();
        found.sort_by_key(|(text, _)| *text);
        assert_eq!(
            found,
            [
                ("A page says so", Origin::Untrusted),
                ("By hand", Origin::Owner),
                ("My dentist is Dr. Huber", Origin::Owner),
                ("The gate squeaks", Origin::Agent),
            ]
        );
    }
}
