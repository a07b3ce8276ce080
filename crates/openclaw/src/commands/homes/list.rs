//! `openclaw homes list`: lists the homes of a bucket or a folder.
//!
//! Takes no lease and no lock, and writes nothing.

use homes::{HomePlace, HomeSummary, Homes, Listing};
use serde::Serialize;

use super::{Address, HomeStore, LAYOUT};
use crate::prelude::*;
use crate::wiring::KeyOptions;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  openclaw homes list s3://claw/homes
  openclaw homes list file:///srv/homes --json
  openclaw homes list s3://claw/homes --identity ~/key.txt")]
pub(crate) struct Arguments {
    /// Bucket or folder of homes: `s3://BUCKET/PREFIX` or `file://DIRECTORY`
    #[arg(value_name = "ADDRESS")]
    address: Address,
    #[command(flatten)]
    key: KeyOptions,
}

#[derive(Debug, Serialize)]
struct HomeList {
    homes: Vec<HomeSummary>,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let key = arguments.key.key_of_homes(context)?;
    let place = arguments.address.open(context.host, key)?;
    let mut homes = Vec::new();
    for name in place.homes().names()? {
        homes.push(match &place {
            HomeStore::Bucket(bucket) => bucket.summary(&name)?,
            HomeStore::Folder(folder) => {
                let view = folder.read(&name)?;
                let at = HomePlace {
                    disk: &*view.disk,
                    root: &view.root,
                };
                let listing = Listing::read_beside(at, &LAYOUT, &[])?;
                HomeSummary {
                    name: name.to_string(),
                    files: listing.files.len(),
                    bytes: listing.files.values().map(|digest| digest.bytes).sum(),
                    version: 0,
                    encrypted: false,
                    holder: folder.holder(&name)?,
                    held_until: None,
                }
            }
        });
    }
    context.emit(&HomeList { homes })
}

impl Report for HomeList {
    fn json(&self) -> Value {
        json!(self)
    }

    fn human(&self, _: Stream) -> String {
        let mut text = String::new();
        for home in &self.homes {
            if home.encrypted && home.files == 0 {
                add_line!(
                    text,
                    "{}  encrypted with a key that was not given",
                    printable(&home.name)
                );
                continue;
            }
            let files = counted(home.files as u64, "file", "files");
            let bytes = counted(home.bytes, "byte", "bytes");
            let encrypted = if home.encrypted { ", encrypted" } else { "" };
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
            add_line!(
                text,
                "no homes yet; `openclaw homes push ADDRESS NAME` creates one"
            );
        }
        text
    }
}
