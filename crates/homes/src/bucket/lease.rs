//! The lease: one object that says who works on a home, swapped by its etag.
//!
//! It keeps two holders from disturbing each other; what a former one can write is decided by the log.

use std::time::Duration;

use base::{Clock, Timestamp};
use chrono::SecondsFormat;
use serde::{Deserialize, Serialize};

use super::requests::{Etag, Requests, Written};
use crate::{HomeName, HomesError, LeaseTerms};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LeaseRecord {
    pub(crate) epoch: u64,
    pub(crate) holder: String,
    pub(crate) until: Timestamp,
}

/// A lease as it was written last.
#[derive(Debug, Clone)]
pub(crate) struct Lease {
    pub(crate) record: LeaseRecord,
    etag: Etag,
}

pub(crate) fn lease_key(home: &HomeName) -> String {
    format!("{}/lease", home.key())
}

/// Takes the lease where nobody holds it.
pub(crate) fn take(
    requests: &Requests,
    clock: &dyn Clock,
    home: &HomeName,
    terms: &LeaseTerms,
) -> Result<Lease, HomesError> {
    let found = read(requests, home)?;
    let now = clock.now();
    if let Some(held) = found.as_ref().filter(|it| it.record.until > now) {
        return Err(held_by(home, &held.record));
    }
    let record = LeaseRecord {
        epoch: found.as_ref().map_or(0, |it| it.record.epoch) + 1,
        holder: terms.holder.clone(),
        until: end(now, terms.time),
    };
    let etag = found.map(|it| it.etag);
    match write(requests, home, record.clone(), etag.as_ref())? {
        Some(lease) => Ok(lease),
        None => match read(requests, home)? {
            Some(other) => Err(held_by(home, &other.record)),
            None => Err(held_by(home, &record)),
        },
    }
}

/// Who holds a home now.
pub(crate) fn holder(
    requests: &Requests,
    clock: &dyn Clock,
    home: &HomeName,
) -> Result<Option<LeaseRecord>, HomesError> {
    let found = read(requests, home)?.map(|lease| lease.record);
    Ok(found.filter(|record| record.until > clock.now()))
}

/// Writes the lease with another end: later to renew it, now to give it back.
pub(crate) fn extend(
    requests: &Requests,
    clock: &dyn Clock,
    home: &HomeName,
    (lease, time): (&Lease, Duration),
) -> Result<Lease, HomesError> {
    let record = LeaseRecord {
        until: end(clock.now(), time),
        ..lease.record.clone()
    };
    match write(requests, home, record, Some(&lease.etag))? {
        Some(lease) => Ok(lease),
        None => Err(lost(requests, home)),
    }
}

/// That another has taken the home over, and who.
pub(crate) fn lost(requests: &Requests, home: &HomeName) -> HomesError {
    let by = match read(requests, home) {
        Ok(Some(lease)) => lease.record.holder,
        Ok(None) | Err(_) => "another".to_owned(),
    };
    HomesError::Lost {
        home: home.clone(),
        by,
    }
}

/// `None` where another was faster.
fn write(
    requests: &Requests,
    home: &HomeName,
    record: LeaseRecord,
    etag: Option<&Etag>,
) -> Result<Option<Lease>, HomesError> {
    let bytes = serde_json::to_vec(&record).map_err(|error| damaged(home, &error.to_string()))?;
    match requests.swap(&lease_key(home), bytes, etag)? {
        Written::Done(etag) => Ok(Some(Lease { record, etag })),
        // An answer that was lost on its way leaves what was written.
        Written::Refused => Ok(read(requests, home)?.filter(|found| found.record == record)),
    }
}

fn read(requests: &Requests, home: &HomeName) -> Result<Option<Lease>, HomesError> {
    let Some((bytes, etag)) = requests.read(&lease_key(home))? else {
        return Ok(None);
    };
    let record = serde_json::from_slice(&bytes);
    let record = record.map_err(|error| damaged(home, &error.to_string()))?;
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

fn damaged(home: &HomeName, reason: &str) -> HomesError {
    HomesError::Damaged {
        home: home.clone(),
        key: lease_key(home),
        reason: reason.to_owned(),
    }
}
