//! What ends what, and what ends nothing.

use super::*;

fn ends(newer: &str, older: &str) -> bool {
    Sentence::of(newer).ends(&Sentence::of(older)).is_some()
}

#[test]
fn what_is_said_to_have_ended_is_so_no_more() {
    for (newer, older) in [
        ("Minka died yesterday.", "My cat is called Minka."),
        ("My cat Minka died.", "I have a cat called Minka."),
        ("We had to put Rex down.", "My dog Rex is 3 years old."),
        (
            "My flight to Oslo was cancelled.",
            "My flight to Oslo is on 4 May.",
        ),
        (
            "I cancelled my Netflix subscription.",
            "I have a Netflix subscription.",
        ),
        (
            "I stopped paying for Spotify.",
            "I have a Spotify subscription.",
        ),
        ("I stopped taking metformin.", "I take metformin."),
        ("Lucy and I broke up.", "My girlfriend is called Lucy."),
        ("I got divorced.", "I'm married to Peter."),
        ("I sold my car.", "I drive a Skoda Octavia."),
        ("My phone was stolen.", "I have a Pixel 8."),
        ("I left the football club.", "I play football in a club."),
        ("I'm not vegan any more.", "I am vegan."),
        ("I quit smoking.", "I smoke a pack a day."),
        (
            "I am no longer allergic to peanuts.",
            "I am allergic to peanuts.",
        ),
        (
            "My flight to Oslo was cancelled this morning.",
            "My flight to Oslo is on 4 May.",
        ),
        ("I gave up Spanish.", "I'm learning Spanish."),
        (
            "Mimi ist gestern gestorben.",
            "Meine Katze hei\u{df}t Mimi.",
        ),
        (
            "Ich habe mein Abo bei Spotify gek\u{fc}ndigt.",
            "Ich habe ein Abo bei Spotify.",
        ),
    ] {
        assert!(ends(newer, older), "{newer:?} after {older:?}");
    }
}

#[test]
fn what_speaks_of_something_else_or_is_not_so_yet_ends_nothing() {
    for (newer, older) in [
        ("Minka died yesterday.", "My cat is called Tom."),
        ("My cat died.", "My dog is called Rex."),
        ("My phone died.", "My phone is a Pixel 8."),
        ("My motorbike was stolen.", "I drive a Volvo."),
        ("I left Bern at noon.", "I live in Bern."),
        ("I left my umbrella at work.", "I work in an office."),
        ("I stopped at the bakery.", "I work at a bakery."),
        ("I may cancel Netflix.", "I have a Netflix subscription."),
        (
            "If Netflix is cancelled, tell me.",
            "I have a Netflix subscription.",
        ),
        (
            "Was my flight to Oslo cancelled?",
            "My flight to Oslo is on 4 May.",
        ),
        (
            "My flight to Rome was cancelled.",
            "My flight to Oslo is on 4 May.",
        ),
        ("I got divorced.", "My sister is called Ann."),
        ("I stopped eating peanuts.", "I am allergic to peanuts."),
        (
            "I stopped taking metformin this morning.",
            "I take metformin.",
        ),
        (
            "I stopped taking metformin in the evening.",
            "I take metformin.",
        ),
        (
            "I stopped playing the violin at night.",
            "I play the violin.",
        ),
        ("I stopped taking metformin.", "I take ramipril."),
        (
            "I cancelled Netflix.",
            "I cancelled my Netflix subscription.",
        ),
    ] {
        assert!(!ends(newer, older), "{newer:?} after {older:?}");
    }
}

#[track_caller]
fn check(newer: &str, older: &str, expected: Option<Turn>) {
    let found = Sentence::of(newer).ends(&Sentence::of(older));
    assert_eq!(found, expected, "{newer:?} after {older:?}");
}

