//! Words that place something in time as seen from today, in several languages.
//!
//! Pure tables, and what they mean; words that only look alike in two languages stand under one.

use super::span::{Meaning, Unit};
use super::words::number;

use Meaning::{Between, Exact, Whole};
use Unit::{Day, Month, Week, Weekend, Year};

/// Phrases in words without accents, the longer before the shorter.
const PHRASES: &[(&str, Meaning)] = &[
    // English
    ("day before yesterday", Whole(Day, -2)),
    ("day after tomorrow", Whole(Day, 2)),
    ("yesterday", Whole(Day, -1)),
    ("today", Whole(Day, 0)),
    ("now", Whole(Day, 0)),
    ("tomorrow", Whole(Day, 1)),
    ("last weekend", Whole(Weekend, -1)),
    ("this weekend", Whole(Weekend, 0)),
    ("last week", Whole(Week, -1)),
    ("this week", Whole(Week, 0)),
    ("next week", Whole(Week, 1)),
    ("last month", Whole(Month, -1)),
    ("this month", Whole(Month, 0)),
    ("next month", Whole(Month, 1)),
    ("last year", Whole(Year, -1)),
    ("this year", Whole(Year, 0)),
    ("next year", Whole(Year, 1)),
    // Spanish
    ("ayer", Whole(Day, -1)),
    ("hoy", Whole(Day, 0)),
    ("fin de semana pasado", Whole(Weekend, -1)),
    ("semana pasada", Whole(Week, -1)),
    ("mes pasado", Whole(Month, -1)),
    ("ano pasado", Whole(Year, -1)),
    // French
    ("avant hier", Whole(Day, -2)),
    ("hier", Whole(Day, -1)),
    ("aujourd hui", Whole(Day, 0)),
    ("week end dernier", Whole(Weekend, -1)),
    ("weekend dernier", Whole(Weekend, -1)),
    ("semaine derniere", Whole(Week, -1)),
    ("mois dernier", Whole(Month, -1)),
    ("annee derniere", Whole(Year, -1)),
    // Italian
    ("ieri", Whole(Day, -1)),
    ("oggi", Whole(Day, 0)),
    ("scorso fine settimana", Whole(Weekend, -1)),
    ("settimana scorsa", Whole(Week, -1)),
    ("mese scorso", Whole(Month, -1)),
    ("anno scorso", Whole(Year, -1)),
    // German
    ("vorgestern", Whole(Day, -2)),
    ("gestern", Whole(Day, -1)),
    ("heute", Whole(Day, 0)),
    ("letztes wochenende", Whole(Weekend, -1)),
    ("letzte woche", Whole(Week, -1)),
    ("letzter woche", Whole(Week, -1)),
    ("letzte monat", Whole(Month, -1)),
    ("letzten monat", Whole(Month, -1)),
    ("letztes jahr", Whole(Year, -1)),
    ("letzte jahr", Whole(Year, -1)),
    // Portuguese
    ("ontem", Whole(Day, -1)),
    ("hoje", Whole(Day, 0)),
    // Russian
    ("позавчера", Whole(Day, -2)),
    ("вчера", Whole(Day, -1)),
    ("сегодня", Whole(Day, 0)),
    ("завтра", Whole(Day, 1)),
    ("прошлых выходных", Whole(Weekend, -1)),
    ("прошлые выходные", Whole(Weekend, -1)),
    ("прошлой неделе", Whole(Week, -1)),
    ("прошлая неделя", Whole(Week, -1)),
    ("прошлом месяце", Whole(Month, -1)),
    ("прошлый месяц", Whole(Month, -1)),
    ("прошлом году", Whole(Year, -1)),
    ("прошлый год", Whole(Year, -1)),
];

const UNITS: &[(Unit, &[&str])] = &[
    (
        Day,
        &[
            "day", "days", "dias", "dia", "jours", "jour", "giorni", "giorno", "tagen", "tag",
            "дней", "дня", "день",
        ],
    ),
    (
        Week,
        &[
            "week",
            "weeks",
            "semanas",
            "semana",
            "semaines",
            "semaine",
            "settimane",
            "settimana",
            "wochen",
            "woche",
            "недель",
            "недели",
            "неделю",
        ],
    ),
    (
        Month,
        &[
            "month",
            "months",
            "meses",
            "mes",
            "mois",
            "mesi",
            "mese",
            "monaten",
            "monat",
            "месяцев",
            "месяца",
            "месяц",
        ],
    ),
    (
        Year,
        &[
            "year", "years", "anos", "ano", "ans", "an", "annees", "anni", "anno", "jahren",
            "jahr", "лет", "года", "год",
        ],
    ),
];

/// What an indistinct count means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Vague {
    Couple,
    Few,
}

/// What the words from `idx` on mean.
pub(super) fn phrase(words: &[String], idx: usize) -> Option<Meaning> {
    let rest = words.get(idx..)?;
    let is_here = |phrase: &&(&str, Meaning)| {
        let mut words = rest.iter();
        let mut expected = phrase.0.split(' ');
        expected.all(|expected| words.next().is_some_and(|word| word == expected))
    };
    if let Some((_, meaning)) = PHRASES.iter().find(is_here) {
        return Some(*meaning);
    }
    let word = |n: usize| rest.get(n).map_or("", String::as_str);
    // Before the count: "hace 5 dias", "il y a 5 jours", "vor 5 Tagen", "in 3 days".
    let counted = |at: usize, sign: i32| {
        let (count, unit) = number(word(at)).zip(unit(word(at + 1)))?;
        Some(Exact(unit, sign * count))
    };
    let is_il_y_a = (word(0), word(1), word(2)) == ("il", "y", "a");
    if let Some(meaning) = match word(0) {
        "hace" | "ha" | "vor" => counted(1, -1),
        "in" => counted(1, 1),
        _ if is_il_y_a => counted(3, -1),
        _ => None,
    } {
        return Some(meaning);
    }
    ago(rest)
}

/// Counts with a word behind them: "two days ago", "a couple of weeks ago", "two days later".
fn ago(rest: &[String]) -> Option<Meaning> {
    let word = |n: usize| rest.get(n).map_or("", String::as_str);
    let mut at = usize::from(word(0) == "a" && vague(word(1)).is_some());
    let vague = vague(word(at));
    let count = number(word(at));
    if vague.is_none() && count.is_none() {
        return None;
    }
    at += 1;
    at += usize::from(word(at) == "of");
    let unit = unit(word(at))?;
    match (word(at + 1), vague, count) {
        ("ago" | "fa" | "назад", Some(vague), _) => between(vague, unit),
        ("ago" | "fa" | "назад", None, Some(count)) => Some(Exact(unit, -count)),
        ("later", None, Some(count)) => Some(Exact(unit, count)),
        _ => None,
    }
}

fn vague(word: &str) -> Option<Vague> {
    match word {
        "couple" | "пару" | "пары" => Some(Vague::Couple),
        "few" | "несколько" => Some(Vague::Few),
        _ => None,
    }
}

/// What a couple or a few units ago means: from one, or two, to one more than is said.
pub(super) fn between(vague: Vague, unit: Unit) -> Option<Meaning> {
    let n_days = match unit {
        Day => 1,
        Week => 7,
        Month => 30,
        Weekend | Year => return None,
    };
    Some(match vague {
        Vague::Couple => Between(-3 * n_days, -n_days),
        Vague::Few => Between(-5 * n_days, -2 * n_days),
    })
}

fn unit(word: &str) -> Option<Unit> {
    let found = UNITS.iter().find(|(_, names)| names.contains(&word));
    found.map(|(unit, _)| *unit)
}
