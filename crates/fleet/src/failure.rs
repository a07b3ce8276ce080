//! Maps a failure of homes to an error of the command line: its kind, and the command to type next.
//!
//! Keeps the error's own message.

use base::disk::DiskError;
use cli::error::{CliError, ErrorKind};

use crate::{HomesError, is_beyond_repair};

/// The hint for a bucket whose credentials are missing.
const BUCKET: &str = "`export AWS_ACCESS_KEY_ID=ID AWS_SECRET_ACCESS_KEY=KEY AWS_REGION=REGION` sets the credentials; \
     outside AWS, also set AWS_ENDPOINT_URL, and AWS_ALLOW_HTTP=true if it begins with http://";

impl From<HomesError> for CliError {
    fn from(error: HomesError) -> Self {
        if let HomesError::Disk(error) = error {
            // A home in a bucket reports its failures as disk errors; the cause is a [`HomesError`].
            return match error.source.downcast::<HomesError>() {
                Ok(reason) => reason.into(),
                Err(source) => DiskError { source, ..error }.into(),
            };
        }
        let (kind, hints) = kind_and_hints(&error);
        hints
            .into_iter()
            .fold(Self::from_error(kind, &error), Self::hint)
    }
}

fn kind_and_hints(error: &HomesError) -> (ErrorKind, Vec<String>) {
    let (kind, hint) = match error {
        HomesError::Held { .. } => (
            ErrorKind::Locked,
            "wait until it finishes or its lease ends, and run the same command again",
        ),
        HomesError::Lost { .. } | HomesError::Stopped { .. } => {
            (ErrorKind::Locked, "run the same command again")
        }
        HomesError::Missing(_) => (
            ErrorKind::NotFound,
            "`openclaw-fleet list ADDRESS` lists those that exist",
        ),
        HomesError::NotHome(_) => (
            ErrorKind::Input,
            "a home has `config.yaml`, `workspace/` or `sessions/`, and `openclaw init` creates one; \
             name another folder",
        ),
        HomesError::Changed(_) => (ErrorKind::Input, "run the same command again"),
        HomesError::Damaged { home, key, .. } => return (ErrorKind::Corrupt, repair(home, key)),
        HomesError::TooNew { .. } => (ErrorKind::TooNew, "update openclaw-fleet"),
        HomesError::Encrypted(_) => (
            ErrorKind::Input,
            "pass its key with `--identity FILE`, or its passphrase with `--passphrase-file FILE`",
        ),
        HomesError::NotEncrypted(_) => (
            ErrorKind::Input,
            "omit the key, or push under another name: `openclaw-fleet push ADDRESS NAME --identity FILE`",
        ),
        HomesError::WrongKey { .. } => (
            ErrorKind::Input,
            "nothing was written; pass the key of its first push or last `openclaw-fleet rekey`: \
             `--identity FILE` or `--passphrase-file FILE`",
        ),
        HomesError::Store { .. } => {
            let hint = format!("check the address; {BUCKET}");
            return (ErrorKind::Disk, vec![hint]);
        }
        HomesError::Address { .. } | HomesError::Disk(_) => (ErrorKind::Input, BUCKET),
    };
    (kind, vec![hint.to_owned()])
}

/// The commands that show the files of a damaged object, and that repair them.
fn repair(home: &crate::HomeName, key: &str) -> Vec<String> {
    let push = if is_beyond_repair(key) {
        "`openclaw-fleet push ADDRESS NAME` stores it under another name, from a machine that has this home"
    } else {
        "`openclaw-fleet push ADDRESS NAME --overwrite` repairs it from a machine that has this home"
    };
    vec![
        format!("`openclaw-fleet verify ADDRESS {home}` shows which files are affected"),
        push.to_owned(),
    ]
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::path::Path;

    use super::*;

    #[test]
    fn disk_error_caused_by_home_is_reported_as_its_cause() {
        let lost = || HomesError::Lost {
            home: "anna".parse().unwrap(),
            by: "another".to_owned(),
        };
        let wrapped = DiskError::on("write", Path::new("/anna/a.md"))(io::Error::other(lost()));
        assert_eq!(
            CliError::from(HomesError::Disk(wrapped)),
            CliError::from(lost())
        );
        let full = || {
            let full = io::Error::new(io::ErrorKind::StorageFull, "full");
            DiskError::on("write", Path::new("/anna/a.md"))(full)
        };
        assert_eq!(
            CliError::from(HomesError::Disk(full())),
            CliError::from(full())
        );
    }
}
