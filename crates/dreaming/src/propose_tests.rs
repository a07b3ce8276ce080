//! Replies as they are parsed: as requested, in the forms that models prefer, and broken.

use memory::NoteText;
use memory::curated::memory_lines;

use super::*;

#[test]
fn operations_are_parsed_among_prose_and_broken_ones() {
    let reply = "Sure:\n```json\n{\"operations\": [\
        {\"op\": \"Update\", \"line\": \"[m2]\", \"section\": \"preferences\", \"text\": \"I drink tea\", \
         \"importance\": \"8\", \"evidence\": \"e1, e2\", \"quote\": \"I drink tea\", \"mood\": 1},\
        {\"op\": \"none\"}, {\"op\": \"sing\", \"text\": \"la\"}, {\"op\": \"retire\", \"line\": 1, \"quote\": \"it is over\"}, \
        {\"op\": \"update\", \"line\": \"w1\", \"text\": \"I ski\"}, {\"op\"";
    let shown = memory_lines(&NoteText::alone("- I go to yoga\n- I drink coffee\n"));
    let found = parse_proposals(
        reply,
        ReplyFrom::Model,
        KnownMemory {
            lines: &shown,
            waiting: &["I skate".to_owned()],
        },
    );
    let [update, retire, replacing] = found.operations.as_slice() else {
        panic!("{found:?}");
    };
    assert_eq!(update.kind, OperationKind::Update(shown.get(1).cloned()));
    assert_eq!(
        (update.section.as_str(), update.importance),
        ("Preferences", 8)
    );
    assert_eq!(update.evidence, ["e1", "e2"]);
    assert_eq!(retire.kind, OperationKind::Retire(shown.first().cloned()));
    assert_eq!(retire.text, "it is over");
    assert_eq!(replacing.kind, OperationKind::Update(None));
    assert_eq!(replacing.waiting.as_deref(), Some("I skate"));
    assert_eq!(found.unreadable.len(), 2, "{:?}", found.unreadable);
}

#[test]
fn empty_reply_and_unreadable_reply_give_different_errors() {
    for nothing in [
        "",
        "{\"operations\": []}",
        "[]",
        "{\"op\": \"none\"}",
        NOTHING_TO_KEEP,
    ] {
        assert_eq!(
            parse_proposals(nothing, ReplyFrom::Model, KnownMemory::default()),
            Proposals::default(),
            "{nothing}"
        );
    }
    for prose in ["I think that all of it matters.", "All of it matters [1]."] {
        let found = parse_proposals(prose, ReplyFrom::Model, KnownMemory::default());
        assert_eq!(found.unreadable, [prose]);
    }
}

#[test]
fn engine_operation_has_its_own_proposer_and_quote() {
    let reply = "{\"op\": \"add\", \"text\": \"I fly tomorrow (2026-04-21)\", \"evidence\": [\"e1\"], \"asked\": true}";
    let found = parse_proposals(reply, ReplyFrom::Engine, KnownMemory::default());
    let own = &found.operations[0];
    assert_eq!(own.quote.trim_end(), "I fly tomorrow");
    assert_eq!(own.proposer, Proposer::Engine { is_asked: true });
    assert_eq!(
        parse_proposals(reply, ReplyFrom::Model, KnownMemory::default()).operations[0].proposer,
        Proposer::Model
    );
}

#[test]
fn label_of_note_or_missing_line_does_not_name_line() {
    let shown = memory_lines(&NoteText::alone(
        "- My car insurance is with Allianz\n- My house insurance is with Helvetia\n",
    ));
    let line_of = |label: &str| {
        let reply = format!(
            "{{\"op\": \"update\", \"line\": {label}, \"text\": \"My dog insurance is with Zurich\"}}"
        );
        let known = KnownMemory {
            lines: &shown,
            waiting: &[],
        };
        let found = parse_proposals(&reply, ReplyFrom::Model, known);
        found.operations[0].kind.line().cloned()
    };
    for label in [
        "\"e2\"",
        "\"[n2]\"",
        "\"line 2\"",
        "\"w2\"",
        "\"m3\"",
        "null",
    ] {
        assert_eq!(line_of(label), None, "{label}");
    }
    for label in ["\"m2\"", "\"[M2]\"", "\"2\"", "2"] {
        assert_eq!(line_of(label), shown.get(1).cloned(), "{label}");
    }
}
