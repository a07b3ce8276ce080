//! A chat at a terminal: keys that are pressed before the chat reads them.
//!
//! The terminal is one of the system, without a screen.

use std::fs::File;
use std::io::Write;
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{read, retry_on_intr};
use rustix::pty::{OpenptFlags, grantpt, ioctl_tiocgptpeer, openpt, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};
use testkit::{ServerAnswer, TestHome, Transcript, Words};

use crate::chat_with_model::{begun, home, reply, server};

pub(crate) struct Terminal {
    pub(crate) keys: File,
    shown: String,
    pub(crate) child: Child,
}

/// How long a terminal that waits for something may show nothing.
const SILENCE_MAX: Timespec = Timespec {
    tv_sec: 120,
    tv_nsec: 0,
};

impl Terminal {
    pub(crate) fn chat(home: &TestHome) -> Self {
        Self::run(home.command("chat"))
    }

    pub(crate) fn run(command: Command) -> Self {
        Self::sized(command, 80)
    }

    /// A terminal of this many columns, in which the command runs.
    pub(crate) fn sized(mut command: Command, columns: u16) -> Self {
        // A command of another test that inherits the terminal keeps it open: its end would never be read.
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let keys = openpt(flags).unwrap();
        grantpt(&keys).unwrap();
        unlockpt(&keys).unwrap();
        resized(&keys, columns);
        let side = ioctl_tiocgptpeer(&keys, flags).unwrap();
        let child = command
            .env("TERM", "xterm")
            .stdin(side.try_clone().unwrap())
            .stdout(side.try_clone().unwrap())
            .stderr(side)
            .spawn()
            .unwrap();
        Self {
            keys: File::from(keys),
            shown: String::new(),
            child,
        }
    }

    /// Makes it this many columns wide.
    pub(crate) fn resize(&self, columns: u16) {
        resized(&self.keys, columns);
    }

    pub(crate) fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    /// Reads until the words are shown, and returns what was shown since the last call. Text that arrived after the
    /// words in the same read is kept for the next call, too.
    pub(crate) fn until(&mut self, words: &str) -> String {
        loop {
            if let Some(at) = self.shown.find(words) {
                let behind = self.shown.split_off(at + words.len());
                let shown = std::mem::replace(&mut self.shown, behind);
                return shown + &self.shown;
            }
            assert!(self.read(), "never shown: {words}: {}", self.shown);
        }
    }

    /// Presses keys once the words are shown.
    pub(crate) fn answer(&mut self, words: &str, keys: &str) {
        self.until(words);
        self.press(keys);
    }

    /// Reads a piece; `false` at the end, which is an error of this kind of file.
    fn read(&mut self) -> bool {
        let mut keys = [PollFd::new(&self.keys, PollFlags::IN)];
        // A signal of another test's child may interrupt the wait.
        let n_ready = retry_on_intr(|| poll(&mut keys, Some(&SILENCE_MAX))).unwrap();
        assert!(n_ready > 0, "nothing more is shown: {}", self.shown);
        let mut piece = [0; 1024];
        let n_read = retry_on_intr(|| read(&self.keys, &mut piece)).unwrap_or(0);
        self.shown
            .push_str(&String::from_utf8_lossy(&piece[..n_read]));
        n_read > 0
    }

    /// All that is shown until the command has ended, however it ends.
    pub(crate) fn rest(mut self) -> String {
        while self.read() {}
        self.child.wait().unwrap();
        self.shown
    }

    /// Kills the command.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Ends the input, and with it the command.
    pub(crate) fn leave(mut self) {
        self.press("\u{4}");
        self.end();
    }

    pub(crate) fn end(mut self) {
        while self.read() {}
        let status = self.child.wait().unwrap();
        assert!(status.success(), "{status}: {}", self.shown);
    }
}

