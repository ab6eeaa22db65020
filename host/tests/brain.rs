//! `pbrain-tavola` under a manager of another make: games against itself through pipes.
//!
//! The manager here shares no code with the program. It reads strictly: `ABOUT` comes first and is
//! one line of the known form, `START` is answered with exactly `OK`, a move is two numbers and
//! one comma, nothing is an `ERROR` or `UNKNOWN`, and after `END` nothing comes and the process
//! ends. It writes CRLF, as managers do, opens with three random stones by `BOARD`, and decides
//! itself who has five in a row.
//!
//! # Time
//! A move has [`TURN`]. An answer is a time-out if it comes later than that, 5 % and 100 ms: the
//! extra is for the machine, which may give the processor to somebody else just when the answer is
//! due. It is the tolerance of `tavola arena` (see `host::move_limit`).
//!
//! On a machine that is busy with other things even that is not enough: a thread that only reads
//! the clock then sees gaps of 200 ms and more. So the time for which the program and this manager
//! were ready to run and had no processor is not counted. Linux tells it for every thread;
//! elsewhere nothing is taken off. On an idle machine it is next to nothing.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// Time per move.
const TURN: Duration = Duration::from_millis(100);
/// When an answer is too late.
const LATEST: Duration = Duration::from_millis(205);
/// When to stop waiting for anything.
const GIVE_UP: Duration = Duration::from_secs(20);
/// Games are ended after so many plies and count as undecided: the talk is what matters here.
const PLIES: usize = 24;
/// Games that run at the same time, each with two processes of which one thinks.
const LANES: u64 = 4;
/// Games in all.
const GAMES: u64 = 100;

/// Numbers that look random: xorshift.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % bound
    }
}

/// A running program.
struct Brain {
    child: Child,
    input: ChildStdin,
    lines: Receiver<(Instant, String)>,
    /// Lines carry a checksum.
    checked: bool,
}

/// How long the threads of a process have waited for a processor since their start; 0 where the
/// system does not tell.
fn waited(process: &str) -> Duration {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{process}/task")) else {
        return Duration::ZERO;
    };
    let waited = |entry: std::fs::DirEntry| {
        let text = std::fs::read_to_string(entry.path().join("schedstat")).ok()?;
        text.split_whitespace().nth(1)?.parse::<u64>().ok()
    };
    Duration::from_nanos(threads.filter_map(Result::ok).filter_map(waited).sum())
}

fn sum_of(text: &str) -> u8 {
    text.bytes().fold(0, |sum, byte| sum ^ byte)
}

impl Brain {
    fn start(checked: bool) -> Brain {
        let mut child = Command::new(env!("CARGO_BIN_EXE_pbrain-tavola"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("pbrain-tavola starts");
        let input = child.stdin.take().expect("a pipe");
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (send, lines) = mpsc::channel();
        thread::spawn(move || {
            let mut line = Vec::new();
            while matches!(output.read_until(b'\n', &mut line), Ok(count) if count > 0) {
                let moment = Instant::now();
                let text = String::from_utf8(std::mem::take(&mut line)).expect("text");
                let text = text.strip_suffix('\n').expect("a whole line");
                if send.send((moment, text.strip_suffix('\r').unwrap_or(text).into())).is_err() {
                    return;
                }
            }
        });
        let mut brain = Brain { child, input, lines, checked };
        brain.send("ABOUT");
        let about = brain.answer().1;
        check_about(&about);
        brain
    }

    fn send(&mut self, line: &str) {
        let line = if self.checked {
            format!("{line}*{:02x}\r\n", sum_of(line))
        } else {
            format!("{line}\r\n")
        };
        self.input.write_all(line.as_bytes()).expect("the program reads");
        self.input.flush().expect("the program reads");
    }

    /// The next line within a time, without its checksum. Text for people is skipped.
    fn answer_within(&mut self, wait: Duration) -> Option<(Instant, String)> {
        let until = Instant::now() + wait;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let (moment, line) = match self.lines.recv_timeout(left) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => return None,
                Err(RecvTimeoutError::Disconnected) => panic!("the program has ended"),
            };
            let text = match line.split_once('*') {
                Some((text, sum)) if self.checked => {
                    assert_eq!(sum, format!("{:02X}", sum_of(text)), "{line}");
                    text
                }
                None if !self.checked => line.as_str(),
                _ => panic!("checksum: {line}"),
            };
            if !text.starts_with("MESSAGE ") && !text.starts_with("DEBUG ") {
                return Some((moment, text.to_string()));
            }
        }
    }

