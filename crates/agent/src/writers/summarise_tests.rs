//! Down the ladder with a scripted model: the consequence of each failure.

use std::sync::Arc;
use std::time::Duration;

use base::StopReason;
use base::model::{ModelProfile, ReplyEvent, ReplyStream};
use base::test_kit::Words;
use compaction::SummaryPlan;
use futures_util::{StreamExt, stream};
use tokio::time::{Instant, sleep_until};

use super::*;
use crate::test_kit::{Script, cut_reply, done, items, models, summary_brief};

const GOOD: &str = "## Goals and Intent\n- sign tokens with RS256 in src/auth.rs\n\n\
    ## Immediate Next Step\n- write the middleware";

const POOR: &str = "## Goals and Intent\n- the user builds something";

/// A conversation about signing with some filling, so that a summary of it frees enough.
fn brief(fillings: &[usize]) -> SummaryBrief {
    let fill = |size: &usize| Message::assistant("so it goes on ".repeat(*size));
    let first = Message::user("We decided to sign tokens with RS256 in src/auth.rs.");
    let last = Message::user("Now write the middleware.");
    let span = [first].into_iter().chain(fillings.iter().map(fill));
    summary_brief(items(span.chain([last])))
}

struct Outcome {
    rung: Option<Rung>,
    text: String,
    failed: Vec<(Rung, String)>,
    requests: Vec<Request>,
}

async fn run(brief: &SummaryBrief, script: Script, window: u64) -> Outcome {
    let script = Arc::new(script);
    let writers = Writers::untimed(models(script.clone()), TokenCount(window));
    let made = summarise(brief, &writers, Rung::Model).await;
    outcome(made, &script)
}

fn outcome(made: SummaryOutcome, script: &Script) -> Outcome {
    let failed = made.failures.iter();
    let failed: Vec<_> = failed.map(|it| (it.rung, it.reason.to_string())).collect();
    let summary = made.summary;
    if let Some(summary) = &summary {
        let rungs: Vec<Rung> = failed.iter().map(|(rung, _)| *rung).collect();
        assert_eq!(summary.failed, rungs);
    }
    Outcome {
        rung: summary.as_ref().map(|summary| summary.rung),
        text: summary.map(|summary| summary.text).unwrap_or_default(),
        failed,
        requests: script.requests(),
    }
}

/// Checks which rung made the summary, and which rungs failed before.
#[track_caller]
fn check(outcome: &Outcome, rung: Rung, failed: &[Rung]) {
    let rungs: Vec<Rung> = outcome.failed.iter().map(|(rung, _)| *rung).collect();
    assert_eq!((outcome.rung, rungs.as_slice()), (Some(rung), failed));
}

/// No request exceeds this window.
#[track_caller]
fn check_room(requests: &[Request], window: u64) {
    for request in requests {
        let input: TokenCount = request.messages.iter().map(base::estimate_message).sum();
        let whole = base::estimate_text(&request.system) + input + request.output_max;
        assert!(whole <= TokenCount(window), "{whole}");
    }
}

#[tokio::test]
async fn good_summary_reply_is_accepted_at_once() {
    let outcome = run(&brief(&[200]), Script::new().says(GOOD), 32_000).await;
    check(&outcome, Rung::Model, &[]);
    assert_eq!(outcome.requests.len(), 1);
}

#[tokio::test]
async fn reply_lacking_one_of_ten_identifiers_is_not_retried() {
    let files: Vec<String> = (0..10)
        .map(|number| format!("src/part{number}.rs"))
        .collect();
    let first = Message::user(format!("Please review {}.", files.join(", ")));
    let fill = Message::assistant("so it goes on ".repeat(300));
    let brief = summary_brief(items([first, fill, Message::user("Thanks, that was it.")]));
    let reply = |n_files: usize| {
        let named = files.iter().take(n_files).cloned().collect::<Vec<_>>();
        format!("## Goals and Intent\n- review {}", named.join(", "))
    };
    for (n_files, n_requests) in [(10, 1), (9, 1), (5, 2)] {
        let script = Script::new().says(&reply(n_files)).says(&reply(10));
        let outcome = run(&brief, script, 32_000).await;
        check(&outcome, Rung::Model, &[]);
        assert_eq!(outcome.requests.len(), n_requests, "{n_files}");
    }
}

