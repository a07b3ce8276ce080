//! `openclaw backup`: packs the home into one file.
//!
//! Never changes the home; a chat may run at the same time.

use base::shell_word;
use cli::wiring::KeyOptions;
use encryption::Recipients;

use crate::backup::{Made, make, name};
use crate::prelude::*;

#[derive(Debug, Args)]
#[command(after_help = "\
The index is not backed up: it can be rebuilt. Exits with 1 if a file could not
be read; the backup then contains all others.

Encrypted backups use the `age` format, so `age` can decrypt them too. Without a
key option, backup.recipientFile or backup.passphraseFile is used. Keep the key
outside the home: without it, nobody can read the backup.

Examples:
  openclaw backup
  openclaw backup /mnt/disk/openclaw.tar.gz
  openclaw backup /mnt/disk --recipient age1l7wg9m9v...
  openclaw backup /mnt/disk --passphrase-file ~/secret")]
pub(crate) struct Arguments {
    /// File to write, or a directory for a file named after the time
    /// [default: the current directory]
    #[arg(value_name = "FILE|DIR")]
    file: Option<PathBuf>,
    /// Encrypt to this public key; may be repeated
    #[arg(long, value_name = "KEY", help_heading = "Encryption")]
    #[arg(conflicts_with_all = ["identity", "passphrase_file"])]
    recipient: Vec<String>,
    #[command(flatten)]
    key: KeyOptions,
}

pub(crate) fn run(arguments: &Arguments, context: &mut Context) -> Result<Exit> {
    // A backup holds the home's locks while it reads, and a lock is a file.
    context.refuse_in_sandbox("a backup")?;
    let home = context.existing_home()?;
    let recipients = recipients(arguments, context, &home)?;
    let given = arguments.file.clone().unwrap_or_else(|| PathBuf::from("."));
    let stat = context.host.disk.stat(&given)?;
    if stat.is_none() && given.as_os_str().as_encoded_bytes().ends_with(b"/") {
        let message = format!("the directory {} does not exist", given.display());
        let create = format!("create it with `mkdir -p {}`", shell_word(&given));
        return Err(CliError::new(ErrorKind::NotFound, message).hint(create));
    }
    let file = if stat.is_some_and(|stat| stat.is_dir) {
        given.join(name(
            "openclaw-",
            context.host.clock.now(),
            recipients.as_ref(),
        ))
    } else {
        given
    };
    if recipients.is_none() && file.extension().is_some_and(|it| it == "age") {
        let message = format!(
            "{} is named like an encrypted file, but no key is given",
            file.display()
        );
        return Err(CliError::new(ErrorKind::Usage, message)
            .hint("pass `--recipient KEY`, `--identity FILE` or `--passphrase-file FILE`")
            .hint("or choose a name that ends in .tar.gz"));
    }
    let made = make(context.host, &home, &file, recipients.as_ref())?;
    if let Some(reason) = &made.unsteady {
        context.output.warn(&format!(
            "notes may have changed while they were being packed: {reason}"
        ));
    }
    for it in &made.left_out {
        let warning = format!("skipped {}: {}", it.path, it.reason);
        context.output.warn(&warning);
    }
    let is_whole = made.missing().next().is_none();
    context.emit(&made)?;
    Ok(if is_whole { Exit::Done } else { Exit::Failure })
}

/// The recipients from the options, or else from the settings.
fn recipients(
    arguments: &Arguments,
    context: &mut Context,
    home: &Home,
) -> Result<Option<Recipients>> {
    if !arguments.recipient.is_empty() {
        let parsed = Recipients::parse(&arguments.recipient.join("\n"));
        // Do not print the argument: it may be a secret key by mistake.
        return parsed.map(Some).map_err(|_| {
            let message = "`--recipient` is not a public key of age, which begins with `age1`";
            CliError::new(ErrorKind::Usage, message)
                .hint("`age-keygen -y FILE` shows the public key of a secret key")
        });
    }
    if let Some(key) = arguments.key.key(&*context.host.disk)? {
        return Ok(Some(key.recipients()));
    }
    let settings = context.settings_of(home)?.backup;
    wiring::backup_recipients(&settings, context.host, home)
}

impl Report for Made {
    fn json(&self) -> Value {
        json!(self)
    }

    fn human(&self, _: Stream) -> String {
        let files = counted(self.files as u64, "file", "files");
        let bytes = counted(self.bytes, "byte", "bytes");
        let encrypted = if self.encrypted { ", encrypted" } else { "" };
        format!("{}  {files}, {bytes}{encrypted}\n", self.file)
    }
}
