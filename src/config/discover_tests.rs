use super::super::root::repository_root;
use super::*;
use std::fs;

/// A folder to work in; with `.git` when it is a repository.
struct Place {
    _dir: tempfile::TempDir,
    top: PathBuf,
}

impl Place {
    fn new(files: &[&str]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().canonicalize().unwrap();
        let place = Place { _dir: dir, top };
        for file in files {
            place.write(file, "");
        }
        place
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.top.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        if file.ends_with('/') { fs::create_dir_all(path).unwrap() } else { fs::write(path, text).unwrap() }
    }

    fn try_find(&self, targets: &[&str], cwd: &str, config: &str) -> Result<Vec<Found>, DiscoverError> {
        let config = Config::parse(&self.top.join("worklint.yaml"), config.as_bytes()).unwrap();
        let targets: Vec<PathBuf> = targets.iter().map(PathBuf::from).collect();
        let (cwd, catalog) = (self.top.join(cwd), Catalog::built_in().unwrap());
        discover(&targets, &cwd, repository_root(&cwd).as_deref(), &config, &catalog)
    }

    fn find(&self, targets: &[&str], cwd: &str, config: &str) -> Vec<String> {
        self.try_find(targets, cwd, config).unwrap().into_iter().map(|f| f.path).collect()
    }
}

#[test]
fn without_targets_the_repository_is_walked() {
    let place = Place::new(&[
        ".git/WORKLOG.md",
        "WORKLOG.md",
        "README.md",
        ".squad/MAILBOX.md",
        "b/worklog_archive.md",
        "a/SESSION_CHARTER.md",
        "ignored/WORKLOG.md",
        "deep/ignored.d/WORKLOG.md",
        "private/WORKLOG.md",
        "seen/WORKLOG.md",
    ]);
    place.write(".gitignore", "/ignored/\n*.d\n[wrong\n");
    place.write(".ignore", "seen\n");
    place.write(".git/info/exclude", "private\n");
    let all = [
        ".squad/MAILBOX.md",
        "WORKLOG.md",
        "a/SESSION_CHARTER.md",
        "b/worklog_archive.md",
        "seen/WORKLOG.md",
    ];
    assert_eq!(place.find(&[], "", ""), all);
    assert_eq!(place.find(&[], "a", ""), all, "the same paths from a folder below");
    assert_eq!(place.find(&["."], "b", ""), ["b/worklog_archive.md"]);
    assert_eq!(place.find(&["../.squad"], "b", ""), [".squad/MAILBOX.md"]);

    let found = place.try_find(&[], "", "").unwrap().remove(0);
    assert_eq!(found.absolute, place.top.join(".squad/MAILBOX.md"));
    assert_eq!((found.folder.as_str(), found.pinned, found.explicit), (".squad", None, false));
    assert_eq!(found.kind, FileKind::Regular);
}

#[test]
fn a_file_that_is_named_is_taken_whatever_it_is() {
    let place = Place::new(&[".git/", "notes.txt", "ignored/WORKLOG.md", "vendor/WORKLOG.md"]);
    place.write(".gitignore", "ignored\n");
    let found = place.try_find(
        &["../notes.txt", "WORKLOG.md", "../vendor/WORKLOG.md"],
        "ignored",
        "exclude: [vendor]",
    );
    let seen: Vec<_> = found.unwrap().into_iter().map(|f| (f.path, f.folder, f.explicit, f.pinned)).collect();
    let named = |path: &str, folder: &str| (path.to_owned(), folder.to_owned(), true, None);
    assert_eq!(
        seen,
        [
            named("ignored/WORKLOG.md", "ignored"),
            named("notes.txt", ""),
            named("vendor/WORKLOG.md", "vendor")
        ]
    );
    for (target, cwd) in [("none.md", ""), ("notes.txt/x.md", ""), ("no/WORKLOG.md", "vendor")] {
        let missing = place.try_find(&[target], cwd, "").unwrap_err().to_string();
        assert_eq!(missing, format!("{target}: no such file or folder"));
    }
    assert!(matches!(place.try_find(&[""], "", ""), Err(DiscoverError::Missing { .. })));
}

