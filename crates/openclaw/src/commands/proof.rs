//! Prints a proof: what was read, where a text still is, until when, and what was not looked at.

use agent::{ProofPlace, ProofReply};

use crate::prelude::*;

/// The lines of a proof for a person.
pub(crate) fn proof_lines(proof: &ProofReply) -> String {
    let files = counted(proof.files as u64, "file", "files");
    let bytes = counted(proof.bytes, "byte", "bytes");
    let pieces = counted(proof.pieces as u64, "piece", "pieces");
    let mut text = format!("Proof: read {files} ({bytes}) and looked for {pieces} of the text.\n");
    if proof.pieces == 0 {
        text.push_str("None of its sentences is long enough to be looked for.\n");
    } else if proof.found.is_empty() {
        text.push_str("None of it is left in this home.\n");
    } else {
        let files = counted(proof.found.len() as u64, "file", "files");
        add_line!(text, "Still in {files}:");
        text.extend(proof.found.iter().map(place_line));
    }
    for path in &proof.unread {
        add_line!(text, "  could not be read: {}", printable(path));
    }
    for sentence in &proof.outside {
        add_line!(text, "  {}", printable(sentence));
    }
    text
}

fn place_line(own: &ProofPlace) -> String {
    let until = own.until.map(|day| format!(", until {day}"));
    let (path, why) = (printable(&own.path), printable(&own.why));
    format!(
        "  {path}:{}  {why}{}\n",
        own.line,
        until.unwrap_or_default()
    )
}
