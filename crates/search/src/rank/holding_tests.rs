//! Passages that share most words with a text.

use super::super::holding::notes_holding;
use super::tests::Home;

fn held(home: &Home, words: &str, n_missing_max: usize) -> Vec<String> {
    let stems = words.split(' ').map(str::to_owned).collect();
    let found = notes_holding(&home.index, &stems, n_missing_max).unwrap();
    found.into_iter().map(|(_, text)| text).collect()
}

#[test]
fn passage_that_lacks_few_stems_is_found_by_rarest() {
    let many = (0..40).map(|n| format!("- The tug lifts peat {n}\n\n# {n}\n\n"));
    let note = many.collect::<String>() + "- The tug lifts the blue crane\n";
    let home = Home::new(&[("memory/2026-04-20.md", &note)]);
    home.sync();
    for (words, n_missing_max, is_found) in [
        ("tug lift blue crane", 0, true),
        ("tug lift blue heron", 1, true),
        ("tug lift red heron", 1, false),
    ] {
        let found = held(&home, words, n_missing_max);
        let is_there = found.iter().any(|text| text.contains("crane"));
        assert_eq!(is_there, is_found, "{words}: {found:?}");
    }
}
