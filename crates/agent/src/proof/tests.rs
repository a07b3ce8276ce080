//! A fact in every place of a home, and what a proof says of each; then every byte is read here too.

use std::path::Path;
use std::sync::Arc;

use base::disk::{MemoryDisk, read_all, replace};
use base::{Disk, Origin, Timestamp};
use serde_json::json;

use super::place::FileKind;
use super::read::until;
use super::*;
use crate::knowledge::scope::Viewer;
use crate::ops::{Forget, ForgetReply, OpContext, Operation, PlanForget, Search};
use crate::test_kit::{Home, Script, home};

const FACT: &str = "The safe in Zwenkau opens with the blue heron";
const WORDS: &str = "blue heron";

fn context(home: &Home) -> OpContext<'_> {
    let knowledge = home.runtime.memory.knowledge.as_deref();
    OpContext::new(
        &home.runtime.home,
        &home.runtime.engine.settings,
        knowledge,
        &Viewer::Owner,
    )
}

/// A home whose owner has said the fact, had it kept, typed it, noted it, and changed the line since.
async fn planted() -> Home {
    let asks = json!({ "text": FACT, "quote": "The safe in Zwenkau opens with the blue heron" });
    let script = Script::new()
        .calls("remember", &asks.to_string())
        .says("Noted.");
    let home = home(Arc::new(script));
    home.runtime.home.workspace.init().unwrap();
    home.say("2026-03-02T08:00:00Z", &format!("Remember this. {FACT}."))
        .await;
    home.note(FACT, Origin::Owner);
    let others = "Remember this\n";
    put(&home, "state/chat-history", &format!("{others}{FACT}.\n"));
    put(
        &home,
        "state/quarantine/main-1-0.jsonl",
        &format!("{{\"text\":\"{FACT}"),
    );
    put(&home, "state/overwritten/page.1", FACT);
    home.disk
        .create_dir(Path::new("/home/state/forgotten"))
        .unwrap();
    // A change since then keeps the line in the copy that its undo needs.
    home.note("The bins go out on Mondays", Origin::Owner);
    let search = Search {
        query: WORDS.to_owned(),
        ..Search::default()
    };
    assert!(
        !search
            .run(&context(&home))
            .unwrap()
            .answer
            .results
            .is_empty()
    );
    home
}

fn put(home: &Home, path: &str, text: &str) {
    let path = Path::new("/home").join(path);
    home.disk.create_dir(path.parent().unwrap()).unwrap();
    replace(&*home.disk, &path, text.as_bytes()).unwrap();
}

fn forget(home: &Home, wanted: &Forget) -> ForgetReply {
    let plan = PlanForget {
        what: FACT.to_owned(),
        remove_own_lines: true,
        ..PlanForget::default()
    };
    let token = plan.run(&context(home)).unwrap().token.unwrap();
    let confirm = Forget {
        token,
        ..wanted.clone()
    };
    confirm.run(&context(home)).unwrap()
}

/// The files that have the words, read here byte by byte.
fn holding(files: &MemoryDisk) -> Vec<String> {
    let all = files.snapshot().into_iter();
    let holds = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).to_lowercase();
        text.contains(WORDS)
    };
    let held = all.filter(|(_, bytes)| holds(bytes));
    held.map(|(path, _)| path.strip_prefix("/home").unwrap().display().to_string())
        .collect()
}

fn paths(proof: &ProofReply) -> Vec<String> {
    proof.found.iter().map(|own| own.path.clone()).collect()
}

#[tokio::test]
async fn forget_with_proof_names_each_place_that_an_undo_needs() {
    let home = planted().await;
    home.set("2026-03-02T09:00:00Z");
    let done = forget(
        &home,
        &Forget {
            prove: true,
            ..Forget::default()
        },
    );
    let proof = done.proof.unwrap();
    assert_eq!(paths(&proof), holding(&home.files));
    let is_kept = |folder: &str| proof.found.iter().any(|own| own.path.starts_with(folder));
    for folder in [
        "sessions/main.jsonl",
        "state/forgotten/",
        "state/chat-history",
    ] {
        assert!(is_kept(folder), "{folder}: {proof:?}");
    }
    let copies = proof
        .found
        .iter()
        .filter(|own| own.path.starts_with("state/forgotten/"));
    let until: Vec<_> = copies.map(|own| own.until.unwrap().to_string()).collect();
    assert!(until.iter().all(|day| day == "2026-04-01"), "{until:?}");
    assert!(proof.bytes > 0 && proof.files > 5 && proof.pieces > 0);
    let transcript = proof
        .found
        .iter()
        .find(|own| own.path == "sessions/main.jsonl")
        .unwrap();
    assert_eq!(transcript.line, 2);
    assert!(transcript.why.contains("session redact main"));
}

