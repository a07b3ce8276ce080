//! The owner's time zone: the setting, and its detection if the setting is `auto`.
//!
//! Never queries the system; takes the environment as data.

use std::fmt;

use base::Tz;
use serde::de::{Deserialize, Deserializer, Error as _};
use serde_json::Value;

use super::limited::{inline_schema, seen};
use super::suggest::nearest;
use crate::environment::Environment;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimezoneSetting {
    Auto,
    Zone(Tz),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundTimezone {
    pub zone: Tz,
    /// The reason why UTC is used instead of the owner's zone.
    pub warning: Option<String>,
}

const AUTO: &str = "auto";

impl TimezoneSetting {
    /// The effective zone: the setting, otherwise `TZ`, otherwise the machine's zone, otherwise UTC with a warning.
    pub fn find(self, environment: &Environment) -> FoundTimezone {
        let sure = |zone| FoundTimezone {
            zone,
            warning: None,
        };
        let named = match (self, &environment.tz, &environment.machine_timezone) {
            (Self::Zone(zone), _, _) => return sure(zone),
            (Self::Auto, Some(tz), _) => Some(("TZ", zone_of_tz(tz))),
            (Self::Auto, None, Some(name)) => Some(("the machine", name.as_str())),
            (Self::Auto, None, None) => None,
        };
        let warning = match named {
            Some((_, name)) if let Some(zone) = Tz::named(name) => return sure(zone),
            Some((source, name)) => {
                format!("{source} names {name:?}, which is not a known time zone")
            }
            None => "the machine's time zone is unknown".to_owned(),
        };
        FoundTimezone {
            zone: Tz::UTC,
            warning: Some(format!(
                "{warning}; days are counted in UTC until `timezone` is set"
            )),
        }
    }
}

/// The zone name in `TZ`, which may begin with a colon and be a path.
fn zone_of_tz(tz: &str) -> &str {
    let name = tz.strip_prefix(':').unwrap_or(tz);
    match name.split_once("/zoneinfo/") {
        Some((_, name)) => name,
        // POSIX: an empty TZ is UTC.
        None if name.is_empty() => "UTC",
        None => name,
    }
}

impl fmt::Display for TimezoneSetting {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => formatter.write_str(AUTO),
            Self::Zone(zone) => formatter.write_str(zone.name()),
        }
    }
}

impl<'de> Deserialize<'de> for TimezoneSetting {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let found = Value::deserialize(deserializer)?;
        let Some(text) = found.as_str() else {
            let expected = &"auto or the name of a time zone such as Europe/Berlin";
            return Err(D::Error::invalid_type(seen(&found), expected));
        };
        if text == AUTO {
            return Ok(Self::Auto);
        }
        Tz::named(text).map(Self::Zone).ok_or_else(|| {
            let advice = if is_offset(text) {
                "; an offset ignores daylight saving time: use an IANA name such as Europe/Berlin or UTC"
                    .to_owned()
            } else {
                meant_by(text)
                    .map(|name| format!("; did you mean {name}?"))
                    .unwrap_or_default()
            };
            D::Error::custom(format!("{text:?} is not a known time zone{advice}"))
        })
    }
}

/// The zone of the typed city, otherwise a zone with a similar name.
fn meant_by(text: &str) -> Option<&'static str> {
    let city = |name: &'static str| name.rsplit('/').next().unwrap_or(name);
    let typed = text.replace(' ', "_");
    Tz::names()
        .find(|name| city(name).eq_ignore_ascii_case(&typed))
        .or_else(|| nearest(text, Tz::names().chain([AUTO])))
}

/// Whether the text is a UTC offset, such as `+02:00`, `-5` or `UTC+2`.
fn is_offset(text: &str) -> bool {
    let distance = ["UTC", "GMT", ""]
        .iter()
        .find_map(|prefix| text.strip_prefix(prefix))
        .and_then(|rest| rest.trim_start().strip_prefix(['+', '-', '\u{2212}']));
    distance.is_some_and(|distance| distance.starts_with(|first: char| first.is_ascii_digit()))
}

inline_schema!(TimezoneSetting, { "type": "string", "examples": [AUTO, "Europe/Berlin", "UTC"] });

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(tz: Option<&str>, machine: Option<&str>, expected: &str) {
        let environment = Environment {
            tz: tz.map(str::to_owned),
            machine_timezone: machine.map(str::to_owned),
            ..Environment::default()
        };
        let found = TimezoneSetting::Auto.find(&environment);
        let warned = found.warning.unwrap_or_default();
        assert_eq!(format!("{} {warned}", found.zone.name()), expected);
    }

    #[test]
    fn suggestion_is_zone_of_city_or_misspelt_name() {
        for (typed, meant) in [
            ("berlin", Some("Europe/Berlin")),
            ("New York", Some("America/New_York")),
            ("Europe/Berln", Some("Europe/Berlin")),
            ("automatic", None),
        ] {
            assert_eq!(meant_by(typed), meant, "{typed}");
        }
    }

    #[test]
    fn is_offset_recognises_utc_offsets() {
        for (typed, expected) in [
            ("+02:00", true),
            ("-5", true),
            ("UTC+2", true),
            ("GMT -03:30", true),
            ("Europe/Berln", false),
            ("UTC-ish", false),
            ("+", false),
            ("", false),
        ] {
            assert_eq!(is_offset(typed), expected, "{typed}");
        }
    }

    #[test]
    fn i12_zone_comes_from_variable_then_system_then_utc() {
        check(Some("Asia/Tokyo"), Some("Europe/Berlin"), "Asia/Tokyo ");
        check(Some(":America/New_York"), None, "America/New_York ");
        check(
            Some("/usr/share/zoneinfo/Europe/Rome"),
            None,
            "Europe/Rome ",
        );
        check(Some(""), Some("Europe/Berlin"), "UTC ");
        check(None, Some("Europe/Berlin"), "Europe/Berlin ");
        check(
            Some("CET-1CEST"),
            Some("Europe/Berlin"),
            "UTC TZ names \"CET-1CEST\", which is not a known time zone; \
             days are counted in UTC until `timezone` is set",
        );
        check(
            None,
            None,
            "UTC the machine's time zone is unknown; \
             days are counted in UTC until `timezone` is set",
        );
    }
}
