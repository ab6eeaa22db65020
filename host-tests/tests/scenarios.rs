//! The scenario files and the transcripts of docs/protocol.md, held with a session.

use engine::protocol::command::COMMANDS;
use host_tests::endpoint::SessionEndpoint;
use host_tests::scenario::Scenario;

#[test]
fn every_scenario_goes_as_written() {
    let scenarios = Scenario::all();
    let mut wrong = Vec::new();
    for scenario in &scenarios {
        if let Err(error) = scenario.run(&mut SessionEndpoint::new()) {
            wrong.push(error.to_string());
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(scenarios.len() > COMMANDS.len(), "only {} scenarios", scenarios.len());
}

#[test]
fn every_command_has_a_scenario_and_is_documented() {
    let scenarios = Scenario::all();
    let text = include_str!("../../docs/protocol.md");
    for command in COMMANDS {
        let sent = scenarios.iter().any(|scenario| {
            scenario.sent().any(|line| {
                let word = line.split(|byte| b" \r\n*".contains(byte)).next().unwrap_or_default();
                word.eq_ignore_ascii_case(command.name.as_bytes())
            })
        });
        assert!(sent, "no scenario sends {}", command.name);
        let documented = text.contains(&format!("`{}", command.name));
        assert!(documented, "{} is not in docs/protocol.md", command.name);
    }
}
