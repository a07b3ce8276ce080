//! Requests for several reminders in one sentence, and sentences whose second half belongs to the text.

use crate::reminders_asked;

/// The reminders, seen from 30 November 2026, 08:00.
fn asked(message: &str) -> Vec<String> {
    let asked = reminders_asked(message).unwrap_or_else(|| panic!("{message}"));
    let now = "2026-11-30T08:00:00".parse().unwrap();
    let reminders = asked.reminders.iter().map(|own| {
        let read = base::dates::time_ahead(&own.rest, now);
        let when = match &read.when {
            Ok(Some(when)) => when.written(),
            Ok(None) => "none".to_owned(),
            Err(why) => format!("? {why}"),
        };
        let further = if own.is_further && !read.names_day {
            "+ "
        } else {
            ""
        };
        format!("{further}{when}: {}", own.text(&read))
    });
    reminders.collect()
}

#[test]
fn two_reminders_of_a_sentence_have_their_own_times() {
    for (message, first, second) in [
        (
            "remind me tomorrow at 9 to call Ann and on Friday at 10 to pay rent",
            "2026-12-01 09:00: call Ann",
            "2026-12-04 10:00: pay rent",
        ),
        (
            "Remind me to call Ann tomorrow at 9, and to pay rent on Friday at 10, please",
            "2026-12-01 09:00: call Ann",
            "2026-12-04 10:00: pay rent",
        ),
        (
            "Remind me tomorrow at 9 to call Ann, on Friday at 10 to pay rent",
            "2026-12-01 09:00: call Ann",
            "2026-12-04 10:00: pay rent",
        ),
        (
            "Remind me on Friday at 9 to call Ann and at 10 to pay rent",
            "2026-12-04 09:00: call Ann",
            "+ 2026-11-30 10:00: pay rent",
        ),
        (
            "Erinnere mich morgen um 9 an den Anruf bei Anna und am Freitag um 10 an die Miete",
            "2026-12-01 09:00: den Anruf bei Anna",
            "2026-12-04 10:00: die Miete",
        ),
        (
            "Rappelle-moi demain \u{e0} 9h d'appeler L\u{e9}a et vendredi \u{e0} 10h de payer le loyer",
            "2026-12-01 09:00: appeler L\u{e9}a",
            "2026-12-04 10:00: payer le loyer",
        ),
        (
            "Recu\u{e9}rdame ma\u{f1}ana a las 9:00 llamar a Ana y el viernes a las 10:00 pagar el alquiler",
            "2026-12-01 09:00: llamar a Ana",
            "2026-12-04 10:00: pagar el alquiler",
        ),
        (
            "Lembra-me amanh\u{e3} \u{e0}s 9h de ligar ao pai e sexta \u{e0}s 10h de pagar a renda",
            "2026-12-01 09:00: ligar ao pai",
            "2026-12-04 10:00: pagar a renda",
        ),
        (
            "Ricordami domani alle 9 di chiamare Anna e venerd\u{ec} alle 10 di pagare l'affitto",
            "2026-12-01 09:00: chiamare Anna",
            "2026-12-04 10:00: pagare l'affitto",
        ),
        (
            "Herinner me morgen om 9 uur aan Anna en vrijdag om 10 uur aan de huur",
            "2026-12-01 09:00: Anna",
            "2026-12-04 10:00: de huur",
        ),
    ] {
        assert_eq!(asked(message), [first, second], "{message}");
    }
}

#[test]
fn second_half_without_the_form_of_the_first_stays_in_the_text() {
    for message in [
        "Remind me tomorrow at 9 to buy milk and at 10 the shop closes",
        "Remind me tomorrow at 9 to buy milk and bread",
        "Remind me tomorrow at 9: call Ann and on Friday at 10 to pay rent",
        "Remind me on Friday at 9 and at 10 to take the pill",
        "Remind me tomorrow at 9 to tell Ann that I come at 10 and at 11 to leave",
        "Remind me tomorrow at 9 to call Ann or on Friday at 10 to write",
    ] {
        assert_eq!(asked(message).len(), 1, "{message}: {:?}", asked(message));
    }
}
