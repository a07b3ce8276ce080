//! Standard input and output as a transport that answers a line that is not JSON; the library would skip it.
//!
//! Independent of methods.

use std::future::Future;
use std::io;

use rmcp::RoleServer;
use rmcp::model::ErrorData;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use serde::de::IgnoredAny;
use tokio::io::{
    AsyncBufRead, AsyncBufReadExt, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader,
    DuplexStream, Stdout, duplex, stdin, stdout,
};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Bytes of lines that wait for the transport.
const WAITING_MAX: usize = 64 * 1024;

/// Longest line that is checked; the transport refuses longer ones.
const LINE_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// The transport.
pub(super) struct CheckedLines {
    inner: AsyncRwTransport<RoleServer, DuplexStream, Stdout>,
    refused: UnboundedReceiver<String>,
}

impl CheckedLines {
    /// Begins to read standard input.
    pub(super) fn of_stdio() -> Self {
        let (checked, lines) = duplex(WAITING_MAX);
        let (refuse, refused) = unbounded_channel();
        tokio::spawn(async move { pass_on(BufReader::new(stdin()), checked, refuse).await });
        Self {
            inner: AsyncRwTransport::new_server(lines, stdout()),
            refused,
        }
    }
}

impl Transport<RoleServer> for CheckedLines {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let reason = tokio::select! {
                // First, since the end of the input would end the server before it has answered.
                biased;
                Some(reason) = self.refused.recv() => reason,
                message = self.inner.receive() => return message,
            };
            let answer = ErrorData::parse_error(reason, None);
            let answer = TxJsonRpcMessage::<RoleServer>::error(answer, None);
            self.inner.send(answer).await.ok()?;
        }
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        self.inner.close().await
    }
}

/// Passes on the lines that are JSON, and the reason why one is not.
async fn pass_on(
    mut lines: impl AsyncBufRead + Unpin,
    mut checked: impl AsyncWrite + Unpin,
    refuse: UnboundedSender<String>,
) {
    let mut line = Vec::new();
    let mut is_rest = false;
    loop {
        line.clear();
        let mut limited = (&mut lines).take(LINE_BYTES_MAX);
        match limited.read_until(b'\n', &mut line).await {
            // At the end, or if nothing can be read any more.
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let is_end = line.ends_with(b"\n");
        let reason = (is_end && !is_rest).then(|| why_no_json(&line)).flatten();
        is_rest = !is_end;
        let passed = match reason {
            Some(reason) => refuse.send(reason).is_ok(),
            None => checked.write_all(&line).await.is_ok(),
        };
        if !passed {
            return;
        }
    }
}

/// Why a line is not JSON; `None` if it is, or empty.
fn why_no_json(line: &[u8]) -> Option<String> {
    const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";
    let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
    if line.trim_ascii().is_empty() {
        return None;
    }
    let read = serde_json::from_slice::<IgnoredAny>(line);
    read.err().map(|error| {
        format!("this line is not JSON: {error}; send each message as one JSON object on one line")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_json_lines_are_forwarded() {
        let sent = "no json\n{\"a\": 1}\n\n{\"a\": \n[1, 2]\nthe end";
        let (mut passed, (refuse, mut refused)) = (Vec::new(), unbounded_channel());
        pass_on(sent.as_bytes(), &mut passed, refuse).await;
        let passed = String::from_utf8(passed).unwrap();
        assert_eq!(passed, "{\"a\": 1}\n\n[1, 2]\nthe end");
        let mut reasons = Vec::new();
        while let Some(reason) = refused.recv().await {
            reasons.push(reason);
        }
        assert_eq!(reasons.len(), 2, "{reasons:?}");
        assert!(
            reasons[0].starts_with("this line is not JSON: expected ident"),
            "{reasons:?}"
        );
    }
}
