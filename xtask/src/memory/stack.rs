//! The most stack that a firmware can need, from its call graph.
//!
//! Calls come from the machine code. Where code calls an address that it only knows when it runs,
//! the rules below say who can be meant; code that no rule knows is an error, and so is recursion
//! that no entry of [`Recursion`] bounds. So a new kind of call cannot go unnoticed.
//!
//! ```text
//!  thread mode     Reset, main, the search      recursion counted level by level
//!  + exception frame, tasks' interrupt          the deepest poll of a task
//!  + exception frame, other interrupts          one at a time: they have the same priority
//! ```
//!
//! Two cases are looked at, since the desk (game, player, table) is lent to one side at a time:
//! while thread mode thinks with it, no task can use it; while a task has it, thread mode waits.
//!
//! Panics are left out of this sum: they end in a reset. What they need more is told apart.

use std::collections::HashMap;

use super::image::{Function, Image};

/// A function that calls itself, directly or through others, and how deep at most.
pub struct Recursion {
    /// A part of its name.
    pub name: &'static str,
    /// How many of it are under way at a time.
    pub levels: u32,
}

/// Where calls to addresses go that are only known at run time.
struct Rule {
    /// A part of the caller's name.
    caller: &'static str,
    /// Parts of the names of those it can call: one of them.
    callees: &'static [&'static str],
}

const WRITERS: &[&str] = &["core::fmt::Write>::write_", "core::fmt::Write::write_"];
const PLAIN_WRITERS: &[&str] = &[
    "core::fmt::Write>::write_str",
    "core::fmt::Write>::write_char",
    "core::fmt::Write::write_char",
];
const WAKERS: &[&str] = &["embassy_executor::raw::waker::"];
const THINKING: &[&str] = &[
    "engine::search::report::Clock>::",
    "engine::search::report::Clock::found",
    "engine::search::solver::SolveVisitor<C>::ask::{{closure}}",
    "engine::search::deepening::search_to_depth::{{closure}}",
    "engine::search::deepening::SearchVisitor<C> as engine::game::GameVisitor>::visit::{{closure}}",
    "engine::players::tavola::Budget::prove::{{closure}}",
];
const COMMANDS: &[&str] =
    &["core::ops::function::FnOnce::call_once", "embassy_executor::raw::waker::"];

/// The first rule whose caller fits counts. Callees are only those whose addresses are used
/// anywhere in the firmware.
const RULES: &[Rule] = &[
    // The writer of the log, which waits or does not.
    Rule { caller: "defmt", callees: &["defmt_rtt::"] },
    // The arguments' own functions, and the writer.
    Rule {
        caller: "core::fmt::write",
        callees: &["::fmt", "core::fmt::Write>::write_", "core::fmt::Write::write_"],
    },
    // The writer of a formatter. Numbers and padding are written as they are.
    Rule { caller: "<core::fmt::Formatter>::", callees: PLAIN_WRITERS },
    Rule { caller: "core::fmt::Display>::fmt", callees: PLAIN_WRITERS },
    Rule { caller: "fmt", callees: WRITERS },
    // The observer of a solution.
    Rule {
        caller: "engine::search::solver::SolveVisitor<C>::ask::{{closure}}",
        callees: &["engine::players::tavola::Budget::prove::{{closure}}"],
    },
    Rule {
        caller: "core::ops::function::FnOnce::call_once{{vtable.shim}}",
        callees: &["engine::players::tavola::Budget::prove::{{closure}}"],
    },
    // The board's clock behind the one that a job sees.
    Rule {
        caller: "engine::session::desk::Steady as",
        callees: &[
            "tavola_firmware::think::SearchClock as",
            "engine::search::report::Clock::found",
        ],
    },
    // The journal in retained memory.
    Rule { caller: "engine::session::keep::", callees: &["engine::session::journal::Journal>::"] },
    // The kinds of INFO; the readers of commands.
    Rule {
        caller: "engine::protocol::command::parse_info",
        callees: &["engine::protocol::command::Info::"],
    },
    Rule { caller: "engine::protocol::", callees: COMMANDS },
    Rule { caller: "engine::session::desk::", callees: THINKING },
    Rule { caller: "engine::session::", callees: COMMANDS },
    // The parts of a blink pattern.
    Rule { caller: "engine::ui::blink::", callees: &["engine::ui::blink::"] },
    // How far each side of bricks can get.
    Rule {
        caller: "engine::game::bricks::account::",
        callees: &["engine::game::bricks::account::bounds::{{closure}}"],
    },
    // The clock, and observers of the search.
    Rule { caller: "engine::search::", callees: THINKING },
    Rule { caller: "engine::players::", callees: THINKING },
    Rule { caller: "engine::game::", callees: THINKING },
    // A task: wakers, and what the compiler made part of it.
    Rule { caller: "TaskStorage<F>::poll", callees: COMMANDS },
    Rule { caller: "core::cell::Cell<T>::set", callees: WAKERS },
    Rule { caller: "core::ptr::drop_in_place<", callees: WAKERS },
    Rule { caller: "core::task::wake::", callees: WAKERS },
    Rule { caller: "embassy_", callees: WAKERS },
    Rule { caller: "tavola_firmware::", callees: WAKERS },
];

