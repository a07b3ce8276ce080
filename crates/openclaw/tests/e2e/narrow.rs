//! Text for people at a terminal wraps between words at any width.
//!
//! Lines of the owner's documents are printed as they are, and are not checked here.

use testkit::{TestHome, conversation, to_jsonl};

use crate::terminal::Terminal;

/// A home in which every command below has something to print.
fn home() -> TestHome {
    let home = TestHome::init();
    home.replay("talk", to_jsonl(&conversation(1, 12)));
    let talk = home.read("sessions/talk.jsonl");
    home.write("sessions/bad.jsonl", format!("{talk}no JSON at all\n"));
    home
}

const NOTE: &str = "The piano is tuned by Mrs Oliveira on the first Monday of each quarter";

#[test]
fn command_output_fits_40_and_80_columns() {
    let home = home();
    for arguments in [
        &["memory", "add", NOTE][..],
        &["memory", "add", NOTE],
        &["memory", "index"],
        &["memory", "status"],
        &["memory", "search", "who tunes the piano"],
        &["memory", "search", "who tunes the piano", "--explain"],
        &["memory", "search", "who tunes the piano", "--budget", "1"],
        &["memory", "forget", "--dry-run", "piano"],
        &["session", "list"],
        &["session", "show", "talk"],
        &["session", "verify"],
        &["session", "delete", "talk"],
        &["dream", "--now", "--dry-run"],
        &["dream", "list"],
        &["doctor"],
        &["config", "set", "compaction.contextWindow", "64000"],
        &["config", "unset", "compaction.contextWindow"],
        &["config", "get", "compaction.contextWindo"],
        &["chat", "-m", "Who tunes the piano?"],
        &["session", "show", "tlk"],
    ] {
        for columns in [40, 80] {
            let shown = Terminal::sized(home.command(arguments), columns).rest();
            let lines = shown.lines().map(plain);
            let is_broken =
                |line: &String| line.chars().count() > usize::from(columns) && has_gap(line);
            let broken: Vec<String> = lines.filter(is_broken).collect();
            assert_eq!(broken, [""; 0], "{arguments:?} in {columns}:\n{shown}");
        }
    }
}

/// A line without what colours it.
fn plain(line: &str) -> String {
    let colour = regex::Regex::new("\u{1b}\\[[0-9;]*m").unwrap();
    colour.replace_all(line, "").trim_end().to_owned()
}

/// A word alone cannot be broken, nor can a command in backticks.
fn has_gap(line: &str) -> bool {
    let command = regex::Regex::new("`[^`]*`").unwrap();
    let line = command.replace_all(line, "command");
    line.split_whitespace().count() > 1
}
