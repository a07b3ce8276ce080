//! Reads the owner's input on its own thread; a pipe or a file is read line by line.
//!
//! Does not interpret the input.

use std::io::{BufRead, Read, stdin};
use std::sync::mpsc;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

use agent::OwnerAnswer;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::timeout;

/// Time limit for counting the lines left in a pipe.
const COUNTING_MAX: Duration = Duration::from_secs(1);

/// Prints above the prompt while one is shown.
pub(super) type Above = Box<dyn FnMut(String) + Send>;

/// The owner's input. The reader thread reads a line only when one is requested.
pub(super) struct Input {
    pub(super) wanted: Sender<InputRequest>,
    pub(super) heard: UnboundedReceiver<InputEvent>,
    pub(super) place: InputPlace,
}

/// Where the owner types.
pub(super) enum InputPlace {
    /// A prompt at a terminal, with a printer above it unless the terminal is dumb.
    Terminal(Option<Above>),
    Lines,
}

#[derive(Debug)]
pub(super) enum InputRequest {
    Line,
    /// A yes or no while a reply is in progress.
    Answer {
        /// The question; the answer is typed after it.
        question: String,
        agreement: Agreement,
        reply: Sender<OwnerAnswer>,
    },
}

/// The word that means yes; not `yes` itself, which may have been typed ahead as a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Agreement(pub(super) &'static str);

impl Agreement {
    pub(super) fn answer(self, word: &str) -> OwnerAnswer {
        if word.trim().eq_ignore_ascii_case(self.0) {
            OwnerAnswer::Yes
        } else {
            OwnerAnswer::No
        }
    }

    /// Whether `word` is an answer at all; an empty line is a no.
    pub(super) fn is_answered_by(self, word: &str) -> bool {
        let word = word.trim();
        ["", self.0, "n", "no"]
            .iter()
            .any(|known| word.eq_ignore_ascii_case(known))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum InputEvent {
    /// A line, or several joined by continuation.
    Line(String),
    /// A line that is not UTF-8.
    Unreadable,
    /// The end of the input, or Ctrl-C at an empty prompt.
    Ended,
    Failed(String),
}

impl Input {
    /// Serves each request with `next` on its own thread, until the input ends.
    pub(super) fn on_thread(
        place: InputPlace,
        mut next: impl FnMut(InputRequest) -> Option<InputEvent> + Send + 'static,
    ) -> Self {
        let (wanted, wants) = mpsc::channel();
        let (tell, heard) = unbounded_channel();
        thread::spawn(move || {
            for event in wants.into_iter().filter_map(&mut next) {
                let is_last = !matches!(event, InputEvent::Line(_) | InputEvent::Unreadable);
                if tell.send(event).is_err() || is_last {
                    return;
                }
            }
        });
        Self {
            wanted,
            heard,
            place,
        }
    }

    pub(super) fn want_line(&self) {
        // A reader that has stopped sent its reason, or closed the channel, which reads as the end of input.
        self.wanted.send(InputRequest::Line).unwrap_or_default();
    }

    /// Counts the messages left in the input; returns the count and whether the end was reached in time.
    pub(super) async fn count_rest(&mut self) -> (u64, bool) {
        let mut n_lines = 0;
        let counted = timeout(COUNTING_MAX, async {
            loop {
                self.want_line();
                match self.next_input().await {
                    InputEvent::Line(line) => n_lines += u64::from(!line.trim().is_empty()),
                    InputEvent::Unreadable => n_lines += 1,
                    InputEvent::Ended | InputEvent::Failed(_) => return,
                }
            }
        });
        let is_all = counted.await.is_ok();
        (n_lines, is_all)
    }

    pub(super) async fn next_input(&mut self) -> InputEvent {
        self.heard.recv().await.unwrap_or(InputEvent::Ended)
    }
}

const LINE_BYTES_MAX: u64 = 4 * 1024 * 1024;

pub(super) fn listen() -> Input {
    Input::on_thread(InputPlace::Lines, |wanted| match wanted {
        InputRequest::Line => Some(next_line(&mut stdin().lock())),
        InputRequest::Answer { reply, .. } => {
            // Text in a pipe was written before the question, so it is no answer.
            reply.send(OwnerAnswer::NobodyThere).unwrap_or_default();
            None
        }
    })
}

fn next_line(input: &mut impl BufRead) -> InputEvent {
    let mut line = Vec::new();
    match input.take(LINE_BYTES_MAX).read_until(b'\n', &mut line) {
        Ok(0) => return InputEvent::Ended,
        Ok(_) => {}
        Err(error) => return InputEvent::Failed(error.to_string()),
    }
    let is_whole = line.last() == Some(&b'\n') || (line.len() as u64) < LINE_BYTES_MAX;
    if !is_whole {
        return InputEvent::Failed(format!(
            "a line is longer than {} MiB",
            LINE_BYTES_MAX >> 20
        ));
    }
    match String::from_utf8(line) {
        Ok(line) => InputEvent::Line(line),
        Err(_) => InputEvent::Unreadable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i16_next_line_reports_unreadable_and_endless_lines() {
        let mut input: &[u8] = "one\r\n\n日記\nlast".as_bytes();
        for expected in ["one\r\n", "\n", "日記\n", "last"] {
            assert_eq!(next_line(&mut input), InputEvent::Line(expected.to_owned()));
        }
        assert_eq!(next_line(&mut input), InputEvent::Ended);
        let mut broken: &[u8] = b"\xff\xfe\nnext\n";
        assert_eq!(next_line(&mut broken), InputEvent::Unreadable);
        assert_eq!(
            next_line(&mut broken),
            InputEvent::Line("next\n".to_owned())
        );
        let endless = std::io::repeat(b'a');
        let failed = InputEvent::Failed("a line is longer than 4 MiB".to_owned());
        assert_eq!(next_line(&mut std::io::BufReader::new(endless)), failed);
    }
}
