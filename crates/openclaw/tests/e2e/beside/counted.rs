//! A long conversation with a provider whose tokens are not ours, or whose counts cannot be.
//!
//! The provider counts honestly here, even if it reports something else.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use base::model::{Purpose, ReplyEvent, Request};
use base::{NOTHING_TO_FLUSH, StopReason, TokenCount, Usage, estimate_text};

use super::talk::{Gated, Talk, message, rungs, starts};
use crate::in_process::tokens_of;
use crate::pipeline::{Answer, said};

const WINDOW: u64 = 16_000;

const N_MESSAGES: usize = 60;

/// Estimated tokens of one message.
const SIZE: usize = 400;

/// Estimated tokens that a model thinks before it writes a summary.
const THOUGHT: u64 = 600;

/// How a provider counts the tokens of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Says {
    /// The model's own count, as a percentage of the estimate.
    Percent(u64),
    Nothing,
    Zero,
    /// The sum of all requests so far.
    RunningTotal,
    /// A count that is far too high or far too low.
    Absurd(u64),
}

impl Says {
    /// The provider's true count, in hundredths of the estimate.
    fn percent(self) -> u64 {
        match self {
            Self::Percent(percent) => percent,
            Self::Nothing | Self::Zero | Self::RunningTotal | Self::Absurd(_) => 100,
        }
    }
}

/// A summary of as many words as the request asks for, after a thought, cut at the limit of the request.
fn summary(percent: u64, request: &Request) -> Vec<ReplyEvent> {
    let (_, rest) = request.system.split_once("At most about ").unwrap();
    let (n_words, _) = rest.split_once(" words").unwrap();
    let n_words: usize = n_words.parse().unwrap();
    let lines = (0..n_words / 10)
        .map(|number| format!("\n- The owner keeps item {number} on the long list."));
    let text = format!("## Goals and Intent{}", lines.collect::<String>());
    let written = (THOUGHT + estimate_text(&text).0) * percent / 100;
    let stop = if written <= request.output_max.0 {
        StopReason::Stop
    } else {
        StopReason::Length
    };
    let done = ReplyEvent::Done { stop, usage: None };
    vec![ReplyEvent::Text(text), done]
}

fn reply(says: Says, total: &AtomicU64, request: &Request) -> Answer {
    let text = match request.purpose {
        Purpose::Flush => return said(NOTHING_TO_FLUSH),
        Purpose::Summarise => return Ok(summary(says.percent(), request)),
        Purpose::Chat | Purpose::Consolidate => "Yes.",
    };
    let tokens = tokens_of(request).0;
    let sum = tokens + total.fetch_add(tokens, Ordering::Relaxed);
    let input = match says {
        Says::Nothing => None,
        Says::Percent(percent) => Some(tokens * percent / 100),
        Says::Zero => Some(0),
        Says::RunningTotal => Some(sum),
        Says::Absurd(number) => Some(number),
    };
    let usage = input.map(|input| Usage {
        input: TokenCount(input),
        output: TokenCount(2),
        ..Usage::default()
    });
    let stop = StopReason::Stop;
    let done = ReplyEvent::Done { stop, usage };
    Ok(vec![ReplyEvent::Text(text.to_owned()), done])
}

/// One message of the conversation.
#[derive(Debug, PartialEq, Eq)]
struct Said {
    /// The request for the reply, as the program estimates it.
    estimate: TokenCount,
    /// The sizes at which compactions began, as they were reported.
    starts: Vec<TokenCount>,
    /// How the summaries of the effective compactions were made.
    rungs: Vec<&'static str>,
    /// The requests for a summary, each with the most that its reply may hold.
    summaries: Vec<(TokenCount, TokenCount)>,
}

async fn course(says: Says) -> Vec<Said> {
    let total = Arc::new(AtomicU64::new(0));
    let model = Gated::new(move |request| reply(says, &total, request));
    let talk = Talk::alone(model, WINDOW);
    let mut course = Vec::new();
    for number in 0..N_MESSAGES {
        let mut events = talk.say(&message(number, SIZE)).await;
        let asked = talk.model.take_asked();
        let request = asked.iter().rfind(|it| it.purpose == Purpose::Chat);
        let estimate = tokens_of(request.unwrap());
        events.extend(talk.work().await);
        let asked = asked.into_iter().chain(talk.model.take_asked());
        let summaries = asked.filter(|it| it.purpose == Purpose::Summarise);
        course.push(Said {
            estimate,
            starts: starts(&events),
            rungs: rungs(&events),
            summaries: summaries
                .map(|it| (tokens_of(&it), it.output_max))
                .collect(),
        });
    }
    course
}

#[tokio::test(start_paused = true)]
async fn i6_provider_scale_prevents_overrun_and_early_compaction() {
    for percent in [160, 75] {
        let course = course(Says::Percent(percent)).await;
        let rungs: Vec<&str> = course.iter().flat_map(|said| said.rungs.clone()).collect();
        // The model writes as much as it is asked for, and none of it is thrown away.
        assert!(rungs.len() >= 2, "{percent}: {rungs:?}");
        assert!(
            rungs.iter().all(|rung| *rung == "model"),
            "{percent}: {rungs:?}"
        );
        // The trigger of this window, in the tokens of the provider.
        let trigger = 11_000;
        for (number, said) in course.iter().enumerate() {
            let counted = said.estimate.0 * percent / 100;
            let what = format!("{percent}, message {number}: {counted} and {said:?}");
            assert!(counted <= WINDOW, "{what}");
            for (input, output_max) in &said.summaries {
                let whole = input.0 * percent / 100 + output_max.0;
                assert!(whole <= WINDOW, "{what}: {whole}");
            }
            if number < 3 {
                assert_eq!(said.starts, [], "{what}");
                continue;
            }
            // What is told is what the provider counts, but for the reply that came after.
            for told in &said.starts {
                assert!(told.0.abs_diff(counted) * 50 <= counted, "{what}");
                assert!(counted + counted / 50 >= trigger, "{what}");
            }
            assert!(
                !said.starts.is_empty() || counted <= trigger + trigger / 50,
                "{what}"
            );
        }
    }
}

#[tokio::test(start_paused = true)]
async fn i6_impossible_provider_counts_are_ignored() {
    let expected = course(Says::Nothing).await;
    assert!(expected.iter().any(|said| !said.rungs.is_empty()));
    let unbelievable = [Says::Zero, Says::Absurd(3), Says::Absurd(9_000_000)];
    for says in unbelievable {
        assert_eq!(course(says).await, expected, "{says:?}");
    }
    let places = |course: Vec<Said>| -> Vec<bool> {
        let begins = |said: Said| !said.starts.is_empty();
        course.into_iter().map(begins).collect()
    };
    let honest = places(course(Says::Percent(100)).await);
    assert_eq!(places(course(Says::RunningTotal).await), honest);
}
