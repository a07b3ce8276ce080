//! A chat that waits for its owner, in time that passes at once.
//!
//! Uses the real loop on a real disk; only clock and input are made up.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use ::base::disk::{OsDisk, read_all};
use ::base::{Clock, Timestamp};
use cli::environment::Environment;
use cli::host::Host;
use cli::output::Output;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::time::{Instant, timeout};

use super::super::input::{Above, InputRequest};
use super::super::opening::open;
use super::*;

/// A clock whose time follows the timers of the test.
#[derive(Debug)]
struct TimerClock {
    began: Timestamp,
    began_at: Instant,
}

impl Clock for TimerClock {
    fn now(&self) -> Timestamp {
        self.began + self.monotonic()
    }

    fn monotonic(&self) -> Duration {
        self.began_at.elapsed()
    }
}

const MINUTE: Duration = Duration::from_mins(1);

/// The owner: types a line each time the chat asks for one, after a pause.
struct Owner {
    wants: Receiver<InputRequest>,
    tell: UnboundedSender<InputEvent>,
}

impl Owner {
    async fn says(self, script: Vec<(Duration, &'static str)>) {
        for (pause, line) in script {
            pass(pause).await;
            self.wants.try_recv().unwrap();
            self.tell.send(InputEvent::Line(line.to_owned())).unwrap();
            // The chat answers before the next pause begins.
            pass(Duration::from_millis(1)).await;
        }
        pass(Duration::from_millis(1)).await;
    }
}

async fn pass(time: Duration) {
    assert!(timeout(time, pending::<()>()).await.is_err());
}

struct ChatRun {
    above: String,
    stdout: String,
    stderr: String,
    log: String,
    transcript: String,
}

/// Talks in Berlin, from an instant on; `/exit` ends the script.
async fn talk(began: &str, script: Vec<(Duration, &'static str)>) -> ChatRun {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("home");
    let host = Host {
        environment: Environment {
            machine_timezone: Some("Europe/Berlin".into()),
            ..Environment::default()
        },
        disk: Arc::new(OsDisk),
        clock: Arc::new(TimerClock {
            began: began.parse().unwrap(),
            began_at: Instant::now(),
        }),
        states: session::StateCache::default(),
    };
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let (printed, above) = channel();
    let mut output = Output::new(&mut stdout, &mut stderr);
    let mut context = Context {
        host: &host,
        home_option: Some(home.clone()),
        assignments: Vec::new(),
        output: &mut output,
        known: None,
        known_timezone: None,
    };
    let (wanted, wants) = channel();
    let (tell, heard) = unbounded_channel();
    let print: Above = Box::new(move |text| printed.send(text).unwrap());
    let input = Input {
        wanted,
        heard,
        place: InputPlace::Terminal(Some(print)),
    };
    let opened = open(
        &"main".parse().unwrap(),
        (models::ModelLoad::FromFirstText, false),
        &mut context,
    )
    .unwrap();
    let chat = Talk::begin(opened, input, &mut context).run();
    let owner = Owner { wants, tell };
    let (exit, ()) = tokio::join!(chat, owner.says(script));
    assert_eq!(exit.map(|ended| ended.exit), Ok(Exit::Done));
    let read = |path: PathBuf| {
        String::from_utf8(read_all(&OsDisk, &path, 1 << 20).unwrap_or_default()).unwrap()
    };
    let text = |bytes| String::from_utf8(bytes).unwrap();
    ChatRun {
        above: above.try_iter().collect(),
        log: read(home.join("workspace/memory/2026-03-02.md")),
        transcript: read(home.join("sessions/main.jsonl")),
        stdout: text(stdout),
        stderr: text(stderr),
    }
}

const MORNING: &str = "2026-03-02T08:00:00Z";

const DECIDED: &str = "I decided to rent the small hall.";

#[tokio::test(start_paused = true)]
async fn idle_chat_writes_notes_once_above_prompt() {
    let told = talk(MORNING, vec![(MINUTE, DECIDED), (600 * MINUTE, "/exit")]).await;
    let expected = "Wrote 1 note to the daily log.\n\
         A dream: 1 candidate waits for `openclaw dream review`.\n";
    assert_eq!(told.above, expected);
    assert!(told.log.contains("rent the small hall"), "{}", told.log);
    assert!(!told.stderr.contains("Wrote"), "{}", told.stderr);
    let n_successes = told.transcript.matches("memoryFlushAt").count();
    assert_eq!(n_successes, 1, "{}", told.transcript);
}

#[tokio::test(start_paused = true)]
async fn active_chat_writes_notes_only_at_exit() {
    let script = vec![
        (MINUTE, DECIDED),
        (29 * MINUTE, "I prefer tea."),
        (29 * MINUTE, "/exit"),
    ];
    let told = talk(MORNING, script).await;
    assert_eq!(told.above, "");
    assert!(told.stderr.contains("Wrote 2 notes"), "{}", told.stderr);
    assert!(told.log.contains("I prefer tea"), "{}", told.log);
}

#[tokio::test(start_paused = true)]
async fn i12_chat_open_at_midnight_writes_notes_of_past_day() {
    let script = vec![(MINUTE, DECIDED), (5 * MINUTE, "/exit")];
    let told = talk("2026-03-02T22:56:00Z", script).await;
    assert_eq!(told.above, "Wrote 1 note to the daily log.\n");
    assert!(told.log.contains("rent the small hall"), "{}", told.log);
}

#[tokio::test(start_paused = true)]
async fn i11_chat_without_messages_writes_nothing() {
    let told = talk(MORNING, vec![(600 * MINUTE, "/exit")]).await;
    assert_eq!((told.above.as_str(), told.stdout.as_str()), ("", ""));
    assert_eq!((told.log.as_str(), told.transcript.as_str()), ("", ""));
    insta::assert_snapshot!(told.stderr);
}
