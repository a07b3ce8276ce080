//! The part of the workspace that a prompt shows, character for character.

use super::*;
use crate::workspace_kit::workspace_with;

fn name(text: &str) -> WorkspacePath {
    WorkspacePath::known(text)
}

#[test]
fn prompt_files_are_standing_files_in_fixed_order() {
    let workspace = workspace_with(&[
        ("MEMORY.md", b"likes tea"),
        ("AGENTS.md", b"\xef\xbb\xbfwork"),
        ("SOUL.md", b" \n"),
        ("HEARTBEAT.md", b"check"),
        ("DREAMS.md", b"dream"),
    ]);
    let file = |text: &str, path, n_bytes, audience| PromptFile {
        name: name(path),
        text: text.into(),
        unapproved: String::new(),
        n_bytes,
        is_cut: false,
        audience,
    };
    assert_eq!(
        workspace.prompt_files().unwrap(),
        [
            file("work", "AGENTS.md", 7, Audience::EverySession),
            file("check", "HEARTBEAT.md", 5, Audience::EverySession),
            file("likes tea", "MEMORY.md", 9, Audience::PrimarySession),
        ]
    );
    assert_eq!(workspace_with(&[]).prompt_files().unwrap(), []);
}

#[test]
fn long_prompt_file_is_cut_with_note() {
    for (unit, n_units) in [("a", 20_001), ("é", 20_001), ("🙂", 50_000)] {
        let whole = unit.repeat(n_units);
        let workspace = workspace_with(&[("USER.md", whole.as_bytes())]);
        let file = workspace.prompt_files().unwrap().remove(0);
        let shown = unit.repeat(19_880);
        let (n_bytes, n_hidden) = (whole.len(), whole.len() - shown.len());
        let expected = PromptFile {
            name: name("USER.md"),
            text: format!("{shown}\n[{n_hidden} of {n_bytes} bytes of USER.md are not shown]\n"),
            unapproved: String::new(),
            n_bytes: n_bytes as u64,
            is_cut: true,
            audience: Audience::PrimarySession,
        };
        assert!(file == expected, "{unit}");
        assert!(file.text.chars().count() <= PROMPT_FILE_CHARS_MAX);
    }
    let exact = "é".repeat(PROMPT_FILE_CHARS_MAX);
    let workspace = workspace_with(&[("USER.md", exact.as_bytes())]);
    let file = workspace.prompt_files().unwrap().remove(0);
    assert!(file.text == exact && !file.is_cut);
}

#[test]
fn bytes_that_are_not_utf8_leave_rest_of_file_readable() {
    let check = |bytes: &[u8], expected: &str| {
        let files = workspace_with(&[("SOUL.md", bytes)])
            .prompt_files()
            .unwrap();
        let shown: Vec<_> = files.iter().map(|file| file.text.as_str()).collect();
        assert_eq!(shown, [expected]);
    };
    check(b"one\ntwo caf\xe9\nthree", "one\ntwo caf\u{fffd}\nthree");
    // UTF-16 without its zeros is readable where the letters are Latin.
    check(b"\xff\xfeo\0n\0e\0", "\u{fffd}\u{fffd}one");
    check(b"one\n\xf0\x9f", "one\n\u{fffd}");
}

fn logs(files: &[(&str, &[u8])], max: u64) -> Vec<(String, String)> {
    let today = "2026-04-20".parse().unwrap();
    let logs = workspace_with(files)
        .recent_logs(today, TokenCount(max))
        .unwrap();
    logs.into_iter()
        .map(|log| {
            assert_eq!(log.name.as_str(), format!("memory/{}.md", log.day));
            assert_eq!(log.is_cut, log.text.starts_with("[the earlier"));
            assert_eq!(log.lines.len(), log.text.lines().count());
            (log.day.to_string(), log.text)
        })
        .collect()
}

fn shown(day: &str, text: &str) -> (String, String) {
    (day.into(), text.into())
}

#[test]
fn i12_recent_logs_are_yesterdays_and_todays_without_comments() {
    let today = b"# 2026-04-20\n\n<!-- flush session=s epoch=0 span=a..b -->\n- tea <!-- n:1 e: h:00000000 o:agent -->\n<!-- /flush 00000000 -->\n";
    let files: [(&str, &[u8]); 3] = [
        ("memory/2026-04-18.md", b"older"),
        ("memory/2026-04-19.md", b"half a \xf0\x9f"),
        ("memory/2026-04-20.md", today),
    ];
    assert_eq!(
        logs(&files, 1_000),
        [
            shown("2026-04-19", "half a \u{fffd}"),
            shown("2026-04-20", "# 2026-04-20\n\n\n- tea\n\n"),
        ]
    );
    assert_eq!(logs(&files[..1], 1_000), []);
}

