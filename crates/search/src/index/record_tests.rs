//! Tests of `record`.

use proptest::prelude::*;

use super::*;
use crate::note_source::LineOrigins;
use crate::passage::{MarkdownFile, cut_markdown};

proptest! {
    #[test]
    fn stretch_record_reads_back(text in "([-#*] )?[A-Z]?[a-z :?.\u{65e5}\n-]{0,200}") {
        let file = MarkdownFile { text: &text, title: "", day: None, origins: &LineOrigins::new(), label: None };
        cut_markdown(&file, &mut |stretch| {
            let (mut record, _) = StretchRecord::of(&stretch, WishCues::default());
            let counts: Vec<u32> = (0..record.pieces.len()).map(|n| u32::try_from(n * 1_000).unwrap()).collect();
            record.count_words(&counts);
            assert_eq!(StretchRecord::decode(&record.encode()), Some(record));
        });
    }

    #[test]
    fn i16_damaged_stretch_record_is_rejected_or_consistent(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        if let Some(record) = StretchRecord::decode(&bytes) {
            assert!(record.pieces.iter().all(|piece| record.passage_of(piece).is_some()));
        }
    }
}

#[test]
fn i16_stretch_record_rejects_oversized_numbers() {
    let mut most = vec![0xff_u8; 9];
    most.push(1);
    for begin in [&[][..], &[0], &[0, 1, 0, 0], &[0, 1, 0, 0, 1]] {
        let bytes = [begin, &most].concat();
        assert_eq!(StretchRecord::decode(&bytes), None, "{bytes:?}");
    }
}
