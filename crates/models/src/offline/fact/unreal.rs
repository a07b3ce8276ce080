//! Tells what is not meant as a fact: what is imagined, wished for, conditional, or asked without a mark.
//!
//! Sees one clause; takes nothing out of it.

use super::words::{Rest, words};
use crate::offline::signal::{Plain, plain};

/// Openings of what is only imagined.
#[rustfmt::skip]
const IMAGINED: &[&str] = &[
    "imagine ", "suppose ", "supposing ", "pretend ", "let's pretend ", "let's say ", "let's imagine ",
    "let us say ", "assume ", "assuming ", "say i ", "what if ", "if ", "even if ", "unless ", "as if ", "whether ",
    "picture ", "hypothetically ", "in theory ", "you are ", "you're ", "act as ", "play the role ", "in case ",
    "in another life ", "in my dream", "in a dream ", "for example ", "for instance ", "e g ", "once upon ",
    "i dreamt ", "i dreamed ", "i wish ", "i hope ", "translate ", "say ",
];

/// Phrases, anywhere, of what is imagined or hangs on a condition.
#[rustfmt::skip]
const CONDITIONAL: &[&str] = &[
    " if i ", " if i'm ", " if i'd ", " if we ", " if we're ", " if my ", " if our ", " as if ", " as though ",
    " whether i ", " whether we ", " whether my ", " unless i ", " unless we ", " i wish ", " imagine ", " pretend ",
    " what if ", " suppose i ", " assume i ", " assuming i ", " let's say ", " in my dream", " in the game ",
    " in this game ", " in the story ", " in my story ", " in my novel ", " in my book ", " my character ",
    " role play ", " roleplay ", " in that scenario ", " in this scenario ", " hypothetical", " just kidding ",
    " thinks i ", " thinks i'm ", " thinks we ", " thinks my ", " says i ", " says i'm ", " says we ", " says my ",
    " believes i ", " believes i'm ", " claims i ", " claims i'm ", " think i ", " think i'm ", " think i've ", " ich glaube ", " vielleicht ", " falls ich ", " wenn ich ", " ob ich ", " say i ", " thought i ", " said i ",
    " i might ", " we might ", " i may ", " i could ", " we could ", " maybe i ", " perhaps i ", " just joking ",
];

/// Wishes of what is not so.
#[rustfmt::skip]
const WOULD: &[&str] = &[" i would ", " i'd ", " we would ", " we'd ", " would "];

/// What `would` stands before in a wish that is meant.
#[rustfmt::skip]
const MEANT: &[&str] = &[
    " would like ", " would prefer ", " would rather ", " would love ", " i'd like ", " i'd prefer ", " i'd rather ",
    " i'd love ", " we'd like ", " we'd prefer ", " we'd rather ", " we'd love ",
];

/// Words behind which a question stands, whatever the sentence ends in.
#[rustfmt::skip]
const ASKED: &[&str] = &[
    " where i ", " what i ", " when i'm ", " who i ", " how i ", " what my ", " where my ", " when my ", " who my ",
    " how old my ", " how old i ", " which i ", " why i ", " what's my ", " what is my ", " where's my ",
    " where is my ", " who's my ", " who is my ", " when's my ", " when is my ", " what our ", " where we ",
    " where our ", " the name of my ", " how my ", " what are my ",
];

/// Who asks or wonders.
#[rustfmt::skip]
const WONDERING: &[&str] = &[
    " forgot ", " forget ", " forgotten ", " remember ", " recall ", " wonder", " know ", " sure ", " tell ",
    " idea ", " remind ", " guess ", " ask", " say ", " curious ", " told ",
];

/// How a question ends that has no mark.
#[rustfmt::skip]
const TAGS: &[&str] = &[
    " right ", " correct ", " don't i ", " do i ", " isn't it ", " is it ", " aren't i ", " am i ", " or not ",
    " haven't i ", " didn't i ", " doesn't she ", " doesn't he ", " isn't she ", " isn't he ", " true ",
];

/// Openings that make a whole sentence a play or a thought.
#[rustfmt::skip]
const FICTION: &[&str] = &[
    "imagine ", "suppose ", "supposing ", "pretend ", "let's pretend ", "let's imagine ", "what if ",
    "hypothetically ", "once upon ", "i dreamt ", "i dreamed ", "i wish ", "you are ", "you're ", "act as ",
    "play the role ", "let's role ", "let's play ", "in this game ", "in this scenario ",
];

/// How others tell what they think of the speaker.
#[rustfmt::skip]
const REPORTING: &[&str] = &[
    " says ", " say ", " said ", " thinks ", " think ", " thought ", " believes ", " claims ", " told me ", " tells me ",
    " complains ", " insists ", " suggested ", " suggests ", " reckons ",
];

/// The speaker, as others speak of them.
#[rustfmt::skip]
const REPORTED: &[&str] = &[
    "i ", "i'm ", "i've ", "i'd ", "we ", "we're ", "we've ", "my ", "our ", "that i ", "that i'm ", "that we ", "that my ",
    "that our ", "it's ", "the ", "that the ",
];

