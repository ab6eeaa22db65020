//! Charts as SVG: a bar chart, and a graph of the values in a game.
//!
//! - [`bar_chart`]: lying bars with names and values, negative ones to the left of zero
//! - [`value_graph`]: what both players thought of a game, move by move
//!
//! Written by hand, since such charts need no library. A file stands alone: no style sheet, no
//! script, and a font that every viewer replaces by its own.

use std::fmt::Write as _;

const WIDTH: f64 = 800.0;
/// Where the drawing begins, below the title.
const TOP: f64 = 50.0;
const MARGIN: f64 = 16.0;
/// Room for a character of a name or label.
const CHARACTER: f64 = 8.0;
/// Names longer than this many characters are cut off.
const NAME_LIMIT: usize = 32;
const INK: &str = "#202020";
const FAINT: &str = "#d0d0d0";
const BLUE: &str = "#4f81bd";
const RED: &str = "#c0504d";

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

const BAR_HEIGHT: f64 = 22.0;
const BAR_STEP: f64 = 30.0;

/// The chart as the text of an SVG file.
#[must_use]
pub fn bar_chart(title: &str, bars: &[Bar]) -> String {
    let value = |bar: &Bar| if bar.value.is_finite() { bar.value } else { 0.0 };
    let longest = |words: fn(&Bar) -> &str| {
        bars.iter().map(|bar| words(bar).chars().count().min(NAME_LIMIT)).max().unwrap_or(0) as f64
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

    let mut svg = opening(title, height);
    for (index, bar) in bars.iter().enumerate() {
        let top = TOP + BAR_STEP * index as f64;
        let baseline = top + 16.0;
        let (zero, end) = (place(0.0), place(value(bar)));
        let (x, width) = (zero.min(end), (end - zero).abs());
        let (fill, label_x, anchor) =
            if value(bar) < 0.0 { (RED, x - 6.0, "end") } else { (BLUE, x + width + 6.0, "start") };
        text(&mut svg, (MARGIN, baseline), "start", short(&bar.name));
        // Writing to a string cannot fail.
        let _ = writeln!(
            svg,
            "<rect x=\"{x:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{BAR_HEIGHT}\" \
             fill=\"{fill}\"/>"
        );
        text(&mut svg, (label_x, baseline), anchor, &bar.label);
    }
    let zero = place(0.0);
    line(&mut svg, (zero, TOP - 6.0), (zero, height - MARGIN), INK);
    svg.push_str("</svg>\n");
    svg
}

/// What a player thought at a move.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The number of the move, from 1.
    pub number: usize,
    /// The value for the first player; infinite if the game is decided.
    pub value: f64,
    /// What is told of the point when it is pointed at.
    pub label: String,
}

/// What a player thought in the course of a game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Course {
    /// The player.
    pub name: String,
    /// One point per own move; `None`, a gap, where the value is not known.
    pub points: Vec<Option<Point>>,
}

/// The height of a value graph's field, from rim to rim.
const FIELD_HEIGHT: f64 = 320.0;
/// Room for the numbers and names below the field.
const BELOW: f64 = 62.0;
/// Where the greatest value stands, as a part of the way from zero to the rim. Beyond it is nothing
/// but decided games.
const GREATEST: f64 = 0.88;
/// The most numbers along the moves.
const MOST_NUMBERS: usize = 15;
const DOT: f64 = 3.0;
const FIRST_WINS: &str = "first wins";
const SECOND_WINS: &str = "second wins";

/// The values that both players told in a game of so many moves, as the text of an SVG file. Wins
/// of the first player are at the upper rim, those of the second at the lower one.
#[must_use]
pub fn value_graph(title: &str, courses: &[Course; 2], moves: usize) -> String {
    let points = courses.iter().flat_map(|course| course.points.iter().flatten());
    let greatest = points.map(|point| point.value.abs()).filter(|value| value.is_finite());
    let greatest = greatest.fold(0.0, f64::max);
    // Where all is drawn or decided there is nothing to measure.
    let unit = if greatest > 0.0 { GREATEST / greatest } else { 0.0 };
    let left = MARGIN + SECOND_WINS.len() as f64 * CHARACTER;
    let right = WIDTH - MARGIN;
    let middle = TOP + FIELD_HEIGHT / 2.0;
    let bottom = TOP + FIELD_HEIGHT;
    let across = |number: usize| left + number as f64 / (moves + 1) as f64 * (right - left);
    let up = |part: f64| middle - part.clamp(-1.0, 1.0) * FIELD_HEIGHT / 2.0;
    let height = |value: f64| up(if value.is_finite() { value * unit } else { value.signum() });

    let mut svg = opening(title, bottom + BELOW);
    let mut mark = |part: f64, label: &str, colour: &str| {
        line(&mut svg, (left, up(part)), (right, up(part)), colour);
        text(&mut svg, (left - 6.0, up(part) + 5.0), "end", label);
    };
    mark(1.0, FIRST_WINS, FAINT);
    mark(-1.0, SECOND_WINS, FAINT);
    if greatest > 0.0 {
        mark(GREATEST, &format!("{greatest:+}"), FAINT);
        mark(-GREATEST, &format!("{:+}", -greatest), FAINT);
    }
    mark(0.0, "0", INK);
    for number in (0..=moves).step_by(number_step(moves)) {
        let x = across(number);
        line(&mut svg, (x, bottom), (x, bottom + 5.0), INK);
        text(&mut svg, (x, bottom + 20.0), "middle", &number.to_string());
    }
    line(&mut svg, (left, TOP), (left, bottom), INK);
    for (side, course) in courses.iter().enumerate() {
        // Filled and hollow dots: nothing depends on colours.
        let (colour, fill) = if side == 0 { (BLUE, BLUE) } else { (RED, "#ffffff") };
        let place = |point: &Point| (across(point.number), height(point.value));
        for pair in course.points.windows(2) {
            if let [Some(one), Some(two)] = pair {
                line(&mut svg, place(one), place(two), colour);
            }
        }
        for point in course.points.iter().flatten() {
            dot(&mut svg, place(point), colour, fill, &point.label);
        }
        let (x, y) = (left + side as f64 * (right - left) / 2.0, bottom + BELOW - MARGIN);
        dot(&mut svg, (x, y - 5.0), colour, fill, &course.name);
        text(&mut svg, (x + 10.0, y), "start", short(&course.name));
    }
    svg.push_str("</svg>\n");
    svg
}

