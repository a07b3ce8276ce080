//! Notes that rest on the message of a line that was replaced or taken back are marked, even if the line also states
//! something else.

use std::sync::Arc;

use base::test_kit::Words;
use base::{Message, Origin};
use memory::{BlockKind, FlushBlock, Note, write_block};
use search::SearchOptions;
use serde_json::json;

use crate::runtime::PrivateSessions;
use crate::test_kit::{Home, Script, home, main};

const LJUBLJANA: &str = "I'm Ottoline Varga, 44, I restore pianos in Ljubljana";
const TEA: &str = "Ottoline Varga drinks tea in the morning, not coffee.";
const COFFEE: &str = "Ab morgen (2026-12-04) trinke ich morgens Kaffee statt Tee";
const SWIMS: &str = "Nika schwimmt donnerstags um 17:00";

fn started() -> Home {
    let home = home(Arc::new(Script::new()));
    home.runtime.home.workspace.init().unwrap();
    remembered(&home, ("2026-12-01T07:00:00Z", LJUBLJANA), LJUBLJANA);
    home
}

fn remembered(home: &Home, (now, said): (&str, &str), text: &str) {
    home.record(now, said);
    let asked = json!({ "text": text, "quote": said });
    let answer = home.call("main", "remember", &asked.to_string());
    answer.holds("MEMORY.md now says");
}

fn corrected(home: &Home, (now, said): (&str, &str), (line, text): (&str, &str), reason: &str) {
    home.record(now, said);
    let asked = json!({ "line": line, "text": text, "quote": said, "reason": reason });
    let answer = home.call("main", "correct", &asked.to_string());
    answer.holds("MEMORY.md now says");
}

/// Notes these about the owner's last message, as at the end of a chat.
fn noted(home: &Home, notes: &[(&str, Origin)]) {
    let last = home.entries(&main()).pop().unwrap();
    let notes = notes.iter().map(|(text, origin)| Note {
        text: (*text).to_owned(),
        evidence: vec![last.clone()],
        origin: *origin,
    });
    let notes = notes.collect();
    let own = &home.runtime.home;
    let block = FlushBlock {
        session: home.turn().session_id().clone(),
        epoch: 0,
        span: (last.clone(), last.clone()),
        kind: BlockKind::SessionNotes,
        at: own.clock.now(),
        sections: vec![("Notes".to_owned(), notes)],
    };
    write_block(&own.workspace, &block, own.timezone).unwrap();
}

/// The state of a note that a search finds.
fn ended(home: &Home, question: &str, text: &str) -> Option<String> {
    let knowledge = home.runtime.memory.knowledge.as_ref().unwrap();
    let found = knowledge.search(question, &SearchOptions::default(), &mut |_| {});
    let results = found.unwrap().results;
    let note = results
        .iter()
        .find(|it| it.path.starts_with("memory/2026") && it.text.contains(text));
    note.unwrap_or_else(|| panic!("{text}: {results:?}"))
        .ended()
}

async fn request(home: &mut Home, now: &str, question: &str) -> String {
    let script = Arc::new(Script::new().says("I do not know."));
    home.ask(script.clone());
    home.runtime.memory.private_sessions = PrivateSessions::All;
    home.say_in("other", now, question).await;
    let requests = script.requests();
    let asked = requests.last().unwrap();
    let messages: String = asked.messages.iter().map(Message::text).collect();
    asked.system.clone() + &messages
}

#[test]
fn note_of_replaced_fact_is_marked_even_if_line_has_other_facts() {
    let home = started();
    let lease = "We've signed the lease: from today I live in Maribor, Gosposka 14, not in Ljubljana any more";
    let maribor = "I'm Ottoline Varga, 44, I restore pianos; since 2026-12-03 I live in Maribor, Gosposka 14, not in \
                   Ljubljana any more";
    let said = ("2026-12-03T10:00:00Z", lease);
    corrected(&home, said, (LJUBLJANA, maribor), "changed");
    let signed = lease.replace("today", "today (2026-12-03)");
    let notary = "The lease was signed before the notary";
    noted(&home, &[(&signed, Origin::Owner), (notary, Origin::Agent)]);
    assert_eq!(ended(&home, "Maribor lease", "Gosposka"), None);
    let back = "I moved back to Ljubljana after all, the Maribor flat was damp";
    let again =
        "I'm Ottoline Varga, 44, I restore pianos; since 2026-12-05 I live in Ljubljana again";
    let said = ("2026-12-05T10:00:00Z", back);
    corrected(&home, said, (maribor, again), "changed");
    noted(&home, &[(back, Origin::Owner)]);
    let day = Some("replaced on 2026-12-05".to_owned());
    assert_eq!(ended(&home, "Maribor lease", "Gosposka"), day);
    assert_eq!(ended(&home, "lease notary", "notary"), None);
    assert_eq!(ended(&home, "moved back to Ljubljana", "moved back"), None);
}

#[tokio::test]
async fn latest_logs_mark_replaced_lines_and_leave_out_untrue_ones() {
    let mut home = started();
    let iron = |n: u32| {
        format!("Ottoline Varga takes {n} mg of iron every morning; Dr. Zupan prescribed it.")
    };
    let said = "I take 14 mg of iron every morning, Dr. Zupan prescribed it.";
    remembered(&home, ("2026-12-01T08:00:00Z", said), &iron(14));
    noted(&home, &[(said, Origin::Owner)]);
    let friday = "Dentist is on Friday (2026-12-04) at 10:00.";
    home.note(friday, Origin::Owner);
    home.note("The gate is green", Origin::Agent);
    let label = (
        "2026-12-02T08:00:00Z",
        "The iron is 20 mg, not 14, I misread the label.",
    );
    corrected(&home, label, (&iron(14), &iron(20)), "was_wrong");
    let moved = "The dentist moved: it is now on December 11 at 9:15.";
    let line = (friday, "Dentist is on Friday, 2026-12-11, at 9:15.");
    corrected(&home, ("2026-12-02T09:00:00Z", moved), line, "changed");
    let asked = request(&mut home, "2026-12-02T10:00:00Z", "Hello").await;
    asked.holds(&format!("- {friday} [replaced 2026-12-02]"));
    asked.holds("- The gate is green [agent]\n");
    asked.lacks("14 mg");
}

#[tokio::test]
async fn paraphrased_note_of_undone_change_is_untrue() {
    let mut home = started();
    let tea = "I drink tea in the morning, not coffee.";
    remembered(&home, ("2026-12-02T10:00:00Z", tea), TEA);
    let said = "Ab morgen trinke ich morgens Kaffee statt Tee.";
    home.record("2026-12-03T16:00:00Z", said);
    let text = "Ab 2026-12-04 trinkt Ottoline Varga morgens Kaffee statt Tee.";
    let asked = json!({ "line": TEA, "text": text, "quote": said, "reason": "changed" });
    let answer = home.call("main", "correct", &asked.to_string());
    answer.holds("MEMORY.md now says");
    noted(&home, &[(COFFEE, Origin::Agent), (SWIMS, Origin::Owner)]);
    let question = "Was trinke ich morgens?";
    assert_eq!(ended(&home, question, COFFEE), None);
    home.set("2026-12-04T07:00:00Z");
    home.undo_last();
    let taken_back = Some("taken back on 2026-12-04".to_owned());
    assert_eq!(ended(&home, question, COFFEE), taken_back);
    assert_eq!(ended(&home, "Nika schwimmt", SWIMS), None);
    let asked = request(&mut home, "2026-12-04T08:00:00Z", question).await;
    asked.lacks("Kaffee");
    asked.holds(SWIMS);
}
