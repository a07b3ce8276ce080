//! What the audit of a span finds, and how it judges a summary.

use session::ViewContent;

use super::*;
use crate::fixture::{brief, cues, entry, view};

fn plan(conversation: &str) -> SummaryPlan {
    brief(view(conversation).items, 4_000, 400).plan
}

const TALK: &str = "user: We decided to sign with RS256; rotate keys every 30 days, see src/auth.rs and v2.3.1\n\
    assistant: Noted, ticket ABC-12 tracks it call(c1)\n\
    tool(c1): fn sign() { /* listing.rs */ }\n\
    assistant: ABC-12 is half done\n\
    user: Now write the middleware for https://api.acme.io/v1";

#[test]
fn a_span_is_audited_by_what_people_use() {
    let audit = Audit::of(&plan(TALK), cues);
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
    let mut index = audit.artifacts.identifiers.iter();
    assert!(index.any(|found| found.text == "listing.rs"), "{audit:?}");
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
    let audit = Audit::of(&plan(TALK), cues);
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
fn a_good_reply_has_no_gaps_and_a_poor_one_learns_what_it_lacks() {
    let audit = Audit::of(&plan(TALK), cues);
    assert_eq!(audit.gaps(TALK), Vec::<String>::new());
    let poor = "decided to sign with RS256; rotate keys every few days; write the middleware for https://api.acme.io/v1";
    assert_eq!(
        audit.gaps(poor),
        [
            "We decided to sign with RS256; rotate keys every 30 days, see src/auth.rs and v2.3.1",
            "src/auth.rs",
            "v2.3.1",
            "ABC-12",
            "30 days"
        ]
    );
}

#[test]
fn i14_no_secret_comes_into_the_audit() {
    let key = format!("ghp_{}", "a1".repeat(18));
    let talk = format!("user: the token is {key}, use {key} in deploy.sh");
    let audit = Audit::of(&plan(&talk), cues);
    let told = format!("{audit:?}");
    assert!(!told.contains(&key), "{told}");
    assert_eq!(audit.identifiers, ["deploy.sh"]);
}

#[test]
fn what_an_earlier_summary_listed_goes_on() {
    let mut plan = plan("user: thanks");
    let summary = "[COMPACTED SUMMARY]\n## Goals and Intent\n- finish billing.rs\n- Said (entry 019cad9e-4648-7c2f): pay offer.pdf\n\n## Exact identifiers\n- 4f2a91c; $12.50\n\n\
                   [Stands for 9 messages: entries 019cad9e-4648-7c2f..019cae05-0ec8-7a11. The transcript keeps them; session_expand brings them back.]";
    let summary = ViewContent::Summary(summary.to_owned());
    plan.span.insert(0, entry(9, base::Origin::System, summary));
    let audit = Audit::of(&plan, cues);
    // No entry and no tool of ours.
    assert_eq!(
        audit.identifiers,
        ["4f2a91c", "$12.50", "billing.rs", "offer.pdf"]
    );
}

const TRAVEL: &str = "user: We decided to take the train to Lisbon for the meeting on Tuesday.\n\
    assistant: Noted.\n\
    user: We decided to take the train to Porto for the meeting on Friday.\n\
    assistant: Noted.\n\
    user: We decided to take the train to Madrid for the meeting on Monday.\n\
    assistant: Noted.\n\
    user: We decided to cancel the train to Geneva for the meeting.\n\
    assistant: Noted.\n\
    user: Thanks.";

#[test]
fn one_decision_does_not_vouch_for_others_like_it() {
    let audit = Audit::of(&plan(TRAVEL), cues);
    let first = "We decided to take the train to Lisbon for the meeting on Tuesday. Thanks.";
    // The first decision and the last request.
    assert_eq!(audit.retention_percent(first), 40);
    assert_eq!(audit.gaps(first).len(), 3);
}

#[test]
fn decisions_without_capitals_are_distinguished_by_the_words_that_no_other_has() {
    let audit = Audit::of(&plan(&TRAVEL.to_lowercase()), cues);
    let first = "we decided to take the train to lisbon for the meeting on tuesday. thanks.";
    assert_eq!(audit.retention_percent(first), 40);
    let unspaced = "user: \u{51b3}\u{5b9a}\u{661f}\u{671f}\u{4e8c}\u{4e58}\u{706b}\u{8f66}\u{53bb}\u{91cc}\u{65af}\u{672c}\u{5f00}\u{4f1a}\u{3002}\n\
        user: \u{51b3}\u{5b9a}\u{661f}\u{671f}\u{4e94}\u{4e58}\u{706b}\u{8f66}\u{53bb}\u{6ce2}\u{5c14}\u{56fe}\u{5f00}\u{4f1a}\u{3002}\n\
        user: \u{8c22}\u{8c22}";
    let audit = Audit::of(&plan(unspaced), cues);
    let first = "\u{51b3}\u{5b9a}\u{661f}\u{671f}\u{4e8c}\u{4e58}\u{706b}\u{8f66}\u{53bb}\u{91cc}\u{65af}\u{672c}\u{5f00}\u{4f1a}\u{3002}\u{8c22}\u{8c22}";
    assert_eq!(audit.retention_percent(first), 66);
}

#[test]
fn a_figure_of_a_decision_must_be_held_whole() {
    let talk = "user: we decided to meet at 9:30 in room 12.\nuser: ok";
    let audit = Audit::of(&plan(talk), cues);
    for (told, expected) in [
        ("ok, we decided to meet in room 12 at 9:30", 100),
        ("ok, we decided to meet in room 12, 9 people, 30 chairs", 50),
    ] {
        assert_eq!(audit.retention_percent(told), expected, "{told}");
    }
}

#[test]
fn a_decision_in_other_words_is_held_where_its_names_and_figures_are() {
    let audit = Audit::of(&plan(TRAVEL), cues);
    let told = "Train to the meeting: Lisbon on Tuesday, Porto on Friday, Madrid on Monday; \
                the one to Geneva: cancel. Thanks.";
    assert_eq!(audit.retention_percent(told), 100);
}
