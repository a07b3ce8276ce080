//! What the grammar takes for a fact, and what it leaves.
//!
//! Sentences in lists; none of them stands in the tables.

use super::Reading::Passing;
use super::*;
use crate::offline::sentence::sentences;

const OWN: Reading = Fact(Speaker, Lasts::Long);
const KIN_FACT: Reading = Fact(About::Kin, Lasts::Long);
const ONCE: Reading = Fact(Speaker, Lasts::Once);
const TASTE: Reading = Fact(Speaker, Lasts::Taste);
const HABIT: Reading = Fact(Speaker, Lasts::Habit);

#[track_caller]
fn check(expected: Reading, clauses: &[&str]) {
    let wrong: Vec<(&str, Reading)> = clauses
        .iter()
        .map(|clause| (*clause, read(clause)))
        .filter(|(_, found)| *found != expected)
        .collect();
    assert_eq!(wrong, [], "not {expected:?}");
}

#[test]
fn home_work_and_health_are_facts_about_the_speaker() {
    check(
        OWN,
        &[
            "I live in Graz.",
            "i live in graz",
            "We live in a small village near Pecs.",
            "I moved to Szeged last month.",
            "Last month I moved to Szeged.",
            "I've just moved into a bigger flat",
            "We recently moved house",
            "I grew up in Zagreb.",
            "I was born in 1984 in Turin.",
            "I'm from Lyon originally.",
            "I work at Bosch.",
            "I work as a nurse in a children's hospital",
            "I'm working for the city of Vienna now",
            "I quit my job at Bosch.",
            "I've quit smoking.",
            "I left my company in June",
            "I don't work at Bosch any more.",
            "I no longer work for Siemens",
            "I used to work at the post office.",
            "In March I started at Siemens.",
            "I started a new job on Monday.",
            "I got promoted yesterday!",
            "I run a bakery with my brother",
            "I study law in Vienna.",
            "I graduated in 2012.",
            "I teach maths at a grammar school",
            "I'm a nurse.",
            "I am an only child",
            "I'm the mother of two",
            "I'm retired.",
            "I'm 34 years old.",
            "im 41",
            "I'm sixty-seven",
            "I'm twenty-nine years old",
            "I am allergic to peanuts.",
            "I'm not allergic to cats any more",
            "I'm vegetarian.",
            "im vegan btw",
            "By the way, I'm diabetic.",
            "I should mention that I am lactose intolerant",
            "Just so you know, I'm colour-blind",
            "I have asthma.",
            "I wear glasses",
            "I have two kids.",
            "We have a dog and two cats.",
            "I don't have any children.",
            "I have no siblings",
            "We got a puppy last week.",
            "I got married in May.",
            "We're married.",
        ],
    );
}

#[test]
fn names_days_and_measures_are_facts_about_the_speaker() {
    check(
        OWN,
        &[
            "I speak Hungarian and a bit of Polish.",
            "My name is Tomas.",
            "my name's tomas",
            "I'm called Sam by everybody",
            "I go by Sam.",
            "I'm Tomas.",
            "My birthday is on 3 March.",
            "My birthday is 3 March",
            "It's my birthday tomorrow!",
            "Tomorrow is my birthday.",
            "My shoe size is 43",
            "My blood type is 0 negative.",
            "My native language is Slovene",
            "My favourite colour is green.",
            "My address is Hauptplatz 4, 8010 Graz.",
            "My phone is a Pixel 8.",
            "My job title is data engineer",
            "My wife and I live in Graz.",
            "I was diagnosed with coeliac disease",
            "I'm expecting a baby in June",
            "I weigh 80 kg",
            "I became a father last week.",
            "I bought a house in Maribor",
        ],
    );
}

#[test]
fn people_and_animals_of_the_speaker_are_named() {
    check(
        KIN_FACT,
        &[
            "My dog is Rex.",
            "my dog is rex",
            "My dog is called Max now.",
            "My dog's name is Rex.",
            "The name of my dog is Rex.",
            "Our cat is named Mimi",
            "Rex is my dog.",
            "Anna is my sister.",
            "Max and Lena are our kids",
            "My sister Anna lives in Graz.",
            "My sister Anna moved to Vienna",
            "My older brother works at the railway",
            "My best friend is Karin",
            "My mother-in-law is 80 years old",
            "my mother in law is 80",
            "My husband is a carpenter.",
            "My wife's name is Eva",
            "My wife's birthday is on 5 May.",
            "My sister's husband is called Bob.",
            "My son is allergic to eggs",
            "My daughter started school in September",
            "My daughter goes by Lou",
            "My boss is Karin Gruber",
            "My grandfather died last year.",
            "My dentist is Dr. Weber",
            "My brother has two kids",
            "My landlord lives in the same house",
        ],
    );
}

