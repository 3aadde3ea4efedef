//! Histories of logs that nobody wrote, and what can go wrong in them. Everything follows from a seed.

use std::collections::BTreeMap;
use std::fmt::Write;

/// Numbers that look random and are the same each time (splitmix64).
pub struct Dice(u64);

impl Dice {
    /// Dice for a seed and a name.
    pub fn new(seed: u64, name: &str) -> Self {
        Dice(name.bytes().fold(seed, |sum, b| sum.wrapping_mul(31).wrapping_add(b.into())))
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % end.max(1) as u64) as usize
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.below(from.len())]
    }
}

/// A piece of a log: an entry with its name, or what stands between entries.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// What findings call it; empty between entries.
    pub name: String,
    /// Its text, the blank line behind it included.
    pub text: String,
}

impl Piece {
    fn is_entry(&self) -> bool {
        !self.name.is_empty()
    }
}

/// Where entries come from, and how they are kept.
pub trait Shape {
    /// The log's file.
    fn file(&self) -> &str;
    /// The archive's file; none when entries stay.
    fn archive(&self) -> Option<&str>;
    /// The rule that finds a fault; none where the fault is none.
    fn rule(&self, fault: Fault) -> Option<&'static str>;
    /// What stands above all entries; `now` changes.
    fn top(&self, now: usize) -> String;
    /// Whether the newest entry comes first.
    fn newest_first(&self) -> bool;
    /// The next entry, and what stands before it. None when there are no more.
    fn next(&mut self, dice: &mut Dice) -> Option<Vec<Piece>>;
    /// An entry that belongs nowhere.
    fn stranger(&self, dice: &mut Dice) -> Piece;
    /// Another text for an entry, by its kind of change.
    fn edited(&self, piece: &Piece, dice: &mut Dice) -> Piece;
    /// One entry with the text of another in it.
    fn spliced(&self, one: &Piece, other: &Piece) -> Piece;
    /// A message a legal step further; none where nothing goes further.
    fn further(&self, _piece: &Piece, _dice: &mut Dice) -> Option<Piece> {
        None
    }
    /// A message with a status that it cannot have got; none where there is none such.
    fn back(&self, _piece: &Piece, _dice: &mut Dice) -> Option<Piece> {
        None
    }
}

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    Drop,
    Edit,
    Insert,
    Reorder,
    ArchiveLoss,
    ArchiveEdit,
    MergeSplice,
    MergeDropSide,
    MergeDropOne,
    IllegalStatus,
    IdCollision,
}

pub const FAULTS: [Fault; 11] = [
    Fault::Drop,
    Fault::Edit,
    Fault::Insert,
    Fault::Reorder,
    Fault::ArchiveLoss,
    Fault::ArchiveEdit,
    Fault::MergeSplice,
    Fault::MergeDropSide,
    Fault::MergeDropOne,
    Fault::IllegalStatus,
    Fault::IdCollision,
];

/// What a commit does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Act {
    Append,
    Archive,
    Merge,
}

impl Fault {
    /// What it can go wrong in.
    fn act(self) -> Act {
        match self {
            Fault::Drop | Fault::Edit | Fault::Insert | Fault::Reorder | Fault::IllegalStatus => Act::Append,
            Fault::ArchiveLoss | Fault::ArchiveEdit => Act::Archive,
            Fault::MergeSplice | Fault::MergeDropSide | Fault::MergeDropOne | Fault::IdCollision => {
                Act::Merge
            }
        }
    }
}

/// A log and its archive, the oldest entry first.
#[derive(Clone, Default)]
struct Log {
    log: Vec<Piece>,
    archive: Vec<Piece>,
    now: usize,
}

impl Log {
    fn files(&self, shape: &dyn Shape) -> BTreeMap<String, String> {
        let text = |pieces: &[Piece], top: String| {
            let mut pieces: Vec<&str> = pieces.iter().map(|p| p.text.as_str()).collect();
            if shape.newest_first() {
                pieces.reverse();
            }
            top + &pieces.concat()
        };
        let mut files = BTreeMap::new();
        files.insert(shape.file().to_owned(), text(&self.log, shape.top(self.now)));
        if let Some(name) = shape.archive().filter(|_| !self.archive.is_empty()) {
            files.insert(name.to_owned(), text(&self.archive, "# Archive of the log\n\n".to_owned()));
        }
        files
    }

    fn entries(&self) -> Vec<usize> {
        (0..self.log.len()).filter(|&at| self.log[at].is_entry()).collect()
    }
}

struct Commit {
    parents: Vec<usize>,
    files: BTreeMap<String, String>,
}

/// A history, and what has to be found in it: rule and name.
pub struct Story {
    commits: Vec<Commit>,
    /// What has to be found, sorted.
    pub expected: Vec<(String, String)>,
    /// What was done, for the eyes.
    pub plot: String,
}

