//! The positions of bytes that are not UTF-8.

use proptest::prelude::*;

use super::*;
use crate::workspace_kit::workspace_with;

fn places(misread: &[Misread]) -> Vec<String> {
    let places = misread.iter().map(|it| format!("{}:{}", it.path, it.line));
    places.collect()
}

#[test]
fn misread_files_are_reported_by_audience() {
    let workspace = workspace_with(&[
        ("AGENTS.md", b"\xe9"),
        ("USER.md", b"one\ntwo"),
        ("MEMORY.md", b"one\ntwo\n\xe9"),
        ("DREAMS.md", b"\n\xe9"),
        ("memory/2026-04-18.md", b"\xe9"),
        ("memory/2026-04-19.md", b"one\n\xf0\x9f"),
        ("memory/2026-04-20.md", b"one"),
    ]);
    let today = "2026-04-20".parse().unwrap();
    let told = |audience| places(&workspace.misread_in_prompts(audience, today).unwrap());
    assert_eq!(
        told(Audience::PrimarySession),
        ["AGENTS.md:1", "MEMORY.md:3", "memory/2026-04-19.md:2"]
    );
    assert_eq!(told(Audience::EverySession), ["AGENTS.md:1"]);
    assert_eq!(
        places(&workspace.misread_files().unwrap()),
        [
            "AGENTS.md:1",
            "DREAMS.md:2",
            "MEMORY.md:3",
            "memory/2026-04-18.md:1",
            "memory/2026-04-19.md:2",
        ]
    );
}

proptest! {
    #[test]
    fn misread_line_is_first_that_reads_differently(
        pieces in prop::collection::vec(
            prop::sample::select(vec![&b"a"[..], b"\n", "é".as_bytes(), "🙂".as_bytes(), b"\xe9", b"\xf0\x9f", b"\0"]),
            0..12,
        ),
    ) {
        let bytes = pieces.concat();
        let text = readable(&bytes);
        let n_alike = text.bytes().zip(&bytes).take_while(|(read, byte)| read == *byte).count();
        let line = bytes[..n_alike].split(|byte| *byte == b'\n').count();
        prop_assert_eq!(misread_line(&bytes), (text.as_bytes() != bytes).then_some(line));
    }
}
