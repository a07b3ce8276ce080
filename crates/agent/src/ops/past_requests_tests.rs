//! Rebuilds the request of every turn of a month from the home alone, and compares it with what was sent.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

use base::model::{Model, ModelError, ModelProfile, Purpose, ReplyEvent, ReplyStream, Request};
use base::{Day, FixedClock, Message, Origin, TokenCount, ToolCall, ToolCallId};
use chrono::{Datelike, TimeDelta};
use futures_util::StreamExt;
use serde_json::json;
use session::Payload;

use super::*;
use crate::knowledge::scope::Viewer;
use crate::ops::{Forget, Operation, PlanForget};
use crate::prompt::{RequestExtras, assemble_with};
use crate::runtime::Runtime;
use crate::test_kit::{Home, adds, done, home, main, operations};
use crate::turn::recall::recall;

/// What the owner forgets: a fact, and the question that names it.
const SECRETS: [&str; 2] = [
    "opens with the word herringbone",
    "what was the word of the vault",
];

/// A model that keeps what it is sent, and follows what the owner asks.
#[derive(Debug, Default)]
struct Recorder {
    clock: OnceLock<Arc<FixedClock>>,
    sent: Mutex<Vec<(Timestamp, Request)>>,
}

impl Recorder {
    fn reply(&self, request: &Request) -> Result<ReplyEvent, ModelError> {
        let text = |text: &str| Ok(ReplyEvent::Text(text.to_owned()));
        match request.purpose {
            Purpose::Flush | Purpose::Summarise => Err(ModelError::Unavailable {
                model: "recorder".to_owned(),
                reason: "it only talks and dreams".to_owned(),
            }),
            Purpose::Consolidate => text(&operations(&fond_of(request))),
            Purpose::Chat => {
                let clock = self.clock.get().unwrap();
                let mut sent = self.sent.lock().unwrap();
                sent.push((clock.now(), request.clone()));
                clock.advance(Duration::from_secs(1));
                Ok(answer(request))
            }
        }
    }
}

/// The operations for notes that say what the owner is fond of.
fn fond_of(request: &Request) -> Vec<serde_json::Value> {
    let material: Vec<String> = request.messages.iter().map(Message::text).collect();
    let material = material.join("\n");
    let known = material.split("New notes:").next().unwrap_or_default();
    let lines = material.lines().filter_map(|line| {
        let (label, rest) = line.strip_prefix('[')?.split_once("] ")?;
        let at = rest.find("I am fond of ")?;
        let said = rest.get(at..)?.split('.').next()?;
        (label.starts_with('e') && !known.contains(said))
            .then(|| adds("Preferences", said, &[label], said))
    });
    lines.take(1).collect()
}

fn answer(request: &Request) -> ReplyEvent {
    let last = request.messages.last();
    let Some(Message::User { .. }) = last else {
        return ReplyEvent::Text("Done.".to_owned());
    };
    let text = last.map(Message::text).unwrap_or_default();
    let call = |name: &str, arguments: serde_json::Value| {
        ReplyEvent::ToolCall(ToolCall {
            id: ToolCallId::new("call-1"),
            name: name.to_owned(),
            arguments: arguments.to_string(),
        })
    };
    if text.starts_with("Remember that we live in Zwenkau") {
        let quote = "we live in Zwenkau";
        return call(
            "remember",
            json!({ "text": "We live in Zwenkau", "quote": quote }),
        );
    }
    if text.starts_with("Correct that: we live in Markkleeberg") {
        let quote = "we live in Markkleeberg now";
        let line = "We live in Zwenkau";
        let new = "We live in Markkleeberg";
        return call(
            "correct",
            json!({ "line": line, "text": new, "quote": quote }),
        );
    }
    ReplyEvent::Text("I see.".to_owned())
}

impl Model for Recorder {
    fn profile(&self) -> ModelProfile {
        ModelProfile {
            name: "recorder".to_owned(),
            context_window: None,
            concurrency: usize::MAX,
            only_quotes: false,
        }
    }

    fn stream<'a>(&'a self, request: &'a Request) -> ReplyStream<'a> {
        let pieces = match self.reply(request) {
            Ok(piece) => vec![Ok(piece), Ok(done())],
            Err(error) => vec![Err(error)],
        };
        futures_util::stream::iter(pieces).boxed()
    }
}

fn context(home: &Home) -> OpContext<'_> {
    let knowledge = home.runtime.memory.knowledge.as_deref();
    OpContext::new(
        &home.runtime.home,
        &home.runtime.engine.settings,
        knowledge,
        &Viewer::Owner,
    )
}

fn said_on(day: Day) -> String {
    let filling = "and the boat was painted once more ".repeat(100);
    match day.date().day() {
        13 => "The vault opens with the word herringbone. Keep it to yourself.".to_owned(),
        5 => "Remember that we live in Zwenkau.".to_owned(),
        12 => "Correct that: we live in Markkleeberg now.".to_owned(),
        15 => "What was the word of the vault? Was it herringbone?".to_owned(),
        n if n % 4 == 0 => format!("I am fond of tea number {n}.\n\n{filling}"),
        n => format!("On day {n} I decided to rent hall {n}. {filling}"),
    }
}

