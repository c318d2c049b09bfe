//! A stack as text, drawn with box characters.

mod filesystem;
mod layer;
mod link;
mod mapped;
mod served;
mod warnings;

use std::collections::BTreeSet;

use etalon_language::{say, translation};
use etalon_model::stack::{DevNo, Layer, StackTree, Warning};
use etalon_picture::TreeBox;
use etalon_units::visible;

/// One box of the drawing.
struct Node {
    heading: String,
    details: Vec<String>,
    warnings: Vec<String>,
    children: Vec<Node>,
}

/// The whole tree, one line per fact, each line ended; what is wrong stands where it concerns, with
/// an exclamation mark, and what could not be read stands at the end.
pub fn render_text(tree: &StackTree) -> String {
    let mut lines = Vec::new();
    let mut seen = BTreeSet::new();
    draw(&target_node(tree, &mut seen), "", "", &mut lines);
    for area in &tree.swaps {
        let swap = say!(
            "stack-swap",
            node = area.node,
            kind = area.kind,
            used = area.used,
            all = area.size,
            priority = area.priority.to_string()
        );
        lines.push(match area.shares.as_slice() {
            [] => swap,
            names => say!("stack-swap-on", swap = swap, names = names.join(", ")),
        });
    }
    if !tree.missing.is_empty() {
        lines.push(say!("stack-not-known"));
        let missing = tree.missing.iter();
        lines.extend(missing.map(|m| format!("  {}: {}", m.what, m.why)));
    }
    // Paths and labels may hold anything, also what a terminal would obey.
    let lines = lines.iter().map(|line| visible(line).into_owned() + "\n");
    lines.collect()
}

/// The same as boxes for a picture, the warnings in theirs.
pub(crate) fn boxes(tree: &StackTree) -> Vec<TreeBox> {
    vec![boxed(target_node(tree, &mut BTreeSet::new()))]
}

fn boxed(node: Node) -> TreeBox {
    TreeBox {
        heading: node.heading,
        details: node.details,
        warnings: node.warnings,
        children: node.children.into_iter().map(boxed).collect(),
        share: None,
    }
}

fn draw(node: &Node, first: &str, rest: &str, lines: &mut Vec<String>) {
    lines.push(format!("{first}{}", node.heading));
    let bar = if node.children.is_empty() {
        "   "
    } else {
        "│  "
    };
    let details = node.details.iter().map(|line| format!("{rest}{bar}{line}"));
    let warnings = node
        .warnings
        .iter()
        .map(|line| format!("{rest}{bar}! {line}"));
    lines.extend(details.chain(warnings));
    let last = node.children.len().saturating_sub(1);
    for (index, child) in node.children.iter().enumerate() {
        let (corner, below) = match index == last {
            true => ("└─ ", "   "),
            false => ("├─ ", "│  "),
        };
        draw(
            child,
            &format!("{rest}{corner}"),
            &format!("{rest}{below}"),
            lines,
        );
    }
}

fn target_node(tree: &StackTree, seen: &mut BTreeSet<DevNo>) -> Node {
    let layers = tree
        .devices
        .iter()
        .map(|layer| layer_node(layer, seen))
        .collect();
    let (Some(mount), Some(fs)) = (&tree.mount, &tree.filesystem) else {
        return Node {
            heading: format!("{} ({})", tree.resolved, say!("stack-block-device")),
            details: Vec::new(),
            warnings: words_of(&tree.warnings),
            children: layers,
        };
    };
    let mut children: Vec<Node> = layers;
    children.extend(
        fs.beneath
            .as_ref()
            .map(|beneath| target_node(beneath, seen)),
    );
    let mut details = filesystem::details(fs);
    details.extend(tree.no_block.clone());
    Node {
        heading: tree.resolved.clone(),
        details: Vec::new(),
        warnings: Vec::new(),
        children: vec![Node {
            heading: filesystem::heading(mount),
            details,
            warnings: words_of(&tree.warnings),
            children,
        }],
    }
}

fn layer_node(layer: &Layer, seen: &mut BTreeSet<DevNo>) -> Node {
    let heading = layer::heading(layer);
    if !seen.insert(layer.devno) && layer.devno.major != 0 {
        return Node {
            heading: format!("{heading} ({})", say!("stack-drawn-above")),
            details: Vec::new(),
            warnings: Vec::new(),
            children: Vec::new(),
        };
    }
    let mut children: Vec<Node> = layer.below.iter().map(|l| layer_node(l, seen)).collect();
    children.extend(layer.file_stack().map(|stack| target_node(stack, seen)));
    Node {
        heading,
        details: layer::details(layer),
        warnings: words_of(&layer.warnings),
        children,
    }
}

fn words_of(warnings: &[Warning]) -> Vec<String> {
    warnings.iter().map(warnings::sentence).collect()
}

/// `key value` for each value that is known, joined by commas; nothing when none is.
fn facts(pairs: &[(&str, Option<String>)]) -> Option<String> {
    let known = pairs.iter().filter_map(|(key, value)| {
        let value = value.as_ref()?;
        Some(if key.is_empty() {
            value.clone()
        } else {
            format!("{} {value}", term(key))
        })
    });
    let known: Vec<String> = known.collect();
    (!known.is_empty()).then(|| known.join(", "))
}

/// A key in the language that is spoken; names that are the same everywhere have no translation.
fn term(key: &str) -> String {
    let id = format!("term-{}", key.replace(' ', "-"));
    translation(&id, None).unwrap_or_else(|| key.to_owned())
}

/// The value as text, if there is one.
fn show<T: ToString>(value: &Option<T>) -> Option<String> {
    value.as_ref().map(T::to_string)
}

/// The words joined by blanks, if there are any.
fn joined(words: &[String]) -> Option<String> {
    (!words.is_empty()).then(|| words.join(" "))
}

#[cfg(test)]
mod tests {
    use etalon_language::Language;
    use etalon_model::stack::{Missing, TargetKind};

    use super::*;

    #[test]
    fn what_is_not_known_is_so_in_the_language_of_the_page() {
        let mut tree = StackTree::of_nothing("/srv", TargetKind::Directory);
        tree.missing.push(Missing {
            what: "smart".to_owned(),
            why: "refused".to_owned(),
        });
        let said = |language: Language| language.speak(|| render_text(&tree));
        for (language, line) in [
            (Language::English, "not known:"),
            (Language::French, "inconnu\u{a0}:"),
            (Language::Dutch, "onbekend:"),
        ] {
            let text = said(language);
            assert!(text.lines().any(|told| told == line), "{text}");
        }
        let passed = |language: Language| language.speak(|| term("passed"));
        let words = Language::ALL.map(passed);
        assert_eq!(words, ["passed", "réussi", "geslaagd"]);
    }
}
