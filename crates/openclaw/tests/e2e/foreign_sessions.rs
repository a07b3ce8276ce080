//! Sessions that OpenClaw's own session manager wrote: opened as they are, continued, and imported.
//!
//! The files were made by that program, with words of this project; they are never edited.

use insta::assert_snapshot;
use testkit::TestHome;

const BRANCHES: &str = include_str!("../../../../tests/fixtures/v1/openclaw_branches.jsonl");
const FIRST_VERSION: &str =
    include_str!("../../../../tests/fixtures/v1/openclaw_first_version.jsonl");

#[test]
fn i2_foreign_session_opens_unchanged_and_continues() {
    let home = TestHome::new();
    home.write("sessions/theirs.jsonl", BRANCHES);
    let verified = home.ok("session verify theirs");
    assert_eq!(verified.stdout, "theirs: 28 lines, clean\n");
    // Summary, kept entries, summary of a branch, what came after: as the program itself puts it together.
    let view = home.ok("session export theirs --view");
    assert_snapshot!("the_view_of_a_foreign_session", view.stdout);
    assert_eq!(home.read("sessions/theirs.jsonl"), BRANCHES);
    home.ok("chat -s theirs -m 'What is the lock code?'");
    let gone_on = home.read("sessions/theirs.jsonl");
    assert!(gone_on.starts_with(BRANCHES), "{gone_on}");
    home.ok("session verify theirs");
}

#[test]
fn session_import_reports_omitted_parts() {
    let home = TestHome::new();
    home.input("theirs.jsonl", BRANCHES);
    home.input("first.jsonl", FIRST_VERSION);
    let mut told = String::new();
    for file in ["theirs.jsonl", "first.jsonl"] {
        let run = home.ok(&["session", "import", file]);
        told.push_str(&run.transcript());
    }
    assert_snapshot!("an_import_of_foreign_sessions", told);
}
