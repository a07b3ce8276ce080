//! What is recorded and what comes back of it.
//!
//! The model that is recorded follows a script.

use std::path::PathBuf;
use std::sync::Arc;

use base::disk::MemoryDisk;
use base::model::{Purpose, ReplyEvent, SaidSizes};
use base::{Message, StopReason, TokenCount, ToolCall, ToolCallId, Usage};
use futures_util::StreamExt;

use super::super::RecordingModel;
use super::*;

const SECRET: &str = "sk-ant-0123456789abcdef0123";

/// Gives the same pieces to whoever asks.
#[derive(Debug)]
struct Scripted(TracePieces);

impl Model for Scripted {
    fn profile(&self) -> ModelProfile {
        ModelProfile {
            name: "scripted".to_owned(),
            context_window: None,
            concurrency: 1,
            only_quotes: false,
        }
    }

    fn stream<'a>(&'a self, _: &'a Request) -> ReplyStream<'a> {
        stream::iter(self.0.clone()).boxed()
    }
}

fn request(purpose: Purpose, text: &str) -> Request {
    let system = format!("the key is {SECRET}");
    Request::new(purpose, system, vec![Message::user(text)], TokenCount(100))
}

fn said(text: &str) -> TracePieces {
    let done = ReplyEvent::Done {
        stop: StopReason::Length,
        usage: Some(Usage {
            input: TokenCount(3),
            ..Usage::default()
        }),
    };
    vec![Ok(ReplyEvent::Text(text.to_owned())), Ok(done)]
}

struct Tape {
    disk: Arc<MemoryDisk>,
    path: PathBuf,
}

impl Tape {
    fn new() -> Self {
        Self {
            disk: Arc::new(MemoryDisk::default()),
            path: PathBuf::from("trace.jsonl"),
        }
    }

    async fn record(&self, pieces: TracePieces, request: &Request) -> TracePieces {
        let disk = Arc::clone(&self.disk) as Arc<dyn Disk>;
        let model = RecordingModel::new(Arc::new(Scripted(pieces)), disk, self.path.clone());
        model.unwrap().stream(request).collect().await
    }

    fn text(&self) -> String {
        String::from_utf8(read_all(self.disk.as_ref(), &self.path, 1 << 20).unwrap()).unwrap()
    }

    fn open(&self) -> Result<ReplayingModel, TraceError> {
        ReplayingModel::open(self.disk.as_ref(), &self.path)
    }
}

#[tokio::test]
async fn replay_answers_each_purpose_in_recorded_order() {
    let tape = Tape::new();
    let chat = request(Purpose::Chat, "\u{1f375}?");
    let call = ReplyEvent::ToolCall(ToolCall {
        id: ToolCallId::new("call_1"),
        name: "remember".to_owned(),
        arguments: "{oops".to_owned(),
    });
    let called = [vec![Ok(call)], said("then")].concat();
    let failed = vec![Err(ModelError::RateLimited {
        model: "scripted".to_owned(),
        retry_after: Some(std::time::Duration::from_millis(1_500)),
    })];
    let flush = request(Purpose::Flush, "note this");
    // What passes through is not changed.
    assert_eq!(tape.record(called.clone(), &chat).await, called);
    tape.record(said("notes"), &flush).await;
    tape.record(failed.clone(), &chat).await;
    let model = tape.open().unwrap();
    let answer = async |request| -> TracePieces { model.stream(request).collect().await };
    assert_eq!(answer(&flush).await, said("notes"));
    assert_eq!(answer(&chat).await, called);
    assert_eq!(answer(&chat).await, failed);
    assert_eq!(
        answer(&chat).await,
        vec![Err(ModelError::Refused {
            model: "scripted".to_owned(),
            reason: "the trace has no more answers for the purpose chat".to_owned(),
        })]
    );
}

