//! Lines of a pipe or a file: each is a message or a command.
//!
//! Shows no prompt.

use std::io::{BufRead, Read, stdin};
use std::sync::mpsc;
use std::thread;

use agent::OwnerAnswer;
use tokio::sync::mpsc::unbounded_channel;

use super::ears::{Ears, Heard, Place, Wanted};

const LINE_BYTES_MAX: u64 = 4 * 1024 * 1024;

pub(super) fn listen() -> Ears {
    let (wanted, wants) = mpsc::channel();
    let (tell, heard) = unbounded_channel();
    thread::spawn(move || {
        let mut input = stdin().lock();
        for wanted in wants {
            if let Wanted::Answer { reply, .. } = wanted {
                // What is in a pipe was written before the question was asked.
                reply.send(OwnerAnswer::NobodyThere).unwrap_or_default();
                continue;
            }
            let next = next_line(&mut input);
            let is_last = !matches!(next, Heard::Line(_) | Heard::Unreadable);
            if tell.send(next).is_err() || is_last {
                return;
            }
        }
    });
    Ears {
        wanted,
        heard,
        place: Place::Lines,
    }
}

fn next_line(input: &mut impl BufRead) -> Heard {
    let mut line = Vec::new();
    match input.take(LINE_BYTES_MAX).read_until(b'\n', &mut line) {
        Ok(0) => return Heard::Ended,
        Ok(_) => {}
        Err(error) => return Heard::Failed(error.to_string()),
    }
    let is_whole = line.last() == Some(&b'\n') || (line.len() as u64) < LINE_BYTES_MAX;
    if !is_whole {
        return Heard::Failed(format!(
            "a line holds more than {} MiB",
            LINE_BYTES_MAX >> 20
        ));
    }
    match String::from_utf8(line) {
        Ok(line) => Heard::Line(line),
        Err(_) => Heard::Unreadable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i16_lines_are_heard_until_one_cannot_be() {
        let mut input: &[u8] = "one\r\n\n日記\nlast".as_bytes();
        for expected in ["one\r\n", "\n", "日記\n", "last"] {
            assert_eq!(next_line(&mut input), Heard::Line(expected.to_owned()));
        }
        assert_eq!(next_line(&mut input), Heard::Ended);
        let mut broken: &[u8] = b"\xff\xfe\nnext\n";
        assert_eq!(next_line(&mut broken), Heard::Unreadable);
        assert_eq!(next_line(&mut broken), Heard::Line("next\n".to_owned()));
        let endless = std::io::repeat(b'a');
        let failed = Heard::Failed("a line holds more than 4 MiB".to_owned());
        assert_eq!(next_line(&mut std::io::BufReader::new(endless)), failed);
    }
}
