//! The owner's word takes effect: the commands of a chat that change memory, exact undos, and what is said about forgotten
//! text.

use testkit::{TestHome, Words};

#[test]
fn chat_commands_change_memory_like_command_line() {
    let home = TestHome::init();
    let talk = |lines: &str| home.run_with_input("chat", lines).with_code(0);
    let run = talk("/remember I live in Connewitz\n/about\n/why I live in Connewitz\n/agenda\n");
    run.stdout.holds("in MEMORY.md: I live in Connewitz\n");
    run.stdout.holds("  I live in Connewitz\n");
    run.stdout
        .holds("added to MEMORY.md, because you asked for it");
    home.memory().holds("- I live in Connewitz");
    let run = talk("/correct \"in Connewitz\" I live in Plagwitz\n/undo\n");
    run.stdout.holds("instead of: I live in Connewitz\n");
    run.stdout.holds("undone: corrected: I live in Plagwitz\n");
    home.memory().holds("- I live in Connewitz");
    let run = talk("/correct \"in Connewitz\"\n/remember\n/forget Connewitz\n/agenda add\n");
    run.stderr.holds("`/correct` needs more words");
    run.stderr
        .holds("`/remember TEXT` writes TEXT into MEMORY.md");
    // Nobody can agree in a pipe.
    run.stderr.holds("nothing was forgotten");
    home.memory().holds("- I live in Connewitz");
    let run = home.run_with_input(
        "chat --isolated -s guests",
        "/about\n/forget Connewitz\n/undo\n",
    );
    run.stdout.lacks("Connewitz");
    for command in ["/about", "/forget", "/undo"] {
        run.stderr.holds(&format!("`{command}` does not work here"));
    }
}

#[test]
fn undo_with_id_reverts_named_change_after_later_ones() {
    let home = TestHome::init();
    let added = home.ok(&["memory", "add", "--lasting", "I live in Connewitz"]);
    let (_, id) = added.stdout.split_once("dream undo ").unwrap();
    let id = id.split('`').next().unwrap();
    home.ok(&["memory", "add", "--lasting", "Ann eats no meat"]);
    let dry = home.ok(&["dream", "undo", id, "--dry-run"]);
    dry.stdout
        .holds("would undo: remembered: I live in Connewitz\n");
    home.memory().holds("Connewitz");
    let undone = home.ok(&["dream", "undo", id]);
    undone
        .stdout
        .holds("undone: remembered: I live in Connewitz\n");
    home.memory().lacks("Connewitz");
    home.memory().holds("Ann eats no meat");
    let again = home.run(&["dream", "undo", id]).with_code(1);
    again.stderr.holds("is already undone");
    home.run("dream undo nosuchid")
        .with_code(1)
        .stderr
        .holds("no candidate has the id \"nosuchid\"");
}

#[test]
fn list_of_forgotten_marks_what_nothing_restores() {
    let home = TestHome::init();
    home.ok("chat -m 'Remember that I live in Connewitz.'");
    home.ok("chat -m 'Remember that Ann eats no meat.'");
    home.ok("memory forget --yes Connewitz");
    home.ok("memory forget --list")
        .stdout
        .lacks("nothing restores it");
    let again = home.run("memory forget --yes Connewitz").with_code(1);
    again.stderr.holds("` restores it\n");
    home.ok("memory forget --yes --now meat");
    let list = home.ok("memory forget --list").stdout;
    list.holds("removed for good: nothing restores it");
    list.holds("an undo shows the rest again");
    let list = home.ok("--json memory forget --list").stdout;
    list.holds("\"restorable\":\"nothing\"");
    list.holds("\"restorable\":\"withoutLines\"");
    let again = home.run("memory forget --yes meat").with_code(1);
    again
        .stderr
        .holds("it was removed for good, so nothing restores it");
}
