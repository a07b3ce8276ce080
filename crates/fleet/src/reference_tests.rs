//! The reference page of the commands, which is generated here, committed, and compared.
//!
//! `UPDATE_REFERENCE=1 cargo test -p fleet reference` rewrites it.

use cli::reference::{check, page_of_commands};

use crate::command_line::tree;

#[test]
fn page_of_fleet_commands_is_current() {
    let page = page_of_commands(("Command line of openclaw-fleet", INTRODUCTION), tree());
    check("docs/fleet-cli.md", &page);
}

const INTRODUCTION: &str = "\
[Many homes](fleet.md) explains what these commands are for.
Output, errors and `--json` are as of [`openclaw`](cli.md).
Every command takes the global options listed under `openclaw-fleet`.

## Exit codes

| code | meaning |
|---|---|
";