#[tokio::test]
async fn poor_summary_reply_is_retried_with_list_of_gaps() {
    let script = Script::new().says(POOR).says(GOOD);
    let outcome = run(&brief(&[200]), script, 32_000).await;
    assert_eq!(outcome.rung, Some(Rung::Model));
    outcome.text.holds("sign tokens with RS256");
    let asked = outcome.requests[1].messages.iter();
    let asked: Vec<String> = asked.map(Message::text).collect();
    insta::assert_snapshot!(asked[1..].join("\n\n=== then ===\n\n"));
}

#[tokio::test]
async fn poor_summary_is_kept_if_retry_is_not_a_summary() {
    let outcome = run(&brief(&[200]), Script::new().says(POOR).says("no"), 32_000).await;
    assert_eq!(outcome.rung, Some(Rung::Model));
    insta::assert_snapshot!(outcome.text);
}

#[tokio::test]
async fn reply_without_summary_leads_to_staged_summary() {
    for nonsense in ["Sure!", "## Goals and Intent\n"] {
        let script = Script::new()
            .says(nonsense)
            .says(GOOD)
            .says(GOOD)
            .says(GOOD);
        let outcome = run(&brief(&[200, 200, 200]), script, 32_000).await;
        check(&outcome, Rung::Staged, &[Rung::Model]);
        assert_eq!(outcome.requests.len(), 4);
        outcome.requests[3]
            .system
            .holds("summaries of consecutive parts");
    }
}

#[tokio::test]
async fn poor_merged_summary_is_retried_with_list_of_gaps() {
    let script = Script::new().says("Sure!").says(GOOD).says(GOOD);
    let script = script.says(POOR).says(GOOD);
    let outcome = run(&brief(&[200, 200, 200]), script, 32_000).await;
    assert_eq!(outcome.rung, Some(Rung::Staged));
    outcome.text.holds("\n- sign tokens with RS256");
    // The same is put together once more, with the first reply and what it lacks behind it.
    let merged = |request: &Request| (request.system.clone(), request.messages[0].text());
    assert_eq!(merged(&outcome.requests[4]), merged(&outcome.requests[3]));
    let asked = &outcome.requests[4].messages;
    assert_eq!(asked[1].text(), POOR);
    asked[2].text().holds("Now write the middleware.");
    assert_eq!((asked.len(), outcome.requests.len()), (3, 5));
}

#[tokio::test]
async fn reply_cut_at_length_limit_is_rejected_as_summary() {
    let outcome = run(&brief(&[200]), Script::new().breaks_off(GOOD), 32_000).await;
    assert_eq!(outcome.rung, Some(Rung::Offline));
    let reason = "the reply to the summary request was cut off at its length limit";
    assert_eq!(outcome.failed, [(Rung::Model, reason.to_owned())]);
}

#[tokio::test]
async fn span_larger_than_one_request_is_staged_at_once() {
    let brief = brief(&[1_000; 8]);
    let script = (0..24).fold(Script::new(), |script, _| script.says(GOOD));
    let outcome = run(&brief, script, 16_000).await;
    check(&outcome, Rung::Staged, &[]);
    check_room(&outcome.requests, 16_000);
}

#[tokio::test]
async fn oversized_message_is_left_out_after_staged_summary_fails() {
    let brief = brief(&[20, 4_000, 20]);
    let script = Script::new().says("no").says(GOOD).says(GOOD).says(GOOD);
    let outcome = run(&brief, script, 16_000).await;
    check(&outcome, Rung::Partial, &[Rung::Staged]);
    let asked = outcome.requests[1].messages[0].text();
    asked.holds("too large to be summarised and is left out: entry m3.");
}

