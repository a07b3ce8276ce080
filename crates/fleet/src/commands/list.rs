//! `openclaw-fleet list`: lists the homes of a bucket, a vault or a folder.
//!
//! Takes no lease and no lock, and writes nothing.

use cli::home::LAYOUT;
use cli::wiring::KeyOptions;
use serde::Serialize;

use super::address::{Address, HomeStore};
use super::exchange::place_in;
use crate::prelude::*;
use crate::{HomeSummary, Homes, HomesError, Listing};

#[derive(Debug, Args)]
#[command(after_help = "\
Exits with 5 if a home is damaged, and with 1 if one cannot be read. A home
that is encrypted with another key does not count as a failure.

Examples:
  openclaw-fleet list s3://claw/homes
  openclaw-fleet list file:///srv/homes --json
  openclaw-fleet list s3://claw/homes --identity ~/key.txt")]
pub(crate) struct Arguments {
    /// Bucket, vault or folder of homes: `s3://BUCKET/PREFIX`, `vault://DIRECTORY` or `file://DIRECTORY`
    #[arg(value_name = "ADDRESS")]
    address: Address,
    #[command(flatten)]
    key: KeyOptions,
}

#[derive(Debug, Serialize)]
struct HomeList {
    homes: Vec<HomeSummary>,
    #[serde(skip)]
    has_key: bool,
    /// The command to type if there are no homes.
    #[serde(skip)]
    next: String,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let key = arguments.key.key_of_homes(context)?;
    let has_key = key.is_some();
    let next = "`openclaw-fleet push ADDRESS NAME` creates one";
    arguments.address.check_there(&*context.host.disk, next)?;
    let place = arguments.address.open(context.host, key)?;
    let next = context.output.at_home(next);
    let (mut homes, mut exit) = (Vec::new(), Exit::Done);
    for name in place.homes().names()? {
        homes.push(match &place {
            HomeStore::Bucket(bucket) => match bucket.summary(&name) {
                Ok(summary) => summary,
                // The directory contains something else.
                Err(HomesError::Missing(_)) => continue,
                Err(error @ HomesError::Store { .. }) => return Err(error.into()),
                // A home that cannot be read does not hide the others.
                Err(error) => {
                    if matches!(error, HomesError::Damaged { .. }) {
                        exit = Exit::Corrupt;
                    } else if exit == Exit::Done {
                        exit = Exit::Failure;
                    }
                    HomeSummary::unread(&name, CliError::from(error).one_line())
                }
            },
            HomeStore::Folder(folder) => {
                let view = folder.read(&name)?;
                let listing = Listing::read_beside(place_in(&view), &LAYOUT, &[])?;
                HomeSummary {
                    name: name.to_string(),
                    files: listing.files.len(),
                    bytes: listing.files.values().map(|digest| digest.bytes).sum(),
                    holder: folder.holder(&name)?,
                    ..HomeSummary::default()
                }
            }
        });
    }
    context.emit(&HomeList {
        homes,
        has_key,
        next,
    })?;
    Ok(exit)
}

impl Report for HomeList {
    fn json(&self) -> Value {
        json!(self)
    }

    fn human(&self, _: Stream) -> String {
        let mut text = String::new();
        for home in &self.homes {
            if let Some(problem) = &home.problem {
                add_line!(text, "{}  {}", printable(&home.name), printable(problem));
                continue;
            }
            let files = counted(home.files as u64, "file", "files");
            let bytes = counted(home.bytes, "byte", "bytes");
            let encrypted = match (home.encrypted, self.has_key) {
                (true, _) => ", encrypted",
                (false, true) => ", not encrypted",
                (false, false) => "",
            };
            let mut held = String::new();
            if let Some(holder) = &home.holder {
                held = format!("; held by {}", printable(holder));
            }
            if let Some(until) = &home.held_until {
                held = format!("{held} until {until}");
            }
            add_line!(
                text,
                "{}  {files}, {bytes}{encrypted}{held}",
                printable(&home.name)
            );
        }
        if self.homes.is_empty() {
            add_line!(text, "no homes yet; {}", self.next);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_marks_unencrypted_homes_if_key_is_given() {
        let home = |name: &str, files, encrypted| HomeSummary {
            name: name.to_owned(),
            files,
            bytes: 9,
            version: 1,
            encrypted,
            ..HomeSummary::default()
        };
        let list = |has_key| HomeList {
            homes: vec![
                home("anna", 2, true),
                home("ben", 1, false),
                HomeSummary::unread(&"cleo".parse().unwrap(), "no file".to_owned()),
            ],
            has_key,
            next: String::new(),
        };
        let expected = "anna  2 files, 9 bytes, encrypted\n\
                        ben  1 file, 9 bytes, not encrypted\n\
                        cleo  no file\n";
        assert_eq!(list(true).human(Stream::default()), expected);
        let without = expected.replace(", not encrypted", "");
        assert_eq!(list(false).human(Stream::default()), without);
    }
}
