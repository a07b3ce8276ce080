//! Renders the common part of Markdown: what people and models write in messages and notes.
//!
//! Never passes markup through: every character of the text is escaped.

use maud::{Markup, html};

/// How far ahead the end of emphasis, code or a link is looked for; keeps the work linear.
const SPAN_CHARS_MAX: usize = 400;

/// Whether a link can be followed. One in memory is shown as text, because anybody may have written it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Links {
    Followed,
    Shown,
}

/// Renders one line, such as a line of memory; links are not followed.
pub(super) fn inline(text: &str) -> Markup {
    spans(text, Links::Shown)
}

/// Renders the words of a message on one line, without code fences, bullets and headings.
pub(super) fn gist(text: &str) -> Markup {
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("```"));
    let words = lines.map(|line| heading(line).or_else(|| bullet(line)).unwrap_or(line));
    inline(&words.collect::<Vec<_>>().join(" "))
}

/// Renders a whole message.
pub(super) fn blocks(text: &str) -> Markup {
    let lines: Vec<&str> = text.lines().collect();
    let mut rest = lines.as_slice();
    let mut found = Vec::new();
    while let Some(line) = rest.first() {
        let kind = Kind::of(line, rest.get(1).copied());
        let (own, later) = rest.split_at(kind.n_lines(rest).min(rest.len()));
        found.push(block(kind, own));
        rest = later;
    }
    html! { @for own in found { (own) } }
}

/// The kind of a block, by its first line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Blank,
    Code,
    Heading,
    Rule,
    Quote,
    Bullets,
    Numbers,
    Table,
    Paragraph,
}

impl Kind {
    fn of(line: &str, next: Option<&str>) -> Self {
        let line = line.trim_start();
        let is_rule = line.len() >= 3 && line.chars().all(|c| c == '-');
        match line {
            "" => Self::Blank,
            _ if line.starts_with("```") => Self::Code,
            _ if heading(line).is_some() => Self::Heading,
            _ if is_rule => Self::Rule,
            _ if line.starts_with('>') => Self::Quote,
            _ if bullet(line).is_some() => Self::Bullets,
            _ if number(line).is_some() => Self::Numbers,
            _ if line.starts_with('|') && next.is_some_and(is_table_rule) => Self::Table,
            _ => Self::Paragraph,
        }
    }

    /// The number of lines that belong to the block that begins here.
    fn n_lines(self, lines: &[&str]) -> usize {
        let rest = lines.iter().skip(1);
        1 + match self {
            Self::Blank | Self::Heading | Self::Rule => 0,
            Self::Code => {
                let inside = rest.take_while(|line| !line.trim_start().starts_with("```"));
                // The fence at the end belongs to it.
                inside.count() + 1
            }
            Self::Table => rest
                .take_while(|line| line.trim_start().starts_with('|'))
                .count(),
            Self::Bullets | Self::Numbers => {
                let goes_on = |line: &&&str| {
                    let is_indented = line.starts_with(' ') && !line.trim().is_empty();
                    is_indented || Self::of(line, None) == self
                };
                rest.take_while(goes_on).count()
            }
            Self::Quote | Self::Paragraph => {
                let next = lines.iter().skip(2).map(|line| Some(*line));
                // A line may be the head of a table, which the line below it tells.
                rest.zip(next.chain([None]))
                    .take_while(|(line, next)| Self::of(line, *next) == self)
                    .count()
            }
        }
    }
}

fn block(kind: Kind, lines: &[&str]) -> Markup {
    match kind {
        Kind::Blank => html! {},
        Kind::Rule => html! { hr; },
        Kind::Heading => {
            let text = lines.first().and_then(|line| heading(line));
            html! { p class="heading" { (linked(text.unwrap_or_default())) } }
        }
        Kind::Code => code(lines),
        Kind::Quote => {
            let inner: Vec<&str> = lines.iter().map(|line| unquoted(line)).collect();
            html! { blockquote { (paragraph(&inner)) } }
        }
        Kind::Bullets => html! { ul { @for item in items(lines, bullet) { (item) } } },
        Kind::Numbers => {
            let first = lines
                .first()
                .and_then(|line| start_of(line))
                .filter(|first| *first != 1);
            html! { ol start=[first] { @for item in items(lines, number) { (item) } } }
        }
        Kind::Table => table(lines),
        Kind::Paragraph => paragraph(lines),
    }
}

fn paragraph(lines: &[&str]) -> Markup {
    html! {
        p {
            @for (number, line) in lines.iter().enumerate() {
                @if number > 0 { br; }
                (linked(line.trim()))
            }
        }
    }
}

fn code(lines: &[&str]) -> Markup {
    let inside: Vec<&str> = lines
        .iter()
        .skip(1)
        .copied()
        .take_while(|line| !line.trim_start().starts_with("```"))
        .collect();
    html! {
        div class="code" {
            button type="button" class="plain" data-copy data-needs-script { "Copy" }
            pre tabindex="0" { code { (inside.join("\n")) } }
        }
    }
}

