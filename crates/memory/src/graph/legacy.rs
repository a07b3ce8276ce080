//! The pages of the graph that earlier versions kept, one for each entity in `memory/graph/`: reads them for take-over.
//!
//! Never removes a line that the owner wrote.

use std::collections::HashMap;
use std::path::PathBuf;

use base::disk::{DiskError, ReplaceOutcome, read_all, remove_unchanged, replace_unchanged};
use base::{redact, short_hash};
use unicode_normalization::UnicodeNormalization;

use super::model::{Entity, KnowledgeGraph, Relation};
use crate::workspace::{EARLIER_GRAPH, Workspace};

const RELATIONS: &str = "Relations";
const MARK_DIGITS: usize = 8;
const LINE_END: &str = "<br>";
const ENDING: &str = ".md";

/// Size limit of a page in bytes.
const PAGE_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// The earlier pages to copy into the graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EarlierPages {
    /// All: there is no other graph yet. Bullets of the owner count as observations, as programs saw them.
    All,
    /// Those with lines that programs wrote: a crash or an earlier version left them there.
    OfPrograms,
}

/// A page as stored on disk.
#[derive(Debug)]
pub(super) struct EarlierPage {
    path: PathBuf,
    bytes: Vec<u8>,
    stem: String,
    lines: Vec<PageLine>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct PageLine {
    raw: String,
    says: LineKind,
    /// Whether a program wrote it and it is unchanged.
    is_programs: bool,
}

/// Whether the folder of the pages holds the file.
pub(crate) fn is_earlier_page(path: &str) -> bool {
    let rest = path.strip_prefix(EARLIER_GRAPH);
    rest.is_some_and(|rest| rest.starts_with('/'))
}

/// The numbers, from 1, of the lines of a page that hold a type: they have no mark, so nothing proves that the owner
/// wrote them.
pub(crate) fn earlier_type_lines(path: &str, text: &str) -> Vec<usize> {
    if !is_earlier_page(path) {
        return Vec::new();
    }
    let numbered = (1..).zip(PageReading::lines_of(text));
    let types = numbered.filter(|(_, line)| matches!(line.says, LineKind::Type(_)));
    types.map(|(number, _)| number).collect()
}

/// Reads the pages, without those that are not UTF-8, disappeared, or lie outside the workspace.
pub(super) fn earlier_pages(
    workspace: &Workspace,
    which: EarlierPages,
) -> Result<Vec<EarlierPage>, DiskError> {
    let folder = workspace.root().join(EARLIER_GRAPH);
    let mut names = workspace.disk().list(&folder)?;
    names.sort();
    let mut pages = Vec::new();
    for name in names {
        let stem = name.to_str().and_then(|name| name.strip_suffix(ENDING));
        let Some(stem) = stem.filter(|stem| !stem.starts_with('.')) else {
            continue;
        };
        if workspace
            .inside(&format!("{EARLIER_GRAPH}/{stem}{ENDING}"))?
            .is_err()
        {
            continue;
        }
        let path = folder.join(&name);
        let is_file = workspace.disk().stat(&path)?.is_some_and(|it| !it.is_dir);
        if !is_file {
            continue;
        }
        let bytes = read_all(workspace.disk(), &path, PAGE_BYTES_MAX)?;
        let Ok(text) = std::str::from_utf8(&bytes) else {
            continue;
        };
        let page = EarlierPage {
            stem: stem.to_owned(),
            lines: PageReading::lines_of(text),
            path,
            bytes,
        };
        if which == EarlierPages::All || page.is_of_programs() {
            pages.push(page);
        }
    }
    Ok(pages)
}

/// The graph on the pages, without secrets.
pub(super) fn graph_on(pages: &[EarlierPage]) -> KnowledgeGraph {
    let names = pages.iter().map(|page| (folded(&page.stem), page.name()));
    let names: HashMap<String, &str> = names.collect();
    let cleaned = |text: &str| redact(text).into_owned();
    let mut graph = KnowledgeGraph::default();
    for page in pages {
        let mut observations = Vec::new();
        let mut entity_type = None;
        for line in &page.lines {
            match &line.says {
                LineKind::Type(kind) => entity_type = entity_type.or(Some(cleaned(kind))),
                LineKind::Observation(text) => observations.push(cleaned(text)),
                LineKind::Relation(kind, to) => {
                    let to = match to {
                        LinkedTo::Name(name) => name,
                        LinkedTo::Stem(stem) => names.get(&folded(stem)).copied().unwrap_or(stem),
                    };
                    graph.relations.push(Relation {
                        from: cleaned(page.name()),
                        to: cleaned(to),
                        relation_type: cleaned(kind),
                    });
                }
                LineKind::Name(_)
                | LineKind::More
                | LineKind::Relations
                | LineKind::Section
                | LineKind::Other => {}
            }
        }
        if entity_type.is_some() || !observations.is_empty() {
            graph.entities.push(Entity {
                name: cleaned(page.name()),
                entity_type: entity_type.unwrap_or_default(),
                observations,
            });
        }
    }
    graph
}

/// Removes the lines of programs from the pages, after they were copied into the graph: a page with lines of the owner
/// keeps them and is from then on the owner's note; any other page is deleted. A page that was saved in between stays
/// for the next time.
pub(super) fn retire(workspace: &Workspace, pages: &[EarlierPage]) -> Result<(), DiskError> {
    for page in pages.iter().filter(|page| page.is_of_programs()) {
        let disk = workspace.disk();
        let _outcome: ReplaceOutcome = match page.left() {
            Some(left) => replace_unchanged(disk, &page.path, Some(&page.bytes), left.as_bytes()),
            None => remove_unchanged(disk, &page.path, &page.bytes),
        }?;
    }
    Ok(())
}

impl EarlierPage {
    /// The name of its entity: its heading, or else its file stem.
    fn name(&self) -> &str {
        let mut lines = self.lines.iter();
        let name = lines.find_map(|line| {
            let LineKind::Name(name) = &line.says else {
                return None;
            };
            Some(name.as_str())
        });
        name.unwrap_or(&self.stem)
    }

