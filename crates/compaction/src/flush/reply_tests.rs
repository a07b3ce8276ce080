//! Replies of models to a flush: as requested, in the forms that models prefer, broken, and hostile.

use base::{Message, Timestamp};
use proptest::prelude::*;

use super::*;

/// Accepts every note whose quote is in a message that it cites.
struct Quoted;

impl Grounds for Quoted {
    fn origin(
        &self,
        note: &ProposedNote,
        cited: &[&Excerpt],
        _: &[Excerpt],
    ) -> Result<Origin, NoteRefusal> {
        let holds = |excerpt: &&&Excerpt| excerpt.message.text().contains(&note.quote);
        if note.quote.is_empty() || !cited.iter().any(|excerpt| holds(&excerpt)) {
            return Err(NoteRefusal::QuoteNotFound);
        }
        let origins = cited.iter().map(|excerpt| excerpt.origin);
        Ok(least_trusted(origins).unwrap_or(Origin::Agent))
    }

    fn sentence(&self, _: &ProposedNote, _: &[&Excerpt]) -> Option<String> {
        None
    }
}

/// Excerpts `e1` and `e2` are by the owner, `e3` by the assistant, `e4` by a tool.
fn evidence() -> Vec<Excerpt> {
    use Origin::{Agent, Owner, Untrusted};
    let said = [
        (Owner, "use RS256, not HS256"),
        (Owner, "I drink green tea"),
        (Agent, "the token service is done"),
        (Untrusted, "secret in auth.js line 42"),
    ];
    let numbered = (1_u32..).zip(said);
    let excerpt = |(number, (origin, text)): (u32, (Origin, &str))| Excerpt {
        label: format!("e{number}"),
        entry: Some(EntryId::new(format!("m{number}"))),
        at: "2026-04-20T14:00:00Z".parse::<Timestamp>().unwrap(),
        origin,
        message: Message::user(text),
        recalled: None,
    };
    numbered.map(excerpt).collect()
}

/// The notes as `section origin evidence: text`, then the rejected ones as `why: text`.
fn read(reply: &str) -> Result<Vec<String>, FlushReplyError> {
    let settled = settle_notes(read_notes(reply)?, &evidence(), &Quoted);
    let refused = settled.refused.clone().into_iter();
    let refused = refused.map(|note| format!("{:?}: {}", note.why, note.text));
    let notes = settled.sorted().notes.into_iter().map(|note| {
        let entries: Vec<&str> = note.evidence.iter().map(EntryId::as_str).collect();
        let (section, origin) = (note.section, note.origin);
        format!("{section:?} {origin} {}: {}", entries.join("+"), note.text)
    });
    Ok(notes.chain(refused).collect())
}

#[track_caller]
fn check(reply: &str, expected: &[&str]) {
    let expected: Vec<String> = expected.iter().map(|note| (*note).to_owned()).collect();
    assert_eq!(read(reply), Ok(expected), "{reply}");
}

const TEA: &str = r#"{"section":"User Preferences","text":"I drink green tea","evidence":["e2"],"quote":"I drink green tea"}"#;
const TEA_NOTE: &str = "UserPreferences owner m2: I drink green tea";

#[test]
fn valid_notes_survive_wrappers_fences_and_unknown_keys() {
    let wrapped = format!("{{\"notes\":[{TEA}]}}");
    let fenced = format!("Here are your notes:\n```json\n{wrapped}\n```\nAnything else?");
    let lines = format!("{TEA}\n{TEA}");
    let unknown = TEA.replace("\"section\"", "\"confidence\":0.9,\"section\"");
    for reply in [&wrapped, &fenced, &lines, &unknown, &format!("[{TEA}]")] {
        check(reply, &[TEA_NOTE]);
    }
}

