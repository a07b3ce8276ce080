//! What the commands say beside their results.

use base::disk::{Disk, OsDisk};
use testkit::{TestHome, Words, home_with_odd_files};

#[test]
fn commands_in_hints_name_the_home_that_the_user_named() {
    let home = TestHome::new();
    OsDisk.create_dir(&home.folder().join("homes")).unwrap();
    let address = format!("file://{}/homes", home.folder().display());
    let listed = home.fleet(&["--home", "my home", "list", &address]);
    let push = "`openclaw-fleet --home 'my home' push ADDRESS NAME`";
    listed.with_code(0).stdout.holds(push);
}

#[test]
fn a_push_sends_the_rest_and_names_what_it_left_out() {
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
