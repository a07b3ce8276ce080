//! The closed list of phrases that a reply may hold besides the words of its evidence.
//!
//! Names of sections stand in the reply contract; dates are reckoned.

/// Before a clause of the assistant.
pub(super) const ASSISTANT: &str = "Assistant: ";
/// Before the name of a tool.
pub(super) const TOOL: &str = "Tool ";
/// Before a question that holds facts.
pub(super) const ASKED: &str = "Asked: ";
/// Before the last question or request, while nobody has answered it.
pub(super) const STILL_OPEN: &str = "Still open: ";
/// Before identifiers that no other note shows.
pub(super) const ALSO_MENTIONED: &str = "Also mentioned: ";
/// Before the identifiers of a summary.
pub(super) const IDENTIFIERS: &str = "Identifiers: ";
/// Before what the owner asked last.
pub(super) const LAST_REQUEST: &str = "Last request: ";
/// Before the gist of the last message, where it asks nothing.
pub(super) const LAST_MESSAGE: &str = "Last message: ";
/// Before what the assistant said last.
pub(super) const LAST_REPLY: &str = "Last reply: ";
/// Before the names of the tools that were called last.
pub(super) const LAST_TOOL_CALLS: &str = "Last tool calls: ";
/// Before the request with which work goes on.
pub(super) const CONTINUE_WITH: &str = "Continue with: ";
/// Before the Monday of a week.
pub(super) const WEEK_OF: &str = "week of ";

/// Before what memory holds about a question.
pub(super) const FOUND: &str = "I am offline and can only quote what I find in memory:";
/// Before what was told earlier than another value of the same thing.
pub(super) const EARLIER: &str = "Earlier: ";
/// Where memory holds nothing about a question.
pub(super) const NOT_FOUND: &str = "I am offline, and I find nothing about this in memory.";
/// The same where something is near in meaning that holds no word of the question.
pub(super) const NOT_FOUND_NEAR: &str = "I am offline, and nothing in memory holds a word of this. \
     `openclaw memory search` with your question shows what comes nearest.";
/// The same where only the session itself was looked through.
pub(super) const NOT_FOUND_HERE: &str = "I am offline, and I find nothing about this in this session. \
     Your notes and other sessions are for the session main alone.";
/// The same where the index does not hold yet what was written last.
pub(super) const NOT_FOUND_YET: &str = "I am offline, and my index is behind your notes: I find nothing about this \
     in what it holds so far. Ask again in a while.";
/// The same where something cannot be read.
pub(super) const NOT_FOUND_IN_PART: &str = "I am offline, and some of your notes or sessions cannot be read: I find \
     nothing about this in the rest.";
/// Where memory was not searched, because the search failed.
pub(super) const NOT_SEARCHED: &str = "I am offline, and the search of memory failed, so that I do not know what it \
     holds about this. `openclaw doctor` shows why.";
/// After something that the owner told.
pub(super) const KEPT: &str =
    "Kept. I am offline: what you tell me stays in this session, and I can quote it later.";
/// After something that no note would hold.
pub(super) const NOT_NOTED: &str = "I am offline: this stays in this session, where I can quote it later, and I find \
     nothing in it to note.";
/// Before the kinds of secret that a message holds.
pub(super) const TAKEN_OUT: &str = "Not kept: ";
/// After them.
pub(super) const STILL_IN_TRANSCRIPT: &str = ". I am offline, and it goes into no note, no summary and no search \
     result, nor shall I quote it. The transcript of this session holds your message as you typed it; \
     `openclaw session redact NAME --text WORDS` shows what it would take out, and `--yes` does it.";
/// Before all that is known about the owner.
pub(super) const KNOWN: &str = "I am offline and can only quote what I know about you:";
/// Where that is nothing.
pub(super) const NOTHING_KNOWN: &str = "I am offline, and I know nothing about you yet. Tell me something, or fill \
     in USER.md in your workspace.";
/// Where something is to be forgotten, which the owner alone does.
pub(super) const FORGET: &str = "I am offline, and forget nothing by being told. `openclaw memory forget WORDS` \
     shows what memory holds of it, and takes it out when you agree.";
/// After a greeting, or a word or two.
pub(super) const NOTHING_TO_SAY: &str =
    "I am offline: tell me something to keep, or ask about what you told me before.";

/// Every phrase.
pub(super) const ALL: [&str; 28] = [
    ASSISTANT,
    TOOL,
    ASKED,
    STILL_OPEN,
    ALSO_MENTIONED,
    IDENTIFIERS,
    LAST_REQUEST,
    LAST_MESSAGE,
    LAST_REPLY,
    LAST_TOOL_CALLS,
    CONTINUE_WITH,
    WEEK_OF,
    FOUND,
    EARLIER,
    NOT_FOUND,
    NOT_FOUND_NEAR,
    NOT_FOUND_HERE,
    NOT_FOUND_YET,
    NOT_FOUND_IN_PART,
    NOT_SEARCHED,
    KEPT,
    NOT_NOTED,
    TAKEN_OUT,
    STILL_IN_TRANSCRIPT,
    KNOWN,
    NOTHING_KNOWN,
    FORGET,
    NOTHING_TO_SAY,
];

/// What parts the identifiers of a list; commas stand inside dates.
pub(super) const LIST_SEPARATOR: &str = "; ";

/// A text without the phrase that was put before it.
pub(super) fn without_phrase(text: &str) -> &str {
    ALL.iter()
        .find_map(|phrase| text.strip_prefix(phrase))
        .unwrap_or(text)
}
