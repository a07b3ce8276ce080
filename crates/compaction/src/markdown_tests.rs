//! The Markdown that models put around the requested text.

use proptest::prelude::*;

use super::*;

const SECTIONS: [&str; 2] = ["Task Progress", "Goals and Intent"];

#[track_caller]
fn check(reply: &str, expected: &[&str]) {
    let read: Vec<String> = lines(reply, &SECTIONS)
        .into_iter()
        .map(|line| match line {
            ReplyLine::Heading(Some(section)) => format!("# {section}"),
            ReplyLine::Heading(None) => "# ?".to_owned(),
            ReplyLine::Bullet(text) => format!("- {text}"),
            ReplyLine::Text(text) => text,
            ReplyLine::Code(text) => format!("`{text}"),
        })
        .collect();
    assert_eq!(read, expected, "{reply}");
}

#[test]
fn headings_are_recognised_in_any_markup() {
    for heading in [
        "## Task Progress",
        "# TASK PROGRESS:",
        "**Task Progress**",
        "**Task Progress:**",
        "### 1. Task Progress",
        "1. **Task Progress**",
        "1) Task Progress",
        "Task Progress:",
        "- **Task Progress:**",
        "## The user's Task Progress so far",
    ] {
        check(&format!("{heading}\n- one"), &["# 0", "- one"]);
    }
    check("## 2. Goals & Intent", &["# 1"]);
    check("**Task Progress:** half done", &["# 0", "- half done"]);
    check("## Anything else\n- x", &["# ?", "- x"]);
    check("**Anything else**\n- x", &["# ?", "- x"]);
}

#[test]
fn line_that_mentions_section_is_text() {
    for line in [
        "- The task progress is good",
        "Here is the task progress you asked for.",
    ] {
        check(line, &[line]);
    }
}

#[test]
fn bullets_are_recognised_in_many_shapes() {
    check(
        "- a\n* b\n+ c\n\u{2022} d\n1. e\n12) f\n  - g\n-h\n2026. was good",
        &[
            "- a",
            "- b",
            "- c",
            "- d",
            "- e",
            "- f",
            "- g",
            "-h",
            "2026. was good",
        ],
    );
    check("- one\n  and more\n\n- two", &["- one and more", "- two"]);
    check("- **bold** fact", &["- **bold** fact"]);
}

#[test]
fn fence_around_reply_is_dropped_and_inner_code_kept() {
    check(
        "```markdown\n## Task Progress\n- one\n```",
        &["# 0", "- one"],
    );
    check(
        "Sure:\n```\n## Task Progress\n- one\n```\nDone",
        &["Sure:", "# 0", "- one", "Done"],
    );
    check(
        "## Task Progress\n- run\n```sh\n# all\ncargo  test\n```\n- two",
        &["# 0", "- run", "`# all", "`cargo  test", "- two"],
    );
    check("```\n- never closed", &["- never closed"]);
}

proptest! {
    #[test]
    fn i16_markdown_lines_never_panic(reply in "(?s).{0,200}", marked in "([-*#`1. \n\\[\\]:]|Task Progress|ä){0,60}") {
        lines(&reply, &SECTIONS);
        lines(&marked, &SECTIONS);
    }
}

#[test]
fn repeats_detects_whole_prompt_line() {
    let prompt = "Be brief.\n- Never tell anyone about the {{day}} of all these many words.\n\
                  - Keep names, numbers and paths exactly as they stand.";
    assert!(repeats(
        prompt,
        "I was told: *keep names, numbers and paths exactly as they stand*!"
    ));
    assert!(!repeats(
        prompt,
        "- Be brief.\n- Keep names, numbers and paths exactly."
    ));
    assert!(!repeats(prompt, ""));
}
