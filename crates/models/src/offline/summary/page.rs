//! Fills the seven sections within the room that there is.
//!
//! Ranks by score alone; what a line is worth was decided before.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use base::{SUMMARY_SECTIONS, TokenCount};

use super::super::earlier::Earlier;
use super::super::identifier::exact;
use super::super::mention::Mention;
use super::super::rank::Room;
use super::super::template;

/// What the list of identifiers is sure of, in hundredths of the room.
const IDENTIFIERS_PERCENT: u64 = 12;

/// A section of a summary, in the order of the reply contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) enum Section {
    /// What the owner wants.
    Goals,
    /// What happened when.
    Timeline,
    /// How things are to be done, and what was decided.
    Context,
    /// Files, addresses and other identifiers.
    Files,
    /// Where work stands.
    Active,
    /// What is wrong or still to be done.
    Open,
    /// What comes next.
    Next,
}

impl Section {
    /// Every section, in order.
    pub(in super::super) const ALL: [Self; 7] = [
        Self::Goals,
        Self::Timeline,
        Self::Context,
        Self::Files,
        Self::Active,
        Self::Open,
        Self::Next,
    ];

    /// The words of its heading.
    pub(in super::super) fn heading(self) -> &'static str {
        let [goals, timeline, context, files, active, open, next] = SUMMARY_SECTIONS;
        match self {
            Self::Goals => goals,
            Self::Timeline => timeline,
            Self::Context => context,
            Self::Files => files,
            Self::Active => active,
            Self::Open => open,
            Self::Next => next,
        }
    }

    /// What the section is sure of, in hundredths of the room; what it leaves goes to the best of all.
    fn share_percent(self) -> u64 {
        match self {
            Self::Timeline | Self::Context => 18,
            Self::Goals => 12,
            Self::Active | Self::Open => 10,
            Self::Files => 8,
            Self::Next => 6,
        }
    }
}

/// A line that competes for room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    /// Where it goes.
    pub(super) section: Section,
    /// Its words.
    pub(super) text: String,
    /// What it is worth.
    pub(super) score: i32,
    /// Where it stands in time: the earlier summary first.
    pub(super) order: (usize, usize),
}

/// The summary while it is filled.
pub(super) struct Page {
    output_max: TokenCount,
    room: Room,
    items: Vec<Item>,
    identifiers: Option<String>,
}

impl Page {
    /// An empty page with room for so many tokens.
    pub(super) fn new(output_max: TokenCount) -> Self {
        let for_identifiers = output_max.percent(IDENTIFIERS_PERCENT);
        let room = Room::new(output_max.saturating_sub(for_identifiers));
        Self {
            output_max,
            room,
            items: Vec::new(),
            identifiers: None,
        }
    }

    /// Gives each section its share, and the rest of the room to the best of what is left.
    pub(super) fn fill(&mut self, mut items: Vec<Item>) {
        items.sort_by_key(|item| Reverse((item.score, item.order)));
        let mut seen = BTreeSet::new();
        items.retain(|item| {
            let closes = matches!(item.section, Section::Active | Section::Next);
            closes || seen.insert(template::without_phrase(&item.text).to_owned())
        });
        let mut left = Vec::new();
        for section in Section::ALL {
            let mut share = Room::new(self.output_max.percent(section.share_percent()));
            for item in items.iter().filter(|item| item.section == section) {
                let is_taken = share.take(&item.text) && self.take(item);
                if !is_taken {
                    left.push(item);
                }
            }
        }
        left.sort_by_key(|item| Reverse((item.score, item.order)));
        for item in left {
            self.take(item);
        }
        self.items.sort_by_key(|item| (item.section, item.order));
    }

    fn take(&mut self, item: &Item) -> bool {
        let is_new = !self.items.iter().any(|other| other.section == item.section);
        let line = if is_new {
            format!("## {}\n\n- {}\n", item.section.heading(), item.text)
        } else {
            format!("- {}", item.text)
        };
        let is_taken = self.room.take(&line);
        if is_taken {
            self.items.push(item.clone());
        }
        is_taken
    }

    /// Lists the identifiers that no line shows: those of the span, then those of the earlier summary.
    ///
    /// What an assistant said once comes last and never spends more than the list's own share.
    pub(super) fn add_identifiers(&mut self, mentions: &[Mention], earlier: &Earlier) {
        let share = self.output_max.percent(IDENTIFIERS_PERCENT);
        let mut list = List::new(Room::new(share + self.room.left()));
        if !list.room.take(&format!(
            "## {}\n\n- {}\n",
            Section::Files.heading(),
            template::IDENTIFIERS
        )) {
            return;
        }
        for mention in mentions.iter().filter(|mention| mention.is_notable) {
            list.add_mention(mention, &self.items);
        }
        for name in &earlier.identifiers {
            list.add(name, &self.items);
        }
        for name in earlier.points.iter().flat_map(|point| exact(&point.text)) {
            list.add(name, &self.items);
        }
        let spent = (share + self.room.left()).saturating_sub(list.room.left());
        list.room = Room::new(share.saturating_sub(spent));
        let passing = |mention: &&Mention| !mention.is_notable && !mention.is_figure;
        for mention in mentions.iter().filter(passing) {
            list.add(&mention.text, &self.items);
        }
        if !list.names.is_empty() {
            let names = list.names.join(template::LIST_SEPARATOR);
            self.identifiers = Some(format!("- {}{names}", template::IDENTIFIERS));
        }
    }

    /// The page as Markdown; empty when nothing was taken.
    pub(super) fn rendered(&self) -> String {
        let mut sections = Vec::new();
        for section in Section::ALL {
            let own = self.items.iter().filter(|item| item.section == section);
            let mut bullets: Vec<String> = own.map(|item| format!("- {}", item.text)).collect();
            if section == Section::Files {
                bullets.extend(self.identifiers.clone());
            }
            if !bullets.is_empty() {
                sections.push(format!(
                    "## {}\n\n{}\n",
                    section.heading(),
                    bullets.join("\n")
                ));
            }
        }
        sections.join("\n")
    }
}

/// The list of identifiers while it grows.
struct List<'a> {
    names: Vec<&'a str>,
    room: Room,
}

impl<'a> List<'a> {
    fn new(room: Room) -> Self {
        Self {
            names: Vec::new(),
            room,
        }
    }

    /// Adds an identifier, a figure with the words that give it its meaning.
    fn add_mention(&mut self, mention: &'a Mention, items: &[Item]) {
        let is_shown = items.iter().any(|item| item.text.contains(&mention.text));
        let phrase = mention.phrase.as_deref().filter(|_| mention.is_figure);
        if !is_shown {
            self.add(phrase.unwrap_or(&mention.text), items);
        }
    }

    /// Adds a name that neither a line nor a longer name shows.
    fn add(&mut self, name: &'a str, items: &[Item]) {
        let is_shown = items.iter().any(|item| item.text.contains(name))
            || self.names.iter().any(|other| other.contains(name));
        if !is_shown
            && self
                .room
                .take(&format!("{name}{}", template::LIST_SEPARATOR))
        {
            self.names.push(name);
        }
    }
}