#[tokio::test]
async fn forget_for_good_leaves_no_byte_of_it() {
    let home = planted().await;
    let mut before = holding(&home.files);
    before.sort();
    for place in [
        "sessions/main.jsonl",
        "state/chat-history",
        "workspace/MEMORY.md",
    ] {
        assert!(before.iter().any(|own| own == place), "{place}: {before:?}");
    }
    home.set("2026-03-02T09:00:00Z");
    let done = forget(
        &home,
        &Forget {
            now: true,
            prove: true,
            ..Forget::default()
        },
    );
    let proof = done.proof.unwrap();
    assert_eq!(holding(&home.files), [""; 0]);
    assert_eq!((proof.found, proof.unread), (vec![], vec![]));
    assert_eq!((done.undo.as_str(), done.warnings), ("", vec![]));
    // The index is built again from what is left.
    let search = Search {
        query: WORDS.to_owned(),
        ..Search::default()
    };
    assert_eq!(search.run(&context(&home)).unwrap().answer.results, []);
    // What else was said is still there.
    assert!(home.read("state/chat-history").contains("Remember this"));
    let history = home.runtime.home.sessions.lines(&"main".parse().unwrap());
    assert!(history.unwrap().all(|line| line.is_ok()));
}

#[tokio::test]
async fn foreign_file_that_holds_words_is_named() {
    let home = planted().await;
    put(
        &home,
        "export/notes.txt",
        "x\ny\nThe safe in Zwenkau opens with the BLUE heron!",
    );
    put(
        &home,
        "export/notes.json",
        &json!([format!("a\n{FACT}\n")]).to_string(),
    );
    home.set("2026-03-02T09:00:00Z");
    let done = forget(
        &home,
        &Forget {
            now: true,
            prove: true,
            ..Forget::default()
        },
    );
    let proof = done.proof.unwrap();
    let found = proof
        .found
        .iter()
        .map(|own| (own.path.as_str(), own.line, own.places));
    assert_eq!(
        found.collect::<Vec<_>>(),
        [("export/notes.json", 1, 1), ("export/notes.txt", 3, 1)]
    );
    assert_eq!(proof.found[0].until, None);
    assert!(proof.found[0].why.contains("only you can remove it"));
}

#[test]
fn hidden_record_ends_30_days_after_forget_and_copy_30_days_after_it_was_made() {
    let at = |day: &str| format!("{day}T08:00:00Z").parse::<Timestamp>().unwrap();
    let times = (at("2026-03-20"), Some(at("2026-03-02")));
    for (kind, expected) in [
        (FileKind::HiddenState, Some("2026-04-01")),
        (FileKind::UndoCopy, Some("2026-04-19")),
        (FileKind::Transcript, None),
    ] {
        assert_eq!(until(kind, times), expected.map(at), "{kind:?}");
    }
    // A record that no forget hides is not deleted by itself.
    assert_eq!(until(FileKind::HiddenState, (times.0, None)), None);
}

#[test]
fn sought_text_is_found_across_chunks_and_in_every_form() {
    let disk = MemoryDisk::new();
    disk.create_dir(Path::new("/home")).unwrap();
    let path = Path::new("/home/file");
    let sought = Sought::of(["J'habite \u{e0} \"Orl\u{e9}ans\" depuis mai. Ok."]).unwrap();
    assert_eq!(sought.n_pieces(), 1);
    let json = json!("j'habite \u{e0} \"Orl\u{e9}ans\" depuis mai").to_string();
    let ascii = "J'habite \\u00e0 \\\"Orl\\u00e9ans\\\" depuis mai";
    let filler = "f".repeat(1024 * 1024 - 10);
    for (content, expected) in [
        (
            "J'habite \u{e0} \"Orl\u{e9}ans\" depuis mai".to_owned(),
            Some((1, 1)),
        ),
        (format!("\n\n{json}"), Some((1, 3))),
        (ascii.to_owned(), Some((1, 1))),
        (format!("{filler}\n{ascii}\n{ascii}"), Some((2, 2))),
        (format!("{filler}{filler}{ascii}"), Some((1, 1))),
        (format!("{ascii}{filler}\n{filler}\n{json}"), Some((2, 1))),
        ("J'habite \u{e0} Orl\u{e9}ans depuis mai".to_owned(), None),
        (String::new(), None),
    ] {
        replace(&disk, path, content.as_bytes()).unwrap();
        let file = disk.open(path).unwrap();
        let mut n_read = 0;
        let found = sought.in_file(&*file, &mut n_read).unwrap();
        let found = found.map(|own| (own.n_places, own.first_line));
        assert_eq!(found, expected, "{} bytes", content.len());
        assert_eq!(n_read, content.len() as u64);
        assert_eq!(read_all(&disk, path, 1 << 30).unwrap().len() as u64, n_read);
    }
    for (texts, expected) in [
        (&[" ", "", "..."][..], (0, 0)),
        (&["4711", "Ok. Yes!"], (0, 3)),
        (&["Ok. The ferry leaves at noon."], (1, 1)),
    ] {
        let sought = Sought::of(texts.iter().copied()).unwrap();
        assert_eq!((sought.n_pieces(), sought.n_short()), expected, "{texts:?}");
    }
}
