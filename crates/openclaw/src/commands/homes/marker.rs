//! Records the state of this home and another after an exchange, so that the next one reads little and loses
//! nothing.
//!
//! Is local to the machine; without it, an exchange reads both homes.

use base::Disk;
use base::disk::{create_dir, read_some, replace};
use homes::{HomeName, Listing};
use serde::{Deserialize, Serialize};

use super::Address;
use crate::prelude::*;

const FILE: &str = "exchange.json";

const BYTES_MAX: u64 = 256 * 1024 * 1024;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Marker {
    address: String,
    name: String,
    /// Version of the other home.
    pub(crate) version: Option<u64>,
    /// What the other home holds at that version.
    pub(crate) listing: Listing,
}

impl Marker {
    pub(crate) fn new(
        address: &Address,
        name: &HomeName,
        version: Option<u64>,
        listing: Listing,
    ) -> Self {
        Self {
            address: address.to_string(),
            name: name.to_string(),
            version,
            listing,
        }
    }

    /// Loads the marker for this other home; `None` if there is none or it cannot be parsed.
    pub(crate) fn load(
        disk: &dyn Disk,
        home: &Home,
        address: &Address,
        name: &HomeName,
    ) -> Result<Option<Self>> {
        let path = home.locks().join(FILE);
        let Some(bytes) = read_some(disk, &path, BYTES_MAX)? else {
            return Ok(None);
        };
        let found = serde_json::from_slice::<Self>(&bytes).ok();
        Ok(found.filter(|it| it.address == address.to_string() && it.name == name.to_string()))
    }

    pub(crate) fn save(&self, disk: &dyn Disk, home: &Home) -> Result<(), base::disk::DiskError> {
        let directory = home.locks();
        create_dir(disk, &directory)?;
        let path = directory.join(FILE);
        let bytes = serde_json::to_vec(self).map_err(std::io::Error::from);
        let bytes = bytes.map_err(base::disk::DiskError::on("write", &path))?;
        replace(disk, &path, &bytes)
    }
}