#[test]
fn a_file_named_twice_is_one() {
    let place = Place::new(&[".git/", "a/WORKLOG.md"]);
    let absolute = place.top.join("a/WORKLOG.md");
    let targets = ["WORKLOG.md", "../a/./WORKLOG.md", ".", absolute.to_str().unwrap()];
    for targets in [&targets[..], &[".", "WORKLOG.md"]] {
        let found = place.try_find(targets, "a", "").unwrap();
        assert_eq!(found.len(), 1);
        assert!(found[0].path == "a/WORKLOG.md" && found[0].explicit);
    }
}

#[test]
fn pins_make_documents_and_exclude_unmakes_them() {
    let place = Place::new(&[
        ".git/",
        "notes/day.md",
        "notes/old/day.md",
        "WORKLOG.md",
        "vendor/x/WORKLOG.md",
        "vendor/x/y/WORKLOG.md",
        "sub/vendor/WORKLOG.md",
    ]);
    let config = "documents: {/notes/*.md: dated-log, WORKLOG.md: turnfile}\nexclude: [/vendor/, '!x']";
    let found = place.try_find(&[], "sub", config).unwrap();
    let seen: Vec<_> = found.iter().map(|f| (f.path.as_str(), f.pinned.as_deref())).collect();
    assert_eq!(
        seen,
        [
            ("WORKLOG.md", Some("turnfile")),
            ("notes/day.md", Some("dated-log")),
            ("sub/vendor/WORKLOG.md", Some("turnfile"))
        ]
    );
    // A folder that is named is walked like a file that is named is taken.
    assert_eq!(place.find(&["vendor"], "", config).len(), 2);
    assert_eq!(place.find(&["vendor"], "", "exclude: ['vendor/*/y']"), ["vendor/x/WORKLOG.md"]);
}

#[test]
fn a_repository_inside_the_repository_is_left_alone() {
    let place = Place::new(&[".git/", "WORKLOG.md", "module/WORKLOG.md", "tree/WORKLOG.md", "tree/.git/"]);
    place.write("module/.git", "gitdir: ../.git/modules/module\n");
    assert_eq!(place.find(&[], "", ""), ["WORKLOG.md"]);
    assert_eq!(place.find(&["module"], "", ""), ["module/WORKLOG.md"], "unless it is named");
    // From outside, the repositories below are what was asked for.
    let shelf = Place::new(&["one/.git/", "one/WORKLOG.md", "two/.git/", "two/WORKLOG.md"]);
    assert_eq!(shelf.find(&[], "", ""), ["one/WORKLOG.md", "two/WORKLOG.md"]);
}

#[test]
fn folders_that_stand_for_documents_are_reported() {
    let place =
        Place::new(&[".git/", "WORKLOG.md/inner.txt", "sub/MAILBOX.md/.git", "docs/worklog/", "x.md/y"]);
    let found = place.try_find(&[], "", "documents: {'docs/**': turnfile, 'w*': turnfile}").unwrap();
    let seen: Vec<_> = found.iter().map(|f| (f.path.as_str(), f.kind)).collect();
    assert_eq!(seen, [("WORKLOG.md", FileKind::Other), ("sub/MAILBOX.md", FileKind::Other)]);
    let named = place.try_find(&["WORKLOG.md", "x.md"], "", "").unwrap();
    assert_eq!((named.len(), named[0].kind, named[0].explicit), (1, FileKind::Other, true));
}

