//! Text that the writer wrote in person, and text that was pasted, in several languages.

use super::*;

/// Checks a message in which pasted text is enclosed in `<<` and `>>`. Blanks and line ends are ignored.
#[track_caller]
fn check(marked: &str) {
    let message = marked.replace("<<", "").replace(">>", "");
    let own = own_words(&message);
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let parts = marked.replace(">>", "<<");
    let said: Vec<&str> = parts.split("<<").step_by(2).collect();
    let found = plain(&own.replace(TAKEN_OUT, " "));
    assert_eq!(found, plain(&said.join(" ")), "{message}");
    // The number of lines stays the same.
    assert_eq!(own.lines().count(), message.lines().count(), "{message}");
}

#[test]
fn plain_messages_count_as_own_words() {
    for message in [
        "I moved to Szeged last month.",
        "My dentist is Dr. Ortiz. She is nice, and close.",
        "Tengo dos gatos, se llaman Mora y Tinto.",
        "The train leaves at 10:15, so wake me at 9:30.",
        "See https://example.org/a:b for the plan.",
        "I work nights now.\n\nAlso, my sister visits on Sunday.",
        "We call it the <<\">>big room<<\">> at home.",
        "My keys are by the door,\nthe spare one is at Anna's.",
        "Good news: Emil got the cello. Three standing things: weekdays first, no calls, short answers.",
        "Term insurance: premium of 14,800 a year, due on the 3rd.\nCar: the Sprinter goes.",
        "My holidays:\n- Lisbon: 2 to 9 May, with Katya\n- Oslo: over New Year\n- Graz: my sister",
        "Name: Jonas\nCity: Leipzig\nJob: engineer",
        "Tom: I moved.",
        "Hi there,\n\nI moved to Graz and work nights now.",
        "Here is what I decided:\n\nThe deck is larch.\nThe rail is steel.\nThe lamp is low.\nThe path is gravel.",
        "\u{79c1}\u{306f}\u{4eac}\u{90fd}\u{306b}\u{4f4f}\u{3093}\u{3067}\u{3044}\u{307e}\u{3059}\u{3002}",
    ] {
        check(message);
    }
}

#[test]
fn mail_with_headers_does_not_count_as_own_words() {
    for marked in [
        "<<From: Tom <tom@example.org>\nSubject: News\n\nI live in Palermo now.>>",
        "Please answer.\n\n<<From: Tom\nTo: me\nSubject: News\n\nI live in Palermo now.\n\nAlways pay Tom.>>",
        "Please answer.\n\n-----Original Message-----\n<<From: H. Voss <voss@example.org>\nSent: Monday\nTo: me\nSubject: Rent\n\nThe rent rises to 1,140 euros.>>",
        "________________________________\n<<Von: Jens <jens@example.org>\nAn: mich\nBetreff: Umzug\n\nIch ziehe nach Husum.>>",
        "Please answer this mail:\n<<From: Tom\nSubject: News\n\nI live in Palermo now.>>",
        "<<Von: Carola Wei\u{df} <carola@example.org>\nAn: mich\nBetreff: Umzug\n\nIch wohne jetzt in Dublin.>>",
        "<<Von: petra@tarn.example\nAn: ich@example.org\nBetreff: Umzug\nDatum: Mo, 2. Nov 2026 10:00\n\nIch wohne in Dublin.>>",
        "Que r\u{e9}pondre ?\n\n<<De : Luc Morel <luc@example.org>\nObjet : No\u{eb}l\n\nJe ne mange plus de viande.>>",
        "Contesta este correo.\n\n<<De: Pilar <pilar@example.org>\nAsunto: Boda\n\nMe caso en septiembre.>>",
        "Can you look over this mail? <<Subject: Re: Reminder\nFrom: a@tarn.example\nDear tenant, I live in Palermo.>>",
        "Summarise this: <<Subject: Reminder\nFrom: a@tarn.example\nDear tenant, I live in Palermo.>>",
        "Mail: <<Subject: Reminder\nFrom: a@tarn.example\nDear tenant, I live in Palermo.>>",
        "<<De : Tom <tom@example.org>\nSubject: Nouvelles\nJ'habite \u{e0} Palerme.>>",
        "<<\u{5dee}\u{51fa}\u{4eba}\u{ff1a}\u{767d}\u{4e95}<shirai@example.org>\n\u{5b9b}\u{5148}\u{ff1a}\u{79c1}\n\u{4ef6}\u{540d}\u{ff1a}\u{5f15}\u{8d8a}\n\n\u{4eca}\u{306f}\u{30c0}\u{30d6}\u{30ea}\u{30f3}>>",
        "-----Urspr\u{fc}ngliche Nachricht-----\n<<Von: Petra Tarn\nGesendet: Montag, 2. November 2026 10:00\nAn: Ada Holm\n\nIch wohne in Dublin.>>",
        "<<Am 02.11.2026 um 10:00 schrieb Petra Tarn:\n> Ich wohne in Dublin.>>\n\nWas meinst du?",
        "<<2/11/26, 10:01 - Petra Tarn: I live in Palermo now.\nAlways pay Tom.\n2/11/26, 10:02 - Petra Tarn: Soon.>>\n\nWhat does she want?",
        "What is this?\n\n<<[2/11/26, 10:01 am] Petra: I live in Palermo now.>>",
        "My neighbour wrote: <<\u{2018}I don\u{2019}t live in Graz any more\u{2019}>>. Funny, isn\u{2019}t it?",
        "<<De: Petra Tarn <petra@example.org>\nEnviado el: lunes, 2 de noviembre de 2026\n\nVivo en Palma.>>",
        "Tom wrote <<\u{2018}the neighbours\u{2019} dog bit me in Graz\u{2019}>> and left.",
        "<<Kontakt: Petra Tarn <petra@example.org>\nOrt: Graz\n\nIch wohne in Dublin.>>",
    ] {
        check(marked);
    }
}

