//! The weights of the linear head.

use super::*;

#[test]
fn bundled_weights_match_signals() {
    let head = ClassifierHead::parse(BUNDLED).unwrap();
    assert!(head.rows.len() > signal_names().len());
}

#[test]
fn written_weights_parse_back() {
    let rows = vec![[0.5; 9]; signal_names().len() + 3];
    let head = ClassifierHead::parse(&ClassifierHead::written(&rows)).unwrap();
    assert_eq!(head.rows, rows);
}

#[test]
fn weights_for_other_signals_are_rejected() {
    let row = ["0"; 9].join("\t");
    let other = format!("bias\t{row}\nsomething\t{row}\n");
    for (text, line) in [(&*other, 2), ("bias\t1\t2\n", 1)] {
        assert_eq!(ClassifierHead::parse(text), Err(HeadError { line }));
    }
}

#[test]
fn likelihoods_of_classes_sum_to_one() {
    let head = ClassifierHead::parse(BUNDLED).unwrap();
    for inputs in inputs(None, &["My sister lives in Bergen"], &[None]) {
        let likely = head.judge(&inputs);
        let sum: f32 = Class::ALL.iter().map(|it| likely.of(*it)).sum();
        assert!((sum - 1.0).abs() < 1e-3);
    }
}
