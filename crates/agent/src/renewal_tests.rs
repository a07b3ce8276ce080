//! Which of the passages that were found gives the later value, and how it is told.

use crate::Event;
use crate::test_kit::offline_home;

/// What is told about a question after these messages, each said on a day of its own or the same.
async fn told(said: &[(&str, &str)], question: &str) -> Vec<String> {
    let home = offline_home();
    for (day, words) in said {
        home.say(&format!("{day}T08:00:00Z"), words).await;
    }
    let reply = home.say("2026-03-30T08:00:00Z", question).await;
    let bullets = reply.lines().filter_map(|line| line.strip_prefix("- "));
    let without_place = |line: &str| line.rsplit_once(" (").unwrap().0.to_owned();
    bullets.map(without_place).collect()
}

#[tokio::test]
async fn where_one_lives_is_told_newest_first() {
    let said = [
        ("2026-03-02", "I live in Graz."),
        ("2026-03-02", "I like the bakery where I live."),
        ("2026-03-09", "We moved to Szeged."),
        ("2026-03-16", "My sister lives in Linz."),
        ("2026-03-23", "I moved to Pecs for work."),
    ];
    let found = told(&said, "Where do I live?").await;
    assert_eq!(
        found,
        [
            "I moved to Pecs for work.",
            "Earlier: We moved to Szeged.",
            "Earlier: I live in Graz.",
            "I like the bakery where I live."
        ]
    );
}

#[tokio::test]
async fn other_values_that_changed_are_told_newest_first() {
    for (older, newer, question) in [
        (
            "I work at Bosch.",
            "I started at Siemens.",
            "Where do I work?",
        ),
        (
            "My phone number is 0664 1234567.",
            "I have a new phone number: 0699 7654321.",
            "What is my phone number?",
        ),
        (
            "My car is a Volvo.",
            "We bought a new car, a Skoda.",
            "What car do I have?",
        ),
        (
            "My doctor is Dr. Meier.",
            "My new doctor is Dr. Berger.",
            "Who is my doctor?",
        ),
    ] {
        let said = [("2026-03-02", older), ("2026-03-09", newer)];
        let expected = [newer.to_owned(), format!("Earlier: {older}")];
        assert_eq!(told(&said, question).await, expected);
    }
}

#[tokio::test]
async fn what_may_have_ended_stands_behind_what_may_end_it_and_is_not_called_earlier() {
    for (older, newer, question) in [
        (
            "My sister Elin lives in Oslo.",
            "Elin moved back to Stockholm.",
            "Where does Elin live?",
        ),
        (
            "Bram is our old dog.",
            "We had to put Bram to sleep.",
            "What is my dog called?",
        ),
        (
            "My shoe size is 39.",
            "My shoe size is 40, sorry.",
            "What is my shoe size?",
        ),
        (
            "The spare key is under the flowerpot.",
            "I moved the spare key to the shed.",
            "Where is the spare key?",
        ),
    ] {
        let said = [("2026-03-02", older), ("2026-03-09", newer)];
        assert_eq!(told(&said, question).await, [newer, older]);
    }
    let said = [
        ("2026-03-02", "I am vegan."),
        ("2026-03-09", "I'm not vegan any more."),
    ];
    let found = told(&said, "Am I vegan?").await;
    assert_eq!(found, ["I'm not vegan any more.", "Earlier: I am vegan."]);
    let said = [
        ("2026-03-02", "My sister Elin lives in Oslo."),
        ("2026-03-09", "Elin moved the sofa back."),
    ];
    let found = told(&said, "Where does Elin live?").await;
    assert_eq!(found[0], "My sister Elin lives in Oslo.");
}

#[tokio::test]
async fn of_two_values_the_one_that_was_said_later_is_told_first_whichever_it_is() {
    let (one, other) = ("My dentist is Jan Olsen.", "My dentist is Petra Holm.");
    for (older, newer) in [(one, other), (other, one)] {
        let said = [("2026-03-02", older), ("2026-03-09", newer)];
        let expected = [newer.to_owned(), format!("Earlier: {older}")];
        assert_eq!(told(&said, "Who is my dentist?").await, expected);
    }
}

#[tokio::test]
async fn of_what_is_known_it_is_said_how_much_is_left_out_and_where() {
    let home = offline_home();
    let things = ["b", "d"].map(|first| ('a'..='z').map(move |it| format!("{first}{it}{it}ola")));
    let things: Vec<String> = things.into_iter().flatten().collect();
    let facts: Vec<String> = things.iter().map(|it| format!("- owns {it}\n")).collect();
    home.write("MEMORY.md", &facts.concat());
    let asked = home.say_in("main", "2026-03-02T09:00:00Z", "What do you know about me?");
    let (reply, events) = asked.await;
    let bullets = reply.lines().filter(|line| line.starts_with("- "));
    let expected = things.iter().zip(1..).skip(12);
    let expected: Vec<String> = expected
        .map(|(it, line)| format!("- owns {it} (MEMORY.md:{line})"))
        .collect();
    assert_eq!(bullets.collect::<Vec<_>>(), expected);
    let notices = events.into_iter().filter_map(|event| {
        if let Event::Notice(text) = event {
            Some(text)
        } else {
            None
        }
    });
    let told =
        "12 more things are known than are shown here: `openclaw memory get MEMORY.md` shows them.";
    assert_eq!(notices.collect::<Vec<_>>(), [told]);
}

