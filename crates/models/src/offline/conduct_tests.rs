//! Instructions for every answer, and requests that only sound like them.
//!
//! Clauses; what becomes of whole messages is told elsewhere.

use super::*;

#[test]
fn how_the_owner_wants_to_be_answered_is_told_from_a_request() {
    for (clause, expected) in [
        ("Please answer in English", true),
        ("please reply to me in German from now on", true),
        ("always answer in metric units", true),
        ("Answer in plain English, please", true),
        ("Speak Italian with me", true),
        ("Write in British English", true),
        ("Use metric units", true),
        ("please use the metric system", true),
        ("call me Sam", true),
        ("Please call me Dr. Weber", true),
        ("You can call me Sam from now on", true),
        ("Address me as Captain Weber", true),
        ("stop answering in German", true),
        ("Please don't answer in German any more", true),
        ("Stop calling me Sam", true),
        ("Please answer in English again", true),
        ("Bitte antworte immer auf Deutsch", true),
        ("Antworte mir bitte kurz", true),
        ("Antworte bitte kurz und knapp", true),
        ("Bitte antworte nicht mehr auf Deutsch", true),
        ("Ab jetzt sprich bitte Deutsch mit mir", true),
        ("Schreib mir bitte auf Englisch", true),
        ("Bitte duze mich", true),
        ("Nenn mich bitte Sam", true),
        ("Nenn mich Sam", true),
        ("Bitte verwende keine Emojis", true),
        ("You can use emojis again", true),
        ("mir bitte immer auf Deutsch antworten", true),
        ("Write short answers", true),
        ("Give me brief answers, please", true),
        ("Keep your answers short and concise", true),
        ("On second thought, answer in French", true),
        ("Don't answer in German, answer in English", true),
        ("Schreib kurz und knapp", true),
        ("Schreib mir immer kurz", true),
        ("Schreib mir kurz", false),
        ("Sprich kurz mit mir", false),
        ("Write short answers to the letters", false),
        ("Write short stories", false),
        ("Keep your answers", false),
        ("Keep your answers in the drawer", false),
        ("Don't answer in German, answer Anna", false),
        ("Stop using my old address", false),
        ("Stop answering the phone", false),
        ("Don't call me tomorrow", false),
        ("Don't answer the letter in English", false),
        ("Antworte ihr bitte auf Deutsch", false),
        ("Antworte auf den Brief auf Deutsch", false),
        ("Schreib mir einen kurzen Brief auf Deutsch", false),
        ("Schreib mir bitte morgen", false),
        ("Nenn mich nicht so", false),
        ("Ich spreche Deutsch", false),
        ("Please answer this in English", false),
        ("Answer the letter in English", false),
        ("Write a poem in Italian", false),
        ("Please answer in the morning", false),
        ("Please reply to Anna in German", false),
        ("Answer in English what the sign says", false),
        ("Speak up", false),
        ("Use the English dictionary", false),
        ("Use two units of yeast", false),
        ("Call me tomorrow", false),
        ("call me when you are done", false),
        ("Call me a taxi", false),
        ("Call me crazy, but I like it", false),
    ] {
        assert_eq!(is_instruction(clause), expected, "{clause}");
    }
}

#[test]
fn a_question_may_ask_for_every_answer() {
    for (question, expected) in [
        (
            "Can you please always answer in German?",
            Some("please always answer in German"),
        ),
        (
            "Could you please answer in English from now on?",
            Some("please answer in English from now on"),
        ),
        (
            "Kannst du mir bitte immer auf Deutsch antworten?",
            Some("mir bitte immer auf Deutsch antworten"),
        ),
        ("Can you speak German?", None),
        ("Can you please answer the letter in German?", None),
        ("Kannst du Deutsch sprechen?", None),
    ] {
        assert_eq!(asked_for(question), expected, "{question}");
    }
}

#[test]
fn two_words_are_a_wish_and_leave_takes_back_what_was_forbidden() {
    for (clause, expected) in [
        ("Use Celsius.", true),
        ("Please use kilometres from now on", true),
        ("Be brief.", true),
        ("Be concise, please", true),
        ("Be brief this time", false),
        ("Be at home by nine", false),
        ("Use Celsius for the cake", false),
        ("You may suggest restaurants again", true),
        ("You can mention my ex again now", false),
        ("Ok, you can recommend books again", true),
        ("You may again suggest restaurants", true),
        ("You can ask me again", false),
        ("You can try it again", false),
        ("You may suggest restaurants", false),
        ("They may suggest restaurants again", false),
    ] {
        assert_eq!(is_instruction(clause), expected, "{clause}");
    }
}

#[test]
fn a_ban_a_tone_and_units_are_meant_for_all_that_comes() {
    for (clause, expected) in [
        ("Don't suggest alcohol", true),
        ("Please do not recommend meat dishes to me", true),
        ("don't ever mention my ex", true),
        ("Stop suggesting restaurants", true),
        ("Don't offer sweets any more", true),
        ("Don't use exclamation marks", true),
        ("Stop using jargon, please", true),
        ("Be more direct with me", true),
        ("Please always be polite", true),
        ("I'd like you to be honest with me", true),
        ("Don't be so formal", true),
        ("Talk to me like a friend", true),
        ("Don't sugarcoat things", true),
        ("I think in kilometres", true),
        ("We think in metric units", true),
        ("Only suggest vegan recipes", true),
        ("Don't give me advice unless I ask", true),
        ("Don't recommend restaurants unless I ask you.", true),
        ("Don't offer me discounts", true),
        ("Never offer discounts", true),
        ("Be more precise with me", true),
        ("Be more specific from now on", true),
        ("Always be careful", true),
        ("Be more specific.", false),
        ("Be more careful.", false),
        ("Don't be so precise", false),
        ("Don't mention politics to Grandma.", false),
        ("Don't mention politics to Grandma unless I ask", false),
        ("Don't offer discounts.", false),
        ("Stop offering discounts", false),
        ("Don't tell my boss unless I ask.", false),
        ("Don't call Anna unless I ask", false),
        ("Only recommend cheap hotels.", false),
        ("Don't give me advice unless it is short", false),
        ("Only suggest the second hotel", false),
        ("Don't mention it", false),
        ("Don't suggest the second hotel", false),
        ("Don't recommend anything else", false),
        ("Don't suggest restaurants in Rome", false),
        ("Don't offer discounts yet", false),
        ("Don't use tabs here", false),
        ("Don't use the old key", false),
        ("Don't use functions", false),
        ("Be honest", false),
        ("Be careful", false),
        ("Be more precise in the second chapter", false),
        ("I want you to be there", false),
        ("Talk to me", false),
        ("I think in pictures", false),
        ("I think in German", false),
    ] {
        assert_eq!(is_instruction(clause), expected, "{clause}");
    }
}

#[test]
fn of_what_an_answer_is_made_is_an_instruction() {
    for (clause, expected) in [
        ("Please answer in short sentences", true),
        ("Write to me in short messages from now on", true),
        ("Answer in short sentences what the sign says", false),
        ("Please answer in full", false),
        ("Write the letter in short sentences", false),
    ] {
        assert_eq!(is_instruction(clause), expected, "{clause}");
    }
}