#[tokio::test]
async fn replayed_overflow_keeps_its_sizes() {
    let all = [Some((4_096, Some(5_000))), Some((4_096, None)), None];
    for sizes in all {
        let said = SaidSizes {
            window: sizes.map(|(window, _)| TokenCount(window)),
            request: sizes.and_then(|(_, request)| request).map(TokenCount),
        };
        let tape = Tape::new();
        let chat = request(Purpose::Chat, "Hello?");
        let refused = vec![Err(ModelError::ContextOverflow {
            model: "scripted".to_owned(),
            said,
        })];
        tape.record(refused.clone(), &chat).await;
        let replayed: TracePieces = tape.open().unwrap().stream(&chat).collect().await;
        assert_eq!(replayed, refused);
        // Where nothing was told, the line is the one that every version reads.
        let is_plain = tape.text().contains(r#""contextOverflow""#);
        assert_eq!(is_plain, said == SaidSizes::default(), "{}", tape.text());
    }
}

#[tokio::test]
async fn replay_refuses_differing_request_and_names_difference() {
    let asked = Request {
        messages: vec![
            Message::user("Tea?\n<now>Monday, 2026-03-02 08:00 (UTC)</now>"),
            Message::assistant("Yes \u{1f375}, green"),
        ],
        ..request(Purpose::Chat, "")
    };
    let check = async |change: fn(&mut Request), expected: Option<&str>| {
        let tape = Tape::new();
        tape.record(said("Gladly"), &asked).await;
        let mut other = asked.clone();
        change(&mut other);
        let model = tape.open().unwrap();
        let replied: TracePieces = model.stream(&other).collect().await;
        let expected = match expected {
            None => said("Gladly"),
            Some(difference) => vec![Err(ModelError::Refused {
                model: "scripted".to_owned(),
                reason: format!(
                    "it differs from line 1 of the trace: {difference}; record a new one with \
                     OPENCLAW_RECORD"
                ),
            })],
        };
        assert_eq!(replied, expected);
    };
    check(|_| (), None).await;
    let later = |it: &mut Request| {
        it.messages[0] = Message::user("Tea?\n<now>Friday, 2027-01-01 23:59 (UTC)</now>");
    };
    check(later, None).await;
    check(
        |it| it.messages[1] = Message::assistant("Yes \u{1f375}, black"),
        Some("message 2 (assistant) has \"Yes \u{1f375}, black\", but the trace has \"Yes \u{1f375}, green\""),
    )
    .await;
    check(
        |it| it.messages[1] = Message::user("Yes \u{1f375}, green"),
        Some("message 2 (assistant) has \"user None None\", but the trace has \"assistant None None\""),
    )
    .await;
    let fewer = "the request has 1 messages, but the trace has 2";
    check(|it| drop(it.messages.pop()), Some(fewer)).await;
    check(
        |it| it.system.push('!'),
        Some("the system prompt has \"ey is [REDACTED:anthropic-key]!\", but the trace has \"ey is [REDACTED:anthropic-key]\""),
    )
    .await;
    check(
        |it| it.output_max = TokenCount(7),
        Some("the reply limit has \"7\", but the trace has \"100\""),
    )
    .await;
}

#[tokio::test]
async fn i14_trace_is_redacted_even_across_pieces() {
    let tape = Tape::new();
    let (one, two) = SECRET.split_at(12);
    let pieces = [one, two].map(|text| Ok(ReplyEvent::Text(text.to_owned())));
    let asked = request(Purpose::Chat, &format!("my key: {SECRET}"));
    tape.record(pieces.to_vec(), &asked).await;
    insta::assert_snapshot!(tape.text());
}

#[tokio::test]
async fn dropped_reply_is_recorded_as_far_as_it_came() {
    let tape = Tape::new();
    let disk = Arc::clone(&tape.disk) as Arc<dyn Disk>;
    let scripted = Arc::new(Scripted(said("Good morning")));
    let model = RecordingModel::new(scripted, disk, tape.path.clone()).unwrap();
    let chat = request(Purpose::Chat, "Hello?");
    let mut stream = model.stream(&chat);
    let first = stream.next().await;
    drop(stream);
    let replayed: TracePieces = tape.open().unwrap().stream(&chat).collect().await;
    assert_eq!(replayed, Vec::from_iter(first));
}

#[test]
fn i16_damaged_or_newer_trace_is_rejected_with_line() {
    let check = |text: &str, expected: &str| {
        let tape = Tape::new();
        base::disk::append(tape.disk.as_ref(), &tape.path, text.as_bytes()).unwrap();
        assert_eq!(tape.open().unwrap_err().to_string(), expected);
    };
    let line = r#"{"version":2,"model":"m","purpose":"chat","system":"","messages":[],"outputMax":1,"reply":[]}"#;
    check("\n{\"version\":", "line 2 of the trace is not an exchange");
    check("\u{1f375}", "line 1 of the trace is not an exchange");
    let newer = "line 1 of the trace has version 2; this program reads 1";
    check(line, newer);
}
