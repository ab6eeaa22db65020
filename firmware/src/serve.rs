//! The conversation: one session for the serial line and the button, on the executor of the tasks.
//!
//! ```text
//!  uart ──► accept ──► session ──► output ──► uart
//!                       │    ▲
//!             job, desk ▼    │ desk, finding
//!                      think (thread mode)
//! ```
//!
//! The loop does what can be done at once and then waits for whatever comes first: bytes, a press,
//! the end of a job, or the next frame of the display. It never waits for the search.

use embassy_futures::select::{Either4, select4};
use embassy_time::{Duration, Instant, Timer};
use engine::game::any::SharedGame;
use engine::game::mnk::small::MnkSmall;
use engine::search::Workspace;
use engine::session::desk::Desk;
use engine::session::{Config, Extra, Session};
use engine::ui::{Status, Ui};
use static_cell::{ConstStaticCell, StaticCell};

use crate::board::{
    BRICKS_CELLS, CHIP, CONNECT_CELLS, LARGE_BRICKS_BUCKETS, LARGE_BUCKETS, MNK_CELLS, MOVE_STACK,
    NAME, PLAYER_NODES, ResetCause, SMALL_BUCKETS,
};
use crate::button::PRESSES;
use crate::retained::{Incident, Journal};
use crate::think::Promptness;
use crate::uart::{self, Port};
use crate::watchdog::{self, Part};
use crate::{led, matrix, selftest, stack, think};

/// Game and table in one piece of memory.
type Game = SharedGame<
    MNK_CELLS,
    CONNECT_CELLS,
    BRICKS_CELLS,
    SMALL_BUCKETS,
    LARGE_BRICKS_BUCKETS,
    LARGE_BUCKETS,
>;
/// All that thinking needs.
pub type BoardDesk = Desk<'static, &'static mut Game, MOVE_STACK, PLAYER_NODES>;
type BoardSession = Session<'static, &'static mut Game, MOVE_STACK, PLAYER_NODES>;

/// The time between two frames of the display.
const FRAME_TIME: Duration = Duration::from_millis(33);
/// What an answer takes on the line: a dozen characters at 115200 baud.
const LATENCY_US: u32 = 2_000;
/// Bytes that are taken from the ring at a time.
const CHUNK: usize = 64;

/// The commands that only a board has.
const EXTRAS: &[Extra] = &[
    Extra { name: "SELFTEST", about: "memory, flash, clock, button, LEDs" },
    Extra { name: "STACK", about: "the most of the stack that was ever in use" },
    Extra { name: "LINE", about: "errors of the serial line since the start" },
    Extra { name: "STOPS", about: "how soon the search ended when it was asked to, at worst" },
    #[cfg(feature = "fault-commands")]
    Extra { name: "PANIC", about: "test only: panics" },
    #[cfg(feature = "fault-commands")]
    Extra { name: "FAULT", about: "test only: touches memory that is not there" },
    #[cfg(feature = "fault-commands")]
    Extra { name: "OVERFLOW", about: "test only: runs out of stack" },
    #[cfg(feature = "fault-commands")]
    Extra { name: "HANG", about: "test only: hangs the tasks, or HANG search" },
];

/// What is known at the start.
pub struct Boot {
    /// Why the chip started.
    pub cause: ResetCause,
    /// What went wrong before that.
    pub incident: Option<Incident>,
    /// What the last run kept.
    pub journal: &'static mut Journal,
}

/// Makes the desk where it will stay: it is too large for the stack. Never inlined: what it needs
/// of the stack would stay in use for ever in `main`.
#[inline(never)]
pub fn desk() -> &'static mut BoardDesk {
    static GAME: StaticCell<Game> = StaticCell::new();
    static WORKSPACE: ConstStaticCell<Workspace<MOVE_STACK>> =
        ConstStaticCell::new(Workspace::new());
    static DESK: StaticCell<BoardDesk> = StaticCell::new();
    let tic_tac_toe = defmt::unwrap!(MnkSmall::new(3, 3, 3, false).ok());
    let game = GAME.uninit().write(SharedGame::small(tic_tac_toe));
    DESK.init_with(|| Desk::new(game, WORKSPACE.take()))
}

/// Makes the session where it will stay.
#[inline(never)]
fn session(
    desk: &'static mut BoardDesk,
    journal: &'static mut Journal,
) -> &'static mut BoardSession {
    static SESSION: StaticCell<BoardSession> = StaticCell::new();
    let config = Config {
        line_end: "\r\n",
        seed: Instant::now().as_micros(),
        latency_us: LATENCY_US,
        fixed_memory: 0,
        echo: true,
        extras: EXTRAS,
    };
    SESSION.init_with(|| Session::new(desk, &think::STOP, journal, config))
}