/// What the interrupt of the tasks calls; the others call wakers.
const POLLS: &[&str] =
    &["embassy_executor::raw::TaskStorage<F>::poll", "embassy_executor::raw::poll_exited"];
/// Functions whose addresses are in tables, but which nobody calls from there: what is borrowed is
/// neither dropped nor used up.
const NEVER_CALLED: &[&str] =
    &["core::ptr::drop_in_place<", "core::ops::function::FnOnce::call_once{{vtable.shim}}"];
/// What needs the desk: the session's start, and the desk's own functions.
const WITH_DESK: &[&str] = &["tavola_firmware::serve::session", "engine::session::desk::Desk<"];
/// What thread mode does with the desk, and the tasks, which it only starts.
const THOUGHT: &[&str] = &["engine::", "embassy_executor::raw::TaskStorage<F>::poll"];
const TASKS: &[&str] = &["embassy_executor::raw::TaskStorage<F>::poll"];
/// Where panics and other ends begin: not followed.
const PANICS: &[&str] = &[
    "core::panicking::panic_fmt",
    "rust_begin_unwind",
    "_defmt_panic",
    "defmt::export::panic",
    "tavola_firmware::retained::record",
];

/// The most stack in one case, by what uses it.
#[derive(Clone, Debug, Default)]
pub struct Case {
    /// Thread mode.
    pub thread: u32,
    /// The tasks, with the frame of their interrupt.
    pub tasks: u32,
    /// The functions on the deepest way of both.
    pub ways: [Vec<Step>; 2],
}

/// A function on a way through the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its name.
    pub name: String,
    /// Its frame.
    pub frame: u32,
    /// How often it is on the way.
    pub times: u32,
}

/// The most stack.
#[derive(Clone, Debug, Default)]
pub struct Bound {
    /// While thread mode thinks.
    pub thinking: Case,
    /// While a task has the desk.
    pub talking: Case,
    /// The interrupts above them, with the frame.
    pub interrupts: u32,
    /// What a panic would need more.
    pub panic: u32,
}

impl Bound {
    /// The worse of both cases.
    pub fn total(&self) -> u32 {
        let of = |case: &Case| case.thread + case.tasks + self.interrupts;
        of(&self.thinking).max(of(&self.talking))
    }
}

/// How the firmware was made.
pub struct Make<'a> {
    /// The functions that call themselves.
    pub recursions: &'a [Recursion],
    /// The interrupt of the tasks.
    pub tasks: &'a str,
    /// What the processor stacks by itself at an interrupt.
    pub exception_frame: u32,
    /// The compiler calls through registers to save space.
    pub small_code: bool,
}

