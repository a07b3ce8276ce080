//! What people tell an assistant on an ordinary day, and what of it is noted and proposed to last.
//!
//! Whole messages go through notes and candidates, as they do on their way into long-term memory.

use base::model::{MemoryReach, Purpose, Request};
use base::{TokenCount, Tz};

use super::super::fixture::{excerpts, notes_of};
use super::candidates;

/// Facts, each with words that have to stand in the note and in the line that is proposed.
#[rustfmt::skip]
const LASTING: &[(&str, &str)] = &[
    ("Since October I teach yoga", "teach yoga"),
    ("I quit the clinic; since October I teach yoga", "teach yoga"),
    ("Mr Holm is no longer our landlord", "no longer our landlord"),
    ("I am afraid of flying", "afraid of flying"),
    ("Don't suggest alcohol", "suggest alcohol"),
    ("Talk to me like a friend", "like a friend"),
    ("I think in kilometres", "kilometres"),
    ("I joined Siemens on Monday as a tester", "joined Siemens"),
    ("I was fired yesterday", "was fired"),
    ("We broke up", "broke up"),
    ("I stopped taking magnesium", "stopped taking magnesium"),
    ("Bitte antworte immer auf Deutsch", "antworte immer auf Deutsch"),
    ("Antworte mir bitte kurz", "bitte kurz"),
    ("Use emojis.", "Use emojis"),
    ("Write short answers.", "short answers"),
    ("Keep your answers short.", "answers short"),
    ("On second thought, answer in French.", "answer in French"),
    ("Don't answer in German, answer in English.", "answer in English"),
    ("Please don't write to me in German.", "to me in German"),
    ("Please don't write to customers in German.", "to customers in German"),
    ("I want you to be shorter from now on", "be shorter"),
    ("Ich bin mit Anna nach Wien gezogen.", "Wien gezogen"),
    ("Can you please always answer in German?", "answer in German"),
    ("I'm not pregnant any more", "not pregnant"),
    ("My bike was stolen", "bike was stolen"),
    ("I no longer work there", "no longer work there"),
    ("Ich bin nach Wien gezogen", "Wien gezogen"),
    ("Ich bin allergisch gegen N\u{fc}sse", "allergisch"),
    ("Ich trinke keinen Alkohol", "Alkohol"),
    ("Meine Tochter hei\u{df}t Lena", "Lena"),
    ("I changed my email address to eva@b.eu", "eva@b.eu"),
    ("I have a new email: eva@b.eu", "eva@b.eu"),
    ("I have a new phone number: 0664 12 34 567", "0664"),
    ("I joined Siemens with two friends", "Siemens with two friends"),
    ("I left Bosch at the age of 40", "Bosch at the age of 40"),
    ("I left school at sixteen", "school at sixteen"),
    ("Mia and Luca are my godchildren", "godchildren"),
    ("Our rent in Basel is 1,850 francs", "1,850"),
    ("I take magnesium every evening", "magnesium"),
    ("The landlord is called Herr Frei", "Frei"),
    ("The wifi at home is called Waldkauz", "Waldkauz"),
    ("Can you remember that my locker is number 44?", "locker is number 44"),
    ("Hi there! my sister lives in bern with her two kids", "sister lives in bern"),
    ("Our daughter Mila was born on 4 June 2021", "Mila was born"),
    ("my moms name is edith", "edith"),
    ("Good morning, quick thing: our car is a blue Skoda Octavia", "Skoda"),
    ("The car's next inspection is due in March 2027", "inspection"),
    ("I go to physio every Tuesday at 5pm", "physio"),
    ("We pay 68 francs a month for internet", "68 francs"),
    ("My dentist is Dr. Rossi on Feldstrasse", "Rossi"),
    ("I can't eat shellfish", "shellfish"),
    ("The cat gets her insulin at 7 in the morning and 7 in the evening", "insulin"),
    ("Grandma turns 90 on 12 September", "90"),
    ("The spare key is at Mrs. Keller's on the second floor", "spare key"),
    ("I'm 1.84 m tall", "1.84"),
    ("My size in shoes is 42", "42"),
    ("My husband hates mushrooms", "mushrooms"),
    ("My glasses prescription is -2.5 on both eyes", "-2.5"),
    ("our dishwasher is a Miele from 2014", "Miele"),
    ("I have a Garmin watch and an iPhone 13", "Garmin"),
    ("We rent a garage on Lindenweg", "garage"),
    ("my work laptop is a ThinkPad X1", "ThinkPad"),
    ("My lease ends on 30 September 2027", "lease"),
    ("The bins are collected on Thursdays", "Thursdays"),
    ("I need reading glasses", "reading glasses"),
    ("I had my appendix out in 2009", "appendix"),
    ("I've got two brothers, Paul and Ferdi", "Paul and Ferdi"),
    ("My doctor says I have high blood pressure", "high blood pressure"),
    ("My pension fund is with Publica", "Publica"),
    ("My neighbour Ruth has our spare key", "spare key"),
    ("Remember I park in spot 17", "spot 17"),
    ("Just FYI my train to work leaves at 7:12", "7:12"),
    ("I work Mondays to Thursdays", "Mondays"),
    ("Tom is my nephew, he's nine", "nephew"),
    ("The wedding is on 14 August in Luzern", "wedding"),
    ("I was vaccinated against tick fever in 2023", "tick fever"),
    ("The dog is called Bruno and he's afraid of thunder", "Bruno"),
    ("i wake up at 6 every day", "wake up at 6"),
    ("My email for bills is rechnungen@frei-hof.ch", "rechnungen@frei-hof.ch"),
    ("I'm left handed and a bit colour blind", "left handed"),
    ("The electricity in the flat is 95 euros a month", "95 euros"),
    ("I swim twice a week", "swim"),
    ("The plumber is called Mr. Kovacs", "Kovacs"),
    ("The printer in the office is called Hugo", "Hugo"),
    ("Could you note that my gym card number is 7731?", "7731"),
    ("Hello! my brother works at the post office in chur", "brother works at the post office"),
    ("Our son Ben was born in 2018", "Ben was born"),
    ("my dads called Walter", "Walter"),
    ("Hey, before I forget: we have a cat called Minka", "Minka"),
    ("The insurance for the house expires in November", "insurance"),
    ("I have choir practice every Wednesday evening", "choir"),
    ("Our mortgage is 1,200 a month until 2041", "mortgage"),
    ("Our vet is Dr. Baumann in Wil", "Baumann"),
    ("I don't drink coffee after noon", "coffee"),
    ("The dog gets one tablet for her heart every morning", "tablet"),
    ("Grandpa is 87 and lives in a home in Aarau", "87"),
    ("My bank is the Sparkasse in Linz", "Sparkasse"),
    ("The fuse box is behind the coats in the hall", "fuse box"),
    ("I weigh 71 kilos", "71"),
    ("I wear size M in shirts", "size M"),
    ("My wife can't stand coriander", "coriander"),
    ("I take 50 mg of levothyroxine before breakfast", "levothyroxine"),
    ("our washing machine is a Bosch and it's six years old", "Bosch"),
    ("We have a parking space in the basement, number 12", "12"),
    ("My phone is a Pixel 8 with a cracked screen", "Pixel 8"),
    ("Our subscription to the newspaper ends in July", "subscription"),
    ("Paper is collected every second Friday", "Paper"),
    ("My mother needs a walking frame since her fall", "walking frame"),
    ("I've three sisters: Ana, Eva and Pia", "Ana, Eva and Pia"),
    ("I was told by my doctor that I have low iron", "low iron"),
    ("My accountant is Frau Stern", "Stern"),
    ("My friend Carlo looks after the plants when we're away", "plants"),
    ("Please remember my seat is 14C in the choir bus", "14C"),
    ("fyi I finish work at 3 on Fridays", "Fridays"),
    ("We moved here from Trento in 2015", "Trento"),
    ("Sofia is my goddaughter, she's seven", "goddaughter"),
    ("Our anniversary is on 21 June", "anniversary"),
    ("My blood pressure is usually 135 over 85", "135"),
    ("We go to the lake house every August", "lake house"),
    ("The kids are called Finn and Ida", "Finn and Ida"),
    ("My car insurance is with Mobiliar, policy 88-1234", "Mobiliar"),
    ("i go to bed at ten on weekdays", "bed at ten"),
    ("My private number is +41 79 555 01 23", "555 01 23"),
    ("I'm a nurse on a cancer ward in Bern", "nurse"),
    ("My youngest is called Theo", "Theo"),
    ("we've got a greyhound named Pippa", "Pippa"),
    ("I'm on blood thinners", "blood thinners"),
    ("Our address is Rosenweg 14, 3612 Steffisburg", "Rosenweg 14"),
    ("The heating bill comes to about 2,400 a year", "2,400"),
    ("My husband works night shifts at the Inselspital", "night shifts"),
    ("I was born in Split and grew up in Zadar", "Split"),
    ("My mum has dementia and lives with us", "dementia"),
    ("I drive to Olten on Mondays and Wednesdays", "Mondays"),
    ("My passport expires on 3 February 2028", "3 February 2028"),
    ("We keep the first-aid kit in the bathroom cabinet", "first-aid kit"),
    ("Could you remember for me that the alarm is serviced every March?", "alarm"),
    ("I have a nut allergy and always carry my EpiPen", "nut allergy"),
    ("The nursery closes at 5:30", "5:30"),
    ("My locksmith is Herr Wyss", "Wyss"),
    ("I retired from teaching in 2022", "retired"),
    ("I'm allergic to penicillin", "penicillin"),
    ("Please note that my new mobile is 078 222 33 44", "078 222 33 44"),
    ("Our boiler was installed in 2011", "2011"),
    ("My aunt Vreni is turning 70 in October", "70"),
    ("The holiday flat in Ticino belongs to my parents", "Ticino"),
    ("I get paid on the 25th of every month", "25th"),
    ("We're members of the Alpine Club", "Alpine Club"),
    ("My wife is a pharmacist and works in Burgdorf", "pharmacist"),
    ("Hello, I'm Marta, I live in Thun with my husband and our two boys", "Marta"),
    ("I don't have a driving licence", "driving licence"),
    ("My left knee was operated on in 2017", "2017"),
    ("our cat's chip number is 756098100123456", "756098100123456"),
    ("I study Italian on Thursday evenings", "Italian"),
    ("The recycling goes out every other Tuesday", "Tuesday"),
    ("My GP is Dr. Anneliese Moser", "Moser"),
    ("I have high cholesterol", "cholesterol"),
    ("My favourite bakery is Reinhard in the Altstadt", "Reinhard"),
    ("I grew up speaking Romansh", "Romansh"),
    ("I'm the treasurer of our rowing club", "treasurer"),
    ("My insulin pump is an Omnipod", "Omnipod"),
    ("I can't have gluten", "gluten"),
    ("Remind yourself that my sister-in-law is called Beatrix", "Beatrix"),
    ("Our cleaner comes on Tuesdays", "Tuesdays"),
    ("The gas meter reading is due every September", "September"),
    ("My in-laws live in Bolzano", "Bolzano"),
    ("Kai is my stepson and he's fourteen", "stepson"),
    ("I do yoga twice a week", "yoga"),
    ("My ring size is 54", "54"),
    ("My dad worked for the railways all his life", "railways"),
    ("I sold the house in Visp in 2020", "Visp"),
    ("My tailor is called Enzo", "Enzo"),
    ("The dog is insured with Animalia", "Animalia"),
    ("I speak Portuguese at home", "Portuguese"),
    ("We have three chickens and a rooster named Fritz", "Fritz"),
    ("I keep my passport in the bedroom drawer", "passport"),
    ("hey so my new job starts on 1 December at Sulzer", "Sulzer"),
    ("I'm a widow since 2019", "widow"),
    ("Quick note: our neighbours on the left are the Brunners", "Brunners"),
    ("my hearing aids are Phonak", "Phonak"),
    ("Granny's phone number is 033 345 67 89", "033 345 67 89"),
    ("You should know that I only have one kidney", "kidney"),
    ("I pay 340 a month for health insurance", "340"),
    ("I usually run along the river before work", "river"),
    ("Our daughter studies law in Fribourg", "law"),
    ("My biggest fear is flying", "flying"),
    ("I have a standing appointment with my osteopath on the first Monday of the month", "osteopath"),
    ("The church choir rehearses on Wednesdays at 8", "Wednesdays"),
    ("The WLAN code is on the back of the router", "router"),
    ("I was made redundant in June", "redundant"),
    ("Please answer in English", "answer in English"),
    ("always answer in metric units", "metric units"),
    ("Hello! Call me Sam.", "Call me Sam"),
    ("Please call me Dr. Weber", "Dr. Weber"),
    ("Write in British English, please", "British English"),
    ("Speak to me in Hungarian", "Hungarian"),
    ("I sold my car last week", "sold my car"),
    ("Tom and I split up", "split up"),
    ("I cancelled my gym membership", "gym membership"),
];

