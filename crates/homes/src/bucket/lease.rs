//! The lease of a home: an object, swapped by etag, that names the holder and the end of its term.
//!
//! Keeps live holders apart; it is the log that fences out a former holder.

use std::time::Duration;

use base::{Clock, Timestamp};
use chrono::SecondsFormat;
use serde::{Deserialize, Serialize};

use super::home_requests::HomeRequests;
use super::requests::{Etag, Written};
use crate::{HomeName, HomesError, LeaseTerms};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LeaseRecord {
    pub(crate) epoch: u64,
    pub(crate) holder: String,
    pub(crate) until: Timestamp,
}

/// A lease and the etag of its last write.
#[derive(Debug, Clone)]
pub(crate) struct Lease {
    pub(crate) record: LeaseRecord,
    etag: Etag,
}

pub(crate) fn lease_key(home: &HomeName) -> String {
    format!("{}/lease", home.key())
}

/// Takes the lease if it is free, has ended, or belongs to the same holder.
pub(crate) fn take(
    requests: &HomeRequests,
    clock: &dyn Clock,
    terms: &LeaseTerms,
) -> Result<Lease, HomesError> {
    let found = read(requests)?;
    let now = clock.now();
    let is_held = |it: &&Lease| it.record.until > now && it.record.holder != terms.holder;
    if let Some(held) = found.as_ref().filter(is_held) {
        return Err(held_by(&requests.home, &held.record));
    }
    let record = LeaseRecord {
        epoch: found.as_ref().map_or(0, |it| it.record.epoch) + 1,
        holder: terms.holder.clone(),
        until: end(now, terms.time),
    };
    let etag = found.map(|it| it.etag);
    if let Some(lease) = write(requests, record.clone(), etag.as_ref())? {
        return Ok(lease);
    }
    let other = read(requests)?.map_or(record, |it| it.record);
    Err(held_by(&requests.home, &other))
}

/// The lease, if it has not ended.
pub(crate) fn holder(
    requests: &HomeRequests,
    clock: &dyn Clock,
) -> Result<Option<LeaseRecord>, HomesError> {
    let found = read(requests)?.map(|lease| lease.record);
    Ok(found.filter(|record| record.until > clock.now()))
}

/// Sets the end of the lease to `time` from now: renews it, or with zero gives it back.
pub(crate) fn extend(
    requests: &HomeRequests,
    clock: &dyn Clock,
    (lease, time): (&Lease, Duration),
) -> Result<Lease, HomesError> {
    let record = LeaseRecord {
        until: end(clock.now(), time),
        ..lease.record.clone()
    };
    match write(requests, record, Some(&lease.etag))? {
        Some(lease) => Ok(lease),
        None => Err(lost(requests)),
    }
}

/// The error that another holder has taken the home over; reads the lease for its name.
pub(crate) fn lost(requests: &HomeRequests) -> HomesError {
    let by = match read(requests) {
        Ok(Some(lease)) => lease.record.holder,
        Ok(None) | Err(_) => "another holder".to_owned(),
    };
    HomesError::Lost {
        home: requests.home.clone(),
        by,
    }
}

/// Swaps the lease; `None` if another process was first.
fn write(
    requests: &HomeRequests,
    record: LeaseRecord,
    etag: Option<&Etag>,
) -> Result<Option<Lease>, HomesError> {
    let key = lease_key(&requests.home);
    let bytes =
        serde_json::to_vec(&record).map_err(|error| requests.damaged(&key, error.to_string()))?;
    match requests.swap(&key, bytes, etag)? {
        Written::Done(etag) => Ok(Some(Lease { record, etag })),
        // If only the response to our own write was lost, the stored lease is the one we wrote.
        Written::Refused => Ok(read(requests)?.filter(|found| found.record == record)),
    }
}

fn read(requests: &HomeRequests) -> Result<Option<Lease>, HomesError> {
    let key = lease_key(&requests.home);
    let Some((bytes, etag)) = requests.read(&key)? else {
        return Ok(None);
    };
    let record = serde_json::from_slice(&bytes);
    let record = record.map_err(|error| requests.damaged(&key, error.to_string()))?;
    Ok(Some(Lease { record, etag }))
}

fn end(now: Timestamp, time: Duration) -> Timestamp {
    let time = chrono::Duration::from_std(time).unwrap_or(chrono::Duration::zero());
    now.checked_add_signed(time).unwrap_or(now)
}

fn held_by(home: &HomeName, record: &LeaseRecord) -> HomesError {
    HomesError::Held {
        home: home.clone(),
        holder: record.holder.clone(),
        until: Some(record.until.to_rfc3339_opts(SecondsFormat::Secs, true)),
    }
}
