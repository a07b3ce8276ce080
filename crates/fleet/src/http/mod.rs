//! Serves many homes on one address.
//!
//! Independent of buckets and leases.

mod home_slot;
mod homes;
mod in_use;
mod opener;

pub(crate) use homes::{Fleet, FleetSetup, FleetSite};
pub(crate) use opener::{HomeEnd, HomeKeeping, HomeOpener, OpenedHome};
