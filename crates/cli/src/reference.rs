//! The reference pages. They are generated from the code, committed, and compared by a test of each program.
//!
//! Only compiled for tests.
#![expect(clippy::unwrap_used, reason = "in a test a failure ends the test")]

use std::fmt::Write;
use std::path::Path;

use base::disk::{OsDisk, read_all, replace};

use crate::arguments::as_shown;
use crate::exit_code::ALL;

/// The line below the title of every generated page.
pub const GENERATED: &str = "<!-- Generated from the code; a test compares. -->\n";

/// Compares a page with the generated text; rewrites the page if `UPDATE_REFERENCE` is set.
///
/// # Panics
///
/// If they differ.
#[track_caller]
pub fn check(path: &str, generated: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path);
    if std::env::var_os("UPDATE_REFERENCE").is_some() {
        replace(&OsDisk, &file, generated.as_bytes()).unwrap();
    }
    let committed = read_all(&OsDisk, &file, 1 << 20).unwrap_or_default();
    assert!(
        committed == generated.as_bytes(),
        "{path} is out of date; regenerate it with `UPDATE_REFERENCE=1 cargo test reference`"
    );
}

/// The page of a program's commands, with the exit codes, which all programs share.
pub fn page_of_commands((title, introduction): (&str, &str), command: clap::Command) -> String {
    let mut page = format!("# {title}\n\n{GENERATED}\n{introduction}");
    for exit in ALL {
        writeln!(page, "| {} | {} |", exit.code(), exit.meaning()).unwrap();
    }
    let mut command = as_shown(command).term_width(80);
    command.build();
    let root = command.get_name().to_owned();
    add_command(&mut page, &mut command, &root);
    page
}

/// The help of a command and of all commands below it, for a test that checks each line.
pub fn help_of(command: clap::Command) -> String {
    fn add(command: &mut clap::Command, pages: &mut Vec<String>) {
        pages.push(command.render_long_help().to_string());
        for inner in command.get_subcommands_mut() {
            add(inner, pages);
        }
    }
    let mut command = as_shown(command).term_width(80);
    command.build();
    let mut pages = Vec::new();
    add(&mut command, &mut pages);
    pages.join("\n----------\n\n")
}

fn add_command(page: &mut String, command: &mut clap::Command, root: &str) {
    let name = command.get_bin_name().unwrap_or(root).to_owned();
    let is_root = name == root;
    let help = command.render_help().to_string();
    let lines = help.lines().map(str::trim_end).collect::<Vec<_>>();
    let help = lines.join("\n");
    let sections = help.split("\n\n");
    let sections = sections.filter(|it| is_root || !it.starts_with("Global options:"));
    let help = sections.collect::<Vec<_>>().join("\n\n");
    write!(page, "\n## `{name}`\n\n```text\n{}\n```\n", help.trim_end()).unwrap();
    for inner in command.get_subcommands_mut() {
        add_command(page, inner, root);
    }
}
