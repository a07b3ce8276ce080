//! A running service, and requests to it byte by byte, as a client or an attacker sends them.
//!
//! Uses no HTTP library, so that exactly the bytes in the test are sent.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStderr, Command, Stdio};

use crate::TestHome;
use serde_json::Value;

/// A service in its own process.
pub struct HttpService {
    child: Child,
    told: BufReader<ChildStderr>,
    /// Its stderr until it began to listen.
    told_first: String,
    /// Its address, as `127.0.0.1:PORT`.
    pub at: String,
    /// The access token, which requests send.
    pub token: String,
}

/// The response to a request.
#[derive(Debug)]
pub struct Answered {
    /// The status code; 0 if there was no response.
    pub status: u16,
    /// The status line and the headers.
    pub head: String,
    /// The body, without the framing of chunks.
    pub body: String,
}

impl Answered {
    /// The value of a header; `None` if it is missing.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines
            .find(|(own, _)| own.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
    }

    /// Parses the body as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    /// Asserts the status.
    #[track_caller]
    #[expect(
        clippy::return_self_not_must_use,
        reason = "the status may be all that matters"
    )]
    pub fn with_status(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{self:?}");
        self
    }
}

impl HttpService {
    /// Starts `openclaw serve` in a home.
    pub fn begin(home: &TestHome, arguments: &[&str]) -> Self {
        let serve = ["serve", "--listen", "127.0.0.1:0"];
        let arguments: Vec<&str> = arguments.iter().copied().chain(serve).collect();
        let mut command = home.command(&arguments);
        command.env("HOME", home.folder());
        let mut service = Self::of(command);
        home.read("state/token")
            .trim()
            .clone_into(&mut service.token);
        service
    }

    /// Starts a service with this command. Its token is not known.
    pub fn of(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut told = BufReader::new(child.stderr.take().unwrap());
        let mut told_first = String::new();
        let at = loop {
            let mut line = String::new();
            assert!(told.read_line(&mut line).unwrap() > 0, "it does not serve");
            told_first.push_str(&line);
            // A warning may contain the address of a model server, which has a path.
            let named = line.split_once("http://").map(|(_, rest)| rest);
            let own = named.and_then(|rest| rest.split([' ', '\n']).next());
            if let Some(at) = own.and_then(|url| url.trim_end_matches('.').strip_suffix('/')) {
                break at.to_owned();
            }
        };
        Self {
            child,
            told,
            told_first,
            at,
            token: String::new(),
        }
    }

    /// Sends bytes, and reads until the service closes the connection.
    pub fn send(&self, bytes: &[u8]) -> Answered {
        let mut stream = TcpStream::connect(&self.at).unwrap();
        stream.write_all(bytes).unwrap();
        answered(&mut stream)
    }

    /// Sends a request with these header lines and this body.
    pub fn ask(&self, line: &str, headers: &[&str], body: &str) -> Answered {
        self.send(self.request(line, headers, body).as_bytes())
    }

    /// The bytes of a request. `Host` is the service's own address unless the headers name one.
    pub fn request(&self, line: &str, headers: &[&str], body: &str) -> String {
        let own = format!("Host: {}", self.at);
        let is_named = headers.iter().any(|header| header.starts_with("Host:"));
        let own = [own.as_str()].into_iter().filter(|_| !is_named);
        let lines: Vec<&str> = own.chain(headers.iter().copied()).collect();
        let lines = lines.join("\r\n");
        let head = format!("{line} HTTP/1.1\r\nConnection: close\r\n{lines}\r\n");
        format!("{head}Content-Length: {}\r\n\r\n{body}", body.len())
    }

    /// The authorization header with the token.
    pub fn bearer(&self) -> String {
        format!("Authorization: Bearer {}", self.token)
    }

    /// Sends a GET request with the token.
    pub fn get(&self, path: &str) -> Answered {
        self.ask(&format!("GET {path}"), &[&self.bearer()], "")
    }

    /// Sends a POST request with the token and a JSON body.
    pub fn post(&self, path: &str, body: &Value) -> Answered {
        let headers = [&*self.bearer(), "Content-Type: application/json"];
        self.ask(&format!("POST {path}"), &headers, &body.to_string())
    }

    /// Sends a GET request with the token, and returns the JSON of a successful response.
    #[track_caller]
    pub fn get_json(&self, path: &str) -> Value {
        self.get(path).with_status(200).json()
    }

    /// Sends a POST request with the token and a JSON body, and returns the JSON of a successful response.
    #[track_caller]
    pub fn post_json(&self, path: &str, body: &Value) -> Value {
        self.post(path, body).with_status(200).json()
    }

    /// Ends the service, and returns its whole stderr.
    pub fn end(mut self) -> String {
        let id = self.child.id().to_string();
        let asked = Command::new("kill").args(["-TERM", &id]).status().unwrap();
        assert!(asked.success());
        let mut told = std::mem::take(&mut self.told_first);
        self.told.read_to_string(&mut told).unwrap();
        assert_eq!(self.child.wait().unwrap().code(), Some(0), "{told}");
        told
    }
}

impl Drop for HttpService {
    fn drop(&mut self) {
        // The process may already have ended.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Reads a response to its end.
pub fn answered(stream: &mut impl Read) -> Answered {
    let mut bytes = Vec::new();
    // A service that rejects a request may close the connection before all of it is sent.
    drop(stream.read_to_end(&mut bytes));
    let text = String::from_utf8_lossy(&bytes);
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok());
    let is_chunked = head.to_lowercase().contains("transfer-encoding: chunked");
    Answered {
        status: status.unwrap_or(0),
        head: head.to_owned(),
        body: if is_chunked {
            unchunked(body)
        } else {
            body.to_owned()
        },
    }
}

fn unchunked(mut body: &str) -> String {
    let mut whole = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).unwrap_or(0);
        let Some((chunk, after)) = rest.split_at_checked(size) else {
            break;
        };
        whole.push_str(chunk);
        body = after.strip_prefix("\r\n").unwrap_or_default();
    }
    whole
}