#[test]
fn tastes_and_habits_are_facts_too() {
    check(
        TASTE,
        &[
            "I hate olives.",
            "I prefer trains over planes",
            "I love hiking in the mountains.",
            "I don't like coriander.",
            "I can't stand loud music",
            "I enjoy cooking",
            "I'm a big fan of Miles Davis",
        ],
    );
    check(
        HABIT,
        &[
            "I don't eat meat.",
            "I play the violin.",
            "I drive a red Volvo",
            "I never drink alcohol.",
        ],
    );
}

#[test]
fn what_happened_and_what_is_to_come_is_told_with_its_time() {
    check(
        ONCE,
        &[
            "We are going to Lisbon in May.",
            "We're flying to Oslo on 3 May",
            "I'm going to visit Anna next week",
            "I will start at Siemens in March",
            "I booked a hotel in Porto.",
            "I bought a bike",
            "I passed my driving test!",
            "I broke my leg",
            "We're getting married on 12 June.",
        ],
    );
}

#[test]
fn passing_states_and_small_talk_are_none() {
    check(
        Passing,
        &[
            "I am tired.",
            "I'm at the airport.",
            "I'm in a meeting",
            "I'm a bit late",
            "I'm so hungry",
            "I'm working from home today",
            "I am sitting in the train",
            "My dog is barking.",
            "My boss is annoying",
            "My sister is here",
            "my dog is hungry",
            "I'm 5 minutes away",
            "I'm in Berlin this week",
        ],
    );
    for clause in [
        "I have a question about Rust",
        "I have to go",
        "I think so",
        "I see what you mean",
        "I like it",
        "I like the second one",
        "I love that idea",
        "I moved the file to the archive",
        "We moved to PostgreSQL16",
        "We moved to DocuBase",
        "I moved to Linux",
        "I left my keys at home",
        "I quit the editor",
        "I started the server",
        "I run the tests",
        "I work on the report",
        "My code is broken",
        "My question is simple",
        "My car is dirty",
        "My job is stressful",
        "I got an error",
        "I didn't book a hotel",
    ] {
        let found = read(clause);
        assert!(
            !matches!(found, Fact(_, Lasts::Long)),
            "{clause}: {found:?}"
        );
    }
}

#[test]
fn a_word_of_life_in_another_sense_is_no_lasting_fact() {
    let wrong: Vec<(&str, Reading)> = [
        "I am right",
        "I'm right about the index",
        "I'm left with no choice.",
        "I'm left out of the loop",
        "I'm single threaded in this loop.",
        "I'm blind to this bug.",
        "I'm deaf to that argument",
        "I'm straight out of ideas.",
        "I'm straight to the point",
        "I'm engaged in a long call.",
        "I'm separated from my luggage",
        "I'm native code all the way.",
        "I'm sober about the estimate",
        "I'm married to this design",
        "I'm pregnant with ideas",
        "I'm disabled in the admin panel",
        "I'm religious about tests",
        "I retired the old server.",
        "I retired two branches",
        "I resigned myself to the delay",
        "I married the two datasets.",
        "I divorced the parser from the lexer",
        "I separated the two modules",
        "I lost my job queue when the server crashed.",
        "I left my job running overnight",
        "I left the team chat open.",
        "I left my company laptop in the train",
        "I quit the school portal",
        "I had twins in the test data.",
        "I own a bug.",
        "I own the release this week",
        "I adopted a new style",
        "I adopted the convention",
        "I graduated the cylinder",
        "I run a company wide search",
        "I manage the department mailbox",
        "I joined the team meeting",
        "I have a job stuck in the queue",
        "I have a child process that hangs",
        "I teach it",
        "I suffer from slow builds",
        "I gave up on the parser",
        "I'm expecting an error here",
        "I speak too fast",
        "My wife thinks I work for the CIA.",
        "My wife says I live in a dream",
        "My boss thinks I am single",
        "My build is dead",
    ]
    .into_iter()
    .map(|clause| (clause, read(clause)))
    .filter(|(_, found)| matches!(found, Fact(_, Lasts::Long)))
    .collect();
    assert_eq!(wrong, []);
}

