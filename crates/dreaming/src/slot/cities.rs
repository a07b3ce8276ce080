//! Tells cities from other places: who lives in one lives in no other, and a part of one may lie in it.
//!
//! Data and a look-up; a name that is not here may be a city all the same.

use std::collections::BTreeSet;

/// Cities in English and German, of a name of several words the word that tells; none is a part of another.
#[rustfmt::skip]
const CITIES: &[&str] = &[
    // Austria, Germany, Switzerland.
    "wien", "vienna", "graz", "linz", "salzburg", "innsbruck", "klagenfurt", "villach", "wels", "steyr", "dornbirn",
    "bregenz", "berlin", "hamburg", "m\u{fc}nchen", "munich", "k\u{f6}ln", "cologne", "frankfurt", "stuttgart",
    "d\u{fc}sseldorf", "leipzig", "dortmund", "bremen", "dresden", "hannover", "hanover", "n\u{fc}rnberg", "nuremberg",
    "duisburg", "bochum", "bonn", "m\u{fc}nster", "mannheim", "karlsruhe", "augsburg", "wiesbaden", "kiel", "mainz",
    "freiburg", "potsdam", "regensburg", "heidelberg", "z\u{fc}rich", "zurich", "genf", "geneva", "basel", "bern",
    "lausanne", "winterthur", "thun", "luzern", "lucerne", "chur", "lugano",
    // Europe.
    "london", "manchester", "birmingham", "liverpool", "leeds", "sheffield", "bristol", "nottingham", "oxford",
    "cambridge", "brighton", "edinburgh", "glasgow", "aberdeen", "cardiff", "belfast", "dublin", "galway", "paris",
    "lyon", "marseille", "toulouse", "bordeaux", "lille", "nantes", "strasbourg", "rennes", "montpellier", "grenoble",
    "brussels", "br\u{fc}ssel", "antwerp", "ghent", "bruges", "amsterdam", "rotterdam", "utrecht", "hague", "eindhoven",
    "groningen", "copenhagen", "kopenhagen", "aarhus", "odense", "oslo", "bergen", "trondheim", "stavanger", "stockholm",
    "gothenburg", "malm\u{f6}", "uppsala", "helsinki", "tampere", "turku", "reykjavik", "tallinn", "tartu", "riga",
    "vilnius", "kaunas", "warsaw", "krakow", "gdansk", "wroclaw", "poznan", "prague", "prag", "brno", "bratislava",
    "budapest", "szeged", "debrecen", "pecs", "ljubljana", "maribor", "zagreb", "rijeka", "belgrade", "sarajevo", "skopje",
    "sofia", "bucharest", "athens", "thessaloniki", "istanbul", "ankara", "izmir", "rome", "rom", "milan", "mailand",
    "turin", "florence", "bologna", "naples", "palermo", "trieste", "verona", "madrid", "barcelona", "valencia",
    "seville", "malaga", "bilbao", "granada", "lisbon", "lissabon", "porto", "kyiv", "lviv", "odesa", "minsk",
    "moscow", "tbilisi", "yerevan",
    // Elsewhere.
    "york", "boston", "chicago", "seattle", "portland", "denver", "austin", "dallas", "houston", "atlanta", "miami",
    "philadelphia", "detroit", "minneapolis", "angeles", "francisco", "toronto", "montreal", "vancouver", "ottawa",
    "calgary", "bogota", "medellin", "lima", "santiago", "aires", "montevideo", "janeiro", "paulo", "cairo", "casablanca",
    "tunis", "lagos", "accra", "nairobi", "johannesburg", "aviv", "haifa", "beirut", "amman", "dubai", "tehran",
    "delhi", "mumbai", "bangalore", "chennai", "kolkata", "lahore", "karachi", "dhaka", "bangkok", "hanoi", "lumpur",
    "singapore", "jakarta", "manila", "taipei", "seoul", "busan", "tokyo", "osaka", "kyoto", "beijing", "shanghai",
    "shenzhen", "kong", "sydney", "melbourne", "brisbane", "perth", "adelaide", "auckland", "wellington", "christchurch",
];

/// Whether a place is surely a city.
pub(super) fn is_city(names: &BTreeSet<String>) -> bool {
    names.iter().any(|name| CITIES.contains(&name.as_str()))
}