/// What is worth a note and may wait: habits, events, plans.
#[rustfmt::skip]
const NOTED: &[(&str, &str)] = &[
    ("I joined Anna on Monday", "joined Anna"),
    ("I left Bern on Monday", "left Bern"),
    ("Mimi died", "Mimi died"),
    ("I left Rex at the vet", "Rex at the vet"),
    ("I left Anna the spare key", "the spare key"),
    ("I found Anna a flat", "Anna a flat"),
    ("We always spend Christmas at my parents' place in Davos", "Davos"),
    ("I use a Kindle for reading", "Kindle"),
    ("I broke my left wrist in 2019", "wrist"),
    ("My son plays handball for BSV", "handball"),
    ("I usually have porridge for breakfast", "porridge"),
    ("Our little one, Juna, started nursery in August", "nursery"),
    ("We bought a second-hand Tesla in spring", "Tesla"),
    ("My hourly rate is 110 francs", "110"),
    ("I'm saving for a trip to Japan", "Japan"),
    ("My brother-in-law fixes our computers", "computers"),
    ("The rent in Manhattan is 3,000", "3,000"),
    ("At the moment I live with my parents", "parents"),
];

/// What is noted nowhere: questions, moods, plays, hearsay, chit-chat, errands that are over.
#[rustfmt::skip]
const UNHEARD: &[&str] = &[
    "Does Jonas have asthma?",
    "I am tired",
    "My boss says I don't eat enough",
    "As Shakespeare wrote, I am a man more sinned against than sinning",
    "As my grandmother used to say, I am a lark",
    "Good morning! How are you?",
    "What is the rent in Basel?",
    "If I had a dog I would call him Rex",
    "I wonder whether the landlord is called Frei",
    "He said \"my rent is 900 francs\"",
    "In my novel, Anna has asthma and lives in Graz",
    "I just bought milk and bread",
    "The weather in Basel is awful today",
    "I'm in the kitchen",
    "The function is called parse_rent",
    "The capital of France is Paris",
    "Do you have a cat?",
    "thanks, that was helpful",
    "I need a break",
    "I need help with this letter",
    "My head hurts today",
    "The file is in the downloads folder",
    "Imagine my name is Napoleon and I live on Elba",
    "Suppose Jonas has asthma, which sports are fine?",
    "My friend thinks I should move to Bern",
    "I had pizza for lunch",
    "I'm waiting for the bus",
    "The movie was called Alien",
    "Python has a garbage collector",
    "Harry Potter lives with his aunt and uncle",
    "JULIET: My only love is from a house called Capulet",
    "The car is dirty",
    "The dog is barking again",
    "I can't find my keys",
    "Can you tell me what my locker number is?",
    "Is the wifi at home called Waldkauz?",
    "I feel like I'm getting a cold",
    "We're out of coffee",
    "I called the plumber this morning",
    "My tea is cold",
    "I take it back",
    "I take your point",
    "I have no idea",
    "I have a headache",
    "The recipe needs two eggs",
    "Switzerland has four national languages",
    "Maybe my rent is too high",
    "She says the flat is too small for us",
    "lol my cat is so silly",
    "I'd love to have a garden",
    "What if my landlord sells the house?",
    "You are Herr Frei, my landlord. I am Anna and I have asthma.",
    "> The rent in Basel is 1,850 francs",
    "`The rent in Basel is 1,850 francs`",
    "ok",
    "Wish me luck!",
    "The train is late",
    "The landlord is at the door",
    "Is Emma lactose intolerant?",
    "I'm so stressed right now",
    "My mother says I work too much",
    "Hi! Nice to meet you",
    "Where is the fuse box?",
    "If we lived in Wil, our vet would be Dr. Baumann",
    "I'm not sure whether the plumber is called Kovacs",
    "She wrote \"our mortgage is 1,200 a month\"",
    "In the game my character has two brothers and lives in a castle",
    "I just got back from the shop",
    "It's raining in Zug",
    "Lunch is at half past twelve",
    "I'm on the train",
    "The tests are red on main",
    "The class is called RentCalculator",
    "The longest river in Europe is the Volga",
    "Can you swim?",
    "cool, makes sense",
    "I need a minute",
    "My back is killing me this morning",
    "The invoice is on your desk",
    "Pretend I'm a pirate with a wooden leg",
    "Let's say Nora carries an EpiPen, can she fly?",
    "My colleague thinks our rent is too high",
    "I had two beers yesterday",
    "We're on our way to the lake",
    "Rust has a borrow checker",
    "Sherlock Holmes lives in Baker Street",
    "ROMEO: I have a daughter called Rosaline",
    "The kitchen is a mess",
    "The cat is asleep on my lap",
    "I can't open the attachment",
    "Could you remind me what my shoe size is?",
    "Was our dishwasher a Miele?",
    "I think I'm coming down with something",
    "I spoke to the vet on the phone earlier",
    "My soup is too salty",
    "I see your point",
    "I get it now",
    "I have a question",
    "The cake needs forty minutes in the oven",
    "Berlin has three opera houses",
    "Perhaps my shoes are too small",
    "They say the school is very strict",
    "haha the dog is snoring",
    "I wish we had a balcony",
    "What would happen if my lease ended early?",
    "Act as my dentist, Dr. Rossi. My teeth are fine.",
    "> Our mortgage is 1,200 a month until 2041",
    "`our dishwasher is a Miele`",
    "no worries",
    "See you tomorrow",
    "Talk to you later",
    "The bus is full",
    "The neighbours are loud tonight",
    "Is Aisha vegetarian?",
    "I'm exhausted, what a day",
    "My sister-in-law claims we spoil the kids",
    "Who is my GP?",
    "When does the nursery close?",
    "Do you know what my address is?",
    "\"I am on blood thinners\" is what the patient tells the nurse",
    "Write a story in which Theo has asthma and lives in Thun",
    "The hero of my novel is called Theo and he has a limp",
    "I went for a walk",
    "We had fondue last night",
    "I'm about to leave the house",
    "The parcel has arrived",
    "The variable is named rent_total",
    "The Aare is 288 kilometres long",
    "Are you there?",
    "perfect, thank you so much!",
    "Hold on a second",
    "My feet are killing me",
    "The minutes are in the shared drive",
    "There is a typo in line 3",
    "Let's pretend that I live in Paris",
    "Say my rent went up by 100 francs, what then?",
    "My mother-in-law reckons the flat is too dark",
    "I slept badly",
    "The kids are asleep",
    "The film we saw is named Dune",
    "Java has generics",
    "Romeo lives in Verona",
    "HAMLET: My father is dead and my uncle is king",
    "The fridge is empty",
    "The neighbour's dog is howling",
    "Can you check if my passport is expired?",
    "Was the recycling collected today?",
    "What's a good name for a greyhound?",
    "Do my in-laws live in Bolzano or Merano?",
    "I'm bored",
    "ugh, mondays",
    "My teacher told me I should write more clearly",
    "I'd move to Bolzano in a heartbeat",
    "Is it true that cats have nine lives?",
    "The sky over Thun is pink",
    "I've just had lunch",
    "I'm going to bed",
    "We need bread and eggs",
    "Dinner is ready",
    "The server is called atlas and runs Debian",
    "Your name is Claude",
    "Your answer is wrong",
    "How often should a gas meter be read?",
    "nice!!",
    "sorry, typo",
    "I need ten more minutes",
    "My eyes are sore from the screen",
    "The slides are in the team folder",
    "Let's imagine we have three kids and no car",
    "Give me a plan as if I had a dog called Rex",
    "The nurse said the patient has diabetes",
    "The article says the owner has three chickens",
    "I overslept",
    "The baby finally fell asleep",
    "The series is called Dark",
    "SQLite has a file format",
    "Hamlet has a friend called Horatio",
    "FALSTAFF: I have a great belly and no money",
    "The battery is flat",
    "The dog next door is barking",
    "I dropped my phone in the sink",
    "Could you look up where Bolzano is?",
    "Were you there when we talked about yoga?",
    "Which tailor is good in Thun?",
];

