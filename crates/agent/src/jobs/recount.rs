//! Has the provider count a compacted request.
//!
//! Keeps nothing of the reply but the count.

use base::model::{Request, complete};
use base::{EntryId, Origin, TokenCount};
use compaction::{Scale, Summary, SummaryPlan};
use session::{SessionName, View, ViewContent, ViewItem};

use crate::prompt::{RequestContext, assemble};
use crate::runtime::Runtime;

/// Reply limit of a probe; the reply is discarded.
const PROBE_MAX: TokenCount = TokenCount(16);

/// Asks the provider to count the compacted request, if the summary replaces the whole view and the provider has
/// reported counts before.
pub(crate) async fn recount(
    runtime: &Runtime,
    name: &SessionName,
    context: &RequestContext,
    (plan, summary): (&SummaryPlan, &Summary),
) -> Option<TokenCount> {
    let is_all_new = plan.strategy.replaces_everything() && plan.first_kept.is_none();
    if !is_all_new || context.scale == Scale::ONE {
        return None;
    }
    let (entry, at) = (EntryId::new("recount"), runtime.home.clock.now());
    let alone = ViewContent::Summary(summary.text.clone());
    let view = View {
        items: vec![ViewItem::new(entry, at, Origin::System, alone)],
        is_cut: false,
    };
    let probe = Request {
        output_max: PROBE_MAX,
        ..assemble(runtime, name, &view).ok()?.to_request()
    };
    let asked = complete(&*runtime.engine.models.primary, &probe);
    let reply = runtime.jobs.timeout().limit(asked).await.ok()?.ok()?;
    let counted = reply.usage?.request();
    (counted > TokenCount::ZERO).then_some(counted)
}
