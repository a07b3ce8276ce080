//! Reads standard input.
//!
//! Never holds more than a limit.

use std::io::{self, Read};
use std::path::Path;

use cli::error::{CliError, ErrorKind};

/// Largest recording read from standard input, in bytes.
pub(super) const BYTES_MAX: u64 = 256 * MEBIBYTE;

/// The unit in which limits are reported.
pub(super) const MEBIBYTE: u64 = 1024 * 1024;

/// Returns `words`, or standard input without its last line ending if `words` is `-`.
pub(super) fn words_or_stdin(words: &str, what: &str, bytes_max: u64) -> Result<String, CliError> {
    if words != "-" {
        return Ok(words.to_owned());
    }
    let path = Path::new("stdin");
    let too_long = "shorten it, or put it in a workspace file";
    let bytes = bytes_of(io::stdin().lock(), path, (bytes_max, too_long))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        CliError::from_error(ErrorKind::Input, &error)
            .doing(format!("reading {what} from stdin"))
            .hint("convert it to UTF-8 and send it again")
    })?;
    let line = text.strip_suffix('\n').unwrap_or(&text);
    Ok(line.strip_suffix('\r').unwrap_or(line).to_owned())
}

/// Reads `input`, named `path` in errors, to its end; fails above `bytes_max`.
pub(super) fn bytes_of(
    input: impl Read,
    path: &Path,
    (bytes_max, too_long): (u64, &str),
) -> Result<Vec<u8>, CliError> {
    let mut bytes = Vec::new();
    let read = input.take(bytes_max + 1).read_to_end(&mut bytes);
    read.map_err(|error| {
        CliError::new(ErrorKind::Input, format!("cannot read {}", path.display()))
            .caused_by(error.to_string())
    })?;
    if bytes.len() as u64 > bytes_max {
        let most = bytes_max / MEBIBYTE;
        let message = format!("{} is larger than {most} MiB", path.display());
        return Err(CliError::new(ErrorKind::Input, message).hint(too_long));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    const BOUND: (u64, &str) = (MEBIBYTE, "say less");

    /// Yields `n_left` bytes in uneven pieces; every other read is interrupted.
    struct UnevenReader {
        n_left: u64,
        n_given: u64,
        is_interrupted: bool,
    }

    impl UnevenReader {
        fn new(n_left: u64) -> Self {
            Self {
                n_left,
                n_given: 0,
                is_interrupted: false,
            }
        }
    }

    impl Read for UnevenReader {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.is_interrupted = !self.is_interrupted;
            if self.is_interrupted {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let wanted = self.n_left.min(buffer.len() as u64).min(40_001);
            let n_given = usize::try_from(wanted).unwrap();
            buffer[..n_given].fill(b'a');
            self.n_left -= wanted;
            self.n_given += wanted;
            Ok(n_given)
        }
    }

    #[test]
    fn stdin_within_limit_is_read_whole() {
        for n_bytes in [0, 1, 40_001, MEBIBYTE] {
            let held = bytes_of(UnevenReader::new(n_bytes), Path::new("stdin"), BOUND).unwrap();
            assert_eq!(held.len() as u64, n_bytes);
            assert!(held.iter().all(|byte| *byte == b'a'));
        }
    }

    #[test]
    fn i16_endless_stdin_is_rejected_at_limit() {
        let mut endless = UnevenReader::new(u64::MAX);
        let error = bytes_of(&mut endless, Path::new("stdin"), BOUND).unwrap_err();
        assert_eq!(error.message, "stdin is larger than 1 MiB");
        assert_eq!(error.hints, ["say less"]);
        assert!(endless.n_given <= MEBIBYTE + 1, "{}", endless.n_given);
    }

    /// An input that fails.
    struct Broken;

    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the tape tore"))
        }
    }

    #[test]
    fn stdin_read_error_is_reported() {
        let error = bytes_of(Broken, Path::new("stdin"), BOUND).unwrap_err();
        assert_eq!(error.one_line(), "cannot read stdin: the tape tore");
    }
}
