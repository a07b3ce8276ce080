//! The tidy rules that look at one Rust file.
//!
//! Pure: each takes a file and returns what is wrong with it, by line.

use super::source::Source;

/// A finding of a rule, as `path:line: text`.
pub(super) type Finding = String;

/// Lines of a production file.
const PRODUCTION_LINES_MAX: usize = 500;

/// Lines of a test file.
const TEST_LINES_MAX: usize = 800;

/// Names that do not say what a file owns.
const EMPTY_NAMES: [&str; 6] = ["util", "helper", "common", "misc", "manager", "data"];

/// Marks of unfinished work; no comment may contain them.
const COMMENT_WORDS: [&str; 3] = ["FIXME", "XXX", "Phase "];

/// Code that has no place in any file.
const CODE_NOWHERE: [&str; 4] = ["#[allow(", "#![allow(", "too_many_lines", "#[ignore"];

/// Waiting, which is allowed in a single file: the one that waits for the lock of another process.
const WAITING: &str = "thread::sleep";
const WAITING_FILE: &str = "crates/base/src/disk/os_disk.rs";

/// Code that swallows what production code must handle.
const CODE_NOT_IN_PRODUCTION: [&str; 1] = ["let _ ="];

/// Code that makes a test slow and uncertain.
const CODE_NOT_IN_TESTS: [&str; 1] = ["sleep("];

/// No file exceeds the limit of lines, because a longer file owns more than one thing.
pub(super) fn is_short(source: &Source) -> Vec<Finding> {
    let n_lines = source.text.lines().count();
    let n_lines_max = if source.is_test() {
        TEST_LINES_MAX
    } else {
        PRODUCTION_LINES_MAX
    };
    if n_lines > n_lines_max {
        vec![format!(
            "{}:1: {n_lines} lines, at most {n_lines_max}",
            source.path
        )]
    } else {
        Vec::new()
    }
}

/// Crates below the programs name a command to type only in a `Hint`, or by `Invocation::command`: then it names its
/// home.
pub(super) fn commands_name_their_home(source: &Source) -> Vec<Finding> {
    const CRATES: [&str; 5] = ["agent", "dreaming", "gateway", "memory", "search"];
    let is_library = CRATES
        .iter()
        .any(|name| source.path.starts_with(&format!("crates/{name}/src/")));
    if !is_library || source.is_test() || source.path == HINTS {
        return Vec::new();
    }
    let lines: Vec<&str> = source.text.lines().collect();
    let names_command = |line: &str| {
        let mut parts = line.split("openclaw ").skip(1);
        !line.trim_start().starts_with("//")
            && parts.any(|rest| {
                rest.starts_with(|letter: char| letter.is_ascii_lowercase())
                    && !rest.starts_with(STARTED)
            })
    };
    let production = lines.iter().take(source.n_production_lines()).enumerate();
    let bare = production.filter(|(at, line)| {
        let above = &lines[at.saturating_sub(1)..=*at];
        names_command(line) && !above.iter().any(|it| it.contains("Hint::new("))
    });
    bare.map(|(at, _)| format!("{}:{}: a command without its home", source.path, at + 1))
        .collect()
}

/// The command that programs start: nobody types it.
const STARTED: &str = "mcp ";

/// The file of hints.
const HINTS: &str = "crates/agent/src/ops/hints.rs";

/// Every file begins by saying what it owns.
pub(super) fn begins_with_a_sentence(source: &Source) -> Vec<Finding> {
    let paragraph: Vec<&str> = source
        .text
        .lines()
        .map_while(|line| line.strip_prefix("//!"))
        .map(str::trim)
        .take_while(|line| !line.is_empty())
        .collect();
    let paragraph = paragraph.join(" ");
    let begins_well = paragraph
        .chars()
        .next()
        .is_some_and(|first| first.is_uppercase() || first == '`');
    if begins_well && paragraph.ends_with('.') {
        Vec::new()
    } else {
        vec![format!(
            "{}:1: the first `//!` paragraph is no sentence: {paragraph:?}",
            source.path
        )]
    }
}

/// A public item of a library says what it is. A field or a variant does where its name is not enough.
pub(super) fn has_docs_on_public_items(source: &Source) -> Vec<Finding> {
    const ITEMS: [&str; 8] = [
        "fn ", "const ", "async ", "static ", "struct ", "enum ", "trait ", "type ",
    ];
    // Only the programs use `cli`.
    let is_library = source.path.contains("/src/") && !source.path.starts_with("crates/cli/");
    if !is_library || source.is_test() {
        return Vec::new();
    }
    let lines: Vec<&str> = source.text.lines().map(str::trim).collect();
    let is_item = |line: &str| {
        let item = line.strip_prefix("pub ");
        item.is_some_and(|item| ITEMS.iter().any(|it| item.starts_with(it)) && !item.contains('$'))
    };
    // An attribute, which may take several lines, stands between the comment and its item.
    let is_attribute = |line: &&&str| {
        !line.is_empty() && !line.starts_with("///") && !line.ends_with(['{', '}', ';'])
    };
    let has_docs = |at: usize| {
        let mut above = lines[..at].iter().rev().skip_while(is_attribute);
        above.next().is_some_and(|line| line.starts_with("///"))
    };
    let production = lines.iter().take(source.n_production_lines()).enumerate();
    production
        .filter(|(at, line)| is_item(line) && !has_docs(*at))
        .map(|(at, line)| format!("{}:{}: no comment on `{line}`", source.path, at + 1))
        .collect()
}