/// Works out the bound.
///
/// # Errors
/// A call or a recursion that is not known, by name.
pub fn bound(image: &Image<'_>, make: &Make<'_>) -> Result<Bound, String> {
    let mut graph = Graph::new(image, make)?;
    let start = image.address_of("Reset").ok_or("no function `Reset`")?;
    let tasks = image.address_of(make.tasks).ok_or("no interrupt of the tasks")?;
    let mut case = |without_thread: &[&str], without_tasks: &[&str]| {
        let (thread, thread_way) = graph.need_of(start, without_thread)?;
        let (tasks, task_way) = graph.need_of(tasks, without_tasks)?;
        let tasks = tasks + make.exception_frame;
        Ok::<_, String>(Case { thread, tasks, ways: [thread_way, task_way] })
    };
    let (thinking, talking) = (case(TASKS, WITH_DESK)?, case(THOUGHT, &[])?);
    let mut interrupts = 0;
    for handler in image.interrupts().into_iter().filter(|&handler| handler != tasks) {
        interrupts = interrupts.max(graph.need_of(handler, &[])?.0);
    }
    let interrupts = interrupts + make.exception_frame;
    Ok(Bound { thinking, talking, interrupts, panic: graph.panic_need()? })
}

/// A function in the graph.
struct Node {
    name: String,
    frame: u32,
    /// Whom it calls, by number, and whether its own frame is gone by then.
    edges: Vec<(usize, bool)>,
    /// The group of functions that can all reach each other.
    group: usize,
    /// Counts as a level of a recursion.
    counted: bool,
    /// Not part of the case that is looked at.
    left_out: bool,
}

/// A function, and the levels of its recursion that are left.
type Place = (usize, u32);

struct Graph {
    nodes: Vec<Node>,
    numbers: HashMap<u32, usize>,
    /// The levels that each group has, if it is a recursion.
    levels: HashMap<usize, u32>,
    /// The need of each place that was looked at, and where it goes on.
    known: HashMap<Place, (u32, Option<Place>)>,
    under_way: Vec<(usize, u32)>,
}

impl Graph {
    fn new(image: &Image<'_>, make: &Make<'_>) -> Result<Graph, String> {
        let Make { recursions, tasks, small_code, .. } = *make;
        let addresses: Vec<u32> = image.functions.keys().copied().collect();
        let numbers: HashMap<u32, usize> =
            addresses.iter().enumerate().map(|(number, &at)| (at, number)).collect();
        let handlers = image.interrupts();
        let pointed_at = image.pointed_at();
        let named = |parts: &[&str]| {
            let fits = |name: &str| parts.iter().any(|part| name.contains(part));
            let all = pointed_at.iter().filter(|at| fits(&image.functions[at].name));
            all.map(|at| numbers[at]).collect::<Vec<_>>()
        };
        let ruled = RULES.iter().flat_map(|rule| rule.callees).chain(POLLS);
        let known: Vec<&str> = ruled.chain(NEVER_CALLED).copied().collect();
        // Code that is to be small calls a function several times through a register.
        let calls_it = |by: &Function, at: u32| by.facts.indirect && by.facts.uses(at);
        for (at, name) in pointed_at.iter().map(|at| (*at, &image.functions[at].name)) {
            if small_code && image.functions.values().any(|by| calls_it(by, at)) {
                continue;
            }
            if !known.iter().any(|part| name.contains(part)) {
                return Err(format!("who calls `{name}` through a pointer? It needs a rule"));
            }
        }
        let is_panic = |name: &str| PANICS.iter().any(|panic| name.contains(panic));
        let mut nodes = Vec::new();
        for (at, function) in &image.functions {
            let (name, facts) = (&function.name, &function.facts);
            if facts.unbounded {
                return Err(format!("the frame of `{name}` has no fixed size"));
            }
            let mut edges = Vec::new();
            let direct = facts.calls.iter().map(|to| (to, false));
            for (to, gone) in direct.chain(facts.jumps.iter().map(|to| (to, true))) {
                // Jumps into the middle of a function: only assembly does that, without a frame.
                if let Some(&callee) = numbers.get(to) {
                    edges.push((callee, gone));
                }
            }
            if facts.indirect {
                let rule = RULES.iter().find(|rule| name.contains(rule.caller));
                if small_code {
                    let used = pointed_at.iter().filter(|&&at| facts.uses(at));
                    edges.extend(used.map(|at| (numbers[at], false)));
                }
                let callees = match rule {
                    _ if *name == tasks => POLLS,
                    Some(rule) => rule.callees,
                    None if handlers.contains(at) => WAKERS,
                    None if !edges.is_empty() && small_code => &[],
                    None => return Err(format!("whom does `{name}` call? It needs a rule")),
                };
                edges.extend(named(callees).into_iter().map(|callee| (callee, false)));
            }
            edges.retain(|&(callee, _)| !is_panic(&image.functions[&addresses[callee]].name));
            edges.sort_unstable();
            edges.dedup();
            let counted = recursions.iter().any(|recursion| name.contains(recursion.name));
            nodes.push(Node {
                name: name.clone(),
                frame: facts.frame,
                edges,
                group: 0,
                counted,
                left_out: false,
            });
        }
        let groups = groups(&nodes);
        for (node, group) in nodes.iter_mut().zip(groups) {
            node.group = group;
        }
        let mut levels = HashMap::new();
        for node in nodes.iter().filter(|node| node.counted) {
            let most = recursions.iter().filter(|r| node.name.contains(r.name)).map(|r| r.levels);
            let levels = levels.entry(node.group).or_insert(0);
            *levels = most.max().unwrap_or(0).max(*levels);
        }
        Ok(Graph { nodes, numbers, levels, known: HashMap::new(), under_way: Vec::new() })
    }

