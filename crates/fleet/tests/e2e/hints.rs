//! Hints that the commands print in addition to their results.

use base::disk::{Disk, OsDisk};
use testkit::{TestHome, Words, home_with_odd_files};

#[test]
fn hints_name_home_given_on_command_line() {
    let home = TestHome::new();
    OsDisk.create_dir(&home.folder().join("homes")).unwrap();
    let address = format!("file://{}/homes", home.folder().display());
    let listed = home.fleet(&["--home", "my home", "list", &address]);
    let push = "`openclaw-fleet --home 'my home' push ADDRESS NAME`";
    listed.with_code(0).stdout.holds(push);
}

#[test]
fn push_sends_readable_files_and_names_skipped_ones() {
    let (home, odd) = home_with_odd_files();
    let address = format!("file://{}/homes", home.folder().display());
    let run = home.fleet(&["push", &address, "anna"]).with_code(0);
    for path in &odd {
        run.stderr.holds(&format!("skipped {path}: "));
    }
    let pushed = home.folder().join("homes/anna/workspace/memory");
    let names = OsDisk.list(&pushed).unwrap();
    let holds = |name: &str| names.contains(&name.into());
    assert_eq!(["piano.md", "pipe.md"].map(holds), [true, false]);
}