    /// Whether a program wrote a line of it, or all of it.
    fn is_of_programs(&self) -> bool {
        self.lines.iter().any(|line| line.is_programs) || self.left().is_none()
    }

    /// The page without the lines of programs; `None` if the owner wrote nothing on it.
    fn left(&self) -> Option<String> {
        let left = self.lines.iter();
        let left = left.filter(|line| !line.is_programs && !matches!(line.says, LineKind::Type(_)));
        let left: Vec<&PageLine> = left.collect();
        let is_owners = |line: &&PageLine| match line.says {
            LineKind::Name(_) | LineKind::Relations => false,
            LineKind::Other => !line.raw.trim().is_empty(),
            LineKind::Type(_)
            | LineKind::Observation(_)
            | LineKind::Relation(..)
            | LineKind::More
            | LineKind::Section => true,
        };
        let has_owners = left.iter().any(is_owners);
        has_owners.then(|| left.iter().map(|line| line.raw.as_str()).collect())
    }
}

/// Folds case and compatibility forms, as file systems and the owner's links do.
fn folded(stem: &str) -> String {
    stem.to_lowercase()
        .nfkc()
        .collect::<String>()
        .to_lowercase()
}

/// Reverses the escapes of a line of a page.
fn unescaped(mut text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    while let Some(at) = text.find(['&', '<']) {
        let (plain, rest) = text.split_at(at);
        out.push_str(plain);
        if let Some(after) = rest.strip_prefix(LINE_END) {
            out.push('\n');
            text = after;
        } else if let Some((character, after)) = reference(rest) {
            out.push(character);
            text = after;
        } else {
            let (sign, after) = rest.split_at(1);
            out.push_str(sign);
            text = after;
        }
    }
    out.push_str(text);
    out
}

/// Parses a leading character reference such as `&#38;`; returns the character and the rest.
fn reference(text: &str) -> Option<(char, &str)> {
    let (digits, after) = text.strip_prefix("&#")?.split_once(';')?;
    let is_number = (1..8).contains(&digits.len()) && digits.bytes().all(|it| it.is_ascii_digit());
    let character = is_number.then(|| digits.parse().ok().and_then(char::from_u32))??;
    Some((character, after))
}

/// The meaning of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
enum LineKind {
    Name(String),
    Type(String),
    Observation(String),
    Relation(String, LinkedTo),
    /// A continuation of the bullet above.
    More,
    Relations,
    Section,
    Other,
}

/// The target of a link.
#[derive(Debug, Clone, PartialEq, Eq)]
enum LinkedTo {
    /// An entity name, in a link that a program wrote.
    Name(String),
    /// A file stem, in a link that the owner wrote.
    Stem(String),
}

#[derive(Default)]
struct PageReading {
    lines: Vec<PageLine>,
    /// The closing marker of the code fence or front matter being skipped.
    fence: Option<String>,
    has_name: bool,
    has_type: bool,
    /// The current section, once past the head of the page.
    section: Option<LineKind>,
}

impl PageReading {
    fn lines_of(text: &str) -> Vec<PageLine> {
        let mut reading = Self::default();
        for line in text.split_inclusive('\n') {
            reading.line(line);
        }
        reading.lines
    }

