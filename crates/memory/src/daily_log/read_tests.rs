//! A reader sees the words of a log and nothing else.

use base::Origin;
use proptest::prelude::*;

use super::*;

#[test]
fn readable_log_has_no_marks_or_records() {
    let text = "\
# 2026-04-20

- one ^1a2b3c4d
- two <!-- n:1a2b3c4d e: h:00000000 o:owner s:a -->
- torn <!-- n:1a2b e:
- mine <!-- keep --> so
- mine <!-- n:1 --> so
- mine ^my-block
";
    let expected = "\
# 2026-04-20

- one
- two
- torn
- mine <!-- keep --> so
- mine <!-- n:1 --> so
- mine ^my-block
";
    assert_eq!(without_comments(text), expected);
    let read = crate::NoteText::alone(text);
    let origins = read.lines().iter().map(crate::NoteLine::origin);
    let expected = [Origin::Owner, Origin::Owner, Origin::Agent, Origin::Owner];
    assert_eq!(origins.take(4).collect::<Vec<_>>(), expected);
    assert_eq!(read.readable(), without_comments(text));
}

proptest! {
    #[test]
    fn i16_log_reader_accepts_any_text(text in "(?s).*") {
        without_comments(&text);
    }
}