impl Story {
    /// Tells a story in which at most one thing goes wrong. None when the shape has no room for it.
    pub fn tell(
        shape: &mut dyn Shape,
        length: usize,
        fault: Option<Fault>,
        dice: &mut Dice,
    ) -> Option<Story> {
        if fault.is_some_and(|f| shape.rule(f).is_none())
            || shape.archive().is_none() && fault.map(Fault::act) == Some(Act::Archive)
        {
            return None;
        }
        let mut teller = Teller {
            story: Story { commits: Vec::new(), expected: Vec::new(), plot: String::new() },
            state: Log::default(),
            shape,
        };
        for _ in 0..6 {
            teller.append(dice);
        }
        teller.commit(Vec::new());
        let wrong = 1 + dice.below(length - 1);
        for at in 0..length {
            let fault = fault.filter(|_| at == wrong);
            let act = match (fault, dice.below(5)) {
                (Some(fault), _) => fault.act(),
                (None, 0) => Act::Archive,
                (None, 1) => Act::Merge,
                (None, _) => Act::Append,
            };
            teller.state.now = at;
            write!(teller.story.plot, "{} {act:?} {fault:?}; ", teller.story.commits.len()).unwrap();
            match act {
                Act::Merge => teller.merge(fault, dice)?,
                Act::Archive if teller.shape.archive().is_some() => teller.archive(fault, dice)?,
                _ => teller.plain(fault, dice)?,
            }
        }
        teller.story.expected.sort();
        Some(teller.story)
    }

    /// The history for `git fast-import`, on a branch.
    pub fn stream(&self, branch: &str) -> String {
        let mut out = String::new();
        for (at, commit) in self.commits.iter().enumerate() {
            let (mark, day) = (at + 1, 1_772_366_400 + at * 3600);
            let who = format!("agent-a <agent-a@example.org> {day} +0000");
            write!(out, "commit refs/heads/{branch}\nmark :{mark}\nauthor {who}\ncommitter {who}\n").unwrap();
            write!(out, "data <<END\ncommit {at}\nEND\n").unwrap();
            for (which, parent) in commit.parents.iter().enumerate() {
                let word = if which == 0 { "from" } else { "merge" };
                writeln!(out, "{word} :{}", parent + 1).unwrap();
            }
            out.push_str("deleteall\n");
            for (path, text) in &commit.files {
                write!(out, "M 100644 inline {path}\ndata {}\n{text}\n", text.len()).unwrap();
            }
        }
        out
    }
}

struct Teller<'s> {
    story: Story,
    state: Log,
    shape: &'s mut dyn Shape,
}

