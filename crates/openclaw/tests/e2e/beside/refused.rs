//! A provider that rejects a request as too large for its window: the attempts, their order, and the end.
//!
//! In process, and through the program with a server on this machine.

use agent::{Event, TurnError, run_turn};
use base::model::{ModelError, Purpose, Request, SaidSizes};
use base::{Message, NOTHING_TO_FLUSH, TokenCount};
use session::{Payload, SessionName};
use testkit::{
    ChatServer, ProgramRun, ServerAnswer as HttpAnswer, TestHome, Transcript, Words, conversation,
    to_jsonl,
};

use super::generated::calls_of;
use super::oracle::append;
use super::talk::{Gated, Talk, main, message, rungs, warns};
use crate::chat_with_model::{home, reply};
use crate::in_process::tokens_of;
use crate::pipeline::{Answer, said};

const WINDOW: u64 = 16_000;

/// A provider whose real window is smaller than the settings say.
fn small(real: u64) -> impl Fn(&Request) -> Answer {
    telling(real, |_| SaidSizes::default())
}

/// The same model, which states the sizes of a request in this way.
fn telling(real: u64, sizes: impl Fn(TokenCount) -> SaidSizes) -> impl Fn(&Request) -> Answer {
    move |request| match request.purpose {
        Purpose::Chat if tokens_of(request) > TokenCount(real) => {
            Err(ModelError::ContextOverflow {
                model: "gated".into(),
                said: sizes(tokens_of(request)),
            })
        }
        Purpose::Chat | Purpose::Consolidate => said("Yes."),
        Purpose::Flush => said(NOTHING_TO_FLUSH),
        Purpose::Summarise => said("## Goals and Intent\n- The owner keeps a list."),
    }
}

/// A conversation of this many tokens, which no provider has rejected yet.
fn history(talk: &Talk, n_tokens: usize) {
    let said = (0..n_tokens / 500).flat_map(|number| {
        let reply = Message::assistant("Noted, and so on.");
        [Message::user(message(number, 490)), reply]
    });
    append(talk, &main(), said.collect());
}

async fn ask(talk: &Talk, name: &SessionName) -> (Result<String, TurnError>, Vec<Event>) {
    let mut events = Vec::new();
    let mut on_event = |event| events.push(event);
    let message = Message::user("And now?");
    let reply = run_turn(&talk.runtime, name, message, &mut on_event).await;
    (reply.map(|reply| Message::Assistant(reply).text()), events)
}

