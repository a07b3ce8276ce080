//! The Markdown page of one entity: parses, edits and renders it.
//!
//! Pure; never changes a line that it does not recognise.

use base::short_hash;

use super::spelling::{spelled, spelled_in_link, unspelled};

const RELATIONS: &str = "Relations";
const MARK_DIGITS: usize = 8;

/// The numbers, from 1, of the lines that hold a type: they have no mark, so nothing proves that the owner wrote them.
pub(crate) fn type_lines(text: &str) -> Vec<usize> {
    let lines = GraphPage::parse(text).lines.into_iter().zip(1..);
    let types = lines.filter(|(line, _)| matches!(line.says, LineKind::Type(_)));
    types.map(|(_, number)| number).collect()
}

/// A page as a list of lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct GraphPage {
    lines: Vec<GraphLine>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct GraphLine {
    raw: String,
    says: LineKind,
    /// Whether a program wrote it and it is unchanged.
    is_programs: bool,
}

/// The meaning of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LineKind {
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
pub(super) enum LinkedTo {
    /// An entity name, in a link that a program wrote.
    Name(String),
    /// A file stem, in a link that the owner wrote.
    Stem(String),
}

#[derive(Default)]
struct PageReading {
    lines: Vec<GraphLine>,
    /// The closing marker of the code fence or front matter being skipped.
    fence: Option<String>,
    has_name: bool,
    has_type: bool,
    /// The current section, once past the head of the page.
    section: Option<LineKind>,
}

impl PageReading {
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
            LineKind::Name(unspelled(name.trim()))
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
            LineKind::Type(unspelled(of_type.trim()))
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
        self.lines.push(GraphLine {
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
                    text.push_str(&unspelled(line));
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
        return (LineKind::Observation(unspelled(said)), is_programs);
    }
    let link = said
        .strip_suffix("]]")
        .and_then(|said| said.rsplit_once("[["));
    let Some((kind, inner)) = link else {
        return (LineKind::Other, false);
    };
    let (target, shown) = inner.split_once('|').unwrap_or((inner, inner));
    let to = if is_programs {
        LinkedTo::Name(unspelled(shown))
    } else {
        let path = target.split('#').next().unwrap_or_default();
        let stem = path.rsplit('/').next().unwrap_or_default();
        LinkedTo::Stem(stem.trim().trim_end_matches(".md").to_owned())
    };
    (
        LineKind::Relation(unspelled(kind.trim_end()), to),
        is_programs,
    )
}

fn marked_bullet(text: &str) -> String {
    let gap = if text.is_empty() { "" } else { " " };
    format!("- {text}{gap}^{}\n", short_hash(text))
}

impl GraphLine {
    fn ours(raw: impl Into<String>, says: LineKind) -> Self {
        let is_programs = matches!(says, LineKind::Observation(_) | LineKind::Relation(..));
        Self {
            raw: raw.into(),
            says,
            is_programs,
        }
    }

    fn blank() -> Self {
        Self::ours("\n", LineKind::Other)
    }
}

impl GraphPage {
    pub(super) fn parse(text: &str) -> Self {
        let mut reading = PageReading::default();
        for line in text.split_inclusive('\n') {
            reading.line(line);
        }
        Self {
            lines: reading.lines,
        }
    }

    /// A page with only a name, for a relation source that is not an entity.
    pub(super) fn named(name: &str) -> Self {
        let raw = format!("# {}\n", spelled(name));
        Self {
            lines: vec![GraphLine::ours(raw, LineKind::Name(name.to_owned()))],
        }
    }

    pub(super) fn text(&self) -> String {
        self.lines.iter().map(|line| line.raw.as_str()).collect()
    }

    pub(super) fn name(&self) -> Option<&str> {
        self.lines.iter().find_map(|line| {
            let LineKind::Name(name) = &line.says else {
                return None;
            };
            Some(name.as_str())
        })
    }

    pub(super) fn of_type(&self) -> Option<&str> {
        self.lines.iter().find_map(|line| {
            let LineKind::Type(of_type) = &line.says else {
                return None;
            };
            Some(of_type.as_str())
        })
    }

    pub(super) fn observations(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().filter_map(|line| {
            let LineKind::Observation(text) = &line.says else {
                return None;
            };
            Some(text.as_str())
        })
    }

    pub(super) fn relations(&self) -> impl Iterator<Item = (&str, &LinkedTo)> {
        self.lines.iter().filter_map(|line| {
            let LineKind::Relation(kind, to) = &line.says else {
                return None;
            };
            Some((kind.as_str(), to))
        })
    }

    pub(super) fn is_entity(&self) -> bool {
        self.of_type().is_some() || self.observations().next().is_some()
    }

