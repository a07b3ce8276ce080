//! A first day and a second one, with no key and no network: what was said is known the day after.
//!
//! Holds what the owner reads, word for word.

use std::sync::Arc;

use agent::{
    IndexAccess, IndexPlace, Knowledge, Runtime, SessionSource, end_chat, new_session, run_turn,
};
use base::disk::{MemoryDisk, OsDisk, read_all};
use base::model::Extractor;
use base::{Disk, FixedClock, Message, TokenCount, Tz};
use insta::assert_snapshot;
use models::OfflineEngine;
use session::SessionName;

use crate::in_process::{HOME, runtime};

const WINDOW: TokenCount = TokenCount(32_000);

/// An assistant at home, with its index in a folder that vanishes.
struct Assistant {
    disk: Arc<dyn Disk>,
    clock: Arc<FixedClock>,
    runtime: Runtime,
    _index: tempfile::TempDir,
}

fn assistant() -> Assistant {
    let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::new());
    let clock = Arc::new(FixedClock::new("2026-03-02T08:00:00Z".parse().unwrap()));
    let model: Arc<dyn Extractor> = Arc::new(OfflineEngine::new(Tz::UTC));
    let mut runtime = runtime(&disk, clock.clone(), model, WINDOW);
    runtime.home.workspace.init().unwrap();
    let index = tempfile::tempdir().unwrap();
    let place = IndexPlace {
        disk: Arc::new(OsDisk),
        directory: index.path().to_owned(),
    };
    let source = SessionSource::new(runtime.home.sessions.clone(), runtime.home.timezone);
    let workspace = Arc::clone(&runtime.home.workspace);
    let access = IndexAccess::ReadWrite;
    let knowledge = Knowledge::new(place, workspace, source, clock.clone(), access);
    runtime.memory.knowledge = Some(Arc::new(knowledge));
    Assistant {
        disk,
        clock,
        runtime,
        _index: index,
    }
}

fn main() -> SessionName {
    "main".parse().unwrap()
}

impl Assistant {
    async fn say(&self, at: &str, text: &str) -> String {
        self.clock.set(at.parse().unwrap());
        let reply = run_turn(&self.runtime, &main(), Message::user(text), &mut |_| {}).await;
        Message::Assistant(reply.unwrap()).text()
    }

    fn log(&self, day: &str) -> String {
        let path = format!("{HOME}/workspace/memory/{day}.md");
        let bytes = read_all(&*self.disk, path.as_ref(), 100_000).unwrap_or_default();
        memory::daily_log::without_comments(&String::from_utf8(bytes).unwrap())
    }
}

async fn first_day(assistant: &Assistant) -> Vec<String> {
    let mut replies = Vec::new();
    for (minute, text) in [
        (0, "My sister Ann arrives on Friday at 18:40 from Lyon."),
        (
            5,
            "I decided to rent the small hall for her party; it costs 300 euros.",
        ),
        (9, "I prefer short answers."),
    ] {
        replies.push(
            assistant
                .say(&format!("2026-03-02T08:{minute:02}:00Z"), text)
                .await,
        );
    }
    replies
}

#[tokio::test]
async fn what_was_said_on_the_first_day_is_known_on_the_second() {
    let assistant = assistant();
    let mut told = first_day(&assistant).await;
    assert_eq!(assistant.log("2026-03-02"), "");
    for (minute, question) in [
        (0, "When does Ann arrive?"),
        (1, "What does the hall cost?"),
        (2, "What is my shoe size?"),
        (3, "Hello!"),
    ] {
        let at = format!("2026-03-03T09:{minute:02}:00Z");
        told.push(assistant.say(&at, question).await);
    }
    assert_snapshot!("replies", told.join("\n---\n"));
    assert_snapshot!("log_of_the_first_day", assistant.log("2026-03-02"));
}

#[tokio::test]
async fn i8_answers_from_memory_are_not_learned_again() {
    let assistant = assistant();
    first_day(&assistant).await;
    for minute in 0..5 {
        let at = format!("2026-03-03T09:{minute:02}:00Z");
        assistant.say(&at, "What does the hall cost?").await;
    }
    end_chat(&assistant.runtime, &main(), &mut |_| {})
        .await
        .unwrap();
    let log = assistant.log("2026-03-03");
    assert!(!log.contains("300"), "{log}");
    let again = assistant
        .say("2026-03-04T09:00:00Z", "What does the hall cost?")
        .await;
    assert_eq!(again.matches("300").count(), 1, "{again}");
}

#[tokio::test]
async fn a_new_conversation_still_knows_what_was_said_in_the_old_one() {
    let assistant = assistant();
    first_day(&assistant).await;
    let reset = new_session(&assistant.runtime, &main(), &mut |_| {}).await;
    assert!(reset.unwrap().is_some());
    let reply = assistant
        .say("2026-03-02T08:20:00Z", "When does Ann arrive?")
        .await;
    assert!(reply.contains("18:40"), "{reply}");
}

#[tokio::test]
async fn i7_without_its_index_it_answers_the_same() {
    let assistant = assistant();
    first_day(&assistant).await;
    let question = "When does Ann arrive?";
    let options = search::SearchOptions::default();
    let search = |knowledge: &Knowledge| knowledge.search(question, &options, &mut |_| {}).unwrap();
    let before = search(assistant.runtime.memory.knowledge.as_ref().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let fresh = Knowledge::new(
        IndexPlace {
            disk: Arc::new(OsDisk),
            directory: folder.path().join("index"),
        },
        Arc::clone(&assistant.runtime.home.workspace),
        SessionSource::new(assistant.runtime.home.sessions.clone(), Tz::UTC),
        assistant.clock.clone(),
        IndexAccess::ReadWrite,
    );
    assert_eq!(search(&fresh), before);
    assert!(!before.results.is_empty());
}
