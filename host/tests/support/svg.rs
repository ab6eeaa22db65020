//! A screen as an SVG picture, for the guides.

use std::fmt::Write as _;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

/// The size of a letter.
const WIDTH: u32 = 9;
const HEIGHT: u32 = 19;
/// Space around the screen.
const MARGIN: u32 = 10;
const BACKGROUND: &str = "#16181d";
const FOREGROUND: &str = "#d7dae0";
const FAINT: &str = "#7a808c";

/// The picture.
pub fn svg(buffer: &Buffer) -> String {
    let (columns, rows) = (u32::from(buffer.area.width), u32::from(buffer.area.height));
    let (width, height) = (columns * WIDTH + 2 * MARGIN, rows * HEIGHT + 2 * MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"DejaVu Sans Mono, Menlo, Consolas, \
         monospace\" font-size=\"15\">\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"{BACKGROUND}\"/>\n"
    );
    for (n, cell) in buffer.content.iter().enumerate() {
        let (column, row) = (n as u32 % columns, n as u32 / columns);
        draw_cell(&mut svg, cell, MARGIN + column * WIDTH, MARGIN + row * HEIGHT);
    }
    svg.push_str("</svg>\n");
    svg
}

fn draw_cell(svg: &mut String, cell: &Cell, x: u32, y: u32) {
    let faint = cell.modifier.contains(Modifier::DIM);
    let usual = if faint { FAINT } else { FOREGROUND };
    let (mut ink, mut paper) = (colour(cell.fg, usual), colour(cell.bg, BACKGROUND));
    if cell.modifier.contains(Modifier::REVERSED) {
        std::mem::swap(&mut ink, &mut paper);
    }
    if paper != BACKGROUND {
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"{paper}\"/>"
        );
    }
    let symbol = cell.symbol();
    if symbol.trim().is_empty() {
        return;
    }
    let symbol = symbol.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let bold = if cell.modifier.contains(Modifier::BOLD) { " font-weight=\"bold\"" } else { "" };
    let base = y + HEIGHT - 5;
    let _ = writeln!(svg, "<text x=\"{x}\" y=\"{base}\" fill=\"{ink}\"{bold}>{symbol}</text>");
}

fn colour(colour: Color, usual: &str) -> String {
    match colour {
        Color::Yellow => "#f2c14e".into(),
        Color::Cyan => "#56c7e0".into(),
        Color::Red => "#e5534b".into(),
        Color::Green => "#57ab5a".into(),
        Color::LightGreen => "#8ddb8c".into(),
        Color::LightBlue => "#96d0ff".into(),
        Color::Magenta => "#dcbdfb".into(),
        Color::White => "#ffffff".into(),
        Color::Rgb(red, green, blue) => format!("#{red:02x}{green:02x}{blue:02x}"),
        _ => usual.into(),
    }
}
