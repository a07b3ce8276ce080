//! The tables of cues for what lasts: rules, wishes, facts about a person, people, reasons.
//!
//! Data only; written like those of notes.

use crate::offline::cue::Cue;

/// Rules, where they open a clause.
#[rustfmt::skip]
pub(super) const RULE_OPENINGS: &[Cue] = &[
    ("always ", 9), ("never ", 9), ("please always ", 9), ("please never ", 9), ("from now on ", 9),
    ("don't ever ", 9), ("do not ever ", 9), ("make sure to always ", 9), ("make sure you always ", 9),
    ("remember to ", 8), ("remember that ", 8), ("remember i ", 8), ("when i ask ", 8),
    ("whenever i ask ", 9), ("whenever you ", 8), ("every time i ", 8), ("each time i ", 8),
    ("every time you ", 8), ("going forward ", 8), ("in future ", 8), ("in the future ", 7),
    ("as a rule ", 8), ("keep in mind that ", 7), ("no more ", 7), ("please don't ", 7),
    ("please do not ", 7), ("please no ", 7), ("please avoid ", 7), ("please stop ", 7),
    ("please only ", 7), ("only ever ", 8), ("ask me before ", 8), ("ask before ", 8),
    ("don't call ", 6), ("stop using ", 7),
    // Other languages.
    ("immer ", 8), ("nie ", 8), ("niemals ", 8), ("bitte immer ", 9), ("bitte nie ", 9),
    ("ab jetzt ", 9), ("von nun an ", 9), ("toujours ", 8), ("jamais ", 8), ("ne jamais ", 8),
    ("siempre ", 8), ("nunca ", 8), ("sempre ", 8), ("mai ", 7),
    ("\u{432}\u{441}\u{435}\u{433}\u{434}\u{430} ", 8), ("\u{43d}\u{438}\u{43a}\u{43e}\u{433}\u{434}\u{430} ", 8),
];

/// Rules, wherever they stand.
#[rustfmt::skip]
pub(super) const RULES: &[Cue] = &[
    (" please always ", 9), (" please never ", 9), (" from now on ", 8), (" you must always ", 9),
    (" you must never ", 9), (" you should always ", 8), (" you should never ", 8),
    (" always ask me ", 8), (" ask me first ", 8), (" ask me before ", 8), (" before you ever ", 8),
    (" i want you to always ", 9), (" i want you to never ", 9), (" i'd like you to always ", 9),
    (" remember to always ", 9), (" no emoji", 7), (" whenever i ask ", 8), (" when i ask for ", 7),
    (" when i ask about ", 7), (" when i ask you ", 7), (" should always ", 6), (" should never ", 6),
    (" must always ", 7), (" must never ", 7), (" ab jetzt ", 8), (" von nun an ", 8),
    (" bitte immer ", 9), (" bitte nie ", 9), (" de ahora en adelante ", 8),
    (" \u{e0} partir de maintenant ", 8), (" dor\u{e9}navant ", 8),
    ("\u{4ece}\u{73b0}\u{5728}\u{5f00}\u{59cb}", 8), ("\u{4ece}\u{73b0}\u{5f00}\u{59cb}", 8),
    ("\u{8bf7}\u{603b}\u{662f}", 8), ("\u{8bf7}\u{4e0d}\u{8981}", 8), ("\u{4eca}\u{5f8c}\u{306f}", 8),
    ("\u{5fc5}\u{305a}", 7),
];

/// What makes of a rule one for all that come.
#[rustfmt::skip]
pub(super) const STANDING: &[&str] = &[
    " when i ", " whenever ", " every ", " each time ", " always ", " never ", " from now on ",
    " all my ", " in all ", " any ",
];

/// Wishes, besides those that notes know.
#[rustfmt::skip]
pub(super) const WISHES: &[Cue] = &[
    (" i prefer ", 8), (" i'd prefer ", 7), (" i would prefer ", 7), (" we prefer ", 6),
    (" i much prefer ", 8), (" i really prefer ", 8), (" i generally prefer ", 8),
    (" i usually prefer ", 8), (" i've always preferred ", 8), (" i tend to prefer ", 8),
    (" my preference ", 7), (" my preferred ", 7), (" like i prefer ", 7), (" i'm a fan of ", 5),
    (" i'm not a fan of ", 6), (" i enjoy ", 4), (" i value ", 4), (" matters to me ", 5),
    (" important to me ", 5), (" i can't stand ", 7), (" i avoid ", 5), (" i tend to ", 4),
    (" i work best ", 6), (" works best for me ", 6), (" i'm most focused ", 6),
    (" i'm more productive ", 6), (" i like to ", 4), (" i'd rather ", 6), (" i would rather ", 6),
];

