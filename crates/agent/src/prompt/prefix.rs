//! The stable prefix: the assistant's instructions and the workspace files.
//!
//! Changes only when a file changes, so that a provider can keep it in its cache.

use memory::{Audience, PromptFile};

use super::parts::Part;
use crate::fence::{Fence, fenced};

const SYSTEM: &str = include_str!("../prompts/system.md");

/// Stands only where memory is shown.
const RECALLED: &str = include_str!("../prompts/recalled.md");

/// The parts of the system prompt for an audience, in order.
pub(super) fn parts(files: &[PromptFile], audience: Audience) -> Vec<Part> {
    let file = |file: &PromptFile| Part {
        name: file.name.to_string(),
        text: format!("\n{}\n", shown(file)),
    };
    let recalled = match audience {
        Audience::PrimarySession => RECALLED,
        Audience::EverySession => "",
    };
    let instructions = Part {
        name: "instructions".to_owned(),
        text: format!("{SYSTEM}{recalled}"),
    };
    std::iter::once(instructions)
        .chain(files.iter().map(file))
        .collect()
}

/// What steers the assistant is shown as a file, what it knows of the owner as memory.
fn shown(file: &PromptFile) -> String {
    match file.audience {
        Audience::EverySession => {
            format!(
                "<file name=\"{}\">\n{}\n</file>",
                file.name,
                file.text.trim_end()
            )
        }
        Audience::PrimarySession => {
            let fence = Fence {
                source: file.name.as_str(),
                day: None,
                origin: None,
            };
            fenced(fence, &file.text)
        }
    }
}