/// A long conversation with a model of this rule that answers in the end, and the events until then.
async fn answered(rule: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> (Talk, Vec<Event>) {
    let talk = Talk::alone(Gated::new(rule), WINDOW);
    talk.model.open();
    history(&talk, 9_500);
    let (reply, events) = ask(&talk, &main()).await;
    assert_eq!(reply.unwrap(), "Yes.");
    (talk, events)
}

/// The sizes of a request as a provider reports them.
fn sizes(window: u64, request: Option<TokenCount>) -> SaidSizes {
    SaidSizes {
        window: Some(TokenCount(window)),
        request,
    }
}

#[tokio::test(start_paused = true)]
async fn too_large_refusal_forces_compaction_and_retries() {
    let (talk, events) = answered(small(6_000)).await;
    assert!(warns(&events, "as too large for its window"), "{events:?}");
    // Far below the trigger: nothing but the refusal asked for it.
    assert_eq!(rungs(&events), ["model"]);
    assert_eq!(talk.model.n_asked(Purpose::Chat), 2);
    // The next request is not refused any more.
    let events = talk.say("Thank you.").await;
    assert!(!warns(&events, "as too large for its window"), "{events:?}");
}

#[tokio::test(start_paused = true)]
async fn window_learned_from_refusal_applies_to_later_turns() {
    let telling = telling(6_000, |request| sizes(6_000, Some(request)));
    let (talk, events) = answered(telling).await;
    assert!(warns(&events, "as too large for its window"), "{events:?}");
    // It grows to the size of the window twice over.
    for number in 0..24 {
        let events = talk.say(&message(number, 490)).await;
        assert!(!warns(&events, "as too large for its window"), "{events:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn refused_request_is_compacted_twice_if_needed() {
    let (talk, events) = answered(small(1_500)).await;
    assert_eq!(rungs(&events), ["model", "model"]);
    assert_eq!(talk.model.n_asked(Purpose::Chat), 3);
}

#[tokio::test(start_paused = true)]
async fn refusal_with_sizes_needs_one_compaction() {
    let told: [fn(TokenCount) -> SaidSizes; 2] = [
        |request| sizes(2_100, Some(request)),
        // It counts twice as much as we do, and the ratio is what matters.
        |request| sizes(4_200, Some(TokenCount(request.0 * 2))),
    ];
    for told in told {
        let (talk, events) = answered(telling(2_100, told)).await;
        assert_eq!(rungs(&events), ["model"]);
        assert_eq!(talk.model.n_asked(Purpose::Chat), 2);
    }
}

#[tokio::test(start_paused = true)]
async fn refusal_size_above_window_is_ignored() {
    let telling = telling(6_000, |request| sizes(1_000_000, Some(request)));
    let (_, events) = answered(telling).await;
    assert_eq!(rungs(&events), ["model"]);
}

#[tokio::test(start_paused = true)]
async fn refusal_size_too_small_for_any_request_is_ignored() {
    for request in [|_| None, Some] {
        let telling = telling(6_000, move |tokens| sizes(5, request(tokens)));
        let (talk, events) = answered(telling).await;
        assert_eq!(rungs(&events), ["model"]);
        // As much stays as where nothing is said of the sizes.
        assert!(talk.view(&main()).items.len() > 4);
    }
}

#[tokio::test(start_paused = true)]
async fn refused_tool_results_are_shortened_in_request_only() {
    let talk = Talk::alone(Gated::new(small(3_000)), WINDOW);
    talk.model.open();
    append(&talk, &main(), vec![Message::user(message(1, 5_000))]);
    // The results of the present loop stay whatever is compacted.
    let entry = &talk.view(&main()).items[0].entry;
    let arguments = format!("{{\"entry\": \"{entry}\"}}");
    talk.model
        .will_reply([calls_of("session_expand", &arguments, 3)]);
    let (reply, events) = ask(&talk, &main()).await;
    assert_eq!(reply.unwrap(), "Yes.");
    assert!(rungs(&events).len() <= 3, "{events:?}");
    let asked = talk.model.take_asked();
    let last = asked
        .iter()
        .rfind(|it| it.purpose == Purpose::Chat)
        .unwrap();
    let results = last.messages.iter().filter(|it| it.role() == "toolResult");
    let sizes: Vec<TokenCount> = results.map(base::estimate_message).collect();
    assert_eq!(sizes.len(), 3);
    assert!(sizes.iter().max() <= Some(&TokenCount(520)), "{sizes:?}");
    // The transcript holds them whole.
    for entry in talk.entries(&main()) {
        if let Payload::Message(stored) = &entry.payload
            && stored.message.role() == "toolResult"
        {
            assert!(base::estimate_message(&stored.message) > TokenCount(1_500));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn endless_refusals_end_in_error_after_three_compactions() {
    // So long that a fourth compaction would free something.
    let talk = Talk::alone(Gated::new(small(0)), 4 * WINDOW);
    talk.model.open();
    history(&talk, 40_000);
    let (reply, events) = ask(&talk, &main()).await;
    assert!(matches!(reply, Err(TurnError::Refused { .. })), "{reply:?}");
    assert_eq!(rungs(&events), ["model", "model", "model"]);
    // Once, and once after each compaction: there are no results of tools that could be shortened.
    assert_eq!(talk.model.n_asked(Purpose::Chat), 4);
    let last = talk.view(&main()).items.pop().unwrap();
    assert_eq!(
        last.content,
        session::ViewContent::Message(Message::user("And now?"))
    );
}

/// A home with a conversation behind it, made without the server.
fn home_with_talk(server: &ChatServer) -> TestHome {
    let home = home(&server.url("/v1"));
    home.input("talk.jsonl", to_jsonl(&conversation(1, 40)));
    home.ok("replay talk.jsonl --set model.provider=offline");
    home
}

fn server(answers: impl IntoIterator<Item = HttpAnswer>) -> ChatServer {
    crate::chat_with_model::server(answers)
}

/// The output, without line ends.
fn one_line(run: &ProgramRun) -> String {
    let words: Vec<&str> = run.stderr.split_whitespace().collect();
    words.join(" ")
}

fn n_compactions(home: &TestHome) -> usize {
    Transcript::read(home, "main").compaction_epochs().len()
}

#[test]
fn too_large_http_error_is_retried_after_compaction() {
    let too_large = r#"{"error":{"message":"This model's maximum context length is 4096 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#;
    let summary = "## Goals and Intent\n- The owner keeps a list.";
    for refusal in [
        HttpAnswer::json(413, "Payload Too Large"),
        HttpAnswer::json(400, too_large),
    ] {
        let answers = [
            refusal,
            reply(NOTHING_TO_FLUSH),
            reply(summary),
            reply(summary),
            reply("All is well."),
        ];
        let server = server(answers);
        let home = home_with_talk(&server);
        let before = n_compactions(&home);
        let run = home.ok("chat -m 'And now?'");
        run.stdout.holds("All is well.");
        one_line(&run).holds("as too large for its window");
        assert_eq!(n_compactions(&home), before + 1, "{}", run.transcript());
        crate::held::verify_is_clean(&home, "main");
    }
}

#[test]
fn persistent_too_large_error_names_next_command() {
    let refusal = HttpAnswer::json(413, "Payload Too Large");
    let server = server([]).always("POST /v1/chat/completions", refusal);
    let home = home_with_talk(&server);
    let before = n_compactions(&home);
    let run: ProgramRun = home.run("chat -m 'And now?'").with_code(6);
    let told = one_line(&run);
    for words in [
        "the model rejects a request of about",
        "openclaw chat",
        "compaction.contextWindow=TOKENS",
    ] {
        assert!(told.contains(words), "{}", run.transcript());
    }
    let after = n_compactions(&home);
    assert!(after > before && after <= before + 3, "{before} {after}");
    let last = Transcript::read(&home, "main").messages().pop().unwrap();
    assert_eq!(
        (last.role.as_str(), last.text.as_str()),
        ("user", "And now?")
    );
    crate::held::verify_is_clean(&home, "main");
}
