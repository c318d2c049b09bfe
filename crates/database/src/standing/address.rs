//! What is no address of a server that stands.

use etalon_work::{Parameter, ParameterError};

/// Why a text is no address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoAddress {
    /// It is none, or lacks user or host.
    Form,
    /// It has a password, which others would see.
    Password,
    /// It wants an encrypted connection.
    Encryption,
}

/// How an engine wants its addresses.
#[derive(Debug)]
pub(crate) struct AddressForms {
    /// The parameter that takes one.
    pub(crate) url: &'static Parameter,
    /// The forms of one.
    pub(crate) forms: &'static str,
    /// The variable from which a password comes: whatever is typed is seen in the list of processes.
    pub(crate) password: &'static str,
}

impl AddressForms {
    /// Why `text` is refused; no password is quoted.
    pub(crate) fn refused(&self, text: &str, why: NoAddress) -> ParameterError {
        let (value, wanted) = match why {
            NoAddress::Form => (
                without_password(text),
                format!("an address as {}", self.forms),
            ),
            NoAddress::Password => ("(with a password)", self.without_password()),
            NoAddress::Encryption => (text, WITHOUT_ENCRYPTION.to_owned()),
        };
        ParameterError::Value {
            name: self.url.name,
            value: value.to_owned(),
            wanted,
        }
    }

    fn without_password(&self) -> String {
        let variable = self.password;
        format!("an address without a password: others would see it; set {variable}")
    }
}

const WITHOUT_ENCRYPTION: &str =
    "an address without sslmode=require: etalon speaks without encryption";

/// What may be quoted of an address that cannot be read: a password stands in front of the host or behind a question mark.
fn without_password(text: &str) -> &str {
    let end = text.find("://").map_or(0, |scheme| scheme + 3);
    match text.contains('@') || text.contains('?') {
        true => &text[..end],
        false => text,
    }
}
