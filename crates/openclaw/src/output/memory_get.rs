//! What stands at a place of a note or a session.
//!
//! Renders what it is given; reads no file.

use base::Locator;
use serde::{Serialize, Serializer};

use super::human::printable;

/// What was found at a place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub(crate) enum Gotten {
    /// Lines of a note.
    Note {
        /// Which lines.
        #[serde(flatten, serialize_with = "locator")]
        place: Locator,
        /// What they say.
        text: String,
    },
    /// Messages of a session.
    Messages {
        /// The transcript.
        path: String,
        /// In order.
        messages: Vec<GottenMessage>,
    },
}

/// A message of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GottenMessage {
    /// Its line in the transcript.
    pub(crate) line: usize,
    /// Its day.
    pub(crate) day: Option<String>,
    /// Who says it.
    pub(crate) speaker: String,
    /// Who is answerable for it.
    pub(crate) origin: &'static str,
    /// What is said.
    pub(crate) text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LocatorWire<'a> {
    path: &'a str,
    start_line: usize,
    end_line: usize,
}

fn locator<S: Serializer>(place: &Locator, to: S) -> Result<S::Ok, S::Error> {
    LocatorWire {
        path: &place.path,
        start_line: place.start_line,
        end_line: place.end_line,
    }
    .serialize(to)
}

/// Lines of a note as they are; messages below a line that says where they stand.
pub(crate) fn render(gotten: &Gotten) -> String {
    match gotten {
        Gotten::Note { text, .. } => printable(text) + "\n",
        Gotten::Messages { path, messages } => {
            let messages: Vec<String> = messages
                .iter()
                .map(|message| render_message(path, message))
                .collect();
            messages.join("\n")
        }
    }
}

fn render_message(path: &str, message: &GottenMessage) -> String {
    let day = message.day.as_deref().unwrap_or("no day");
    let speaker = printable(&message.speaker).replace('\n', " ");
    let text = printable(&message.text);
    format!("{path}:{}  {day}  {speaker}\n{text}\n", message.line)
}
