//! The reply formats that prompts ask for and engines produce.
//!
//! Defines the words on which both sides must agree. The prompts themselves are in other crates.

/// The complete reply for a flush that found nothing worth a note.
pub const NOTHING_TO_FLUSH: &str = "NOTHING_TO_FLUSH";

/// Maximum number of notes per flush. It has room for a long conversation, and limits a runaway reply.
pub const FLUSH_NOTES_MAX: usize = 120;

/// The sections of a flush reply and of a block in a daily log, in order.
///
/// A flush reply is JSON, one object per note: `{"section":"Notes","text":"...","evidence":["e3"],"quote":"..."}`;
/// the text of the offline engine is itself the quotation.
pub const FLUSH_SECTIONS: [&str; 5] = [
    "Task Progress",
    "Important Decisions",
    "Issues Found",
    "User Preferences",
    "Notes",
];

/// The sections of a summary, in order.
///
/// A summary reply is Markdown: `## ` and a section, then bullets. Empty sections are omitted.
pub const SUMMARY_SECTIONS: [&str; 7] = [
    "Goals and Intent",
    "Timeline and Progress",
    "Technical Context and Decisions",
    "Files and Code Changes",
    "Active Work and Last Actions",
    "Unresolved Issues and Pending Tasks",
    "Immediate Next Step",
];

/// The headings of long-term memory, most useful first.
///
/// A consolidation reply is JSON, one object per operation:
/// `{"op":"add","section":"Preferences","text":"...","importance":7,"evidence":["e3"],"quote":"..."}`. Operations
/// are `add`, `update` and `retire`; the last two name a line of long-term memory by its label, `"line":"m2"`.
pub const MEMORY_SECTIONS: [&str; 6] = [
    "Standing Instructions",
    "Preferences",
    "About the Owner",
    "Projects and People",
    "Decisions",
    "Facts",
];

/// The complete reply for a consolidation that found nothing worth keeping for good.
pub const NOTHING_TO_KEEP: &str = "NOTHING_TO_KEEP";
