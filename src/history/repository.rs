//! A repository: its commits, its objects and its index.

use super::Choose;
use super::commit::Commit;
use super::error::GitError;
use super::git::{Git, Object, Objects};
use super::index::{self, Staged};
use super::listing::Listing;
use super::tree::{Files, Trees};
use crate::text::Text;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a repository says of itself, and what was read from it.
#[derive(Debug)]
pub struct Repository {
    pub(super) git: Git,
    git_dir: PathBuf,
    root: Option<PathBuf>,
    head: Option<String>,
    shallow: bool,
    sha256: bool,
    objects: Option<Objects>,
    commits: HashMap<String, Arc<Commit>>,
    trees: Trees,
}

impl Repository {
    /// Opens the repository that a folder belongs to.
    ///
    /// # Errors
    /// When there is no git, no repository, or one that git refuses to read.
    pub fn open(dir: &Path) -> Result<Self, GitError> {
        let git = Git::new(dir)?;
        let args = [
            "rev-parse",
            "--is-bare-repository",
            "--is-shallow-repository",
            "--show-object-format",
            "--absolute-git-dir",
            "--show-cdup",
            "HEAD",
        ];
        // Without a commit it fails, and has said all the same what it is.
        let answer = git.run(args)?;
        let said = String::from_utf8_lossy(&answer.out).into_owned();
        let lines: Vec<&str> = said.lines().collect();
        let [bare, shallow, format, git_dir, rest @ ..] = lines.as_slice() else {
            return Err(super::git::failed(&["rev-parse".into()], answer.words));
        };
        let root = match rest {
            [up, ..] if *bare == "false" => {
                let root = dir.join(up);
                Some(root.canonicalize().unwrap_or(root))
            }
            _ => None,
        };
        let head = rest.last().filter(|id| is_id(id)).map(|id| (*id).to_owned());
        Ok(Repository {
            git: git.within(root.as_deref().unwrap_or(dir)),
            git_dir: PathBuf::from(git_dir),
            root,
            head,
            shallow: *shallow == "true",
            sha256: *format == "sha256",
            objects: None,
            commits: HashMap::new(),
            trees: Trees::default(),
        })
    }

    /// The top of the working tree; none in a bare repository.
    pub fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// The commit that is checked out; none before the first one.
    pub fn head(&self) -> Option<&str> {
        self.head.as_deref()
    }

    /// Whether it is a shallow clone.
    pub const fn is_shallow(&self) -> bool {
        self.shallow
    }

