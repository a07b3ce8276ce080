//! Finds the branch on which a conversation ended, in a tree of messages.
//!
//! Stops at cycles.

use std::collections::{HashMap, HashSet};

/// A message in a tree.
#[derive(Debug, Clone, Copy)]
pub(super) struct BranchLink<'a> {
    pub(super) id: &'a str,
    /// The id of its parent; `None` for the first.
    pub(super) parent: Option<&'a str>,
}

/// The indices of the messages on the path to `leaf`, starting with the first message.
///
/// If a parent is missing, the previous message in the file takes its place.
pub(super) fn way_to(leaf: usize, links: &[BranchLink<'_>]) -> Vec<usize> {
    let places = links.iter().zip(0..).map(|(link, place)| (link.id, place));
    let places: HashMap<&str, usize> = places.collect();
    let mut seen = HashSet::new();
    let mut way = Vec::new();
    let mut next = Some(leaf);
    while let Some((place, link)) = next.and_then(|place| Some((place, links.get(place)?))) {
        if !seen.insert(place) {
            break;
        }
        way.push(place);
        next = link.parent.and_then(|parent| {
            let named = places.get(parent).copied();
            named.or_else(|| place.checked_sub(1))
        });
    }
    way.reverse();
    way
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(links: &[(&str, Option<&str>)], leaf: usize, expected: &[usize]) {
        let links = links.iter().map(|(id, parent)| BranchLink {
            id,
            parent: *parent,
        });
        assert_eq!(way_to(leaf, &links.collect::<Vec<_>>()), expected);
    }

    #[test]
    fn branch_follows_parents_of_leaf() {
        let tree = [
            ("a", None),
            ("b", Some("a")),
            ("c", Some("a")),
            ("d", Some("c")),
        ];
        check(&tree, 3, &[0, 2, 3]);
        check(&tree, 1, &[0, 1]);
        check(&tree, 9, &[]);
    }

    #[test]
    fn i16_branch_of_broken_tree_ends() {
        check(&[("a", Some("gone")), ("b", Some("gone"))], 1, &[0, 1]);
        check(&[("a", Some("b")), ("b", Some("a"))], 1, &[0, 1]);
        check(&[("a", Some("a"))], 0, &[0]);
    }
}
