//! The pictures of the guide are what the screen looks like.
//!
//! `cargo test --package host --test pictures -- --ignored` makes them anew.

#[path = "support/screen.rs"]
#[allow(dead_code)]
mod screen;
#[path = "support/svg.rs"]
mod svg;

use std::path::{Path, PathBuf};
use std::time::Duration;

use host::partner::News;
use host::partner::dialog::checked;
use host::partner::place::Place;
use host::play::app::{App, Event};
use host::play::draw;
use host::play::setup::{HumanSide, Setup};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use screen::{COLOUR, local};

/// A screen whose partner is made of words.
struct Scene {
    app: App,
}

impl Scene {
    fn new(spec: &str, human: HumanSide, menu: bool) -> Scene {
        let setup = Setup { spec: spec.parse().expect(spec), human, ..Setup::default() };
        let place = Place::Local(local());
        let app = App::new(setup, place, local(), COLOUR, menu).expect("it fits");
        let mut scene = Scene { app };
        scene.at(0, Event::Resize(80, 24));
        scene.hear(0, News::Ready(None));
        scene
    }

    fn at(&mut self, milliseconds: u64, event: Event) {
        // What it wants sent is not needed here.
        let _ = self.app.handle(event, Duration::from_millis(milliseconds));
    }

    fn hear(&mut self, milliseconds: u64, news: News) {
        self.at(milliseconds, Event::News { chair: 0, attempt: 1, news });
    }

    fn line(&mut self, milliseconds: u64, line: &str) {
        self.hear(milliseconds, News::Line(checked(line)));
    }

    fn key(&mut self, milliseconds: u64, code: KeyCode) {
        self.at(milliseconds, Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
    }

    fn play(&mut self, milliseconds: u64, mv: &str) {
        for letter in format!(":{mv}").chars() {
            self.key(milliseconds, KeyCode::Char(letter));
        }
        self.key(milliseconds, KeyCode::Enter);
    }

    fn play_all(&mut self, moves: &str) {
        for (n, mv) in moves.split_whitespace().enumerate() {
            self.play(1_500 * (n as u64 + 1), mv);
        }
    }

    fn svg(&self) -> String {
        let mut terminal = Terminal::new(TestBackend::new(80, 24)).expect("a backend");
        terminal.draw(|frame| draw::draw(frame, &self.app)).expect("a picture");
        svg::svg(terminal.backend().buffer())
    }
}

/// The partner thinks about its third move.
fn thinking() -> Scene {
    let mut scene = Scene::new("mnk:15x15x5", HumanSide::First, false);
    let answers = [
        &["PONG", "OK", "OK", "OK", "8,6"][..],
        &["9,7"],
        &["DEBUG EVAL value=guess:-310 proved=no depth=9 nodes=1482310 line=7,9 7,5 6,7 8,9 5,6"],
    ];
    for (n, (mv, lines)) in ["7,7", "8,8", "7,8"].into_iter().zip(answers).enumerate() {
        let start = 4_000 * n as u64;
        scene.play(start + 2_000, mv);
        for line in lines {
            scene.line(start + 3_200, line);
        }
    }
    scene
}

fn menu() -> Scene {
    Scene::new("mnk:15x15x5", HumanSide::First, true)
}

fn won() -> Scene {
    let mut scene = Scene::new("connect:6x7x4", HumanSide::Both, false);
    scene.play_all("3 3 4 4 2 1 1 2 5");
    scene
}

fn bricks() -> Scene {
    let mut scene = Scene::new("bricks:8", HumanSide::Both, false);
    scene.play_all("3,3,h 5,3,v 3,4,h 5,5,h 2,5,v 6,3,v 1,4,v 6,1,v");
    scene.key(12_000, KeyCode::Tab);
    scene
}

fn lost() -> Scene {
    let mut scene = thinking();
    let why = "/dev/ttyACM0: the connection is closed";
    scene.hear(12_000, News::Gone(why.into()));
    scene
}

/// A picture's name and what is on it.
type Named = (&'static str, fn() -> Scene);

const PICTURES: [Named; 5] = [
    ("play-game", thinking),
    ("play-menu", menu),
    ("play-won", won),
    ("play-bricks", bricks),
    ("play-lost", lost),
];

fn file(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a root");
    root.join("docs").join("pictures").join(format!("{name}.svg"))
}

#[test]
#[ignore = "writes the pictures of the guide"]
fn make_the_pictures() {
    for (name, scene) in PICTURES {
        std::fs::create_dir_all(file(name).parent().expect("a folder")).expect("a folder");
        std::fs::write(file(name), scene().svg()).expect("a file");
    }
}

#[test]
fn the_pictures_of_the_guide_are_what_the_screen_looks_like() {
    for (name, scene) in PICTURES {
        let kept = std::fs::read_to_string(file(name)).unwrap_or_default().replace("\r\n", "\n");
        assert!(
            kept == scene().svg(),
            "{name}: cargo test --package host --test pictures -- --ignored makes it anew"
        );
    }
}
