//! Tests of `markdown`.

use proptest::prelude::*;

use super::*;

fn cut(text: &str) -> Vec<Stretch> {
    cut_with(text, &LineOrigins::new())
}

fn cut_with(text: &str, origins: &LineOrigins) -> Vec<Stretch> {
    let mut stretches = Vec::new();
    let file = MarkdownFile {
        text,
        title: "",
        day: None,
        origins,
        label: None,
    };
    cut_markdown(&file, &mut |stretch| stretches.push(stretch));
    stretches
}

/// One line per passage: its heading path, its lines, its kind, its text.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let shown: Vec<String> = cut(text)
        .iter()
        .flat_map(|stretch| {
            let path = stretch.heading.path.replace('\n', "/");
            stretch.passages.iter().map(move |passage| {
                let LineRange { start, end } = passage.lines;
                format!(
                    "{path} {start}-{end} {:?} {}",
                    passage.kind,
                    passage.text.replace('\n', "|")
                )
            })
        })
        .collect();
    assert_eq!(shown, expected, "{text}");
}

#[test]
fn markdown_is_cut_into_bullets_paragraphs_rows_and_code() {
    check(
        "# Home\n\nWe live in Bonn\nsince May.\n- keys: hall\n  second hook\n  - spare\n1. one\n\n## Plants\n| a | b |\n|---|---|\n| fern | weekly |\n```sh\nls -l\n\ncd\n```\nend\n---\n",
        &[
            "Home 3-4 Paragraph We live in Bonn|since May.",
            "Home 5-6 Bullet - keys: hall|  second hook",
            "Home 7-7 Bullet   - spare",
            "Home 8-8 Bullet 1. one",
            "Home/Plants/a | b 13-13 TableRow | fern | weekly |",
            "Home/Plants 14-18 Code ```sh|ls -l||cd|```",
            "Home/Plants 19-19 Paragraph end",
        ],
    );
}

#[test]
fn heading_without_text_is_separate_passage() {
    check(
        "# A\n## B\n## C\ntext\n# 2024-01-01\n",
        &["A/B 2-2 Heading ## B", "A/C 4-4 Paragraph text"],
    );
}

#[test]
fn passage_has_origin_of_its_line_or_else_owner() {
    let text = "- Tea at five\n- Tea at six\n";
    let known = LineOrigins::from([(1, Origin::Agent)]);
    let stretches = cut_with(text, &known).into_iter();
    let passages = stretches.flat_map(|stretch| stretch.passages);
    let origins: Vec<Origin> = passages.map(|passage| passage.origin).collect();
    assert_eq!(origins, [Origin::Agent, Origin::Owner]);
}

#[test]
fn i14_passages_are_redacted_and_keep_line_numbers() {
    check(
        "-----BEGIN RSA PRIVATE KEY-----\nabcd\n-----END RSA PRIVATE KEY-----\nkey AKIAABCDEFGHIJKLMNOP\n",
        &[
            " 1-1 Paragraph [REDACTED:private-key]",
            " 4-4 Paragraph key [REDACTED:aws-key]",
        ],
    );
}

#[test]
fn sections_have_day_and_speakers() {
    let stretches = cut("# 2023-05-07\n\n## 13:56 talk\n- Anna: hello\n- 10:30 left\n");
    let [stretch] = stretches.as_slice() else {
        panic!("{stretches:?}");
    };
    assert_eq!(stretch.heading.day, "2023-05-07".parse().ok());
    let speakers = stretch.passages.iter().map(|it| it.speaker.as_deref());
    assert_eq!(speakers.collect::<Vec<_>>(), [Some("Anna"), None]);
}

#[test]
fn long_text_is_cut_into_passages_and_long_line_into_pieces() {
    let sentence = "This is one sentence of the text. ";
    let line = sentence.repeat(40);
    let stretches = cut(&line);
    let [passage] = stretches[0].passages.as_slice() else {
        panic!("{stretches:?}");
    };
    assert_eq!((stretches.len(), &passage.text), (1, &line));
    assert!(passage.pieces.len() >= 3);
    let many = format!("{}\n", sentence.trim()).repeat(40);
    let stretches = cut(&many);
    let passages = stretches[0].passages.iter();
    let mut lengths = passages.map(|it| it.text.chars().count());
    assert!(lengths.all(|n_chars| n_chars <= 450));
    let huge = cut(&"word ".repeat(200_000));
    assert!(huge.len() > 1);
    let mut passages = huge.iter().flat_map(|stretch| &stretch.passages);
    assert!(passages.all(|it| (it.lines.start, it.lines.end) == (1, 1)));
}

fn any_line() -> impl Strategy<Value = String> {
    prop_oneof![
        "[-*#|`>~ 1.]{0,4} ?[a-z\u{65e5}\u{1f642}.?: ]{0,30}",
        Just("```".to_owned()),
        Just("## Plan".to_owned()),
        Just("- Anna: yes? //! ab12".to_owned()),
        Just("//! end".to_owned()),
        Just(String::new()),
        ".{0,40}",
    ]
}

proptest! {
    #[test]
    fn i16_passage_text_equals_its_lines(lines in proptest::collection::vec(any_line(), 0..30)) {
        let text = base::redact_lines(&lines.join("\n")).into_owned();
        let mut last = 0;
        for stretch in cut(&text) {
            for passage in stretch.passages {
                prop_assert!(passage.lines.start > last, "{:?}", passage);
                last = passage.lines.end;
                let raw: Vec<&str> = text.split('\n').collect();
                let expected = raw[passage.lines.start - 1..last].join("\n");
                let plain = |text: &str| text.replace(['\r', '\u{feff}'], "");
                prop_assert_eq!(plain(&passage.text), plain(&expected));
            }
        }
    }
}
