//! The reference page of the commands: generated here, committed, and compared.
//!
//! `UPDATE_REFERENCE=1 cargo test -p openclaw reference` rewrites it.

use cli::reference::{check, page_of_commands};

use crate::command_line::tree;

#[test]
fn page_of_commands_is_current() {
    let page = page_of_commands(("Command line", INTRODUCTION), tree());
    check("docs/cli.md", &page);
}

const INTRODUCTION: &str = "\
Data goes to stdout; messages and progress go to stderr.
With `--json` a command prints one object on one line, or one event per line, with camelCase keys.
An error says what failed, during what, why, and what to type next; with `--json` it is the object \
`{\"error\":{\"kind\",\"message\",\"hints\"}}` on stdout.
Every command takes the global options listed under `openclaw`.

## Exit codes

| code | meaning |
|---|---|
";