#[test]
fn outside_a_repository_paths_begin_at_the_session() {
    let place =
        Place::new(&["s/WORKLOG.md", "s/MAILBOX.md", "s/old/WORKLOG.md", "t/WORKLOG.md", ".gitignore"]);
    assert_eq!(repository_root(&place.top), None, "the folder for temporary files lies in a repository");
    let found = place.try_find(&["s/WORKLOG.md"], "", "").unwrap();
    assert_eq!((found[0].path.as_str(), found[0].folder.as_str()), ("WORKLOG.md", ""));
    assert_eq!(place.find(&["s/WORKLOG.md", "s/MAILBOX.md"], "", ""), ["MAILBOX.md", "WORKLOG.md"]);
    assert_eq!(place.find(&["../s"], "t", ""), ["MAILBOX.md", "WORKLOG.md", "old/WORKLOG.md"]);
    assert_eq!(
        place.find(&["s/old/WORKLOG.md", "t/WORKLOG.md"], "", ""),
        ["s/old/WORKLOG.md", "t/WORKLOG.md"]
    );
    assert_eq!(place.find(&["s", "s/old/WORKLOG.md"], "", "").len(), 3);
    // The globs of a configuration begin at its own folder all the same.
    assert_eq!(place.find(&["s"], "", "exclude: [/s/old]"), ["MAILBOX.md", "WORKLOG.md"]);
}

#[test]
fn two_files_never_share_a_path() {
    let place = Place::new(&["repo/.git/", "repo/WORKLOG.md", "else/WORKLOG.md", "else/MAILBOX.md"]);
    assert_eq!(place.find(&["../else/MAILBOX.md", "WORKLOG.md"], "repo", ""), ["MAILBOX.md", "WORKLOG.md"]);
    let error = place.try_find(&["../else/WORKLOG.md", "."], "repo", "").unwrap_err().to_string();
    assert!(error.contains("would both be called WORKLOG.md"), "{error}");
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn links_are_reported_and_not_followed() {
        let place = Place::new(&[".git/", "real/notes.md", "real/WORKLOG.md", "a/"]);
        symlink("../real/notes.md", place.top.join("a/WORKLOG.md")).unwrap();
        symlink("nowhere", place.top.join("a/MAILBOX.md")).unwrap();
        symlink("../real", place.top.join("a/dir")).unwrap();
        symlink("..", place.top.join("a/loop")).unwrap();
        let found = place.try_find(&[], "", "").unwrap();
        let seen: Vec<_> = found.iter().map(|f| (f.path.as_str(), f.kind)).collect();
        assert_eq!(
            seen,
            [
                ("a/MAILBOX.md", FileKind::Symlink),
                ("a/WORKLOG.md", FileKind::Symlink),
                ("real/WORKLOG.md", FileKind::Regular)
            ]
        );
        let named = place.try_find(&["a/MAILBOX.md", "a/WORKLOG.md"], "", "").unwrap();
        assert!(named.iter().all(|f| f.kind == FileKind::Symlink && f.explicit));
        // A way through a link leads to the same paths.
        assert_eq!(place.find(&["dir/WORKLOG.md", "dir"], "a", ""), ["real/WORKLOG.md"]);
    }

    #[test]
    fn names_that_are_no_text_are_shown_somehow() {
        let place = Place::new(&[".git/", "new\nline/WORKLOG.md"]);
        // Some file systems have no such names.
        let bad = place.top.join(OsStr::from_bytes(b"bad\xff"));
        if fs::create_dir(&bad).is_ok() {
            fs::write(bad.join("WORKLOG.md"), "").unwrap();
            assert_eq!(place.find(&[], "", ""), ["bad\u{fffd}/WORKLOG.md", "new\nline/WORKLOG.md"]);
        }
    }

    #[test]
    fn a_folder_that_cannot_be_listed_is_reported() {
        let place = Place::new(&[".git/", "WORKLOG.md", "locked/WORKLOG.md"]);
        let locked = place.top.join("locked");
        fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).unwrap();
        let listed = fs::read_dir(&locked).is_ok();
        let found = place.try_find(&[], "", "").unwrap();
        let excluded = place.find(&[], "", "exclude: [locked]");
        fs::set_permissions(&locked, fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(excluded, ["WORKLOG.md"]);
        // The superuser lists everything.
        if !listed {
            assert_eq!((found[1].path.as_str(), found[1].kind), ("locked", FileKind::Unreadable));
        }
    }
}
