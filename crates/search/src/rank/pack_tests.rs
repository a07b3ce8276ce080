//! Tests of the passages that fit into a budget, and of the report about those that do not.

use super::*;

/// A result of this many tokens in a line of its own.
fn result(line: usize, n_tokens: u64) -> SearchResult {
    let n_words = usize::try_from(n_tokens).unwrap();
    let text = "abc ".repeat(n_words);
    assert_eq!(estimate_text(&text), TokenCount(n_tokens));
    crate::notes_kit::result(line, &text)
}

#[test]
fn pack_skips_results_over_budget_and_names_budget_needed() {
    let of = |tokens: &[u64], budget| {
        let results = (1..)
            .zip(tokens)
            .map(|(line, tokens)| result(line, *tokens));
        let (shown, left_out) = pack(results.collect(), TokenCount(budget));
        let shown: Vec<usize> = shown.iter().map(|it| it.start_line).collect();
        let left_out = left_out.map(|it| (it.result.start_line, it.budget.0));
        (shown, left_out)
    };
    assert_eq!(of(&[2, 3, 4], 9), (vec![1, 2, 3], None));
    // What is worse than all that is shown was asked for by nobody.
    assert_eq!(of(&[2, 3, 4], 8), (vec![1, 2], None));
    assert_eq!(of(&[2, 9, 8, 4], 7), (vec![1, 4], Some((2, 11))));
    assert_eq!(of(&[9, 5, 4], 3), (vec![], Some((1, 9))));
    assert_eq!(of(&[], 3), (vec![], None));
}
