//! The path from the leaf equals the path that a simple reading of all lines finds, for any file content.
//!
//! The same holds for the tree.

use proptest::prelude::*;

use super::*;
use crate::format::Damage;
use crate::test_kit::{header_line, id, line, open, rewind_line, user_line};
use crate::tree::read_tree;

fn walk(file: &TranscriptFile) -> (Vec<(String, u64)>, Vec<Repair>) {
    let mut path = Path::from_leaf(file);
    let mut found = Vec::new();
    while let Some(line) = path.next().unwrap() {
        found.push((line.place.id.to_string(), line.offset));
    }
    (found, path.into_repairs())
}

#[track_caller]
fn check(transcript: &str, expected: &[&str]) -> Vec<Repair> {
    let (found, repairs) = walk(&open(transcript));
    let ids: Vec<&str> = found.iter().map(|(id, _)| id.as_str()).collect();
    assert_eq!(ids, expected);
    repairs
}

fn missing(entry: &str, parent: &str) -> Repair {
    Repair::MissingParent {
        entry: id(entry),
        parent: id(parent),
    }
}

#[test]
fn path_omits_other_branch() {
    let transcript = [
        header_line(),
        user_line("a", "null"),
        user_line("b", "a"),
        user_line("c", "b"),
        user_line("d", "a"),
    ];
    assert_eq!(check(&transcript.concat(), &["d", "a"]), []);
}

#[test]
fn missing_parent_is_replaced_with_previous_readable_entry() {
    let transcript = [
        user_line("a", "null"),
        user_line("b", "a"),
        "damage\n".into(),
        user_line("c", "lost"),
        user_line("d", "c"),
        line("label", "e", "later", ""),
        user_line("later", "e"),
    ];
    let repairs = check(&transcript.concat(), &["later", "e", "d", "c", "b", "a"]);
    let damaged = Repair::DamagedLine(
        (transcript[0].len() + transcript[1].len()) as u64,
        Damage::NotJson("it does not begin with a brace".into()),
    );
    assert_eq!(
        repairs,
        [missing("e", "later"), missing("c", "lost"), damaged]
    );
}

#[test]
fn damage_before_missing_parent_is_reported_once() {
    let transcript = [
        user_line("a", "null"),
        "damage\n".into(),
        user_line("b", "lost"),
    ];
    let repairs = check(&transcript.concat(), &["b", "a"]);
    assert_eq!(repairs.len(), 2, "{repairs:?}");
}

#[test]
fn line_with_only_id_and_parent_keeps_path() {
    let transcript = [
        user_line("a", "null"),
        line("message", "b", "a", ""),
        user_line("c", "b"),
    ];
    let repairs = check(&transcript.concat(), &["c", "b", "a"]);
    assert_eq!(repairs.len(), 1, "{repairs:?}");
}

#[test]
fn rewind_leads_to_its_target_or_else_to_parent() {
    let before = [user_line("a", "null"), user_line("b", "a")].concat();
    let rewind = |offset| rewind_line("r", "a", offset);
    for offset in [0, 1, user_line("a", "null").len(), before.len(), 99_999] {
        let transcript = format!("{before}{}{}", rewind(offset), user_line("c", "r"));
        assert_eq!(check(&transcript, &["c", "r", "a"]), []);
    }
}

#[derive(Debug, Clone)]
enum Spec {
    Said { id: u8, parent: u8 },
    Rewound { id: u8, parent: u8, target: usize },
    OnlyPlace { id: u8, parent: u8 },
    Damaged,
    Unstated { id: u8 },
    Root { id: u8 },
}

fn spec() -> impl Strategy<Value = Spec> {
    let ids = 0_u8..12;
    let pair = || (0_u8..12, 0_u8..14);
    prop_oneof![
        8 => pair().prop_map(|(id, parent)| Spec::Said { id, parent }),
        2 => (pair(), 0_usize..20).prop_map(|((id, parent), target)| Spec::Rewound { id, parent, target }),
        1 => pair().prop_map(|(id, parent)| Spec::OnlyPlace { id, parent }),
        2 => Just(Spec::Damaged),
        1 => ids.clone().prop_map(|id| Spec::Unstated { id }),
        1 => ids.prop_map(|id| Spec::Root { id }),
    ]
}

/// The text of the lines, and for each entry its id, its offset and the index of its parent.
fn model(specs: &[Spec]) -> (String, Vec<(String, u64, Option<usize>)>) {
    let mut text = header_line();
    let mut entries: Vec<(String, u64, Option<usize>)> = Vec::new();
    let mut offsets = Vec::new();
    for spec in specs {
        let offset = text.len() as u64;
        offsets.push(offset);
        let nearest = |parent: &str| {
            entries
                .iter()
                .rposition(|(id, _, _)| id == parent)
                .or(entries.len().checked_sub(1))
        };
        let named = |id: &u8, parent: &u8| (format!("i{id}"), format!("i{parent}"));
        let (id, line, parent) = match spec {
            Spec::Said { id, parent } => {
                let (id, parent) = named(id, parent);
                let line = user_line(&id, &parent);
                (id, line, nearest(&parent))
            }
            Spec::Rewound { id, parent, target } => {
                let (id, parent) = named(id, parent);
                let target = offsets.get(*target).copied().unwrap_or(7);
                let line = rewind_line(&id, &parent, usize::try_from(target).unwrap());
                let pointed = entries
                    .iter()
                    .position(|(id, offset, _)| *id == parent && *offset == target);
                (id, line, pointed.or(nearest(&parent)))
            }
            Spec::OnlyPlace { id, parent } => {
                let (id, parent) = named(id, parent);
                let line = line("compaction", &id, &parent, "");
                (id, line, nearest(&parent))
            }
            Spec::Damaged => {
                text.push_str("{\"type\"\n");
                continue;
            }
            Spec::Unstated { id } => {
                let id = format!("i{id}");
                let line = format!(
                    "{{\"id\":\"{id}\",\"type\":\"label\",\"timestamp\":\"2026-04-12T10:00:00Z\"}}\n"
                );
                (id, line, nearest(""))
            }
            Spec::Root { id } => (format!("i{id}"), user_line(&format!("i{id}"), "null"), None),
        };
        text.push_str(&line);
        entries.push((id, offset, parent));
    }
    (text, entries)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn i16_path_and_tree_agree_with_simple_reading(
        specs in proptest::collection::vec(spec(), 0..24),
    ) {
        let (text, entries) = model(&specs);
        let mut expected = Vec::new();
        let mut next = entries.len().checked_sub(1);
        while let Some((id, offset, parent)) = next.and_then(|idx| entries.get(idx)) {
            expected.push((id.clone(), *offset));
            next = *parent;
        }
        let file = open(&text);
        prop_assert_eq!(&walk(&file).0, &expected);
        let tree = read_tree(&file).unwrap();
        let leaf = entries.last().and_then(|(id, _, _)| tree.find(&EntryId::new(id.clone())));
        let ancestry: Vec<(String, u64)> = leaf
            .into_iter()
            .flat_map(|leaf| tree.ancestry(leaf))
            .map(|idx| (tree.id(idx).unwrap().to_string(), tree.offset(idx).unwrap()))
            .collect();
        prop_assert_eq!(ancestry, expected);
    }
}
