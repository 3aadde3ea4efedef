use super::*;
use crate::rules::RULES;
use std::fs;

fn parse(source: &str) -> Result<Config, ConfigError> {
    Config::parse(Path::new(FILE_NAME), source.as_bytes())
}

fn message(source: &str) -> String {
    parse(source).unwrap_err().to_string()
}

fn severity(config: &Config) -> Severity {
    config.settings().severity(&RULES[0].meta)
}

#[test]
fn a_whole_file() {
    let rule = RULES[0].meta.id;
    let config = parse(&format!(
        "# comment\nnamespace: backend\nrules:\n  {rule}: off\ndialects: [tools/ours.yaml]\n\
         documents:\n  'notes/*.md': turnfile\n  /notes/old.md: dated-log\nexclude:\n  - vendor/\n  - '**/x.md'\n"
    ))
    .unwrap();
    assert_eq!(config.namespace(), Some("backend"));
    assert_eq!(config.rules().collect::<Vec<_>>(), [(rule, Severity::Off)]);
    assert_eq!(severity(&config), Severity::Off);
    assert_eq!(config.pin("notes/a.md"), Some("turnfile"));
    assert_eq!(config.pin("notes/old.md"), Some("dated-log"), "the last glob decides");
    assert_eq!(config.pin("sub/notes/a.md"), None);
    assert_eq!(config.pin("/notes/a.md"), None, "no relative path, and no panic");
    assert!(config.excludes("a/vendor/WORKLOG.md") && config.excludes("x.md") && !config.excludes("y.md"));
    assert_eq!(config.exclude().collect::<Vec<_>>(), ["vendor/", "**/x.md"]);
    assert_eq!(config.documents().next(), Some(("notes/*.md", "turnfile")));
    assert_eq!(config.path(), Some(Path::new(FILE_NAME)));
}

#[test]
fn a_file_may_say_nothing() {
    for source in [
        "",
        "# nothing\n",
        "---\n",
        "\u{feff}",
        "{}",
        "rules:\nexclude:\n  # - a\nnamespace:\ndocuments: ~\n",
    ] {
        let config = parse(source).unwrap_or_else(|e| panic!("{source:?}: {e}"));
        assert_eq!((config.namespace(), config.rules().count(), config.exclude().count()), (None, 0, 0));
    }
    assert!(Config::default().catalog().is_ok() && Config::default().path().is_none());
}

#[test]
fn severities() {
    let rule = RULES[0].meta.id;
    let of = |word: &str| severity(&parse(&format!("rules: {{{rule}: {word}}}")).unwrap());
    assert_eq!(of("warn"), Severity::Warning);
    assert_eq!(of("warning"), Severity::Warning);
    assert_eq!(of("'off'"), Severity::Off);
    assert_eq!(of("info"), Severity::Info);
    // The keys of a map have no order.
    let all = parse(&format!("rules:\n  {rule}: error\n  all: off\n")).unwrap();
    assert_eq!(severity(&all), Severity::Error);

    let wrong = message(&format!("rules:\n  {rule}: fatal\n"));
    let column = rule.len() + 5;
    assert_eq!(
        wrong,
        format!(
            "worklint.yaml:2:{column}: rules.{rule}: `fatal` is no severity: write error, warning, info or off"
        )
    );
    assert!(message(&format!("rules: {{{rule}: false}}")).ends_with("write `off` to silence the rule"));
    assert!(message(&format!("rules: {{{rule}: }}")).contains("is no severity"));
    assert!(
        message(&format!("rules: {{{rule}: [off]}}")).contains("a severity: error, warning, info or off")
    );
}

#[test]
fn an_unknown_word_is_refused_with_the_nearest_known_one() {
    assert_eq!(
        message("namespace: x\n\nruels:\n  a: off\n"),
        "worklint.yaml:3:1: `ruels` is no key: did you mean `rules`? \
         the keys are namespace, profile, rules, dialects, documents, exclude, signals, squad, baseline, identity, projections"
    );
    assert!(message("colour: red\n").contains("`colour` is no key: the keys are namespace"));
    let rule = RULES[0].meta.id;
    let near = message(&format!("rules:\n  # one\n  {}x: off\n", &rule[..rule.len() - 1]));
    assert!(near.starts_with("worklint.yaml:3:3: rules: `"), "{near}");
    assert!(near.contains(&format!("is no rule: did you mean `{rule}`")), "{near}");
    assert!(message("rules: {zzz: off}\n").ends_with("`zzz` is no rule: `worklint rules` lists them all"));
}

#[test]
fn a_key_stands_once() {
    assert_eq!(message("exclude: [a]\nexclude: [b]\n"), "worklint.yaml:2:1: `exclude` stands here twice");
    let rule = RULES[0].meta.id;
    let twice = message(&format!("rules:\n  {rule}: off\n  \"{rule}\": error\n"));
    assert_eq!(twice, format!("worklint.yaml:3:3: rules: `{rule}` stands here twice"));
    assert!(
        message("documents:\n  a.md: x\n  a.md: y\n")
            .starts_with("worklint.yaml:3:3: documents: `a.md` stands")
    );
}

