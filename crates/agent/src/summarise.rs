//! Makes a summary: asks one engine after the other until one gives something worth having.
//!
//! Borrows no turn, writes nothing and keeps no deadline: whoever holds the job does.

use base::model::{Model, complete};
use base::{Message, StopReason, TokenCount};
use compaction::{Rung, Summary, SummaryBrief, render_summary, summary_request};

use crate::runtime::window_of;
use crate::{Models, Runtime};

/// Who makes summaries; cheap to clone, so that a job holds its own.
#[derive(Debug, Clone)]
pub(crate) struct Writers {
    models: Models,
    context_window: TokenCount,
}

impl Writers {
    /// Those of a runtime.
    pub(crate) fn of(runtime: &Runtime) -> Self {
        Self {
            models: runtime.models.clone(),
            context_window: runtime.settings.context_window,
        }
    }

    /// The most that a request to this model may hold.
    fn window_of(&self, model: &dyn Model) -> TokenCount {
        window_of(self.context_window, model)
    }
}

/// What came of it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Made {
    /// The summary; `None` where every rung failed.
    pub(crate) summary: Option<Summary>,
    /// Why each rung that was tried before gave nothing, in the order of the ladder.
    pub(crate) failures: Vec<RungFailure>,
}

/// A rung that gave nothing worth having.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RungFailure {
    pub(crate) rung: Rung,
    pub(crate) reason: String,
}

/// Tries the rungs from `first` down to the offline engine; truncation is made of a view and not here.
pub(crate) async fn summarise(brief: &SummaryBrief, writers: &Writers, first: Rung) -> Made {
    let rungs = [
        (Rung::Model, &writers.models.primary),
        (Rung::Offline, &writers.models.offline),
    ];
    let mut failures = Vec::new();
    for (rung, model) in rungs.into_iter().filter(|(rung, _)| *rung >= first) {
        match at_once(brief, &**model, writers.window_of(&**model)).await {
            Ok(text) => {
                let summary = Summary {
                    text,
                    rung,
                    retention_percent: None,
                };
                return Made {
                    summary: Some(summary),
                    failures,
                };
            }
            Err(reason) => failures.push(RungFailure { rung, reason }),
        }
    }
    Made {
        summary: None,
        failures,
    }
}

/// The summary by one request.
async fn at_once(
    brief: &SummaryBrief,
    model: &dyn Model,
    window: TokenCount,
) -> Result<String, String> {
    let request = summary_request(brief, window);
    let reply = complete(model, &request)
        .await
        .map_err(|error| error.to_string())?;
    if reply.stop == StopReason::Aborted {
        return Err("it was broken off".to_owned());
    }
    let text = Message::Assistant(reply).text();
    let summary = render_summary(&text, brief).map_err(|error| error.to_string())?;
    if !brief.plan.is_effective(&summary) {
        return Err("it would free less than a fifth of what it replaces".to_owned());
    }
    Ok(summary)
}