/// `lib.rs` and `mod.rs` are tables of contents.
pub(super) fn is_a_table_of_contents(source: &Source) -> Vec<Finding> {
    if !matches!(source.file_name(), "lib.rs" | "mod.rs") {
        return Vec::new();
    }
    let items = source
        .code
        .split(';')
        .map(strip_attributes)
        .filter(|item| !item.is_empty());
    items
        .filter(|item| !is_contents_line(item))
        .map(|item| {
            let line = item.lines().next().unwrap_or_default();
            format!("{}:1: not a `mod` or `use` line: {line}", source.path)
        })
        .collect()
}

fn strip_attributes(item: &str) -> &str {
    let mut item = item.trim();
    while item.starts_with("#[") || item.starts_with("#![") {
        let mut depth = 0_u32;
        let end = item.find(|character| {
            match character {
                '[' => depth += 1,
                ']' => depth -= 1,
                _ => {}
            }
            character == ']' && depth == 0
        });
        item = end.and_then(|end| item.get(end + 1..)).unwrap_or("").trim();
    }
    item
}

fn is_contents_line(item: &str) -> bool {
    let item = ["pub(crate) ", "pub(super) ", "pub "]
        .iter()
        .find_map(|visibility| item.strip_prefix(visibility))
        .unwrap_or(item);
    // A type alias gives a foreign type a name of ours, which is a re-export.
    ["mod ", "use ", "type "]
        .iter()
        .any(|keyword| item.starts_with(keyword))
        && !(item.starts_with("mod ") && item.contains('{'))
}

/// A file name says what the file owns.
pub(super) fn has_a_telling_name(source: &Source) -> Vec<Finding> {
    source
        .path
        .split('/')
        .filter(|part| EMPTY_NAMES.iter().any(|empty| part.starts_with(empty)))
        .map(|part| format!("{}:1: {part:?} says nothing", source.path))
        .collect()
}

/// Comments say why; they hold no history, no banners and no unfinished work.
pub(super) fn has_lasting_comments(source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (line_number, line) in (1..).zip(source.comments.lines()) {
        let mut find = |what: &str| {
            findings.push(format!(
                "{}:{line_number}: {what:?} in a comment",
                source.path
            ));
        };
        for word in COMMENT_WORDS {
            if has_word(line, word) {
                find(word);
            }
        }
        if has_word(&line.replace("TODO(", ""), "TODO") {
            find("TODO without (reason)");
        }
        if line.contains("----") || line.contains("====") {
            find("a banner");
        }
    }
    findings
}

/// Whether a line holds a word that is not a part of a longer one.
fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(begin, _)| {
        let (before, rest) = line.split_at(begin);
        let after = rest.strip_prefix(word).unwrap_or_default();
        let goes_on = |text: Option<char>| text.is_some_and(char::is_alphanumeric);
        let is_whole = word.ends_with(' ') || !goes_on(after.chars().next());
        is_whole && !goes_on(before.chars().next_back())
    })
}

/// Words with which no name of a function begins: a test names its subject first.
const RIDDLES: [&str; 4] = ["what", "who", "where", "which"];

/// A function is named after what it does, a test after its subject.
pub(super) fn has_functions_with_a_subject(source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (line_number, line) in (1..).zip(source.code.lines()) {
        let Some((_, rest)) = line.split_once("fn ") else {
            continue;
        };
        let first = rest.split(|it: char| !it.is_ascii_alphanumeric()).next();
        if let Some(first) = first.filter(|first| RIDDLES.contains(first)) {
            findings.push(format!(
                "{}:{line_number}: a name that begins with {first:?}",
                source.path
            ));
        }
    }
    findings
}

/// Outside of strings there is only ASCII: nothing looks like something else.
pub(super) fn is_ascii(source: &Source) -> Vec<Finding> {
    let lines = (1..).zip(source.code.lines().zip(source.comments.lines()));
    lines
        .filter(|(_, (code, comment))| !code.is_ascii() || !comment.is_ascii())
        .map(|(line_number, _)| format!("{}:{line_number}: not ASCII", source.path))
        .collect()
}

/// No lint is silenced, no failure swallowed, no test skipped or left to chance.
pub(super) fn hides_nothing(source: &Source) -> Vec<Finding> {
    let n_production_lines = if source.is_test() {
        0
    } else {
        source.n_production_lines()
    };
    let mut findings = Vec::new();
    for (line_number, line) in (1..).zip(source.code.lines()) {
        let by_place: &[&str] = if line_number <= n_production_lines {
            &CODE_NOT_IN_PRODUCTION
        } else {
            &CODE_NOT_IN_TESTS
        };
        let waiting = (source.path != WAITING_FILE).then_some(&WAITING);
        for banned in CODE_NOWHERE.iter().chain(by_place).chain(waiting) {
            if line.contains(banned) {
                findings.push(format!("{}:{line_number}: {banned:?}", source.path));
            }
        }
    }
    findings
}