/// How far apart the numbers along so many moves are: 1, 2, 5, 10, 20 and so on.
fn number_step(moves: usize) -> usize {
    let tens = std::iter::successors(Some(1_usize), |ten| ten.checked_mul(10));
    let mut steps = tens.flat_map(|ten| [1, 2, 5].map(|digit| ten.saturating_mul(digit)));
    steps.find(|step| moves / step < MOST_NUMBERS).unwrap_or(usize::MAX)
}

/// How a file begins: the paper and the title.
fn opening(title: &str, height: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"14\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"{MARGIN}\" y=\"28\" font-size=\"16\" fill=\"{INK}\">{}</text>\n",
        escaped(title)
    )
}

fn line(svg: &mut String, (x1, y1): (f64, f64), (x2, y2): (f64, f64), colour: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(
        svg,
        "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\"/>"
    );
}

fn text(svg: &mut String, (x, y): (f64, f64), anchor: &str, words: &str) {
    let words = escaped(words);
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"{INK}\">{words}</text>"
    );
}

fn dot(svg: &mut String, (x, y): (f64, f64), colour: &str, fill: &str, label: &str) {
    let label = escaped(label);
    let _ = writeln!(
        svg,
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{DOT}\" stroke=\"{colour}\" fill=\"{fill}\">\
         <title>{label}</title></circle>"
    );
}

/// A name without what there is no room for.
fn short(name: &str) -> &str {
    name.char_indices().nth(NAME_LIMIT).map_or(name, |(end, _)| &name[..end])
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

    /// The number that an attribute has.
    fn number(line: &str, name: &str) -> f64 {
        let after = line.split_once(&format!("{name}=\"")).expect(name).1;
        after.split('"').next().expect("a number").parse().expect("a number")
    }

    /// The `x` and `width` of every bar.
    fn extents(svg: &str) -> Vec<(f64, f64)> {
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

    fn point(number: usize, value: f64) -> Option<Point> {
        Some(Point { number, value, label: format!("move {number}") })
    }

    fn course(points: &[Option<Point>]) -> Course {
        Course { name: "<a>".into(), points: points.to_vec() }
    }

    /// The places of the dots of moves.
    fn dots(svg: &str) -> Vec<(f64, f64)> {
        svg.lines()
            .filter(|line| line.contains("<title>move "))
            .map(|line| (number(line, "cx"), number(line, "cy")))
            .collect()
    }

    #[test]
    fn decided_games_are_at_the_rim_and_beyond_all_other_values() {
        let first = course(&[point(1, 50.0), point(3, 100.0), point(5, f64::INFINITY)]);
        let second = course(&[point(2, -100.0), point(4, 0.0), point(6, f64::NEG_INFINITY)]);
        let svg = value_graph("t", &[first, second], 6);
        let [half, most, won, least, zero, lost] = dots(&svg)[..] else { panic!("{svg}") };
        assert_eq!((won.1, lost.1), (TOP, TOP + FIELD_HEIGHT));
        assert!(won.1 < most.1 && most.1 < half.1 && half.1 < zero.1 && zero.1 < least.1);
        assert!((zero.1 - most.1 - (least.1 - zero.1)).abs() < 0.2 && least.1 < lost.1);
        assert!(half.0 < least.0 && least.0 < most.0 && lost.0 < WIDTH, "in the order of moves");
    }

    #[test]
    fn a_move_without_a_value_leaves_a_gap() {
        let lines = |points: &[Option<Point>]| {
            let svg = value_graph("t", &[course(points), Course::default()], 9);
            let colour = format!("stroke=\"{BLUE}\"/>");
            svg.lines().filter(|line| line.starts_with("<line") && line.ends_with(&colour)).count()
        };
        let whole = [point(1, 1.0), point(3, 2.0), point(5, 3.0), point(7, 4.0), point(9, 5.0)];
        let mut torn = whole.clone();
        torn[2] = None;
        assert_eq!((lines(&whole), lines(&torn), lines(&[None, None])), (4, 2, 0));
    }

    #[test]
    fn a_graph_can_be_as_long_as_a_game() {
        assert_eq!([0, 14, 15, 225, 10_000].map(number_step), [1, 1, 2, 20, 1_000]);
        let all = course(&(1..=10_000).map(|n| point(n, f64::INFINITY)).collect::<Vec<_>>());
        let svg = value_graph("<t>", &[all.clone(), all], 10_000);
        assert!(!svg.contains("NaN") && !svg.contains("inf") && !svg.contains("<a>"));
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    }

    #[test]
    fn names_cannot_break_the_file() {
        let svg = bar_chart("<&>", &[bar("\"<script>\u{0}", f64::NAN)]);
        assert!(!svg.contains("<script>") && !svg.contains('\u{0}') && !svg.contains("NaN\""));
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        assert!(bar_chart("empty", &[]).ends_with("</svg>\n"));
    }
}
