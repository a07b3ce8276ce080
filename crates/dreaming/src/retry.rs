//! Joins the operations of a reply with the corrections that the model sent for some of them.
//!
//! Pure.

use std::collections::BTreeSet;

use crate::propose::Operation;
use crate::wording::tokens;

/// Two operations that share this percentage of their words are versions of each other.
const ALIKE_PERCENT: usize = 30;

/// The operations of a first reply without those that a second one corrects, followed by the second one.
///
/// `wrong` are the indexes of the operations that were sent back. Each correction replaces the nearest of
/// them; one without a correction stays as it was.
pub fn corrected(
    first: Vec<Operation>,
    wrong: &BTreeSet<usize>,
    second: Vec<Operation>,
) -> Vec<Operation> {
    let mut open = wrong.clone();
    for correction in &second {
        let near = open.iter().filter_map(|place| {
            let own = first.get(*place)?;
            Some((nearness(own, correction)?, *place))
        });
        if let Some((_, place)) = near.max() {
            open.remove(&place);
        }
    }
    let is_corrected = |place: &usize| wrong.contains(place) && !open.contains(place);
    let kept = first.into_iter().enumerate();
    let kept = kept
        .filter(|(place, _)| !is_corrected(place))
        .map(|(_, own)| own);
    kept.chain(second).collect()
}

/// The percentage of shared words, if they are enough for two versions of one operation.
fn nearness(own: &Operation, other: &Operation) -> Option<usize> {
    let (left, right) = (tokens(&own.text), tokens(&other.text));
    let n_shared = left.intersection(&right).count();
    let percent = 100 * n_shared / left.union(&right).count().max(1);
    let is_same_source =
        own.quote == other.quote || own.kind.line().is_some() && own.kind == other.kind;
    (is_same_source || percent >= ALIKE_PERCENT).then_some(percent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::propose::{ChangeReason, OperationKind, Proposer};

    fn adds(text: &str, quote: &str) -> Operation {
        Operation {
            kind: OperationKind::Add,
            section: "Facts".to_owned(),
            text: text.to_owned(),
            importance: 7,
            evidence: vec!["e1".to_owned()],
            quote: quote.to_owned(),
            waiting: None,
            reason: ChangeReason::Changed,
            proposer: Proposer::Model,
        }
    }

    #[test]
    fn correction_replaces_nearest_operation_sent_back() {
        let first = vec![
            adds("I sing in a choir", "I sing in a choir"),
            adds("My rent is 900 euros in Bergen", "my rent is 900 euros"),
            adds("Anna works in Graz since 2025", "Anna works in Graz"),
        ];
        let wrong = BTreeSet::from([1, 2]);
        let second = vec![adds("My rent is 900 euros", "my rent is 900 euros")];
        let found = corrected(first.clone(), &wrong, second);
        let texts: Vec<&str> = found.iter().map(|own| own.text.as_str()).collect();
        assert_eq!(
            texts,
            [
                "I sing in a choir",
                "Anna works in Graz since 2025",
                "My rent is 900 euros"
            ]
        );
        let none = corrected(first.clone(), &wrong, Vec::new());
        assert_eq!(none, first);
    }
}
