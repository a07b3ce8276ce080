//! The stable prefix: the assistant's instructions and the workspace files.
//!
//! Changes only when a file changes, so that a provider can keep it in its cache.

use memory::PromptFile;

const SYSTEM: &str = include_str!("../prompts/system.md");

/// Renders the system prompt.
pub(super) fn render(files: &[PromptFile]) -> String {
    let parts = files.iter().map(|file| {
        format!(
            "\n<file name=\"{}\">\n{}\n</file>\n",
            file.name,
            file.text.trim_end()
        )
    });
    std::iter::once(SYSTEM.to_owned()).chain(parts).collect()
}
