//! What memory holds, in the words of its owner.
//!
//! Renders what it is given; counts nothing.

use base::{Day, counted};

/// What memory holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MemoryHeld {
    pub(super) n_notes: u64,
    /// The first and the last day that has a log.
    pub(super) days: Option<(Day, Day)>,
    pub(super) n_days: u64,
    /// Lines of `MEMORY.md`.
    pub(super) n_lines: u64,
    /// Candidates that wait in `DREAMS.md`.
    pub(super) n_candidates: u64,
    /// Messages of this session that are not noted yet.
    pub(super) n_waiting: u64,
}

/// Where a long line goes on: under what stands beside its label.
pub(super) const INDENT: &str = "               ";

/// It for people.
pub(super) fn render(held: &MemoryHeld) -> String {
    let notes = counted(held.n_notes, "note", "notes");
    let notes = match held.days {
        Some((first, last)) if held.n_days > 1 => {
            let days = counted(held.n_days, "day", "days");
            format!("{notes} on {days}, {first} to {last}")
        }
        Some((day, _)) => format!("{notes} on {day}"),
        None => "no notes yet".to_owned(),
    };
    let review = match held.n_candidates {
        0 => "nothing".to_owned(),
        n_candidates => {
            let candidates = counted(n_candidates, "candidate", "candidates");
            format!("{candidates}; `openclaw dream review` goes through them")
        }
    };
    let waiting = match held.n_waiting {
        0 => "nothing".to_owned(),
        n_waiting => {
            let messages = counted(n_waiting, "message", "messages");
            format!("{messages} of this session; noted at /new or at the end")
        }
    };
    let lines = [
        ("daily logs", notes),
        ("MEMORY.md", counted(held.n_lines, "line", "lines")),
        ("to review", review),
        ("not noted", waiting),
    ];
    let lines = lines.map(|(label, value)| format!("  {label:<11}  {value}\n"));
    lines.concat() + "\n  `/memory QUESTION` searches all of it and your sessions.\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_told_in_notes_days_and_lines() {
        let full = MemoryHeld {
            n_notes: 34,
            days: Some(("2026-03-02".parse().unwrap(), "2026-03-06".parse().unwrap())),
            n_days: 5,
            n_lines: 12,
            n_candidates: 3,
            n_waiting: 1,
        };
        assert_eq!(
            render(&full),
            "  daily logs   34 notes on 5 days, 2026-03-02 to 2026-03-06\n  \
             MEMORY.md    12 lines\n  \
             to review    3 candidates; `openclaw dream review` goes through them\n  \
             not noted    1 message of this session; noted at /new or at the end\n\n  \
             `/memory QUESTION` searches all of it and your sessions.\n"
        );
        let empty = MemoryHeld {
            n_notes: 0,
            days: None,
            n_days: 0,
            n_lines: 0,
            n_candidates: 0,
            n_waiting: 0,
        };
        assert!(render(&empty).starts_with("  daily logs   no notes yet\n"));
    }
}
