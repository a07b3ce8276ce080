//! `openclaw-fleet verify`: checks homes in a bucket or a vault for damage.
//!
//! Repairs nothing.

use cli::home::LAYOUT;
use cli::wiring::KeyOptions;
use serde::Serialize;

use super::address::{Address, HomeStore};
use crate::prelude::*;
use crate::{DamagedObject, HomeName, Homes, HomesError, Verification, is_beyond_repair};

#[derive(Debug, Args)]
#[command(after_help = "\
Exits with 5 if something is damaged, with 1 if a home cannot be read, such as
one with another key.

Examples:
  openclaw-fleet verify s3://claw/homes
  openclaw-fleet verify s3://claw/homes anna --json
  openclaw-fleet verify s3://claw/homes anna --identity ~/key.txt")]
pub(crate) struct Arguments {
    /// Bucket or vault: `s3://BUCKET/PREFIX` or `vault://DIRECTORY`
    #[arg(value_name = "ADDRESS")]
    address: Address,
    /// Home to check [default: all]
    #[arg(value_name = "NAME")]
    name: Option<HomeName>,
    #[command(flatten)]
    key: KeyOptions,
}

/// A home that could not be read, for example because the key does not open it.
#[derive(Debug, Serialize)]
struct UnopenedHome {
    name: String,
    reason: String,
}

#[derive(Debug, Serialize)]
struct HomeVerification {
    homes: Vec<Verification>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unopened: Vec<UnopenedHome>,
    #[serde(skip)]
    address: String,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    let key = arguments.key.key_of_homes(context)?;
    let Arguments { address, .. } = arguments;
    address.check_there(&*context.host.disk, "check the address")?;
    let HomeStore::Bucket(bucket) = address.open(context.host, key)? else {
        let message = "cannot verify a folder: it has no hashes to compare with";
        return Err(CliError::new(ErrorKind::Usage, message)
            .hint("`openclaw --home DIR session verify` checks the transcripts of a home"));
    };
    let names = match &arguments.name {
        Some(name) => vec![name.clone()],
        None => bucket.names()?,
    };
    let mut report = HomeVerification {
        homes: Vec::new(),
        unopened: Vec::new(),
        address: arguments.address.to_string(),
    };
    for name in &names {
        match bucket.verify(name) {
            Ok(verification) => report.homes.push(verification),
            Err(error @ HomesError::Store { .. }) => return Err(error.into()),
            // The directory contains something else.
            Err(HomesError::Missing(_)) if arguments.name.is_none() => {}
            // A home that cannot be read, for example because it has another key, does not keep the others from being
            // checked.
            Err(error) if arguments.name.is_none() => {
                report.unopened.push(UnopenedHome {
                    name: name.to_string(),
                    reason: CliError::from(error).one_line(),
                });
            }
            Err(error) => return Err(error.into()),
        }
    }
    context.emit(&report)?;
    Ok(
        if report.homes.iter().any(|home| !home.damaged.is_empty()) {
            Exit::Corrupt
        } else if report.unopened.is_empty() {
            Exit::Done
        } else {
            Exit::Failure
        },
    )
}

/// Whether the object contains only the index, which a push does not repair.
fn is_derived(object: &DamagedObject) -> bool {
    let is_derived =
        |file: &String| (LAYOUT.derived.iter()).any(|it| Path::new(file).starts_with(it));
    !object.files.is_empty() && object.files.iter().all(is_derived)
}

impl Report for HomeVerification {
    fn json(&self) -> Value {
        json!(self)
    }

    fn human(&self, _: Stream) -> String {
        let mut text = String::new();
        for home in &self.homes {
            let objects = counted(home.objects as u64, "object", "objects");
            let bytes = counted(home.bytes, "byte", "bytes");
            let name = printable(&home.name);
            let verdict = if home.damaged.is_empty() {
                "intact"
            } else {
                "damaged"
            };
            add_line!(text, "{name}  {verdict}: {objects}, {bytes}");
            for it in &home.damaged {
                let files = it.files.iter().map(|path| printable(path));
                let files = files.collect::<Vec<_>>().join(", ");
                let of = if files.is_empty() {
                    String::new()
                } else {
                    format!(" (of {files})")
                };
                add_line!(text, "  {}: {}{of}", it.key, it.reason);
            }
            if !home.damaged.is_empty() {
                let name = shlex::try_quote(&home.name).unwrap_or_default();
                let push = format!("openclaw-fleet push {}", self.address);
                let repair = if home.damaged.iter().all(is_derived) {
                    "the next search of this home rebuilds its index".to_owned()
                } else if home.damaged.iter().any(|it| is_beyond_repair(&it.key)) {
                    format!(
                        "push it under another name from a machine that has this home: `{push} NAME`"
                    )
                } else {
                    format!(
                        "repair it from a machine that has this home: `{push} {name} --overwrite`"
                    )
                };
                add_line!(text, "  {repair}");
            }
            if !home.unused.is_empty() {
                let unused = counted(home.unused.len() as u64, "object", "objects");
                add_line!(
                    text,
                    "  unreferenced: {unused}; a worker died before recording them"
                );
            }
        }
        for home in &self.unopened {
            add_line!(
                text,
                "{}  not checked: {}",
                printable(&home.name),
                home.reason
            );
        }
        text
    }
}
