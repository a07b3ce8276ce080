//! Lists the identifiers that no note shows, each with the words that give it its meaning where there is room.
//!
//! Ranks nothing: the best come first already.

use base::TokenCount;

use super::super::mention::Mention;
use super::super::rank::Room;
use super::super::template;

/// The most labels that one list cites.
const CITED_MAX: usize = 6;

/// The most characters of one list; the log cuts a longer note.
const LIST_CHARS_MAX: usize = 360;

/// The part of the room left, in hundredths, that goes to the words around identifiers.
const PHRASES_PERCENT: u64 = 60;

/// An identifier or its phrase, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Listed<'a> {
    text: &'a str,
    excerpt: usize,
}

/// One list: what it names and the excerpts in which that stands.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct List<'a> {
    /// Identifiers and phrases, in order.
    pub(super) names: Vec<&'a str>,
    /// The excerpts, without doubles, in order.
    pub(super) excerpts: Vec<usize>,
    n_chars: usize,
}

/// The mentions that no line shows and for which there is room, by the place where they stand.
///
/// What an assistant said once gets little room: it may be said again after this span.
pub(super) fn listed<'a>(
    mentions: &'a [Mention],
    lines: &[&str],
    room: Room,
    for_passing: TokenCount,
) -> Vec<Listed<'a>> {
    let mut notable_room = room;
    let mut passing_room = Room::new(for_passing);
    let mut missing: Vec<&Mention> = Vec::new();
    for mention in mentions.iter().filter(|own| !is_secret(&own.text)) {
        let is_shown = lines.iter().any(|line| line.contains(&mention.text))
            || missing
                .iter()
                .any(|other| other.text.contains(&mention.text));
        let room = if mention.is_notable {
            &mut notable_room
        } else {
            &mut passing_room
        };
        if !is_shown && room.take(&cost(bare(mention))) {
            missing.push(mention);
        }
    }
    let mut found = phrased(&missing, notable_room.left().percent(PHRASES_PERCENT));
    found.sort_by_key(|listed| listed.excerpt);
    found
}

/// Whether the host leaves nothing of an identifier but that it was a secret.
fn is_secret(text: &str) -> bool {
    let shown = base::redact(text);
    shown.starts_with("[REDACTED:") && shown.ends_with(']')
}

/// What is listed of a mention at least: a figure that was said once is nothing without its words.
fn bare(mention: &Mention) -> &str {
    let phrase = mention.phrase.as_deref();
    let needs_phrase = mention.is_figure && !mention.is_notable;
    phrase
        .filter(|_| needs_phrase)
        .unwrap_or(mention.text.as_str())
}

fn cost(text: &str) -> String {
    format!("{text}{}", template::LIST_SEPARATOR)
}

/// Gives the mentions their phrases, best first, and leaves out those that such a phrase shows already.
fn phrased<'a>(missing: &[&'a Mention], for_phrases: TokenCount) -> Vec<Listed<'a>> {
    let mut room = Room::new(for_phrases);
    let mut found: Vec<Listed<'a>> = Vec::new();
    for mention in missing {
        if found
            .iter()
            .any(|listed| listed.text.contains(&mention.text))
        {
            continue;
        }
        let phrase = mention.phrase.as_deref().unwrap_or(&mention.text);
        let text = if room.take(&cost(phrase)) {
            phrase
        } else {
            bare(mention)
        };
        found.push(Listed {
            text,
            excerpt: mention.excerpt,
        });
    }
    found
}

/// Parts what is listed into lists that cite few excerpts and are not cut.
pub(super) fn lists(listed: Vec<Listed<'_>>) -> Vec<List<'_>> {
    let mut lists: Vec<List<'_>> = Vec::new();
    for Listed { text, excerpt } in listed {
        let n_chars = text.chars().count() + template::LIST_SEPARATOR.len();
        let has_room = |list: &List<'_>| {
            let is_cited = list.excerpts.contains(&excerpt);
            list.n_chars + n_chars <= LIST_CHARS_MAX
                && (is_cited || list.excerpts.len() < CITED_MAX)
        };
        if !lists.last().is_some_and(has_room) {
            lists.push(List::default());
        }
        if let Some(list) = lists.last_mut() {
            list.names.push(text);
            list.excerpts.push(excerpt);
            list.excerpts.dedup();
            list.n_chars += n_chars;
        }
    }
    lists
}
