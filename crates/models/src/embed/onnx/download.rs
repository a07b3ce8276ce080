//! Downloads a model that the owner named.
//!
//! Sends only the names of its files, and never leaves a partial file in place of a complete one.

use std::io::{self, Write};
use std::path::Path;
use std::thread;

use base::Disk;
use base::disk::{create_dir, replace_with};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode, Url};

use super::error::OnnxError;
use super::model::{OnnxModel, SPECIAL_TOKENS};
use crate::remote::{address, root_cause, with_cryptography};
use crate::{Patience, shown_address};

/// Maximum redirects; servers of large files redirect once or twice.
const REDIRECTS_MAX: usize = 5;

/// Receives the bytes downloaded and the bytes needed, as far as known.
type DownloadReporter<'a> = &'a mut (dyn FnMut(u64, u64) + Send);

impl OnnxModel {
    /// Downloads the missing files from below `base_url`; calls `on_progress` with the bytes received and the bytes
    /// expected.
    pub fn fetch(
        &self,
        disk: &dyn Disk,
        base_url: &str,
        on_progress: DownloadReporter<'_>,
    ) -> Result<(), OnnxError> {
        let Some(repository) = &self.repository else {
            return Ok(());
        };
        let mut files = self.missing(disk)?;
        if files.is_empty() {
            return Ok(());
        }
        if disk.stat(&self.directory.join(SPECIAL_TOKENS))?.is_none() {
            files.insert(0, SPECIAL_TOKENS.to_owned());
        }
        let base = address(base_url).map_err(|error| failed(base_url, &error))?;
        let base = base.join(&format!("{repository}/resolve/main/"));
        let base = base.map_err(|error| failed(base_url, &error))?;
        // The caller may be inside an async runtime, where blocking is not allowed.
        let fetched = thread::scope(|scope| {
            let fetching = scope.spawn(|| self.fetch_files(disk, (&base, &files), on_progress));
            fetching.join()
        });
        fetched.map_err(|_| failed(base_url, &"the download thread panicked"))?
    }

    fn fetch_files(
        &self,
        disk: &dyn Disk,
        (base, files): (&Url, &[String]),
        on_progress: DownloadReporter<'_>,
    ) -> Result<(), OnnxError> {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_all().build();
        let runtime = runtime.map_err(|error| failed(base.as_str(), &error))?;
        let client = client().map_err(|error| failed(base.as_str(), &root_cause(&error)))?;
        let (mut n_done, mut n_known) = (0, 0);
        for file in files {
            let url = base.join(file);
            let url = url.map_err(|error| failed(base.as_str(), &error))?;
            let asked = client.get(url.clone());
            // Sent inside the runtime, because its timeouts need the runtime's timer.
            let sent = runtime.block_on(async { asked.send().await });
            let mut response = sent.map_err(|error| failed(url.as_str(), &root_cause(&error)))?;
            if response.status() == StatusCode::NOT_FOUND && file == SPECIAL_TOKENS {
                continue;
            }
            if !response.status().is_success() {
                return Err(failed(url.as_str(), &response.status()));
            }
            n_known += response.content_length().unwrap_or(0);
            let path = self.directory.join(file);
            create_dir(disk, path.parent().unwrap_or(Path::new("")))?;
            let mut stopped = None;
            let written = replace_with(disk, &path, &mut |out| {
                let came = runtime.block_on(take(&mut response, out, &mut |n_bytes| {
                    n_done += n_bytes;
                    on_progress(n_done, n_known.max(n_done));
                }));
                came.inspect_err(|error| stopped = Some(error.to_string()))
            });
            match (written, stopped) {
                (Ok(()), _) => {}
                (Err(_), Some(reason)) => return Err(failed(url.as_str(), &reason)),
                (Err(error), None) => return Err(error.into()),
            }
        }
        Ok(())
    }
}

fn failed(url: &str, reason: &impl ToString) -> OnnxError {
    OnnxError::Download {
        url: shown_address(url),
        reason: reason.to_string(),
    }
}

/// Writes a body piece by piece; fails if it is shorter than announced.
async fn take(
    response: &mut Response,
    out: &mut dyn Write,
    on_piece: &mut (dyn FnMut(u64) + Send),
) -> io::Result<()> {
    let expected = response.content_length();
    let mut n_bytes = 0;
    let other = |error: reqwest::Error| io::Error::other(root_cause(&error));
    while let Some(piece) = response.chunk().await.map_err(other)? {
        out.write_all(&piece)?;
        n_bytes += piece.len() as u64;
        on_piece(piece.len() as u64);
    }
    let Some(expected) = expected.filter(|expected| *expected != n_bytes) else {
        return Ok(());
    };
    let reason = format!("received {n_bytes} of {expected} bytes");
    Err(io::Error::other(reason))
}

/// A client that may follow redirects, because it sends no key. Without compression, which would change the length of
/// a file.
fn client() -> Result<Client, reqwest::Error> {
    let patience = Patience::for_vectors();
    with_cryptography()
        .connect_timeout(patience.connect)
        .read_timeout(patience.silence)
        .redirect(Policy::limited(REDIRECTS_MAX))
        .no_gzip()
        .build()
}
