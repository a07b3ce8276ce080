//! A proxy between the program and a model server. It records the exchanges in a file, or replays them.
//!
//! Each line of the file is one exchange, as JSON. The program's headers are not recorded, and so no API key is.

use std::fmt::Write as _;
use std::io::Write as _;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use base::disk::{OsDisk, append, read_all};
use base::{Day, head, redact, tail};
use serde_json::{Value, json};

use crate::{ChatServer, ReceivedRequest, ServerAnswer, answered};

/// The size of the largest trace, in bytes.
const TRACE_BYTES_MAX: u64 = 64 << 20;

/// Number of characters shown on each side of the first difference.
const AROUND_CHARS: usize = 30;

/// The marks around the time in a request.
const CLOCK: (&str, &str) = ("<now>", "</now>");

/// Stands for the day of a request, so that a trace can be replayed on another day.
const TODAY: &str = "<today>";

/// A recorded request and its answer.
#[derive(Debug)]
struct Exchange {
    /// Its line in the file, from 1.
    number: usize,
    line: String,
    body: Value,
    answer: ServerAnswer,
}

/// Forwards requests to a server at `upstream`, such as `127.0.0.1:8080`, and appends each exchange to a file.
pub fn record_trace(upstream: &str, path: &Path) -> ChatServer {
    let (upstream, path) = (upstream.to_owned(), PathBuf::from(path));
    ChatServer::start([]).otherwise(move |request| {
        let mut stream = TcpStream::connect(&upstream).unwrap();
        stream.write_all(&forwarded(&upstream, request)).unwrap();
        let answer = answered(&mut stream);
        let exchange = json!({
            "request": request.line,
            "body": request.body,
            "status": answer.status,
            "contentType": answer.header("content-type"),
            "answer": answer.body,
        });
        let line = format!("{}\n", redact(&exchange.to_string()));
        append(&OsDisk, &path, line.as_bytes()).unwrap();
        answer_of(&exchange)
    })
}

/// Answers from a trace, in the recorded order for each path. Rejects a request that differs from the recorded one,
/// and describes the difference.
pub fn replay_trace(path: &Path) -> ChatServer {
    let exchanges = Mutex::new(read_trace(path));
    ChatServer::start([]).otherwise(move |request| {
        let mut left = base::locked(&exchanges);
        let place = left.iter().position(|it| it.line == request.line);
        let Some(place) = place else {
            return rejection(&format!(
                "the trace has no more answers to {}",
                request.line
            ));
        };
        let exchange = left.remove(place);
        match difference(&exchange.body, &request.body) {
            Some(difference) => rejection(&format!(
                "it differs from line {} of the trace: {difference}",
                exchange.number
            )),
            None => exchange.answer,
        }
    })
}

fn read_trace(path: &Path) -> Vec<Exchange> {
    let bytes = read_all(&OsDisk, path, TRACE_BYTES_MAX).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let exchange = |(number, line): (usize, &str)| {
        let recorded: Value = serde_json::from_str(line).unwrap();
        Exchange {
            number,
            line: recorded
                .get("request")
                .and_then(Value::as_str)
                .unwrap()
                .to_owned(),
            body: recorded.get("body").cloned().unwrap_or_default(),
            answer: answer_of(&recorded),
        }
    };
    (1..).zip(text.lines()).map(exchange).collect()
}

/// The recorded answer, with one piece per event.
fn answer_of(recorded: &Value) -> ServerAnswer {
    let text = recorded["answer"].as_str().unwrap();
    let pieces: Vec<&str> = text.split_inclusive("\n\n").collect();
    let status = recorded["status"].as_u64().unwrap();
    let answer = ServerAnswer::pieces(pieces).with_status(u16::try_from(status).unwrap());
    match recorded["contentType"].as_str() {
        Some(kind) => answer.with_header("content-type", kind),
        None => answer,
    }
}

