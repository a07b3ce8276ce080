//! A local HTTP server that gives scripted answers, including faults, and records requests.
//!
//! Independent of any model API: a test says which bytes to send, and when to break the connection.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use serde_json::Value;

/// The server; it stops when it is dropped.
#[derive(Debug)]
pub struct ChatServer {
    address: SocketAddr,
    shared: Arc<Shared>,
}

/// A scripted answer.
#[derive(Debug, Clone)]
pub struct ServerAnswer {
    status: u16,
    headers: Vec<(String, String)>,
    pieces: Vec<Vec<u8>>,
    ending: AnswerEnding,
}

/// A recorded request.
#[derive(Debug, Clone, PartialEq)]
pub struct ReceivedRequest {
    /// The method, and the path with its query.
    pub line: String,
    /// Headers with lower-case names, in order of arrival.
    pub headers: Vec<(String, String)>,
    /// The body as JSON; `Null` if it is not JSON.
    pub body: Value,
    /// The raw body.
    pub bytes: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AnswerEnding {
    Whole,
    Cut,
    Silent,
    /// Sends no bytes at all.
    Mute,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<ChatServerState>,
    changed: Condvar,
}

/// Makes an answer for a request.
struct Maker(Box<dyn Fn(&ReceivedRequest) -> ServerAnswer + Send>);

impl std::fmt::Debug for Maker {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Maker")
    }
}

#[derive(Debug, Default)]
struct ChatServerState {
    answers: VecDeque<ServerAnswer>,
    by_path: Vec<(String, Maker)>,
    otherwise: Option<Maker>,
    asked: Vec<ReceivedRequest>,
    is_over: bool,
}

impl ServerAnswer {
    /// An answer with status 200 whose pieces are sent one by one.
    pub fn pieces<P: Into<Vec<u8>>>(pieces: impl IntoIterator<Item = P>) -> Self {
        Self {
            status: 200,
            headers: Vec::new(),
            pieces: pieces.into_iter().map(Into::into).collect(),
            ending: AnswerEnding::Whole,
        }
    }

    /// A stream of server-sent events, one per piece.
    pub fn events<E: AsRef<str>>(events: impl IntoIterator<Item = E>) -> Self {
        let event = |event: E| format!("{}\n\n", event.as_ref());
        Self::pieces(events.into_iter().map(event)).with_header("content-type", "text/event-stream")
    }

    /// A stream of JSON lines, one per piece.
    pub fn lines<L: AsRef<str>>(lines: impl IntoIterator<Item = L>) -> Self {
        let line = |line: L| format!("{}\n", line.as_ref());
        Self::pieces(lines.into_iter().map(line))
            .with_header("content-type", "application/x-ndjson")
    }

    /// A JSON body with a status.
    pub fn json(status: u16, body: &str) -> Self {
        let answer = Self::pieces([body]).with_header("content-type", "application/json");
        answer.with_status(status)
    }

    /// The same answer with another status.
    #[must_use]
    pub fn with_status(self, status: u16) -> Self {
        Self { status, ..self }
    }

    /// Adds a header.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Sends nothing and keeps the connection open.
    pub fn silence() -> Self {
        let ending = AnswerEnding::Mute;
        let pieces: [&str; 0] = [];
        Self {
            ending,
            ..Self::pieces(pieces)
        }
    }

    /// Breaks the connection after the last piece.
    #[must_use]
    pub fn cut(self) -> Self {
        let ending = AnswerEnding::Cut;
        Self { ending, ..self }
    }

    /// Sends nothing after the last piece and keeps the connection open.
    #[must_use]
    pub fn then_silence(self) -> Self {
        let ending = AnswerEnding::Silent;
        Self { ending, ..self }
    }
}

