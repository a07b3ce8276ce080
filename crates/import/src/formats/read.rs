//! Detects the format of a file and reads its conversations.
//!
//! Looks at the content and never at the file name.

use std::path::Path;
use std::sync::Arc;

use base::disk::{Disk, MemoryDisk, read_all};
use base::{Block, parted};
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::model::{
    Conversation, ConversationSource, ImportError, ImportFormat, ImportedMessage, NotUnderstood,
};
use super::{chatgpt, claude, claude_code, codex, openclaw};
use crate::recording::Recording;

/// Maximum bytes of an imported file.
const FILE_BYTES_MAX: u64 = 1 << 30;

/// Maximum bytes of a session listing.
const LISTING_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// Number of leading lines examined to detect the format.
const SIGNS_MAX: usize = 20;

/// The conversations of a file; detects the format if `format` is `None`.
pub fn read_conversations(
    disk: &dyn Disk,
    path: &Path,
    format: Option<ImportFormat>,
) -> Result<Vec<Conversation>, ImportError> {
    let bytes = read_all(disk, path, FILE_BYTES_MAX)?;
    let unknown = |reason: &str| ImportError::Unknown {
        path: path.to_owned(),
        reason: reason.to_owned(),
    };
    let text = String::from_utf8(bytes);
    let mut text = text.map_err(|_| ImportError::NoText(path.to_owned()))?;
    let n_marks = text.len() - text.trim_start_matches('\u{feff}').len();
    text.drain(..n_marks);
    let text = whole_characters(text);
    let Some(format) = format.or_else(|| format_of(&text)) else {
        return Err(unknown(&why_unknown(&text)));
    };
    let mut found = match format {
        ImportFormat::ChatGpt | ImportFormat::Claude => {
            let found = of_export(&text);
            found.ok_or_else(|| unknown("it is not a list of conversations"))?
        }
        ImportFormat::OpenClaw
        | ImportFormat::ClaudeCode
        | ImportFormat::Codex
        | ImportFormat::Lines => vec![of_lines(disk, path, text, format)?],
    };
    found.iter_mut().for_each(note_images);
    Ok(found)
}

/// Why a text has no known format.
fn why_unknown(text: &str) -> String {
    // Only an export begins with a list.
    let is_list = text.trim_start().starts_with('[');
    let damage = serde_json::from_str::<IgnoredAny>(text).err();
    match damage.filter(|_| is_list) {
        Some(error) => format!("it is damaged JSON: {error}"),
        None => "it is neither JSON Lines nor an export".to_owned(),
    }
}

/// Replaces each escape that is half a character with U+FFFD. JavaScript writes such escapes when it cuts an emoji,
/// and the JSON parser rejects them.
fn whole_characters(text: String) -> String {
    const MARK: &str = "\\u";
    if !text.contains(MARK) {
        return text;
    }
    let unit = |from: usize| {
        let digits = text.get(from..)?.strip_prefix(MARK)?.get(..HEX_DIGITS)?;
        u16::from_str_radix(digits, 16).ok()
    };
    let is_high = |unit: u16| (0xD800..0xDC00).contains(&unit);
    let is_low = |unit: u16| (0xDC00..0xE000).contains(&unit);
    let len = MARK.len() + HEX_DIGITS;
    let mut whole = String::with_capacity(text.len());
    let (mut done, mut at) = (0, 0);
    while let Some(found) = text.get(at..).and_then(|rest| rest.find('\\')) {
        let start = at + found;
        // Any other escape has one character; skipping it keeps an escaped backslash from starting the next escape.
        at = start
            + text
                .get(start + 1..)
                .map_or(1, |rest| 1 + rest.chars().next().map_or(0, char::len_utf8));
        match unit(start) {
            Some(first) if is_high(first) && unit(start + len).is_some_and(is_low) => {
                at = start + 2 * len;
            }
            Some(half) if is_high(half) || is_low(half) => {
                whole.push_str(text.get(done..start).unwrap_or_default());
                whole.push_str("\\ufffd");
                at = start + len;
                done = at;
            }
            Some(_) | None => {}
        }
    }
    if done == 0 {
        return text;
    }
    whole.push_str(text.get(done..).unwrap_or_default());
    whole
}

/// Number of digits in the escape of a UTF-16 unit.
const HEX_DIGITS: usize = 4;

/// Records each image as not imported, because the conversation keeps only its metadata.
pub(super) fn note_images(conversation: &mut Conversation) {
    let messages = conversation.messages.iter();
    let blocks = messages.flat_map(|it| it.message.content());
    let n_images = blocks.filter(|it| matches!(it, Block::Image(_))).count();
    for _ in 0..n_images {
        let what = "an image; the session keeps only its metadata";
        conversation.not_understood.add(what);
    }
}