#[test]
fn the_same_words_in_their_own_sense_last() {
    check(
        OWN,
        &[
            "I'm left-handed",
            "I'm right handed",
            "I'm single.",
            "I'm single again",
            "I'm straight.",
            "I'm engaged to Anna",
            "I'm separated from my husband",
            "I'm a native speaker of Slovene",
            "I'm blind in one eye",
            "I'm deaf since birth",
            "I'm allergic to bee stings",
            "I'm fluent in French",
            "I'm colour blind",
            "I retired last year",
            "I retired from Bosch in 2020.",
            "I resigned",
            "I married Anna in 2015",
            "I married my best friend",
            "I got divorced",
            "I lost my job",
            "I lost my job last week",
            "I left my job at the bank",
            "I left the army in 2010",
            "I own a bakery",
            "I own a house in Linz",
            "I adopted two cats",
            "I have twins",
            "I suffer from migraine",
            "I speak French and German",
        ],
    );
}

#[test]
fn what_is_imagined_wished_quoted_or_asked_is_no_fact() {
    check(
        Other,
        &[
            "If I moved to Spain, I would learn Spanish",
            "If I live in Graz, which tax office is mine",
            "I would live in Graz if I could",
            "I'd work at Bosch any day",
            "I wish I lived in Graz",
            "Imagine that I am a pirate",
            "Suppose I work at Bosch",
            "Pretend my dog is a dragon",
            "Let's say I live in Graz",
            "What if I quit my job at Bosch",
            "You are a doctor and I am your patient",
            "I might move to Szeged",
            "I could get a dog",
            "Maybe I live in the wrong city",
            "\"I live in Graz\" is what he wrote",
            "He said I live in Graz",
            "I forgot where I work",
            "I can't remember what my dog is called",
            "I wonder if my dog is called Rex",
            "I work at Bosch, right",
            "I live in Graz, don't I",
            "In my dream I live in Graz",
            "I don't know whether I live in a good area",
        ],
    );
}

#[test]
fn other_languages_are_not_guessed() {
    check(
        Other,
        &[
            "Ich wohne in Graz",
            "Mein Hund ist Rex",
            "Je travaille chez Bosch",
            "Me llamo Ana y vivo en Lugo",
            "\u{6211}\u{4f4f}\u{5728}\u{676d}\u{5dde}",
            "",
            "'",
            "my",
            "my dog's",
            "I",
        ],
    );
}

#[test]
fn facts_of_one_sentence_are_taken_apart_and_no_list_is() {
    let parts = |text: &str| parted(text).join(" | ");
    for (text, expected) in [
        (
            "I live in Graz and work at Bosch.",
            "I live in Graz | I work at Bosch",
        ),
        (
            "I'm vegetarian and allergic to nuts",
            "I'm vegetarian | I'm allergic to nuts",
        ),
        (
            "I'm a nurse, and my wife Eva teaches maths.",
            "I'm a nurse | my wife Eva teaches maths",
        ),
        (
            "I've quit smoking and moved to Graz; I live alone",
            "I've quit smoking | I moved to Graz | I live alone",
        ),
        ("I'm a nurse and she's a teacher", "I'm a nurse"),
        ("I have a dog and two cats.", ""),
        ("I live and work in Graz.", ""),
        ("I'm from East Hill, Montserrat and Werkzeug", ""),
        ("I'm 34 and tired.", ""),
        ("My wife and I live in Graz.", ""),
    ] {
        assert_eq!(parts(text), expected, "{text}");
    }
}

#[test]
fn what_is_theirs_in_other_words_is_a_fact_too() {
    check(
        OWN,
        &[
            "just moved to Manchester for a new job",
            "Rent is 740 a month, bills included",
            "i've got hay fever",
            "i take cetirizine in spring",
            "Lena and i got engaged!!",
            "New address is Rosenweg 14",
            "We live and work in Graz",
        ],
    );
    check(
        KIN_FACT,
        &[
            "Landlord is Mr Okafor",
            "Dan left, my new manager is Aoife",
            "my mum edith lives in Bern, she turns 70 on 14 November",
        ],
    );
    for clause in [
        "Started the server",
        "Got an error in main.rs",
        "the printer keeps jamming again, error E-204",
        "In that case, my plan is Berlin",
        "She said, my rent is 500",
        "The paper is on the table",
        "The room is full",
        "The train leaves at 7:12 today",
        "The bus is 5 minutes late",
    ] {
        let found = read(clause);
        assert!(
            !matches!(found, Fact(_, Lasts::Long)),
            "{clause}: {found:?}"
        );
    }
}

