//! The part of a response that passes a relay.

use std::io::{Read, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use base::model::{Purpose, Request, complete_telling};
use base::{Message, TokenCount};

use super::*;
use crate::remote::{Connection, Dialect, RemoteModel};

/// Feeds `n_pieces` times a piece; returns how many pieces passed.
fn passed(shape: ReplyShape, piece: &[u8], n_pieces: usize) -> usize {
    let mut length = BoundedLength::new(shape);
    let fits = |_: &usize| length.add(piece).is_ok();
    (0..n_pieces).take_while(fits).count()
}

#[test]
fn relay_limits_only_unfinished_events_and_lines() {
    let n_pieces = 3 * EVENT_BYTES_MAX / 16;
    for (shape, piece) in [
        (ReplyShape::Events, "data: 12345678\n\n"),
        (ReplyShape::Events, "data: 123456\r\n\r\n"),
        (ReplyShape::Events, "data: 12345678\r\r"),
        (ReplyShape::Lines, "{\"text\": \"1234\"}\n"),
    ] {
        assert_eq!(
            passed(shape, piece.as_bytes(), n_pieces),
            n_pieces,
            "{piece:?}"
        );
    }
    for (shape, piece) in [
        (ReplyShape::Events, "data: 1234567890"),
        (ReplyShape::Events, "data: 123456789\n"),
        (ReplyShape::Events, "data: 12345678\r\n"),
        (ReplyShape::Lines, "{\"text\": \"123456"),
    ] {
        let n_passed = passed(shape, piece.as_bytes(), n_pieces);
        assert_eq!(n_passed, EVENT_BYTES_MAX / 16, "{piece:?}");
    }
}

#[test]
fn relay_limits_whole_reply() {
    let piece = vec![b'x'; 1024 * 1024];
    assert_eq!(
        passed(ReplyShape::Whole, &piece, 100),
        WHOLE_BYTES_MAX >> 20
    );
}

#[tokio::test]
async fn error_body_is_cut_and_rest_is_not_read() {
    let mut n_read = 0;
    let pieces =
        stream::iter(0..1_000).map(|_| Ok::<_, io::Error>(Bytes::from(vec![b'x'; 10_000])));
    let pieces = pieces.inspect(|_| n_read += 1);
    let cut: Vec<Bytes> = cut(pieces).map(Result::unwrap).collect().await;
    let n_bytes: usize = cut.iter().map(Bytes::len).sum();
    assert_eq!((n_bytes, n_read), (ERROR_BYTES_MAX, 7));
}

/// A server that sends a head and then the same piece forever; returns its address, and the bytes that it could send to
/// the connections so far.
fn endless(head: &'static str, piece: &'static str) -> (String, Arc<AtomicUsize>) {
    let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let n_sent = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&n_sent);
    std::thread::spawn(move || {
        for connection in listener.incoming() {
            let (mut connection, counted) = (connection.unwrap(), Arc::clone(&counted));
            std::thread::spawn(move || {
                let mut request = vec![0; 65_536];
                let piece = piece.repeat(65_536 / piece.len()).into_bytes();
                let read = connection.read(&mut request);
                let mut is_open = read.is_ok() && connection.write_all(head.as_bytes()).is_ok();
                while is_open {
                    is_open = connection.write_all(&piece).is_ok();
                    counted.fetch_add(piece.len(), Ordering::Relaxed);
                }
            });
        }
    });
    (url, n_sent)
}

/// Asks such a server; returns the error and how many bytes it could send.
async fn refusal(head: &'static str, piece: &'static str, silence: Duration) -> (String, usize) {
    let (url, n_sent) = endless(head, piece);
    let mut connection = Connection::new(Dialect::OpenAiCompatible, "m");
    connection.base_url = Some(url);
    connection.patience.n_retries = 0;
    connection.patience.silence = silence;
    let model = RemoteModel::new(connection).unwrap();
    let question = vec![Message::user("hi")];
    let request = Request::new(Purpose::Chat, "", question, TokenCount(100));
    let error = complete_telling(&model, &request, &mut |_| {})
        .await
        .unwrap_err();
    (error.to_string(), n_sent.load(Ordering::Relaxed))
}

const LONG: Duration = Duration::from_mins(12);

/// Sockets buffer some megabytes each.
const SENT_MAX: usize = 64 * 1024 * 1024;

/// Without a limit these requests would never end.
#[tokio::test]
async fn endless_error_body_or_line_ends_request() {
    let (error, n_sent) = refusal("HTTP/1.1 500 Internal Server Error\r\n\r\n", "x", LONG).await;
    assert!(error.contains("500"), "{error}");
    assert!(n_sent < SENT_MAX, "{n_sent}");
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: ";
    let (error, n_sent) = refusal(head, "x", LONG).await;
    assert!(error.contains("without the end of an event"), "{error}");
    assert!(n_sent < SENT_MAX, "{n_sent}");
}

#[tokio::test]
async fn endless_stream_without_content_ends_request() {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
    let empty = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\"},\"finish_reason\":null}]}\n\n";
    for piece in ["\n", ": comment\n\n", empty] {
        let asked = refusal(head, piece, Duration::from_millis(200));
        let answered = tokio::time::timeout(Duration::from_mins(1), asked).await;
        let (error, _) = answered.unwrap_or_else(|_| panic!("no end: {piece:?}"));
        assert!(
            error.contains("sent no content for 200ms"),
            "{piece:?}: {error}"
        );
    }
}