    /// What the function at an address and all below it need, without those with one of these
    /// parts in their names, and the deepest way.
    fn need_of(&mut self, at: u32, without: &[&str]) -> Result<(u32, Vec<Step>), String> {
        self.known.clear();
        for node in &mut self.nodes {
            node.left_out = without.iter().any(|part| node.name.contains(part));
        }
        let number = *self.numbers.get(&at).ok_or("no such function")?;
        let state = self.enter(None, number).ok_or("no level left")?;
        let need = self.need(state)?;
        let mut way: Vec<Step> = Vec::new();
        let mut next = Some(state);
        while let Some(state) = next {
            let node = &self.nodes[state.0];
            match way.iter_mut().find(|step| step.name == node.name && step.frame == node.frame) {
                Some(step) => step.times += 1,
                None => way.push(Step { name: node.name.clone(), frame: node.frame, times: 1 }),
            }
            next = self.known.get(&state).and_then(|(_, next)| *next);
        }
        Ok((need, way))
    }

    fn panic_need(&mut self) -> Result<u32, String> {
        let panics: Vec<u32> = self
            .numbers
            .iter()
            .filter(|&(_, &number)| {
                PANICS.iter().any(|panic| self.nodes[number].name.contains(panic))
            })
            .map(|(&at, _)| at)
            .collect();
        let mut most = 0;
        for at in panics {
            most = most.max(self.need_of(at, &[])?.0);
        }
        Ok(most)
    }

    /// The state in which a function is entered: its number and the levels left in its group.
    /// `None` if there are none left, or the function is left out.
    fn enter(&self, from: Option<(usize, u32)>, to: usize) -> Option<(usize, u32)> {
        let node = &self.nodes[to];
        if node.left_out {
            return None;
        }
        let left = match from {
            Some((caller, left)) if self.nodes[caller].group == node.group => left,
            _ => self.levels.get(&node.group).copied().unwrap_or(0),
        };
        Some((to, left.checked_sub(u32::from(node.counted))?))
    }

    fn need(&mut self, state: (usize, u32)) -> Result<u32, String> {
        if let Some(&(need, _)) = self.known.get(&state) {
            return Ok(need);
        }
        if let Some(start) = self.under_way.iter().position(|&other| other == state) {
            let names: Vec<_> =
                self.under_way[start..].iter().map(|(n, _)| &self.nodes[*n].name[..]).collect();
            return Err(format!("recursion without a known end: {}", names.join(" -> ")));
        }
        self.under_way.push(state);
        let frame = self.nodes[state.0].frame;
        let mut most = (frame, None);
        for (callee, gone) in self.nodes[state.0].edges.clone() {
            if let Some(next) = self.enter(Some(state), callee) {
                let below = self.need(next)?;
                let need = if gone { below } else { frame + below };
                if need > most.0 {
                    most = (need, Some(next));
                }
            }
        }
        self.under_way.pop();
        self.known.insert(state, most);
        Ok(most.0)
    }
}

