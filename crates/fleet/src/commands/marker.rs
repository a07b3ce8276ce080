//! Records the state of this home and of each other home after their last exchange, so that the next exchange reads
//! little and loses nothing.
//!
//! Markers are local to the machine; without one, an exchange reads both homes.

use base::Disk;
use base::disk::{DiskError, create_dir, read_some, replace};
use serde::{Deserialize, Serialize};

use super::address::Address;
use crate::prelude::*;
use crate::{HomeName, HomeVersion, Listing, SeenObjects};

const FILE: &str = "exchange.json";

const BYTES_MAX: u64 = 256 * 1024 * 1024;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Marker {
    address: String,
    name: String,
    /// Version of the other home.
    #[serde(rename = "homeVersion", default)]
    pub(super) version: Option<HomeVersion>,
    /// The content of the other home at that version.
    pub(super) listing: Listing,
    /// The objects of the other home that were intact; `None` keeps those of the previous marker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) objects: Option<SeenObjects>,
}

impl Marker {
    pub(super) fn new(
        address: &Address,
        name: &HomeName,
        version: Option<HomeVersion>,
        listing: Listing,
    ) -> Self {
        Self {
            address: address.to_string(),
            name: name.to_string(),
            version,
            listing,
            objects: None,
        }
    }

    /// Loads the marker for another home; `None` if there is none or it cannot be parsed.
    pub(super) fn load(
        disk: &dyn Disk,
        home: &Home,
        address: &Address,
        name: &HomeName,
    ) -> Result<Option<Self>, DiskError> {
        let (address, name) = (address.to_string(), name.to_string());
        let mut all = Self::all(disk, home)?.into_iter();
        Ok(all.find(|it| (&it.address, &it.name) == (&address, &name)))
    }

    /// The markers of all other homes.
    fn all(disk: &dyn Disk, home: &Home) -> Result<Vec<Self>, DiskError> {
        let bytes = read_some(disk, &home.locks().join(FILE), BYTES_MAX)?.unwrap_or_default();
        // Earlier versions stored only the marker of the last exchange.
        let all = serde_json::from_slice(&bytes)
            .or_else(|_| serde_json::from_slice(&bytes).map(|last| vec![last]));
        Ok(all.unwrap_or_default())
    }

    pub(super) fn save(&self, disk: &dyn Disk, home: &Home) -> Result<(), DiskError> {
        let (last, mut all): (Vec<_>, Vec<_>) = Self::all(disk, home)?
            .into_iter()
            .partition(|it| (&it.address, &it.name) == (&self.address, &self.name));
        let last = last.into_iter().find_map(|it| it.objects);
        all.push(Self {
            objects: self.objects.clone().or(last),
            ..self.clone()
        });
        let directory = home.locks();
        create_dir(disk, &directory)?;
        let path = directory.join(FILE);
        let bytes = serde_json::to_vec(&all).map_err(std::io::Error::from);
        let bytes = bytes.map_err(DiskError::on("write", &path))?;
        replace(disk, &path, &bytes)
    }
}

#[cfg(test)]
mod tests {
    use base::disk::MemoryDisk;

    use super::*;

    #[test]
    fn markers_of_different_homes_are_kept_apart() {
        let disk = MemoryDisk::new();
        let home = Home::new("/home");
        let address: Address = "file:///homes".parse().unwrap();
        let marker = |name: &str, number| {
            let name = name.parse().unwrap();
            let version = HomeVersion {
                number,
                ..HomeVersion::default()
            };
            Marker::new(&address, &name, Some(version), Listing::default())
        };
        let load = |name: &str| {
            let loaded = Marker::load(&disk, &home, &address, &name.parse().unwrap());
            loaded.unwrap()
        };
        // A marker file of an earlier version.
        create_dir(&disk, &home.locks()).unwrap();
        let last = serde_json::to_vec(&marker("anna", 1)).unwrap();
        replace(&disk, &home.locks().join(FILE), &last).unwrap();
        assert_eq!(load("anna"), Some(marker("anna", 1)));
        marker("ben", 2).save(&disk, &home).unwrap();
        marker("ben", 3).save(&disk, &home).unwrap();
        assert_eq!(load("anna"), Some(marker("anna", 1)));
        assert_eq!(load("ben"), Some(marker("ben", 3)));
        assert_eq!(load("cleo"), None);
        assert_eq!(Marker::all(&disk, &home).unwrap().len(), 2);
        replace(&disk, &home.locks().join(FILE), b"[{").unwrap();
        assert_eq!(load("anna"), None);
    }
}
