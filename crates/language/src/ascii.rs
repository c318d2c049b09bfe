//! Letters of French and Dutch for terminals that have nothing but ASCII.

/// The text without accents; signs that are no letters stay.
pub(crate) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            'à' | 'â' | 'ä' => plain.push('a'),
            'ç' => plain.push('c'),
            'é' | 'è' | 'ê' | 'ë' => plain.push('e'),
            'î' | 'ï' => plain.push('i'),
            'ô' | 'ö' => plain.push('o'),
            'ù' | 'û' | 'ü' => plain.push('u'),
            'œ' => plain.push_str("oe"),
            'À' | 'Â' => plain.push('A'),
            'Ç' => plain.push('C'),
            'É' | 'È' | 'Ê' => plain.push('E'),
            other => plain.push(other),
        }
    }
    plain
}