    fn answer(&mut self) -> (Instant, String) {
        self.answer_within(GIVE_UP).expect("an answer")
    }

    fn expect_ok(&mut self, line: &str) {
        self.send(line);
        assert_eq!(self.answer().1, "OK", "{line}");
    }

    /// How long the program and this manager have waited for a processor.
    fn waited(&self) -> Duration {
        waited(&self.child.id().to_string()) + waited("self")
    }

    /// What a manager says before every game.
    fn tell_settings(&mut self, rule: u8) {
        for line in [
            "INFO timeout_turn 100",
            "INFO timeout_match 100000",
            "INFO max_memory 20971520",
            "INFO game_type 1",
            "INFO folder C:\\Documents\\piskvork",
        ] {
            self.send(line);
        }
        self.send(&format!("INFO rule {rule}"));
    }

    /// Sends lines that ask for a move and reads it in time. Maybe it is asked to hurry.
    fn ask_move(&mut self, lines: &[String], hurry: Option<Duration>) -> (usize, usize) {
        self.send("INFO time_left 100000");
        let (last, before) = lines.split_last().expect("a line");
        before.iter().for_each(|line| self.send(line));
        let waited_before = self.waited();
        let asked = Instant::now();
        self.send(last);
        let early = hurry.and_then(|wait| {
            let early = self.answer_within(wait);
            if early.is_none() {
                self.send("YXSTOP");
            }
            early
        });
        let (moment, text) = early.unwrap_or_else(|| self.answer());
        let waited = self.waited().saturating_sub(waited_before);
        let took = moment.saturating_duration_since(asked);
        if took > LATEST + waited {
            // What the program itself knows of being late tells it from the machine.
            self.send("STATS");
            panic!(
                "time-out: {text} after {took:?}, {waited:?} of it waiting; {}",
                self.answer().1
            );
        }
        read_move(&text).unwrap_or_else(|| panic!("not a move: {text:?}"))
    }

    /// `END`: nothing more is said, and the process ends.
    fn end(mut self) {
        self.send("END");
        let until = Instant::now() + GIVE_UP;
        let status = loop {
            match self.child.try_wait().expect("a process") {
                Some(status) => break status,
                None => assert!(Instant::now() < until, "END is not obeyed"),
            }
            thread::sleep(Duration::from_millis(2));
        };
        assert!(status.success(), "{status}");
        let rest: Vec<_> = self.lines.iter().map(|(_, line)| line).collect();
        assert!(rest.iter().all(|line| line.starts_with("MESSAGE ")), "{rest:?}");
    }
}

/// One line of `key="value"` pairs with the four keys that managers know.
fn check_about(line: &str) {
    let pairs: Vec<(&str, &str)> = line
        .split(", ")
        .map(|pair| {
            let (key, value) = pair.split_once('=').expect(line);
            let value = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
            (key, value.expect(line))
        })
        .collect();
    let keys: Vec<&str> = pairs.iter().map(|&(key, _)| key).collect();
    assert_eq!(keys, ["name", "version", "author", "country"], "{line}");
    assert!(pairs.iter().all(|(_, value)| !value.is_empty() && !value.contains('"')), "{line}");
}

/// Two numbers in digits and one comma; nothing else.
fn read_move(text: &str) -> Option<(usize, usize)> {
    let (x, y) = text.split_once(',')?;
    let number = |part: &str| {
        let plain = part.bytes().all(|byte| byte.is_ascii_digit()) && (1..=2).contains(&part.len());
        plain.then(|| part.parse().ok())?
    };
    Some((number(x)?, number(y)?))
}

/// Stones on a board. 0 and 1 are the players.
struct Referee {
    width: usize,
    height: usize,
    /// A line of more than five does not win.
    exact: bool,
    cells: Vec<Option<usize>>,
    /// In the order in which they were put.
    stones: Vec<(usize, usize, usize)>,
}

impl Referee {
    fn new(width: usize, height: usize, exact: bool) -> Referee {
        Referee { width, height, exact, cells: vec![None; width * height], stones: Vec::new() }
    }

    fn owner(&self, x: isize, y: isize) -> Option<usize> {
        let (x, y) = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
        if x < self.width && y < self.height { self.cells[y * self.width + x] } else { None }
    }

