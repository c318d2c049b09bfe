//! What fdtree says of a tree that is not made: what is wrong, and the option that changes it.

use etalon_workload::tree::{ShapeError, TreeError};

/// The error in the words of the command line.
pub(super) fn refusal(error: &TreeError) -> String {
    let way_out = match error {
        TreeError::Shape(ShapeError::TooMany { .. }) => {
            "lower -l first: the number grows as -d to the power of -l"
        }
        TreeError::Shape(ShapeError::TooLarge { .. }) => "lower -s",
        TreeError::Shape(ShapeError::TooDeep { .. }) => "lower -l",
        TreeError::Start { .. } => "give a directory that can be written by -o",
        TreeError::NoTree(_) => "give the directory that 'fdtree -C' printed by -o",
        TreeError::SeveralTrees { .. } => "name one of them by -o",
        _ => return error.to_string(),
    };
    format!("{error}; {way_out}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use etalon_workload::tree::TreeShape;

    #[test]
    fn what_is_wrong_with_a_shape_names_the_option_to_lower() {
        let shape = |levels, directories, blocks| TreeShape {
            levels,
            directories,
            files: 9,
            blocks,
        };
        for (shape, way_out) in [
            (shape(40, 99, 1), "; lower -l first"),
            (shape(1, 1, 1 << 60), "; lower -s"),
            (shape(2000, 1, 1), "; lower -l"),
        ] {
            let said = refusal(&shape.check().unwrap_err().into());
            assert!(said.contains(way_out), "{said}");
        }
    }
}
