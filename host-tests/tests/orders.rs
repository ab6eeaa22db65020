//! Somebody at the board plays the same session as the program at the other end of the line.

use engine::session::{Order, PlayerName};
use engine::spec::GameSpec;
use host_tests::endpoint::SessionEndpoint;
use host_tests::scenario::{Endpoint, matches};

/// Sends a line and gives the one that comes back.
fn ask(endpoint: &mut SessionEndpoint, line: &str) -> String {
    tell(endpoint, line);
    endpoint.line().unwrap_or_else(|error| panic!("{line}: {error}"))
}

/// Sends a line that has no answer.
fn tell(endpoint: &mut SessionEndpoint, line: &str) {
    endpoint.send(format!("{line}\n").as_bytes()).expect("a session takes everything");
}

fn connect_four() -> GameSpec {
    "connect:6x7x4".parse().expect("a game")
}

fn column(text: &str) -> Order {
    Order::Play(connect_four().parse_move(text).expect("a column"))
}

fn new_game(engine_first: bool) -> Order {
    let player = PlayerName::try_from("tavola:level=1").expect("short");
    Order::New { spec: connect_four(), player, engine_first }
}

#[test]
fn moves_of_the_button_and_of_the_line_make_one_game() {
    let mut endpoint = SessionEndpoint::new();
    assert!(endpoint.order(&new_game(false)));
    let said = endpoint.line().expect("a message");
    assert_eq!(said, "MESSAGE the button begins connect:6x7x4 against tavola:level=1");
    assert!(endpoint.order(&column("3")));
    assert_eq!(endpoint.line().expect("a message"), "MESSAGE the button plays 3");
    let said = endpoint.line().expect("the answer");
    assert!(matches("MESSAGE I play {move}", &said), "{said}");
    let said = ask(&mut endpoint, "TURN 2");
    assert!(matches("{move}", &said), "{said}");
    let said = ask(&mut endpoint, "MOVES");
    assert!(matches("MOVES 3 {move} 2 {move}", &said), "{said}");
    assert!(endpoint.order(&Order::Undo));
    assert_eq!(endpoint.line().expect("a message"), "MESSAGE the button takes a turn back");
    let said = ask(&mut endpoint, "MOVES");
    assert!(matches("MOVES 3 {move}", &said), "{said}");
}

#[test]
fn the_engine_opens_if_it_is_asked_to() {
    let mut endpoint = SessionEndpoint::new();
    assert!(endpoint.order(&new_game(true)));
    assert!(endpoint.line().expect("a message").starts_with("MESSAGE the button begins"));
    let said = endpoint.line().expect("the opening");
    assert!(matches("MESSAGE I play {move}", &said), "{said}");
}

#[test]
fn an_impossible_order_is_told_and_changes_nothing() {
    let mut endpoint = SessionEndpoint::new();
    assert_eq!(ask(&mut endpoint, "NEW connect:6x7x4"), "OK");
    assert_eq!(ask(&mut endpoint, "MOVE 3 3 3 3 3 3"), "OK");
    assert!(endpoint.order(&column("3")));
    assert_eq!(endpoint.line().expect("a message"), "MESSAGE the button plays 3");
    assert_eq!(endpoint.line().expect("why not"), "MESSAGE 3: that place is taken");
    assert_eq!(ask(&mut endpoint, "MOVES"), "MOVES 3 3 3 3 3 3");
}

#[test]
fn a_button_stops_the_thinking_and_plays_only_after_it() {
    let mut endpoint = SessionEndpoint::new();
    assert_eq!(ask(&mut endpoint, "NEW connect:6x7x4"), "OK");
    tell(&mut endpoint, "INFO timeout_turn 600000");
    tell(&mut endpoint, "TURN 3");
    assert!(endpoint.order(&column("3")));
    assert_eq!(
        endpoint.line().expect("why not"),
        "MESSAGE busy: thinking; STOP, PING, NEW, RESTART and END are obeyed"
    );
    assert!(endpoint.order(&Order::Stop));
    // The answer is for the line that asked.
    let said = endpoint.line().expect("the answer");
    assert!(matches("{move}", &said), "{said}");
}

#[test]
fn stones_and_saved_games_on_their_way_give_way_to_the_button() {
    let mut endpoint = SessionEndpoint::new();
    assert_eq!(ask(&mut endpoint, "START 15"), "OK");
    tell(&mut endpoint, "INFO max_node 100");
    tell(&mut endpoint, "BOARD");
    tell(&mut endpoint, "7,7,2");
    let order = Order::Play(
        "mnk:15x15x5".parse::<GameSpec>().expect("a game").parse_move("1,1").expect("a move"),
    );
    assert!(endpoint.order(&order));
    assert_eq!(endpoint.line().expect("a message"), "MESSAGE the button plays 1,1");
    assert!(endpoint.line().expect("the answer").starts_with("MESSAGE I play"));
    assert_eq!(ask(&mut endpoint, "DONE"), "ERROR overtaken by a button: send it again");

    endpoint.send(b"LOAD 1 mnk:15x15x5 player=tavola engine=none ").expect("taken");
    assert!(endpoint.order(&Order::Undo));
    assert!(endpoint.line().expect("a message").starts_with("MESSAGE the button"));
    let said = ask(&mut endpoint, "clocks=0,0 moves=0 crc=00000000");
    assert_eq!(said, "ERROR LOAD: overtaken by a button: send it again");
}
