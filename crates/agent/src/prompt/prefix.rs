//! The stable prefix: the assistant's instructions and the workspace files.
//!
//! Changes only when a file changes, so that providers can cache it.

use base::{Origin, TokenCount, escaped, estimate_text};
use memory::{FileError, PromptFile, Workspace};

use super::parts::{PromptPart, joined};
use crate::fence::{RecallFence, fenced, fenced_memory};
use crate::heartbeat::CHECK_FILE;

/// The instructions of a request that may show text from memory.
const SYSTEM: &str = include_str!("../prompts/system.md");

/// The instructions of a request that shows none.
const SYSTEM_WITHOUT_MEMORY: &str = include_str!("../prompts/system_without_memory.md");

/// Whether a request may show text from memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Recalls {
    /// It may: files, logs or recalled passages.
    Something,
    /// It shows none.
    Nothing,
}

/// The parts of the system prompt, in order.
pub(super) fn parts(files: &[PromptFile], recalls: Recalls) -> Vec<PromptPart> {
    let file = |file: &PromptFile| PromptPart {
        name: file.name.to_string(),
        text: format!("\n{}\n", shown(file)),
    };
    let instructions = match recalls {
        Recalls::Something => SYSTEM,
        Recalls::Nothing => SYSTEM_WITHOUT_MEMORY,
    };
    let instructions = PromptPart {
        name: "instructions".to_owned(),
        text: instructions.to_owned(),
    };
    std::iter::once(instructions)
        .chain(files.iter().map(file))
        .collect()
}

/// Minimum size of a request's prefix in the primary session, without tools and logs.
pub fn least_prefix(workspace: &Workspace) -> Result<TokenCount, FileError> {
    let mut files = workspace.prompt_files()?;
    files.retain(|file| file.name.as_str() != CHECK_FILE);
    Ok(estimate_text(&joined(&parts(&files, Recalls::Something))))
}

/// Shows long-term memory as memory, and all other files as files: the model should follow the lines that the owner
/// wrote or approved. Lines that nobody approved are fenced like recalled text.
fn shown(file: &PromptFile) -> String {
    let name = file.name.as_str();
    if !file.is_long_term() {
        let text = escaped(file.text.trim_end());
        return format!("<file name=\"{name}\">\n{text}\n</file>");
    }
    let approved = match file.text.trim() {
        "" => String::new(),
        _ => fenced_memory(name, &file.text),
    };
    let unapproved = match file.unapproved.as_str() {
        "" => String::new(),
        text => {
            let fence = RecallFence {
                origin: Some(Origin::Agent),
                ..RecallFence::of(name)
            };
            fenced(fence, text)
        }
    };
    let both = [approved, unapproved];
    let shown = both.iter().filter(|text| !text.is_empty());
    shown.map(String::as_str).collect::<Vec<_>>().join("\n")
}
