//! Records in the comments of earlier versions.

use crate::NoteText;

use super::*;

#[test]
fn record_in_a_comment_is_read_from_edited_lines_too() {
    let line = "- Uses RS256 <!-- n:1a2b3c4d e:e1,e%2C2 h:bb0f7a31 o:agent -->";
    for (line, item) in [
        (line.to_owned(), "Uses RS256"),
        (line.replace("- Uses", "  *  Uses"), "Uses RS256"),
        (line.replace("RS", "ES"), "Uses ES256"),
    ] {
        let read = NoteText::alone(&line);
        let read = &read.lines()[0];
        assert_eq!((read.item(), read.id()), (item, Some("1a2b3c4d")));
        let entries: Vec<EntryId> = read.record().unwrap().entries().collect();
        assert_eq!(entries, ["e1", "e,2"].map(EntryId::new));
    }
    for other in [
        "- by hand",
        "- by hand <!-- n:1 -->",
        &format!("{line} more"),
        &line.replace("agent", "king"),
    ] {
        assert_eq!(NoteText::alone(other).lines()[0].record(), None, "{other}");
    }
}
