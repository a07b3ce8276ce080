//! What the notes say of the owner, in which order and how much of it.

use crate::workspace_sample::workspace_with;

fn known(files: &[(&str, &[u8])]) -> Vec<String> {
    let found = workspace_with(files).about_owner().unwrap().found;
    let line = |it: &crate::SearchResult| {
        let day = it.day.map(|day| day.to_string()).unwrap_or_default();
        format!("{}:{} {day} {}", it.path, it.start_line, it.text)
    };
    found.iter().map(line).collect()
}

#[test]
fn the_files_about_the_owner_come_before_the_latest_notes() {
    let user = include_str!("../../../workspace-template/USER.md").replace("Name:", "Name: Kim");
    let facts: Vec<String> = (1..=45)
        .map(|number| format!("- fact {number}\n"))
        .collect();
    let long = format!("# Long\n\n{}", facts.concat());
    let found = known(&[
        ("USER.md", user.as_bytes()),
        (
            "MEMORY.md",
            b"# Long-term memory\n\n## People\n\n- Ann is the sister\n",
        ),
        ("SOUL.md", b"- Be brief.\n"),
        ("memory/2026-03-01.md", b"# 2026-03-01\n\n- packed\n"),
        (
            "memory/2026-03-02.md",
            b"# 2026-03-02\n\n- left\n- arrived\n",
        ),
    ]);
    let expected = [
        "USER.md:5  - Name: Kim",
        "MEMORY.md:5  - Ann is the sister",
        "memory/2026-03-02.md:3 2026-03-02 - left",
        "memory/2026-03-02.md:4 2026-03-02 - arrived",
        "memory/2026-03-01.md:3 2026-03-01 - packed",
    ];
    assert_eq!(found, expected);
    let bounded = known(&[
        ("MEMORY.md", long.as_bytes()),
        ("memory/2026-03-02.md", long.as_bytes()),
    ]);
    let (first, last) = (
        &bounded[..super::OF_FILE_MAX],
        &bounded[super::OF_FILE_MAX..],
    );
    assert_eq!(first.first().unwrap(), "MEMORY.md:8  - fact 6");
    assert_eq!(first.last().unwrap(), "MEMORY.md:47  - fact 45");
    assert_eq!(last.len(), super::OF_LOGS_MAX);
    assert_eq!(
        last.last().unwrap(),
        "memory/2026-03-02.md:47 2026-03-02 - fact 45"
    );
}

#[test]
fn of_a_long_file_it_is_known_how_much_is_left_out() {
    let facts: Vec<String> = (1..=super::OF_FILE_MAX + 11)
        .map(|number| format!("- fact {number}\n"))
        .collect();
    let facts = facts.concat();
    let found = workspace_with(&[
        ("MEMORY.md", facts.as_bytes()),
        ("USER.md", b"- Name: Kim\n"),
        ("memory/2026-03-01.md", b"- packed\n- left\n"),
        ("memory/2026-03-02.md", facts.as_bytes()),
    ]);
    let left_out = found.about_owner().unwrap().left_out;
    let n_of = |path: &str| {
        let own = left_out.iter().filter(|(of, _)| of == path);
        own.map(|(_, n_passages)| n_passages).sum::<usize>()
    };
    let n_of_log = super::OF_FILE_MAX + 11 - super::OF_LOGS_MAX;
    assert_eq!(n_of("MEMORY.md"), 11);
    assert_eq!(n_of("memory/2026-03-02.md"), n_of_log);
    assert_eq!(n_of("memory/2026-03-01.md"), 2);
}

#[test]
fn of_old_logs_the_items_are_counted() {
    let days: Vec<String> = (1..=super::LOGS_MAX + 1)
        .map(|number| format!("memory/2026-03-0{number}.md"))
        .collect();
    let text = b"# Day\n\n## 10:00\n\n- packed\n- left\n";
    let files: Vec<(&str, &[u8])> = days.iter().map(|day| (day.as_str(), &text[..])).collect();
    let about = workspace_with(&files).about_owner().unwrap();
    assert_eq!(about.found.len(), super::LOGS_MAX * 2);
    assert_eq!(about.left_out, [("memory/2026-03-01.md".to_owned(), 2)]);
}

#[test]
fn what_was_not_filled_in_says_nothing() {
    let user = include_bytes!("../../../workspace-template/USER.md");
    let memory = include_bytes!("../../../workspace-template/MEMORY.md");
    let found = known(&[("USER.md", user), ("MEMORY.md", memory)]);
    assert_eq!(found, Vec::<String>::new());
}
