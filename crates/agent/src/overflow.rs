//! What is done when a provider refuses a request as larger than its window, and what is kept of that window in a file.
//!
//! Comes to an end: a few compactions, then short tool results, then an error.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use base::disk::{DiskError, read_all, replace};
use base::model::SaidSizes;
use base::{Disk, TokenCount};
use compaction::{Budget, Demand, Leaves, Rung, Settings, flush_need};
use serde::{Deserialize, Serialize};
use session::Turn;

use crate::event::{Event, OnEvent};
use crate::make_room::{Pass, state};
use crate::pairing::stop_job;
use crate::prompt::{Around, Context, assemble_with};
use crate::sandbox::make_room_in_sandbox;
use crate::{Runtime, TurnError};

/// The most compactions that the refusals of one turn lead to.
const COMPACTIONS_MAX: usize = 3;

/// What is believed of the window after a refusal that does not say how large it is, in hundredths of the request that was refused.
const BELIEVED_PERCENT: u64 = 75;

/// The most that a tool result is shown with where compaction did not help.
const RESULTS_MAX: TokenCount = TokenCount(500);

/// Gives a smaller context after `refused`, of which the provider said `said`, whatever the count and the breaker say; `n_compactions` is how
/// many have been made for this in the turn.
///
/// # Errors
///
/// [`TurnError::Refused`] where everything has been tried.
pub(crate) async fn relieve(
    runtime: &Runtime,
    turn: &mut Turn,
    (around, n_compactions): (&mut Around, &mut usize),
    (refused, said): &(Context, SaidSizes),
    on_event: OnEvent<'_>,
) -> Result<Context, TurnError> {
    let tokens = refused.told(refused.tokens());
    on_event(Event::Warning(format!(
        "the model refused a request of about {tokens} tokens as larger than its window"
    )));
    let believed = believed(runtime, refused, *said);
    around.window_max = Some(around.window_max.map_or(believed, |max| max.min(believed)));
    // The owner waits, and nothing may change under the next request.
    stop_job(runtime, turn.name(), on_event);
    let sandbox = runtime.sandbox.as_ref();
    if let Some(sandbox) = sandbox.filter(|_| *n_compactions < COMPACTIONS_MAX) {
        *n_compactions += 1;
        return make_room_in_sandbox(runtime, (&*turn, sandbox), around, on_event);
    }
    let mut pass = Pass::new(runtime, turn, Demand::Forced);
    while runtime.sandbox.is_none() && *n_compactions < COMPACTIONS_MAX {
        let context = assemble_with(runtime, turn.name(), turn.view(), around)?;
        let state = state(runtime, turn, &context, &pass);
        let rung = match state.leaves {
            Leaves::Nothing => None,
            Leaves::ByTruncation => pass.rung().map(|_| Rung::Truncate),
            Leaves::BySummary => pass.rung(),
        };
        let Some(rung) = rung else {
            break;
        };
        let how = (&context, flush_need(state.epoch, state.flush_marker), rung);
        if pass.step(runtime, turn, how, on_event).await? {
            *n_compactions += 1;
            return Ok(assemble_with(runtime, turn.name(), turn.view(), around)?);
        }
    }
    if around.results_max.replace(RESULTS_MAX).is_none() {
        let context = assemble_with(runtime, turn.name(), turn.view(), around)?;
        if context.tokens() < refused.tokens() {
            return Ok(context);
        }
    }
    Err(TurnError::Refused { tokens })
}

/// Keeps for later turns what a refusal of the model that answers the owner shows of its window.
pub(crate) fn learn(
    runtime: &Runtime,
    (refused, said): (&Context, SaidSizes),
    on_event: OnEvent<'_>,
) {
    let believed = believed(runtime, refused, said);
    // One in which nothing finds room would end every later turn.
    if !has_room(runtime, refused, believed) {
        return;
    }
    let model = runtime.models.primary.profile().name;
    let (set, window) = (runtime.settings.context_window, refused.told(believed));
    match runtime.known_window.learn(&model, set, window) {
        Ok(true) => on_event(Event::Notice(format!(
            "From now on {model} is asked for no more than a window of {window} tokens; another one is tried \
             after `openclaw config set compaction.contextWindow TOKENS`."
        ))),
        Ok(false) => {}
        Err(error) => on_event(Event::Warning(format!(
            "the window of {model} is not kept for later: {error}"
        ))),
    }
}