#[test]
fn what_has_the_wrong_shape_is_told_the_right_one() {
    assert!(message("- a\n").contains("expected the keys namespace, profile, rules"));
    assert!(message("just text\n").contains("expected the keys namespace, profile, rules"));
    let list = message("exclude: vendor/\n");
    assert!(list.starts_with("worklint.yaml:1:10: exclude: ") && list.contains("expected a list"), "{list}");
    assert!(message("rules: [a]\n").contains("expected a map from the id of a rule to a severity"));
    assert!(message("namespace: [a]\n").contains("expected a name"));
    assert!(message("a: b\n---\nc: d\n").contains("is no key"));
    assert!(message("exclude: [a]\n---\nexclude: [b]\n").contains("more than one document"));
    let broken = message("exclude: [a\nrules:\n");
    assert!(broken.starts_with("worklint.yaml:2:6: did not find expected"), "{broken}");
}

#[test]
fn hostile_files_are_refused_and_nothing_grows() {
    let alias = message("namespace: &a x\nexclude: [*a]\n");
    assert!(alias.starts_with("worklint.yaml:1:12: `&a` begins with `&`"), "{alias}");
    assert!(alias.contains("anchors and aliases are not allowed here"), "{alias}");
    let bomb = "a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nexclude: [*c,*c]\n";
    assert!(message(bomb).starts_with("worklint.yaml:1:4:"));
    assert!(message(&format!("namespace: {}\n", "x".repeat(2000))).contains("longer than 1024 bytes"));
    assert!(message(&"[".repeat(100_000)).contains("too many brackets"));
    assert!(message(&format!("exclude: [{}]\n", "a, ".repeat(100_000))).contains("larger than 262144 bytes"));
    let controls = message("\"a\\e[31m\\x07\": b\n");
    assert!(!controls.contains(char::is_control), "{controls}");
    let bytes = Config::parse(Path::new(FILE_NAME), b"namespace: a\nexclude: [\xff]\n").unwrap_err();
    assert_eq!(bytes.to_string(), "worklint.yaml:2:11: not UTF-8");
    assert!(message("namespace: a\0b\n").contains("control characters"));
}

#[test]
fn paths_of_dialects_are_relative() {
    for path in ["/etc/x.yaml", "'C:\\x.yaml'", "C:x.yaml", "'~/x.yaml'", "'\\\\host\\x.yaml'"] {
        let error = message(&format!("dialects:\n  - a.yaml\n  - {path}\n"));
        assert!(
            error.starts_with("worklint.yaml:3:5: dialects[1]: `") && error.contains("not relative"),
            "{error}"
        );
    }
    assert!(parse("dialects: [../shared/x.yaml, ./y.yaml]\n").is_ok());
    assert!(message("dialects: ['']\n").contains("expected the path"));
}

#[test]
fn a_baseline_is_the_whole_id_of_a_commit() {
    let id = "0123456789abcdef0123456789abcdef01234567";
    assert_eq!(parse(&format!("baseline: {id}\n")).unwrap().baseline(), Some(id));
    assert_eq!(parse("baseline:\n").unwrap().baseline(), None);
    assert_eq!(
        message("baseline: main\n"),
        "worklint.yaml:1:11: baseline: `main` is not the whole id of a commit: \
         write the 40 or 64 hex digits that `git rev-parse COMMIT` prints"
    );
    assert!(message("baseline: 0123456\n").contains("is not the whole id of a commit"));
    assert!(message("baseline: [a]\n").contains("the id of a commit"));
}

#[test]
fn globs_are_checked_where_they_stand() {
    assert!(message("exclude:\n  - 'a['\n").starts_with("worklint.yaml:2:5: exclude[0]: `a[`: not a glob"));
    assert!(message("documents:\n  '!a.md': turnfile\n").contains("pins nothing"));
    assert!(
        message("documents:\n  **/LOG.md: turnfile\n")
            .starts_with("worklint.yaml:2:3: `**/LOG.md` begins with")
    );
    assert!(message("documents:\n  a.md:\n").contains("expected a name"));
}

const DIALECT: &str = "dialect: ours\nsummary: s\ndocuments:\n  - role: log\n    files: [DIARY.md]\n";

