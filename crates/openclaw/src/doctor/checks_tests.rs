//! The page of checks: generated here, committed, and compared.
//!
//! `UPDATE_REFERENCE=1 cargo test -p openclaw doctor` rewrites it.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use cli::reference::{GENERATED, check as check_page};

use super::*;

#[test]
fn page_of_checks_is_current() {
    let mut page = format!("# Checks of `doctor`\n\n{GENERATED}\n{INTRODUCTION}");
    for row in rows() {
        let CheckRow {
            code,
            checks,
            weight,
            fix,
        } = row;
        writeln!(page, "| `{code}` | {checks} | {} | {fix} |", weight.name()).unwrap();
    }
    check_page("docs/doctor.md", &page);
}

#[test]
fn row_codes_are_unique() {
    let all = rows().map(|row| row.code);
    let codes: BTreeSet<&str> = rows().map(|row| row.code).collect();
    assert_eq!(all.count(), codes.len());
}

const INTRODUCTION: &str = "\
`openclaw doctor` changes nothing; `openclaw doctor --fix` repairs what needs no decision from you.
`code` is that of a finding in `--json`; a finding may weigh more or less than its kind usually does, and may name a \
more exact next step.

| code | checked | weight | next |
|---|---|---|---|
";