/// What is believed of the window, in our tokens.
fn believed(runtime: &Runtime, refused: &Context, said: SaidSizes) -> TokenCount {
    let guess = refused.tokens().percent(BELIEVED_PERCENT);
    let of_window = |window: TokenCount, request: TokenCount| {
        let part = u128::from(refused.tokens().0) * u128::from(window.0);
        let part = part / u128::from(request.0.max(1));
        TokenCount(u64::try_from(part).unwrap_or(u64::MAX))
    };
    let told = match (said.window, said.request) {
        // What it counted for this very request tells what the rest of its numbers are worth.
        (Some(window), Some(request)) if window < request => of_window(window, request),
        // Its count of the request is only expected then.
        (Some(window), _) => of_window(window, refused.told(refused.tokens())).min(guess),
        (None, _) => return guess,
    };
    if has_room(runtime, refused, told) {
        told
    } else {
        guess
    }
}

/// Whether a message and a reply would fit into such a window: a number for which everything would have to leave, in vain, is none.
fn has_room(runtime: &Runtime, refused: &Context, window: TokenCount) -> bool {
    let settings = Settings {
        context_window: window,
        ..refused.scale.settings(&runtime.settings)
    };
    let prefix = refused.usage.prefix + refused.usage.suffix;
    Budget::new(&settings)
        .check_prefix(&settings, prefix)
        .is_ok()
}

/// A longer file is not ours.
const FILE_BYTES_MAX: u64 = 1 << 12;

/// What is known of the window of the model that answers the owner.
#[derive(Debug, Default)]
pub struct KnownWindow {
    place: Option<(Arc<dyn Disk>, PathBuf)>,
    known: Mutex<Option<Known>>,
}

/// A window that a refusal has shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Known {
    /// The model, for another one has another window.
    model: String,
    /// The window that was set then: whoever changes it wants another one tried.
    set: u64,
    /// The window, in tokens of the provider.
    window: u64,
}

impl KnownWindow {
    /// What is known, kept in a file.
    pub fn at(disk: Arc<dyn Disk>, path: PathBuf) -> Self {
        let bytes = read_all(&*disk, &path, FILE_BYTES_MAX);
        let known = bytes
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok());
        Self {
            place: Some((disk, path)),
            known: Mutex::new(known),
        }
    }

    /// The window of this model where `set` is what was set, and never more.
    pub(crate) fn of(&self, model: &str, set: TokenCount) -> TokenCount {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.as_ref().filter(|it| it.is_of(model, set));
        known.map_or(set, |it| set.min(TokenCount(it.window)))
    }

    /// Keeps a window that a refusal has shown; whether it is smaller than what was known.
    ///
    /// # Errors
    ///
    /// [`DiskError`] where the file cannot be written; the window holds for this process then.
    pub(crate) fn learn(
        &self,
        model: &str,
        set: TokenCount,
        window: TokenCount,
    ) -> Result<bool, DiskError> {
        if window >= self.of(model, set) {
            return Ok(false);
        }
        let learned = Known {
            model: model.to_owned(),
            set: set.0,
            window: window.0,
        };
        let line = serde_json::to_string(&learned).unwrap_or_default();
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = Some(learned);
        if let Some((disk, path)) = &self.place {
            if let Some(directory) = path.parent() {
                disk.create_dir(directory)?;
            }
            replace(&**disk, path, format!("{line}\n").as_bytes())?;
        }
        Ok(true)
    }
}

impl Known {
    fn is_of(&self, model: &str, set: TokenCount) -> bool {
        self.model == model && self.set == set.0
    }
}

#[cfg(test)]
mod known_window_tests {
    use std::path::Path;

    use base::disk::MemoryDisk;

    use super::*;

    #[test]
    fn a_window_is_known_in_later_runs_and_only_of_this_model_and_setting() {
        let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::new());
        let open = || {
            KnownWindow::at(
                Arc::clone(&disk),
                Path::new("/state/window.json").to_owned(),
            )
        };
        let set = TokenCount(200_000);
        let here = open();
        assert_eq!(here.of("m", set), set);
        assert!(here.learn("m", set, TokenCount(12_000)).unwrap());
        assert!(!here.learn("m", set, TokenCount(13_000)).unwrap());
        for known in [here, open()] {
            assert_eq!(known.of("m", set), TokenCount(12_000));
            assert_eq!(known.of("other", set), set);
            assert_eq!(known.of("m", TokenCount(32_000)), TokenCount(32_000));
        }
    }

    #[test]
    fn a_file_that_says_nothing_is_as_none() {
        let disk: Arc<dyn Disk> = Arc::new(MemoryDisk::new());
        let path = Path::new("/state/window.json");
        disk.create_dir(Path::new("/state")).unwrap();
        replace(&*disk, path, b"{").unwrap();
        let known = KnownWindow::at(disk, path.to_owned());
        assert_eq!(known.of("m", TokenCount(9)), TokenCount(9));
    }
}
