//! Counts what a request holds by asking the provider, where the estimate stands on nothing new.
//!
//! Changes nothing; where nobody counts, the estimate stays.

use base::model::{Request, complete};
use base::{EntryId, Origin, TokenCount};
use compaction::{Scale, Strategy, SummaryPlan};
use session::{SessionName, View, ViewContent, ViewItem};

use crate::Runtime;
use crate::prompt::{Context, assemble};

/// The most that the reply of a probe holds: nobody reads it.
const PROBE_MAX: TokenCount = TokenCount(16);

/// What the provider counts for the request once this summary stands in it, where the strategy leaves nothing
/// else and the provider has counted before.
pub(crate) async fn recount(
    runtime: &Runtime,
    name: &SessionName,
    (context, plan): (&Context, &SummaryPlan),
    summary: &str,
) -> Option<TokenCount> {
    let is_all_new = matches!(plan.strategy, Strategy::Replace(_)) && plan.first_kept.is_none();
    if !is_all_new || context.scale == Scale::ONE {
        return None;
    }
    let alone = ViewContent::Summary(summary.to_owned());
    let item = ViewItem {
        entry: EntryId::new("recount"),
        at: runtime.clock.now(),
        origin: Origin::System,
        tokens: alone.estimate(),
        content: alone,
    };
    let view = View {
        items: vec![item],
        is_cut: false,
    };
    let probe = Request {
        output_max: PROBE_MAX,
        ..assemble(runtime, name, &view).ok()?.to_request()
    };
    let asked = complete(&*runtime.models.primary, &probe);
    let reply = runtime.background.patience().wait(asked).await.ok()?.ok()?;
    let counted = reply.usage?.request();
    (counted > TokenCount::ZERO).then_some(counted)
}
