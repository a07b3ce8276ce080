//! Long-term memory: the workspace of Markdown files that the owner reads, edits and undoes.
//!
//! Never imports session, and never calls a chat model.

mod workspace_path;

#[cfg(test)]
mod workspace_kit;

mod kept_copies;
mod misread;
mod prompt_files;
mod workspace;
mod workspace_file;

mod note;
mod note_text;
mod notes;
mod references;

mod file_lines;

pub mod files;

pub mod daily_log;
mod log_items;

pub mod candidates;
pub mod curated;
pub mod dreams_file;
mod known_from;

mod tombstone;

mod forget;

mod ledger;
mod spending;

pub mod graph;

mod watch;

pub use daily_log::{
    AddOutcome, AddReport, AddedUnder, BlockKind, BlockOutcome, BlockReport, FlushBlock, LogError,
    add_note, add_notes, confirm_block, write_block,
};
pub use file_lines::{FileLines, FileLinesError, file_lines, note_text};
pub use forget::{
    ForgetChoice, ForgetError, ForgetPlan, ForgetQuestion, ForgetReport, Keeper, NoteChoice,
    OtherMessages, PlannedCandidate, PlannedEntry, PlannedLines, PlannedPassage, Reason,
    UndoReport, asked_before, drop_forgotten, forget, forgettable_candidates, left_standing,
    n_words_held, plan_forgetting, plan_hidden_lines, purge, sentences_meant, sweep,
    undo_forgetting,
};
pub use known_from::{curated_lines, have_one_source, lines_known_from, sessions_of};
pub use ledger::{LedgerState, ledger_state, take_note_records};
pub use log_items::LogItem;
pub use misread::Misread;
pub use note::{NOTE_CHARS_MAX, Note, NoteId, prepare as prepared_line};
pub use note_text::{MemoryText, NoteLine, NoteText};
pub use notes::note_paths;
pub use prompt_files::{PROMPT_FILE_CHARS_MAX, PromptFile, RecentLog};
pub use references::replace_references;
pub use spending::{SpendingError, Spent, SpentDay, note_spent, spent_on};
pub use tombstone::{
    ForgottenEntry, OwnerLines, PurgeTargets, TOMBSTONES_BYTES_MAX, TextHash, Tombstone,
    TombstoneCause, TombstoneError, TombstoneId, TombstoneProgress, Tombstones, add_tombstone,
    lift_tombstone, load_tombstones, reinstate, replace_tombstone, take_tombstones,
};
pub use watch::{QUIET_DEFAULT, Watch, WorkspaceEvent};
pub use workspace::{Audience, InitReport, Workspace, WorkspaceError};
pub use workspace_path::{WorkspacePath, WorkspacePathError};