    /// Whether the page has no content, so that it can be deleted.
    pub(super) fn is_bare(&self) -> bool {
        self.lines.iter().all(|line| match line.says {
            LineKind::Name(_) | LineKind::Relations => true,
            LineKind::Other => line.raw.trim().is_empty(),
            LineKind::Type(_)
            | LineKind::Observation(_)
            | LineKind::Relation(..)
            | LineKind::More
            | LineKind::Section => false,
        })
    }

    pub(super) fn set_type(&mut self, of_type: &str) {
        let raw = format!("Type: {}", spelled(of_type));
        let line = GraphLine::ours(
            format!("{}\n", raw.trim_end()),
            LineKind::Type(of_type.to_owned()),
        );
        let after_name = self.after(|says| matches!(says, LineKind::Name(_)), self.lines.len());
        self.insert_apart(after_name.unwrap_or(0), vec![line]);
    }

    pub(super) fn add_observation(&mut self, text: &str) {
        let raw = marked_bullet(&spelled(text));
        let line = GraphLine::ours(raw, LineKind::Observation(text.to_owned()));
        let is_section =
            |line: &GraphLine| matches!(line.says, LineKind::Section | LineKind::Relations);
        let end = self.lines.iter().position(is_section);
        let end = end.unwrap_or(self.lines.len());
        if let Some(at) = self.after(|says| matches!(says, LineKind::Observation(_)), end) {
            return self.insert(at, vec![line]);
        }
        let is_head = |says: &LineKind| matches!(says, LineKind::Name(_) | LineKind::Type(_));
        let at = self.after(is_head, end).unwrap_or(0);
        self.insert_apart(at, vec![line]);
    }

    pub(super) fn add_relation(&mut self, kind: &str, to: &str, stem: &str) {
        let alias = if stem == to {
            String::new()
        } else {
            format!("|{}", spelled_in_link(to))
        };
        let kind_spelled = spelled(kind);
        let text = format!("{kind_spelled} [[{stem}{alias}]]");
        let says = LineKind::Relation(kind.to_owned(), LinkedTo::Name(to.to_owned()));
        let line = GraphLine::ours(marked_bullet(text.trim_start()), says);
        let n_lines = self.lines.len();
        if let Some(at) = self.after(|says| matches!(says, LineKind::Relation(..)), n_lines) {
            self.insert(at, vec![line]);
        } else if let Some(at) = self.after(|says| *says == LineKind::Relations, n_lines) {
            self.insert_apart(at, vec![line]);
        } else {
            let heading = GraphLine::ours(format!("## {RELATIONS}\n"), LineKind::Relations);
            self.insert_apart(n_lines, vec![heading, GraphLine::blank(), line]);
        }
    }

    /// Removes the matching lines that programs wrote; returns whether lines of the owner match too.
    pub(super) fn remove(&mut self, is_meant: impl Fn(&LineKind) -> bool) -> bool {
        self.lines
            .retain(|line| !line.is_programs || !is_meant(&line.says));
        self.lines.iter().any(|line| is_meant(&line.says))
    }

    pub(super) fn remove_type(&mut self) {
        self.lines
            .retain(|line| !matches!(line.says, LineKind::Type(_)));
    }

    /// The index after the last matching line before `end` and its continuation lines.
    fn after(&self, is_meant: impl Fn(&LineKind) -> bool, end: usize) -> Option<usize> {
        let before = self.lines.get(..end).unwrap_or_default();
        let last = before.iter().rposition(|line| is_meant(&line.says))?;
        let rest = self.lines.iter().skip(last + 1);
        let n_more = rest.take_while(|line| line.says == LineKind::More).count();
        Some(last + 1 + n_more)
    }

    /// Inserts lines, separated by blank lines from their neighbours.
    fn insert_apart(&mut self, at: usize, mut lines: Vec<GraphLine>) {
        let is_text = |line: &GraphLine| !line.raw.trim().is_empty();
        if self.lines.get(at).is_some_and(is_text) {
            lines.push(GraphLine::blank());
        }
        let above = at.checked_sub(1).and_then(|above| self.lines.get(above));
        if above.is_some_and(is_text) {
            lines.insert(0, GraphLine::blank());
        }
        self.insert(at, lines);
    }

    fn insert(&mut self, at: usize, lines: Vec<GraphLine>) {
        let above = at
            .checked_sub(1)
            .and_then(|above| self.lines.get_mut(above));
        if let Some(above) = above.filter(|above| !above.raw.ends_with('\n')) {
            above.raw.push('\n');
        }
        self.lines.splice(at..at, lines);
    }
}
