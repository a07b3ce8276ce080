//! Tests of what is read of a term: counts, pieces and places, with what was taken out.

use super::*;
use crate::index::Index;
use crate::notes_kit::Home;

/// The postings of a stem: its pieces, and its places in each stretch.
fn read(index: &Index, stem: &str) -> (u64, Vec<Vec<TermPlace>>) {
    let snapshot = index.snapshot().unwrap();
    let term = Term {
        kind: TermKind::Stem,
        text: stem.into(),
    };
    let of_term = snapshot.postings.of_term(&term).unwrap();
    let mut stretches = Vec::new();
    let mut counts = Vec::new();
    for segment in 0..snapshot.postings.n_segments() {
        for (doc, count) in of_term.counts(segment) {
            stretches.push(StretchId::new(segment, doc));
            counts.push(count as usize);
        }
    }
    assert_eq!(of_term.n_stretches(), stretches.len() as u64);
    let found = snapshot.postings.places(&of_term, &stretches).unwrap();
    let places: Vec<Vec<TermPlace>> = found.iter().map(|hits| hits.places().collect()).collect();
    assert_eq!(places.iter().map(Vec::len).collect::<Vec<_>>(), counts);
    for stretch in &stretches {
        let key = snapshot.postings.key(*stretch);
        assert_eq!(snapshot.postings.find(key).unwrap(), Some(*stretch));
    }
    (of_term.n_pieces, places)
}

#[test]
fn postings_count_pieces_with_term_and_list_its_places() {
    let home = Home::new();
    let index = home.open();
    let put = |day: &str, text: &str| {
        home.write(&format!("memory/2023-05-{day}.md"), text);
        home.sync(&index);
    };
    let text = "## The ferry in May\n- a ferry, a ferry\n- no boat\n- in May a ferry\n";
    put("07", text);
    let (piece, heading) = (TermPlace::Piece, TermPlace::Heading);
    let ferry = vec![piece(0), piece(0), piece(2), heading];
    assert_eq!(read(&index, "ferri"), (2, vec![ferry]));
    // The heading counts for no piece of its own.
    let may = vec![piece(2), heading];
    assert_eq!(read(&index, "may"), (1, vec![may]));
    put("08", "- the ferry came\n");
    assert_eq!(read(&index, "ferri").0, 3);
    put("07", "- nothing at all\n");
    assert_eq!(read(&index, "ferri"), (1, vec![vec![piece(0)]]));
    assert_eq!(read(&index, "may"), (0, vec![]));
    assert_eq!(read(&index, "boat"), (0, vec![]));
}