fn resized(keys: impl AsFd, columns: u16) {
    let size = Winsize {
        ws_row: 24,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(keys, size).unwrap();
}

pub(crate) fn said(home: &TestHome) -> Vec<String> {
    Transcript::said(home, "main", "user")
}

#[test]
fn lines_typed_at_once_are_sent_in_order() {
    let home = TestHome::new();
    let mut terminal = Terminal::chat(&home);
    terminal.answer(
        "> ",
        "one car is red\rtwo cats are black\rthree dogs bark\r\u{4}",
    );
    terminal.end();
    let expected = ["one car is red", "two cats are black", "three dogs bark"];
    assert_eq!(said(&home), expected);
}

#[test]
fn tab_after_slash_lists_commands() {
    let home = TestHome::new();
    let mut terminal = Terminal::chat(&home);
    terminal.answer("> ", "/\t");
    terminal.answer("/exit      end the chat", "\u{3}\u{4}");
    terminal.end();
}

#[test]
fn line_typed_before_prompt_is_sent() {
    let home = TestHome::new();
    let mut terminal = Terminal::chat(&home);
    terminal.press("My aunt lives in Graz.\n");
    terminal.answer("- My aunt lives in Graz.", "\u{4}");
    terminal.end();
    assert_eq!(said(&home), ["My aunt lives in Graz."]);
}

#[test]
fn line_typed_during_reply_is_sent_after_it() {
    let server = server([begun(), reply("Very black.")]);
    let home = home(&server.url("/v1"));
    let mut terminal = Terminal::chat(&home);
    terminal.answer("> ", "Tell me a story.\r");
    terminal.answer("Once", "two cats are black\r");
    testkit::signal(&terminal.child, "-INT");
    let shown = terminal.until("Interrupted");
    // What was read may go on with the prompt, where the line belongs.
    let (during, _) = shown.split_once("Interrupted").unwrap();
    assert!(!during.contains("two cats"), "{shown}");
    terminal.answer("Very black.", "\u{4}");
    terminal.end();
    assert_eq!(said(&home), ["Tell me a story.", "two cats are black"]);
}

#[test]
fn ctrl_c_interrupts_command_waiting_for_model() {
    let server = server([
        reply("The small hall it is."),
        ServerAnswer::events([""; 0]).then_silence(),
        ServerAnswer::json(400, "no"),
    ]);
    let home = home(&server.url("/v1"));
    let mut terminal = Terminal::chat(&home);
    terminal.answer("> ", "I decided to rent the small hall.\r");
    terminal.answer("The small hall it is.", "/new\r");
    server.wait_for(2);
    testkit::signal(&terminal.child, "-INT");
    terminal.answer("interrupted", "\u{4}");
    terminal.end();
    assert_eq!(said(&home), ["I decided to rent the small hall."]);
    let logs = home.list("workspace/memory");
    let log = home.read(&format!("workspace/memory/{}", logs[0]));
    log.holds_times(1, "rent the small hall");
}

#[test]
fn sigterm_restores_terminal_modes() {
    let home = TestHome::new();
    let mut terminal = Terminal::chat(&home);
    terminal.until("> ");
    let usual = LocalModes::ECHO | LocalModes::ICANON;
    let modes = |terminal: &Terminal| tcgetattr(&terminal.keys).unwrap().local_modes & usual;
    assert_eq!(modes(&terminal), LocalModes::empty());
    testkit::signal(&terminal.child, "-TERM");
    let status = terminal.child.wait().unwrap();
    assert_eq!(status.signal(), Some(15), "{status}");
    assert_eq!(modes(&terminal), usual);
}

#[test]
fn reply_is_styled_and_verbose_chat_shows_status_line() {
    let server = server([
        reply("# Tea\nIt is **green**, see `tea.md`."),
        reply("none"),
    ]);
    let home = home(&server.url("/v1"));
    let mut terminal = Terminal::run(home.command("chat -v"));
    terminal.answer("> ", "Which tea?\r");
    let shown = terminal.until("of 64,000 tokens");
    let dressed = "\u{1b}[1mTea\u{1b}[22m";
    assert!(shown.contains(dressed), "{shown:?}");
    assert!(shown.contains("\u{1b}[1mgreen\u{1b}[22m,"), "{shown:?}");
    assert!(shown.contains("\u{1b}[36mtea.md\u{1b}[39m."), "{shown:?}");
    shown.holds("main \u{b7} some-model \u{b7} ");
    terminal.answer("> ", "\u{4}");
    terminal.end();
    let reply = &Transcript::read(&home, "main").messages()[1].text;
    assert_eq!(reply, "# Tea\nIt is **green**, see `tea.md`.");
}