    /// The commits that are being merged into the one that is checked out.
    ///
    /// A merge that met no conflict writes no `MERGE_HEAD` before its hook has run, but names its commits in the
    /// hook's environment.
    pub fn merge_heads(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.git_dir.join("MERGE_HEAD")).unwrap_or_default();
        let written: Vec<String> =
            text.lines().map(str::trim).filter(|id| is_id(id)).map(str::to_owned).collect();
        if !written.is_empty() {
            return written;
        }
        let environment = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        let named = environment.filter_map(|name| name.strip_prefix("GITHEAD_").map(str::to_owned));
        // A hook may look into another repository than its own.
        let mut known: Vec<String> = named.filter(|id| is_id(id) && self.resolve(id).is_ok()).collect();
        known.sort();
        known
    }

    /// The folder in which git looks for hooks.
    ///
    /// # Errors
    /// When the configuration puts it outside of the repository, where other repositories may use it too.
    pub fn hooks(&self) -> Result<PathBuf, GitError> {
        let said = lines(&self.git.ask(["rev-parse", "--git-common-dir", "--git-path", "hooks"])?);
        let here = self.root.as_deref().unwrap_or(&self.git_dir);
        let [common, hooks] = [0, 1].map(|n| here.join(said.get(n).map_or("", String::as_str)));
        if hooks.starts_with(common) || hooks.starts_with(here) {
            Ok(hooks)
        } else {
            Err(GitError::ForeignHooks { folder: hooks.display().to_string() })
        }
    }

    /// The id of the commit that a name stands for.
    ///
    /// # Errors
    /// When it stands for none.
    pub fn resolve(&self, name: &str) -> Result<String, GitError> {
        let unknown = |words: String| GitError::UnknownRevision {
            name: name.to_owned(),
            words,
            shallow: self.shallow,
            cure: self.cure(name),
        };
        if name.is_empty() || name.starts_with('-') {
            return Err(unknown("not a name for a commit".to_owned()));
        }
        let answer = self.git.run(["rev-parse", "--verify", "--quiet", &format!("{name}^{{commit}}")])?;
        let id = String::from_utf8_lossy(&answer.out).trim().to_owned();
        if answer.code == Some(0) && is_id(&id) {
            return Ok(id);
        }
        let answer = self.git.run(["rev-list", "--max-count=1", name, "--"])?;
        let words = answer.words.trim_start_matches("fatal: ").to_owned();
        Err(unknown(if words.is_empty() { "no such commit".to_owned() } else { words }))
    }

    /// The best common ancestors of two commits.
    ///
    /// # Errors
    /// When there is none, or a shallow clone may hide a better one.
    pub fn merge_bases(&self, one: &str, other: &str) -> Result<Vec<String>, GitError> {
        let answer = self.git.run(["merge-base", "--all", one, other])?;
        let said = String::from_utf8_lossy(&answer.out).into_owned();
        let bases: Vec<String> = said.lines().filter(|id| is_id(id)).map(str::to_owned).collect();
        let short = |id: &str| id.get(..10).unwrap_or(id).to_owned();
        let hidden =
            |what: &str| GitError::Shallow { what: format!("{what} {} and {}", short(one), short(other)) };
        match (bases.as_slice(), answer.code) {
            ([], Some(0 | 1)) if self.shallow => Err(hidden("it does not reach the common ancestor of")),
            ([], Some(0 | 1)) => Err(GitError::NoMergeBase { one: short(one), other: short(other) }),
            ([], _) => Err(super::git::failed(&["merge-base".into()], answer.words)),
            // One that is an ancestor of the other is the best one, whatever is hidden behind it.
            ([base], _) if base == one || base == other => Ok(bases),
            _ => {
                let mut range = vec![one.to_owned(), other.to_owned()];
                range.extend(bases.iter().map(|base| format!("^{base}")));
                if self.is_cut(&range)? {
                    return Err(hidden("it may hide the common ancestor of"));
                }
                Ok(bases)
            }
        }
    }

    /// Whether one commit is the other, or an ancestor of it.
    ///
    /// # Errors
    /// When git cannot tell.
    pub fn is_ancestor(&self, ancestor: &str, of: &str) -> Result<bool, GitError> {
        let answer = self.git.run(["merge-base", "--is-ancestor", ancestor, of])?;
        match answer.code {
            Some(0) => Ok(true),
            Some(1) => Ok(false),
            _ => Err(super::git::failed(&["merge-base".into(), "--is-ancestor".into()], answer.words)),
        }
    }

    /// The commits of a range that touch documents, parents before children. `range` are ids, and ids with `^`
    /// before them whose ancestors are left out.
    ///
    /// # Errors
    /// When git fails, or a shallow clone hides parents of commits in the range.
    pub fn touching(&self, range: &[String], choose: &dyn Choose) -> Result<Vec<String>, GitError> {
        if self.is_cut(range)? {
            return Err(GitError::Shallow {
                what: "it hides the parents of commits that are judged".to_owned(),
            });
        }
        // History simplification would follow only that parent of a merge from which the documents were taken, and
        // so hide what the merge dropped from the other.
        let mut args = vec!["rev-list", "--full-history", "--topo-order", "--reverse"];
        args.extend(range.iter().map(String::as_str));
        args.push("--");
        let specs = choose.pathspecs();
        args.extend(specs.iter().map(String::as_str));
        Ok(lines(&self.git.ask(args)?))
    }

    /// Whether commits of a range have parents that a shallow clone hides.
    fn is_cut(&self, range: &[String]) -> Result<bool, GitError> {
        if !self.shallow {
            return Ok(false);
        }
        let path =
            String::from_utf8_lossy(&self.git.ask(["rev-parse", "--git-path", "shallow"])?).into_owned();
        let file = self.root.as_deref().unwrap_or(&self.git_dir).join(path.trim_end_matches('\n'));
        let cut = std::fs::read_to_string(file)?;
        let cut: HashSet<&str> = cut.lines().collect();
        let mut args = vec!["rev-list"];
        args.extend(range.iter().map(String::as_str));
        let all = lines(&self.git.ask(args)?);
        Ok(all.iter().any(|id| cut.contains(id.as_str())))
    }

    /// A commit.
    ///
    /// # Errors
    /// When the repository does not hold it.
    pub fn commit(&mut self, id: &str) -> Result<Arc<Commit>, GitError> {
        if let Some(known) = self.commits.get(id) {
            return Ok(Arc::clone(known));
        }
        let object = match self.object(id) {
            Err(GitError::MissingObject { .. }) if self.shallow => {
                return Err(GitError::Shallow { what: format!("the commit {id} lies behind its cut") });
            }
            other => other?,
        };
        let read = Commit::parse(&object.id, &object.bytes).filter(|_| object.kind == "commit");
        let commit = Arc::new(read.ok_or_else(|| GitError::Answer {
            command: "cat-file --batch".to_owned(),
            answer: format!("{id} is no commit"),
        })?);
        self.commits.insert(id.to_owned(), Arc::clone(&commit));
        Ok(commit)
    }

    /// The documents of a commit.
    ///
    /// # Errors
    /// When an object is missing.
    pub fn files(&mut self, commit: &Commit, choose: &dyn Choose) -> Result<Files, GitError> {
        let mut trees = std::mem::take(&mut self.trees);
        let files = trees.files(self, choose, &commit.tree);
        self.trees = trees;
        files
    }

    /// What the index holds other than the commit that is checked out: path, and the document or none.
    ///
    /// # Errors
    /// When the merge of a document is not finished, or there is no index.
    pub fn staged(&self, choose: &dyn Choose) -> Result<Vec<Staged>, GitError> {
        if self.root.is_none() {
            return Err(GitError::Bare);
        }
        let against = self.head.as_deref().unwrap_or_else(|| self.empty_tree());
        let specs = choose.pathspecs();
        let mut args = vec![
            "diff-index",
            "--cached",
            "--raw",
            "-z",
            "--no-abbrev",
            "--no-renames",
            "--no-ext-diff",
            "--no-textconv",
            // What `git add --intent-to-add` announced is not part of the commit.
            "--ita-invisible-in-index",
            against,
            "--",
        ];
        args.extend(specs.iter().map(String::as_str));
        index::changes(&self.git.ask(args)?, choose)
    }

    /// Whether the index, or the commit that is checked out, holds any of them; quicker than to look through a tree.
    ///
    /// # Errors
    /// When git fails.
    pub fn holds(&self, choose: &dyn Choose) -> Result<bool, GitError> {
        let mut args = vec!["ls-files", "-z", "--"];
        let specs = choose.pathspecs();
        args.extend(specs.iter().map(String::as_str));
        Ok(!self.git.ask(&args)?.is_empty() || !self.staged(choose)?.is_empty())
    }

    /// All files of a commit, or of the index where none is named.
    pub fn listing(&self, commit: Option<&str>) -> Listing {
        Listing::new(self.git.clone(), commit.map(str::to_owned))
    }

    /// The documents of the index that a sparse checkout leaves out of the working tree.
    ///
    /// # Errors
    /// When git fails.
    pub fn not_checked_out(&self, choose: &dyn Choose) -> Result<HashSet<String>, GitError> {
        let mut args = vec!["ls-files", "-t", "-z", "--"];
        let specs = choose.pathspecs();
        args.extend(specs.iter().map(String::as_str));
        let said = self.git.ask(args)?;
        let lines = said.split(|b| *b == 0).map(String::from_utf8_lossy);
        Ok(lines.filter_map(|line| line.strip_prefix("S ").map(str::to_owned)).collect())
    }

    const fn empty_tree(&self) -> &'static str {
        if self.sha256 {
            "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"
        } else {
            "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
        }
    }

    /// The text of a file.
    ///
    /// # Errors
    /// When the repository does not hold it.
    pub fn text(&mut self, blob: &str) -> Result<Text, GitError> {
        Ok(Text::from_bytes(self.object(blob)?.bytes))
    }

    /// The content of a file of a commit, by its exact path; none when the commit has no such file.
    ///
    /// # Errors
    /// When git fails.
    pub fn file(&mut self, commit: &str, path: &str) -> Result<Option<Vec<u8>>, GitError> {
        let object = self.objects()?.read(&format!("{commit}:{path}"))?;
        Ok(object.filter(|o| o.kind == "blob").map(|o| o.bytes))
    }

    pub(super) fn object(&mut self, id: &str) -> Result<Object, GitError> {
        self.objects()?.read(id)?.ok_or_else(|| GitError::MissingObject { id: id.to_owned() })
    }

    fn objects(&mut self) -> Result<&mut Objects, GitError> {
        match &mut self.objects {
            Some(objects) => Ok(objects),
            none => Ok(none.insert(self.git.objects()?)),
        }
    }
}

/// Whether a word is the full id of an object.
pub fn is_id(word: &str) -> bool {
    matches!(word.len(), 40 | 64) && word.bytes().all(|b| b.is_ascii_hexdigit())
}

/// What git says, line by line.
pub(super) fn lines(bytes: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect()
}
