//! The lease of a home: an object, swapped by etag, that names the holder and the end of its term.
//!
//! The lease separates live holders; the log fences out former ones.

use std::time::Duration;

use base::{Clock, Timestamp};
use chrono::SecondsFormat;
use serde::{Deserialize, Serialize};

use super::home_requests::HomeRequests;
use super::objects::Objects;
use super::requests::{Etag, Written};
use crate::{HomeName, HomesError, LeaseTerms};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LeaseRecord {
    pub(crate) epoch: u64,
    pub(crate) holder: String,
    pub(crate) until: Timestamp,
    /// Whether the holder released the lease, and no earlier holder can write any more.
    #[serde(default)]
    pub(crate) released: bool,
}

/// A lease and the etag of its last write.
#[derive(Debug, Clone)]
pub(crate) struct Lease {
    pub(crate) record: LeaseRecord,
    etag: Etag,
    /// Whether all earlier holders are fenced out, so that they cannot write.
    pub(crate) is_fenced: bool,
    /// Whether the lease was released. A renewal under way must then not take it again.
    pub(crate) is_given_back: bool,
}

pub(crate) fn lease_key(home: &HomeName) -> String {
    format!("{}/lease", home.key())
}

/// How far the epoch skips ahead if the last one is unknown, because its holder may have been ahead of the head.
const SKIPPED_EPOCHS: u64 = 1 << 16;

/// Takes the lease if it is free, has expired, or belongs to the same holder. A damaged lease counts as free; the
/// higher epoch fences out whoever wrote it.
pub(crate) fn take(
    objects: &Objects,
    clock: &dyn Clock,
    terms: &LeaseTerms,
) -> Result<Lease, HomesError> {
    let requests = &objects.requests;
    let stored = requests.requests.read(&lease_key(&requests.home))?;
    let (bytes, etag) = stored.unzip();
    let found = match bytes.map(|bytes| decoded(requests, bytes)).transpose() {
        Err(HomesError::Damaged { .. }) => None,
        found => found?,
    };
    let now = clock.now();
    let is_held = |it: &&LeaseRecord| it.until > now && !it.released && it.holder != terms.holder;
    if let Some(held) = found.as_ref().filter(is_held) {
        return Err(held_by(&requests.home, held));
    }
    let is_fenced = found.as_ref().is_some_and(|it| it.released);
    let last_epoch = match found {
        Some(record) => record.epoch,
        None => objects
            .head()?
            .map_or(0, |(head, _)| head.epoch + SKIPPED_EPOCHS),
    };
    let record = LeaseRecord {
        epoch: last_epoch + 1,
        holder: terms.holder.clone(),
        until: end(now, terms.time),
        released: false,
    };
    if let Some(etag) = write(requests, &record, etag.as_ref())? {
        return Ok(Lease {
            record,
            etag,
            is_fenced,
            is_given_back: false,
        });
    }
    let other = read(requests)?.map_or(record, |(found, _)| found);
    Err(held_by(&requests.home, &other))
}

/// The current lease, unless it has expired.
pub(crate) fn holder(
    requests: &HomeRequests,
    clock: &dyn Clock,
) -> Result<Option<LeaseRecord>, HomesError> {
    let found = read(requests)?.map(|(record, _)| record);
    Ok(found.filter(|record| record.until > clock.now() && !record.released))
}

/// Sets the end of the lease to `time` from now. This renews the lease; zero releases it.
pub(crate) fn extend(
    requests: &HomeRequests,
    clock: &dyn Clock,
    (lease, time): (&Lease, Duration),
) -> Result<Lease, HomesError> {
    let record = LeaseRecord {
        until: end(clock.now(), time),
        released: time.is_zero() && lease.is_fenced,
        ..lease.record.clone()
    };
    match write(requests, &record, Some(&lease.etag))? {
        Some(etag) => Ok(Lease {
            record,
            etag,
            is_fenced: lease.is_fenced,
            is_given_back: time.is_zero(),
        }),
        None => Err(lost(requests)),
    }
}

/// The error for a home that another holder has taken over. Reads the lease for the holder's name.
pub(crate) fn lost(requests: &HomeRequests) -> HomesError {
    let by = match read(requests) {
        Ok(Some((record, _))) => record.holder,
        Ok(None) | Err(_) => "another holder".to_owned(),
    };
    HomesError::Lost {
        home: requests.home.clone(),
        by,
    }
}

/// Swaps the lease; returns `None` if another process was first.
fn write(
    requests: &HomeRequests,
    record: &LeaseRecord,
    etag: Option<&Etag>,
) -> Result<Option<Etag>, HomesError> {
    let key = lease_key(&requests.home);
    let bytes =
        serde_json::to_vec(record).map_err(|error| requests.damaged(&key, error.to_string()))?;
    match requests.swap(&key, bytes.clone(), etag)? {
        Written::Done(etag) => Ok(Some(etag)),
        Written::Refused => {
            let is_own = |found: &LeaseRecord| {
                (found.epoch, &found.holder) == (record.epoch, &record.holder)
            };
            let found = read(requests)?.filter(|(found, _)| is_own(found));
            // If only the response to this write or an earlier one was lost, the stored lease is the one that was
            // written.
            match found {
                Some((found, etag)) if found == *record => Ok(Some(etag)),
                Some((_, etag)) => match requests.swap(&key, bytes, Some(&etag))? {
                    Written::Done(etag) => Ok(Some(etag)),
                    Written::Refused => Ok(None),
                },
                None => Ok(None),
            }
        }
    }
}

fn read(requests: &HomeRequests) -> Result<Option<(LeaseRecord, Etag)>, HomesError> {
    let Some((bytes, etag)) = requests.requests.read(&lease_key(&requests.home))? else {
        return Ok(None);
    };
    Ok(Some((decoded(requests, bytes)?, etag)))
}

fn decoded(requests: &HomeRequests, bytes: Vec<u8>) -> Result<LeaseRecord, HomesError> {
    let key = lease_key(&requests.home);
    let record = serde_json::from_slice(&requests.opened(&key, bytes)?);
    record.map_err(|error| requests.damaged(&key, error.to_string()))
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