#[test]
fn only_what_is_surely_meant_is_replaced() {
    for (newer, older, expected) in [
        ("I sold my car.", "My car is a Skoda.", Turn::Replaces),
        (
            "I stopped taking metformin.",
            "I take metformin.",
            Turn::Replaces,
        ),
        ("I left the choir.", "I sing in a choir.", Turn::Doubtful),
        ("I'm not vegan any more.", "I am vegan.", Turn::Replaces),
        (
            "I am no longer allergic to peanuts.",
            "I am allergic to peanuts.",
            Turn::Replaces,
        ),
        (
            "I stopped paying for Spotify.",
            "I have a Spotify subscription.",
            Turn::Replaces,
        ),
        (
            "I gave up Spanish.",
            "I'm learning Spanish.",
            Turn::Replaces,
        ),
        ("Ich rauche nicht mehr.", "Ich rauche.", Turn::Replaces),
        ("I quit smoking.", "I smoke a pack a day.", Turn::Doubtful),
        ("I used to teach yoga.", "I teach yoga.", Turn::Doubtful),
        (
            "My flight to Oslo was cancelled.",
            "My flight to Oslo is on 4 May.",
            Turn::Replaces,
        ),
        (
            "I cancelled the gym membership today.",
            "I go to the gym on Mondays.",
            Turn::Doubtful,
        ),
        (
            "I'm not at Dr Berg's any more.",
            "My doctor is Dr Berg.",
            Turn::Doubtful,
        ),
        ("Rex died.", "Rex is my dog.", Turn::Replaces),
        ("I sold my car.", "I drive a Volvo.", Turn::Doubtful),
    ] {
        check(newer, older, Some(expected));
    }
}

#[test]
fn a_change_of_somebody_told_by_name_may_end_what_was_said_of_them() {
    for (newer, older) in [
        (
            "Elin moved back to Stockholm.",
            "My sister Elin lives in Oslo.",
        ),
        ("Mum moved in with us last week.", "My mum lives in Cork."),
        (
            "Eva ist nach Wien gezogen.",
            "Meine Schwester Eva wohnt in Linz.",
        ),
        (
            "Pieter isn't a carpenter any more, he's a teacher now.",
            "My brother Pieter is a carpenter.",
        ),
        (
            "Leo dropped out of law school.",
            "My cousin Leo studies law in Bonn.",
        ),
        ("Nora is a teacher now.", "My wife Nora is a nurse."),
        ("Mia turned 5 today.", "My daughter Mia is 4."),
        ("Jan got married in May.", "My brother Jan is single."),
        (
            "Max and I aren't together any more.",
            "My boyfriend Max is a chef.",
        ),
        ("We had to put Bram to sleep.", "Bram is our old dog."),
    ] {
        check(newer, older, Some(Turn::Doubtful));
    }
    for (newer, older) in [
        (
            "Elin moved back to Stockholm.",
            "My sister Elin is allergic to nuts.",
        ),
        ("Elin moved the sofa.", "My sister Elin lives in Oslo."),
        (
            "Elin moved to the new team.",
            "My sister Elin lives in Oslo.",
        ),
        ("Tom moved back to Kiel.", "My sister Elin lives in Oslo."),
        ("Anna moved to Oslo.", "My sister Elin lives in Oslo."),
        (
            "Elin no longer answers her phone.",
            "My sister Elin works at Volvo.",
        ),
        (
            "Rex doesn't like the rain any more.",
            "My dog Rex is a labrador.",
        ),
        ("Nora is on holiday now.", "My wife Nora is a nurse."),
        ("Mia is at school now.", "My daughter Mia is 4."),
        ("Jan got married in May.", "My brother Jan lives in Kiel."),
        ("I put Sem to sleep at eight.", "My son Sem is 6."),
        ("I put Rex in the car.", "My dog Rex is a labrador."),
        ("My grandmother died.", "My grandmother was born in Riga."),
    ] {
        check(newer, older, None);
    }
}

#[test]
fn a_correction_may_end_what_it_speaks_of() {
    for (newer, older) in [
        ("No, Sem is 7, not 6.", "My son Sem is 6."),
        ("My shoe size is 40, sorry.", "My shoe size is 39."),
        (
            "Actually, Jonas lives in Bremen.",
            "My friend Jonas lives in Kiel.",
        ),
        (
            "Sorry, my wife's birthday is on 4 May.",
            "My wife's birthday is on 3 May.",
        ),
        ("No, I play tennis with Ann.", "I play tennis with Tom."),
    ] {
        check(newer, older, Some(Turn::Doubtful));
    }
    for (newer, older) in [
        ("No, Sem is 6.", "My son Sem is 6."),
        (
            "No, Tom hasn't arrived yet.",
            "My brother Tom lives in Kiel.",
        ),
        ("Sorry, Sem can't come on Friday.", "My son Sem is 6."),
        ("My rent is 900, sorry.", "My shoe size is 39."),
        ("No idea how old Sem is.", "My son Sem is 6."),
        ("Sorry, I was late.", "I live in Kiel."),
        (
            "I painted the kitchen green, not blue.",
            "My favourite colour is green.",
        ),
        ("Actually, I think Sem is 7.", "My son Sem is 6."),
    ] {
        check(newer, older, None);
    }
}

