//! Reads Codex's memory, by the groups of its `MEMORY.md`, and `AGENTS.md`.
//!
//! Skips summaries of single conversations, because the conversations themselves can be imported.

use base::Origin;

use super::markdown::{MemoryStatement, items};
use super::model::{Holds, Memory};

/// The rules file.
pub(super) const RULES: &str = "AGENTS.md";

/// The files that Codex distils from conversations.
pub(super) const FILES: [&str; 2] = ["MEMORY.md", "memory_summary.md"];

/// Sections that contain only lists of files, keywords or groups.
const INDEXES: [&str; 3] = ["rollout_summary_files", "keywords", "What's in Memory"];

const APPLIES_TO: &str = "applies_to: cwd=";

pub(super) fn read(text: &str, origin: Origin, holds: &Holds) -> Vec<Memory> {
    let mut group: (Option<String>, Holds) = (None, holds.clone());
    let mut memories = Vec::new();
    for item in items(text) {
        let title = item.sections.first().cloned();
        if group.0 != title {
            group = (title, holds.clone());
        }
        if let Some((_, rest)) = item.text.split_once(APPLIES_TO) {
            group.1 = applying_to(rest).unwrap_or_else(|| holds.clone());
        } else if !is_index(&item) {
            memories.push(item.memory(origin, &group.1));
        }
    }
    memories
}

fn is_index(item: &MemoryStatement) -> bool {
    let mut sections = item.sections.iter();
    sections.any(|section| INDEXES.contains(&section.as_str()))
}

/// The folder that a group applies to; the first one if there are several.
fn applying_to(rest: &str) -> Option<Holds> {
    let folder = rest.split(';').next().unwrap_or_default();
    let folder = folder.split(" and /").next().unwrap_or_default().trim();
    let is_path = folder.starts_with('/');
    is_path.then(|| Holds::At(folder.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codex_group_applies_to_its_folder() {
        let text = "# Task Group: release\nscope: x\napplies_to: cwd=/home/ada/a tool and /home/ada/b; reuse_rule=safe\n\n\
                    ## Task 1: it\n\n### keywords\n\n- a, b\n\n## Reusable knowledge\n\n- Use Bun.\n\n\
                    # Task Group: habits\napplies_to: cwd=unknown; reuse_rule=x\n\n- Be brief.\n\n# Bare\n\n- Yes.\n";
        let found = read(text, Origin::Agent, &Holds::Everywhere);
        let found = found.iter().map(|it| (it.text.as_str(), it.holds.clone()));
        let expected = [
            ("Use Bun.", Holds::At("/home/ada/a tool".to_owned())),
            ("Be brief.", Holds::Everywhere),
            ("Yes.", Holds::Everywhere),
        ];
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }
}
