//! The files of the project as the tidy rules see them: with code, comments and strings separated.
//!
//! Independent of the rules.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use base::disk::{Disk, OsDisk, read_all};
use regex::Regex;

/// Longest file that is read; no file of the project comes near it.
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

    /// The number of lines before an inline test module; all of them if there is none.
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

/// Every text file of the project with its path, sorted; files that git ignores are left out, and so are weights,
/// because they are not text.
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

/// A comment, a string or a character: what may hold any text.
static TOKEN: LazyLock<Regex> = LazyLock::new(|| {
    let raw = |n_hashes| {
        let hashes = "#".repeat(n_hashes);
        format!(r"r{hashes}\x22.*?\x22{hashes}")
    };
    let tokens = [
        r"//[^\n]*".to_owned(),
        // May hold another.
        r"/\*(?:[^*/]|\*+[^*/]|/+[^*/]|/\*.*?\*/)*\*+/".to_owned(),
        (0..5).map(raw).collect::<Vec<_>>().join("|"),
        r"\x22(?:\\.|[^\x22\\])*\x22".to_owned(),
        // A lifetime has no closing quote.
        r"'(?:\\.[^']*|[^\\])'".to_owned(),
    ];
    Regex::new(&format!("(?s){}", tokens.join("|"))).unwrap()
});

/// Splits a Rust file into code and comments, each with the other blanked, so that every line keeps its place.
fn split(text: &str) -> (String, String) {
    let (mut code, mut comments) = (String::new(), String::new());
    let tokens = TOKEN.find_iter(text).map(|it| it.as_str()).chain([""]);
    for (between, token) in TOKEN.split(text).zip(tokens) {
        code.push_str(between);
        comments.push_str(&blank(between));
        if token.starts_with('/') {
            code.push_str(&blank(token));
            comments.push_str(token);
        } else {
            let last = token.chars().count().saturating_sub(1);
            let is_end = |(at, _): &(usize, char)| *at == 0 || *at == last;
            let shown = |it: (usize, char)| if is_end(&it) { it.1 } else { blank_char(it.1) };
            code.extend(token.chars().enumerate().map(shown));
            comments.push_str(&blank(token));
        }
    }
    (code, comments)
}

fn blank(text: &str) -> String {
    text.chars().map(blank_char).collect()
}

fn blank_char(character: char) -> char {
    if character == '\n' { '\n' } else { ' ' }
}
