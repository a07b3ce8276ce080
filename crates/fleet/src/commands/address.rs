//! Parses and opens the address of homes: a bucket, a folder, or a vault (a directory with encrypted homes).
//!
//! Reads no home.

use std::str::FromStr;

use base::Disk;
use base::disk::MemoryDisk;
use base::{VAULT_MARKER, vault_around};
use cli::home::LAYOUT;
use cli::host::Host;
use encryption::Key;

use crate::prelude::*;
use crate::{
    BucketAddress, BucketHomes, Cache, FolderHomes, Homes, check_new_vault, create_vault, is_vault,
};

/// Size limit of an object cache in memory, in bytes.
pub(super) const HELD_BYTES_MAX: u64 = 64 * 1024 * 1024;

const FOLDER: &str = "file://";
const VAULT: &str = "vault://";

/// `s3://BUCKET/PREFIX`, `vault://DIRECTORY` or `file://DIRECTORY`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Address(String);

/// The opened storage of homes.
#[derive(Debug, Clone)]
pub(super) enum HomeStore {
    Folder(Arc<FolderHomes>),
    Bucket(Arc<BucketHomes>),
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let rest = |scheme: &str| text.strip_prefix(scheme).filter(|rest| !rest.is_empty());
        for scheme in [FOLDER, VAULT] {
            if let Some(path) = rest(scheme).filter(|path| !path.starts_with('/')) {
                return Err(format!(
                    "the path of a directory is absolute, as in `{scheme}/{path}`"
                ));
            }
        }
        if [FOLDER, VAULT, "s3://"]
            .map(rest)
            .iter()
            .any(Option::is_some)
        {
            return Ok(Self(text.to_owned()));
        }
        Err("expected `s3://BUCKET/PREFIX`, `vault://DIRECTORY` or `file://DIRECTORY`".to_owned())
    }
}

impl std::fmt::Display for Address {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl Address {
    /// Opens the homes with a cache in memory; `key` encrypts them.
    pub(super) fn open(&self, host: &Host, key: Option<Key>) -> Result<HomeStore> {
        let held = || {
            let disk = Arc::new(MemoryDisk::new());
            Ok(Cache::new(disk, PathBuf::from("/"), HELD_BYTES_MAX)?)
        };
        self.open_with(host, key, held)
    }

    /// Opens the homes with this cache for objects from a bucket. Fails for a folder with a key.
    pub(super) fn open_with(
        &self,
        host: &Host,
        key: Option<Key>,
        cache: impl FnOnce() -> Result<Cache>,
    ) -> Result<HomeStore> {
        if let Some(directory) = self.folder() {
            if let Some(vault) = vault_around(&*host.disk, &directory)? {
                let vault = vault.display();
                let message = format!("{vault} is a vault, not a folder of homes");
                let hint = format!("name it as `{VAULT}{vault}`");
                return Err(CliError::new(ErrorKind::Usage, message).hint(hint));
            }
            if key.is_some() {
                let omit = "omit the key options, and override a key in the settings with \
                            `--set homes.identityFile=null` or `--set homes.passphraseFile=null`";
                let mut error = self.clear_folder();
                error.hints.insert(0, omit.to_owned());
                return Err(error);
            }
            let disk = Arc::clone(&host.disk);
            let homes = FolderHomes::new(disk, directory, LAYOUT);
            return Ok(HomeStore::Folder(Arc::new(homes)));
        }
        let address = match self.vault() {
            Some(_) if key.is_none() => {
                let message = format!("{self} is encrypted and needs a key");
                return Err(CliError::new(ErrorKind::Usage, message)
                    .hint("add `--identity FILE` or `--passphrase-file FILE`"));
            }
            Some(directory) => BucketAddress::vault(Arc::clone(&host.disk), &directory),
            None => BucketAddress::parse(&self.0, &host.environment.others.named("AWS_"))?,
        };
        let cache = cache()?;
        let clock = Arc::clone(&host.clock);
        let homes = BucketHomes::new(&address, Arc::new(cache), clock, LAYOUT)?;
        Ok(HomeStore::Bucket(Arc::new(homes.encrypted_with(key))))
    }