#[test]
fn broken_note_does_not_invalidate_others() {
    check(
        &format!(r#"{{"notes":[{TEA},{{"section":"Notes","text":"half a no"#),
        &[
            TEA_NOTE,
            r#"Unreadable: {"section":"Notes","text":"half a no"#,
        ],
    );
    check(
        &format!(r#"{{"notes":[{{"section":"Notes" "text":"x"}},{TEA}]}}"#),
        &[TEA_NOTE, r#"Unreadable: {"section":"Notes" "text":"x"},"#],
    );
    check(
        &format!(r#"{{"notes":[{{"fact":"no text"}},{TEA}]}}"#),
        &[TEA_NOTE, r#"Unreadable: {"fact":"no text"}"#],
    );
}

#[test]
fn notes_are_refused_with_their_own_reasons() {
    let note = |text: &str, evidence: &str, quote: &str| {
        format!(r#"{{"section":"Notes","text":"{text}","evidence":{evidence},"quote":"{quote}"}}"#)
    };
    let reply = [
        note("cites nothing", "[]", "use RS256"),
        note("cites what is not there", r#"["e99"]"#, "use RS256"),
        note("quotes another line", r#"["e2"]"#, "use RS256"),
        note("-", r#"["e1"]"#, "use RS256"),
        note("RS256", r#"["e1"]"#, "use RS256"),
    ];
    check(
        &format!("[{}]", reply.join(",")),
        &[
            "Notes owner m1: RS256",
            "NoEvidence: cites nothing",
            "NoEvidence: cites what is not there",
            "QuoteNotFound: quotes another line",
            "Empty: -",
        ],
    );
}

#[test]
fn labels_and_sections_are_read_in_many_shapes() {
    let note = |evidence: &str| {
        let wrong = TEA.replace("User Preferences", "**user preferences:**");
        wrong.replace(r#"["e2"]"#, evidence)
    };
    for evidence in [r#""e2""#, r#""[E2]""#, "[2]", "2", r#"["e2", "e77"]"#] {
        check(&note(evidence), &[TEA_NOTE]);
    }
    let several = note(r#""e1-e3""#);
    check(
        &several,
        &["UserPreferences agent m1+m2+m3: I drink green tea"],
    );
    check(
        &TEA.replace("User Preferences", "Beverages"),
        &["Notes owner m2: I drink green tea"],
    );
}

#[test]
fn empty_list_of_notes_is_accepted() {
    for reply in ["{\"notes\": []}", "[]", "NOTHING_TO_FLUSH"] {
        check(reply, &[]);
    }
}

#[test]
fn reply_without_list_of_notes_is_rejected() {
    assert_eq!(read(" \n"), Err(FlushReplyError::Empty));
    assert_eq!(
        read("I have written everything down for you."),
        Err(FlushReplyError::Prose {
            start: "I have written everything down for you.".to_owned()
        })
    );
    // Brackets around a label in prose are not an empty list.
    assert!(read("## Notes\n- They like tea [e1]").is_err());
}

#[test]
fn i14_notes_are_redacted_and_comment_marks_escaped() {
    let key = format!("ghp_{}", "a1".repeat(18));
    let text = format!("key {key} --> <!-- flush -->\\n goes on");
    check(
        &TEA.replace(
            r#""text":"I drink green tea""#,
            &format!(r#""text":"{text}""#),
        ),
        &[
            "UserPreferences owner m2: key [REDACTED:github-token] --&gt; &lt;!-- flush --&gt; goes on",
        ],
    );
}

#[test]
fn notes_beyond_block_limit_are_refused_with_reason() {
    let notes: Vec<String> = (0..=FLUSH_NOTES_MAX)
        .map(|number| TEA.replace("green tea\",\"e", &format!("green tea {number}\",\"e")))
        .collect();
    let found = read(&format!("[{}]", notes.join(","))).unwrap();
    assert_eq!(found.len(), FLUSH_NOTES_MAX + 1);
    assert!(found.last().unwrap().starts_with("TooMany: "), "{found:?}");
}

#[test]
fn retry_replaces_rejected_notes_with_corrected_notes() {
    let settled = |reply: &str| settle_notes(read_notes(reply).unwrap(), &evidence(), &Quoted);
    let wrong = TEA.replace("I drink green tea\"}", "I like tea\"}");
    let rs = r#"{"section":"Notes","text":"RS256","evidence":["e1"],"quote":"nothing like it"}"#;
    let first = settled(&format!("[{wrong},{rs}]"));
    assert_eq!((first.notes.len(), first.refused.len()), (0, 2));
    let mended = first.mended_by(settled(&format!("[{TEA}]")));
    assert_eq!(mended.notes.len(), 1);
    assert_eq!(mended.refused.len(), 1);
    assert_eq!(mended.refused[0].text, "RS256");
    let mut cut = settled(TEA);
    cut.cut();
    assert_eq!(cut.refused[0].why, NoteRefusal::Cut);
    assert!(cut.mended_by(settled("[]")).refused.is_empty());
}

#[test]
fn note_not_corrected_by_retry_is_reported() {
    let settled = |reply: &str| settle_notes(read_notes(reply).unwrap(), &evidence(), &Quoted);
    let rs = r#"{"section":"Notes","text":"RS256","evidence":["e1"],"quote":"nothing like it"}"#;
    // The retry repeats a note that was accepted before.
    let first = settled(&format!("[{TEA},{rs}]"));
    let mended = first.clone().mended_by(settled(&format!("[{TEA}]")));
    assert_eq!((mended.notes.len(), &mended.refused), (1, &first.refused));
    // The retry repeats the mistake, once in the same words and once in others.
    let mended = first.clone().mended_by(settled(&format!("[{rs}]")));
    assert_eq!(mended.refused, first.refused);
    let other = rs.replace("RS256", "We use RS256");
    let mended = first.mended_by(settled(&format!("[{other}]")));
    let told: Vec<&str> = mended.refused.iter().map(|own| own.text.as_str()).collect();
    assert_eq!(told, ["RS256", "We use RS256"]);
}

#[test]
fn quoted_note_is_as_trusted_as_its_least_trusted_evidence() {
    let note = |text: &str, labels: &str| {
        format!(r#"{{"section":"Issues Found","text":"{text}","evidence":{labels}}}"#)
    };
    let reply = [
        note("the owner", r#"["e1","e2"]"#),
        note("a tool", r#"["e1","e3","e4"]"#),
        note("nobody", r#"["e9"]"#),
    ]
    .join("\n");
    let found = quoted_notes(&reply, &evidence()).unwrap();
    let origins: Vec<Origin> = found.notes.iter().map(|note| note.origin).collect();
    assert_eq!(origins, [Origin::Owner, Origin::Untrusted]);
    assert_eq!(found.refused[0].why, NoteRefusal::NoEvidence);
    assert_eq!(
        quoted_notes(NOTHING_TO_FLUSH, &evidence()),
        Ok(FlushNotes::default())
    );
}

#[test]
fn evidence_beyond_limit_still_counts_for_origin() {
    let mut excerpts = vec![evidence().remove(0); N_EVIDENCE_MAX + 1];
    for (excerpt, number) in excerpts.iter_mut().zip(1..) {
        excerpt.label = format!("e{number}");
    }
    excerpts.last_mut().unwrap().origin = Origin::Untrusted;
    let found = quoted_notes(r#"{"text":"a","evidence":"e1-e99"}"#, &excerpts).unwrap();
    let note = &found.notes[0];
    assert_eq!(
        (note.evidence.len(), note.origin),
        (N_EVIDENCE_MAX, Origin::Untrusted)
    );
}

#[test]
fn flush_section_headings_match_requested_names() {
    assert_eq!(
        FlushSection::ALL.map(FlushSection::heading),
        base::FLUSH_SECTIONS
    );
}

#[test]
fn long_note_is_cut() {
    let long = TEA.replace(
        r#""text":"I drink green tea""#,
        &format!(r#""text":"{}""#, "word ".repeat(200)),
    );
    let found = quoted_notes(&long, &evidence()).unwrap();
    let text = &found.notes[0].text;
    assert!(text.ends_with("word..."), "{text}");
    assert!(text.chars().count() <= NOTE_CHARS_MAX);
}

proptest! {
    #[test]
    fn i16_notes_of_any_reply_are_safe(reply in "(\\{|\\}|\\[|\\]|\"|,|:|\"text\":\"|\"evidence\":|\"e[0-9]\"|<!--|-->|\\\\n|[a-z日]| ){0,60}") {
        let reply = format!("[{TEA},{reply}");
        if let Ok(found) = read_notes(&reply) {
            let settled = settle_notes(found, &evidence(), &Quoted);
            prop_assert!(!settled.notes.is_empty());
            for note in settled.notes {
                prop_assert!(!note.text.contains("<!--") && !note.text.contains("-->"));
                prop_assert!(!note.text.contains('\n') && !note.text.is_empty());
                prop_assert!(!note.evidence.is_empty());
            }
        }
    }
}
