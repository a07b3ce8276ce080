//! Finds transcript entries by line, id or text, as they may be shown.
//!
//! Skips branches that a rewind abandoned, and text that recall added to messages.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use base::{EntryId, LineRange, SourceError, head, redact, sentences};
use memory::{
    ForgottenEntry, NotedTexts, PlannedEntry, Reason, TextHash, sentences_meant, shares_word,
};
use search::PassageSource;

use crate::knowledge::index::COMMON_WORDS;
use crate::knowledge::session_source::SessionSource;

/// Maximum length of an entry as shown.
const SHOWN_CHARS_MAX: usize = 300;

/// Selects the wanted parts of an entry by id, line and text: `None` if nothing is wanted, and no sentences if all of
/// it is.
type SoughtPart<'f> = &'f dyn Fn(&EntryId, usize, &str) -> Option<Vec<TextHash>>;

impl SessionSource {
    /// The entries in these lines of a transcript, marked as chosen to be forgotten: their sentences that state one of
    /// the wanted texts, or all of them if none is wanted.
    pub fn entries_at(
        &self,
        path: &str,
        lines: LineRange,
        wanted: &[&str],
    ) -> Result<Vec<PlannedEntry>, SourceError> {
        self.entries_where(path, Reason::Chosen, &|_, line, text| {
            let is_there = lines.contains(line);
            is_there.then(|| sentences_meant(text, wanted, COMMON_WORDS))
        })
    }

    /// The entries in any transcript that say one of these texts, as a whole or in a sentence, except the one at this
    /// path and line.
    pub fn entries_saying(
        &self,
        texts: &BTreeSet<TextHash>,
        but: Option<&(String, usize)>,
    ) -> Result<Vec<PlannedEntry>, SourceError> {
        let mut found = Vec::new();
        if texts.is_empty() {
            return Ok(found);
        }
        let is_one = |text: &str| TextHash::of(text).filter(|hash| texts.contains(hash));
        for document in self.documents(&|_| None)? {
            let path = &document.path;
            let said = self.entries_where(path, Reason::SameText, &|_, _, text| {
                if is_one(text).is_some() {
                    return Some(Vec::new());
                }
                let said: Vec<TextHash> = text
                    .lines()
                    .flat_map(sentences)
                    .filter_map(is_one)
                    .collect();
                (!said.is_empty()).then_some(said)
            })?;
            let is_other = |it: &PlannedEntry| {
                but.is_none_or(|(path, line)| it.entry.path != *path || it.entry.line != *line)
            };
            found.extend(said.into_iter().filter(is_other));
        }
        Ok(found)
    }

    /// The entries in any transcript behind forgotten notes, which `noted` gives by the id of an entry: the sentences
    /// that state these notes.
    pub fn entries_behind(
        &self,
        noted: &BTreeMap<EntryId, NotedTexts>,
    ) -> Result<Vec<PlannedEntry>, SourceError> {
        let mut found = Vec::new();
        if noted.is_empty() {
            return Ok(found);
        }
        for document in self.documents(&|_| None)? {
            let behind =
                self.entries_where(&document.path, Reason::IsEvidence, &|id, _, text| {
                    let of_entry = noted.get(id)?;
                    let wanted: Vec<&str> = of_entry.texts.iter().map(String::as_str).collect();
                    // A message that says none of it, such as `undo that`, goes only if nothing else says it.
                    let mut shared = wanted.iter().map(|it| shares_word(it, text, COMMON_WORDS));
                    let is_meant = of_entry.is_only_evidence || shared.any(|it| it);
                    is_meant.then(|| sentences_meant(text, &wanted, COMMON_WORDS))
                })?;
            found.extend(behind);
            if found.len() >= noted.len() {
                break;
            }
        }
        Ok(found)
    }

    /// The whole texts of the entries with these ids in any transcript.
    pub(crate) fn texts_of(
        &self,
        ids: &BTreeSet<EntryId>,
    ) -> Result<HashMap<EntryId, String>, SourceError> {
        let mut found = HashMap::new();
        for path in self.paths()? {
            if found.len() >= ids.len() {
                break;
            }
            self.each_entry(&path, &mut |id, message| {
                if ids.contains(id) {
                    found.insert(id.clone(), message.text);
                }
            })?;
        }
        Ok(found)
    }

    fn entries_where(
        &self,
        path: &str,
        because: Reason,
        sought: SoughtPart<'_>,
    ) -> Result<Vec<PlannedEntry>, SourceError> {
        let mut found = Vec::new();
        self.each_entry(path, &mut |id, message| {
            let line = message.place.line;
            let Some(sentences) = sought(id, line, &message.text) else {
                return;
            };
            let part = part_of(&message.text, &sentences);
            let shown = if part.is_empty() {
                &message.text
            } else {
                &part
            };
            let shown = redact(shown).replace('\n', " ");
            found.push(PlannedEntry {
                text: format!("{}: {}", message.speaker, head(&shown, SHOWN_CHARS_MAX)),
                hash: if sentences.is_empty() {
                    TextHash::of(&message.text)
                } else {
                    None
                },
                part,
                entry: ForgottenEntry {
                    id: id.clone(),
                    path: path.to_owned(),
                    line,
                    offset: Some(message.place.offset),
                    sentences,
                },
                because,
            });
        })?;
        Ok(found)
    }
}

/// The sentences of a text that have these hashes, each on a line.
fn part_of(text: &str, hashes: &[TextHash]) -> String {
    let is_one = |it: &&str| TextHash::of(it).is_some_and(|hash| hashes.contains(&hash));
    let sentences = text.lines().flat_map(sentences).filter(is_one);
    sentences.map(str::trim).collect::<Vec<_>>().join("\n")
}
