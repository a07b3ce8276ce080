//! The shapes of the replies that the host asks for and an engine gives.
//!
//! Holds the words that both sides must spell alike; the prompts that ask for them stand elsewhere.

/// The whole reply of a flush that found nothing worth keeping.
pub const NOTHING_TO_FLUSH: &str = "NOTHING_TO_FLUSH";

/// The most notes of one flush: what somebody tells in a long talk fits, a reply that runs on does not.
pub const FLUSH_NOTES_MAX: usize = 120;

/// The sections of a flush reply and of a block in a daily log, in order.
///
/// A flush reply is JSON, one note an object: `{"section":"Notes","text":"...","evidence":["e3"],"quote":"..."}`;
/// the offline engine quotes in the text itself.
pub const FLUSH_SECTIONS: [&str; 5] = [
    "Task Progress",
    "Important Decisions",
    "Issues Found",
    "User Preferences",
    "Notes",
];

/// The sections of a summary, in order.
///
/// A summary reply is Markdown: `## ` and a section, below it bullets. Sections without bullets are
/// left out.
pub const SUMMARY_SECTIONS: [&str; 7] = [
    "Goals and Intent",
    "Timeline and Progress",
    "Technical Context and Decisions",
    "Files and Code Changes",
    "Active Work and Last Actions",
    "Unresolved Issues and Pending Tasks",
    "Immediate Next Step",
];

/// The headings of long-term memory, the most useful first.
///
/// A consolidation reply is JSON, one operation an object:
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

/// The whole reply of a consolidation that found nothing that deserves to last.
pub const NOTHING_TO_KEEP: &str = "NOTHING_TO_KEEP";
