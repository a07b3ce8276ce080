//! What was known then: before and after a correction, a dream, a compaction, a forget and a midnight.

use base::Origin;
use base::disk::{DiskError, DiskOperation, HookedDisk};
use serde_json::json;

use super::*;
use crate::jobs::owner_compaction::compact_now;
use crate::knowledge::scope::Viewer;
use crate::ops::{
    About, Forget, Get, GetReply, Operation, PlanForget, ReadSession, Search, SessionTimeline,
    SessionWindow,
};
use crate::test_kit::{Home, Script, adds, home, main, offline_home, operations};

fn context(home: &Home) -> OpContext<'_> {
    let knowledge = home.runtime.memory.knowledge.as_deref();
    OpContext::new(
        &home.runtime.home,
        &home.runtime.engine.settings,
        knowledge,
        &Viewer::Owner,
    )
}

fn about(home: &Home, as_of: &str) -> Vec<String> {
    let as_of = Some(as_of.to_owned());
    let reply = About { as_of }.run(&context(home)).unwrap();
    reply.lines.into_iter().map(|line| line.text).collect()
}

/// The texts that a search finds, and what the reply says about the moment.
fn found(home: &Home, query: &str, as_of: &str) -> (Vec<String>, PastReply) {
    let search = Search {
        query: query.to_owned(),
        as_of: Some(as_of.to_owned()),
        ..Search::default()
    };
    let reply = search.run(&context(home)).unwrap();
    let texts = reply.answer.results.into_iter().map(|it| it.text);
    (texts.collect(), reply.as_of.unwrap())
}

fn got(home: &Home, path: &str, as_of: &str) -> String {
    let get = Get {
        path: path.to_owned(),
        as_of: Some(as_of.to_owned()),
        ..Get::default()
    };
    match get.run(&context(home)) {
        Ok(GetReply::Note(note)) => note.text,
        Ok(GetReply::Messages(all)) => {
            let texts = all.messages.into_iter().map(|own| own.text);
            texts.collect::<Vec<_>>().join("\n")
        }
        Err(error) => error.to_string(),
    }
}

/// A home in which the owner moved from Zwenkau to Markkleeberg between 08:00 and 08:01 UTC.
async fn moved() -> Home {
    let asks = json!({ "text": "We live in Zwenkau", "quote": "we live in Zwenkau" });
    let quote = "we live in Markkleeberg now";
    let corrects =
        json!({ "line": "We live in Zwenkau", "text": "We live in Markkleeberg", "quote": quote });
    let script = Script::new()
        .calls("remember", &asks.to_string())
        .says("Noted.")
        .calls("correct", &corrects.to_string())
        .says("Corrected.");
    let home = home(Arc::new(script));
    home.runtime.home.workspace.init().unwrap();
    home.say("2026-03-02T08:00:00Z", "Remember that we live in Zwenkau.")
        .await;
    home.say(
        "2026-03-02T08:01:00Z",
        "Correct that: we live in Markkleeberg now.",
    )
    .await;
    home.set("2026-03-05T08:00:00Z");
    home
}

const BEFORE: &str = "2026-03-02T08:00:30Z";
const AFTER: &str = "2026-03-02T08:01:30Z";

#[tokio::test]
async fn correction_is_unknown_before_and_known_after_it() {
    let home = moved().await;
    let files = home.files.snapshot();
    assert_eq!(about(&home, BEFORE), ["We live in Zwenkau"]);
    assert!(about(&home, AFTER)[0].starts_with("We live in Markkleeberg"));
    assert_eq!(about(&home, "2026-03-02T07:59:00Z"), [""; 0]);
    let (texts, past) = found(&home, "Where do we live?", BEFORE);
    assert!(
        texts.iter().any(|it| it.contains("We live in Zwenkau")),
        "{texts:?}"
    );
    assert!(
        !texts.iter().any(|it| it.contains("Markkleeberg")),
        "{texts:?}"
    );
    assert_eq!((past.forgets_since, past.left_out), (0, vec![]));
    let (texts, _) = found(&home, "Where do we live?", AFTER);
    assert!(texts[0].contains("Markkleeberg"), "{texts:?}");
    assert!(got(&home, "MEMORY.md", BEFORE).contains("Zwenkau"));
    assert!(!got(&home, "sessions/main.jsonl", BEFORE).contains("Markkleeberg"));
    assert!(got(&home, "sessions/main.jsonl", AFTER).contains("Markkleeberg"));
    let early = got(&home, "sessions/main.jsonl", "2026-03-02T07:59:00Z");
    assert_eq!(
        early,
        "conversation main did not exist then: it began on 2026-03-02 09:00 (Europe/Berlin)"
    );
    // A look at the past writes nothing.
    assert_eq!(home.files.snapshot(), files);
}