#[test]
fn what_one_gave_up_or_pays_for_no_more_may_end_what_was_said_of_it() {
    for (newer, older) in [
        ("I gave up teaching yoga.", "I teach yoga."),
        (
            "I cancelled the gym membership.",
            "I go to the gym on Mondays.",
        ),
        ("I switched gyms.", "My gym is the Fitinn."),
        ("My doctor took me off ramipril.", "I take ramipril."),
        ("Tom quit Nokia in May.", "My brother Tom works at Nokia."),
        ("I used to teach yoga.", "I teach yoga."),
        ("Ich rauche nicht mehr.", "Ich rauche."),
        ("Ich habe mit dem Rauchen aufgeh\u{f6}rt.", "Ich rauche."),
    ] {
        assert!(ends(newer, older), "{newer:?} after {older:?}");
    }
    for (newer, older) in [
        ("I may quit Nokia.", "I work at Nokia."),
        ("I cancelled the piano lesson.", "I play the piano."),
        ("I switched to tea.", "I drink tea."),
        ("I changed the oil.", "I collect oil lamps."),
        ("I left the concert early.", "I sing in a choir."),
        ("I used to live in Bonn.", "I live in Kiel."),
        ("I gave up smoking.", "I gave up smoking last year."),
        ("Ich habe keine Lust mehr auf Graz.", "Ich wohne in Graz."),
    ] {
        assert!(!ends(newer, older), "{newer:?} after {older:?}");
    }
}

#[test]
fn who_retired_or_left_their_work_may_be_no_more_what_they_were() {
    for (newer, older) in [
        ("Dr Novak retired in June.", "My dentist is Dr Novak."),
        ("Carla Ruiz left the company.", "My manager is Carla Ruiz."),
        ("Tom retired.", "My brother Tom works at Nokia."),
        ("Nora resigned last week.", "My wife Nora is a nurse."),
    ] {
        check(newer, older, Some(Turn::Doubtful));
    }
    for (newer, older) in [
        ("Carla Ruiz left early today.", "My manager is Carla Ruiz."),
        ("Dr Berg retired in June.", "My dentist is Dr Novak."),
        ("Tom retired.", "My brother Tom lives in Kiel."),
        ("Dr Novak may retire.", "My dentist is Dr Novak."),
        ("Minka turned 2 plates over.", "My cat Minka is 12."),
    ] {
        check(newer, older, None);
    }
}

#[test]
fn what_was_put_elsewhere_may_lie_there_no_more() {
    let under = "The spare key is under the flowerpot.";
    check(
        "I moved the spare key to the shed.",
        under,
        Some(Turn::Doubtful),
    );
    check(
        "We put the spare key in a box.",
        under,
        Some(Turn::Doubtful),
    );
    for (newer, older) in [
        ("I moved the meeting to Friday.", under),
        ("I moved the car key to the shed.", under),
        ("I may put the spare key in a box.", under),
        (
            "I moved the spare key to the shed.",
            "The spare key is rusty.",
        ),
        ("I put the spare key.", under),
    ] {
        check(newer, older, None);
    }
}

#[test]
fn the_names_of_a_sentence_are_those_that_it_is_about_or_that_stand_inside() {
    let names = |text: &str| -> Vec<String> {
        let own = Sentence::of(text);
        own.names().map(str::to_owned).collect()
    };
    assert_eq!(names("Bram is our old dog."), ["bram"]);
    assert_eq!(names("My sister Elin lives in Oslo."), ["elin", "oslo"]);
    assert_eq!(names("Yesterday I met Anna."), ["anna"]);
    assert_eq!(names("We have a cat."), Vec::<String>::new());
}
