//! Questions about the owner's memory.

use base::disk::OsDisk;
use search::{Degraded, NothingFound};

use super::*;
use crate::event::Event;
use crate::test_kit::{Home, Script, home};

fn test_home() -> Home {
    let home = home(Arc::new(Script::new()));
    home.write("memory/2026-01-05.md", "- The bicycle lock code is 4711\n");
    home
}

fn ask(knowledge: &Knowledge, question: &str) -> Result<Vec<String>, IndexError> {
    let answer = knowledge.search(question, &SearchOptions::default(), &mut |_| {})?;
    Ok(answer.results.into_iter().map(|found| found.text).collect())
}

/// Checks that only the code of the lock is found.
#[track_caller]
fn check(knowledge: &Knowledge, code: &str) {
    let expected = format!("- The bicycle lock code is {code}");
    assert_eq!(ask(knowledge, "lock").unwrap(), [expected]);
}

#[test]
fn search_finds_note_written_since_last_search() {
    let home = test_home();
    let knowledge = home.runtime.memory.knowledge.as_ref().unwrap();
    check(knowledge, "4711");
    home.write("memory/2026-01-05.md", "- The bicycle lock code is 0815\n");
    check(knowledge, "0815");
    let answer = knowledge.search("zeppelin", &SearchOptions::default(), &mut |_| {});
    assert_eq!(answer.unwrap().nothing, Some(NothingFound::NoMatch));
}

#[test]
fn passage_in_language_of_question_is_recognised() {
    let home = test_home();
    let knowledge = home.runtime.memory.knowledge.as_ref().unwrap();
    let answer = knowledge.search("lock", &SearchOptions::default(), &mut |_| {});
    let results = answer.unwrap().results;
    assert!(is_in_language_of("What does Ida play?", &results));
    assert!(!is_in_language_of("Was spielt die Ida denn?", &results));
    assert!(!is_in_language_of("What does Ida play?", &[]));
}

#[test]
fn i7_damaged_index_is_rebuilt() {
    let home = test_home();
    let knowledge = home.runtime.memory.knowledge.as_ref().unwrap();
    check(knowledge, "4711");
    let mut n_tries = 0;
    let found = knowledge.with_index(|index| {
        n_tries += 1;
        if n_tries <= 2 {
            return Err(IndexError::Damaged("a test".into()));
        }
        index.is_complete()
    });
    assert_eq!((found.unwrap(), n_tries), (false, 3));
    check(knowledge, "4711");
}

#[test]
fn i7_index_rebuilt_by_other_process_is_reopened() {
    let home = test_home();
    let knowledge = home.runtime.memory.knowledge.as_ref().unwrap();
    assert_eq!(ask(knowledge, "lock").unwrap().len(), 1);
    let mut other = None;
    let found = knowledge.with_index(|index| {
        if other.is_none() {
            let mut made = Index::open(Arc::new(OsDisk), &index.directory()).unwrap();
            made.rebuild().unwrap();
            other = Some(sync(&made, &knowledge.corpus(), home.clock.now(), &mut |_| ()).unwrap());
        }
        search::search(index, "lock", &SearchOptions::default())
    });
    assert_eq!(found.unwrap().results.len(), 1);
    home.write("memory/2026-01-05.md", "- The bicycle lock code is 0815\n");
    check(knowledge, "0815");
}

#[test]
fn i13_read_only_index_is_neither_created_nor_changed() {
    let home = test_home();
    let folder = tempfile::tempdir().unwrap();
    let place = IndexPlace {
        disk: Arc::new(OsDisk),
        directory: folder.path().join("index"),
    };
    let knowledge = |access| {
        let own = &home.runtime.home;
        let source = SessionSource::new(own.sessions.clone(), own.timezone);
        let workspace = Arc::clone(&own.workspace);
        Knowledge::new(place.clone(), workspace, source, home.clock.clone(), access)
    };
    assert!(ask(&knowledge(IndexAccess::ReadOnly), "lock").is_err());
    assert!(OsDisk.stat(&place.directory).unwrap().is_none());
    check(&knowledge(IndexAccess::ReadWrite), "4711");
    home.write("memory/2026-01-06.md", "- Another lock\n");
    check(&knowledge(IndexAccess::ReadOnly), "4711");
}

#[tokio::test]
async fn forget_request_is_not_among_places_to_forget() {
    let script = Script::new().says("Noted.").says("Yes.");
    let home = home(Arc::new(script));
    for text in [
        "The bicycle lock code is 4711",
        "Forget the bicycle lock code",
    ] {
        home.say("2026-03-02T08:00:00Z", text).await;
    }
    let knowledge = home.runtime.memory.knowledge.clone().unwrap();
    let request = knowledge.newest_request(&"main".parse().unwrap());
    let owner = (&crate::Viewer::Owner, request.as_ref());
    let plan = knowledge.plan_question("bicycle lock code", 20, owner, &mut |_| {});
    let texts = plan.unwrap().entries.into_iter().map(|it| it.text);
    let texts: Vec<String> = texts.collect();
    assert_eq!(texts, ["user: The bicycle lock code is 4711"]);
}

#[tokio::test]
async fn turn_reports_stale_index_even_without_results() {
    let script = Script::new().says("Hello.").says("No.");
    let home = home(Arc::new(script));
    home.say("2026-03-02T08:00:00Z", "Hello!").await;
    for number in 0..100 {
        let path = format!("memory/note-{number}.md");
        home.write(&path, "- The harbour is closed\n");
    }
    let asked = home.say_in("main", "2026-03-02T08:01:00Z", "Is zeppelin a word?");
    let (_, mut recalled) = asked.await;
    recalled.retain(|event| matches!(event, Event::Recalled { .. }));
    let [
        Event::Recalled {
            n_passages: 0,
            degraded: Some(Degraded::Stale),
            unreadable,
            unread,
        },
    ] = recalled.as_slice()
    else {
        panic!("{recalled:?}");
    };
    // Of the notes and what was said, each search reads fifty files.
    assert_eq!((unreadable.len(), unread.n_files), (0, 51));
}

#[test]
fn recall_answers_while_index_is_being_written() {
    let mut home = test_home();
    let knowledge = home.runtime.memory.knowledge.take().unwrap();
    let knowledge = Arc::into_inner(knowledge).unwrap();
    assert_eq!(ask(&knowledge, "lock").unwrap().len(), 1);
    let refresher = Arc::new(Refresher::default());
    let knowledge = knowledge.refreshed_by(Arc::clone(&refresher));
    home.write("memory/2026-01-06.md", "- The new lock code is 0815\n");
    // Nobody meets the request, as long as another one is under way.
    let answer = knowledge.recall("lock", &SearchOptions::default()).unwrap();
    assert_eq!(answer.degraded, Some(Degraded::BeingWritten));
    assert_eq!(answer.results.len(), 1);
    // A sync that fails is tried by who asks.
    let own = Arc::clone(&refresher);
    let thread = std::thread::spawn(move || own.serve(|| (None, ()), drop));
    assert_eq!(ask(&knowledge, "lock").unwrap().len(), 2);
    refresher.close();
    thread.join().unwrap();
}