#[tokio::test]
async fn dreamt_line_is_unknown_before_its_dream() {
    let quote = "I am allergic to walnuts";
    let dreams = operations(&[adds("About the Owner", quote, &["e1"], quote)]);
    let mut home = offline_home();
    home.ask(Arc::new(Script::new().says(&dreams)));
    home.runtime.home.workspace.init().unwrap();
    home.note(quote, Origin::Owner);
    home.set("2026-03-03T03:00:00Z");
    let report = home.dreamt().await;
    assert_eq!(report.promoted.len(), 1, "{report:?}");
    home.set("2026-03-05T08:00:00Z");
    assert_eq!(about(&home, "2026-03-03T02:59:59Z"), [""; 0]);
    assert_eq!(about(&home, "2026-03-03T03:00:00Z"), [quote]);
    // The note was there before the dream.
    let (texts, _) = found(&home, "What am I allergic to?", "2026-03-02");
    assert!(texts.iter().any(|it| it.contains("walnuts")), "{texts:?}");
}

#[tokio::test]
async fn compaction_does_not_exist_before_it() {
    let home = offline_home();
    home.talk_long_in("main").await;
    let last = home.clock.now();
    let window = |as_of: Option<String>| {
        let name = "main".to_owned();
        let entry = None;
        SessionWindow { name, entry, as_of }
            .run(&context(&home))
            .unwrap()
    };
    let before = window(None);
    home.set("2026-03-04T08:00:00Z");
    compact_now(&home.runtime, &main(), None, &mut |_| {})
        .await
        .unwrap();
    home.set("2026-03-05T08:00:00Z");
    let (now, then) = (window(None), window(Some(last.to_rfc3339())));
    assert_eq!((now.epoch, now.items[0].role), (1, "summary"));
    assert_eq!((then.epoch, then.items.len()), (0, before.items.len()));
    let texts = |reply: &crate::ops::WindowReply| -> Vec<String> {
        reply.items.iter().map(|item| item.text.clone()).collect()
    };
    assert_eq!(texts(&then), texts(&before));
    let timeline = |as_of: Option<&str>| {
        let as_of = as_of.map(str::to_owned);
        let name = "main".to_owned();
        SessionTimeline { name, as_of }
            .run(&context(&home))
            .unwrap()
            .timeline
    };
    assert_eq!(timeline(None).compactions, 1);
    let then = timeline(Some("2026-03-03"));
    assert_eq!((then.compactions, then.flushes), (0, 0));
    let read = ReadSession {
        name: "main".to_owned(),
        as_of: Some("2026-03-03".to_owned()),
        ..ReadSession::default()
    };
    let read = read.run(&context(&home)).unwrap();
    assert!(read.items.iter().all(|item| item.role != "summary"));
}

fn run_forget(home: &Home, what: &str) {
    let plan = PlanForget {
        what: what.to_owned(),
        ..PlanForget::default()
    };
    let token = plan.run(&context(home)).unwrap().token.unwrap();
    let confirm = Forget {
        token,
        ..Forget::default()
    };
    confirm.run(&context(home)).unwrap();
}

#[tokio::test]
async fn forgotten_fact_stays_forgotten_in_every_past() {
    let home = moved().await;
    run_forget(&home, "We live in Markkleeberg");
    home.set("2026-03-06T08:00:00Z");
    for as_of in [BEFORE, AFTER, "2026-03-02", "2026-03-04", "2026-03-06"] {
        let (texts, _) = found(&home, "Where do we live? Markkleeberg?", as_of);
        let mut told = texts;
        told.extend(about(&home, as_of));
        told.push(got(&home, "MEMORY.md", as_of));
        told.push(got(&home, "sessions/main.jsonl", as_of));
        told.push(got(&home, "memory/2026-03-02.md", as_of));
        assert!(
            !told.iter().any(|it| it.contains("Markkleeberg")),
            "{as_of}: {told:?}"
        );
    }
    let (_, past) = found(&home, "Where do we live?", BEFORE);
    assert_eq!(past.forgets_since, 1);
    assert!(past.in_words().contains("forgotten since stays hidden"));
}

