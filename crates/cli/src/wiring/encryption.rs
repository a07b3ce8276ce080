//! Keys for backups and for remote homes, from options and settings.
//!
//! Keys come from files only, so that no secret appears on a command line, in a setting or in an error.

use base::Disk;
use base::disk::{DiskError, read_all};
use encryption::{EncryptionError, Key, Recipients};

use crate::config::{BackupSettings, HomesSettings};
use crate::host::Host;
use crate::prelude::*;

/// The size of the largest key file, in bytes.
const KEY_BYTES_MAX: u64 = 1024 * 1024;

/// Where the key is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
pub struct KeyOptions {
    /// File with your secret key, as created by `age-keygen -o FILE`
    #[arg(long, value_name = "FILE", help_heading = "Encryption")]
    #[arg(conflicts_with = "passphrase_file")]
    identity: Option<PathBuf>,
    /// File with your passphrase
    #[arg(long, value_name = "FILE", help_heading = "Encryption")]
    passphrase_file: Option<PathBuf>,
}

impl KeyOptions {
    /// Reads the key that the options name; `None` without these options.
    pub fn key(&self, disk: &dyn Disk) -> Result<Option<Key>> {
        match (&self.identity, &self.passphrase_file) {
            (Some(file), _) => read(disk, file, Key::identities).map(Some),
            (None, Some(file)) => read(disk, file, Key::passphrase).map(Some),
            (None, None) => Ok(None),
        }
    }

    /// Reads the key that the options name, otherwise the one in the settings for homes in a bucket.
    pub fn key_of_homes(&self, context: &mut Context) -> Result<Option<Key>> {
        if *self != Self::default() {
            return self.key(&*context.host.disk);
        }
        let home = context.home()?;
        homes_key(&context.config(&home)?.settings.homes, context.host, &home)
    }
}

/// The place of the key that replaces another.
#[derive(Debug, Clone, Args)]
#[group(required = true, multiple = false)]
pub struct NewKeyOptions {
    /// File with your new secret key
    #[arg(long, value_name = "FILE", help_heading = "Encryption")]
    new_identity: Option<PathBuf>,
    /// File with your new passphrase
    #[arg(long, value_name = "FILE", help_heading = "Encryption")]
    new_passphrase_file: Option<PathBuf>,
}

impl NewKeyOptions {
    /// Reads the new key.
    pub fn key(self, disk: &dyn Disk) -> Result<Key> {
        let options = KeyOptions {
            identity: self.new_identity,
            passphrase_file: self.new_passphrase_file,
        };
        let missing = || CliError::new(ErrorKind::Usage, "no new key was given");
        options.key(disk)?.ok_or_else(missing)
    }
}

/// The key in the settings for homes in a bucket; `None` if it is not set.
pub fn homes_key(settings: &HomesSettings, host: &Host, home: &Home) -> Result<Option<Key>> {
    let path = |file: &String| in_home(host, home, file);
    let named = KeyOptions {
        identity: settings.identity_file.as_ref().map(path),
        passphrase_file: settings.passphrase_file.as_ref().map(path),
    };
    named.key(&*host.disk)
}

/// The recipients in the backup settings. `None` means that backups are not encrypted.
pub fn backup_recipients(
    settings: &BackupSettings,
    host: &Host,
    home: &Home,
) -> Result<Option<Recipients>> {
    let disk = &*host.disk;
    let path = |file: &String| in_home(host, home, file);
    if let Some(file) = &settings.recipient_file {
        return read(disk, &path(file), Recipients::parse).map(Some);
    }
    let passphrase = settings.passphrase_file.as_ref();
    let key = passphrase.map(|file| read(disk, &path(file), Key::passphrase));
    Ok(key.transpose()?.map(|key| key.recipients()))
}

/// The path for a setting: `~/` is the user's home directory, and other paths are relative to the home.
pub fn in_home(host: &Host, home: &Home, file: &str) -> PathBuf {
    home.root().join(host.environment.expand_home(file))
}

fn read<T>(
    disk: &dyn Disk,
    file: &Path,
    parse: fn(&str) -> Result<T, EncryptionError>,
) -> Result<T> {
    let doing = |error: DiskError| CliError::from(error).doing("reading a key");
    let bytes = read_all(disk, file, KEY_BYTES_MAX).map_err(doing)?;
    let parsed = parse(&String::from_utf8_lossy(&bytes));
    parsed.map_err(|error| {
        let message = format!("{} does not contain a key", file.display());
        CliError::new(ErrorKind::Input, message)
            .caused_by(error.to_string())
            .hint("`age-keygen -o FILE` creates a key; `age-keygen -y FILE` prints its public key")
            .hint("or put a passphrase in a file and pass `--passphrase-file FILE`")
    })
}