/// What may be noted as work or errand, and never lasts.
#[rustfmt::skip]
const PASSING: &[&str] = &[
    "Schreib mir kurz.",
    "Schreib mir bitte kurz.",
    "Please don't write to Anna in German.",
    "I want you to be shorter next time.",
    "Ich bin gestern nach Hause gezogen.",
    "I live in Bern. Just kidding!",
    "I have a dog. Actually, no.",
    "Can you speak German?",
    "I think I'm allergic to cats",
    "I have an appointment with Dr. Weber on Thursday at 14:00",
    "Ich glaube, ich bin allergisch gegen Katzen",
    "Ich bin nach Wien geflogen",
    "The meeting is at three",
    "The build is broken again",
    "The error is in line 44",
    "I need to call the dentist tomorrow morning before nine",
    "I need you to check this contract",
    "The bug is in the parser",
    "The song is called Yesterday",
    "I have to pick up Ben at four today",
    "We've run out of milk again",
    "I've got a bad feeling about this",
    "If our boiler was installed in 2011, is it still under warranty?",
    "The deploy failed",
    "I need you to book a table for two",
    "I lost my wallet",
    "I'm picking up Tim at three",
    "Someone told me that Tesla is bankrupt",
    "I need you to shorten that text",
    "It fails on line 12 with a timeout",
    "I'm meeting Kai at the station at six",
    "I left Anna a message",
    "I left my team a note this morning",
    "I joined Anna for lunch",
    "I joined Anna and Tom for dinner",
    "I left Rex at the vet",
    "I left Dr. Weber a message",
    "I left Microsoft and took the bus home",
    "I left Microsoft because I felt sick",
    "I left Microsoft to have lunch",
    "I found Anna a flat",
    "I have a new email from Anna",
    "I have a headache right now",
    "I'm hungry at the moment",
    "Right now I am in the bath",
    "I have cancer as my zodiac sign",
    "Please answer this letter in English",
    "Call me when you are done",
];

