//! The help at 80 columns.
//!
//! Pins every page of help.

use cli::reference::help_of;

use super::*;

#[test]
fn clap_accepts_command_tree() {
    tree().debug_assert();
}

#[test]
fn help_fits_80_columns() {
    let help = help_of(tree());
    for line in help.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    insta::assert_snapshot!("help", help);
}