#[tokio::test]
async fn line_that_stands_nowhere_any_more_is_not_shown_after_a_forget() {
    let home = moved().await;
    // The owner strikes the archived line by hand, and forgets something else.
    let archive = home.read("workspace/memory/archive.md");
    let left: Vec<&str> = archive
        .lines()
        .filter(|line| !line.contains("Zwenkau"))
        .collect();
    home.write("memory/archive.md", &left.join("\n"));
    assert_eq!(about(&home, BEFORE), ["We live in Zwenkau"]);
    home.note("The safe opens with 4711", Origin::Owner);
    run_forget(&home, "The safe opens with 4711");
    home.set("2026-03-06T08:00:00Z");
    assert_eq!(about(&home, BEFORE), [""; 0]);
    let (_, past) = found(&home, "Where do we live?", BEFORE);
    assert_eq!(past.left_out.len(), 1, "{past:?}");
}

#[tokio::test]
async fn i12_day_ends_at_midnight_of_owner() {
    let home = offline_home();
    // 23:59 and 00:01 in Berlin.
    home.record("2026-03-02T22:59:00Z", "The ferry leaves at noon");
    home.record("2026-03-02T23:01:00Z", "The ferry leaves at eight");
    home.set("2026-03-10T08:00:00Z");
    let said = |as_of: &str| got(&home, "sessions/main.jsonl", as_of);
    assert_eq!(said("2026-03-02"), "The ferry leaves at noon");
    assert_eq!(
        said("2026-03-03"),
        "The ferry leaves at noon\nThe ferry leaves at eight"
    );
    assert_eq!(said("2026-03-03 00:00"), "The ferry leaves at noon");
    let (texts, past) = found(&home, "When does the ferry leave?", "2026-03-02");
    assert_eq!(texts, ["The ferry leaves at noon"]);
    assert_eq!(past.at.to_rfc3339(), "2026-03-02T22:59:59.999+00:00");
}

#[tokio::test]
async fn moment_that_cannot_be_read_or_is_ahead_is_error() {
    let home = moved().await;
    for (as_of, expected) in [
        ("whenever", "is not a time"),
        ("2027-01-01", "is in the future"),
    ] {
        let as_of = Some(as_of.to_owned());
        let error = About { as_of }.run(&context(&home)).unwrap_err();
        let text = error.to_string();
        assert!(
            text.starts_with("asOf: ") && text.contains(expected),
            "{text}"
        );
    }
}

/// The past that a search built last.
fn built(home: &Home) -> Arc<PastHome> {
    let knowledge = home.runtime.memory.knowledge.as_deref().unwrap();
    let known = locked(&knowledge.pasts().0);
    Arc::clone(&known.as_ref().unwrap().1)
}

#[tokio::test]
async fn past_of_search_is_built_once_and_anew_after_forget() {
    let home = moved().await;
    let search = || found(&home, "Where do we live? Markkleeberg?", AFTER).0;
    let first = search();
    assert!(first.iter().any(|it| it.contains("Markkleeberg")));
    let past = built(&home);
    assert_eq!(search(), first);
    assert!(Arc::ptr_eq(&past, &built(&home)));
    found(&home, "Where do we live?", BEFORE);
    assert!(!Arc::ptr_eq(&past, &built(&home)));
    search();
    let past = built(&home);
    run_forget(&home, "We live in Markkleeberg");
    let told = search();
    assert!(!Arc::ptr_eq(&past, &built(&home)));
    assert!(
        !told.iter().any(|it| it.contains("Markkleeberg")),
        "{told:?}"
    );
}

#[test]
fn conversation_that_cannot_be_cut_is_left_out_and_named() {
    let home = offline_home();
    home.record("2026-03-02T08:00:00Z", "The ferry leaves at noon");
    home.record("2026-03-04T08:00:00Z", "The ferry leaves at eight");
    let broken = HookedDisk::before(home.files.clone(), |operation| {
        if let DiskOperation::Open(path) = operation
            && path.ends_with("main.jsonl")
        {
            let source = std::io::Error::other("bad sector");
            return Err(DiskError::on("open", path)(source));
        }
        Ok(())
    });
    let sessions = home.runtime.home.sessions.on_disk(Arc::new(broken));
    let moment = "2026-03-03T08:00:00Z".parse().unwrap();
    let past = past_sessions(&sessions, moment, u64::MAX).unwrap();
    assert_eq!(
        past.left_out,
        [
            "left out: conversation main, which cannot be read: cannot open /home/sessions/main.jsonl: bad sector"
        ]
    );
    // It must not be read as it is now, either.
    let left = sessions.on_disk(Arc::new(past.disk));
    assert_eq!(left.names().unwrap(), []);
}

