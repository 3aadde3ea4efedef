//! The types of an envelope (cross-squad message protocol, "The Ten Envelope Types").

use std::fmt;
use std::str::FromStr;

/// The type of an envelope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// An executive asks for work.
    CSuiteDecisionPacket,
    /// What a product has to do.
    Prd,
    /// A change of the architecture, for comment.
    ArchRfc,
    /// Work on a repository.
    DevTask,
    /// What a campaign needs.
    CreativeBrief,
    /// The shots of a film.
    ShotList,
    /// An asset to be rendered.
    AssetJob,
    /// A question to a person.
    HitlRequest,
    /// What was decided.
    DecisionRecord,
    /// Work goes to another squad.
    Handoff,
    /// Extended: a customer asks for help.
    SupportTicket,
    /// Extended: context that moves with its work.
    PortableContext,
    /// Extended: what customers say.
    VocReport,
    /// Extended: what a judge found.
    JudgeVerdict,
}

impl Kind {
    /// The types of the specification, in its order, and then those that the reference program added.
    pub const ALL: [Kind; 14] = [
        Kind::CSuiteDecisionPacket,
        Kind::Prd,
        Kind::ArchRfc,
        Kind::DevTask,
        Kind::CreativeBrief,
        Kind::ShotList,
        Kind::AssetJob,
        Kind::HitlRequest,
        Kind::DecisionRecord,
        Kind::Handoff,
        Kind::SupportTicket,
        Kind::PortableContext,
        Kind::VocReport,
        Kind::JudgeVerdict,
    ];

    /// The ten types of the specification, in its order.
    pub fn specified() -> impl Iterator<Item = Kind> {
        Kind::ALL.into_iter().filter(|kind| !kind.is_extended())
    }

    /// Whether it is one that the specification does not name: only what every envelope carries is known of it.
    pub const fn is_extended(self) -> bool {
        matches!(self, Kind::SupportTicket | Kind::PortableContext | Kind::VocReport | Kind::JudgeVerdict)
    }

    /// The word that an envelope carries.
    pub const fn as_str(self) -> &'static str {
        match self {
            Kind::CSuiteDecisionPacket => "C_SUITE_DECISION_PACKET",
            Kind::Prd => "PRD",
            Kind::ArchRfc => "ARCH_RFC",
            Kind::DevTask => "DEV_TASK",
            Kind::CreativeBrief => "CREATIVE_BRIEF",
            Kind::ShotList => "SHOT_LIST",
            Kind::AssetJob => "ASSET_JOB",
            Kind::HitlRequest => "HITL_REQUEST",
            Kind::DecisionRecord => "DECISION_RECORD",
            Kind::Handoff => "HANDOFF",
            Kind::SupportTicket => "SUPPORT_TICKET",
            Kind::PortableContext => "PORTABLE_CONTEXT",
            Kind::VocReport => "VOC_REPORT",
            Kind::JudgeVerdict => "JUDGE_VERDICT",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A word that is no type of an envelope.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no type of an envelope")]
pub struct UnknownKind;

impl FromStr for Kind {
    type Err = UnknownKind;

    /// Reads the word exactly as it is written in the specification.
    fn from_str(word: &str) -> Result<Self, UnknownKind> {
        Kind::ALL.into_iter().find(|kind| kind.as_str() == word).ok_or(UnknownKind)
    }
}
