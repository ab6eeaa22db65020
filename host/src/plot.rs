//! A bar chart as SVG: lying bars with names and values, negative ones to the left of zero.
//!
//! Written by hand, since a chart of a dozen bars needs no library. The file stands alone: no
//! style sheet, no script, and a font that every viewer replaces by its own.

use std::fmt::Write as _;

/// A bar.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// What the bar stands for.
    pub name: String,
    /// Its length; not a number counts as 0.
    pub value: f64,
    /// The value as it is written behind the bar.
    pub label: String,
}

const WIDTH: f64 = 800.0;
const TOP: f64 = 50.0;
const BAR_HEIGHT: f64 = 22.0;
const BAR_STEP: f64 = 30.0;
const MARGIN: f64 = 16.0;
/// Room for a character of a name or label.
const CHARACTER: f64 = 8.0;
/// Names longer than this many characters are cut off.
const NAME_LIMIT: usize = 32;

/// The chart as the text of an SVG file.
#[must_use]
pub fn bar_chart(title: &str, bars: &[Bar]) -> String {
    let value = |bar: &Bar| if bar.value.is_finite() { bar.value } else { 0.0 };
    let longest = |text: fn(&Bar) -> &str| {
        bars.iter().map(|bar| text(bar).chars().count().min(NAME_LIMIT)).max().unwrap_or(0) as f64
            * CHARACTER
    };
    let (name_width, label_width) = (longest(|bar| &bar.name), longest(|bar| &bar.label));
    let least = bars.iter().map(value).fold(0.0, f64::min);
    let most = bars.iter().map(value).fold(0.0, f64::max);
    // Labels of negative bars stand at their left end.
    let left = MARGIN + name_width + 8.0 + if least < 0.0 { label_width + 6.0 } else { 0.0 };
    let right = (WIDTH - MARGIN - label_width - 6.0).max(left + 1.0);
    let range = if most > least { most - least } else { 1.0 };
    let place = |value: f64| left + (value - least) / range * (right - left);
    let height = TOP + BAR_STEP * bars.len() as f64 + MARGIN;

    let mut svg = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"14\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"{MARGIN}\" y=\"28\" font-size=\"16\" fill=\"#202020\">{}</text>",
        escaped(title)
    );
    for (index, bar) in bars.iter().enumerate() {
        let top = TOP + BAR_STEP * index as f64;
        let baseline = top + 16.0;
        let (zero, end) = (place(0.0), place(value(bar)));
        let (x, width) = (zero.min(end), (end - zero).abs());
        let (fill, label_x, anchor) = if value(bar) < 0.0 {
            ("#c0504d", x - 6.0, "end")
        } else {
            ("#4f81bd", x + width + 6.0, "start")
        };
        let name: String = bar.name.chars().take(NAME_LIMIT).collect();
        let _ = writeln!(
            svg,
            "<text x=\"{MARGIN}\" y=\"{baseline:.1}\" fill=\"#202020\">{}</text>\n\
             <rect x=\"{x:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{BAR_HEIGHT}\" \
             fill=\"{fill}\"/>\n\
             <text x=\"{label_x:.1}\" y=\"{baseline:.1}\" text-anchor=\"{anchor}\" \
             fill=\"#202020\">{}</text>",
            escaped(&name),
            escaped(&bar.label)
        );
    }
    let zero = place(0.0);
    let _ = writeln!(
        svg,
        "<line x1=\"{zero:.1}\" y1=\"{:.1}\" x2=\"{zero:.1}\" y2=\"{:.1}\" stroke=\"#202020\"/>\n\
         </svg>",
        TOP - 6.0,
        height - MARGIN
    );
    svg
}

/// The text with everything replaced that means something in XML, and without control characters,
/// which it cannot hold.
fn escaped(text: &str) -> String {
    let mut safe = String::new();
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            _ if character.is_control() => safe.push(' '),
            _ => safe.push(character),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(name: &str, value: f64) -> Bar {
        Bar { name: name.into(), value, label: format!("{value}") }
    }

    /// The `x` and `width` of every bar.
    fn extents(svg: &str) -> Vec<(f64, f64)> {
        let number = |line: &str, name: &str| -> f64 {
            let after = line.split_once(&format!("{name}=\"")).expect(name).1;
            after.split('"').next().expect("a number").parse().expect("a number")
        };
        svg.lines()
            .filter(|line| line.starts_with("<rect x="))
            .map(|line| (number(line, " x"), number(line, " width")))
            .collect()
    }

    #[test]
    fn bars_are_as_long_as_their_values() {
        let svg = bar_chart("t", &[bar("a", 10.0), bar("b", 5.0), bar("c", 0.0)]);
        let bars = extents(&svg);
        assert!((bars[0].1 - 2.0 * bars[1].1).abs() < 0.2, "{bars:?}");
        assert_eq!(bars[2].1, 0.0);
        assert!(bars[0].0 + bars[0].1 < WIDTH);
    }

    #[test]
    fn negative_bars_end_at_zero() {
        let bars = extents(&bar_chart("t", &[bar("a", 4.0), bar("b", -2.0)]));
        assert!((bars[1].0 + bars[1].1 - bars[0].0).abs() < 0.2, "{bars:?}");
        assert!(bars[1].0 > 0.0);
    }

    #[test]
    fn names_cannot_break_the_file() {
        let svg = bar_chart("<&>", &[bar("\"<script>\u{0}", f64::NAN)]);
        assert!(!svg.contains("<script>") && !svg.contains('\u{0}') && !svg.contains("NaN\""));
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        assert!(bar_chart("empty", &[]).ends_with("</svg>\n"));
    }
}