#[tokio::test]
async fn where_the_order_is_not_sure_what_is_announced_stands_first_and_nothing_is_called_earlier()
{
    for file in ["MEMORY.md", "memory/2026-03-02.md"] {
        let home = offline_home();
        home.write(file, "# Notes\n\n- I live in Graz\n");
        home.say("2026-03-02T08:00:00Z", "We moved to Szeged.")
            .await;
        let reply = home.say("2026-03-02T09:00:00Z", "Where do I live?").await;
        let bullets: Vec<&str> = reply
            .lines()
            .filter(|line| line.starts_with("- "))
            .collect();
        let places: Vec<&str> = bullets
            .iter()
            .map(|line| line.split(" (").next().unwrap())
            .collect();
        assert_eq!(
            places,
            ["- We moved to Szeged.", "- I live in Graz"],
            "{file}"
        );
    }
}

#[tokio::test]
async fn what_is_known_is_told_before_what_was_said_last_and_once() {
    let home = offline_home();
    home.write("USER.md", "# About the owner\n\n- Name: Kim\n");
    home.write("MEMORY.md", "# Long-term memory\n\n- I live in Graz\n");
    home.write(
        "memory/2026-03-01.md",
        "# 2026-03-01\n\n- Kim packed for Lyon\n",
    );
    for words in [
        "I live in Graz.",
        "Hello!",
        "Which tea do I like?",
        "My sister is Ann. Fine.",
    ] {
        home.say("2026-03-02T08:00:00Z", words).await;
    }
    let reply = home
        .say("2026-03-02T09:00:00Z", "What do you know about me?")
        .await;
    let expected = "I am offline and can only quote what I know about you:\n\n\
        - Name: Kim (USER.md:3)\n\
        - I live in Graz (MEMORY.md:3)\n\
        - Kim packed for Lyon (memory/2026-03-01.md:3, 2026-03-01)\n\
        - My sister is Ann. (sessions/main.jsonl:11, 2026-03-02)\n";
    assert_eq!(reply, expected);
    // What belongs to the primary session is told in no other.
    let other = home.say_in("work", "2026-03-02T09:01:00Z", "What do you know about me?");
    assert!(!other.await.0.contains("Kim"));
}

#[tokio::test]
async fn of_a_sentence_with_two_facts_only_the_one_that_changed_is_named_earlier() {
    let english = [
        ("2026-03-02", "My name is Judit and I live in Graz."),
        ("2026-03-09", "I moved to Szeged."),
    ];
    assert_eq!(
        told(&english, "Where do I live?").await,
        ["I moved to Szeged.", "Earlier: I live in Graz."]
    );
    assert_eq!(
        told(&english, "What is my name?").await,
        ["My name is Judit"]
    );
    let german = [
        ("2026-03-02", "Ich hei\u{df}e Judit und wohne in Graz."),
        ("2026-03-09", "Ich bin nach Wien gezogen."),
    ];
    assert_eq!(
        told(&german, "Wo wohne ich?").await,
        [
            "Ich bin nach Wien gezogen.",
            "Earlier: Ich hei\u{df}e Judit und wohne in Graz."
        ]
    );
    // What has its subject before another fact is quoted with it: the part alone stands nowhere.
    let both = [
        ("2026-03-02", "I live in Graz and work at Bosch."),
        ("2026-03-09", "I moved to Szeged."),
    ];
    assert_eq!(
        told(&both, "Where do I work?").await,
        ["I live in Graz and work at Bosch."]
    );
    assert_eq!(
        told(&both, "Where do I live?").await,
        ["I moved to Szeged.", "Earlier: I live in Graz"]
    );
}

#[tokio::test]
async fn who_eats_otherwise_now_is_told_so_first() {
    let said = [
        ("2026-03-02", "I am vegetarian."),
        ("2026-03-09", "I eat meat again."),
    ];
    assert_eq!(
        told(&said, "Am I vegetarian?").await,
        ["I eat meat again.", "Earlier: I am vegetarian."]
    );
}

#[tokio::test]
async fn what_has_ended_is_named_earlier_behind_what_says_so() {
    for (older, newer, question) in [
        (
            "My cat is called Minka.",
            "Minka died.",
            "What pet do I have?",
        ),
        (
            "My flight to Oslo is on 4 May.",
            "My flight to Oslo was cancelled.",
            "When is my flight to Oslo?",
        ),
        (
            "I have a Netflix subscription.",
            "I cancelled Netflix.",
            "Do I have a Netflix subscription?",
        ),
        ("I am 34 years old.", "I turned 35.", "How old am I?"),
        (
            "I take metformin.",
            "I stopped taking metformin.",
            "What medication am I on?",
        ),
    ] {
        let expected = [newer.to_owned(), format!("Earlier: {older}")];
        for newer_day in ["2026-03-02", "2026-03-09"] {
            let said = [("2026-03-02", older), (newer_day, newer)];
            assert_eq!(told(&said, question).await, expected, "{newer_day}");
        }
    }
}
