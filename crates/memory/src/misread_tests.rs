//! Where bytes that are not UTF-8 are found, in files of any length.

use std::path::Path;

use base::Disk;
use base::disk::{MemoryDisk, replace};
use proptest::prelude::*;

use super::*;
use crate::workspace_kit::workspace_with;

fn places(misread: &[Misread]) -> Vec<String> {
    let places = misread.iter().map(|it| format!("{}:{}", it.path, it.line));
    places.collect()
}

#[test]
fn each_audience_is_told_of_what_its_prompts_show() {
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
    fn a_file_is_read_in_parts_as_it_is_at_once(
        pieces in prop::collection::vec(
            prop::sample::select(vec![&b"a"[..], b"\n", "é".as_bytes(), "🙂".as_bytes(), b"\xe9", b"\xf0\x9f", b"\0"]),
            0..12,
        ),
        part_bytes in 4_usize..9,
    ) {
        let bytes = pieces.concat();
        let disk = MemoryDisk::new();
        let path = Path::new("/notes/note.md");
        disk.create_dir(Path::new("/notes")).unwrap();
        replace(&disk, path, &bytes).unwrap();
        let file = disk.open(path).unwrap();
        prop_assert_eq!(misread_line_of(&*file, part_bytes).unwrap(), misread_line(&bytes));
        // What is read as something else than it is counts as misread, and nothing else does.
        let is_as_it_is = readable(&bytes).as_bytes() == bytes;
        prop_assert_eq!(misread_line(&bytes).is_none(), is_as_it_is);
    }
}