#[tokio::test]
async fn search_of_past_reads_newest_conversations_within_limit_and_names_others() {
    let home = offline_home();
    for (name, at) in [("old", "2026-03-02"), ("new", "2026-03-03")] {
        let said = format!("This is the {name} ferry.");
        home.say_in(name, &format!("{at}T08:00:00Z"), &said).await;
    }
    let sessions = &home.runtime.home.sessions;
    let moment = "2026-03-04T08:00:00Z".parse().unwrap();
    let names: Vec<SessionName> = sessions.names().unwrap();
    let sizes = names.iter().map(|name| {
        let path = sessions.path(name);
        sessions.disk().stat(&path).unwrap().unwrap().len
    });
    let max = sizes.max().unwrap();
    let past = past_sessions(sessions, moment, max).unwrap();
    let left = sessions.on_disk(Arc::new(past.disk)).names().unwrap();
    assert_eq!((left.len(), past.left_out.len()), (1, 1));
    let whole = past_sessions(sessions, moment, 2 * max).unwrap();
    assert_eq!(whole.left_out, [""; 0]);
    let many = ["a", "b", "c", "d"].map(str::to_owned);
    assert_eq!(
        beyond_limit(&many).unwrap(),
        "left out: 4 conversations, because a search of the past reads at most 64 MiB of them: a, b, c and others"
    );
}

#[tokio::test]
async fn warnings_are_only_about_what_question_touches() {
    let home = moved().await;
    home.undo_last();
    let (_, past) = found(&home, "Where do we live?", AFTER);
    let undone = past.left_out;
    assert!(undone[0].contains("that you undid later"), "{undone:?}");
    let timeline = SessionTimeline {
        name: "main".to_owned(),
        as_of: Some(AFTER.to_owned()),
    };
    let past = timeline.run(&context(&home)).unwrap().as_of.unwrap();
    assert_eq!(past.left_out, [""; 0]);
    let left_out = |path: &str| {
        let get = Get {
            path: path.to_owned(),
            as_of: Some(AFTER.to_owned()),
            ..Get::default()
        };
        let reply = get.run(&context(&home)).unwrap();
        reply.as_of().unwrap().left_out.clone()
    };
    assert_eq!(left_out("MEMORY.md"), undone);
    assert_eq!(left_out("memory/archive.md"), [""; 0]);
}

#[tokio::test]
async fn conversation_before_its_beginning_is_error_that_says_when_it_began() {
    let home = moved().await;
    let timeline = SessionTimeline {
        name: "main".to_owned(),
        as_of: Some("2026-03-02T07:59:00Z".to_owned()),
    };
    let error = timeline.run(&context(&home)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "conversation main did not exist then: it began on 2026-03-02 09:00 (Europe/Berlin)"
    );
    assert!(error.hint().is_some());
}

#[tokio::test]
async fn line_forgotten_for_good_since_is_not_said_to_have_been_unknown() {
    let home = moved().await;
    let plan = PlanForget {
        what: "Markkleeberg".to_owned(),
        now: true,
        ..PlanForget::default()
    };
    assert!(got(&home, "MEMORY.md:9", AFTER).ends_with("line 9 is out of range"));
    let token = plan.run(&context(&home)).unwrap().token.unwrap();
    let forget = Forget {
        token,
        now: true,
        ..Forget::default()
    };
    forget.run(&context(&home)).unwrap();
    home.set("2026-03-06T08:00:00Z");
    for (path, at) in [("MEMORY.md:9", AFTER), ("memory/2026-03-02.md", AFTER)] {
        let told = got(&home, path, at);
        assert!(
            told.ends_with("perhaps it was there then: what was forgotten since is not shown"),
            "{told}"
        );
        assert!(!told.contains("Markkleeberg"), "{told}");
    }
    let missing = got(&home, "memory/2026-03-09.md", "2026-03-06T07:00:00Z");
    assert_eq!(missing, "there is no memory/2026-03-09.md in the workspace");
}
