//! Requests for reminders in seven languages, and messages that only look like one.

use super::*;

/// A message of 30 November 2026, 08:00, the time that it names, and what the reminder is about.
const ASKED: &[(&str, &str, &str)] = &[
    (
        "Remind me on Friday at 9 to call the plumber.",
        "2026-12-04 09:00",
        "call the plumber",
    ),
    (
        "Please remind me to call Ana tomorrow at 18:00",
        "2026-12-01 18:00",
        "call Ana",
    ),
    (
        "Hey, could you remind me tomorrow at 10 about Ella's recital, please?",
        "2026-12-01 10:00",
        "Ella's recital",
    ),
    (
        "Tomorrow at 10 remind me to water the plants",
        "2026-12-01 10:00",
        "water the plants",
    ),
    (
        "I have to collect my passport on March 3rd at 10:30, please remind me.",
        "2027-03-03 10:30",
        "collect my passport",
    ),
    (
        "Set a reminder for Friday at 9: pay the rent",
        "2026-12-04 09:00",
        "pay the rent",
    ),
    (
        "Erinnere mich am Freitag um 9 daran, den Klempner anzurufen",
        "2026-12-04 09:00",
        "den Klempner anzurufen",
    ),
    (
        "Kannst du mich übermorgen um 10 an den TÜV erinnern?",
        "2026-12-02 10:00",
        "den TÜV",
    ),
    (
        "Ich muss am Dienstag um 9 Uhr den Brief einwerfen, erinnere mich bitte daran",
        "2026-12-01 09:00",
        "den Brief einwerfen",
    ),
    (
        "Remind me about the teachers' evening on Thursday at 19:30",
        "2026-12-03 19:30",
        "the teachers' evening",
    ),
    (
        "Lembra-me todo dia 12 às 9h de regar as plantas",
        "2026-12-12 09:00",
        "regar as plantas",
    ),
    (
        "Ich muss am 15.1. um 18:30 zum Elternabend, erinner mich bitte",
        "2027-01-15 18:30",
        "zum Elternabend",
    ),
    (
        "In 45 Minuten erinnern: Kuchen aus dem Ofen",
        "2026-11-30 08:45",
        "Kuchen aus dem Ofen",
    ),
    (
        "Rappelle-moi vendredi à 9h d'appeler le plombier",
        "2026-12-04 09:00",
        "appeler le plombier",
    ),
    (
        "Il faut que je passe à la pharmacie demain à 19h, tu me le rappelles ?",
        "2026-12-01 19:00",
        "je passe à la pharmacie",
    ),
    (
        "Recuérdame el viernes a las 9 que llame a Ana",
        "2026-12-04 09:00",
        "llame a Ana",
    ),
    (
        "Lembra-me amanhã às 18h de ligar ao João",
        "2026-12-01 18:00",
        "ligar ao João",
    ),
    (
        "Ricordami domani alle 18:30 di chiamare Anna",
        "2026-12-01 18:30",
        "chiamare Anna",
    ),
    (
        "Potrebbe ricordarmi domani alle 17:20 di ritirare le analisi? Grazie",
        "2026-12-01 17:20",
        "ritirare le analisi",
    ),
    (
        "Herinner me vrijdag om 9 uur eraan de loodgieter te bellen",
        "2026-12-04 09:00",
        "de loodgieter te bellen",
    ),
];

#[test]
fn request_for_reminder_has_time_and_text_in_seven_languages() {
    for (message, time, about) in ASKED {
        let asked = reminder_asked(message).unwrap_or_else(|| panic!("{message}"));
        let now = "2026-11-30T08:00:00".parse().unwrap();
        let read = base::dates::time_ahead(&asked.rest, now);
        let when = read
            .when
            .clone()
            .unwrap_or_else(|why| panic!("{message}: {why}"));
        let when = when.unwrap();
        let day = when.day;
        let read_time = when.time.unwrap().format("%H:%M");
        assert_eq!(format!("{day} {read_time}"), *time, "{message}");
        assert_eq!(asked.text(&read), *about, "{message}");
    }
}

#[test]
fn message_that_mentions_reminders_asks_for_none() {
    for message in [
        "She reminds me of you",
        "Do you remind me?",
        "I asked Ana to remind me",
        "How do people add a reminder that repeats every Monday?",
        "Er meinte nur: \u{201e}Erinnere mich morgen daran\u{201c}, und dann war er weg.",
        "Kannst du dich noch an Frau Lehmann erinnern?",
        "Le syndic nous a envoyé un rappel hier pour les charges.",
        "Ça me rappelle les dimanches chez mamie.",
        "Questo profumo mi ricorda la casa al mare.",
        "Jeden Montag um 9 erinnert mich meine Frau an die Tonne.",
        "Wenn es um Geld geht, erinnert mich mein Bruder an alte Zeiten.",
        "Ich muss Oma morgen um 9 an die Tabletten erinnern",
        "Can you remind me what we said about the boat?",
        "Kannst du mich erinnern, was wir zum Boot gesagt haben?",
        "Essa foto me lembra a nossa viagem a Ouro Preto.",
    ] {
        assert!(reminder_asked(message).is_none(), "{message}");
    }
}