/// Those who speak of themselves: what they say is no report.
const OWN: &[&str] = &["i ", "we ", "i'd ", "i've ", "please ", "just "];

/// Whether a clause tells what somebody else says or thinks: `My boss says I don't eat enough`.
pub(crate) fn is_reported(clause: &str) -> bool {
    let words = without_second_thought(clause);
    let start = words.trim_start();
    if OWN.iter().any(|own| start.starts_with(own)) {
        return false;
    }
    if is_quoted_from(start) {
        return true;
    }
    REPORTING.iter().any(|verb| {
        let told = words.split_once(verb).map(|(_, rest)| rest);
        told.is_some_and(|rest| REPORTED.iter().any(|begin| rest.starts_with(begin)))
    })
}

/// `As Shakespeare wrote, I am a man more sinned against than sinning`.
fn is_quoted_from(start: &str) -> bool {
    let who = start.strip_prefix("as ");
    let mut words = who.unwrap_or("").split_whitespace().take(QUOTED_WORDS_MAX);
    let first = words.next().unwrap_or_default();
    let is_told =
        words.any(|word| matches!(word, "wrote" | "say" | "says" | "said" | "sang" | "put"));
    is_told && !matches!(first, "i" | "we" | "you" | "it")
}

/// So many words name who is quoted, and how.
const QUOTED_WORDS_MAX: usize = 5;

/// The words of a clause without `on second thought`, behind which the speaker means what they say.
fn without_second_thought(clause: &str) -> String {
    let Plain(words) = plain(clause);
    let own = words
        .strip_prefix(" on second thought ")
        .or_else(|| words.strip_prefix(" on second thoughts "));
    own.map_or_else(|| words.clone(), |own| format!(" {own}"))
}

/// Whether a clause opens a play in which nobody is meant: `You are a doctor`, not `You're a lifesaver`.
pub(crate) fn opens_play(clause: &str) -> bool {
    let Plain(words) = plain(clause);
    let start = words.trim_start();
    let is_told_of = STORIES.iter().any(|phrase| words.contains(phrase));
    let is_imagined = start.strip_prefix("imagine my ").is_some_and(|rest| {
        // `Imagine my surprise` is no play; `imagine my dog is called Rex` is.
        let verb = rest.split_whitespace().nth(1).unwrap_or_default();
        VERBS_OF_PLAY.contains(&verb)
    });
    casts(clause) && !clause.trim_end().ends_with('!')
        || is_told_of
        || is_imagined
        || PLAYS.iter().any(|opening| start.starts_with(opening))
}

/// Whether the assistant is given a role or a name; what it is thanked with is neither.
fn casts(clause: &str) -> bool {
    let words = words(clause);
    let rest = Rest::new(&words);
    let role = match (rest.next(), rest.at(1)) {
        ("you're" | "youre", _) => rest.after(1),
        ("you", "are") => rest.after(2),
        _ => return false,
    };
    let role = role.past(&["now"]);
    if !matches!(role.next(), "a" | "an" | "my" | "the") {
        return role.is_name() && !role.next().is_empty();
    }
    let named = role.left().iter().skip(1).take(ROLE_WORDS_MAX);
    let end = named.clone().position(|word| word.is_end);
    let named: Vec<&str> = named
        .take(end.map_or(ROLE_WORDS_MAX, |end| end + 1))
        .map(|word| word.plain.as_str())
        .collect();
    let is_praise = named
        .iter()
        .any(|word| PRAISE.contains(word) || word.ends_with("saver"));
    let is_role =
        |word: &&str| ROLES.contains(word) || ROLE_ENDINGS.iter().any(|end| word.ends_with(end));
    !is_praise && named.iter().any(is_role)
}

/// A role is told in so many words.
const ROLE_WORDS_MAX: usize = 5;

/// What the assistant plays.
#[rustfmt::skip]
const ROLES: &[&str] = &[
    "nurse", "king", "queen", "prince", "princess", "wizard", "witch", "pirate", "knight", "detective", "judge", "chef",
    "cook", "guide", "coach", "dragon", "elf", "robot", "cat", "dog", "ghost", "vampire", "monk", "priest", "pope", "clerk",
    "nun", "thief", "spy", "boss", "landlord", "landlady", "vet", "gp", "critic", "bot", "expert", "pilot", "captain",
    "villain", "narrator", "mum", "mom", "dad", "father", "wife", "husband", "sister", "son", "patient", "student", "alien",
    "hacker", "salesman", "policeman", "assistant", "architect", "analyst", "host", "poet", "diplomat", "butler",
];

/// Endings of the nouns of trades: `teacher`, `actor`, `dentist`, `librarian`, `engineer`.
const ROLE_ENDINGS: &[&str] = &["er", "or", "ist", "ian", "eer", "ant"];

