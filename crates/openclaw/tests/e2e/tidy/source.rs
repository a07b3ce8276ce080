//! The files of the project as the tidy rules see them: code, comments and strings told apart.
//!
//! Knows no rule.

use std::path::{Path, PathBuf};

use base::disk::{Disk, OsDisk, read_all};

/// Longest file that is read; nothing in the project comes near it.
const FILE_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// A Rust source file.
#[derive(Debug)]
pub(super) struct Source {
    /// Relative to the root of the project, with `/`.
    pub path: String,
    /// The file as it is.
    pub text: String,
    /// The file with comments and the insides of strings blanked.
    pub code: String,
    /// The file with everything but comments blanked.
    pub comments: String,
}

impl Source {
    pub(super) fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        let (path, text) = (path.into(), text.into());
        let (code, comments) = split(&text);
        Self {
            path,
            text,
            code,
            comments,
        }
    }

    /// Whether the whole file is test code.
    pub(super) fn is_test(&self) -> bool {
        self.path.contains("/tests/")
            || self.path.starts_with("crates/testkit/")
            || self.path.ends_with("_tests.rs")
    }

    /// The number of lines before an inline test module; all of them where there is none.
    pub(super) fn n_production_lines(&self) -> usize {
        let lines: Vec<&str> = self.code.lines().map(str::trim).collect();
        let begins_tests = |pair: &[&str]| {
            pair[0] == "#[cfg(test)]" && pair[1].starts_with("mod ") && pair[1].ends_with('{')
        };
        lines
            .windows(2)
            .position(begins_tests)
            .unwrap_or(lines.len())
    }

    pub(super) fn folder(&self) -> &str {
        self.path.rsplit_once('/').map_or("", |split| split.0)
    }

    pub(super) fn file_name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }
}

/// The root of the project.
pub(super) fn root() -> PathBuf {
    let member = Path::new(env!("CARGO_MANIFEST_DIR"));
    member.parent().unwrap().parent().unwrap().to_owned()
}

/// Every text file of the project with its path, sorted; what git ignores is left out, and weights,
/// which are no text.
pub(super) fn project_files() -> Vec<(String, String)> {
    let ignored = ignored_names(&read(&root().join(".gitignore")));
    let mut files = Vec::new();
    walk(&root(), Path::new(""), &ignored, &mut files);
    files
}

/// Every Rust file of the project.
pub(super) fn sources() -> Vec<Source> {
    project_files()
        .into_iter()
        .filter(|(path, _)| has_extension(path, "rs"))
        .map(|(path, text)| Source::new(path, text))
        .collect()
}

pub(super) fn has_extension(path: &str, extension: &str) -> bool {
    Path::new(path)
        .extension()
        .is_some_and(|found| found == extension)
}

fn ignored_names(gitignore: &str) -> Vec<PathBuf> {
    let names = gitignore
        .lines()
        .filter_map(|line| line.strip_prefix('/'))
        .map(|name| PathBuf::from(name.trim_end_matches('/')));
    std::iter::once(PathBuf::from(".git"))
        .chain(names)
        .collect()
}

fn walk(root: &Path, below: &Path, ignored: &[PathBuf], files: &mut Vec<(String, String)>) {
    for name in OsDisk.list(&root.join(below)).unwrap() {
        let path = below.join(name);
        if ignored.contains(&path) {
            continue;
        }
        let full = root.join(&path);
        if OsDisk.stat(&full).unwrap().is_some_and(|stat| stat.is_dir) {
            walk(root, &path, ignored, files);
        } else if !has_extension(path.to_str().unwrap(), "bin") {
            files.push((path.to_str().unwrap().to_owned(), read(&full)));
        }
    }
}

fn read(path: &Path) -> String {
    let bytes = read_all(&OsDisk, path, FILE_BYTES_MAX).unwrap();
    // Fixtures hold damaged text on purpose.
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Parts a Rust file into code and comments, each with the other blanked and every line in its place.
fn split(text: &str) -> (String, String) {
    let mut splitter = Splitter {
        rest: text,
        code: String::with_capacity(text.len()),
        comments: String::new(),
    };
    while !splitter.rest.is_empty() {
        splitter.step();
    }
    (splitter.code, splitter.comments)
}

struct Splitter<'a> {
    rest: &'a str,
    code: String,
    comments: String,
}

impl Splitter<'_> {
    fn step(&mut self) {
        if self.rest.starts_with("//") {
            let len = self.rest.find('\n').unwrap_or(self.rest.len());
            self.comment(len);
        } else if self.rest.starts_with("/*") {
            self.comment(block_comment_len(self.rest));
        } else if let Some(len) = string_len(self.rest, self.code.chars().last()) {
            self.string(len);
        } else {
            let len = self.rest.chars().next().map_or(0, char::len_utf8);
            let taken = self.take(len);
            self.code.push_str(&taken);
            self.comments.push_str(&blank(&taken));
        }
    }

    fn comment(&mut self, len: usize) {
        let taken = self.take(len);
        self.code.push_str(&blank(&taken));
        self.comments.push_str(&taken);
    }

    fn string(&mut self, len: usize) {
        let taken = self.take(len);
        let ends = (taken.chars().next(), taken.chars().last());
        let inside = taken.chars().count().saturating_sub(2);
        self.code.extend(ends.0);
        self.code
            .extend(taken.chars().skip(1).take(inside).map(blank_char));
        self.code.extend(ends.1);
        self.comments.push_str(&blank(&taken));
    }

    fn take(&mut self, len: usize) -> String {
        let (taken, rest) = self.rest.split_at(len);
        self.rest = rest;
        taken.to_owned()
    }
}

fn blank(text: &str) -> String {
    text.chars().map(blank_char).collect()
}

fn blank_char(character: char) -> char {
    if character == '\n' { '\n' } else { ' ' }
}

fn block_comment_len(text: &str) -> usize {
    let (mut depth, mut at) = (0_u32, 0);
    while let Some(rest) = text.get(at..) {
        if rest.starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if rest.starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

/// The length of the string or character literal at the beginning of `text`, if there is one.
fn string_len(text: &str, before: Option<char>) -> Option<usize> {
    let after_word = before.is_some_and(|before| before.is_alphanumeric() || before == '_');
    if text.starts_with('"') {
        return Some(quoted_len(text, '"'));
    }
    let may_be_raw = !after_word || matches!(before, Some('b' | 'c'));
    if let Some(after_r) = text.strip_prefix('r')
        && may_be_raw
    {
        let after_hashes = after_r.trim_start_matches('#');
        let n_hashes = after_r.len() - after_hashes.len();
        if let Some(inside) = after_hashes.strip_prefix('"') {
            let end = format!("\"{}", "#".repeat(n_hashes));
            let inside_len = inside
                .find(&end)
                .map_or(inside.len(), |len| len + end.len());
            return Some(text.len() - inside.len() + inside_len);
        }
    }
    let mut characters = text.chars();
    let first_three = (characters.next(), characters.next(), characters.next());
    match first_three {
        (Some('\''), Some('\\'), _) => Some(quoted_len(text, '\'')),
        // A lifetime has no closing quote.
        (Some('\''), Some(inside), Some('\'')) => Some(inside.len_utf8() + 2),
        _ => None,
    }
}

fn quoted_len(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        if is_escaped {
            is_escaped = false;
        } else if character == '\\' {
            is_escaped = true;
        } else if character == quote {
            return at + 1;
        }
    }
    text.len()
}
