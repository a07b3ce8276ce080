//! Requests to remember, and replies, around statements.

use crate::language::language_of;

#[test]
fn request_to_remember_is_removed_if_rest_is_complete() {
    // What is left stands between `[` and `]`; without these, all of it stays.
    for marked in [
        "Remember that [Ann eats no meat.]",
        "Please remember that [the bins go out on Tuesday.]",
        "Oh, and remember that [my sister is called Ruta.]",
        "Keep in mind that [we live in Leipzig.]",
        "Don't forget that [Ruth is allergic to nuts.]",
        "Remember: [Ann eats no meat.]",
        "Remember that trip to Rome was lovely.",
        "Remember to call Ann.",
        "Remember that.",
        "I remember that Ann eats no meat.",
        "Merk dir: [Ann isst kein Fleisch.]",
        "Merk dir bitte: [Ann isst kein Fleisch.]",
        "Merk dir, dass ich in Graz wohne.",
        "Recuerda que [soy al\u{e9}rgico a las nueces.]",
        "Por favor, recuerda que [soy cel\u{ed}aco.]",
        "Retiens que [ma s\u{153}ur habite \u{e0} Bergen.]",
        "Retiens qu'[il habite \u{e0} Bergen.]",
        "Ricordati che [mia sorella vive a Bergen.]",
        "Lembre que [minha irm\u{e3} mora em Bergen.]",
        "Onthoud: [mijn zus woont in Bergen.]",
        "Onthoud dat mijn zus in Bergen woont.",
        "[\u{59b9}\u{306f}\u{30d9}\u{30eb}\u{30b2}\u{30f3}\u{306b}\u{4f4f}\u{3093}\u{3067}\u{3044}\u{308b}]\u{3068}\u{899a}\u{3048}\u{3066}\u{304a}\u{3044}\u{3066}\u{3002}",
        "\u{8bf7}\u{8bb0}\u{4f4f}\u{ff1a}[\u{6211}\u{59b9}\u{59b9}\u{4f4f}\u{5728}\u{5351}\u{5c14}\u{6839}\u{3002}]",
        "\u{8bf7}\u{8bb0}\u{4f4f}\u{6211}\u{7684}\u{751f}\u{65e5}\u{3002}",
    ] {
        let text = marked.replace(['[', ']'], "");
        let parts: Vec<&str> = marked.split(['[', ']']).collect();
        let left = parts.get(1).copied().unwrap_or(&text);
        let told = language_of(&text).unwrap().told(&text);
        assert_eq!(told.text, left, "{marked}");
        assert_eq!(told.is_cut, parts.len() > 1, "{marked}");
    }
}

#[test]
fn reply_without_subject_is_not_complete() {
    let alone = |text: &str| language_of(text).unwrap().stands_alone(text);
    for text in [
        "no, it is Graz",
        "No, it is on Tuesday.",
        "No, it is the red one in the hall.",
        "Yes, on the 14th of December.",
        "On the 14th.",
        "Nein, es ist Graz.",
        "Nein, das ist am Dienstag.",
        "No, es en Graz.",
        "Non, c'est \u{e0} Graz.",
        "No, \u{e8} a Graz.",
        "Nee, het is in Graz.",
        "N\u{e3}o, \u{e9} em Graz.",
        "\u{3044}\u{3044}\u{3048}\u{3001}\u{30b0}\u{30e9}\u{30fc}\u{30c4}\u{3067}\u{3059}\u{3002}",
        "\u{4e0d}\u{ff0c}\u{662f}\u{683c}\u{62c9}\u{8328}\u{3002}",
    ] {
        assert!(!alone(text), "{text}");
    }
    for text in [
        "No, we live in Salzburg.",
        "No, I'm vegan.",
        "No, the meeting is on Tuesday.",
        "No, Tom is allergic to nuts.",
        "The meeting is on Tuesday.",
        "Nein, wir wohnen in Graz.",
        "Die Tonne kommt am Dienstag.",
        "No, vivimos en Graz con mi madre.",
        "\u{3044}\u{3044}\u{3048}\u{3001}\u{59b9}\u{306f}\u{30b0}\u{30e9}\u{30fc}\u{30c4}\u{306b}\u{4f4f}\u{3093}\u{3067}\u{3044}\u{307e}\u{3059}\u{3002}",
        "\u{4e0d}\u{ff0c}\u{6211}\u{4f4f}\u{5728}\u{683c}\u{62c9}\u{8328}\u{3002}",
    ] {
        assert!(alone(text), "{text}");
    }
}

#[test]
fn leading_denial_is_removed_from_statement() {
    for (text, told) in [
        ("No, we live in Salzburg.", "we live in Salzburg."),
        ("Nein, wir wohnen in Salzburg.", "wir wohnen in Salzburg."),
        (
            "No milk in my coffee, please.",
            "No milk in my coffee, please.",
        ),
    ] {
        assert_eq!(language_of(text).unwrap().told(text).text, told);
    }
}

#[test]
fn denial_asks_to_correct_and_undo_is_recognised_in_every_language() {
    for text in [
        "No, we live in Salzburg.",
        "Nein, wir wohnen in Salzburg.",
        "No, vivimos en Salzburgo.",
        "Non, nous habitons \u{e0} Salzbourg.",
        "No, abitiamo a Salisburgo.",
        "Nee, wij wonen in Salzburg.",
        "N\u{e3}o, moramos em Salzburgo.",
    ] {
        assert!(language_of(text).unwrap().corrects(text), "{text}");
    }
    for text in ["No milk in my coffee.", "I have no idea, sorry."] {
        assert!(!language_of(text).unwrap().corrects(text), "{text}");
    }
    for text in [
        "Undo that.",
        "Cancel that.",
        "Drop the reminder about the plumber.",
        "L\u{f6}sche die Erinnerung an den Zahnarzt.",
        "Please undo that, I mixed him up.",
        "Mach das bitte r\u{fc}ckg\u{e4}ngig.",
        "Deshaz eso, por favor.",
        "Annule \u{e7}a, s'il te pla\u{ee}t.",
        "Annulla quello che ho detto.",
        "Maak dat ongedaan.",
        "Desfa\u{e7}a isso, por favor.",
        "\u{53d6}\u{308a}\u{6d88}\u{3057}\u{3066}\u{304f}\u{3060}\u{3055}\u{3044}\u{3002}",
        "\u{64a4}\u{9500}\u{521a}\u{624d}\u{7684}\u{4fee}\u{6539}\u{3002}",
    ] {
        assert!(language_of(text).unwrap().asks_to_undo(text), "{text}");
    }
    let told = "Cancel that meeting with Bob on Friday.";
    assert!(!language_of(told).unwrap().asks_to_undo(told));
}

#[test]
fn command_to_forget_names_only_what_is_meant() {
    for (text, named) in [
        ("Forget everything about Bea.", "Bea"),
        ("Please forget what I told you about my knee.", "my knee"),
        ("Forget that my sister helped.", "my sister helped"),
        (
            "Forget about the all-hands meeting!",
            "the all-hands meeting",
        ),
        ("Vergiss alles \u{fc}ber Bea.", "Bea"),
        ("Vergiss bitte alles, was ich \u{fc}ber Bea", "Bea"),
        ("Vergiss, dass ich in Graz wohne.", "ich in Graz wohne"),
        ("Oublie tout sur Bea", "Bea"),
        ("Forget everything", ""),
    ] {
        assert_eq!(
            language_of(text).unwrap().behind_forget(text),
            named,
            "{text}"
        );
    }
}
