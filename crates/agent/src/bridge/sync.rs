//! The content of our block in another program's memory file.
//!
//! Holds only memories without a scope, because that file is read in all repositories.

use base::TokenCount;
use memory::{FileLinesError, Workspace};

use crate::knowledge::scope::Viewer;
use crate::tools::memory_get::long_term_excerpt;

const ABOUT: &str = "From the owner's long-term memory. Respect the lines under Standing Instructions and Preferences. \
     The rest is background.";

/// Long-term memory for the block, as much as fits; empty if there is none.
pub fn block_content(workspace: &Workspace, max: TokenCount) -> Result<String, FileLinesError> {
    let held = long_term_excerpt(&Viewer::Program(None), workspace, max)?;
    let lines = held.iter().flat_map(|held| held.text.lines());
    let lines: Vec<&str> = lines.filter(|line| !is_left_out(line)).collect();
    let text = lines.join("\n");
    Ok(match text.trim() {
        "" => String::new(),
        text => format!("{ABOUT}\n\n{text}"),
    })
}

/// Whether a line is left out: the file's title, placeholders of forgotten lines, and our comments.
fn is_left_out(line: &str) -> bool {
    line.starts_with("# ") || line == "[forgotten]" || line.contains("<!--")
}