    /// Fails with this hint if the directory does not exist or is not a vault. Otherwise it would look like a vault
    /// without homes.
    pub(super) fn check_there(&self, disk: &dyn Disk, hint: &str) -> Result<()> {
        let Some(directory) = self.directory() else {
            return Ok(());
        };
        let place = directory.display();
        let message = if disk.stat(&directory)?.is_none() {
            format!("the directory {place} does not exist")
        } else if self.is_new_vault(disk)? {
            format!("the directory {place} is not a vault: it has no {VAULT_MARKER}")
        } else {
            return Ok(());
        };
        Err(CliError::new(ErrorKind::NotFound, message).hint(hint))
    }

    /// Whether the address is a vault that does not exist yet.
    pub(super) fn is_new_vault(&self, disk: &dyn Disk) -> Result<bool> {
        match self.vault() {
            Some(directory) => Ok(!is_vault(disk, &directory)?),
            None => Ok(false),
        }
    }

    /// Creates the vault if it does not exist yet.
    pub(super) fn create_vault(&self, disk: &dyn Disk) -> Result<()> {
        self.check_new_vault(disk)?;
        let created = self.vault().map(|directory| create_vault(disk, &directory));
        Ok(created.transpose().map(drop)?)
    }

    /// Fails if the vault neither exists nor can be created.
    pub(super) fn check_new_vault(&self, disk: &dyn Disk) -> Result<()> {
        let Some(directory) = self.vault() else {
            return Ok(());
        };
        let above = directory.parent().unwrap_or(&directory);
        if let Some(vault) = vault_around(disk, above)? {
            let (directory, vault) = (directory.display(), vault.display());
            let message = format!("{directory} is in the vault {vault}");
            return Err(CliError::new(ErrorKind::Usage, message).hint("name another directory"));
        }
        check_new_vault(disk, &directory).map_err(|error| {
            let is_in_use = error.kind() == std::io::ErrorKind::DirectoryNotEmpty;
            let error = CliError::from(error);
            if is_in_use {
                return error.hint("name a vault, or a directory that is empty or does not exist");
            }
            error
        })
    }

    /// The error for a key that is given for homes in a folder.
    pub(super) fn clear_folder(&self) -> CliError {
        let message = format!("{self} is a folder, and homes in a folder are not encrypted");
        CliError::new(ErrorKind::Usage, message)
            .hint("`openclaw backup --identity FILE` encrypts a home into one file")
            .hint("or use `vault://DIRECTORY` or `s3://BUCKET/PREFIX`, where homes are encrypted")
    }

    /// The folder of a `file://` address.
    pub(super) fn folder(&self) -> Option<PathBuf> {
        self.0.strip_prefix(FOLDER).map(PathBuf::from)
    }

    /// The directory of a `vault://` address.
    pub(super) fn vault(&self) -> Option<PathBuf> {
        self.0.strip_prefix(VAULT).map(PathBuf::from)
    }

    /// The directory on this machine that contains the homes, if there is one.
    pub(super) fn directory(&self) -> Option<PathBuf> {
        self.folder().or_else(|| self.vault())
    }
}

/// Whether neither of two paths is the other or is inside the other.
pub(super) fn are_apart(disk: &dyn Disk, one: &Path, other: &Path) -> Result<bool> {
    let one = disk.resolve(&std::path::absolute(one)?)?;
    let other = disk.resolve(&std::path::absolute(other)?)?;
    Ok(!one.starts_with(&other) && !other.starts_with(&one))
}

impl HomeStore {
    pub(super) fn homes(&self) -> Arc<dyn Homes> {
        match self {
            Self::Folder(homes) => Arc::clone(homes) as Arc<dyn Homes>,
            Self::Bucket(homes) => Arc::clone(homes) as Arc<dyn Homes>,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_accepts_bucket_or_absolute_folder() {
        for address in [
            "s3://claw",
            "s3://claw/homes",
            "file:///tmp/x",
            "file:///",
            "vault:///x",
        ] {
            assert_eq!(address.parse(), Ok(Address(address.to_owned())));
        }
        for (address, named) in [
            ("file://tmp/x", "`file:///tmp/x`"),
            ("file://", "`file://DIRECTORY`"),
            ("vault://x", "`vault:///x`"),
            ("s3://", "`s3://BUCKET/PREFIX`"),
            ("/tmp/x", "`file://DIRECTORY`"),
        ] {
            let refused = address.parse::<Address>().unwrap_err();
            assert!(refused.contains(named), "{address}: {refused}");
        }
    }
}