fn forwarded(upstream: &str, request: &ReceivedRequest) -> Vec<u8> {
    let mut head = format!("{} HTTP/1.1\r\nhost: {upstream}\r\n", request.line);
    for (name, value) in &request.headers {
        let is_of_connection = ["host", "connection", "content-length"].contains(&name.as_str());
        if !is_of_connection {
            write!(head, "{name}: {value}\r\n").unwrap();
        }
    }
    write!(
        head,
        "connection: close\r\ncontent-length: {}\r\n\r\n",
        request.bytes.len()
    )
    .unwrap();
    [head.as_bytes(), &request.bytes].concat()
}

fn rejection(reason: &str) -> ServerAnswer {
    ServerAnswer::json(400, &json!({ "error": { "message": reason } }).to_string())
}

/// Describes the first difference between two requests, ignoring the day and the time in them.
fn difference(recorded: &Value, asked: &Value) -> Option<String> {
    let [recorded, asked] = [recorded, asked].map(|body| {
        let (mut body, mut today) = (body.clone(), None);
        drop_clocks(&mut body, &mut today);
        let text = redact(&body.to_string()).into_owned();
        match today {
            Some(day) => text.replace(&day, TODAY),
            None => text,
        }
    });
    if recorded == asked {
        return None;
    }
    let same = recorded.chars().zip(asked.chars());
    let n_same: usize = same
        .take_while(|(recorded, asked)| recorded == asked)
        .map(|(character, _)| character.len_utf8())
        .sum();
    let (before, recorded) = recorded.split_at(n_same);
    let (_, asked) = asked.split_at(n_same);
    let before = tail(before, AROUND_CHARS);
    let [recorded, asked] =
        [recorded, asked].map(|text| format!("{before}{}", head(text, AROUND_CHARS)));
    Some(format!("it has {asked:?}, but the trace has {recorded:?}"))
}

/// Removes the times from each text in a request. Sets `today` to the day in the last of them.
fn drop_clocks(value: &mut Value, today: &mut Option<String>) {
    match value {
        Value::String(text) => *text = without_clocks(text, today),
        Value::Array(items) => items.iter_mut().for_each(|item| drop_clocks(item, today)),
        Value::Object(members) => members
            .values_mut()
            .for_each(|member| drop_clocks(member, today)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn without_clocks(text: &str, today: &mut Option<String>) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, clock)) = rest.split_once(CLOCK.0) {
        let Some((time, after)) = clock.split_once(CLOCK.1) else {
            break;
        };
        let mut words = time.split_whitespace();
        let day = words.find(|word| word.parse::<Day>().is_ok());
        *today = day.map(str::to_owned).or(today.take());
        kept.push_str(before);
        rest = after;
    }
    kept + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(text: &str) -> Value {
        json!({ "messages": [text] })
    }

    #[test]
    fn requests_that_differ_only_in_day_and_time_are_equal() {
        let first = body("on 2026-03-02: <now>Monday, 2026-03-02 08:15 (UTC)</now> tea");
        let second = body("on 2026-05-06: <now>Wednesday, 2026-05-06 23:01 (UTC)</now> tea");
        assert_eq!(difference(&first, &second), None);
    }

    #[test]
    fn text_that_only_mentions_clock_is_compared_in_full() {
        let body = |name: &str| {
            let prompt = format!("The time stands in <now>. The owner is {name}.");
            json!({ "messages": [prompt, "<now>Monday, 2026-03-02 08:15 (UTC)</now>"] })
        };
        assert!(difference(&body("Ann"), &body("Bea")).is_some());
    }

    #[test]
    fn difference_names_both_texts_around_it() {
        let told = difference(&body("green tea"), &body("green coffee"));
        let expected = r#"it has "{\"messages\":[\"green coffee\"]}", but the trace has "{\"messages\":[\"green tea\"]}""#;
        assert_eq!(told.as_deref(), Some(expected));
    }

    #[test]
    fn recorded_secret_is_redacted_and_still_matches() {
        let secret = "sk-ant-0123456789abcdef0123";
        let recorded: Value = serde_json::from_str(&redact(&body(secret).to_string())).unwrap();
        assert!(!recorded.to_string().contains(secret), "{recorded}");
        assert_eq!(difference(&recorded, &body(secret)), None);
    }
}
