//! Which sentences tell which matter of the owner, and what is told about them when it is asked for.

use models::Matter::{
    Allergy, Birth, Boss, Car, Child, Diet, Doctor, Hobby, Home, Illness, Instrument, Landlord,
    Language, Medicine, Name, Origin, Partner, Pet, Phone, PhoneNumber, Sibling, Wish, Work,
};

use super::*;
use crate::test_kit::offline_home;

#[test]
fn a_matter_is_told_in_many_words() {
    let told = [
        (Work, "I work as a baker."),
        (Work, "I'm a plumber at the town hall."),
        (Work, "Ich bin Tischlerin."),
        (Home, "My wife and I live in Bern."),
        (Home, "Wir sind nach Linz gezogen."),
        (Origin, "I grew up in Cork."),
        (Origin, "I come from Cork."),
        (Work, "I run a bakery."),
        (Work, "I run a small bakery in Leith."),
        (Work, "We own a restaurant."),
        (Work, "I work nights."),
        (Work, "I work night shifts at the moment."),
        (Pet, "My dog Walker is a labrador."),
        (Pet, "My dog is a labrador."),
        (Name, "My name is Eva."),
        (Birth, "I am 44 years old."),
        (Birth, "I was born on 2 June 1980."),
        (Birth, "Ich bin am 2. Juni 1980 geboren."),
        (Pet, "We have two cats."),
        (Pet, "Tara is our cat."),
        (Pet, "Our old cat is called Tara."),
        (Allergy, "I'm severely allergic to peanuts."),
        (Medicine, "I take lisinopril."),
        (Medicine, "My doctor put me on warfarin."),
        (Illness, "I have asthma."),
        (Partner, "I'm married to Tom."),
        (Partner, "Meine Frau hei\u{df}t Eva."),
        (Child, "We have three sons."),
        (Sibling, "My little sister is a pilot."),
        (Diet, "I don't eat pork."),
        (Car, "I drive a Volvo."),
        (Car, "Ich fahre einen Skoda."),
        (Phone, "I have an iPhone."),
        (PhoneNumber, "My mobile is 0699 7654321."),
        (Boss, "My boss is Mary Hill."),
        (Doctor, "My GP is Dr. Berger."),
        (Landlord, "Our landlord is called Novak."),
        (Hobby, "I collect coins."),
        (Instrument, "I play the violin."),
        (Language, "I speak Polish."),
        (Wish, "Please keep your answers short."),
    ];
    for (matter, sentence) in told {
        assert!(
            telling(matter, sentence).is_some(),
            "{matter:?}: {sentence}"
        );
    }
}

#[test]
fn what_is_told_of_another_or_wished_for_tells_no_matter_of_the_owner() {
    let others = [
        (Work, "My sister works as a baker."),
        (Work, "I'm a vegetarian."),
        (Work, "I'm a father of two."),
        (Home, "My son lives in Bern."),
        (Birth, "My dog is 4 years old."),
        (Birth, "My birthday party was great fun."),
        (Pet, "My sister has a cat."),
        (Pet, "I would love to have a dog."),
        (Pet, "My cat's vet is in Graz."),
        (Allergy, "My son is allergic to nuts."),
        (Medicine, "My dog takes warfarin."),
        (Child, "Do I have sons?"),
        (Diet, "I work at a vegan restaurant."),
        (Car, "My brother drives a Volvo."),
        (Phone, "My mobile is 0699 7654321."),
        (PhoneNumber, "My phone is a Pixel 8."),
        (Doctor, "My doctor is on holiday."),
        (Language, "My mother speaks Polish."),
        (Language, "I speak quietly."),
        (Wish, "I prefer tea."),
        (Birth, "Tom: I am 50."),
        (Birth, "I turned 90 degrees."),
        (Birth, "I am 2 years into my studies."),
        (Birth, "I am 500."),
        (Home, "I lost my house keys."),
        (Work, "I run a bath."),
        (Work, "I run every morning."),
        (Work, "I run a marathon in May."),
        (Work, "I run past the bakery."),
        (Work, "I own a bakery oven."),
        (Work, "I work out at night."),
        (Origin, "I come from the dentist."),
        (Origin, "I come from work."),
        (Pet, "My dog walker is Jim."),
        (Pet, "My cat sitter charges 12 euros."),
        (Pet, "My dog food is in the cellar."),
        (Home, "I bought a house plant."),
        (Work, "I run out of milk every week."),
        (Work, "I quit smoking."),
        (Work, "I work out every morning."),
        (Work, "Ich leite die Mail weiter."),
        (Diet, "I follow the news every day."),
        (Child, "I got a baby gift for Ann."),
        (Pet, "I got a dog bite yesterday."),
        (Pet, "I keep my cat photos in a drawer."),
        (Pet, "I have a photo of a dog."),
        (Hobby, "I go to the dentist on Tuesday."),
        (Hobby, "I play the lottery for my boss."),
        (Origin, "I come from a meeting."),
        (Origin, "I am from time to time tired."),
        (Origin, "Ich bin in der Badewanne."),
        (Partner, "Ich bin mit dem Bus gekommen."),
        (Partner, "My former wife is called Eva."),
        (Partner, "My late husband is Tom."),
        (Boss, "My old boss was Mary Hill."),
        (Work, "My first job was at a bakery."),
    ];
    for (matter, sentence) in others {
        assert_eq!(telling(matter, sentence), None, "{matter:?}: {sentence}");
    }
}

#[tokio::test]
async fn what_is_asked_for_in_other_words_is_quoted_as_it_was_told_the_newest_first() {
    let home = offline_home();
    for (day, words) in [
        ("2026-03-02", "We have a hamster called Pip."),
        ("2026-03-04", "My sister has a dog."),
        ("2026-03-09", "I am a plumber and we have a beagle."),
        ("2026-03-10", "The pets of the neighbours are loud."),
    ] {
        home.say(&format!("{day}T08:00:00Z"), words).await;
    }
    let reply = home.say("2026-03-30T08:00:00Z", "What animals do I own?");
    assert_eq!(
        reply.await,
        "I am offline and can only quote what I find in memory:\n\n\
         - we have a beagle. (memory/2026-03-09.md:7, 2026-03-09)\n\
         - We have a hamster called Pip. (memory/2026-03-02.md:7, 2026-03-02)\n"
    );
    let reply = home.say("2026-03-30T08:01:00Z", "How old am I?");
    assert_eq!(
        reply.await,
        "I am offline, and I find nothing about this in memory."
    );
}
