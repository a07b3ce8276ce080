//! The stable prefix: the assistant's instructions and the workspace files.
//!
//! Changes only when a file changes, so that providers can cache it.

use base::{TokenCount, escaped, estimate_text};
use memory::{Audience, PromptFile, Workspace, WorkspaceError};

use super::parts::{PromptPart, joined};
use crate::fence::{RecallFence, fenced};
use crate::heartbeat::CHECK_FILE;

const SYSTEM: &str = include_str!("../prompts/system.md");

/// Included only if a request may show text from memory.
const RECALLED: &str = include_str!("../prompts/recalled.md");

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
    let recalled = match recalls {
        Recalls::Something => RECALLED,
        Recalls::Nothing => "",
    };
    let instructions = PromptPart {
        name: "instructions".to_owned(),
        text: format!("{SYSTEM}{recalled}"),
    };
    std::iter::once(instructions)
        .chain(files.iter().map(file))
        .collect()
}

/// Minimum size of a request's prefix in the primary session, without tools and logs.
pub fn least_prefix(workspace: &Workspace) -> Result<TokenCount, WorkspaceError> {
    let mut files = workspace.prompt_files()?;
    files.retain(|file| file.name.as_str() != CHECK_FILE);
    Ok(estimate_text(&joined(&parts(&files, Recalls::Something))))
}

/// Shows files that steer the assistant as files, and files about the owner as fenced memory.
fn shown(file: &PromptFile) -> String {
    match file.audience {
        Audience::EverySession => {
            format!(
                "<file name=\"{}\">\n{}\n</file>",
                file.name,
                escaped(file.text.trim_end())
            )
        }
        Audience::PrimarySession => {
            let fence = RecallFence::of(file.name.as_str());
            fenced(fence, &file.text)
        }
    }
}
