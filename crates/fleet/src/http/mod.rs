//! Serves many homes on one address.
//!
//! Knows neither buckets nor leases.

mod homes;
mod in_use;
mod opener;
mod seat;

pub(crate) use homes::{Fleet, FleetSetup, FleetSite};
pub(crate) use opener::{HomeEnd, HomeKeeping, HomeOpener, OpenedHome};