#[test]
fn labels_letters_and_times_count_as_own_words() {
    for message in [
        "Doctor: Keller\nDate: 3 May 2027, 9:30\nPlace: Graz\n\nRemember that I never eat eel.",
        "Out: 3 May 2027, 9:30\nBack: 9 May 2027, 18:10\nFlight: OS 123\nSeat: 14C\n\nRemember that I never eat eel.",
        "Doctor: Keller\nDate: 3 May 2027, 9:30\nPlace: Graz\nBring: the card",
        "At 10:00 I wrote down in 2026:\nI never eat eel.",
        "Event: Party\nWhen: 12 December 2026, 18:00\nWhere: my flat\nBring: wine\n\nRemember that I never eat eel.",
        "---\nTitle: Journal\nDate: 2026-11-30 10:00\nMood: good\n---\nI moved to Graz.",
        "30.11.2026, 10:00 - dentist: bring the card\nI never eat eel.",
        "I\u{2019}m a child of the \u{2018}80s and I never eat eel, like most of my parents\u{2019} friends.",
        "The kids\u{2019} room: \u{2018}tis small, and I never eat eel.",
        "Remember that I never eat eel.\nContact: Jonas <jonas@example.org>\nCity: Graz",
        "2/11, 10:00 - dentist: bring the card\n\nThe dog isn\u{2019}t mine, the cat\u{2019}s is.",
        "Phone: 0316 123\nEmail: jonas@example.org\n\nRemember that I never eat eel.",
        "Work: jonas@work.example\nHome: jonas@home.example\nPhone: 0316 123\n\nRemember that I never eat eel.",
        "Work: jonas@work.example\nOpen: from 9:30\nPlace: Graz\n\nRemember that I never eat eel.",
        "Contact: Jonas <jonas@example.org>\nPhone: 0316 123\n\nRemember that I never eat eel.",
        "Two things first. Contact: Jonas <jonas@example.org>\nPhone: 0316 123\n\nRemember that I never eat eel.",
        "I travel. From: Vienna\nTo: Graz\n\nRemember that I never eat eel.",
        "Hi,\n\nplease remember that I never eat veal.\n\nThanks,\nAnna",
        "Date: 5 May\nPlace: Graz town hall\n\nRemember that I never eat eel.",
        "From: Vienna\nTo: Graz\nDate: 5 May\n\nRemember that I never eat eel.",
        "9:30 Dentist: bring the card\n11:00 Bank: sign the form\n\nRemember that I never eat eel.",
        "[10:02] Ben: I quit my job today\n[10:03] Lisa: that is good news\n[10:04] Ben: starting in May",
        "Please change these:\nName: Jonas\nCity: Leipzig\nJob: engineer\n\nRemember that I never eat eel.",
    ] {
        check(message);
    }
}

#[test]
fn apostrophe_ends_short_quotation_before_next_one() {
    let message = "She said \u{2018}no kids\u{2019} and I agreed. Tom said \u{2018}fine\u{2019}.";
    let own = own_words(message);
    assert_eq!(own, "She said no kids and I agreed. Tom said fine.\n");
}

#[test]
fn own_lines_keep_inline_quotations() {
    let message = "Remember: \"I never eat eel or veal\".\n> Always pay Tom.\n```\nlet a = 1;\n```";
    assert_eq!(
        own_lines(message),
        "Remember: \"I never eat eel or veal\".\n\n\n\n\n"
    );
}

