//! Puts lines back into a note that was edited since they were taken out of it.
//!
//! Pure; every byte of the note stays.

use crate::daily_log::without_note_comment;

/// The lines that a note lost are in `before` and not in `after`. Each run of them is put below the line that was above
/// it, or else above the line that was below it, or else at the end of `current`.
pub(super) fn put_back(before: &[u8], after: &[u8], current: &[u8]) -> Vec<u8> {
    let (before, after) = (lines(before), lines(after));
    let mut note: Vec<Vec<u8>> = lines(current).iter().map(|line| line.to_vec()).collect();
    let is_kept = kept(&before, &after);
    let mut start = 0;
    while start < before.len() {
        let rest = is_kept.get(start..).unwrap_or_default();
        if rest.first() == Some(&true) {
            start += 1;
            continue;
        }
        let n_gone = rest.iter().take_while(|is_kept| !**is_kept).count();
        let run = before.get(start..start + n_gone).unwrap_or_default();
        let place = place_of(&before, &is_kept, (start, n_gone), &note);
        if place == note.len()
            && let Some(last) = note.last_mut()
            && !last.ends_with(b"\n")
        {
            last.push(b'\n');
        }
        let is_last = place == note.len();
        let run = run
            .iter()
            .map(|line| if is_last { line.to_vec() } else { ended(line) });
        note.splice(place..place, run);
        start += n_gone;
    }
    note.concat()
}

fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|byte| *byte == b'\n').collect()
}

fn ended(line: &[u8]) -> Vec<u8> {
    let mut line = line.to_vec();
    if !line.ends_with(b"\n") {
        line.push(b'\n');
    }
    line
}

/// Marks the lines of `before` that are still in `after`, which is the same text without some lines.
fn kept(before: &[&[u8]], after: &[&[u8]]) -> Vec<bool> {
    let mut left = after.iter().peekable();
    let is_next = |line: &&[u8]| left.next_if(|next| same(next, line)).is_some();
    before.iter().map(is_next).collect()
}

/// The index in `note` at which a run of lost lines is inserted.
fn place_of(
    before: &[&[u8]],
    is_kept: &[bool],
    (start, n_gone): (usize, usize),
    note: &[Vec<u8>],
) -> usize {
    let stands = |line: &[u8]| note.iter().position(|own| same(own, line));
    let neighbours = before.iter().zip(is_kept);
    let neighbours: Vec<(&[u8], bool)> = neighbours
        .map(|(line, is_kept)| (*line, *is_kept))
        .collect();
    let mut n_blank = 0;
    let above = neighbours.get(..start).unwrap_or_default().iter().rev();
    for (line, is_kept) in above {
        if line.trim_ascii().is_empty() {
            n_blank += usize::from(*is_kept);
        } else if let Some(above) = stands(line) {
            let behind = note.iter().skip(above + 1).take(n_blank);
            let n_gap = behind.take_while(|own| own.trim_ascii().is_empty()).count();
            return above + 1 + n_gap;
        } else {
            n_blank = 0;
        }
    }
    let below = neighbours.get(start + n_gone..).unwrap_or_default();
    let mut below = below
        .iter()
        .filter(|(line, _)| !line.trim_ascii().is_empty());
    below
        .find_map(|(line, _)| stands(line))
        .unwrap_or(note.len())
}

/// Whether two lines say the same: their marks and line breaks may differ.
fn same(one: &[u8], other: &[u8]) -> bool {
    let (one, other) = (String::from_utf8_lossy(one), String::from_utf8_lossy(other));
    let said = |line: &str| without_note_comment(line.trim_end()).trim_end().len();
    one.get(..said(&one)) == other.get(..said(&other))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(before: &str, after: &str, current: &str, expected: &str) {
        let note = put_back(before.as_bytes(), after.as_bytes(), current.as_bytes());
        assert_eq!(String::from_utf8(note).unwrap(), expected);
    }

    #[test]
    fn restored_lines_return_next_to_their_neighbours() {
        let (before, after) = ("# D\n\n- a\n- b\n- c\n", "# D\n\n- a\n- c\n");
        check(before, after, after, before);
        check(
            before,
            after,
            "# D\n\n- a\n- mine\n",
            "# D\n\n- a\n- b\n- mine\n",
        );
        check(before, after, "- mine\n- c\n", "- mine\n- b\n- c\n");
        check(before, after, "- mine", "- mine\n- b\n");
        check(before, after, "", "- b\n");
        let first = "# D\n\n- b\n- c\n";
        check(
            before,
            first,
            "# D\n\n- b, edited\n",
            "# D\n\n- a\n- b, edited\n",
        );
        check(
            "- a\n- b",
            "- a\n",
            "- x\n- a\n- y\n",
            "- x\n- a\n- b\n- y\n",
        );
        check("- a\n- b\n- c\n", "", "- x\n", "- x\n- a\n- b\n- c\n");
    }

    proptest! {
        #[test]
        fn i9_put_back_keeps_every_line_and_restores_every_lost_line(
            before in prop::collection::vec("[a-d]{0,2}", 0..9),
            gone in prop::collection::vec(any::<bool>(), 9),
            current in prop::collection::vec("[a-f]{0,2}", 0..9),
        ) {
            let text = |lines: &[String]| lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect::<String>();
            let after = before.iter().zip(&gone).filter(|(_, gone)| !**gone);
            let after: Vec<String> = after.map(|(line, _)| line.clone()).collect();
            let note = put_back(text(&before).as_bytes(), text(&after).as_bytes(), text(&current).as_bytes());
            let note = String::from_utf8(note).unwrap();
            let n_back = before.len() - after.len();
            prop_assert_eq!(note.lines().count(), current.len() + n_back);
            let mut left = note.lines();
            for line in &current {
                prop_assert!(left.any(|found| found == line), "{:?}", note);
            }
            let whole = put_back(text(&before).as_bytes(), text(&after).as_bytes(), text(&after).as_bytes());
            let mut whole: Vec<String> = String::from_utf8(whole).unwrap().lines().map(str::to_owned).collect();
            let mut expected = before;
            whole.sort();
            expected.sort();
            prop_assert_eq!(whole, expected);
        }
    }
}
