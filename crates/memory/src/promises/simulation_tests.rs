//! Ten years of reminders: two processes, sleep, jumps of the clock, journeys, changes of the clocks and power failures.
//!
//! A model of the states of each promise checks every step: what is told was due and not told before, and what is not told
//! is still open.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use base::disk::{CrashDisk, MemoryDisk, Unsynced};
use base::{Disk, Origin, Timestamp, Tz};
use chrono::{NaiveDateTime, TimeDelta, Timelike as _};

use super::*;
use crate::Workspace;
use crate::workspace_kit::{ROOT, workspace, workspace_with};

/// Promises of a run, which `OPENCLAW_SIMULATED_PROMISES` raises: a hundred in one home by default, since each step reads the
/// whole page.
fn n_promises() -> usize {
    let wanted = std::env::var_os("OPENCLAW_SIMULATED_PROMISES");
    wanted
        .and_then(|it| it.to_str()?.parse().ok())
        .unwrap_or(100)
}

/// Promises of one home.
const OF_HOME: usize = 100;

const N_YEARS: i64 = 10;

/// A sequence of numbers that looks random and is the same in each run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: i64) -> i64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        i64::try_from(self.0 % n.unsigned_abs()).unwrap()
    }

    fn is_one_in(&mut self, n: i64) -> bool {
        self.below(n) == 0
    }
}

/// What the model knows of a promise.
#[derive(Debug, Clone, PartialEq)]
struct Known {
    /// The time at which it is open; `None` once it was told or ended.
    open: Option<NaiveDateTime>,
    is_daily: bool,
    told: Vec<NaiveDateTime>,
}

struct World {
    dice: Dice,
    disk: MemoryDisk,
    now: Timestamp,
    zones: [Tz; 4],
    zone: usize,
    known: BTreeMap<String, Known>,
    n_told: usize,
    n_unprinted: usize,
    n_failures: usize,
}

impl World {
    fn new(seed: u64) -> Self {
        let disk = MemoryDisk::new();
        disk.create_dir(Path::new(ROOT)).unwrap();
        let names = [
            "Europe/Berlin",
            "America/New_York",
            "Asia/Tokyo",
            "Australia/Sydney",
        ];
        Self {
            dice: Dice(seed),
            disk,
            now: "2026-01-01T00:00:00Z".parse().unwrap(),
            zones: names.map(|it| Tz::named(it).unwrap()),
            zone: 0,
            known: BTreeMap::new(),
            n_told: 0,
            n_unprinted: 0,
            n_failures: 0,
        }
    }

    fn zone(&self) -> Tz {
        self.zones[self.zone]
    }

    fn local(&self) -> NaiveDateTime {
        self.now.with_timezone(&self.zone()).naive_local()
    }

    /// A process that starts now.
    fn process(&self) -> Workspace {
        workspace(Arc::new(self.disk.clone()))
    }

    fn pass_time(&mut self) {
        let minutes = match self.dice.below(20) {
            0 => -self.dice.below(3 * 24 * 60),
            1 => self.dice.below(60 * 24 * 60),
            _ => self.dice.below(20 * 24 * 60),
        };
        self.now += TimeDelta::minutes(minutes);
        if self.dice.is_one_in(15) {
            self.zone = usize::try_from(self.dice.below(4)).unwrap();
        }
    }

    fn add(&mut self) {
        let local = self.local() + TimeDelta::minutes(1 + self.dice.below(120 * 24 * 60));
        let when = PromiseTime {
            day: local.date().into(),
            time: Some(local.time().with_second(0).unwrap()),
        };
        let is_daily = self.dice.is_one_in(20);
        let every = base::dates::Every::Day;
        let new = NewPromise {
            kind: PromiseKind::Reminder,
            occasion: Occasion::Time {
                when,
                repeats: is_daily.then_some(Repetition {
                    every,
                    time: when.time,
                }),
            },
            text: format!("number {}", self.known.len()),
            origin: Origin::Owner,
            evidence: Vec::new(),
            session: None,
        };
        let added = add_promise(&self.process(), new, self.now, self.zone()).unwrap();
        let known = Known {
            open: Some(when.local()),
            is_daily,
            told: Vec::new(),
        };
        assert_eq!(self.known.insert(added.promise.id, known), None);
    }

