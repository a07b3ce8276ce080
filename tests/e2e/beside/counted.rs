//! A long talk with a provider whose tokens are not ours, or whose counts cannot be.
//!
//! The provider counts honestly here, whatever it says.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use base::model::{Purpose, ReplyEvent, Request};
use base::{NOTHING_TO_FLUSH, StopReason, TokenCount, Usage};

use super::talk::{Gated, Talk, message, rungs, starts, tokens_of};
use crate::pipeline::{Answer, said};

const WINDOW: u64 = 16_000;

const N_MESSAGES: usize = 60;

/// Estimated tokens of one message.
const SIZE: usize = 400;

/// What a provider says of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Says {
    /// Its own count, in hundredths of the estimate.
    Percent(u64),
    Nothing,
    Zero,
    /// The sum of all requests so far.
    RunningTotal,
    /// Far too much, or far too little.
    Absurd(u64),
}

fn reply(says: Says, total: &AtomicU64, request: &Request) -> Answer {
    let text = match request.purpose {
        Purpose::Flush => NOTHING_TO_FLUSH,
        Purpose::Summarise => "## Goals and Intent\n- The owner keeps a list.",
        Purpose::Chat | Purpose::Consolidate => "Yes.",
    };
    if request.purpose != Purpose::Chat {
        return said(text);
    }
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

/// One message of the talk.
#[derive(Debug, PartialEq, Eq)]
struct Said {
    /// The request for the reply, as the program estimates it.
    estimate: TokenCount,
    /// The sizes at which compactions began, as they were told.
    starts: Vec<TokenCount>,
    n_compactions: usize,
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
        events.extend(talk.work().await);
        course.push(Said {
            estimate: tokens_of(request.unwrap()),
            starts: starts(&events),
            n_compactions: rungs(&events).len(),
        });
    }
    course
}

#[tokio::test(start_paused = true)]
async fn i6_a_provider_that_counts_more_is_neither_overrun_nor_compacted_early() {
    for percent in [160, 75] {
        let course = course(Says::Percent(percent)).await;
        let n_compactions: usize = course.iter().map(|said| said.n_compactions).sum();
        assert!(n_compactions >= 2, "{percent}: {n_compactions}");
        // The trigger of this window, in the tokens of the provider.
        let trigger = 11_000;
        for (number, said) in course.iter().enumerate() {
            let counted = said.estimate.0 * percent / 100;
            let what = format!("{percent}, message {number}: {counted} and {said:?}");
            assert!(counted <= WINDOW, "{what}");
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
async fn i6_a_count_that_cannot_be_changes_nothing() {
    let expected = course(Says::Nothing).await;
    assert!(expected.iter().any(|said| said.n_compactions > 0));
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