/// What somebody is called who is thanked or liked.
#[rustfmt::skip]
const PRAISE: &[&str] = &[
    "best", "star", "hope", "legend", "genius", "angel", "gem", "treasure", "darling", "dear", "friend", "help", "helper",
    "godsend", "wonder", "magician", "saint", "joy", "delight", "champ", "champion", "winner", "keeper", "charmer", "worker",
    "rockstar", "superstar", "brilliant", "amazing", "great", "wonderful", "fantastic", "good", "lovely", "kind", "better",
    "clever", "smart", "rock", "greatest", "nicest", "sweetest", "smartest", "coolest", "kindest", "cleverest", "hero",
    "only", "first", "last", "master", "answer", "real", "true", "favourite", "favorite", "killer", "cracker", "stunner",
    "reminder", "important", "pleasant", "constant",
];

/// Verbs behind somebody who is imagined.
const VERBS_OF_PLAY: &[&str] = &[
    "is", "was", "has", "had", "are", "were", "lives", "died", "can", "works", "wants", "says",
];

/// Whether a message thanks or praises: what it says is not the opening of a play that goes on.
pub(crate) fn is_thanks(message: &str) -> bool {
    let Plain(words) = plain(message);
    THANKS.iter().any(|phrase| words.contains(phrase))
}

const THANKS: &[&str] = &[
    " thanks ",
    " thank you ",
    " thx ",
    " cheers ",
    " much appreciated ",
    " well done ",
];

/// Whether a sentence says that it tells of a book, a film, a game: `in the novel, ...`, `..., in the play we saw`.
pub(crate) fn tells_of_story(sentence: &str) -> bool {
    let words = words(sentence);
    let rest = Rest::new(&words);
    (0..words.len()).any(|place| {
        let own = rest.after(place);
        let is_inside = matches!(own.next(), "in" | "from")
            && matches!(
                own.at(1),
                "this" | "the" | "a" | "that" | "my" | "our" | "his" | "her"
            );
        let is_story = TOLD_IN.contains(&own.at(2));
        let is_end = own.left().get(2).is_some_and(|word| word.is_end);
        // `In the story time group` and `in the film industry` are places.
        is_inside
            && is_story
            && (is_end || own.at(3).is_empty() || BEHIND_STORY.contains(&own.at(3)))
    })
}

/// What stories are told in.
#[rustfmt::skip]
const TOLD_IN: &[&str] = &[
    "story", "novel", "comic", "film", "movie", "play", "game", "dream", "book", "series", "cartoon", "fairytale", "tale",
    "sitcom", "opera", "musical", "anime", "manga", "screenplay",
];

/// Words with which a clause goes on behind it.
#[rustfmt::skip]
const BEHIND_STORY: &[&str] = &[
    "i", "we", "he", "she", "they", "you", "my", "our", "the", "a", "it", "is", "was", "are", "were", "has", "who", "where", "that",
    "which", "of", "by", "and", "but", "about", "there", "yesterday", "called", "named",
];

/// Phrases of somebody who makes up a story.
#[rustfmt::skip]
const STORIES: &[&str] = &[
    " for my novel ", " in my novel ", " in my story ", " for my story ", " the hero is called ", " the hero is named ",
    " the protagonist ", " my main character ", " my character is ", " write a story ", " write a scene ",
    " write me a story ", " the narrator ",
];

/// Openings of a play that goes on behind them.
#[rustfmt::skip]
const PLAYS: &[&str] = &[
    "act as ", "pretend ", "let's pretend ", "let's play ", "let's role ", "play the role ", "imagine you ", "imagine that you ",
    "imagine i ", "imagine that i ", "role play ", "roleplay ",
];

/// Whether a clause tells of what would be, or of a play.
pub(crate) fn is_fiction(clause: &str) -> bool {
    let Plain(words) = plain(clause);
    let start = words.trim_start();
    let is_conditional = start.starts_with("if ") || words.contains(" if i ");
    let would = WOULD.iter().any(|phrase| words.contains(phrase));
    FICTION.iter().any(|phrase| start.starts_with(phrase)) || is_conditional && would
}

/// Whether a clause states nothing as it is.
pub(crate) fn is_unreal(clause: &str) -> bool {
    let words = without_second_thought(clause);
    let start = words.trim_start();
    let holds = |phrases: &[&str]| phrases.iter().any(|phrase| words.contains(phrase));
    let is_imagined = IMAGINED.iter().any(|phrase| start.starts_with(phrase));
    let is_wished = holds(WOULD) && !holds(MEANT);
    is_imagined || is_wished || holds(CONDITIONAL) || is_reported(clause) || asks(clause, &words)
}

/// Whether a clause asks, as in `I forgot where I work` and `I work at the bank, right`.
fn asks(clause: &str, words: &str) -> bool {
    let wonders = WONDERING.iter().any(|phrase| words.contains(phrase))
        && ASKED.iter().any(|phrase| words.contains(phrase));
    let tail = clause.rsplit_once(',').map(|(_, tail)| plain(tail));
    wonders || tail.is_some_and(|tail| TAGS.contains(&tail.0.as_str()))
}
