//! The imports between the files of a crate, read from the paths that begin with `crate`, `super` or `self`.
//!
//! Inline test modules and comments are skipped. A path to a name that a file re-exports (`pub use`) counts as an import of the
//! file that defines the name. Imports of a module's own children are not counted, because `mod` requires them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

static COMMENT: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"//[^\n]*").unwrap());
static USE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^[ \t]*(?P<public>pub(?:\([^)]*\))?\s+)?use\s+(?P<tree>[^;]+);").unwrap()
});
static MODULE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\bmod (\w+);").unwrap());
/// `$crate::…` in a macro is not matched: it is a path of the file that uses the macro.
static PATH: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?:^|[^$\w:])((?:crate|super|self)(?:::\w+)+)").unwrap());

/// A module path without `crate`: `["text", "segments"]`.
type Module = Vec<String>;

struct File {
    path: PathBuf,
    /// The text without comments, tests and `use` statements.
    body: String,
    /// Absolute paths of private `use` statements.
    uses: Vec<Module>,
    /// Names that the file re-exports, with the absolute paths that they lead to.
    exports: BTreeMap<String, Module>,
}

/// Groups of files that import each other in a circle, by their paths below `src`.
pub(crate) fn circles(src: &Path) -> Vec<Vec<PathBuf>> {
    let files = read(src);
    let names: Vec<&Module> = files.keys().collect();
    let mut graph = petgraph::graph::DiGraph::<&Module, ()>::new();
    let nodes: BTreeMap<&Module, _> = names.iter().map(|name| (*name, graph.add_node(*name))).collect();
    for (name, file) in &files {
        for target in targets(name, file, &files).iter().filter(|target| !target.starts_with(name)) {
            graph.add_edge(nodes[name], nodes[target], ());
        }
    }
    let mut circles: Vec<Vec<PathBuf>> = petgraph::algo::tarjan_scc(&graph)
        .into_iter()
        .filter(|group| group.len() > 1)
        .map(|group| {
            let mut paths: Vec<PathBuf> =
                group.into_iter().map(|node| files[graph[node]].path.clone()).collect();
            paths.sort();
            paths
        })
        .collect();
    circles.sort();
    circles
}

/// The files that a file imports.
fn targets(name: &Module, file: &File, files: &BTreeMap<Module, File>) -> BTreeSet<Module> {
    let in_body = absolute_paths(&file.body, name).into_iter();
    // A re-exported name is an import only if the file itself uses it.
    let words: BTreeSet<&str> =
        file.body.split(|letter: char| !letter.is_alphanumeric() && letter != '_').collect();
    let is_used = |name: &str| words.contains(name);
    let exported =
        file.exports.iter().filter(|(exported, _)| is_used(exported)).map(|(_, path)| path.clone());
    in_body
        .chain(file.uses.iter().cloned())
        .chain(exported)
        .filter_map(|path| resolve(&path, files, 0))
        .collect()
}

/// The file that a path leads to: the longest module of the path, or the file behind its re-export.
fn resolve(path: &[String], files: &BTreeMap<Module, File>, depth: usize) -> Option<Module> {
    let length = (0..=path.len()).rev().find(|length| files.contains_key(&path[..*length]))?;
    let (module, rest) = path.split_at(length);
    let behind = rest.first().and_then(|name| files[module].exports.get(name));
    match behind {
        Some(next) if depth < 8 => {
            let path: Vec<String> = next.iter().chain(&rest[1..]).cloned().collect();
            resolve(&path, files, depth + 1)
        }
        _ => Some(module.to_vec()),
    }
}

fn read(src: &Path) -> BTreeMap<Module, File> {
    let mut files = BTreeMap::new();
    for path in super::rust_files(src) {
        let relative = path.strip_prefix(src).unwrap().to_owned();
        let mut module: Module = relative
            .with_extension("")
            .components()
            .map(|part| part.as_os_str().to_str().unwrap().to_owned())
            .collect();
        if module.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
            module.pop();
        }
        let file = parse(relative, &std::fs::read_to_string(&path).unwrap(), &module);
        files.insert(module, file);
    }
    files
}

fn parse(path: PathBuf, text: &str, module: &Module) -> File {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
    let text = COMMENT.replace_all(text, "");
    let children: BTreeSet<&str> =
        MODULE.captures_iter(&text).map(|found| found.get(1).unwrap().as_str()).collect();
    let (mut uses, mut exports) = (Vec::new(), BTreeMap::new());
    for found in USE.captures_iter(&text) {
        let mut leaves = Vec::new();
        expand("", &found["tree"], &mut leaves);
        for leaf in leaves {
            let (leaf, alias) = leaf.split_once(" as ").unwrap_or((&leaf, ""));
            let Some(target) = absolute(leaf, module, &children) else { continue };
            if found.name("public").is_none() {
                uses.push(target);
            } else if let Some(name) = target.last() {
                let name = if alias.is_empty() { name } else { alias };
                exports.insert(name.to_owned(), target);
            }
        }
    }
    let body = MODULE.replace_all(&USE.replace_all(&text, ""), "").into_owned();
    File { path, body, uses, exports }
}

/// Expands a `use` tree into its paths: `a::{b, c::d}` into `a::b` and `a::c::d`.
fn expand(prefix: &str, tree: &str, leaves: &mut Vec<String>) {
    let tree = tree.trim();
    let Some(start) = tree.find('{') else {
        leaves.push(format!("{prefix}{tree}").trim_end_matches("::self").to_owned());
        return;
    };
    let prefix = format!("{prefix}{}", &tree[..start]);
    let (mut depth, mut from) = (0_usize, start + 1);
    for (at, letter) in tree.char_indices().skip(start + 1) {
        match letter {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                if !tree[from..at].trim().is_empty() {
                    expand(&prefix, &tree[from..at], leaves);
                }
                from = at + 1;
            }
            _ => {}
        }
    }
}

/// The paths in a text without `use` statements, made absolute.
fn absolute_paths(text: &str, module: &Module) -> Vec<Module> {
    PATH.captures_iter(text).filter_map(|found| absolute(&found[1], module, &BTreeSet::new())).collect()
}

fn absolute(path: &str, module: &Module, children: &BTreeSet<&str>) -> Option<Module> {
    let mut parts = path.split("::").peekable();
    let mut base = match *parts.peek()? {
        "crate" => Vec::new(),
        "self" | "super" => module.clone(),
        child if children.contains(child) => {
            return Some(module.iter().cloned().chain(parts.map(str::to_owned)).collect());
        }
        _ => return None,
    };
    for part in parts {
        match part {
            "crate" | "self" => {}
            "super" => {
                base.pop();
            }
            name => base.push(name.to_owned()),
        }
    }
    Some(base)
}