/// Serves the line, the button and the thinker.
#[embassy_executor::task]
pub async fn serve(mut port: Port, desk: &'static mut BoardDesk, boot: Boot) {
    let session = session(desk, boot.journal);
    greet(session, boot.cause, boot.incident.as_ref());
    let mut ui = Ui::with_capacities([MNK_CELLS, CONNECT_CELLS, BRICKS_CELLS]);
    let mut next_frame = Instant::now();
    let mut chunk = [0; CHUNK];
    let (mut from, mut to) = (0, 0);
    let mut order = None;
    let mut promptness = Promptness::default();
    loop {
        watchdog::check_in(Part::Uart);
        promptness.look();
        if Instant::now() >= next_frame {
            show(session, &mut ui);
            next_frame = Instant::now() + FRAME_TIME;
        }
        if let Some(piece) = session.output() {
            uart::send_all(piece.as_bytes()).await;
            continue;
        }
        if let Some(request) = session.take_request() {
            obey(session, request.name, &request.argument, &promptness);
            continue;
        }
        if session.is_over() {
            session.reopen();
        }
        // The display copies the board before it goes away to be thought about.
        ui.update(session.game(), &status(session), Instant::now().as_millis());
        if let Some((job, desk)) = session.take_job() {
            think::start(job, desk);
        }
        if let Some(wanted) = order.take() {
            if session.order(&wanted, now_us()) {
                next_frame = Instant::now();
                continue;
            }
            order = Some(wanted);
        }
        let taken = session.accept(chunk.get(from..to).unwrap_or(&[]), now_us());
        from += taken;
        if taken > 0 {
            continue;
        }
        // Bytes are fetched only when the last ones are used up.
        let bytes = async {
            if from < to { core::future::pending().await } else { port.receive(&mut chunk).await }
        };
        match select4(bytes, think::finished(), PRESSES.receive(), Timer::at(next_frame)).await {
            Either4::First(arrival) => {
                if arrival.damaged {
                    session.mark_damaged();
                }
                (from, to) = (0, arrival.count);
            }
            Either4::Second((desk, finding)) => {
                promptness.answered();
                session.finish(desk, finding, now_us());
            }
            Either4::Third(press) => {
                let now_ms = Instant::now().as_millis();
                let status = status(session);
                order = ui.press(press, session.game(), &status, now_ms).or(order);
                if order.is_none() {
                    next_frame = Instant::now();
                }
            }
            Either4::Fourth(()) => {}
        }
    }
}

fn now_us() -> u64 {
    Instant::now().as_micros()
}

/// Tells who this is, why it started, and whether a game goes on.
fn greet(session: &mut BoardSession, cause: ResetCause, incident: Option<&Incident>) {
    let version = env!("CARGO_PKG_VERSION");
    session.announce(format_args!("Tavola {version} on {NAME} ({CHIP}), reset: {cause}"));
    if let Some(incident) = incident {
        session.announce(format_args!("before it: {incident}"));
    }
    if session.was_restored() {
        use engine::game::Game as _;
        if let Some((spec, ply)) = session.game().map(|game| (game.spec(), game.ply())) {
            session.announce(format_args!("the game goes on: {spec} after {ply} moves"));
        }
        session.resume(now_us());
    }
}

fn status(session: &BoardSession) -> Status {
    Status {
        engine: session.engine_side(),
        thinking: session.is_thinking(),
        revision: session.revision(),
        refused: session.was_refused(),
    }
}

/// The next frame of matrix and LED.
fn show(session: &BoardSession, ui: &mut Ui) {
    let now_ms = Instant::now().as_millis();
    ui.update(session.game(), &status(session), now_ms);
    matrix::show(&ui.frame(now_ms));
    led::set(ui.led(now_ms));
}

/// Does what only a board can.
fn obey(session: &mut BoardSession, name: &str, argument: &str, promptness: &Promptness) {
    match (name, argument) {
        ("SELFTEST", "") => session.reply(format_args!("SELFTEST {}", selftest::run())),
        ("STACK", "") => {
            session.reply(format_args!(
                "STACK used={} size={}",
                stack::high_water(),
                stack::size()
            ));
        }
        ("LINE", "") => session.reply(format_args!("LINE {}", uart::errors())),
        ("STOPS", "") => session.reply(format_args!("STOPS {promptness}")),
        #[cfg(feature = "fault-commands")]
        ("PANIC", "") => panic!("asked to"),
        #[cfg(feature = "fault-commands")]
        ("FAULT", "") => crate::fault::provoke(),
        #[cfg(feature = "fault-commands")]
        ("OVERFLOW", "") => session.reply(format_args!("{}", crate::fault::recurse(1))),
        #[cfg(feature = "fault-commands")]
        ("HANG", "search") => think::hang(),
        #[cfg(feature = "fault-commands")]
        ("HANG", "") => crate::fault::hang(),
        _ => session.reply(format_args!("ERROR {name}: no argument expected")),
    }
}
