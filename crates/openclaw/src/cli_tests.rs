//! The arguments, and what the help says of them at 80 columns.
//!
//! Pins every page of help.

use super::*;

fn help_of(command: &mut clap::Command, pages: &mut Vec<String>) {
    pages.push(command.render_long_help().to_string());
    for inner in command.get_subcommands_mut() {
        help_of(inner, pages);
    }
}

#[test]
fn the_tree_holds_together() {
    command().debug_assert();
}

#[test]
fn help_fits_80_columns() {
    let mut command = command().term_width(80);
    command.build();
    let mut pages = Vec::new();
    help_of(&mut command, &mut pages);
    let help = pages.join("\n----------\n\n");
    for line in help.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    insta::assert_snapshot!("help", help);
}

#[test]
fn a_cache_or_a_fleet_without_room_is_refused() {
    for option in ["--cache-size", "--open"] {
        let of = |value| {
            let line = format!("openclaw serve --homes file:///h --tokens t {option} {value}");
            parse(&line.split(' ').map(OsString::from).collect::<Vec<_>>())
        };
        assert!(of("0").is_err() && of("1").is_ok(), "{option}");
    }
}

#[test]
fn an_assignment_keeps_all_after_the_first_equals_sign() {
    let assignment = |text| parse_assignment(text).map(|one| (one.key, one.value));
    assert_eq!(assignment("a.b=c=d"), Ok(("a.b".into(), "c=d".into())));
    assert_eq!(assignment("a.b="), Ok(("a.b".into(), String::new())));
    assert!(assignment("=c").is_err_and(|error| error.contains("KEY.PATH=VALUE")));
}