    fn line(&mut self, raw: &str) {
        let is_first = self.lines.is_empty();
        let line = raw.trim_start_matches('\u{feff}').trim_end();
        let start = line.trim_start();
        let mut is_programs = false;
        let fence = ["```", "~~~"].into_iter().find(|it| start.starts_with(it));
        let says = if let Some(end) = &self.fence {
            if start.starts_with(end.as_str()) {
                self.fence = None;
            }
            LineKind::Other
        } else if let Some(fence) = fence.or((is_first && line == "---").then_some("---")) {
            self.fence = Some(fence.to_owned());
            LineKind::Other
        } else if let Some(name) = line
            .strip_prefix('#')
            .filter(|it| !self.has_name && is_apart(it))
        {
            self.has_name = true;
            LineKind::Name(unescaped(name.trim()))
        } else if let Some(title) = line.strip_prefix("## ") {
            let is_relations = title.trim() == RELATIONS;
            let section = if is_relations {
                LineKind::Relations
            } else {
                LineKind::Section
            };
            self.section = Some(section.clone());
            section
        } else if let Some(of_type) = line
            .strip_prefix("Type:")
            .filter(|_| !self.has_type && self.section.is_none())
        {
            self.has_type = true;
            LineKind::Type(unescaped(of_type.trim()))
        } else if let Some(item) = start
            .strip_prefix(['-', '*', '+'])
            .filter(|it| is_apart(it))
        {
            let (says, by_program) = bullet(item.trim(), self.section.as_ref());
            is_programs = by_program;
            says
        } else if line.starts_with([' ', '\t']) && self.continues(start) {
            LineKind::More
        } else {
            LineKind::Other
        };
        self.lines.push(PageLine {
            raw: raw.to_owned(),
            says,
            is_programs,
        });
    }

    /// Whether an indented line continues the bullet above; appends it unless a program wrote that bullet on one line.
    fn continues(&mut self, line: &str) -> bool {
        let above = self
            .lines
            .iter_mut()
            .rev()
            .find(|it| it.says != LineKind::More);
        let Some(above) = above else {
            return false;
        };
        match &mut above.says {
            LineKind::Observation(text) => {
                if !above.is_programs {
                    text.push('\n');
                    text.push_str(&unescaped(line));
                }
                true
            }
            LineKind::Relation(..) => true,
            LineKind::Name(_)
            | LineKind::Type(_)
            | LineKind::More
            | LineKind::Relations
            | LineKind::Section
            | LineKind::Other => false,
        }
    }
}

/// Whether `rest` can follow the marker of a heading or bullet.
fn is_apart(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with(char::is_whitespace)
}

/// The meaning of a bullet, and whether its mark proves that a program wrote it unchanged.
fn bullet(item: &str, section: Option<&LineKind>) -> (LineKind, bool) {
    let is_mark = |mark: &str| {
        let is_digit = |it: u8| matches!(it, b'0'..=b'9' | b'a'..=b'f');
        mark.len() == MARK_DIGITS && mark.bytes().all(is_digit)
    };
    let marked = item.rsplit_once('^').filter(|(said, mark)| {
        is_mark(mark) && (said.is_empty() || said.ends_with(char::is_whitespace))
    });
    let (said, is_programs) = match marked {
        Some((said, mark)) => (said.trim_end(), short_hash(said.trim_end()) == mark),
        None => (item, false),
    };
    if section != Some(&LineKind::Relations) {
        return (LineKind::Observation(unescaped(said)), is_programs);
    }
    let link = said
        .strip_suffix("]]")
        .and_then(|said| said.rsplit_once("[["));
    let Some((kind, inner)) = link else {
        return (LineKind::Other, false);
    };
    let (target, shown) = inner.split_once('|').unwrap_or((inner, inner));
    let to = if is_programs {
        LinkedTo::Name(unescaped(shown))
    } else {
        let path = target.split('#').next().unwrap_or_default();
        let stem = path.rsplit('/').next().unwrap_or_default();
        LinkedTo::Stem(stem.trim().trim_end_matches(".md").to_owned())
    };
    (
        LineKind::Relation(unescaped(kind.trim_end()), to),
        is_programs,
    )
}
