//! What the settings of other programs say with this memory connected, and without it.

use insta::assert_snapshot;

use super::*;

const ALL: [Program; 5] = [
    Program::ClaudeCode,
    Program::Codex,
    Program::Vscode,
    Program::Cursor,
    Program::Zed,
];

fn invocation() -> Vec<String> {
    ["/usr/bin/openclaw", "--home", "/home/ada/my home"]
        .map(str::to_owned)
        .to_vec()
}

#[test]
fn each_program_is_connected_once_and_let_go() {
    let mut shown = String::new();
    for file in ALL
        .iter()
        .flat_map(|program| program.files(Path::new("/home/ada")))
    {
        let connected = file.connected("", &invocation()).unwrap();
        add_line!(shown, "== {}\n{connected}", file.path.display());
        assert_eq!(
            file.connected(&connected, &invocation()).unwrap(),
            connected
        );
        let moved = file
            .connected(&connected, &["/opt/openclaw".to_owned()])
            .unwrap();
        assert_eq!(
            moved.matches("/opt/openclaw").count(),
            connected.matches("/usr/bin/openclaw").count()
        );
        assert!(!moved.contains("/usr/bin"), "{moved}");
        assert!(!file.disconnected(&connected).unwrap().contains("openclaw"));
    }
    assert_snapshot!(shown);
}

#[test]
fn what_is_the_users_stays_as_it_is() {
    let json = "{\n  // mine\n  \"theme\": \"dark\",\n  \"mcpServers\": { \"other\": { \"command\": \"x\" } },\n  \
                \"hooks\": { \"Stop\": [{ \"hooks\": [{ \"type\": \"command\", \"command\": \"beep\" }] }] },\n}\n";
    let toml = "# mine\nmodel = \"o9\"   # fast\n\n[mcp_servers.other]\ncommand = \"x\"\n";
    for file in ALL
        .iter()
        .flat_map(|program| program.files(Path::new("/home/ada")))
    {
        let text = match file.form {
            Form::Json => json,
            Form::Toml => toml,
        };
        let connected = file.connected(text, &invocation()).unwrap();
        for line in text
            .lines()
            .filter(|line| line.contains("mine") || line.contains("fast"))
        {
            assert!(connected.contains(line), "{connected}");
        }
        for own in ["\"x\"", "other"] {
            assert!(connected.contains(own), "{connected}");
        }
        let gone = file.disconnected(&connected).unwrap();
        assert!(!gone.contains("openclaw"), "{gone}");
        let again = file.connected(&gone, &invocation()).unwrap();
        let words = |text: &str| -> String { text.split_whitespace().collect() };
        assert_eq!(words(&again), words(&connected));
    }
}

#[test]
fn settings_of_an_unknown_shape_are_refused() {
    for program in ALL {
        for file in program.files(Path::new("/home/ada")) {
            let bad = match file.form {
                Form::Json => [
                    "[1]",
                    "{\"a\"",
                    "{\"hooks\": 7, \"mcpServers\": 7, \"servers\": 7, \"context_servers\": 7}",
                ],
                Form::Toml => ["a = ", "mcp_servers = 7", "[["],
            };
            for text in bad {
                assert!(file.connected(text, &invocation()).is_err(), "{text}");
            }
        }
    }
}