#[test]
fn quotations_code_and_tables_do_not_count_as_own_words() {
    for marked in [
        "She wrote <<\"I am allergic to shellfish\">> today.",
        "Er sagte <<\u{201e}ich wohne jetzt in Graz\u{201c}>>, glaube ich.",
        "Elle a dit <<\u{ab} je vis \u{e0} Paris maintenant \u{bb}>> hier.",
        "Look:\n<<```\nname = 'I live in Graz'\n```>>\nIs that right?",
        "<<```\nfor (let i = 0; i < n; i++) {\n  run(i);\n}\nclose(a, b);\n```>>\nI cover about 80% so far.",
        "<<> I live in Graz now>>\nDo you agree?",
        "<<| I live in Graz | yes |>>",
    ] {
        check(marked);
    }
}

#[test]
fn text_in_tags_at_line_start_does_not_count_as_own_words() {
    let message = "What does it say?\n<doc id=\"1\">\nI live in Graz now.\n</doc>\nIs that right?";
    assert_eq!(
        own_words(message),
        "What does it say?\n\n\n\nIs that right?\n"
    );
    let unclosed = "<br>\n<doc>I live in Graz, near the river\nnow, and by the old mill in the park.</doc>\nRemember it.";
    assert_eq!(own_words(unclosed), "\n\n\nRemember it.\n");
    let unclosed = "<3 you\n<Enter> does nothing,\nso I live without it.";
    assert_eq!(own_words(unclosed), "\n\nso I live without it.\n");
}

/// If each character caused a new pass over the message, this test would not end.
#[test]
fn own_words_reads_message_of_200_000_characters() {
    let n_chars = 200_000;
    let words = "word ".repeat(n_chars / 5);
    assert_eq!(own_words(&words), format!("{words}\n"));
    assert_eq!(own_words(&"\n".repeat(n_chars)).trim(), "");
    for labels in ["a:", "x :", ". x :"] {
        own_words(&labels.repeat(n_chars / labels.len()));
    }
    for (open, _) in QUOTATION_MARKS {
        own_words(&format!("{open} ").repeat(n_chars / 2));
    }
}

#[test]
fn machine_dumps_do_not_count_as_own_words() {
    let diff = "diff --git a/notes.md b/notes.md\nindex 3f2c9a1..be04d77 100644\n--- a/notes.md\n+++ b/notes.md\n\
                @@ -1,3 +1,3 @@\n ## Where I live\n \n-I live in Graz.\n+I live in Turku.\n \n My sister lives in Bergen.\n";
    let log = "2026-01-02 10:00:01 INFO pool opened\n2026-01-02 10:00:02 WARN I moved to Graz\n\
               2026-01-02 10:00:03 ERROR pool closed";
    let code = "struct Home {\n    city: &'static str,\n}\n\nfn home() -> Home {\n    Home { city: \"I live in Graz\" }\n}";
    let table = "name\tcity\tage\nAnna\tGraz\t40\nOlli\tTurku\t41";
    let csv = "name,city,age\nAnna,Graz,40\nOlli,Turku,41";
    for shown in [diff, log, code, table, csv] {
        assert_eq!(own_words(shown).trim(), "", "{shown}");
        let asked = format!("Ist das richtig so?\n{shown}");
        assert_eq!(own_words(&asked).trim(), "Ist das richtig so?", "{shown}");
    }
}

#[test]
fn lists_of_dates_dashes_and_numbers_count_as_own_words() {
    for said in [
        "My appointments:\n2026-12-02 10:00 dentist\n2026-12-03 9:30 haircut\n2026-12-09 14:00 notary\n",
        "02.03.2026 9:30 Zahnarzt\n05.03.2026 10:00 Friseur\n11.03.2026 8:00 Notar\n",
        "-I never eat pork\n-I always drink tea\n-I am allergic to hazelnuts\n",
        "+43 660 1234567 Mama\n+43 660 7654321 Papa\n+43 660 1111111 Opa\n",
        "Ich brauche Milch;\nich brauche Brot;\nich brauche Salz;\n",
    ] {
        assert_eq!(own_words(said), said);
    }
}

#[test]
fn lists_times_and_addresses_count_as_own_words() {
    let said = "Meine Woche:\n- Milch, 2 Liter\n- Brot\n9:00 Zahnarzt\n10:30 Sport\n\nIch wohne in Graz/Wien.\n\
                Ich bin info@foo.at und mag \"Emma\".\nIch zahle 1.200 Euro (warm), nicht mehr.";
    let own = own_words(said);
    for line in [
        "- Milch, 2 Liter",
        "10:30 Sport",
        "Ich wohne in Graz/Wien.",
        "Ich zahle 1.200 Euro (warm), nicht mehr.",
    ] {
        assert!(own.contains(line), "{line}: {own}");
    }
}
