//! Renders the pending candidates into `DREAMS.md`.
//!
//! Keeps every byte outside of our blocks.

use super::parse::{DreamsFilePart, ParsedDreams, is_heading};
use crate::candidates::Candidate;
use crate::daily_log::lines::lines;
use crate::note::prepare;

/// The content of a new file.
const EMPTY: &str = "# Dreams\n\n## Candidate Memory Items (Pending Review)\n";

/// Maximum number of evidence lines per candidate.
const EVIDENCE_MAX: usize = 3;

/// Length limit of a quotation in characters.
const QUOTE_CHARS_MAX: usize = 160;

/// Renders the file with exactly these candidates: existing blocks keep their place, new ones follow the last
/// block, all others are removed.
///
/// If `found` has no heading of ours, returns a new file.
pub(crate) fn rendered(found: &ParsedDreams, pending: &[&Candidate]) -> String {
    if !found.has_heading {
        let blocks: Vec<String> = pending.iter().copied().map(block).collect();
        return format!("{EMPTY}{}", blocks.concat());
    }
    let mut out = String::new();
    let mut end_of_blocks = None;
    let mut shown = Vec::new();
    for part in &found.parts {
        match part {
            DreamsFilePart::Text(text) => {
                if end_of_blocks.is_none()
                    && let Some(end) = end_of_heading(text)
                {
                    end_of_blocks = Some(out.len() + end);
                }
                out.push_str(text);
            }
            DreamsFilePart::Block(parsed) => {
                let candidate = pending.iter().find(|candidate| candidate.id == parsed.id);
                let is_first = !shown.contains(&&parsed.id);
                match candidate.filter(|_| is_first) {
                    // A block that is up to date stays unchanged, including its blank lines.
                    Some(candidate)
                        if parsed.has_status
                            && parsed.finding.as_deref() == Some(&candidate.finding)
                            && parsed.says_no_more_than(&block(candidate)) =>
                    {
                        out.push_str(&parsed.raw);
                    }
                    Some(candidate) => {
                        out.push_str(block(candidate).trim_start_matches('\n'));
                        // Foreign text in a truncated block is half a line of ours.
                        if !found.is_cut || parsed.has_status {
                            out.push_str(&parsed.foreign);
                        }
                    }
                    None => out.push_str(&parsed.foreign),
                }
                shown.push(&parsed.id);
                end_of_blocks = Some(out.len());
            }
        }
    }
    let new: Vec<String> = pending
        .iter()
        .filter(|candidate| !shown.contains(&&candidate.id))
        .map(|candidate| block(candidate))
        .collect();
    if new.is_empty() {
        return out;
    }
    let at = end_of_blocks.unwrap_or(out.len());
    let (before, after) = out.split_at_checked(at).unwrap_or((&out, ""));
    let before = before.trim_end();
    let after = after.trim_start_matches('\n');
    let gap = if after.is_empty() { "" } else { "\n" };
    format!("{before}\n{}{gap}{after}", new.concat())
}

fn end_of_heading(text: &str) -> Option<usize> {
    let found = lines(text);
    let line = found.iter().find(|line| is_heading(line.text))?;
    Some(line.bytes.end)
}

/// The block of a candidate, after a blank line.
fn block(candidate: &Candidate) -> String {
    let Candidate {
        day,
        found_in,
        id,
        finding,
        ..
    } = candidate;
    let mut text = format!(
        "\n### [{day} {}] {id}\nFinding: {finding}\nSuggested action: {}\n",
        found_in.as_str(),
        prepare(&candidate.action())
    );
    for evidence in candidate.evidence.iter().take(EVIDENCE_MAX) {
        let quote = prepare(&evidence.quote);
        let shown = base::shortened(&quote, QUOTE_CHARS_MAX);
        let line = format!(
            "Evidence: {}#{} \"{shown}\"\n",
            evidence.path,
            prepare(&evidence.key)
        );
        text.push_str(&line);
    }
    if let Some(why) = &candidate.staged_because {
        let line = format!("Waiting because: {}\n", prepare(why));
        text.push_str(&line);
    }
    text.push_str("Status: pending\n");
    text
}