#[tokio::test]
async fn i5_model_without_reply_is_not_asked_again() {
    let outcome = run(&brief(&[200, 200, 200]), Script::new(), 32_000).await;
    check(&outcome, Rung::Offline, &[Rung::Model]);
    assert_eq!(outcome.requests.len(), 1);
    outcome.text.holds("RS256");
}

#[tokio::test]
async fn i5_bad_replies_of_every_kind_end_at_offline_engine() {
    let prompt = "Write dates out in full, as 2026-04-20. Keep the user's own priorities and constraints in the user's words.";
    let huge = format!("## Goals and Intent\n- {}", "word ".repeat(50_000));
    for bad in ["", "lorem ipsum", prompt, huge.as_str()] {
        let script = Script::new().says(bad).says(bad);
        let outcome = run(&brief(&[200, 200, 200]), script, 32_000).await;
        check(&outcome, Rung::Offline, &[Rung::Model, Rung::Staged]);
    }
}

#[tokio::test]
async fn i5_next_model_starts_its_own_ladder_after_first_fails() {
    let first = Arc::new(Script::new().named("first", 9).with_window(16_000));
    let second = Script::new().named("second", 9).with_window(100_000);
    let second = Arc::new(second.says(GOOD));
    let chat = Arc::new(Script::new().named("chat", 9));
    let mut models = models(chat.clone());
    models.others.summarise = vec![first.clone(), second.clone()];
    let writers = Writers::untimed(models, TokenCount(32_000));
    let made = summarise(&brief(&[1_000; 8]), &writers, Rung::Model).await;
    let summary = made.summary.unwrap();
    // The span is too large for one request to the first, and not for one to the second.
    let rungs = (summary.rung, summary.failed);
    assert_eq!(rungs, (Rung::Model, vec![Rung::Staged]));
    assert_eq!(first.requests().len(), 1);
    assert_eq!(second.requests().len(), 1);
    assert_eq!(chat.requests(), Vec::new());
    check_room(&first.requests(), 16_000);
    check_room(&second.requests(), 100_000);
}

/// Writers with a minute for each reply.
fn a_minute_each(models: Models) -> Writers {
    Writers {
        timeout: Timeout::After(Duration::from_mins(1)),
        ..Writers::untimed(models, TokenCount(32_000))
    }
}

#[tokio::test(start_paused = true)]
async fn i5_model_timeout_passes_on_to_next_model() {
    let begun = vec![Ok(ReplyEvent::Text("## Goals".to_owned()))];
    let silent = Arc::new(Script::new().named("silent", 9).streams(begun));
    let second = Arc::new(Script::new().named("second", 9).says(GOOD));
    let mut models = models(silent);
    models.others.chat = vec![second];
    let made = summarise(&brief(&[200]), &a_minute_each(models), Rung::Model).await;
    assert_eq!(made.summary.unwrap().rung, Rung::Model);
    let told: Vec<_> = made
        .failures
        .iter()
        .map(|it| it.reason.to_string())
        .collect();
    assert_eq!(told, ["no answer within 60 s"]);
}

/// A script in which each reply takes this long.
#[derive(Debug)]
struct Slow(Arc<Script>, Duration);

impl Model for Slow {
    fn profile(&self) -> ModelProfile {
        self.0.profile()
    }

    fn stream<'a>(&'a self, request: &'a Request) -> ReplyStream<'a> {
        let reply = async move {
            sleep_until(Instant::now() + self.1).await;
            self.0.stream(request)
        };
        stream::once(reply).flatten().boxed()
    }
}

/// The outcome of a script whose replies take this long, with a deadline of one minute for each.
async fn run_slow(brief: &SummaryBrief, script: Script, takes: Duration) -> Outcome {
    let script = Arc::new(script);
    let slow = Arc::new(Slow(Arc::clone(&script), takes));
    let made = summarise(brief, &a_minute_each(models(slow)), Rung::Model).await;
    outcome(made, &script)
}