fn format_of(text: &str) -> Option<ImportFormat> {
    if openclaw::is_session(text) {
        return Some(ImportFormat::OpenClaw);
    }
    let lines = || {
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        lines.take(SIGNS_MAX)
    };
    if lines().any(claude_code::is_line) {
        return Some(ImportFormat::ClaudeCode);
    }
    if lines().any(codex::is_line) {
        return Some(ImportFormat::Codex);
    }
    let conversations = of_export(text);
    if let Some(first) = conversations.as_ref().and_then(|found| found.first()) {
        return Some(first.format);
    }
    text.trim_start()
        .starts_with('{')
        .then_some(ImportFormat::Lines)
}

/// The conversations in an export. Other elements are recorded in the first conversation as not understood.
fn of_export(text: &str) -> Option<Vec<Conversation>> {
    let elements: Vec<&RawValue> = match serde_json::from_str(text) {
        Ok(elements) => elements,
        Err(_) => vec![serde_json::from_str(text).ok()?],
    };
    let mut found: Vec<Conversation> = Vec::new();
    let mut n_other = 0;
    for element in elements {
        let read = chatgpt::read(element.get()).or_else(|| claude::read(element.get()));
        match read {
            Some(conversation) => found.push(conversation),
            None => n_other += 1,
        }
    }
    let first = found.first_mut()?;
    for _ in 0..n_other {
        first
            .not_understood
            .add("an element that is not a conversation");
    }
    Some(found)
}

fn of_lines(
    disk: &dyn Disk,
    path: &Path,
    text: String,
    format: ImportFormat,
) -> Result<Conversation, ImportError> {
    let mut not_understood = NotUnderstood::default();
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let mut source = match format {
        ImportFormat::ClaudeCode => claude_code::source(&text),
        ImportFormat::Codex => codex::source(&text),
        ImportFormat::OpenClaw
        | ImportFormat::ChatGpt
        | ImportFormat::Claude
        | ImportFormat::Lines => ConversationSource::default(),
    };
    let messages = match format {
        ImportFormat::ClaudeCode => claude_code::read(&text, &mut not_understood),
        ImportFormat::Codex => codex::read(&text, &mut not_understood),
        ImportFormat::OpenClaw => {
            let key = key_of(disk, path, &stem);
            return openclaw_session(text, path, (&stem, key.as_deref()));
        }
        ImportFormat::Lines | ImportFormat::ChatGpt | ImportFormat::Claude => {
            let (scope, messages) = recorded(text, path, &mut not_understood)?;
            source.scope = scope;
            messages
        }
    };
    Ok(Conversation {
        format,
        id: stem.into_owned(),
        source,
        title: None,
        messages,
        not_understood,
    })
}

/// Reads an OpenClaw session with its id, and its key if known.
pub(super) fn openclaw_session(
    text: String,
    path: &Path,
    (id, key): (&str, Option<&str>),
) -> Result<Conversation, ImportError> {
    let mut not_understood = NotUnderstood::default();
    openclaw::note_left_out(&text, &mut not_understood);
    let is_foreign = openclaw::is_foreign(&text);
    let source = openclaw::source(&text, (id, key));
    // A session that is only a header has no messages.
    let mut messages = if text.lines().nth(1).is_none() {
        Vec::new()
    } else {
        let mended = openclaw::mended(&text, key);
        // A transcript may be large, so only one copy stays in memory.
        drop(text);
        recorded(mended, path, &mut not_understood)?.1
    };
    if is_foreign {
        messages = messages.into_iter().flat_map(parted_message).collect();
    }
    Ok(Conversation {
        format: ImportFormat::OpenClaw,
        id: id.to_owned(),
        source,
        title: key.map(str::to_owned),
        messages,
        not_understood,
    })
}

fn parted_message(whole: ImportedMessage) -> impl Iterator<Item = ImportedMessage> {
    let parts = parted(whole.origin, whole.message).into_iter();
    parts.map(move |part| ImportedMessage::new(whole.at, part))
}

/// The key of a session in the listing next to its file.
fn key_of(disk: &dyn Disk, path: &Path, stem: &str) -> Option<String> {
    let listing = path.with_file_name("sessions.json");
    let bytes = read_all(disk, &listing, LISTING_BYTES_MAX).ok()?;
    openclaw::key_of(std::str::from_utf8(&bytes).ok()?, stem)
}

/// The scope and the messages of a session or a JSON Lines file. Reads from memory, because older formats were
/// converted.
fn recorded(
    text: String,
    path: &Path,
    not_understood: &mut NotUnderstood,
) -> Result<(Option<String>, Vec<ImportedMessage>), ImportError> {
    let file = (path.to_owned(), text.into_bytes());
    let disk = MemoryDisk::from_snapshot([file].into());
    let recording = Recording::open(Arc::new(disk), path)?;
    // The import warns about times itself, for all formats.
    for warning in recording.warnings_of_form() {
        not_understood.add(warning.as_str());
    }
    for _ in 0..recording.n_elsewhere() {
        not_understood.add("a message on another branch");
    }
    let mut messages = Vec::new();
    for recorded in recording.messages()? {
        let recorded = recorded?;
        let said = (recorded.origin, recorded.message);
        messages.push(ImportedMessage::new(recorded.at, said));
    }
    Ok((recording.scope().map(str::to_owned), messages))
}
