//! What the audit of a span finds, and how it judges a summary.

use base::{EntryId, TokenCount};

use super::*;
use crate::fixture::{entry, view};

fn plan(conversation: &str) -> SummaryPlan {
    SummaryPlan {
        span: view(conversation).items,
        first_kept: Some(EntryId::new("next")),
        stored: TokenCount(4_000),
        replaced: TokenCount(4_000),
        tokens_before: TokenCount(9_000),
        output_max: TokenCount(400),
        ..SummaryPlan::default()
    }
}

const TALK: &str = "user: We decided to sign with RS256; rotate keys every 30 days, see src/auth.rs and v2.3.1\n\
    assistant: Noted, ticket ABC-12 tracks it call(c1)\n\
    tool(c1): fn sign() { /* listing.rs */ }\n\
    assistant: ABC-12 is half done\n\
    user: Now write the middleware for https://api.acme.io/v1";

#[test]
fn a_span_is_audited_by_what_people_use() {
    let audit = Audit::of(&plan(TALK));
    assert_eq!(
        audit.identifiers,
        [
            "https://api.acme.io/v1",
            "RS256",
            "src/auth.rs",
            "v2.3.1",
            "ABC-12",
            "30 days"
        ]
    );
    let index: Vec<&str> = audit
        .artifacts
        .identifiers
        .iter()
        .map(|found| found.text.as_str())
        .collect();
    assert!(index.contains(&"listing.rs"), "{index:?}");
    let claims: Vec<&str> = audit
        .claims
        .iter()
        .map(|claim| claim.text.as_str())
        .collect();
    assert_eq!(
        claims,
        [
            "We decided to sign with RS256; rotate keys every 30 days, see src/auth.rs and v2.3.1",
            "Now write the middleware for https://api.acme.io/v1",
        ]
    );
}

#[test]
fn retention_is_the_share_that_a_text_holds() {
    let audit = Audit::of(&plan(TALK));
    assert_eq!(audit.retention_percent(TALK), 100);
    assert_eq!(audit.retention_percent(""), 0);
    // Two of six identifiers and one of two claims.
    assert_eq!(
        audit.retention_percent("write the middleware for https://api.acme.io/v1, ABC-12"),
        37
    );
    assert_eq!(Audit::default().retention_percent("anything"), 100);
}

#[test]
fn a_good_reply_has_no_gaps_and_a_poor_one_is_told_what_it_lacks() {
    let audit = Audit::of(&plan(TALK));
    assert_eq!(audit.gaps(TALK), Vec::<String>::new());
    let poor = "decided to sign with RS256; rotate keys every few days; write the middleware for https://api.acme.io/v1";
    assert_eq!(
        audit.gaps(poor),
        ["src/auth.rs", "v2.3.1", "ABC-12", "30 days"]
    );
}

#[test]
fn i14_no_secret_comes_into_the_audit() {
    let key = format!("ghp_{}", "a1".repeat(18));
    let talk = format!("user: the token is {key}, use {key} in deploy.sh");
    let audit = Audit::of(&plan(&talk));
    let told = format!("{audit:?}");
    assert!(!told.contains(&key), "{told}");
    assert_eq!(audit.identifiers, ["deploy.sh"]);
}

#[test]
fn what_an_earlier_summary_listed_goes_on() {
    let mut span = plan("user: thanks").span;
    let summary = "[COMPACTED SUMMARY]\n## Goals and Intent\n- finish billing.rs\n- Said (entry 019cad9e-4648-7c2f): pay offer.pdf\n\n## Exact identifiers\n- 4f2a91c; $12.50\n\n\
                   [Stands for 9 messages: entries 019cad9e-4648-7c2f..019cae05-0ec8-7a11. The transcript keeps them; session_expand brings them back.]";
    let item = entry(
        9,
        base::Origin::System,
        ViewContent::Summary(summary.to_owned()),
    );
    span.insert(0, item);
    let audit = Audit::of(&SummaryPlan {
        span,
        ..plan("user: thanks")
    });
    // No entry and no tool of ours.
    assert_eq!(
        audit.identifiers,
        ["4f2a91c", "$12.50", "billing.rs", "offer.pdf"]
    );
}
