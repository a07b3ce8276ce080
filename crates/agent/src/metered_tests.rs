//! The entries of a meter: answered and interrupted calls, but nothing of the conversation.
//!
//! Compares whole days of the ledger.

use base::Message;
use memory::{Spent, SpentDay, spent_on};

use super::*;
use crate::test_kit::{Home, Script, done, offline_home};

fn metered(home: &Home, script: Script) -> Metered {
    let access = &home.runtime.home;
    let (workspace, clock) = (Arc::clone(&access.workspace), home.clock.clone());
    Metered::new(Arc::new(script), workspace, clock, access.timezone)
}

fn request(purpose: Purpose) -> Request {
    let said = vec![Message::user("Good morning!")];
    Request::new(purpose, "x".repeat(400), said, TokenCount(100))
}

fn today(home: &Home) -> SpentDay {
    let today = day(home.clock.now(), home.runtime.home.timezone);
    spent_on(&home.runtime.home.workspace, today).unwrap()
}

fn spent(input: u64, output: u64) -> Spent {
    Spent {
        input: TokenCount(input),
        output: TokenCount(output),
        n_calls: 1,
    }
}

#[tokio::test]
async fn ledger_records_tokens_by_purpose_except_chat() {
    let home = offline_home();
    let usage = Usage {
        input: TokenCount(70),
        cache_read: TokenCount(20),
        cache_write: TokenCount(10),
        output: TokenCount(5),
        estimate: None,
    };
    let counted = ReplyEvent::Done {
        stop: base::StopReason::Stop,
        usage: Some(usage),
    };
    let notes = [ReplyEvent::Text("notes".into()), counted].map(Ok);
    let script = Script::new().says("a reply to the owner");
    let script = script.streams(notes.into());
    let model = metered(&home, script);
    for purpose in [Purpose::Chat, Purpose::Flush] {
        let reply = base::model::complete(&model, &request(purpose)).await;
        reply.unwrap();
    }
    let expected = SpentDay {
        notes: spent(100, 5),
        ..SpentDay::default()
    };
    assert_eq!(today(&home), expected);
}

#[tokio::test]
async fn ledger_estimates_broken_off_reply_and_omits_refused_request() {
    let home = offline_home();
    let text = || Ok(ReplyEvent::Text("word ".repeat(40)));
    let refused = ModelError::RateLimited {
        model: "script".into(),
        retry_after: None,
    };
    let script = Script::new()
        .streams(vec![text()])
        .streams(vec![Err(refused)])
        .streams(vec![text(), Ok(done())]);
    let model = metered(&home, script);
    let summary = request(Purpose::Summarise);
    {
        let mut stream = model.stream(&summary);
        assert!(stream.next().await.is_some());
    }
    let (input, output) = cost_of(&summary, None, estimate_text(&"word ".repeat(40)));
    assert_eq!(today(&home).summaries, spent(input.0, output.0));
    let dream = request(Purpose::Consolidate);
    assert!(base::model::complete(&model, &dream).await.is_err());
    assert_eq!(today(&home).dreams, Spent::default());
    let _reply = base::model::complete(&model, &dream).await.unwrap();
    assert_eq!(today(&home).dreams, spent(input.0, output.0));
}

#[tokio::test]
async fn unrecorded_spending_is_reported_and_call_succeeds() {
    let home = offline_home();
    let ledger = base::HomeLayout::new("/home").ledger();
    base::Disk::create_dir(&*home.disk, ledger.parent().unwrap()).unwrap();
    base::disk::replace(&*home.disk, &ledger, br#"{"version":9,"days":{}}"#).unwrap();
    let script = Script::new()
        .streams(vec![Ok(ReplyEvent::Text("broken off".into()))])
        .streams(vec![Ok(done())]);
    let model = metered(&home, script);
    let notes = request(Purpose::Flush);
    assert!(model.stream(&notes).next().await.is_some());
    let mut warnings = Vec::new();
    let reply = base::model::complete_telling(&model, &notes, &mut |it| warnings.push(it)).await;
    assert!(reply.is_ok());
    let missed = "tokens spent on a model were not recorded in the ledger: state/ledger.json has the newer version 9; \
                  nothing was written";
    assert_eq!(warnings, [missed]);
}