    /// Puts a stone; says whether it wins.
    fn put(&mut self, (x, y): (usize, usize), player: usize) -> bool {
        assert!(x < self.width && y < self.height, "{x},{y} is outside the board");
        assert_eq!(self.cells[y * self.width + x], None, "{x},{y} is taken");
        self.cells[y * self.width + x] = Some(player);
        self.stones.push((x, y, player));
        let run = |dx: isize, dy: isize| {
            let ours =
                |n: &isize| self.owner(x as isize + n * dx, y as isize + n * dy) == Some(player);
            (1..).take_while(ours).count()
        };
        [(1, 0), (0, 1), (1, 1), (1, -1)].iter().any(|&(dx, dy)| {
            let length = 1 + run(dx, dy) + run(-dx, -dy);
            if self.exact { length == 5 } else { length >= 5 }
        })
    }

    /// The position as one player is told it.
    fn board_for(&self, player: usize) -> Vec<String> {
        let stone = |&(x, y, owner): &(usize, usize, usize)| {
            format!("{x},{y},{}", if owner == player { 1 } else { 2 })
        };
        let mut lines = vec!["BOARD".to_string()];
        lines.extend(self.stones.iter().map(stone));
        lines.push("DONE".to_string());
        lines
    }
}

/// One game, from the opening on.
fn play(brains: &mut [Brain; 2], referee: &mut Referee, numbers: &mut Numbers) {
    for n in 0..3 {
        loop {
            // Near the middle, not on another stone.
            let x = referee.width / 2 + numbers.below(7) - 3;
            let y = referee.height / 2 + numbers.below(7) - 3;
            if referee.owner(x as isize, y as isize).is_none() {
                referee.put((x, y), n % 2);
                break;
            }
        }
    }
    let mut told = [false; 2];
    for ply in 3..PLIES {
        let player = ply % 2;
        let lines = if told[player] {
            let (x, y, _) = referee.stones[ply - 1];
            vec![format!("TURN {x},{y}")]
        } else {
            told[player] = true;
            referee.board_for(player)
        };
        let hurry = (numbers.below(4) == 0)
            .then(|| Duration::from_millis(numbers.below(TURN.as_millis() as usize / 2) as u64));
        let mv = brains[player].ask_move(&lines, hurry);
        if referee.put(mv, player) {
            return;
        }
    }
}

/// Some games of two processes, one after the other.
fn play_games(seed: u64, games: u64, checked: bool) {
    let mut numbers = Numbers(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut brains = [Brain::start(checked), Brain::start(checked)];
    let boards = [(15, 15), (20, 20), (20, 15)];
    let mut last = None;
    for game in 0..games {
        // Each board for a third of the games.
        let (width, height) = boards[(game * 3 / games) as usize];
        let rule = u8::from(game % 5 == 4);
        for brain in &mut brains {
            if last == Some((width, height)) {
                brain.expect_ok("RESTART");
            } else if width == height {
                brain.expect_ok(&format!("START {width}"));
            } else {
                brain.expect_ok(&format!("RECTSTART {width},{height}"));
            }
            brain.tell_settings(rule);
        }
        last = Some((width, height));
        play(&mut brains, &mut Referee::new(width, height, rule == 1), &mut numbers);
    }
    brains.into_iter().for_each(Brain::end);
}

#[test]
fn a_hundred_games_without_an_error_or_a_time_out() {
    thread::scope(|scope| {
        for lane in 0..LANES {
            scope.spawn(move || play_games(lane + 1, GAMES / LANES, false));
        }
    });
    // After the others, so that no more than so many run at a time.
    play_games(99, 3, true);
}

#[test]
fn end_is_obeyed_while_thinking() {
    let mut brain = Brain::start(false);
    brain.expect_ok("START 15");
    brain.send("INFO timeout_turn 600000");
    brain.send("BEGIN");
    let start = Instant::now();
    brain.end();
    assert!(start.elapsed() < GIVE_UP);
}

#[test]
fn what_comes_with_a_command_that_calls_thinking_off_is_read_too() {
    let mut brain = Brain::start(false);
    brain.expect_ok("START 15");
    brain.send("INFO timeout_turn 600000");
    brain.send("BEGIN");
    // Thinking by now, or soon.
    assert_eq!(brain.answer_within(Duration::from_millis(50)), None);
    // In one write: the second line is there before the first is obeyed.
    brain.send("RESTART\r\nPING");
    assert_eq!(brain.answer().1, "OK");
    assert_eq!(
        brain.answer_within(Duration::from_secs(5)).map(|line| line.1).as_deref(),
        Some("PONG")
    );
    brain.end();
}