/// A reply that never ends.
fn hanging() -> Vec<Result<ReplyEvent, ModelError>> {
    vec![Ok(ReplyEvent::Text("## Goals".to_owned()))]
}

#[tokio::test(start_paused = true)]
async fn i5_summary_is_kept_if_its_retry_hangs() {
    let script = Script::new().says(POOR).streams(hanging());
    let outcome = run_slow(&brief(&[200]), script, Duration::from_secs(40)).await;
    check(&outcome, Rung::Model, &[]);
    outcome.text.holds("\n- the user builds something");
    assert_eq!(outcome.requests.len(), 2);
}

#[tokio::test(start_paused = true)]
async fn staged_summary_gives_each_part_full_timeout() {
    let script = Script::new().says("Sure!").says(GOOD).says(GOOD).says(GOOD);
    let brief = brief(&[200, 200, 200]);
    let outcome = run_slow(&brief, script, Duration::from_secs(40)).await;
    check(&outcome, Rung::Staged, &[Rung::Model]);
}

#[tokio::test(start_paused = true)]
async fn i5_timeout_is_reported_for_its_own_rung() {
    let script = Script::new().says("Sure!").says(GOOD).streams(hanging());
    let outcome = run_slow(&brief(&[200, 200, 200]), script, Duration::ZERO).await;
    check(&outcome, Rung::Offline, &[Rung::Model, Rung::Staged]);
    let reasons = outcome.failed.into_iter().map(|(_, reason)| reason);
    let expected = [
        "the reply to the summary request has none of the requested sections",
        "no answer within 60 s",
    ];
    assert!(reasons.eq(expected));
}

/// The same conversation under `middle`.
fn middle() -> SummaryBrief {
    let brief = brief(&[200]);
    let plan = SummaryPlan {
        strategy: Strategy::Middle(compaction::Middle::default()),
        ..brief.plan
    };
    SummaryBrief { plan, ..brief }
}

#[tokio::test]
async fn middle_asks_once_despite_gaps() {
    let script = Script::new().says("The user builds something.").says(GOOD);
    let outcome = run(&middle(), script, 32_000).await;
    check(&outcome, Rung::Model, &[]);
    assert_eq!(outcome.requests.len(), 1);
    outcome.text.holds("\nThe user builds something.\n");
}

#[tokio::test]
async fn middle_requests_4096_output_tokens_at_any_scale() {
    let script = Arc::new(Script::new().says("They sign tokens with RS256."));
    let mut writers = Writers::untimed(models(script.clone()), TokenCount(32_000));
    let reply = Assistant {
        usage: Some(base::Usage {
            input: TokenCount(1_040),
            estimate: Some(TokenCount(1_000)),
            ..base::Usage::default()
        }),
        ..cut_reply("Yes.", StopReason::Stop)
    };
    let counted = session::View {
        items: items([Message::Assistant(reply)]),
        is_cut: false,
    };
    writers.scale = Scale::learned(&counted);
    assert_ne!(writers.scale, Scale::ONE);
    summarise(&middle(), &writers, Rung::Model).await;
    assert_eq!(script.requests()[0].output_max, TokenCount(4_096));
}

#[tokio::test]
async fn middle_fails_instead_of_waiting_for_retry() {
    let again = ReplyEvent::AskedAgain {
        reason: "nobody answers".into(),
        wait: Duration::from_secs(2),
    };
    // What follows would be the second attempt.
    let text = ReplyEvent::Text("They sign tokens with RS256.".into());
    let script = Script::new().streams([again, text, done()].map(Ok).into());
    let outcome = run(&middle(), script, 32_000).await;
    assert_eq!(outcome.rung, None);
    assert_eq!(outcome.failed, [(Rung::Model, "nobody answers".to_owned())]);
}
