//! Reads the properties at the top of a note.
//!
//! Accepts any text: a line that is not a property stays text.

use std::ops::Range;

use base::Day;

/// The properties that name and file a note.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Properties {
    pub(super) title: Option<String>,
    pub(super) aliases: Vec<String>,
    pub(super) tags: Vec<String>,
    date: Option<Day>,
    created: Option<Day>,
}

/// The purpose of a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    Title,
    Alias,
    Tag,
    Date,
    Created,
    /// How editors show or publish the note.
    Display,
}

/// The properties with a meaning of their own; any other is text of the note.
const USES: [(&str, Use); 11] = [
    ("title", Use::Title),
    ("aliases", Use::Alias),
    ("alias", Use::Alias),
    ("tags", Use::Tag),
    ("tag", Use::Tag),
    ("date", Use::Date),
    ("created", Use::Created),
    ("cssclasses", Use::Display),
    ("cssclass", Use::Display),
    ("publish", Use::Display),
    ("permalink", Use::Display),
];

impl Properties {
    /// The day of the note.
    pub(super) fn day(&self) -> Option<Day> {
        self.date.or(self.created)
    }

    /// Takes the properties out of the lines of a note; those without a meaning of their own stay as text.
    pub(super) fn take(lines: &mut [String]) -> Self {
        let mut properties = Self::default();
        let Some(range) = block(lines) else {
            return properties;
        };
        let fences = [range.start - 1, range.end];
        let mut current = None;
        for line in lines.get_mut(range).unwrap_or_default() {
            if let Some((key, value)) = property(line) {
                let named = |(name, _): &&(&str, Use)| key.eq_ignore_ascii_case(name);
                current = USES.iter().find(named).map(|(_, used)| *used);
                if let Some(used) = current {
                    values(value).for_each(|value| properties.add(used, &value));
                    line.clear();
                }
            } else if line.starts_with('#') {
                line.clear();
            } else if let Some(used) = current {
                let item = line.trim().trim_start_matches('-').trim();
                values(item).for_each(|value| properties.add(used, &value));
                line.clear();
            }
        }
        for fence in fences {
            lines.get_mut(fence).into_iter().for_each(String::clear);
        }
        properties
    }

    fn add(&mut self, used: Use, value: &str) {
        match used {
            Use::Title => self.title = self.title.take().or(Some(value.to_owned())),
            Use::Alias => self.aliases.push(value.to_owned()),
            Use::Tag => {
                let tags = value.split_whitespace();
                let tags = tags.map(|tag| tag.trim_start_matches('#').replace('/', " "));
                self.tags.extend(tags.filter(|tag| !tag.is_empty()));
            }
            Use::Date => self.date = self.date.or(day_in(value)),
            Use::Created => self.created = self.created.or(day_in(value)),
            Use::Display => {}
        }
    }
}

/// The lines of the properties, between two lines of dashes at the top.
fn block(lines: &[String]) -> Option<Range<usize>> {
    let is_fence = |line: &String| line.trim_end() == "---";
    lines.first().filter(|line| is_fence(line))?;
    let n_inside = lines.iter().skip(1).position(is_fence)?;
    Some(1..n_inside + 1)
}

/// The key and value of a property; `None` for an item of a list.
fn property(line: &str) -> Option<(&str, &str)> {
    if line.starts_with([' ', '\t', '-', '#']) {
        return None;
    }
    let (key, value) = line.split_once(':')?;
    Some((key.trim_end(), value))
}

/// The values of a property: each item of a list in brackets, or else the whole text.
fn values(text: &str) -> impl Iterator<Item = String> {
    let text = text.trim();
    let list = text.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    // A link is in brackets, too.
    let list = list.filter(|list| !list.starts_with('['));
    let parts: Vec<&str> = list.map_or_else(|| vec![text], |list| list.split(',').collect());
    let parts = parts.into_iter().map(|part| {
        let part = part.trim();
        let quoted = ['"', '\'']
            .into_iter()
            .find_map(|mark| part.strip_prefix(mark)?.strip_suffix(mark));
        quoted.unwrap_or(part).trim().to_owned()
    });
    let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
    parts.into_iter()
}

/// The first day in a value, written as `2026-03-02`.
fn day_in(value: &str) -> Option<Day> {
    let mut starts = value.char_indices().map(|(start, _)| start);
    starts.find_map(|start| value.get(start..start.checked_add(10)?)?.parse().ok())
}
