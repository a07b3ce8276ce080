//! Serves many homes on one address.
//!
//! Knows neither buckets nor leases.

mod homes;
mod in_use;
mod opener;
mod seat;

pub use homes::{Fleet, FleetSetup};
pub use opener::{HomeEnd, HomeKeeper, HomeKeeping, HomeOpener, OpenedHome};
