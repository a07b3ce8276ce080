//! The tables of cues: words that show what a clause is about and what it is worth.
//!
//! Data only; a cue never decides alone.

/// A phrase and what it adds to the score of a clause.
///
/// Phrases are in lower case, with `'` for every apostrophe; a blank at either end stands for the edge
/// of a word.
pub(super) type Cue = (&'static str, i32);

/// What the owner wants done in a certain way, wherever it stands in the clause.
#[rustfmt::skip]
pub(super) const PREFERENCES: &[Cue] = &[
    (" i prefer ", 6), (" i'd prefer ", 6), (" i would prefer ", 6), (" i'd rather ", 5),
    (" i would rather ", 5), (" my preference ", 5), (" my preferred ", 5), (" from now on ", 7),
    (" going forward ", 4), (" please always ", 7), (" please never ", 7), (" please use ", 5),
    (" please don't ", 6), (" please do not ", 6), (" please avoid ", 5), (" please stop ", 5),
    (" please keep ", 4), (" please only ", 5), (" please no ", 5), (" i like ", 3),
    (" i don't like ", 6), (" i do not like ", 6), (" i dislike ", 6), (" i hate ", 5),
    (" i love ", 2), (" i can't stand ", 6), (" my favourite ", 5), (" my favorite ", 5),
    (" when i ask ", 6), (" whenever i ", 4), (" every time i ", 4), (" must always ", 5),
    (" must never ", 6), (" should never ", 5), (" should always ", 5), (" no emoji", 6),
    (" i'm allergic ", 7), (" i am allergic ", 7), (" i'm vegetarian ", 6), (" i'm vegan ", 6), (" i don't eat ", 6),
    (" i don't drink ", 6), (" remember that ", 4), (" keep in mind that ", 4),
    (" i want you to ", 4), (" i need you to ", 3), (" as a rule ", 4),
    (" i always ", 4), (" i usually ", 4), (" i never want ", 6), (" i don't want ", 4),
    (" i do not want ", 4), (" works best for me ", 4), (" before you ever ", 6),
    (" ask me first ", 6), (" ask first ", 5), (" ask before ", 6), (" ask me before ", 6),
    (" without asking ", 5),
    // Other languages.
    (" ich bevorzuge ", 6), (" ab jetzt ", 6), (" von nun an ", 6), (" bitte immer ", 7),
    (" bitte nie ", 7), (" bitte kein", 6), (" ich mag ", 4), (" am liebsten ", 5),
    (" ich will ", 3), (" je pr\u{e9}f\u{e8}re ", 6), (" toujours ", 3), (" jamais ", 3),
    (" dor\u{e9}navant ", 6), (" \u{e0} partir de maintenant ", 6), (" je n'aime pas ", 6),
    (" j'aime ", 4), (" prefiero ", 6), (" siempre ", 4), (" nunca ", 4),
    (" de ahora en adelante ", 6), (" no me gusta ", 6), (" me gusta ", 4),
    ("\u{6211}\u{66f4}\u{559c}\u{6b22}", 6), ("\u{6211}\u{559c}\u{6b22}", 5),
    ("\u{603b}\u{662f}", 4), ("\u{4ece}\u{73b0}\u{5f00}\u{59cb}", 7), ("\u{4ee5}\u{540e}", 3),
    ("\u{4e0d}\u{8981}", 5), ("\u{8bf7}\u{7528}", 5), ("\u{3044}\u{3064}\u{3082}", 4),
    ("\u{5fc5}\u{305a}", 5), ("\u{4eca}\u{5f8c}", 4), ("\u{3057}\u{306a}\u{3044}\u{3067}", 6),
    ("\u{597d}\u{304d}", 4), ("\u{597d}\u{307f}", 5),
    (" \u{623}\u{641}\u{636}\u{644} \u{623}\u{646} ", 6),
    (" \u{645}\u{646} \u{627}\u{644}\u{622}\u{646} \u{641}\u{635}\u{627}\u{639}\u{62f}\u{627} ", 7),
    (" \u{62f}\u{627}\u{626}\u{645}\u{627} ", 4), (" \u{644}\u{627} \u{623}\u{62d}\u{628} ", 6),
];

/// Instructions, where they open the clause.
#[rustfmt::skip]
pub(super) const INSTRUCTIONS: &[Cue] = &[
    ("always ", 8), ("never ", 8), ("don't ", 5), ("do not ", 5), ("avoid ", 4), ("use ", 3),
    ("only ", 3), ("stop ", 3), ("keep ", 3), ("make sure ", 3), ("no more ", 5), ("prefer ", 5),
    ("remember ", 4), ("immer ", 6), ("nie ", 6), ("verwende ", 5), ("utilise ", 5),
    ("usa ", 4), ("ne ", 3), ("nunca ", 6), ("siempre ", 6),
];

/// Words after a mild instruction that show it to be about one thing, as in `Keep the second draft`.
pub(super) const ONE_THING: &[&str] = &[
    "a", "an", "the", "this", "that", "these", "those", "it", "them", "my", "our", "his", "her",
    "their", "your", "both", "one",
];

/// What an instruction for every answer is about; with one of these it is a wish after all.
#[rustfmt::skip]
pub(super) const CONDUCT: &[&str] = &[
    " answer", " repl", " response", " explanation", " tone ", " language ", " emoji", " comments ",
    " messages ", " format ", " style ", " units ", " always ", " never ", " every ", " each ",
    " whenever ", " when ", " from now on ", " anywhere ", " everywhere ", " in general ",
];

/// Openings of a clause that says what someone is about to do.
#[rustfmt::skip]
pub(super) const INTENTS: &[Cue] = &[
    ("i want to ", 1), ("i'd like to ", 1), ("i would like to ", 1), ("i need to ", 1),
    ("i'm trying to ", 1), ("i am trying to ", 1), ("i plan to ", 1), ("we want to ", 1),
    ("we need to ", 1), ("i'm studying ", 1), ("i'm learning ", 1),
];

/// Openings of a clause that only reacts to what was said.
#[rustfmt::skip]
pub(super) const REACTIONS: &[Cue] = &[
    ("it sounds ", 1), ("that sounds ", 1), ("this sounds ", 1), ("sounds ", 1),
    ("i appreciate ", 1), ("that makes sense", 1), ("that's ", 1), ("this looks ", 1),
    ("that looks ", 1), ("looks ", 1), ("got it", 1), ("i think that's ", 1), ("i think it's ", 1),
    ("thanks ", 1), ("thank you ", 1), ("i love ", 1), ("i'm excited ", 1), ("i'm glad ", 1),
    ("it's great ", 1), ("i hope ", 1), ("i understand ", 1), ("i see ", 1), ("these ", 1),
    ("those ", 1), ("the updated ", 1), ("your ", 1), ("i like the ", 1), ("i like it", 1),
    ("i like that", 1), ("i like this", 1), ("i like your ", 1), ("i like how ", 1), ("you're ", 1),
    ("you saved ", 1), ("well done ", 1), ("good night", 1),
];

/// What was chosen, settled or changed.
#[rustfmt::skip]
pub(super) const DECISIONS: &[Cue] = &[
    (" decided ", 6), (" decide on ", 4), (" the decision ", 4), (" we'll go with ", 6),
    (" i'll go with ", 6), (" going with ", 5), (" we go with ", 6), (" let's go with ", 6),
    (" let's use ", 5), (" we'll use ", 5), (" i'll use ", 4), (" we will use ", 5), (" chose ", 6),
    (" i've chosen ", 6), (" we've chosen ", 6), (" opted ", 5), (" settled on ", 6),
    (" picked ", 4), (" selected ", 4), (" adopted ", 5), (" instead of ", 4), (" rather than ", 3),
    (" actually it's ", 6), (" actually it is ", 6), (" moved ", 5), (" moved from ", 5),
    (" updated to ", 5), (" changed to ", 5), (" changed from ", 5), (" switched to ", 6),
    (" switched from ", 6), (" switching to ", 5), (" agreed ", 5), (" rescheduled ", 6),
    (" postponed ", 6), (" cancelled ", 5), (" canceled ", 5), (" accepted ", 5), (" declined ", 5),
    (" turned down ", 5), (" replaced ", 4), (" approved ", 5), (" confirmed ", 4),
    (" adjusted to ", 6), (" extended to ", 5), (" increased to ", 6), (" raised to ", 6),
    (" reduced to ", 5), (" lowered to ", 5), (" is now ", 4), (" are now ", 4), (" now has ", 4),
    (" now have ", 3), (" has now ", 3), (" correction ", 5), (" i meant ", 4), (" no longer ", 5),
    (" prioritized ", 4), (" prioritised ", 4), (" committed to ", 4), (" i think i'll ", 4),
    (" we should use ", 4), (" the plan is ", 5), (" chosen ", 3), (" entschieden ", 6),
    (" wir nehmen ", 5), (" statt ", 4), (" beschlossen ", 6), (" ge\u{e4}ndert ", 4),
    (" verschoben ", 6), (" d\u{e9}cid\u{e9} ", 6), (" choisi ", 5), (" au lieu de ", 4),
    (" decidido ", 6), (" decid\u{ed} ", 6), (" decidimos ", 6), (" elegimos ", 5),
    (" en lugar de ", 4), (" en vez de ", 4), ("\u{51b3}\u{5b9a}", 6),
    ("\u{9009}\u{62e9}\u{4e86}", 5), ("\u{6539}\u{4e3a}", 5),
    ("\u{6c7a}\u{3081}\u{307e}\u{3057}\u{305f}", 6), ("\u{6c7a}\u{5b9a}", 6),
    ("\u{5909}\u{66f4}", 4),
    ("\u{9009}\u{5b9a}", 5), ("\u{6572}\u{5b9a}", 6), ("\u{5546}\u{5b9a}", 6),
    ("\u{6539}\u{7528}", 5), ("\u{6539}\u{6210}", 5), ("\u{91c7}\u{7528}", 4),
    ("\u{53d6}\u{6d88}", 5), ("\u{63a8}\u{8fdf}", 5), ("\u{9078}\u{5b9a}", 5),
    ("\u{9078}\u{64c7}\u{4e86}", 5), ("\u{6539}\u{70ba}", 5), ("\u{63a1}\u{7528}", 4),
    ("\u{5ef6}\u{671f}", 5), ("\u{9078}\u{3073}\u{307e}\u{3057}\u{305f}", 5),
    ("\u{acb0}\u{c815}\u{d588}", 6), ("\u{d558}\u{ae30}\u{b85c} \u{d588}", 6),
    ("\u{642}\u{631}\u{631}\u{646}\u{627}", 6), ("\u{642}\u{631}\u{631}\u{62a}", 6),
    (" \u{62a}\u{642}\u{631}\u{631} ", 6), (" \u{627}\u{644}\u{642}\u{631}\u{627}\u{631} ", 4),
    ("\u{627}\u{62e}\u{62a}\u{631}\u{646}\u{627}", 6), ("\u{627}\u{62e}\u{62a}\u{631}\u{62a}", 5),
    ("\u{627}\u{62a}\u{641}\u{642}\u{646}\u{627}", 6),
    ("\u{633}\u{646}\u{633}\u{62a}\u{62e}\u{62f}\u{645}", 5),
    (" \u{628}\u{62f}\u{644}\u{627} \u{645}\u{646} ", 4),
    (" \u{628}\u{62f}\u{644}\u{627}\u{64b} \u{645}\u{646} ", 4),
    (" \u{62a}\u{623}\u{62c}\u{64a}\u{644} ", 4), (" \u{62a}\u{623}\u{62c}\u{644} ", 5),
    (" \u{440}\u{435}\u{448}\u{438}\u{43b}\u{438} ", 6),
    (" \u{440}\u{435}\u{448}\u{438}\u{43b} ", 6),
    (" \u{440}\u{435}\u{448}\u{438}\u{43b}\u{430} ", 6),
    (" \u{432}\u{44b}\u{431}\u{440}\u{430}\u{43b}\u{438} ", 5),
];

/// What was brought to an end.
#[rustfmt::skip]
pub(super) const COMPLETIONS: &[Cue] = &[
    (" finished ", 5), (" completed ", 5), (" done ", 3), (" submitted ", 5), (" finalized ", 5),
    (" finalised ", 5), (" implemented ", 4), (" fixed ", 5), (" solved ", 5), (" resolved ", 5),
    (" merged ", 5), (" deployed ", 5), (" released ", 5), (" shipped ", 5), (" published ", 5),
    (" sent ", 3), (" signed ", 4), (" paid ", 4), (" booked ", 5), (" works now ", 5),
    (" now works ", 5), (" tests pass ", 5), (" is passing ", 4), (" now passes ", 5),
    (" all green ", 4), (" delivered ", 4), (" renewed ", 4), (" closed ", 3), (" fertig ", 5),
    (" erledigt ", 5), (" abgeschlossen ", 5), (" behoben ", 5), (" termin\u{e9} ", 5),
    (" fini ", 5), (" terminado ", 5), (" acabado ", 5), (" corregido ", 5),
    ("\u{5b8c}\u{6210}", 5), ("\u{7d42}\u{308f}\u{308a}\u{307e}\u{3057}\u{305f}", 5),
    ("\u{5b8c}\u{4e86}", 5),
    (" \u{627}\u{646}\u{62a}\u{647}\u{64a}\u{62a} ", 5),
    (" \u{623}\u{643}\u{645}\u{644}\u{62a} ", 5),
    (" \u{62a}\u{645} \u{625}\u{635}\u{644}\u{627}\u{62d} ", 5),
];

/// Where work stands, and facts about people, dates and sums.
#[rustfmt::skip]
pub(super) const PROGRESS: &[Cue] = &[
    (" working on ", 4), (" i'm trying to ", 3), (" i want to ", 3), (" we want to ", 3),
    (" i am trying to ", 3), (" i'm building ", 4), (" i'm planning ", 4), (" i plan to ", 4),
    (" planning to ", 3), (" we plan ", 4), (" started ", 4), (" i've ", 3), (" we've ", 3),
    (" i have ", 2), (" we have ", 2), (" i just ", 3), (" added ", 3), (" created ", 3),
    (" set up ", 3), (" installed ", 3), (" configured ", 3), (" drafted ", 3), (" wrote ", 3),
    (" rewrote ", 3), (" tested ", 3), (" reached ", 4), (" improved ", 3), (" attended ", 3),
    (" received ", 3), (" met ", 3), (" remaining ", 4), (" still need ", 4),
    (" still have to ", 4), (" left to do ", 4), (" next step ", 4), (" next up ", 4),
    (" next i ", 4), (" then i ", 2), (" i'll ", 2), (" we'll ", 2), (" i need to ", 3),
    (" i have to ", 3), (" i must ", 3), (" i'm going to ", 3), (" deadline ", 4), (" due ", 4),
    (" meeting ", 3), (" appointment ", 4), (" scheduled ", 4), (" target", 3), (" milestone ", 3),
    (" goal is ", 4), (" budget", 3), (" costs ", 3), (" salary ", 3), (" earning ", 3),
    (" earn ", 3), (" spent ", 3), (" saved ", 3), (" using ", 2), (" we use ", 3), (" i use ", 3),
    (" runs on ", 3), (" is located ", 3), (" i live ", 5), (" living in ", 4), (" i work ", 4),
    (" i'm a ", 3), (" i am a ", 3), (" my name is ", 6), (" my name's ", 6), (" years old ", 4),
    (" birthday ", 5), (" my wife ", 4), (" my husband ", 4), (" my partner ", 4),
    (" my mother ", 4), (" my mom ", 4), (" my mum ", 4), (" my father ", 4), (" my dad ", 4),
    (" my son ", 4), (" my daughter ", 4), (" my child ", 4), (" my brother ", 4),
    (" my sister ", 4), (" my friend ", 3), (" my boss ", 3), (" my manager ", 3),
    (" my colleague ", 3), (" my team ", 3), (" my company ", 3), (" my project ", 3),
    (" my doctor ", 3), (" allergic ", 5), (" allergy ", 4), (" wants ", 2),
    (" i've never ", 5), (" i have never ", 5), (" recommended ", 3),
    (" suggested ", 3), (" asked me ", 3), (" told me ", 3), (" offered ", 3), (" invited ", 3),
    (" visit", 2), (" flight ", 3), (" version ", 2), (" measured ", 3), (" learned ", 3),
    (" noticed ", 2), (" bis ", 2), (" termin ", 4), (" ich arbeite ", 4), (" ich habe ", 3),
    (" ich wohne ", 5), (" ich hei\u{df}e ", 5), (" ist gestorben ", 5), (" ich bin ", 3), (" ich esse ", 3), (" ich trinke ", 3), (" gezogen ", 3), (" umgezogen ", 3), (" noch offen ", 4), (" n\u{e4}chste ", 3), (" je travaille ", 4),
    (" j'ai ", 3), (" j'habite ", 5), (" prochaine ", 3), (" r\u{e9}union ", 4),
    (" trabajo en ", 4), (" he ", 1), (" vivo en ", 5), (" reuni\u{f3}n ", 4), (" pr\u{f3}xim", 3),
    ("\u{6211}\u{4f4f}\u{5728}", 5), ("\u{622a}\u{6b62}", 4), ("\u{4f1a}\u{8bae}", 4),
    ("\u{6b63}\u{5728}", 3), ("\u{4f1a}\u{8b70}", 4), ("\u{7de0}\u{3081}\u{5207}\u{308a}", 4),
    ("\u{4f4f}\u{3093}\u{3067}", 5),
    (" \u{623}\u{639}\u{645}\u{644} \u{639}\u{644}\u{649} ", 4),
    (" \u{623}\u{633}\u{643}\u{646} ", 5), (" \u{645}\u{648}\u{639}\u{62f} ", 4),
    (" \u{627}\u{62c}\u{62a}\u{645}\u{627}\u{639} ", 3),
];

/// What went wrong or is not known yet.
#[rustfmt::skip]
pub(super) const ISSUES: &[Cue] = &[
    (" error ", 5), (" errors ", 4), (" bug ", 5), (" bugs ", 4), (" fails ", 5), (" failing ", 5),
    (" failed ", 5), (" failure ", 4), (" crash", 5), (" exception ", 5), (" traceback ", 5),
    (" panicked ", 5), (" doesn't work ", 5), (" does not work ", 5), (" not working ", 5),
    (" isn't working ", 5), (" broken ", 5), (" issue with ", 4), (" issues ", 3), (" problem ", 4),
    (" problems ", 3), (" having trouble ", 5), (" stuck ", 4), (" struggling ", 4),
    (" worried ", 3), (" unable to ", 4), (" can't ", 2), (" cannot ", 3), (" couldn't ", 3),
    (" timed out ", 5), (" timeout ", 4), (" blocked ", 4), (" blocker ", 5), (" conflict", 3),
    (" denied ", 4), (" refused ", 3), (" not found ", 5), (" undefined ", 4), (" missing ", 3),
    (" leak", 4), (" vulnerab", 4), (" hardcoded ", 4), (" mistake ", 4), (" wrong ", 3),
    (" not sure why ", 4), (" doesn't seem ", 4), (" unresolved ", 5), (" regression ", 5),
    (" fehler ", 5), (" funktioniert nicht ", 6), (" kaputt ", 5), (" absturz ", 5),
    (" erreur ", 5), (" ne marche pas ", 6), (" ne fonctionne pas ", 6), (" probl\u{e8}me ", 5),
    (" problema ", 5), (" no funciona ", 6), (" fallo ", 5), ("\u{9519}\u{8bef}", 5),
    ("\u{95ee}\u{9898}", 3), ("\u{5931}\u{8d25}", 5), ("\u{30a8}\u{30e9}\u{30fc}", 5),
    ("\u{5931}\u{6557}", 5), ("\u{554f}\u{984c}", 3), ("\u{52d5}\u{304b}\u{306a}\u{3044}", 6),
    (" \u{62e}\u{637}\u{623} ", 5), (" \u{645}\u{634}\u{643}\u{644}\u{629} ", 4),
    (" \u{644}\u{627} \u{64a}\u{639}\u{645}\u{644} ", 6), (" \u{641}\u{634}\u{644} ", 5),
];

/// What says so plainly that a choice was made that an assistant's clause needs no identifier beside it.
#[rustfmt::skip]
pub(super) const DECIDED: &[&str] = &[
    " we decided ", " we've decided ", " we have decided ", " we agreed to ", " we've agreed ",
    " we agreed on ", " wir haben entschieden ", " wir haben beschlossen ",
    " nous avons d\u{e9}cid\u{e9} ", " hemos decidido ", " decidimos ", " abbiamo deciso ",
    " \u{43c}\u{44b} \u{440}\u{435}\u{448}\u{438}\u{43b}\u{438} ",
    "\u{6211}\u{4eec}\u{51b3}\u{5b9a}", "\u{6211}\u{5011}\u{6c7a}\u{5b9a}",
    "\u{51b3}\u{5b9a}\u{4e86}", "\u{6c7a}\u{3081}\u{307e}\u{3057}\u{305f}",
    "\u{6c7a}\u{5b9a}\u{3057}\u{307e}\u{3057}\u{305f}", "\u{d558}\u{ae30}\u{b85c} \u{d588}",
    "\u{642}\u{631}\u{631}\u{646}\u{627}", "\u{627}\u{62a}\u{641}\u{642}\u{646}\u{627}",
];

/// How an assistant speaks of what it did or found.
#[rustfmt::skip]
pub(super) const RESULTS: &[Cue] = &[
    (" i've ", 4), (" i have ", 3), (" i added ", 5), (" i created ", 5), (" i wrote ", 5),
    (" i fixed ", 6), (" i found ", 6), (" i updated ", 5), (" i changed ", 5), (" i moved ", 5),
    (" i ran ", 5), (" i removed ", 5), (" i deleted ", 5), (" i renamed ", 5), (" i replaced ", 5),
    (" i booked ", 6), (" i sent ", 6), (" i scheduled ", 6), (" i saved ", 5),
    (" i committed ", 5), (" i set ", 4), (" i implemented ", 5), (" i checked ", 4),
    (" we decided ", 6), (" we agreed ", 6), (" we'll use ", 4), (" was caused by ", 6),
    (" the cause ", 5), (" root cause ", 6), (" the reason ", 3), (" tests pass ", 6),
    (" test fails ", 6), (" tests fail ", 6), (" passes now ", 6), (" now passes ", 6),
    (" has been ", 4), (" have been ", 4), (" was created ", 4), (" were created ", 4),
    (" is now ", 4), (" are now ", 4), (" saved to ", 5), (" written to ", 5),
    (" the total is ", 4), (" comes to ", 4), (" is booked ", 6), (" is confirmed ", 6),
    (" confirmation ", 4), (" succeeded ", 5), (" deployed to ", 4), (" merged into ", 4),
    (" fixed ", 2), (" failed ", 3), (" ich habe ", 4), (" behoben ", 5), (" j'ai ", 4),
    (" he creado ", 5), (" he a\u{f1}adido ", 5), (" corregido ", 5), ("\u{6211}\u{5df2}", 4),
    ("\u{5df2}\u{7ecf}", 3), ("\u{307e}\u{3057}\u{305f}", 3),
];

/// Advice, examples and courtesies: what an assistant could say to anyone.
#[rustfmt::skip]
pub(super) const ADVICE: &[&str] = &[
    " you can ", " you could ", " you should ", " you might ", " you may ", " you need ",
    " you'll ", " you will ", " you want ", " consider ", " make sure ", " ensure ",
    " for example ", " for instance ", " e g ", " if you ", " let me know ", " feel free ",
    " here's ", " here is ", " here are ", " below ", " following ", " let's ", " certainly ",
    " absolutely ", " glad ", " happy to ", " would you ", " do you ", " by using ",
    " remember to ", " it's important ", " it is important ", " try ", " should ", " aim ",
    " helps ", " can help ", " suppose ", " assume ", " assuming ", " sure ", " great ",
    " example ", " du kannst ", " sie k\u{f6}nnen ", " vous pouvez ", " tu peux ", " puedes ",
    " puede ", "\u{4f60}\u{53ef}\u{4ee5}", "\u{60a8}\u{53ef}\u{4ee5}",
];

/// What makes a statement of an end conditional, future or negative.
#[rustfmt::skip]
pub(super) const UNREAL: &[&str] = &[
    " not ", "n't ", " never ", " once ", " when ", " until ", " if ", " before ", " to be ",
    " will be ", " should be ", " need", " yet ", " nicht ", " noch ", " pas ", " encore ", " no ",
    " sin ", "\u{6ca1}", "\u{672a}", "\u{306a}\u{3044}",
];

/// The common words of English; a clause with few of them is in another language or is none.
pub(super) const ENGLISH: &[&str] = &[
    "the", "a", "an", "and", "or", "but", "of", "to", "in", "on", "at", "for", "with", "by",
    "from", "is", "are", "was", "were", "be", "been", "it", "its", "it's", "this", "that", "these",
    "those", "i", "i'm", "i've", "i'd", "i'll", "you", "your", "we", "our", "my", "me", "he",
    "she", "they", "them", "his", "her", "their", "as", "not", "no", "so", "if", "do", "does",
    "did", "have", "has", "had", "can", "could", "will", "would", "should", "what", "which", "who",
    "how", "when", "where", "why", "there", "about", "into", "than", "then", "just", "also", "all",
    "any", "some", "more", "up", "out", "please", "always", "never", "don't", "use", "now",
    "after",
];