/// The number of the group of each node: nodes that can reach each other are in the same one
/// (Tarjan's strongly connected components, without recursion).
fn groups(nodes: &[Node]) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let mut order = vec![NONE; nodes.len()];
    let mut low = vec![NONE; nodes.len()];
    let mut group = vec![NONE; nodes.len()];
    let (mut count, mut open, mut work) = (0, Vec::new(), Vec::new());
    for root in 0..nodes.len() {
        if order[root] == NONE {
            work.push((root, 0));
        }
        while let Some((node, edge)) = work.pop() {
            if edge == 0 {
                (order[node], low[node]) = (count, count);
                count += 1;
                open.push(node);
            }
            if let Some(&(next, _)) = nodes[node].edges.get(edge) {
                work.push((node, edge + 1));
                if order[next] == NONE {
                    work.push((next, 0));
                } else if group[next] == NONE {
                    low[node] = low[node].min(order[next]);
                }
                continue;
            }
            if low[node] == order[node] {
                while let Some(member) = open.pop() {
                    group[member] = node;
                    if member == node {
                        break;
                    }
                }
            }
            if let Some(&(parent, _)) = work.last() {
                low[parent] = low[parent].min(low[node]);
            }
        }
    }
    group
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(functions: &[(&str, u32, &[usize])], levels: &[(&str, u32)]) -> Graph {
        let mut nodes: Vec<Node> = functions
            .iter()
            .map(|&(name, frame, callees)| Node {
                name: name.into(),
                frame,
                edges: callees.iter().map(|&callee| (callee, false)).collect(),
                group: 0,
                counted: levels.iter().any(|(counted, _)| *counted == name),
                left_out: false,
            })
            .collect();
        let groups = groups(&nodes);
        for (node, group) in nodes.iter_mut().zip(groups) {
            node.group = group;
        }
        let of = |name: &str| nodes.iter().find(|node| node.name == name).map_or(0, |n| n.group);
        let levels = levels.iter().map(|&(name, levels)| (of(name), levels)).collect();
        let numbers = (0..nodes.len()).map(|number| (number as u32, number)).collect();
        Graph { nodes, numbers, levels, known: HashMap::new(), under_way: Vec::new() }
    }

    #[test]
    fn the_deepest_way_counts() {
        let mut graph =
            graph(&[("main", 8, &[1, 2]), ("a", 100, &[]), ("b", 40, &[3]), ("c", 64, &[])], &[]);
        let (need, way) = graph.need_of(0, &[]).expect("no recursion");
        assert_eq!(need, 8 + 40 + 64);
        assert_eq!(way.iter().map(|step| &step.name[..]).collect::<Vec<_>>(), ["main", "b", "c"]);
    }

    #[test]
    fn a_frame_that_is_gone_does_not_count() {
        let mut graph = graph(&[("main", 100, &[1]), ("a", 40, &[])], &[]);
        graph.nodes[0].edges[0].1 = true;
        assert_eq!(graph.need_of(0, &[]).expect("no recursion").0, 100);
    }

    #[test]
    fn recursion_counts_level_by_level() {
        let functions: &[(&str, u32, &[usize])] =
            &[("main", 8, &[1]), ("search", 100, &[2, 3]), ("try", 20, &[1]), ("leaf", 50, &[])];
        let mut bounded = graph(functions, &[("search", 3)]);
        // The deepest: two whole levels, the third with a leaf.
        assert_eq!(bounded.need_of(0, &[]).expect("bounded").0, 8 + 2 * 120 + 100 + 50);
        let error = graph(functions, &[]).need_of(0, &[]).expect_err("no bound");
        assert_eq!(error, "recursion without a known end: search -> try");
    }
}