#[test]
fn parts_keep_what_makes_no_sense_alone() {
    for (text, expected) in [
        (
            "I take magnesium every evening and levothyroxine before breakfast",
            "",
        ),
        ("Our insurance is with Visana, I pay 340 a month", ""),
        (
            "Our car is a grey Skoda, and its inspection is due in March 2027",
            "",
        ),
        ("My girlfriend lives in Berlin, I visit her every month", ""),
        (
            "I'm Clara, I live in Thun with Beat",
            "I'm Clara | I live in Thun with Beat",
        ),
        (
            "Dan left, my new manager is Aoife",
            "my new manager is Aoife",
        ),
    ] {
        assert_eq!(parted(text).join(" | "), expected, "{text}");
    }
}

#[test]
fn a_play_is_opened_by_a_role_or_a_story_and_by_no_praise() {
    for (text, expected) in [
        ("You are a doctor.", true),
        ("You are Herr Frei, my landlord.", true),
        ("Pretend you're a pirate", true),
        ("For my novel: the hero is called Alaric", true),
        ("You're a star!", false),
        ("You are right", false),
        ("You're the best.", false),
        ("You're a lifesaver, thanks.", false),
        ("You are my last hope here.", false),
        ("You're a great help.", false),
        ("You are the only one who listens.", false),
        ("You're an angel.", false),
        ("You're a real miracle worker", false),
        ("You're my favourite assistant.", false),
        ("Imagine my surprise: we are having twins.", false),
        ("Imagine my face when she said yes.", false),
        ("The hero of the day is my wife, she got the job!", false),
        ("I met her in the story time group.", false),
        ("You are Gandalf.", true),
        ("You're an experienced tax adviser.", true),
        ("You are my therapist.", true),
        ("Imagine my dog is called Rex", true),
        ("I finished my novel", false),
    ] {
        assert_eq!(opens_play(text), expected, "{text}");
    }
}

#[test]
fn what_is_done_for_somebody_or_for_a_day_is_no_lasting_fact() {
    let wrong: Vec<(&str, Reading)> = [
        "I left Anna a message",
        "I left Tom the keys",
        "I left my sister a voicemail",
        "I left my team a note",
        "I left the company a review",
        "I left Anna in charge",
        "I left Leo at kindergarten",
        "I left Bern at noon",
        "I left the club at midnight",
        "I left school early today",
        "I left school at four",
        "I left school at 4:30",
        "I joined Anna for lunch",
        "I found Anna a flat",
        "I run Anna a bath",
        "I got my sister a job",
        "I sent Tom the contract",
        "I gave Anna a book for her birthday",
        "I brought Tom some soup",
        "I told Anna about the move",
        "I wrote Anna a letter",
        "I lent my brother my old bike",
        "My brother left the company a nasty review",
    ]
    .into_iter()
    .map(|clause| (clause, read(clause)))
    .filter(|(_, found)| matches!(found, Fact(_, Lasts::Long | Lasts::Over)))
    .collect();
    assert_eq!(wrong, []);
    check(
        OWN,
        &[
            "I left Bosch",
            "I left Bosch after ten years",
            "I left Bosch to join Siemens",
            "I left the army in 2010",
            "I quit the choir",
            "I quit school at 16",
            "I joined Siemens in Munich as a tester",
            "I run Caf\u{e9} Central with my sister",
            "I changed my phone number to 0664 12 34 567",
        ],
    );
}

#[test]
fn a_date_an_age_or_company_leaves_a_beginning_or_an_end_what_it_is() {
    check(
        OWN,
        &[
            "I joined Siemens on Monday as a tester",
            "I joined Siemens with two friends",
            "I joined Bosch at 25",
            "I joined Bosch at the beginning of May",
            "I joined Bosch on 1 May",
            "I joined Bosch on the first of May",
            "I joined Siemens the following month",
            "I left Bosch at 40",
            "I left Bosch at forty-two",
            "I left Siemens at the age of 40",
            "I left Bosch on 31 March",
            "I left school at sixteen",
            "I left school at 12",
            "I left Bosch and took a job in Graz",
            "I left Bosch because I was bored",
            "I left Dr. Oetker",
        ],
    );
}