    /// The owner ends, moves or restores a promise.
    fn change(&mut self) {
        let open: Vec<String> = self
            .known
            .iter()
            .filter(|(_, own)| own.open.is_some())
            .map(|(id, _)| id.clone())
            .collect();
        let Some(id) = open
            .get(usize::try_from(self.dice.below(1 + i64::try_from(open.len()).unwrap())).unwrap())
        else {
            return;
        };
        let (process, at) = (self.process(), (self.now, self.zone()));
        let change = |change| change_promise(&process, (id, &change), at, &|_| true).unwrap();
        let known = self.known.get_mut(id).unwrap();
        match self.dice.below(3) {
            0 => {
                let later = self.now.with_timezone(&at.1).naive_local() + TimeDelta::days(2);
                let when = PromiseTime {
                    day: later.date().into(),
                    time: Some(later.time().with_second(0).unwrap()),
                };
                change(PromiseChange::Snooze(when));
                known.open = Some(when.local());
            }
            1 => {
                change(PromiseChange::Drop);
                known.open = None;
            }
            _ => {
                change(PromiseChange::Drop);
                undo_promise(&process, id, at, &|_| true).unwrap();
            }
        }
    }

    /// A process claims what is due; the power may fail meanwhile, and a telling may fail and be given back.
    fn claim(&mut self) {
        let at = (self.now, self.zone());
        let local = self.local();
        let is_failure = self.dice.is_one_in(6);
        let place = ["main", "serve"][usize::try_from(self.dice.below(2)).unwrap()];
        if !is_failure {
            let process = self.process();
            let told = if self.dice.is_one_in(5) {
                self.race(at)
            } else {
                claim_due(&process, at, place, &|_| true).unwrap()
            };
            // What was claimed is nobody else's, also before the page is written.
            assert_eq!(
                claim_due(&self.process(), at, "serve", &|_| true).unwrap(),
                []
            );
            // A process may be killed before it writes the page.
            if !self.dice.is_one_in(4) {
                settle(&process, at).unwrap();
            }
            let is_given_back = self.dice.is_one_in(8);
            for own in told {
                if is_given_back {
                    release_claim(&process, &own, at, place).unwrap();
                } else {
                    self.printed(&own, local);
                }
            }
            return;
        }
        self.n_failures += 1;
        let moments = self.dice.below(4_000).unsigned_abs();
        let failing = CrashDisk::new(&self.disk, moments);
        let process = workspace(Arc::new(failing.clone()));
        let told = claim_due(&process, at, place, &|_| true);
        let settled = settle(&process, at);
        drop(settled);
        let lost = if self.dice.is_one_in(2) {
            Unsynced::Lost
        } else {
            Unsynced::Kept
        };
        self.disk = failing.after_crash(lost);
        match told {
            Ok(told) => told.iter().for_each(|own| self.printed(own, local)),
            Err(_) => self.adopt(local),
        }
    }

    /// Two processes claim at once: each promise goes to one of them. One may find the page locked, and claims nothing.
    fn race(&self, at: (Timestamp, Tz)) -> Vec<ToldPromise> {
        let processes = [self.process(), self.process()];
        std::thread::scope(|scope| {
            let claims = processes.each_ref().map(|own| {
                scope.spawn(move || claim_due(own, at, "main", &|_| true).unwrap_or_default())
            });
            let claims = claims.into_iter();
            claims.flat_map(|own| own.join().unwrap()).collect()
        })
    }

    fn printed(&mut self, own: &ToldPromise, local: NaiveDateTime) {
        let known = self.known.get_mut(&own.promise.id).unwrap();
        let when = own.when.local();
        assert!(when <= local, "told early: {own:?}");
        assert_eq!(
            known.open,
            Some(when),
            "told again, or another time: {own:?}"
        );
        assert!(!known.told.contains(&when), "doubled: {own:?}");
        known.told.push(when);
        known.open = own.next.map(PromiseTime::local);
        assert_eq!(known.open.is_some(), known.is_daily);
        self.n_told += 1;
    }