#[test]
fn the_catalog_holds_the_users_dialects() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(FILE_NAME);
    let file = path.display();
    let load = |source: &str| {
        fs::write(&path, source).unwrap();
        Config::load(&path).unwrap().catalog().map_err(|e| e.to_string())
    };
    fs::create_dir(dir.path().join("tools")).unwrap();
    fs::write(dir.path().join("tools/ours.yaml"), DIALECT).unwrap();
    fs::write(dir.path().join("again.yaml"), DIALECT).unwrap();
    fs::write(dir.path().join("wrong.yaml"), format!("{DIALECT}    entrys: 1\n")).unwrap();

    let catalog = load("dialects: [tools/ours.yaml]\ndocuments: {x.md: ours}\n").unwrap();
    assert!(catalog.names("DIARY.md") && catalog.names("WORKLOG.md"));

    let twice = load("dialects:\n  - tools/ours.yaml\n  - again.yaml\n").unwrap_err();
    assert_eq!(
        twice,
        format!("{file}:3:5: `again.yaml`: another file of this list holds the dialect `ours` too")
    );
    let missing = load("# none.yaml\ndialects: [none.yaml]\n").unwrap_err();
    assert!(missing.contains("none.yaml: cannot read"), "{missing}");
    assert!(missing.ends_with(&format!("(named in {file}:2:12)")), "{missing}");
    let wrong = load("dialects: [wrong.yaml]\n").unwrap_err();
    assert!(wrong.contains("wrong.yaml:6: not a dialect") && wrong.contains("entrys"), "{wrong}");
    let pinned = load("documents:\n  x.md: turnfil\n").unwrap_err();
    assert!(
        pinned.starts_with(&format!(
            "{file}:2:3: `x.md` is pinned to `turnfil`, which is no dialect: did you mean `turnfile`?"
        )),
        "{pinned}"
    );
}

#[test]
fn the_file_at_the_root_is_discovered() {
    let dir = tempfile::tempdir().unwrap();
    assert!(Config::discover(dir.path()).unwrap().is_none());
    fs::write(dir.path().join(".worklint.yml"), "").unwrap();
    let misnamed = Config::discover(dir.path()).unwrap_err().to_string();
    assert!(misnamed.ends_with("rename it to worklint.yaml"), "{misnamed}");
    fs::write(dir.path().join(FILE_NAME), "namespace: x\n").unwrap();
    let config = Config::discover(dir.path()).unwrap().unwrap();
    assert_eq!(config.namespace(), Some("x"));
    assert_eq!(config.path(), Some(dir.path().join(FILE_NAME).as_path()));

    let other = tempfile::tempdir().unwrap();
    fs::create_dir(other.path().join(FILE_NAME)).unwrap();
    let folder = Config::discover(other.path()).unwrap_err().to_string();
    assert!(folder.contains("not a regular file"), "{folder}");
    assert!(Config::load(&other.path().join("none.yaml")).unwrap_err().to_string().contains("cannot read"));
}

#[test]
fn the_schema_describes_these_keys() {
    let schema: serde_json::Value =
        serde_json::from_str(include_str!("../../grammar/schemas/config.schema.json")).unwrap();
    let described: Vec<&str> = schema["properties"].as_object().unwrap().keys().map(String::as_str).collect();
    assert!(message("?x: y\n").ends_with(&described.join(", ")), "{described:?}");

    let validator = jsonschema::validator_for(&schema).unwrap();
    let rule = RULES[0].meta.id;
    let agree = |source: String, good: bool| {
        let value: serde_json::Value = serde_yaml::from_str(&source).unwrap();
        assert_eq!((parse(&source).is_ok(), validator.is_valid(&value)), (good, good), "{source}");
    };
    agree(format!("namespace: a\nrules: {{{rule}: warn, all: off}}\ndialects: [a/b.yaml]\n"), true);
    agree("documents: {'*.md': turnfile}\nexclude: ['!a', b/]\n".to_owned(), true);
    agree(format!("baseline: {}", "0a".repeat(20)), true);
    agree("identity: {trailer: A-b, authors: {a@b: agent-a}, env: A_1}".to_owned(), true);
    agree("projections: [{path: a/b.jsonl, from: [a, .], session: s}, {path: b.json}]".to_owned(), true);
    agree(
        "baseline:\nidentity:\nprojections:\nrules:\nexclude:\ndocuments:\ndialects:\nnamespace:\n"
            .to_owned(),
        true,
    );
    for wrong in [
        "colour: red",
        "namespace: ''",
        "namespace: [a]",
        "rules: [a]",
        "rules: {all: fatal}",
        "rules: {Not_A_Rule: off}",
        "dialects: a.yaml",
        "dialects: [/a.yaml]",
        "dialects: ['C:\\a.yaml']",
        "dialects: ['~/a.yaml']",
        "dialects: ['']",
        "documents: {'!a': b}",
        "documents: {'': b}",
        "documents: {a: ''}",
        "baseline: main",
        "baseline: 0a1b2c3",
        "identity: agent-a",
        "identity: {name: a}",
        "identity: {trailer: 'a b'}",
        "identity: {trailer: ''}",
        "identity: {env: 1A}",
        "identity: {env: ''}",
        "identity: {authors: {a: b}}",
        "identity: {authors: {a@b: ''}}",
        "projections: {path: a.json}",
        "projections: [a.json]",
        "projections: [{from: [a]}]",
        "projections: [{path: a.txt}]",
        "projections: [{path: /a.json}]",
        "projections: [{path: a/../b.json}]",
        "projections: [{path: a.json, from: a}]",
        "projections: [{path: a.json, from: ['~']}]",
        "projections: [{path: a.json, to: events}]",
        "exclude: a",
        "exclude: ['']",
        "exclude: ['../a']",
        "exclude: ['a/../b']",
    ] {
        agree(wrong.to_owned(), false);
    }
}