/// The items of a list; a line that begins no item continues the one before it.
fn items<'l>(lines: &[&'l str], begins: fn(&'l str) -> Option<&'l str>) -> Vec<Markup> {
    let mut items: Vec<(bool, Vec<&str>)> = Vec::new();
    for line in lines {
        let text = line.trim_start();
        let is_deep = line.len() - text.len() >= 2;
        let begun = begins(text)
            .or_else(|| bullet(text))
            .or_else(|| number(text));
        match (begun, items.last_mut()) {
            (None, Some((_, last))) => last.push(text),
            (begun, _) => items.push((is_deep, vec![begun.unwrap_or(text)])),
        }
    }
    let item = |(is_deep, lines): (bool, Vec<&str>)| {
        html! { li class=[is_deep.then_some("deep")] { (linked(&lines.join(" "))) } }
    };
    items.into_iter().map(item).collect()
}

fn table(lines: &[&str]) -> Markup {
    let cells = |line: &str| -> Vec<String> {
        let line = line.trim().trim_matches('|');
        line.split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    html! {
        div class="scroll" tabindex="0" {
            table {
                @if let Some(head) = lines.first() {
                    thead { tr { @for cell in cells(head) { th { (linked(&cell)) } } } }
                }
                tbody { @for line in lines.iter().skip(2) { tr { @for cell in cells(line) { td { (linked(&cell)) } } } } }
            }
        }
    }
}

fn is_table_rule(line: &str) -> bool {
    let line = line.trim();
    line.starts_with('|') && line.contains('-') && line.chars().all(|c| "|-: ".contains(c))
}

fn heading(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('#');
    let n_marks = line.len() - text.len();
    let text = text.strip_prefix(' ')?;
    (1..=6).contains(&n_marks).then(|| text.trim())
}

fn bullet(line: &str) -> Option<&str> {
    let mut marks = ["- ", "* ", "+ "].into_iter();
    marks.find_map(|mark| line.strip_prefix(mark))
}

fn number(line: &str) -> Option<&str> {
    let text = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let has_number = (1..=3).contains(&(line.len() - text.len()));
    let text = text.strip_prefix(". ").or_else(|| text.strip_prefix(") "));
    text.filter(|_| has_number)
}

/// The number of the first item of a list.
fn start_of(line: &str) -> Option<u32> {
    let text = line.trim_start();
    let (digits, _) = text.split_at_checked(text.find(|c: char| !c.is_ascii_digit())?)?;
    digits.parse().ok()
}

fn unquoted(line: &str) -> &str {
    line.trim_start().trim_start_matches('>').trim_start()
}

fn linked(text: &str) -> Markup {
    spans(text, Links::Followed)
}

/// A part of a line.
#[derive(Debug, PartialEq, Eq)]
enum Span<'t> {
    Text(&'t str),
    Code(&'t str),
    Strong(&'t str),
    Emphasis(&'t str),
    Link(&'t str, &'t str),
}

fn spans(text: &str, links: Links) -> Markup {
    html! {
        @for span in split(text) {
            @match span {
                Span::Text(text) => { (text) }
                Span::Code(text) => { code { (text) } }
                Span::Strong(text) => { strong { (spans(text, links)) } }
                Span::Emphasis(text) => { em { (spans(text, links)) } }
                Span::Link(text, address) if links == Links::Followed => {
                    a href=(address) rel="noreferrer noopener" target="_blank" { (text) }
                }
                Span::Link(text, address) => { (text) " (" (address) ")" }
            }
        }
    }
}

fn split(text: &str) -> Vec<Span<'_>> {
    let mut found = Vec::new();
    let (mut begun, mut at) = (0, 0);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if let Some((span, n_bytes)) = span_at(text, at) {
            if begun < at {
                found.push(Span::Text(text.get(begun..at).unwrap_or_default()));
            }
            found.push(span);
            at += n_bytes;
            begun = at;
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    if begun < text.len() {
        found.push(Span::Text(text.get(begun..).unwrap_or_default()));
    }
    found
}

/// The span that begins at a byte of a text, and its length in bytes with its marks.
fn span_at(text: &str, at: usize) -> Option<(Span<'_>, usize)> {
    let (before, rest) = text.split_at_checked(at)?;
    let last = before.chars().next_back();
    let is_inside_word = last.is_some_and(char::is_alphanumeric);
    let whole = |inner: &str, mark: &str| inner.len() + 2 * mark.len();
    if rest.starts_with('[') {
        return link(rest);
    }
    if let Some(inner) = between(rest, "`") {
        return Some((Span::Code(inner), whole(inner, "`")));
    }
    if let Some(inner) = between(rest, "**") {
        return Some((Span::Strong(inner), whole(inner, "**")));
    }
    ["*", "_"]
        .into_iter()
        .filter(|_| !is_inside_word)
        .find_map(|mark| {
            let inner = between(rest, mark)?;
            let after = rest.get(whole(inner, mark)..)?.chars().next();
            let ends = !after.is_some_and(char::is_alphanumeric);
            ends.then(|| (Span::Emphasis(inner), whole(inner, mark)))
        })
}

/// The text between two marks, if it is not empty and does not begin or end with a space.
fn between<'t>(rest: &'t str, mark: &str) -> Option<&'t str> {
    let inner = base::head(rest.strip_prefix(mark)?, SPAN_CHARS_MAX);
    let inner = inner.get(..inner.find(mark)?)?;
    (!inner.is_empty() && inner.trim() == inner).then_some(inner)
}

/// `[text](address)` with an address of the web.
fn link(rest: &str) -> Option<(Span<'_>, usize)> {
    let near = base::head(rest, SPAN_CHARS_MAX);
    let (text, later) = near.strip_prefix('[')?.split_once("](")?;
    let (address, _) = later.split_once(')')?;
    let is_web = ["https://", "http://"]
        .iter()
        .any(|it| address.starts_with(it));
    let is_plain =
        !text.is_empty() && !text.contains('[') && !address.contains(char::is_whitespace);
    let n_bytes = text.len() + address.len() + "[]()".len();
    (is_web && is_plain).then_some((Span::Link(text, address), n_bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_render_what_messages_contain() {
        let text = "# Plan\n\nFirst **bold** and *soft*,\nthen `a < b`.\n\n- one\n  more\n  - deep\n- two\n\n1. first\n2. second\n\n> said\n\n```rust\nlet a = \"<b>\";\n```\n\n| a | b |\n|---|---|\n| 1 | [x](https://example.org/?a=1&b) |\n\n---\nend";
        insta::assert_snapshot!(blocks(text).into_string().replace("><", ">\n<"));
    }

    #[test]
    fn ordered_list_keeps_its_first_number() {
        let shown = |text: &str| blocks(text).into_string();
        assert_eq!(
            shown("3. three\n4. four"),
            "<ol start=\"3\"><li>three</li><li>four</li></ol>"
        );
        assert_eq!(shown("1. one"), "<ol><li>one</li></ol>");
        assert_eq!(shown("0) none"), "<ol start=\"0\"><li>none</li></ol>");
    }

    #[test]
    fn table_directly_below_paragraph_is_table() {
        let shown = blocks("Prices:\n| a | b |\n|---|---|\n| 1 | 2 |\nafter").into_string();
        assert!(
            shown.starts_with("<p>Prices:</p><div class=\"scroll\""),
            "{shown}"
        );
        assert!(
            shown.contains("<td>2</td>") && shown.ends_with("<p>after</p>"),
            "{shown}"
        );
        let shown = blocks("a | b\n| no table").into_string();
        assert_eq!(shown, "<p>a | b<br>| no table</p>");
    }

    #[test]
    fn markup_and_dangerous_links_stay_text() {
        for hostile in [
            "<script>alert(1)</script>",
            "[x](javascript:alert(1))",
            "[x](https://a.example/\" onclick=\"alert(1))",
            "`<img src=x>`",
            "**<b onload=alert(1)>**",
            "```\n</code></pre><script>alert(1)</script>\n```",
            "| <i> |\n|---|\n| <script> |",
        ] {
            for shown in [blocks(hostile).into_string(), inline(hostile).into_string()] {
                for markup in [
                    "<script",
                    "<img",
                    "<b ",
                    "<i>",
                    "href=\"javascript",
                    " onclick=\"",
                ] {
                    assert!(!shown.contains(markup), "{markup} in {shown}");
                }
            }
        }
    }

    #[test]
    fn unclosed_and_odd_marks_stay_literal() {
        for text in [
            "2 * 3 * 4",
            "snake_case_name",
            "**",
            "``",
            "a ** b ** c",
            "[x]",
            "*",
            "[x](y",
        ] {
            let expected = html! { (text) }.into_string();
            assert_eq!(inline(text).into_string(), expected);
        }
        let long = "*a ".repeat(50_000);
        assert_eq!(inline(&long).into_string(), long);
    }

    #[test]
    fn gist_of_message_is_one_line_without_marks() {
        let text = "# Plan\n\n- **one**\n- two\n\n```rust\nlet a = 1;\n```\n";
        let shown = gist(text).into_string();
        assert_eq!(shown, "Plan <strong>one</strong> two let a = 1;");
    }

    #[test]
    fn links_in_memory_are_shown_but_not_followed() {
        let shown = inline("see [my page](https://example.org)").into_string();
        assert_eq!(shown, "see my page (https://example.org)");
    }
}
