//! Parses and opens the address of homes: a bucket or a folder.
//!
//! Reads no home.

use std::str::FromStr;

use base::Disk;
use base::disk::MemoryDisk;
use homes::{BucketAddress, BucketHomes, Cache, FolderHomes, Homes, Key};

use crate::home::LAYOUT;
use crate::host::Host;
use crate::prelude::*;

/// Size limit of the object cache in memory during an exchange, in bytes.
const HELD_BYTES_MAX: u64 = 64 * 1024 * 1024;

const FOLDER: &str = "file://";

/// `s3://BUCKET/PREFIX` or `file://DIRECTORY`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Address(String);

/// Opened storage of homes.
#[derive(Debug, Clone)]
pub(crate) enum HomeStore {
    Folder(Arc<FolderHomes>),
    Bucket(Arc<BucketHomes>),
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let rest = |scheme: &str| text.strip_prefix(scheme).filter(|rest| !rest.is_empty());
        match (rest(FOLDER), rest("s3://")) {
            (Some(path), _) if !path.starts_with('/') => Err(format!(
                "the path of a folder is absolute, as in `{FOLDER}/{path}`"
            )),
            (None, None) => Err("expected `s3://BUCKET/PREFIX` or `file://DIRECTORY`".to_owned()),
            _ => Ok(Self(text.to_owned())),
        }
    }
}

impl std::fmt::Display for Address {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl Address {
    /// Opens the homes, encrypted with `key` if given, with a cache in memory.
    pub(crate) fn open(&self, host: &Host, key: Option<Key>) -> Result<HomeStore> {
        let held = || {
            let disk = Arc::new(MemoryDisk::new());
            Ok(Cache::new(disk, PathBuf::from("/"), HELD_BYTES_MAX)?)
        };
        self.open_with(host, key, held)
    }

    /// Opens the homes with this cache for what is fetched from a bucket; fails for a folder with a key.
    pub(crate) fn open_with(
        &self,
        host: &Host,
        key: Option<Key>,
        cache: impl FnOnce() -> Result<Cache>,
    ) -> Result<HomeStore> {
        if let Some(directory) = self.folder() {
            if key.is_some() {
                let omit = "omit the key options, and override a key in the settings with \
                            `--set homes.identityFile=null`";
                let mut error = self.clear_folder();
                error.hints.insert(0, omit.to_owned());
                return Err(error);
            }
            let disk = Arc::clone(&host.disk);
            let homes = FolderHomes::new(disk, directory, LAYOUT);
            return Ok(HomeStore::Folder(Arc::new(homes)));
        }
        let cache = cache()?;
        let address = BucketAddress::parse(&self.0, &host.environment.others.named("AWS_"))?;
        let clock = Arc::clone(&host.clock);
        let homes = BucketHomes::new(&address, Arc::new(cache), clock, LAYOUT)?;
        Ok(HomeStore::Bucket(Arc::new(homes.encrypted_with(key))))
    }

    /// Fails with this hint if it is a folder that does not exist: it would look like one without homes.
    pub(super) fn check_there(&self, disk: &dyn Disk, hint: &str) -> Result<()> {
        match self.folder() {
            Some(folder) if disk.stat(&folder)?.is_none() => {
                let message = format!("the folder {} does not exist", folder.display());
                Err(CliError::new(ErrorKind::NotFound, message).hint(hint))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// The error that a key is for homes in a folder.
    pub(super) fn clear_folder(&self) -> CliError {
        let message = format!("{self} is a folder, and homes in a folder are not encrypted");
        CliError::new(ErrorKind::Usage, message)
            .hint("`openclaw backup --identity FILE` encrypts a home into one file")
            .hint("or use a bucket: `s3://BUCKET/PREFIX`")
    }

    /// The folder of a `file://` address.
    pub(crate) fn folder(&self) -> Option<PathBuf> {
        self.0.strip_prefix(FOLDER).map(PathBuf::from)
    }
}

impl HomeStore {
    pub(crate) fn homes(&self) -> Arc<dyn Homes> {
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
    fn an_address_names_a_bucket_or_an_absolute_folder() {
        for address in ["s3://claw", "s3://claw/homes", "file:///tmp/x", "file:///"] {
            assert_eq!(address.parse(), Ok(Address(address.to_owned())));
        }
        for (address, named) in [
            ("file://tmp/x", "`file:///tmp/x`"),
            ("file://", "`file://DIRECTORY`"),
            ("s3://", "`s3://BUCKET/PREFIX`"),
            ("/tmp/x", "`file://DIRECTORY`"),
        ] {
            let refused = address.parse::<Address>().unwrap_err();
            assert!(refused.contains(named), "{address}: {refused}");
        }
    }
}
