//! Long-term memory: the workspace of Markdown files that the owner reads, edits and undoes.
//!
//! Never imports session, and never calls a chat model.

mod workspace_path;

#[cfg(test)]
mod workspace_kit;

mod file_error;
mod kept_copies;
mod misread;
mod owner_files;
mod prompt_files;
mod workspace;
mod workspace_file;

mod note_folder;

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

pub mod promises;

mod past;

mod watch;

pub use daily_log::{
    AddOutcome, AddReport, AddedUnder, BlockKind, BlockOutcome, BlockReport, FlushBlock, LogError,
    NotesAdded, add_note, add_notes, added_keys, confirm_block, take_back_notes, write_block,
};
pub use file_error::FileError;
pub use file_lines::{FileLines, FileLinesError, file_lines, note_text};
pub use forget::{
    DeletedSession, ForgetChoice, ForgetError, ForgetPlan, ForgetQuestion, ForgetReport, Keeper,
    NoteChoice, NotedTexts, OtherMessages, PlannedCandidate, PlannedEntry, PlannedLines,
    PlannedPassage, Reason, Restorable, TakenBack, UndoReport, asked_before, begin_removal,
    begun_removal, drop_forgotten, end_removal, forget, forgettable_candidates,
    forgotten_candidates, forgotten_passages, keeps_copies, left_standing, n_words_held,
    plan_forgetting, plan_hidden_lines, planned_tombstone, purge, restorable, sentences_meant,
    shares_word, sweep, take_back_made_from, undo_forgetting,
};
pub use known_from::{
    curated_lines, entries_at, have_one_source, line_known_from, lines_known_from, noted_sessions,
    sessions_of, sources_at,
};
pub use ledger::{LedgerState, ledger_state, take_note_records};
pub use log_items::LogItem;
pub use misread::Misread;
pub use note::{NOTE_CHARS_MAX, Note, NoteId, prepare as prepared_line};
pub use note_folder::{
    FolderItem, FolderNameError, LeftOutNote, LeftOutWhy, NoteFolder, check_folder_name,
};
pub use note_text::{MemoryText, NoteLine, NoteText};
pub use notes::note_paths;
pub use owner_files::Audience;
pub use past::{PastFlushes, PastGap, PastWorkspace, past_workspace};
pub use prompt_files::{PROMPT_FILE_CHARS_MAX, PromptFile, RecentLine, RecentLog};
pub use references::replace_references;
pub use spending::{Spent, SpentDay, note_spent, spent_on};
pub use tombstone::{
    ForgottenEntry, OwnerLines, PurgeTargets, TOMBSTONES_BYTES_MAX, TextHash, Tombstone,
    TombstoneCause, TombstoneId, TombstoneProgress, Tombstones, add_tombstone, lift_tombstone,
    load_tombstones, reinstate, replace_tombstone, take_tombstones,
};
pub use watch::{QUIET_DEFAULT, Watch, WorkspaceEvent};
pub use workspace::{InitReport, Workspace};
pub use workspace_path::{WorkspacePath, WorkspacePathError};