    /// After a power failure within a claim: each promise is open as before, or told as it was due.
    fn adopt(&mut self, local: NaiveDateTime) {
        let found = self.found();
        for (id, known) in &mut self.known {
            let open = found.get(id).copied().flatten();
            if open == known.open {
                continue;
            }
            let was = known.open.expect("what was told is open again");
            assert!(was <= local, "told early");
            assert_eq!(open.is_some(), known.is_daily);
            known.told.push(was);
            known.open = open;
            self.n_unprinted += 1;
        }
    }

    fn found(&self) -> BTreeMap<String, Option<NaiveDateTime>> {
        let list = promises(&self.process(), self.now, self.zone()).unwrap();
        assert_eq!(list.unread, []);
        let all = list.promises.into_iter();
        all.map(|(own, open)| (own.id, open.map(PromiseTime::local)))
            .collect()
    }

    /// The page and the records say what the model says.
    fn check(&self) {
        let found = self.found();
        for (id, known) in &self.known {
            let open = found.get(id).copied().flatten();
            assert_eq!(open, known.open, "{id} {known:?}");
        }
    }
}

#[test]
fn no_reminder_of_ten_years_is_missed_or_doubled() {
    let (mut n_told, mut n_unprinted, mut n_failures) = (0, 0, 0);
    let n_homes = n_promises().div_ceil(OF_HOME);
    for seed in 1..=u64::try_from(n_homes).unwrap() {
        let mut world = World::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let end = world.now + TimeDelta::days(366 * N_YEARS);
        let mut n_added = 0;
        while world.now < end || n_added < OF_HOME {
            world.pass_time();
            if n_added < OF_HOME {
                world.add();
                n_added += 1;
            }
            if world.dice.is_one_in(3) {
                world.change();
            }
            world.claim();
            world.check();
        }
        // Whatever is still open comes up in the end.
        world.now += TimeDelta::days(366);
        world.zone = 0;
        let (at, local) = ((world.now, world.zone()), world.local());
        let told = claim_due(&world.process(), at, "main", &|_| true).unwrap();
        for own in &told {
            world.printed(own, local);
        }
        let left = world.known.values().filter(|own| own.open.is_some());
        assert!(left.clone().all(|own| own.is_daily), "missed");
        n_told += world.n_told;
        n_unprinted += world.n_unprinted;
        n_failures += world.n_failures;
    }
    println!(
        "told {n_told}, power failures {n_failures}, told by a record but not printed {n_unprinted}"
    );
    assert!(n_told > n_failures && n_failures > 0);
}

/// Found by the simulation: the clock was set back behind a time that was told, and the owner moved the reminder between
/// the two.
#[test]
fn time_of_the_owners_choice_between_told_times_is_told() {
    let page: &[u8] = b"## Reminders\n\n- 2026-11-09 22:39 one (every day at 22:39)\n";
    let workspace = workspace_with(&[("PROMISES.md", page)]);
    let at = |text: &str| (text.parse::<Timestamp>().unwrap(), Tz::UTC);
    let told = |now: &str| {
        let told = claim_due(&workspace, at(now), "main", &|_| true).unwrap();
        settle(&workspace, at(now)).unwrap();
        told.iter()
            .map(|own| own.when.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(told("2026-11-13T00:00:00Z"), ["2026-11-09 22:39"]);
    let now = at("2026-11-10T12:00:00Z");
    let id = promises(&workspace, now.0, now.1).unwrap().promises[0]
        .0
        .id
        .clone();
    let change = |change| {
        change_promise(&workspace, (&id, &change), now, &|_| true).unwrap();
    };
    let read = base::dates::time_ahead("2026-11-12 17:30", now.0.naive_utc());
    let when = Occasion::at(read.when.unwrap().unwrap()).when().unwrap();
    change(PromiseChange::Snooze(when));
    change(PromiseChange::Drop);
    undo_promise(&workspace, &id, now, &|_| true).unwrap();
    assert_eq!(told("2026-11-12T17:30:00Z"), ["2026-11-12 17:30"]);
    assert_eq!(told("2026-11-12T23:00:00Z"), Vec::<String>::new());
}