/// How somebody says what they are, and not what they want.
pub(super) const BEING: &[&str] = &[
    " i'm allergic ",
    " i am allergic ",
    " i'm vegetarian ",
    " i am vegetarian ",
    " i'm vegan ",
    " i am vegan ",
];

/// Facts about the owner.
#[rustfmt::skip]
pub(super) const FACTS: &[Cue] = &[
    (" i'm allergic ", 9), (" i am allergic ", 9), (" i don't eat ", 7), (" i don't drink ", 7),
    (" my pronouns ", 7), (" i eat meat again ", 7), (" i eat fish again ", 7),
    (" ich wohne ", 7), (" ich hei\u{df}e ", 8), (" ich arbeite ", 6), (" ich bin allergisch ", 9), (" ich bin vegetarier", 7),
    (" ich bin veganer", 7), (" ich esse kein", 7), (" ich trinke kein", 7), (" mein geburtstag ist ", 7),
    (" meine tochter hei\u{df}t ", 7), (" mein sohn hei\u{df}t ", 7), (" meine frau hei\u{df}t ", 7), (" mein mann hei\u{df}t ", 7),
    (" meine schwester hei\u{df}t ", 7), (" mein bruder hei\u{df}t ", 7), (" meine katze hei\u{df}t ", 7), (" ist gestorben ", 7), (" mein hund hei\u{df}t ", 7), (" j'habite ", 7),
    (" je m'appelle ", 8), (" je travaille ", 6), (" vivo en ", 7), (" me llamo ", 8),
    (" trabajo en ", 6), ("\u{6211}\u{4f4f}\u{5728}", 7), ("\u{6211}\u{53eb}", 7),
    ("\u{4f4f}\u{3093}\u{3067}\u{3044}", 7),
];

/// What a doctor has to know, besides the names of medicines.
#[rustfmt::skip]
pub(super) const HEALTH: &[&str] = &[
    " allergic ", " allergy ", " allergies ", " intolerant ", " intolerance ", " anaphyla", " epipen", " diagnosed ",
    " diabet", " asthma", " epilep", " pacemaker ", " insulin ", " coeliac ", " celiac ", " haemophilia ", " hemophilia ",
    " blood type ", " blood group ", " blood thinner", " transplant", " multiple sclerosis ", " cancer ", " allergisch ",
    " diabetiker", " asthma ", " epilepsie ",
];

/// Bounds that hold for a whole piece of work.
#[rustfmt::skip]
pub(super) const CONSTRAINTS: &[Cue] = &[
    (" keep my ", 5), (" keep our ", 5), (" without compromising ", 6),
    (" without using ", 6), (" without attaching ", 5), (" without sacrificing ", 6),
    (" without relying ", 6), (" without adding ", 5), (" without external ", 5), (" stay under ", 5),
    (" no more than ", 4), (" stick to ", 5), (" stick with ", 5), (" rather than using ", 5),
    (" instead of using ", 5), (" i only want ", 5), (" i only use ", 6), (" i always use ", 6),
    (" i never use ", 7), (" minimalist ", 5), (" pragmatic ", 4),
    (" directly in my ", 4), (" concise ", 4), (" no external ", 5),
];

/// People and projects that come again.
#[rustfmt::skip]
pub(super) const PEOPLE: &[Cue] = &[
    (" my wife ", 5), (" my husband ", 5), (" my partner ", 5), (" my mother ", 5), (" my mom ", 5),
    (" my mum ", 5), (" my father ", 5), (" my dad ", 5), (" my son ", 5), (" my daughter ", 5),
    (" my brother ", 5), (" my sister ", 5), (" my friend ", 4), (" my best friend ", 5),
    (" my boss ", 5), (" my manager ", 5), (" my mentor ", 5), (" my colleague ", 4),
    (" my coworker ", 4), (" my teacher ", 5), (" my professor ", 5), (" my doctor ", 5),
    (" my landlord ", 5), (" my neighbour ", 4), (" my neighbor ", 4), (" my team ", 4),
    (" my company ", 4), (" my client ", 4), (" my dog ", 5), (" my cat ", 5), (" our dog ", 5),
    (" our cat ", 5), (" my project ", 3), (" our project ", 3),
];

