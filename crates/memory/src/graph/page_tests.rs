//! The page shows each fact on one line, and the owner's lines on it stay.

use proptest::prelude::*;

use super::model::{Entity, KnowledgeGraph, Relation};
use super::page::{facts, with_facts};
use crate::note_text::NoteText;

fn graph(name: &str, kind: &str, texts: &[&str]) -> KnowledgeGraph {
    KnowledgeGraph {
        entities: vec![Entity {
            name: name.to_owned(),
            entity_type: kind.to_owned(),
            observations: texts.iter().map(|&text| text.to_owned()).collect(),
        }],
        relations: vec![
            Relation {
                from: "Nowhere".to_owned(),
                to: name.to_owned(),
                relation_type: "near".to_owned(),
            },
            Relation {
                from: name.to_owned(),
                to: "Acme".to_owned(),
                relation_type: "works at".to_owned(),
            },
        ],
    }
}

#[test]
fn graph_page_renders_as_markdown() {
    let graph = graph("Ann", "person", &["likes tea", "two\nlines <!-- x -->"]);
    let page = String::from_utf8(with_facts(b"", &graph)).unwrap();
    insta::assert_snapshot!(page, @r"
    # Graph

    What programs noted with `openclaw mcp --dialect graph`.

    - Ann (person) ^8b6c1304
    - Ann: likes tea ^02da9484
    - Ann: two lines &lt;!-- x --&gt; ^1813535e
    - Ann works at Acme ^250a3461
    - Nowhere near Ann ^4edd6d54
    ");
    assert_eq!(with_facts(page.as_bytes(), &graph), page.into_bytes());
}

#[test]
fn graph_page_keeps_every_line_of_the_owner() {
    let before = graph("Ann", "person", &["likes tea", "swims"]);
    let page = String::from_utf8(with_facts(b"", &before)).unwrap();
    let edited = page.replace("likes tea", "likes green tea");
    let edited = edited.replace("# Graph\n", "# Who is who\r\n") + "- by hand \u{e4}\nno end";
    let mut edited = edited.into_bytes();
    edited.push(0xff);
    let after = with_facts(&edited, &graph("Ann", "", &["swims"]));
    let shown = String::from_utf8_lossy(&after).into_owned();
    assert!(
        after.ends_with(b"- by hand \xc3\xa4\nno end\xff"),
        "{shown}"
    );
    assert!(shown.starts_with("# Who is who\r\n"), "{shown}");
    for line in ["- Ann: likes green tea ^", "- Ann ^", "- Ann: swims ^"] {
        assert_eq!(shown.matches(line).count(), 1, "{line}: {shown}");
    }
    assert!(!shown.contains("(person)"), "{shown}");
}

proptest! {
    #[test]
    fn graph_page_replaces_lines_of_any_text(
        name in any::<String>(),
        kind in any::<String>(),
        texts in prop::collection::vec(any::<String>(), 0..4),
    ) {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let graph = graph(&name, &kind, &texts);
        let page = with_facts(b"mine\n", &graph);
        prop_assert_eq!(&with_facts(&page, &graph), &page);
        prop_assert_eq!(with_facts(&page, &KnowledgeGraph::default()), b"mine\n");
        let text = String::from_utf8(page).unwrap();
        let read = NoteText::alone(&text);
        let n_ours = read.lines().iter().filter(|line| line.ours().is_some()).count();
        prop_assert_eq!(n_ours, facts(&graph).len());
    }
}
