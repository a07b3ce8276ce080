//! Line charts for a terminal.

use base::TokenCount;
use rasciigraph::{Config, plot};

/// Rows of a chart.
const N_ROWS: u32 = 8;

/// Columns that axis and labels take beside the line: a label of nine digits, a space and the axis.
const AXIS_COLUMNS: usize = 12;

/// The fewest columns that show a trend.
const LINE_COLUMNS_MIN: usize = 10;

/// The most columns per value, for charts of few values.
const COLUMNS_PER_VALUE_MAX: usize = 4;

/// Values are clamped to this one: the drawing library computes with 32 bits.
const VALUE_MAX: u32 = 100_000_000;

/// Draws the values from left to right; returns an empty string for fewer than two.
///
/// If there are more values than columns, each column shows the maximum of its values, so that no peak is lost.
pub fn chart(values: &[TokenCount], columns: usize) -> String {
    if values.len() < 2 {
        return String::new();
    }
    let width = columns
        .saturating_sub(AXIS_COLUMNS)
        .max(LINE_COLUMNS_MIN)
        .min(values.len().saturating_mul(COLUMNS_PER_VALUE_MAX));
    let heights = resample(values, width);
    let drawn = plot(heights, Config::default().with_height(N_ROWS));
    drawn
        .lines()
        .flat_map(|line| [line.trim_end(), "\n"])
        .collect()
}

fn resample(values: &[TokenCount], width: usize) -> Vec<f64> {
    (0..width)
        .map(|column| {
            let from = column * values.len() / width;
            let to = ((column + 1) * values.len() / width).max(from + 1);
            let share = values.get(from..to).unwrap_or_default();
            let peak = share.iter().max().copied().unwrap_or_default();
            f64::from(u32::try_from(peak.0).unwrap_or(VALUE_MAX).min(VALUE_MAX))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resample_keeps_peaks_in_few_columns() {
        let mut values = vec![TokenCount(10); 1000];
        values[777] = TokenCount(5_000);
        let heights = resample(&values, 20);
        let n_peaks = heights.iter().filter(|height| **height > 4_999.0).count();
        assert_eq!((heights.len(), n_peaks), (20, 1));
    }

    #[test]
    fn i16_chart_accepts_extreme_values() {
        let extremes = [
            0,
            1,
            u64::from(VALUE_MAX) - 1,
            u64::from(u32::MAX),
            u64::MAX,
        ];
        for first in extremes {
            for second in extremes {
                for columns in [0, 1, 80, 5_000] {
                    let values = [first, second, second, first].map(TokenCount);
                    assert!(!chart(&values, columns).is_empty(), "{first} {second}");
                }
            }
        }
        assert_eq!(chart(&[], 80), "");
        assert_eq!(chart(&[TokenCount(3)], 80), "");
    }
}
