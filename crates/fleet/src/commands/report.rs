//! Reports what an exchange changed, or would change.
//!
//! Decides nothing.

use serde::Serialize;

use crate::prelude::*;

/// Maximum number of changes listed for people, in addition to those that the target would lose.
const SHOWN_MAX: usize = 20;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ExchangeReport {
    pub(super) home: String,
    pub(super) address: String,
    pub(super) name: String,
    /// Number of files in each home after the exchange.
    pub(super) files: usize,
    pub(super) bytes: u64,
    pub(super) written: Vec<String>,
    pub(super) written_bytes: u64,
    pub(super) removed: Vec<String>,
    /// Paths of changes that only the target has. If there are any, a dry run fails as the exchange would.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) lost: Vec<String>,
    pub(super) dry_run: bool,
    #[serde(skip)]
    pub(super) direction: Direction,
}

/// The home that is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Push,
    Pull,
}

impl Report for ExchangeReport {
    fn json(&self) -> Value {
        json!(self)
    }

    fn is_dry_run(&self) -> bool {
        self.dry_run
    }

    fn human(&self, _: Stream) -> String {
        let mut text = String::new();
        if self.dry_run {
            let shown = |sign, path: &String| format!("  {sign} {}", printable(path));
            for path in &self.lost {
                add_line!(text, "{}", shown('!', path));
            }
            let is_safe = |path: &&String| !self.lost.contains(path);
            let written = self.written.iter().filter(is_safe);
            let removed = self.removed.iter().filter(is_safe);
            let written = written.map(|path| shown('+', path));
            let removed = removed.map(|path| shown('-', path));
            let all: Vec<String> = written.chain(removed).collect();
            for line in all.iter().take(SHOWN_MAX) {
                add_line!(text, "{line}");
            }
            if let Some(n_more) = all.len().checked_sub(SHOWN_MAX).filter(|n| *n > 0) {
                add_line!(text, "  and {n_more} more");
            }
        }
        let files = counted(self.files as u64, "file", "files");
        let bytes = counted(self.bytes, "byte", "bytes");
        let written = counted(self.written.len() as u64, "file", "files");
        let (from, to) = (
            &self.home,
            format!("{}/{}", self.address.trim_end_matches('/'), self.name),
        );
        let (from, to) = match self.direction {
            Direction::Push => (from.as_str(), to.as_str()),
            Direction::Pull => (to.as_str(), from.as_str()),
        };
        add_line!(
            text,
            "{from} -> {to}  {files}, {bytes}; wrote {written}, {}; removed {}",
            counted(self.written_bytes, "byte", "bytes"),
            self.removed.len(),
        );
        text
    }
}