fn forget_secret(home: &Home) {
    let plan = PlanForget {
        what: "The vault opens with the word herringbone".to_owned(),
        ..PlanForget::default()
    };
    let token = plan.run(&context(home)).unwrap().token.unwrap();
    let confirm = Forget {
        token,
        ..Forget::default()
    };
    confirm.run(&context(home)).unwrap();
}

/// A month of turns, one or two a day, with compactions, dreams, a correction and a forget.
async fn month() -> (Home, Arc<Recorder>) {
    let recorder = Arc::new(Recorder::default());
    let mut home = home(recorder.clone());
    home.runtime.engine.settings.context_window = TokenCount(16_000);
    recorder.clock.set(home.clock.clone()).unwrap();
    home.runtime.home.workspace.init().unwrap();
    let first: Day = "2026-03-02".parse().unwrap();
    for n in 0..30 {
        let day = Day::from(first.date() + TimeDelta::days(n));
        home.say(&format!("{day}T08:00:00Z"), &said_on(day)).await;
        if n % 3 == 0 {
            let asks = "Where do we live, and what am I fond of?";
            home.say(&format!("{day}T17:00:00Z"), asks).await;
        }
        if n % 7 == 6 {
            home.set(&format!("{day}T22:30:00Z"));
            home.dreamt().await;
        }
        if n == 14 {
            home.set(&format!("{day}T23:00:00Z"));
            forget_secret(&home);
        }
    }
    home.set("2026-05-01T08:00:00Z");
    (home, recorder)
}

/// The request as the home alone tells it.
fn rebuilt(home: &Home, at: Timestamp, extras: &mut RequestExtras) -> Request {
    let past = PastHome::at(at, PastScope::Memory, &context(home)).unwrap();
    let mut runtime = Runtime {
        home: past.home,
        ..home.runtime.clone()
    };
    runtime.memory.knowledge = past.knowledge.map(Arc::new);
    let limit = runtime.resume_limit();
    let turn = runtime.home.sessions.begin_turn(&main(), limit).unwrap();
    let newest = turn.view().items.last().unwrap();
    if newest.origin == Origin::Owner {
        let session::ViewContent::Message(question) = &newest.content else {
            panic!("{newest:?}");
        };
        *extras = RequestExtras {
            recall: recall(&runtime, &turn, &question.text(), &mut |_| {}),
            ..RequestExtras::default()
        };
    }
    let context = assemble_with(&runtime, &main(), turn.view(), extras).unwrap();
    extras.suffix = Some(context.suffix_parts.clone());
    context.to_request()
}

/// The first place at which two requests differ.
fn difference(sent: &Request, built: &Request) -> String {
    let [sent, built] = [sent, built].map(|own| format!("{own:?}"));
    let pairs = sent.bytes().zip(built.bytes());
    let n_same = pairs.take_while(|(one, other)| one == other).count();
    let around = |text: &str| {
        let bytes = text.as_bytes();
        let from = n_same.saturating_sub(60);
        let to = bytes.len().min(n_same + 120);
        String::from_utf8_lossy(bytes.get(from..to).unwrap_or_default()).into_owned()
    };
    format!("{}\nand\n{}", around(&sent), around(&built))
}

#[tokio::test]
async fn request_of_each_turn_of_a_month_is_rebuilt_byte_for_byte() {
    let (home, recorder) = month().await;
    let payloads = home.payloads(&main());
    let count = |is: fn(&Payload) -> bool| payloads.iter().filter(|own| is(own)).count();
    assert!(count(|own| matches!(own, Payload::Compaction(_))) >= 2);
    let memory = home.memory();
    for kept in ["We live in Markkleeberg", "I am fond of"] {
        assert!(memory.contains(kept), "{kept}: {memory}");
    }
    let sent = recorder.sent.lock().unwrap().clone();
    let mut extras = RequestExtras::default();
    let mut outcomes: HashMap<&str, usize> = HashMap::new();
    let mut different = Vec::new();
    for (at, sent) in &sent {
        let built = rebuilt(&home, *at, &mut extras);
        let has_secret = |request: &Request| {
            let text = format!("{request:?}").to_lowercase();
            SECRETS.iter().any(|secret| text.contains(secret))
        };
        assert!(!has_secret(&built), "{at}: {built:?}");
        let outcome = if has_secret(sent) {
            "without what was forgotten since"
        } else if *sent == built {
            "equal"
        } else {
            different.push(format!("{at}: {}", difference(sent, &built)));
            "different"
        };
        *outcomes.entry(outcome).or_default() += 1;
    }
    assert!(
        different.is_empty(),
        "{outcomes:?}\n{}",
        different.join("\n")
    );
    let counts = ["equal", "without what was forgotten since"].map(|own| outcomes[own]);
    assert_eq!((sent.len(), counts), (42, [37, 5]), "{outcomes:?}");
}
