//! Recovers when a provider refuses a request as larger than its window.
//!
//! Terminates: tries a few compactions, then short tool results, then fails.

use base::TokenCount;
use base::model::SaidSizes;
use compaction::{Budget, Demand, Leaves, Rung, WindowSettings, flush_need};
use session::Turn;

use crate::error::TurnError;
use crate::event::{Event, OnEvent};
use crate::jobs::compaction::{advance, stop_job};
use crate::jobs::pass::{CompactionNeed, Pass, state};
use crate::prompt::{RequestContext, RequestExtras, assemble_with};
use crate::runtime::{ChatEngine, Runtime};
use crate::turn::fit_window::fit_window_in_sandbox;

/// Limit of compactions per turn that refusals cause.
const COMPACTIONS_MAX: usize = 3;

/// Assumed window if a refusal does not report one, as a percentage of the refused request.
const BELIEVED_PERCENT: u64 = 75;

/// Limit of each tool result once compaction has not helped.
const RESULTS_MAX: TokenCount = TokenCount(500);

pub(crate) struct RefusedRequest {
    pub(crate) context: RequestContext,
    /// Sizes of the window and the request, as reported by the provider.
    pub(crate) sizes: SaidSizes,
}

/// The effects of a turn's refusals so far.
#[derive(Debug, Default)]
pub(crate) struct Relief {
    pub(crate) extras: RequestExtras,
    pub(crate) n_compactions: usize,
}

/// Builds a smaller context after a refusal, regardless of our token count and of the breaker.
///
/// # Errors
///
/// [`TurnError::Refused`] once everything has been tried.
pub(crate) async fn relieve(
    runtime: &Runtime,
    turn: &mut Turn,
    relief: &mut Relief,
    refusal: &RefusedRequest,
    on_event: OnEvent<'_>,
) -> Result<RequestContext, TurnError> {
    let refused = &refusal.context;
    let tokens = refused.to_provider(refused.tokens());
    on_event(Event::Warning(format!(
        "the model rejected a request of about {tokens} tokens as too large for its window"
    )));
    let window = believed(&runtime.engine, refused, refusal.sizes);
    let max = relief.extras.window_max.get_or_insert(window);
    *max = window.min(*max);
    // Work inline: the owner waits, and a job must not change the view under the next request.
    stop_job(runtime, turn.name(), on_event);
    let sandbox = runtime.sandbox.as_ref();
    if let Some(sandbox) = sandbox.filter(|_| relief.n_compactions < COMPACTIONS_MAX) {
        relief.n_compactions += 1;
        return fit_window_in_sandbox(runtime, turn, sandbox, &relief.extras, on_event);
    }
    let mut pass = Pass::new(&runtime.engine, turn, Demand::Forced);
    while runtime.sandbox.is_none() && relief.n_compactions < COMPACTIONS_MAX {
        let context = assemble_with(runtime, turn.name(), turn.view(), &relief.extras)?;
        let state = state(runtime, turn, &context, &pass);
        let rung = match state.leaves {
            Leaves::Nothing => None,
            Leaves::ByTruncation => pass.rung().map(|_| Rung::Truncate),
            Leaves::BySummary => pass.rung(),
        };
        let Some(rung) = rung else {
            break;
        };
        let flush = flush_need(state.epoch, state.flush_marker);
        let need = CompactionNeed {
            context: &context,
            flush,
            rung,
        };
        if advance(runtime, turn, &mut pass, need, on_event).await? {
            relief.n_compactions += 1;
            let context = assemble_with(runtime, turn.name(), turn.view(), &relief.extras)?;
            return Ok(context);
        }
    }
    if relief.extras.results_max.replace(RESULTS_MAX).is_none() {
        let context = assemble_with(runtime, turn.name(), turn.view(), &relief.extras)?;
        if context.tokens() < refused.tokens() {
            return Ok(context);
        }
    }
    Err(TurnError::Refused { tokens })
}

/// Remembers for later turns the window that a refusal of the primary model implies.
pub(crate) fn learn(
    engine: &ChatEngine,
    refused: &RequestContext,
    said: SaidSizes,
    on_event: OnEvent<'_>,
) {
    let believed = believed(engine, refused, said);
    // A window without room for a message would fail every later turn.
    if !has_room(engine, refused, believed) {
        return;
    }
    let model = engine.models.primary.profile().name;
    let set = engine.settings.context_window;
    let window = refused.to_provider(believed);
    match engine.known_window.learn(&model, set, window) {
        Ok(true) => on_event(Event::Notice(format!(
            "From now on, requests to {model} stay within a window of {window} tokens; to try another, run `openclaw \
             config set compaction.contextWindow TOKENS`."
        ))),
        Ok(false) => {}
        Err(error) => on_event(Event::Warning(format!(
            "the window of {model} could not be saved: {error}"
        ))),
    }
}

fn believed(engine: &ChatEngine, refused: &RequestContext, said: SaidSizes) -> TokenCount {
    let guess = refused.tokens().percent(BELIEVED_PERCENT);
    let of_window = |window: TokenCount, request: TokenCount| {
        let part = u128::from(refused.tokens().0) * u128::from(window.0);
        let part = part / u128::from(request.0.max(1));
        TokenCount(u64::try_from(part).unwrap_or(u64::MAX))
    };
    let reported = match (said.window, said.request) {
        // The provider's count of this request calibrates its window size.
        (Some(window), Some(request)) if window < request => of_window(window, request),
        // Without a usable count, rely on our estimate of the request.
        (Some(window), _) => of_window(window, refused.to_provider(refused.tokens())).min(guess),
        (None, _) => return guess,
    };
    if has_room(engine, refused, reported) {
        reported
    } else {
        guess
    }
}

/// Whether a message and a reply fit into this window; if not, the reported number is not believed.
fn has_room(engine: &ChatEngine, refused: &RequestContext, window: TokenCount) -> bool {
    let settings = WindowSettings {
        context_window: window,
        ..refused.scale.settings(&engine.settings)
    };
    let prefix = refused.usage.prefix + refused.usage.suffix;
    Budget::new(&settings)
        .check_prefix(&settings, prefix)
        .is_ok()
}