impl Teller<'_> {
    fn append(&mut self, dice: &mut Dice) {
        self.state.log.extend(self.shape.next(dice).into_iter().flatten());
    }

    fn commit(&mut self, parents: Vec<usize>) -> usize {
        let files = self.state.files(self.shape);
        self.story.commits.push(Commit { parents, files });
        self.story.commits.len() - 1
    }

    fn last(&self) -> usize {
        self.story.commits.len() - 1
    }

    fn expect(&mut self, fault: Option<Fault>, piece: &Piece) {
        let rule = fault.and_then(|f| self.shape.rule(f)).unwrap();
        self.story.expected.push((rule.to_owned(), piece.name.clone()));
    }

    /// Takes a message a step further, now and then.
    fn go_on(&mut self, dice: &mut Dice) {
        let old = self.state.entries();
        if dice.one_in(2) {
            let at = *dice.pick(&old);
            // Of two messages with one id, nobody knows who goes on with which.
            let is_one = |p: &Piece| self.story.expected.iter().all(|(_, name)| *name != p.name);
            let further = self.shape.further(&self.state.log[at], dice);
            if let Some(further) = further.filter(is_one) {
                self.state.log[at] = further;
            }
        }
    }

    /// A commit that appends, or only changes what stands above the entries, and what goes wrong in it.
    fn plain(&mut self, fault: Option<Fault>, dice: &mut Dice) -> Option<()> {
        let old = self.state.entries();
        if !dice.one_in(3) {
            for _ in 0..=dice.below(2) {
                self.append(dice);
            }
        }
        if fault.is_none() {
            self.go_on(dice);
        }
        match fault {
            Some(Fault::IllegalStatus) => {
                let back = |at: &usize| Some((*at, self.shape.back(&self.state.log[*at], dice)?));
                let able: Vec<(usize, Piece)> = old.iter().filter_map(back).collect();
                let (at, piece) = able.get(dice.below(able.len()))?.clone();
                self.expect(fault, &piece);
                self.state.log[at] = piece;
            }
            Some(Fault::Insert) => {
                let at = old[1 + dice.below(old.len() - 1)];
                let piece = self.shape.stranger(dice);
                self.expect(fault, &piece);
                self.state.log.insert(at, piece);
            }
            Some(Fault::Reorder) => {
                let from = dice.below(old.len());
                let far: Vec<usize> = (0..old.len()).filter(|to| to.abs_diff(from) > 1).collect();
                if far.is_empty() {
                    return None;
                }
                let (from, to) = (old[from], old[*dice.pick(&far)]);
                let piece = self.state.log.remove(from);
                self.expect(fault, &piece);
                self.state.log.insert(to, piece);
            }
            Some(Fault::Drop | Fault::Edit) => {
                // What is in the archive is as safe as what is in the log.
                let archived = self.state.archive.len() > 1 && dice.one_in(3);
                let at = if archived { dice.below(self.state.archive.len()) } else { *dice.pick(&old) };
                let mut pieces =
                    std::mem::take(if archived { &mut self.state.archive } else { &mut self.state.log });
                if fault == Some(Fault::Drop) {
                    self.expect(fault, &pieces.remove(at));
                } else {
                    let edited = self.shape.edited(&pieces[at], dice);
                    self.expect(fault, &pieces[at]);
                    pieces[at] = edited;
                }
                *(if archived { &mut self.state.archive } else { &mut self.state.log }) = pieces;
            }
            _ => {}
        }
        let parent = self.last();
        self.commit(vec![parent]);
        Some(())
    }

    fn archive(&mut self, fault: Option<Fault>, dice: &mut Dice) -> Option<()> {
        let old = self.state.entries();
        if old.len() < 5 {
            return if fault.is_some() { None } else { self.plain(None, dice) };
        }
        let count = 1 + dice.below(old.len() - 4);
        let wrong = dice.below(count);
        let leaving: Vec<Piece> = old[..count].iter().map(|&at| self.state.log[at].clone()).collect();
        self.state.log.retain(|p| !leaving.contains(p));
        for (at, piece) in leaving.into_iter().enumerate() {
            match fault.filter(|_| at == wrong) {
                Some(Fault::ArchiveLoss) => self.expect(fault, &piece),
                Some(_) => {
                    self.expect(fault, &piece);
                    let edited = self.shape.edited(&piece, dice);
                    self.state.archive.push(edited);
                }
                None => self.state.archive.push(piece),
            }
        }
        let parent = self.last();
        self.commit(vec![parent]);
        Some(())
    }

    /// Two sides that append, one of which may archive, and the merge of both.
    fn merge(&mut self, fault: Option<Fault>, dice: &mut Dice) -> Option<()> {
        let fork = self.last();
        let base = self.state.clone();
        let mut tips = Vec::new();
        let mut sides = Vec::new();
        let archives = self.shape.archive().is_some() && fault.is_none() && dice.one_in(3);
        let (mut archived, mut went_on) = (Vec::new(), Vec::new());
        for side in 0..2 {
            self.state = base.clone();
            if side == 0 && fault.is_none() {
                self.go_on(dice);
                went_on = self.state.log.clone();
            }
            for _ in 0..=dice.below(2) {
                self.append(dice);
            }
            if let (1, Some(Fault::IdCollision)) = (side, fault) {
                self.collide(&sides, base.log.len())?;
            }
            sides.push(self.state.log[base.log.len()..].to_vec());
            if side == 1 && archives && self.state.entries().len() > 4 {
                let first = self.state.entries()[0];
                let piece = self.state.log.remove(first);
                self.state.archive.push(piece.clone());
                archived.push(piece);
            }
            tips.push(self.commit(vec![fork]));
        }
        if fault.is_some() && sides.iter().any(|s| !s.iter().any(Piece::is_entry)) {
            return None;
        }
        let old = base.entries();
        self.state = base;
        match fault {
            Some(Fault::MergeDropSide) => {
                let side = std::mem::take(&mut sides[dice.below(2)]);
                for piece in side.iter().filter(|p| p.is_entry()) {
                    self.expect(fault, piece);
                }
            }
            Some(Fault::MergeDropOne) => {
                let piece = self.state.log.remove(*dice.pick(&old));
                self.expect(fault, &piece);
            }
            Some(Fault::MergeSplice) => {
                let one = sides[0].iter().rposition(Piece::is_entry)?;
                let other = sides[1].iter().position(Piece::is_entry)?;
                let spliced = self.shape.spliced(&sides[0][one], &sides[1][other]);
                let piece = std::mem::replace(&mut sides[0][one], spliced);
                self.expect(fault, &piece);
            }
            _ => {}
        }
        if !went_on.is_empty() {
            self.state.log = went_on;
        }
        if fault == Some(Fault::IdCollision) {
            let one = sides[0].iter().find(|p| p.is_entry())?.clone();
            self.expect(fault, &one);
            // Whether both are kept, or which, makes no difference.
            if let side @ 0..2 = dice.below(3) {
                sides[side].retain(|p| p.name != one.name);
            }
        }
        for piece in &archived {
            // The other side may have taken it further.
            let same = self.state.log.iter().position(|p| p == piece);
            let at = same.or_else(|| self.state.log.iter().position(|p| p.name == piece.name))?;
            self.state.log.remove(at);
        }
        self.state.archive.extend(archived);
        self.state.log.extend(sides.concat());
        self.commit(tips);
        Some(())
    }

    /// Gives the first message of the second side the id of the first one's.
    fn collide(&mut self, sides: &[Vec<Piece>], from: usize) -> Option<()> {
        let taken = sides.first()?.iter().find(|p| p.is_entry())?.name.clone();
        let own = self.state.log[from..].iter_mut().find(|p| p.is_entry())?;
        own.text = own.text.replacen(&own.name, &taken, 1);
        own.name = taken;
        Some(())
    }
}
