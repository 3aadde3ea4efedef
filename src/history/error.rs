//! Why history cannot be read: git's own words, and the line that mends it.

use thiserror::Error;

/// What git, or the repository, refused.
#[derive(Debug, Error)]
pub enum GitError {
    /// There is no git.
    #[error("git is not installed, or not on the path")]
    NotInstalled,
    /// The system could not start git, or lost the connection to it.
    #[error("cannot run git: {0}")]
    Process(#[from] std::io::Error),
    /// This git is older than what is relied on.
    #[error("git {found} is too old: {minimum} or newer is needed")]
    TooOld {
        /// What is installed.
        found: String,
        /// What is needed.
        minimum: String,
    },
    /// The folder belongs to no repository.
    #[error("this folder belongs to no git repository")]
    NoRepository,
    /// The repository belongs to somebody else.
    #[error("{words}")]
    DubiousOwnership {
        /// git's words.
        words: String,
        /// git's own cure.
        cure: String,
    },
    /// A name that is no commit.
    #[error("`{name}` names no commit: {words}")]
    UnknownRevision {
        /// The name.
        name: String,
        /// git's words.
        words: String,
        /// Whether this is a shallow clone, where the commit may be behind the cut.
        shallow: bool,
        /// What makes the name known, where it is that of a branch of a remote.
        cure: Option<String>,
    },
    /// A shallow clone does not hold what is needed.
    #[error("this is a shallow clone: {what}")]
    Shallow {
        /// What is hidden.
        what: String,
    },
    /// Hooks lie where other repositories may use them too.
    #[error("core.hooksPath leads out of this repository, to {folder}")]
    ForeignHooks {
        /// Where they lie.
        folder: String,
    },
    /// Two commits have no common ancestor.
    #[error("{one} and {other} have no common ancestor")]
    NoMergeBase {
        /// The one.
        one: String,
        /// The other.
        other: String,
    },
    /// An object that the repository should hold.
    #[error("the object {id} is missing from this clone")]
    MissingObject {
        /// Its id.
        id: String,
    },
    /// Documents whose merge is not finished.
    #[error("the merge of {} is not finished", paths.join(", "))]
    Unmerged {
        /// The documents.
        paths: Vec<String>,
    },
    /// There is no index in a bare repository.
    #[error("a bare repository has neither an index nor a working tree")]
    Bare,
    /// Anything else.
    #[error("`git {command}` failed: {words}")]
    Failed {
        /// What was run.
        command: String,
        /// git's words.
        words: String,
    },
    /// git answered something that cannot be read.
    #[error("git's answer to `{command}` cannot be read: {answer}")]
    Answer {
        /// What was run.
        command: String,
        /// What came.
        answer: String,
    },
}

impl GitError {
    /// The line that mends it; none when nobody knows one.
    pub fn help(&self) -> Option<String> {
        let text = match self {
            GitError::NotInstalled => {
                "install git; without it files can be checked, and not what happened to them"
            }
            GitError::TooOld { .. } => "update git",
            GitError::NoRepository => {
                "run this inside of one; elsewhere files can be checked, and not what happened to them"
            }
            GitError::UnknownRevision { cure: Some(cure), .. } => cure,
            GitError::DubiousOwnership { cure, .. } => cure,
            GitError::UnknownRevision { shallow: true, .. } | GitError::Shallow { .. } => {
                "git fetch --unshallow (in CI, check out all: `fetch-depth: 0` on GitHub, `GIT_DEPTH: 0` on GitLab)"
            }
            GitError::UnknownRevision { .. } => "git fetch --all, or name a commit that `git log` shows",
            GitError::NoMergeBase { .. } => {
                "add --exact to compare with the revision itself instead of the merge base"
            }
            GitError::MissingObject { .. } => {
                "git fetch --refetch --no-filter (the clone is partial or damaged)"
            }
            GitError::Unmerged { .. } => "resolve the conflict, and `git add` the file",
            GitError::ForeignHooks { .. } => {
                "add the line `worklint check --staged --quiet || exit 1` to the hook there, or unset core.hooksPath"
            }
            GitError::Bare => "name two commits: --against REV --head REV",
            GitError::Process(_) | GitError::Failed { .. } | GitError::Answer { .. } => return None,
        };
        Some(text.to_owned())
    }

    /// Whether there is nothing to compare with, rather than something in the way.
    pub const fn is_absence(&self) -> bool {
        matches!(self, GitError::NotInstalled | GitError::NoRepository)
    }
}
