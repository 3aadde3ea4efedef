//! All envelopes of a run with what links them, and what of them is asked for.

use super::{Ids, Trace, tree};
use crate::squad::Envelope;
use crate::squad::chain::{Chain, ChainFault, faults};
use std::collections::HashMap;
use uuid::Uuid;

/// How many ids are suggested.
const SUGGESTED: usize = 3;

/// All envelopes of a run, the earliest first.
#[derive(Debug)]
pub struct Story<'a> {
    pub(super) envelopes: Vec<&'a Envelope>,
    /// Whether each was asked for, and is not only there to be referred to.
    asked: Vec<bool>,
    pub(super) chain: Chain,
    pub(super) faults: Vec<ChainFault>,
    pub(super) ids: Ids,
}

/// What of a story is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selection {
    /// Everything.
    All,
    /// An envelope and what follows from it.
    From(Uuid),
    /// An envelope and what it follows from.
    Why(Uuid),
}

/// Why a text names no envelope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unknown {
    /// Several ids begin like it.
    Ambiguous(Vec<Uuid>),
    /// No id begins like it; these may be meant.
    NotThere(Vec<Uuid>),
}

impl<'a> Story<'a> {
    /// Links envelopes, in whatever order they come. Of `others`, those are shown that the first ones follow from.
    pub fn of(
        envelopes: impl IntoIterator<Item = &'a Envelope>,
        others: impl IntoIterator<Item = &'a Envelope>,
    ) -> Story<'a> {
        let asked = envelopes.into_iter().map(|envelope| (envelope, true));
        let mut all: Vec<(&Envelope, bool)> =
            asked.chain(others.into_iter().map(|envelope| (envelope, false))).collect();
        // What has no time comes last: nothing can be said of what it comes before.
        let order = |e: &Envelope| e.moment().map_or(i128::MAX, |moment| moment.order());
        let place = |e: &'a Envelope| (&e.source.path, e.source.span.start);
        all.sort_by(|(a, _), (b, _)| (order(a), a.id, place(a)).cmp(&(order(b), b.id, place(b))));
        let (envelopes, asked): (Vec<&Envelope>, Vec<bool>) = all.into_iter().unzip();
        let chain = Chain::of(&envelopes);
        let faults = faults(&envelopes);
        let ids = Ids::of(envelopes.iter().flat_map(|e| [e.id, e.parent, e.payload]).flatten());
        Story { envelopes, asked, chain, faults, ids }
    }

    /// The id that a text is, or begins.
    ///
    /// # Errors
    /// When it is none or may be several.
    pub fn find(&self, text: &str) -> Result<Uuid, Unknown> {
        match self.ids.starting(text).as_slice() {
            [id] => Ok(*id),
            [] => Err(Unknown::NotThere(self.near(text))),
            several => Err(Unknown::Ambiguous(several.to_vec())),
        }
    }

    /// The ids that are like a text, else of those that are about it.
    fn near(&self, text: &str) -> Vec<Uuid> {
        let near = self.ids.near(text);
        let text = text.trim().to_lowercase();
        if !near.is_empty() || text.is_empty() {
            return near;
        }
        let about = |e: &&&Envelope| e.subject().to_lowercase().contains(&text);
        self.envelopes.iter().filter(about).filter_map(|e| e.id).take(SUGGESTED).collect()
    }

    /// The shortest text that [`Story::find`] finds an id by.
    pub fn short(&self, id: Uuid) -> String {
        self.ids.short(id)
    }

    /// What an envelope is about; empty when no envelope has the id.
    pub fn subject(&self, id: Uuid) -> &'a str {
        self.chain.find(id).map_or("", |at| self.envelopes[at].subject())
    }

    /// Shows what is asked for.
    pub fn trace(&self, selection: Selection) -> Trace<'a> {
        tree::grow(self, selection)
    }

    /// Which envelopes a selection shows; of copies, the first.
    pub(super) fn shown(&self, selection: Selection) -> Vec<bool> {
        let down = matches!(selection, Selection::From(_));
        let followers = if down { self.followers() } else { HashMap::new() };
        let mut open: Vec<usize> = match selection {
            Selection::All => {
                self.asked.iter().enumerate().filter(|(_, a)| **a).map(|(at, _)| self.first(at)).collect()
            }
            Selection::From(id) | Selection::Why(id) => match self.chain.find(id) {
                Some(at) => vec![at],
                None => followers.get(&id).cloned().unwrap_or_default(),
            },
        };
        let mut shown = vec![false; self.envelopes.len()];
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut shown[at], true) {
                continue;
            }
            if down {
                // Another one with the same id is not what they follow from.
                let id = self.envelopes[at].id.filter(|id| self.chain.find(*id) == Some(at));
                open.extend(id.and_then(|id| followers.get(&id)).into_iter().flatten());
            } else {
                let payload = self.envelopes[at].payload.and_then(|id| self.chain.find(id));
                open.extend(self.chain.parent(at).into_iter().chain(payload));
            }
        }
        shown
    }

    /// The envelope that another one is a copy of; else itself.
    pub(super) fn first(&self, at: usize) -> usize {
        let id = self.envelopes[at].id.filter(|_| self.chain.is_copy(at));
        id.and_then(|id| self.chain.find(id)).unwrap_or(at)
    }

    /// Who names an id as the parent.
    fn followers(&self) -> HashMap<Uuid, Vec<usize>> {
        let mut followers: HashMap<Uuid, Vec<usize>> = HashMap::new();
        for (at, envelope) in self.envelopes.iter().enumerate() {
            if let (Some(parent), false) = (envelope.parent, self.chain.is_copy(at)) {
                followers.entry(parent).or_default().push(at);
            }
        }
        followers
    }
}
