//! The wire format: texts out, vectors back.
//!
//! Rejects malformed vectors.

use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize)]
pub(super) struct EmbeddingBody<'a> {
    pub(super) model: &'a str,
    pub(super) input: &'a [&'a str],
    pub(super) encoding_format: &'static str,
}

#[derive(Debug, Deserialize)]
struct EmbeddingResponse {
    data: Vec<EmbeddingItem>,
}

#[derive(Debug, Deserialize)]
struct EmbeddingItem {
    index: usize,
    embedding: Vec<f32>,
}

/// Parses the vectors of `n_texts` texts, in order; the error is a description of the problem.
pub(super) fn vectors(body: &[u8], n_texts: usize) -> Result<Vec<Vec<f32>>, String> {
    let response: EmbeddingResponse =
        serde_json::from_slice(body).map_err(|error| format!("not a list of vectors: {error}"))?;
    let mut found: Vec<Option<Vec<f32>>> = vec![None; n_texts];
    for item in response.data {
        let index = item.index;
        match found.get_mut(index) {
            Some(slot @ None) => *slot = Some(item.embedding),
            Some(Some(_)) => return Err(format!("two vectors for text {index}")),
            None => {
                return Err(format!(
                    "vector {index} is out of range for {n_texts} texts"
                ));
            }
        }
    }
    let found: Option<Vec<Vec<f32>>> = found.into_iter().collect();
    let found = found.ok_or_else(|| format!("fewer than {n_texts} vectors"))?;
    let n_numbers = found.first().map_or(0, Vec::len);
    let is_even = found.iter().all(|vector| vector.len() == n_numbers);
    let is_finite = found.iter().flatten().all(|part| part.is_finite());
    if n_texts > 0 && (n_numbers == 0 || !is_even || !is_finite) {
        return Err("empty vectors, or vectors of different lengths".to_owned());
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(body: &str, expected: Result<Vec<Vec<f32>>, &str>) {
        let found = vectors(body.as_bytes(), 2);
        assert_eq!(found, expected.map_err(str::to_owned), "{body}");
    }

    #[test]
    fn vectors_are_accepted_in_any_order_and_checked() {
        check(
            r#"{"object":"list","data":[{"index":1,"embedding":[3,4.5]},{"index":0,"embedding":[1,2]}],"usage":{}}"#,
            Ok(vec![vec![1.0, 2.0], vec![3.0, 4.5]]),
        );
        let uneven = "empty vectors, or vectors of different lengths";
        for (data, expected) in [
            ("0,[1]", "fewer than 2 vectors"),
            ("0,[1] 0,[1]", "two vectors for text 0"),
            ("2,[1]", "vector 2 is out of range for 2 texts"),
            ("0,[1] 1,[1,2]", uneven),
            ("0,[] 1,[]", uneven),
        ] {
            let items = data.split(' ').map(|item| {
                let (index, vector) = item.split_once(',').unwrap();
                format!(r#"{{"index":{index},"embedding":{vector}}}"#)
            });
            let items: Vec<String> = items.collect();
            let body = format!(r#"{{"data":[{}]}}"#, items.join(","));
            check(&body, Err(expected));
        }
        check(
            "{",
            Err("not a list of vectors: EOF while parsing an object at line 1 column 1"),
        );
    }
}