/// The score with which a dream promotes.
pub(super) const PROMOTED_MIN: u64 = 70;

/// What each section of long-term memory counts in that score.
const WORTH_OF_SECTIONS: [u64; 6] = [100, 90, 85, 60, 60, 50];

/// The score that a dream gives to what was said once, today, in just these words.
fn score(section: &str, importance: u64) -> u64 {
    let place = base::MEMORY_SECTIONS.iter().position(|own| *own == section);
    let worth = WORTH_OF_SECTIONS[place.expect("a section of long-term memory")];
    (35 * importance * 10 + 25 * worth + 15 * 40 + 15 * 100 + 10 * 100) / 100
}

/// The notes of a message, without what only asks or lists.
pub(super) fn notes(message: &str) -> Vec<String> {
    let page = notes_of(&format!("2026-04-20 user: {message}"));
    let bullets = page.lines().filter_map(|line| line.strip_prefix("- "));
    let own = bullets
        .filter(|note| !note.starts_with("Still open: ") && !note.starts_with("Also mentioned: "));
    own.map(|note| note.trim_end_matches(" [e1]").to_owned())
        .collect()
}

/// What is proposed of a text, with the score that a dream gives it.
pub(super) fn proposed(text: &str) -> Vec<(String, u64)> {
    let request = Request {
        purpose: Purpose::Consolidate,
        system: String::new(),
        messages: Vec::new(),
        excerpts: excerpts(&format!("2026-04-20 user: {text}")),
        reach: MemoryReach::Whole,
        spellings: Vec::new(),
        tools: Vec::new(),
        format: None,
        output_max: TokenCount(4_000),
        sampling: base::model::Sampling::Usual,
    };
    let reply = candidates(&request, Tz::UTC);
    let operations = reply
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let read = |own: serde_json::Value| {
        Some((
            own["text"].as_str()?.to_owned(),
            score(own["section"].as_str()?, own["importance"].as_u64()?),
        ))
    };
    operations.filter_map(read).collect()
}