/// Values that were changed.
#[rustfmt::skip]
pub(super) const CHANGES: &[Cue] = &[
    (" changed to ", 5), (" changed from ", 5), (" updated to ", 5), (" moved to ", 5),
    (" moved from ", 5), (" is now ", 5), (" are now ", 5), (" now has ", 4), (" increased to ", 5),
    (" reduced to ", 5), (" raised to ", 5), (" lowered to ", 5), (" extended to ", 5),
    (" rescheduled ", 5), (" postponed ", 5), (" deadline is ", 4), (" my deadline ", 4),
    (" my budget ", 4), (" no longer ", 5),
];

/// What shows that a decision has a reason.
#[rustfmt::skip]
pub(super) const REASONS: &[&str] = &[
    " because ", " since ", " due to ", " so that ", " for its ", " for their ", " to avoid ",
    " thanks to ", " as it ", " in order to ", " weil ", " damit ", " parce que ", " porque ",
    "\u{56e0}\u{4e3a}", "\u{306e}\u{3067}",
];

/// Requests for one thing, now.
#[rustfmt::skip]
pub(super) const ONE_TIME: &[&str] = &[
    " i want you to write ", " i need you to write ", " i like the idea ", " i'd love to see ",
    " i love it ", " i like it ", " i like that ", " i like the second ", " i like the first ",
    " don't worry ", " do not worry ", " never mind ", " nevermind ", " let me know ",
    " i always wonder ", " i've never ", " i have never ",
];

/// Words to the assistant: a fact with one of them is a rule all the same.
#[rustfmt::skip]
pub(super) const ADDRESSED: &[&str] = &[
    " please ", " you ", " your ", " always ", " never ", " must ", " should ", " don't ", " do not ", " call me ",
    " ask ", " no ", " avoid ", " use ", " stop ",
];

/// How the assistant is told to do something.
pub(super) const TOLD: &[&str] = &[
    " i need you to ",
    " i want you to ",
    " i'd like you to ",
    " i would like you to ",
];

/// What it is told then that holds for all that comes: how to be, not what to do.
#[rustfmt::skip]
pub(super) const CONDUCT: &[&str] = &[
    "be", "use", "keep", "stop", "avoid", "treat", "speak", "talk", "answer", "respond", "reply", "remember", "address",
    "call", "act", "behave", "stick", "prefer", "focus", "not", "only", "respect", "consider", "ask", "know",
];

/// Objects that stand before the clause.
#[rustfmt::skip]
pub(super) const POINTING: &[&str] = &[
    " prefer it ", " prefer this ", " prefer that ", " prefer them ", " prefer these ",
    " prefer those ", " prefer the latter ", " prefer the former ", " like it ", " keep it ",
    " use it ", " avoid it ", " avoid them ", " use them ",
];

/// How a clause begins that hangs on another one.
#[rustfmt::skip]
pub(super) const HANGING: &[&str] = &[
    "without ", "especially ", "particularly ", "where ", "which ", "who ", "whose ", "because ",
    "since ", "although ", "though ", "even though ", "while ", "whereas ", "whether ", "rather than ",
    "instead of ", "including ", "considering ", "given ", "taking into account ", "like ", "such as ",
    "as ", "so that ", "in order to ", "than ", "with ", "for ", "due to ", "thanks to ", "despite ",
];

/// How the clause begins on which it hangs.
#[rustfmt::skip]
pub(super) const MAIN_CLAUSES: &[&str] = &[
    " i ", " i'm ", " i've ", " i'd ", " i'll ", " we ", " we're ", " we've ", " my ", " our ", " please ",
    " always ", " never ", " you ", " it's ", " don't ", " do not ", " use ", " keep ", " let ", " the ",
];

/// Words of somebody who tells what is done next.
#[rustfmt::skip]
pub(super) const INTENDED: &[&str] = &[" i'll ", " i will ", " we'll ", " we will ", " i'm going to ", " let's "];

/// How an answer to what was said before begins.
#[rustfmt::skip]
pub(super) const ANSWERING: &[&str] = &[
    "this ", "that ", "these ", "those ", "it ", "it's ", "that's ", "just ", "sounds ", "thanks ", "got it ",
    "ok ", "okay ", "sure ", "great ",
];
