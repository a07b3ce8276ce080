//! Reads a note of a folder: its text as a reader sees it, and how its owner names and files it.
//!
//! Pure.

use search::{LineOrigins, NoteLabel, PreparedNote};

use super::folder::NoteFolder;
use super::properties::Properties;
use super::shown::shown;
use crate::note_text::{NoteLine, NoteText};
use base::Origin;

/// The largest note, in bytes.
pub(crate) const PAGE_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// The text of a note; `None` if it is not UTF-8.
pub(crate) fn decoded(bytes: Vec<u8>) -> Option<String> {
    let text = String::from_utf8(bytes).ok()?;
    // Text in UTF-16 may be valid UTF-8 with half of its bytes NUL.
    (!text.contains('\0')).then_some(text)
}

/// A note as search reads it; `relative` is its path in the folder.
pub(crate) fn prepared_page(folder: &NoteFolder, relative: &str, text: &str) -> PreparedNote {
    let (text, properties) = read(text);
    let origins = match folder.origin {
        Origin::Owner => LineOrigins::new(),
        other @ (Origin::Agent | Origin::Untrusted | Origin::System) => {
            (1..=text.split('\n').count())
                .map(|line| (line, other))
                .collect()
        }
    };
    PreparedNote {
        text,
        origins,
        label: Some(label(relative, properties)),
    }
}

/// The lines of a note as a reader sees them.
pub(crate) fn readable_page(text: &str) -> NoteText<'static> {
    let (text, _) = read(text);
    let lines = text.split_inclusive('\n').map(|line| {
        let end = if line.ends_with('\n') { "\n" } else { "" };
        NoteLine::plain(line.trim_end_matches('\n').to_owned(), end)
    });
    NoteText {
        lines: lines.collect(),
    }
}

fn read(text: &str) -> (String, Properties) {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines: Vec<String> = text
        .split('\n')
        .map(|line| line.strip_suffix('\r').unwrap_or(line).to_owned())
        .collect();
    let properties = Properties::take(&mut lines);
    (shown(&lines.join("\n")), properties)
}

fn label(relative: &str, properties: Properties) -> NoteLabel {
    let (folders, name) = relative.rsplit_once('/').unwrap_or(("", relative));
    let name = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let day = properties.day();
    let all = properties.title.into_iter().chain([name.to_owned()]);
    let mut names: Vec<String> = Vec::new();
    for name in all.chain(properties.aliases) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let folders = folders.split('/').filter(|folder| !folder.is_empty());
    let topics = folders.map(str::to_owned).chain(properties.tags);
    NoteLabel {
        names,
        topics: topics.collect(),
        day,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(origin: Origin) -> NoteFolder {
        NoteFolder {
            name: "vault".to_owned(),
            root: "/v".into(),
            origin,
            ignore: Vec::new(),
        }
    }

    const NOTE: &str = "---\ntitle: \"Clara Meier\"\naliases: [Clärchen, 'Aunt C']\ntags:\n  - family/close\n  \
        - \"#london\"\ndate: 2026-03-02T10:00\nborn: 1988-05-14\ncssclasses: wide\nhobbies:\n  - [[Chess]]\n---\n# \
        Gifts\n- 2025: scarf ^4f2a\n%% private %%\n";

    #[test]
    fn known_properties_label_note_and_others_stay_text() {
        let prepared = prepared_page(&folder(Origin::Owner), "People/Family/clara.md", NOTE);
        let expected =
            "\n\n\n\n\n\n\nborn: 1988-05-14\n\nhobbies:\n  - Chess\n\n# Gifts\n- 2025: scarf\n\n";
        assert_eq!(prepared.text, expected);
        assert_eq!(prepared.origins, LineOrigins::new());
        let label = NoteLabel {
            names: ["Clara Meier", "clara", "Clärchen", "Aunt C"]
                .map(str::to_owned)
                .into(),
            topics: ["People", "Family", "family close", "london"]
                .map(str::to_owned)
                .into(),
            day: "2026-03-02".parse().ok(),
        };
        assert_eq!(prepared.label, Some(label));
    }

    #[test]
    fn note_without_properties_has_name_of_file() {
        let text = "--- \ntea\r\n---more\n";
        let prepared = prepared_page(&folder(Origin::Untrusted), "2026-03-02 Mole.md", text);
        assert_eq!(prepared.text, "---\ntea\n---more\n");
        let label = prepared.label.unwrap();
        assert_eq!(label.names, ["2026-03-02 Mole"]);
        assert_eq!(label.topics, Vec::<String>::new());
        let all = (1..=4).map(|line| (line, Origin::Untrusted));
        assert_eq!(prepared.origins, all.collect::<LineOrigins>());
    }

    #[test]
    fn only_utf8_is_decoded() {
        assert_eq!(decoded(b"\xe9t\xe9".to_vec()), None);
        assert_eq!(decoded(b"\xff\xfet\0e\0a\0".to_vec()), None);
        assert_eq!(decoded(b"t\0e\0a\0".to_vec()), None);
        assert_eq!(decoded("café".into()), Some("café".to_owned()));
    }
}