/// What dreams propose who read the notes of a message.
pub(super) fn dreamt(message: &str) -> Vec<(String, u64)> {
    notes(message)
        .iter()
        .flat_map(|note| proposed(note))
        .collect()
}

#[test]
fn everyday_facts_are_noted_and_proposed_to_last() {
    let missed: Vec<&str> = LASTING
        .iter()
        .filter(|(message, words)| {
            let is_noted = notes(message).iter().any(|note| note.contains(words));
            let lasts =
                |(text, score): &(String, u64)| text.contains(words) && *score >= PROMOTED_MIN;
            !is_noted || !dreamt(message).iter().any(lasts)
        })
        .map(|(message, _)| *message)
        .collect();
    assert_eq!(missed, Vec::<&str>::new());
}

#[test]
fn habits_events_and_plans_are_noted() {
    let missed: Vec<&str> = NOTED
        .iter()
        .filter(|(message, words)| !notes(message).iter().any(|note| note.contains(words)))
        .map(|(message, _)| *message)
        .collect();
    assert_eq!(missed, Vec::<&str>::new());
}

#[test]
fn a_fact_is_taken_back_only_by_a_sentence_that_says_nothing_else() {
    for (message, fact) in [
        (
            "I'm allergic to peanuts. Kidding aside, it is serious.",
            "allergic to peanuts",
        ),
        (
            "I live in Linz. Actually no one in my family lives there.",
            "I live in Linz",
        ),
        (
            "I have a cat called Mimi. No, wait, I should feed it first.",
            "a cat called Mimi",
        ),
        (
            "I work at Siemens. Scratch that itch of mine, you asked.",
            "I work at Siemens",
        ),
    ] {
        let found = dreamt(message);
        assert!(
            found.iter().any(|(text, _)| text.contains(fact)),
            "{message}: {found:?}"
        );
    }
}

#[test]
fn questions_moods_plays_and_hearsay_are_noted_nowhere() {
    let taken: Vec<(&str, Vec<String>)> = UNHEARD
        .iter()
        .map(|message| (*message, notes(message)))
        .filter(|(_, notes)| !notes.is_empty())
        .collect();
    assert_eq!(taken, []);
}

#[test]
fn i14_nothing_that_is_told_of_a_secret_is_proposed() {
    for text in [
        "My card PIN is 9931 and the CVV is 123.",
        "My credit card number is [REDACTED:card-number].",
        "The alarm code is 4711#.",
    ] {
        assert_eq!(proposed(text), [], "{text}");
    }
    assert_eq!(proposed("My locker is number 44").len(), 1);
}

#[test]
fn nothing_of_what_passes_is_proposed() {
    let taken: Vec<(&str, Vec<(String, u64)>)> = UNHEARD
        .iter()
        .chain(PASSING)
        .map(|message| (*message, [proposed(message), dreamt(message)].concat()))
        .filter(|(_, proposed)| !proposed.is_empty())
        .collect();
    assert_eq!(taken, []);
}
