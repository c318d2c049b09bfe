//! Options that have no effect beside the others. Scripts give them all the same, so they are named and not refused.

use etalon_units::quoted;

use super::Options;

impl Options {
    /// What has no effect and why, a sentence for each reason.
    pub(crate) fn ignored(&self) -> Vec<String> {
        let found = [
            self.outside_a_grid(),
            self.beside_one_size(),
            self.second_name(),
            self.spare_names(),
        ];
        found.into_iter().flatten().collect()
    }

    fn outside_a_grid(&self) -> Option<String> {
        let given = given(&[
            (self.min_size.is_some(), "-n"),
            (self.max_size.is_some(), "-g"),
            (self.min_record.is_some(), "-y"),
            (self.max_record.is_some(), "-q"),
            (self.all_records, "-z"),
        ]);
        let given = given.filter(|_| !self.is_grid())?;
        Some(format!("without -a no grid is measured; ignored: {given}"))
    }

    fn beside_one_size(&self) -> Option<String> {
        let what = match self.sizes.as_slice() {
            [size] => format!("-s {size} is the only file size"),
            sizes => format!("-s names all {} file sizes", sizes.len()),
        };
        let given = given(&[
            (self.min_size.is_some(), "-n"),
            (self.max_size.is_some(), "-g"),
        ]);
        let is_named = self.is_grid() && !self.sizes.is_empty();
        let given = given.filter(|_| is_named)?;
        Some(format!("{what}; ignored: {given}"))
    }

    fn second_name(&self) -> Option<String> {
        let (file, first) = (self.file.as_ref()?, self.files.first()?);
        Some(match self.workers() {
            None => format!("-f names the file; ignored: -F {}", quoted(first)),
            Some(_) => format!("-F names the files; ignored: -f {}", quoted(file)),
        })
    }

    fn spare_names(&self) -> Option<String> {
        let most = self.most_workers()?;
        let used = if self.shared { 1 } else { most };
        let spare = self.files.get(used..).filter(|spare| !spare.is_empty())?;
        let spare: Vec<String> = spare.iter().map(quoted).collect();
        let spare = spare.join(", ");
        Some(format!(
            "the workers use {used} of the files of -F; ignored: {spare}"
        ))
    }
}

/// Those of the options that are given.
fn given(options: &[(bool, &str)]) -> Option<String> {
    let given = options.iter().filter(|(is_given, _)| *is_given);
    let names: Vec<&str> = given.map(|&(_, name)| name).collect();
    (!names.is_empty()).then(|| names.join(", "))
}
