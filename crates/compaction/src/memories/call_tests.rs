//! Calls as requested, in the forms that models prefer, and hostile.

use base::test_kit::Words;
use base::{Assistant, Block, Origin, ToolCallId, ToolOutcome};

use super::*;
use crate::fixture::view;
use crate::flush::{FlushNote, least_trusted};
use crate::transcript::excerpts;

fn calls(arguments: &[&str]) -> Message {
    let call = |(number, arguments): (usize, &&str)| {
        Block::ToolCall(ToolCall {
            id: ToolCallId::new(format!("c{number}")),
            name: TOOL.to_owned(),
            arguments: (*arguments).to_owned(),
        })
    };
    Message::Assistant(Assistant {
        content: arguments.iter().enumerate().map(call).collect(),
        ..Assistant::default()
    })
}

/// Accepts every note with a quote.
struct Quoted;

impl Grounds for Quoted {
    fn origin(
        &self,
        note: &ProposedNote,
        cited: &[&Excerpt],
        _: &[Excerpt],
    ) -> Result<Origin, NoteRefusal> {
        let origins = cited.iter().map(|excerpt| excerpt.origin);
        let origin = least_trusted(origins).filter(|_| !note.quote.is_empty());
        origin.ok_or(NoteRefusal::NoQuote)
    }

    fn sentence(&self, _: &ProposedNote, _: &[&Excerpt]) -> Option<String> {
        None
    }
}

/// The tool's answers, and the saved notes as `section origin evidence: text`.
fn saved(arguments: &[&str]) -> (Vec<String>, Vec<String>) {
    // The first message counts as flushed.
    let mut unflushed = excerpts(&view("user: flushed\nuser: tea\nassistant: noted").items);
    unflushed.remove(0);
    let mut memories = SavedMemories::default();
    let answers = memories.take(&calls(arguments), &unflushed, &Quoted);
    let notes = memories.into_notes().notes.into_iter().map(|note| {
        let entries: Vec<&str> = note.evidence.iter().map(base::EntryId::as_str).collect();
        let FlushNote {
            section,
            origin,
            text,
            ..
        } = note;
        format!("{section:?} {origin} {}: {text}", entries.join("+"))
    });
    (answers.iter().map(Message::text).collect(), notes.collect())
}

#[test]
fn saved_memories_become_notes_with_evidence() {
    let (answers, notes) = saved(&[
        r#"{"text":"Kim drinks tea","kind":"preference","evidence":["e2"],"quote":"tea"}"#,
        r#"{"text":"The shop is shut","kind":"fact","evidence":["e2","e3"],"quote":"tea"}"#,
        r#"{"text":"kim drinks TEA!","kind":"fact","evidence":["e2"],"quote":"tea"}"#,
        r#"{"text":"No coffee is bought","kind":"decision"}"#,
        r#"{"text":"Not quoted","kind":"decision","evidence":["e2"]}"#,
    ]);
    assert_eq!(answers[..3], [SAVED, SAVED, SAVED_BEFORE]);
    assert_eq!(
        answers[3],
        "Not saved: its evidence is not a transcript label."
    );
    assert_eq!(
        answers[4],
        "Not saved: its quote has fewer than three words."
    );
    assert_eq!(
        notes,
        [
            "UserPreferences owner m2: Kim drinks tea",
            "Notes agent m2+m3: The shop is shut",
        ]
    );
}

#[test]
fn i4_memory_from_flushed_message_is_not_noted_again() {
    let (answers, notes) =
        saved(&[r#"{"text":"It was flushed","kind":"fact","evidence":["e1"],"quote":"flushed"}"#]);
    assert_eq!(
        (answers, notes),
        (vec![WRITTEN_DOWN.to_owned()], Vec::new())
    );
}

#[test]
fn i14_i16_memory_save_redacts_and_reports_unreadable_calls() {
    let secret = format!("sk-ant-api03-{}", "a1B2".repeat(24));
    let told = format!(
        r#"{{"text":"The key is {secret}","kind":"fact","evidence":["e2"],"quote":"tea"}}"#
    );
    let (answers, notes) = saved(&[&told, "{", r#"{"text":" ","kind":"fact"}"#, "null"]);
    assert_eq!(answers[0], SAVED);
    answers[1].begins("The arguments cannot be read: ");
    assert_eq!(answers[2], "Not saved: its text is empty.");
    answers[3].begins("The arguments cannot be read: ");
    assert!(notes.len() == 1 && !notes[0].contains(&secret), "{notes:?}");
    let many: Vec<String> = (0..FLUSH_NOTES_MAX + 2)
        .map(|number| {
            format!(
                r#"{{"text":"Fact number {number}","kind":"fact","evidence":["e2"],"quote":"tea"}}"#
            )
        })
        .collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let (answers, notes) = saved(&many);
    assert_eq!(
        (notes.len(), answers.last().unwrap().as_str()),
        (FLUSH_NOTES_MAX, FULL)
    );
}

#[test]
fn call_of_other_tool_is_refused() {
    let mut reply = calls(&["{}"]);
    if let Some(Block::ToolCall(call)) = reply.content_mut().first_mut() {
        call.name = "shell".to_owned();
    }
    let answers = SavedMemories::default().take(&reply, &[], &Quoted);
    let Message::ToolResult(result) = &answers[0] else {
        panic!("{answers:?}");
    };
    assert_eq!(result.outcome, ToolOutcome::Failure);
}