impl ChatServer {
    /// Answers requests from a script, in order; once it is used up, with status 501.
    pub fn start(answers: impl IntoIterator<Item = ServerAnswer>) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared::default());
        shared.lock().answers.extend(answers);
        let server = Arc::clone(&shared);
        thread::spawn(move || {
            for connection in listener.incoming() {
                if server.lock().is_over {
                    return;
                }
                let server = Arc::clone(&server);
                // Errors are ignored, because some tests disconnect on purpose.
                thread::spawn(move || connection.and_then(|it| server.serve(it)).ok());
            }
        });
        Self { address, shared }
    }

    /// Adds a fixed answer to every request with this line; it takes precedence over the script.
    #[must_use]
    pub fn always(self, line: &str, answer: ServerAnswer) -> Self {
        self.answering(line, move |_| answer.clone())
    }

    /// Makes the answer to every request with this line from the request itself; takes precedence over the script.
    #[must_use]
    pub fn answering(
        self,
        line: &str,
        answer: impl Fn(&ReceivedRequest) -> ServerAnswer + Send + 'static,
    ) -> Self {
        let maker = Maker(Box::new(answer));
        self.shared.lock().by_path.push((line.to_owned(), maker));
        self
    }

    /// Makes the answer to every request that neither `always`, `answering` nor the script answers.
    #[must_use]
    pub fn otherwise(
        self,
        answer: impl Fn(&ReceivedRequest) -> ServerAnswer + Send + 'static,
    ) -> Self {
        self.shared.lock().otherwise = Some(Maker(Box::new(answer)));
        self
    }

    /// The server's URL with a path, such as `/v1`.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Waits until `n_asked` requests have arrived, not counting those that [`answering`](Self::answering) matches.
    pub fn wait_for(&self, n_asked: usize) {
        let mut state = self.shared.lock();
        while state.n_scripted() < n_asked {
            let waited = self.shared.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The requests received so far.
    pub fn asked(&self) -> Vec<ReceivedRequest> {
        self.shared.lock().asked.clone()
    }
}

impl Drop for ChatServer {
    fn drop(&mut self) {
        self.shared.lock().is_over = true;
        self.shared.changed.notify_all();
        // Connects once, so that the accepting thread wakes up and sees that it should stop.
        TcpStream::connect(self.address).ok();
    }
}

impl ReceivedRequest {
    /// The value of a header; `None` if it is missing.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}

impl ChatServerState {
    fn n_scripted(&self) -> usize {
        let is_fixed =
            |asked: &&ReceivedRequest| self.by_path.iter().any(|(line, _)| *line == asked.line);
        self.asked.len() - self.asked.iter().filter(is_fixed).count()
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, ChatServerState> {
        base::locked(&self.state)
    }

    fn serve(&self, mut connection: TcpStream) -> std::io::Result<()> {
        let asked = read_request(&connection)?;
        let answer = {
            let mut state = self.lock();
            let fixed = state
                .by_path
                .iter()
                .find(|(line, _)| *line == asked.line)
                .map(|(_, maker)| (maker.0)(&asked));
            let answer = fixed.or_else(|| state.answers.pop_front());
            let answer = answer.or_else(|| state.otherwise.as_ref().map(|it| (it.0)(&asked)));
            state.asked.push(asked);
            self.changed.notify_all();
            answer
        };
        let answer = answer.unwrap_or_else(|| {
            ServerAnswer::json(501, r#"{"error":"the script of the test is over"}"#)
        });
        self.send(&answer, &mut connection)
    }

    fn send(&self, answer: &ServerAnswer, connection: &mut TcpStream) -> std::io::Result<()> {
        if answer.ending == AnswerEnding::Mute {
            self.wait_for_the_end();
            return Ok(());
        }
        let mut head = format!("HTTP/1.1 {} Scripted\r\n", answer.status);
        for (name, value) in &answer.headers {
            write!(head, "{name}: {value}\r\n").unwrap();
        }
        head.push_str("transfer-encoding: chunked\r\nconnection: close\r\n\r\n");
        connection.write_all(head.as_bytes())?;
        for piece in answer.pieces.iter().filter(|piece| !piece.is_empty()) {
            connection.write_all(format!("{:x}\r\n", piece.len()).as_bytes())?;
            connection.write_all(piece)?;
            connection.write_all(b"\r\n")?;
            connection.flush()?;
        }
        match answer.ending {
            AnswerEnding::Whole => connection.write_all(b"0\r\n\r\n"),
            AnswerEnding::Cut => Ok(()),
            AnswerEnding::Silent | AnswerEnding::Mute => {
                self.wait_for_the_end();
                Ok(())
            }
        }
    }

    fn wait_for_the_end(&self) {
        let mut state = self.lock();
        while !state.is_over {
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

fn read_request(connection: &TcpStream) -> std::io::Result<ReceivedRequest> {
    let mut reader = BufReader::new(connection);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let line = line.trim_end().trim_end_matches(" HTTP/1.1").to_owned();
    let mut headers = Vec::new();
    loop {
        let mut header = String::new();
        reader.read_line(&mut header)?;
        let Some((name, value)) = header.trim_end().split_once(':') else {
            break;
        };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let length = headers
        .iter()
        .find(|(name, _)| name == "content-length")
        .and_then(|(_, value)| value.parse().ok());
    let mut bytes = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut bytes)?;
    Ok(ReceivedRequest {
        line,
        headers,
        body: serde_json::from_slice(&bytes).unwrap_or(Value::Null),
        bytes,
    })
}
