//! Every sentence of a finding is in the catalogues: those of `said!`, what is to be done where a cause asks for something
//! of its own, why a check was not possible, and why arms are not compared.
#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on should say where"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use etalon_model::SaidPart;
use syn::visit::{Visit, visit_expr_struct};
use syn::{ExprStruct, FieldValue, ItemMod, LitStr, Macro, Member};

const HEAD: &str = "### What findings say, by the key of the English text: in the placeholders stand figures and names.\n\n";

/// The texts of a file.
struct Texts {
    found: BTreeSet<String>,
    /// Whether every text with a blank is a sentence here, and not only what ends with a full stop.
    all: bool,
}

impl<'ast> Visit<'ast> for Texts {
    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        if module.ident != "tests" {
            syn::visit::visit_item_mod(self, module);
        }
    }

    fn visit_macro(&mut self, called: &'ast Macro) {
        if called.path.is_ident("said") || called.path.is_ident("word") {
            let tokens = called.tokens.clone();
            let first = tokens.into_iter().next().unwrap();
            let literal: LitStr = syn::parse_str(&first.to_string()).unwrap();
            self.found.insert(literal.value());
        }
    }

    fn visit_expr_struct(&mut self, made: &'ast ExprStruct) {
        match made.path.is_ident("Check") || made.path.is_ident("Resolution") {
            // Of a resolution its source and what of it decides nothing are told.
            true => made.fields.iter().for_each(|field| self.field(field)),
            false => visit_expr_struct(self, made),
        }
    }

    fn visit_lit_str(&mut self, literal: &'ast LitStr) {
        let text = literal.value();
        let is_sentence = text.contains(' ') && (self.all || text.ends_with('.'));
        if is_sentence && !text.contains('{') {
            self.found.insert(text);
        }
    }

    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
}

impl Texts {
    fn field(&mut self, field: &FieldValue) {
        let told = match &field.member {
            Member::Named(name) => name == "source" || name == "words",
            Member::Unnamed(_) => false,
        };
        if told
            && let syn::Expr::Lit(value) = &field.expr
            && let syn::Lit::Str(text) = &value.lit
            && has_words(&text.value())
        {
            self.found.insert(text.value());
        }
    }
}

/// Whether it is more than a name or an amount, which are the same in every language.
fn has_words(text: &str) -> bool {
    let is_word = |word: &str| word.len() > 1 && word.chars().all(|c| c.is_ascii_lowercase());
    text.split(' ').any(is_word)
}

fn gather(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && stem == "comparison" {
            // What else it says is of no sentence.
            of_file(&path.join("refusal.rs"), found);
        } else if path.is_dir() {
            gather(&path, found);
        } else if stem != "tests" && stem != "samples" {
            of_file(&path, found);
        }
    }
}

fn of_file(path: &Path, found: &mut BTreeSet<String>) {
    let file = syn::parse_file(&fs::read_to_string(path).unwrap()).unwrap();
    let mut texts = Texts {
        found: BTreeSet::new(),
        all: path.ends_with("coverage/needs.rs"),
    };
    texts.visit_file(&file);
    found.append(&mut texts.found);
}

/// The texts by their keys.
fn texts() -> BTreeMap<String, String> {
    let mut found = BTreeSet::new();
    gather(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../judge/src"),
        &mut found,
    );
    let count = found.len();
    let by_key: BTreeMap<String, String> = found
        .into_iter()
        .map(|text| (SaidPart::new(&text).key, text))
        .collect();
    assert_eq!(by_key.len(), count, "two texts have one key");
    by_key
}

fn catalogue() -> String {
    let message = |(key, text): (String, String)| {
        let text = text.replace('{', "{ $").replace('}', " }");
        format!("said-{key} = {text}\n")
    };
    HEAD.to_owned() + &texts().into_iter().map(message).collect::<String>()
}

#[test]
fn the_english_catalogue_has_the_sentences_of_findings() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../language/catalogues/en/findings.ftl");
    if std::env::var_os("ETALON_BLESS").is_some() {
        fs::write(&path, catalogue()).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), catalogue());
}
