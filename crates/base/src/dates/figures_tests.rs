//! Numbers and times in several languages.

use super::*;

/// The numbers of a text in any language.
fn number(text: &str) -> BTreeSet<u64> {
    let (words, lower) = (words(text), text.to_lowercase());
    let tables = tables().iter();
    let all = tables.flat_map(|table| table.numbers_in(&words, &lower));
    all.map(|(_, number, _)| number.value).collect()
}

#[test]
fn figures_claimed_ignores_number_words_of_other_language() {
    let claimed = |text: &str, language: &str| -> BTreeSet<u64> {
        let claimed = figures_claimed(text, language).into_iter();
        claimed.flatten().collect()
    };
    let german = claimed("Sei bei meinen Texten direkt und nicht so lang", "de");
    assert_eq!(german, BTreeSet::new());
    let english = claimed("They have three dogs and a cat", "en");
    assert_eq!(english, BTreeSet::from([3]));
}

#[test]
fn date_tables_list_all_weekdays_and_months() {
    let tables = tables();
    assert!(tables.len() >= 9, "{}", tables.len());
    for table in tables {
        assert!(matches!(table.months.len(), 0 | 12), "{:?}", table.months);
        assert_eq!(table.weekdays.len(), 7, "{:?}", table.weekdays);
    }
}

#[test]
fn number_reads_numbers_in_words() {
    for (text, value) in [
        ("fifteen hundred euros", 1_500),
        ("two hundred and forty-one", 241),
        ("neunhundertfünfzig Euro", 950),
        ("vierundzwanzig Stunden", 24),
        ("mille deux cents euros", 1_200),
        ("quatre-vingt-dix-sept", 97),
        ("kétszázezer forint", 200_000),
        ("huszonöt éves", 25),
        ("家賃は十二万円", 120_000),
        ("三千五百円", 3_500),
        ("3万円", 30_000),
        ("trescientos veinte", 320),
        ("settecentoventi", 720),
    ] {
        assert!(number(text).contains(&value), "{text}: {:?}", number(text));
    }
    assert_eq!(number("She met Tom in Leeds"), BTreeSet::new());
    assert_eq!(number("two, three"), BTreeSet::from([2, 3]));
}

#[test]
fn figures_said_includes_days_that_relative_time_may_mean() {
    let monday: Day = "2026-04-20".parse().unwrap();
    for (text, wanted) in [
        ("since yesterday", [2026, 4, 19]),
        ("vor drei Wochen", [2026, 3, 30]),
        ("il y a trois semaines", [2026, 3, 30]),
        ("szombaton jött", [2026, 4, 18]),
        ("先月から", [2026, 3, 2026]),
        ("on Thursday", [2026, 4, 16]),
        ("planned for 2026-05-04, slips by two weeks", [2026, 5, 18]),
        ("turned six", [2020, 6, 6]),
    ] {
        let said = figures_said(text, monday);
        let is_said = wanted.iter().all(|own| said.contains(own));
        assert!(is_said, "{text}: {said:?}");
    }
}