#[test]
fn who_leaves_or_joins_somebody_for_an_hour_is_noted_and_nothing_lasts() {
    check(
        ONCE,
        &[
            "I left Rex at the vet",
            "I left Rex with two friends",
            "I left Anna the spare key",
            "I found Anna a flat",
            "I left Microsoft and took the bus home",
            "I left Microsoft and went for a run",
            "I left Microsoft and walked home",
            "I left Microsoft to have lunch",
            "I left Microsoft because I felt sick",
            "I left Dr. Weber a message",
            "I left Tom and Anna the keys",
            "I joined Anna and Tom for dinner",
            "I left Bern at five",
            "I left Bern on Monday",
            "I joined Anna on Monday",
            "I have an appointment with Dr. Weber on Thursday",
            "I have a dentist appointment tomorrow",
        ],
    );
}

#[test]
fn what_has_come_to_an_end_is_told_from_errands() {
    check(
        Fact(Speaker, Lasts::Over),
        &[
            "I broke up with Tom",
            "I split up with my boyfriend",
            "Tom and I split up",
            "My girlfriend and I broke up last month",
            "I cancelled my gym membership",
            "I canceled my Netflix subscription in May",
            "I sold my car",
            "I sold the Volvo",
            "We sold our old piano to a neighbour",
            "We broke up",
            "I stopped taking magnesium",
            "I no longer take magnesium",
            "I left my husband",
            "I left my wife last year",
            "I left my wife for good",
            "We broke up after ten years",
            "I broke up with my boyfriend Tom in May",
        ],
    );
    for clause in [
        "We broke up the ice",
        "We split up the bill",
        "I broke up the talk with a joke",
        "I cancelled my order",
        "I cancelled the meeting",
        "I sold my house plants",
        "I sold Tom my car",
        "I didn't sell my car",
        "I will sell my car",
        "I stopped taking notes",
        "I don't have any more questions",
        "I no longer have it",
        "I left my wife at the station",
        "I left my wife a message",
        "I left my partner and took the bus home",
        "I found a job for Tom",
        "I got the position of the cursor",
        "I left my husband yesterday",
        "I left my husband because the film was boring",
        "We broke up because of a fire alarm",
        "I left my partner and the dog in the car",
        "I left my wife and the kids at home",
        "I left my husband so he could sleep",
        "I left my husband last week at the station",
        "I broke up with Tom, because of a fire alarm",
    ] {
        let found = read(clause);
        assert!(
            !matches!(found, Fact(_, Lasts::Over | Lasts::Long)),
            "{clause}: {found:?}"
        );
    }
}

#[test]
fn who_is_dismissed_is_told_from_who_is_let_down() {
    check(
        OWN,
        &[
            "I was fired",
            "I was fired yesterday",
            "I was laid off last week",
            "I have been made redundant",
            "I was let go two weeks ago",
            "I was promoted to team lead",
            "I got a new job as a data analyst at Helvetia",
            "Turns out I'm not lactose intolerant",
            "My number changed, it is now 0664 7654321",
        ],
    );
    check(
        Fact(Kin, Lasts::Long),
        &["Our cat had to be put down yesterday", "Bruno ran away"],
    );
    for clause in [
        "My brother was put down by his boss",
        "I was let go by the current",
        "I was fired up",
        "I was let down",
        "I was laid back about it",
        "I was dismissed as a crank",
    ] {
        let found = read(clause);
        assert!(!matches!(found, Fact(..)), "{clause}: {found:?}");
    }
}

#[test]
fn what_is_so_for_the_moment_does_not_last() {
    for clause in [
        "I have a migraine right now",
        "At the moment I live with my parents",
        "I'm on insulin at the moment",
        "I work at Bosch for now",
        "I'm hungry at the moment",
        "right now I am in the bath",
        "I have cancer as my zodiac sign",
        "I have depression in my dataset",
    ] {
        let found = read(clause);
        assert!(
            !matches!(found, Fact(_, Lasts::Long | Lasts::Habit)),
            "{clause}: {found:?}"
        );
    }
    check(
        OWN,
        &[
            "I have cancer",
            "My zodiac sign is Cancer",
            "I have type 2 diabetes",
        ],
    );
}

#[test]
fn a_fact_is_taken_back_only_in_its_own_paragraph() {
    for (text, is_held) in [
        ("I live in Linz. Just kidding.", false),
        ("I live in Linz.\nScratch that.", false),
        ("I live in Linz.\n\nJust kidding.", true),
        ("- I live in Linz.\n\nActually, no.", true),
    ] {
        let found = with_antecedents(sentences(text));
        let is_found = found.iter().any(|own| own.text == "I live in Linz.");
        assert_eq!(is_found, is_held, "{text}");
    }
}