#[test]
fn recent_logs_beyond_budget_keep_newest_lines() {
    let lines = |word: &str, n_lines: usize| format!("{word}\n").repeat(n_lines);
    let (yesterday, today) = (lines("yesterday é", 100), lines("today é", 100));
    let files: [(&str, &[u8]); 2] = [
        ("memory/2026-04-19.md", yesterday.as_bytes()),
        ("memory/2026-04-20.md", today.as_bytes()),
    ];
    let cut = |day: &str| format!("[the earlier part of memory/{day}.md is not shown]\n");
    let both = [
        shown(
            "2026-04-19",
            &(cut("2026-04-19") + &lines("yesterday é", 18)),
        ),
        shown("2026-04-20", &today),
    ];
    assert_eq!(logs(&files, 330), both);
    let one = [shown(
        "2026-04-20",
        &(cut("2026-04-20") + &lines("today é", 15)),
    )];
    assert_eq!(logs(&files, 75), one);
    assert_eq!(logs(&files, 30), []);
    for max in 0..700 {
        let shown = logs(&files, max);
        let tokens: TokenCount = shown.iter().map(|log| estimate_text(&log.1)).sum();
        assert!(tokens <= TokenCount(max), "{tokens} of {max}");
    }
}

#[test]
fn i6_recent_logs_in_any_script_fit_budget() {
    let today = "\u{65e5}\u{8a18}\u{1f642}\n".repeat(500);
    let shown = logs(&[("memory/2026-04-20.md", today.as_bytes())], 200);
    let tokens: TokenCount = shown.iter().map(|log| estimate_text(&log.1)).sum();
    assert!(
        tokens > TokenCount(150) && tokens <= TokenCount(200),
        "{tokens}"
    );
}

#[test]
fn unfilled_form_lines_are_not_shown() {
    let form = include_str!("../../../workspace-template/USER.md");
    let memory = include_str!("../../../workspace-template/MEMORY.md");
    let shown = |user: &str| {
        let files = [
            ("USER.md", user.as_bytes()),
            ("MEMORY.md", memory.as_bytes()),
        ];
        let files = workspace_with(&files).prompt_files().unwrap();
        files.into_iter().map(|file| file.text).collect::<Vec<_>>()
    };
    assert_eq!(shown(form), Vec::<String>::new());
    let filled = form.replace("- Name:", "- Name: Kim");
    let texts = shown(&filled);
    assert_eq!(texts.len(), 1);
    let lines: Vec<&str> = texts[0].lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(lines, ["# About the owner", "- Name: Kim"]);
}

#[test]
fn prompt_file_separates_unapproved_lines() {
    let hash = base::short_hash;
    let line = |text: &str, origin: &str| {
        let hash = hash(text);
        format!("- {text} <!-- n:{hash} e: h:{hash} o:{origin} d:2026-03-01 -->\n")
    };
    let (said, assumed) = (line("likes tea", "owner"), line("likes jazz", "agent"));
    let memory = format!("# Long-term memory\n\n{said}{assumed}- by hand\n");
    let files = workspace_with(&[("MEMORY.md", memory.as_bytes())]);
    let file = files.prompt_files().unwrap().remove(0);
    assert_eq!(file.text, "# Long-term memory\n\n- likes tea\n- by hand\n");
    assert_eq!(file.unapproved, "- likes jazz\n");
}

#[test]
fn recent_log_names_origin_and_entries_of_each_line() {
    let hash = base::short_hash("tea");
    let note = format!("- tea <!-- n:1 e:a3 h:{hash} o:untrusted -->");
    let log = format!("# 2026-04-20\n\n{note}\n- mine\n");
    let files = workspace_with(&[("memory/2026-04-20.md", log.as_bytes())]);
    let logs = files.recent_logs("2026-04-20".parse().unwrap(), TokenCount(1_000));
    let lines = &logs.unwrap()[0].lines;
    let mut origins = [Origin::Owner; 4];
    origins[2] = Origin::Untrusted;
    assert_eq!(
        lines.iter().map(|it| it.origin).collect::<Vec<_>>(),
        origins
    );
    assert_eq!(lines[2].entries, [base::EntryId::new("a3".to_owned())]);
    assert_eq!(lines[3].entries, []);
}
