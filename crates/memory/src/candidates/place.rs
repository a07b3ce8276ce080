//! Finds where evidence is now: lines of a log move when others are taken out or come back.
//!
//! Reads each log once.

use std::cell::RefCell;
use std::collections::HashMap;

use base::{Day, LineRange, Locator};

use super::evidence::{Evidence, EvidenceRef};
use crate::log_items::LogItem;
use crate::workspace::Workspace;

/// The places of evidence in the logs as they are now.
#[derive(Debug)]
pub struct EvidencePlaces<'w> {
    workspace: &'w Workspace,
    read: RefCell<HashMap<Day, Vec<LogItem>>>,
}

impl<'w> EvidencePlaces<'w> {
    /// Reads no log yet.
    pub fn of(workspace: &'w Workspace) -> Self {
        Self {
            workspace,
            read: RefCell::default(),
        }
    }

    /// Where evidence is; where it was read, if it is not found there: a transcript never moves.
    pub fn place(&self, evidence: &EvidenceRef) -> Locator {
        let line = self.line_now(evidence).unwrap_or(evidence.line);
        Locator::new(evidence.path.clone(), LineRange::line(line))
    }

    fn line_now(&self, evidence: &EvidenceRef) -> Option<usize> {
        let day = evidence.log_day()?;
        if self.workspace.log_path(day).as_str() != evidence.path {
            return None;
        }
        let mut read = self.read.borrow_mut();
        // `doctor` reports a log that cannot be read.
        let items = read
            .entry(day)
            .or_insert_with(|| self.workspace.log_items(day).unwrap_or_default());
        let is_it = |item: &&LogItem| {
            item.id.as_ref() == Some(&evidence.key)
                || Evidence::key_by_hand(&item.text) == evidence.key
        };
        let same = items.iter().filter(is_it);
        let nearest = same.min_by_key(|item| item.line.abs_diff(evidence.line));
        nearest.map(|item| item.line)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use base::disk::MemoryDisk;
    use base::{Disk, HomeLayout, short_hash};

    use super::*;

    #[test]
    fn evidence_is_found_where_its_line_moved() {
        let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::new());
        disk.create_dir(Path::new("/w/memory")).unwrap();
        let log = "# 2026-04-20\n\n- Tea at four\n- The pier is open\n- Tea at four\n";
        let path = Path::new("/w/memory/2026-04-20.md");
        disk.append(path, log.as_bytes()).unwrap();
        let workspace = Workspace::new(disk, HomeLayout::of_workspace("/w"));
        let places = EvidencePlaces::of(&workspace);
        let place = |path: &str, text: &str, line| {
            let evidence = EvidenceRef {
                path: path.to_owned(),
                key: Evidence::key_by_hand(text),
                line,
                hash: short_hash(text),
                scope: None,
            };
            places.place(&evidence).to_string()
        };
        let log = "memory/2026-04-20.md";
        assert_eq!(place(log, "The pier is open", 3), format!("{log}:4"));
        assert_eq!(place(log, "Tea at four", 4), format!("{log}:3"));
        assert_eq!(place(log, "Tea at four", 6), format!("{log}:5"));
        assert_eq!(place(log, "Gone", 7), format!("{log}:7"));
        let session = "sessions/main.jsonl";
        assert_eq!(place(session, "Tea at four", 9), format!("{session}:9"));
    }
}
