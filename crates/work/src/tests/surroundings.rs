//! What a program of etalon's own choice sees of the user's environment.

use std::os::unix::fs::PermissionsExt as _;

use super::*;

/// A tree whose configure script and Makefile fail where they could take another compiler's answer or language.
fn tree() -> tempfile::TempDir {
    let mine = place();
    let script = "#!/bin/sh\ntest \"$LC_ALL\" = C -a \"$CCACHE_DISABLE\" = 1 || exit 7\n\
        printf 'all:\\n\\ttest \"$$LC_ALL\" = C -a \"$$CCACHE_DISABLE\" = 1\\n' > Makefile\n";
    let configure = mine.path().join("configure");
    fs::write(&configure, script).unwrap();
    fs::set_permissions(&configure, fs::Permissions::from_mode(0o755)).unwrap();
    mine
}

#[test]
fn a_build_compiles_again_and_speaks_english() {
    let mine = tree();
    let given = [("tree", &*mine.path().display().to_string())];
    assert_eq!(names(&done("build", &given)), ["configure", "make"]);
}
