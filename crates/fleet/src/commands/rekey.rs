//! `openclaw-fleet rekey`: changes the owner's key that opens a home in a bucket or a vault.
//!
//! Writes only the stored key of the home.

use cli::wiring::{KeyOptions, NewKeyOptions};
use serde::Serialize;

use super::address::{Address, HomeStore};
use super::holder::{terms, unless_dead};
use crate::HomeName;
use crate::prelude::*;

#[derive(Debug, Args)]
#[command(override_usage = "\
openclaw-fleet rekey [OPTIONS] --new-identity <FILE> <ADDRESS> <NAME>
       openclaw-fleet rekey --new-passphrase-file <FILE> <ADDRESS> <NAME>")]
#[command(after_help = "\
The key opens the home's own key, which stays the same. Someone who used the
old key may have kept that one, and can then read this home and later pushes.
To lock them out, pull the home and push it under another name.

Examples:
  openclaw-fleet rekey s3://claw/homes anna --identity old --new-identity new")]
pub(crate) struct Arguments {
    /// Bucket or vault: `s3://BUCKET/PREFIX` or `vault://DIRECTORY`
    #[arg(value_name = "ADDRESS")]
    address: Address,
    /// Name of the home there
    #[arg(value_name = "NAME")]
    name: HomeName,
    #[command(flatten)]
    key: KeyOptions,
    #[command(flatten)]
    new_key: NewKeyOptions,
}

#[derive(Debug, Serialize)]
struct RekeyedHome {
    address: String,
    name: String,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    context.refuse_in_sandbox("changing a key")?;
    let Arguments { address, name, .. } = arguments;
    let key = match address.folder() {
        // A folder is rejected with or without a key.
        Some(_) => None,
        None => arguments.key.key_of_homes(context)?,
    };
    let HomeStore::Bucket(bucket) = address.open(context.host, key.clone())? else {
        return Err(address.clear_folder());
    };
    address.check_there(&*context.host.disk, "check the address")?;
    let new = arguments.new_key.clone().key(&*context.host.disk)?;
    if key.is_some_and(|old| old.is_same(&new)) {
        let message = "the new key is the same as the old one";
        return Err(CliError::new(ErrorKind::Usage, message)
            .hint("make another key, such as with `age-keygen -o FILE`"));
    }
    let own = terms("openclaw-fleet rekey");
    unless_dead(&own, |terms| bucket.rekey(name, &new, terms))?;
    context.emit(&RekeyedHome {
        address: address.to_string(),
        name: name.to_string(),
    })
}

impl Report for RekeyedHome {
    fn json(&self) -> Value {
        json!(self)
    }

    fn human(&self, _: Stream) -> String {
        let name = printable(&self.name);
        format!("{name}  opens only with the new key\n")
    }
}
