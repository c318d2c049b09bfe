//! How a connection begins: who it is for, and the proof that the server asks for.

use std::io::{Read, Write};

use fallible_iterator::FallibleIterator as _;
use postgres_protocol::authentication::md5_hash;
use postgres_protocol::authentication::sasl::{ChannelBinding, SCRAM_SHA_256, ScramSha256};
use postgres_protocol::message::backend::{AuthenticationSaslBody, Message};
use postgres_protocol::message::frontend;

use super::address::Login;
use super::wire::{Messages, PostgresqlError};

/// By what the server knows a connection that is to be interrupted.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Key {
    pub(super) process: i32,
    pub(super) secret: i32,
}

/// Introduces whoever logs in, and waits until the server is ready.
pub(super) fn greet<S: Read + Write>(
    messages: &mut Messages<S>,
    login: &Login,
) -> Result<Key, PostgresqlError> {
    let words = [
        ("client_encoding", Some("UTF8")),
        ("user", Some(login.user.as_str())),
        ("database", login.database.as_deref()),
        ("options", login.options.as_deref()),
        ("application_name", Some("etalon")),
    ];
    let words = words
        .iter()
        .filter_map(|(name, value)| value.map(|value| (*name, value)));
    messages.send(|out| frontend::startup_message(words, out))?;
    prove(messages, login)?;
    let mut key = Key::default();
    loop {
        match messages.next()? {
            Message::BackendKeyData(body) => {
                key = Key {
                    process: body.process_id(),
                    secret: body.secret_key(),
                };
            }
            Message::ReadyForQuery(_) => return Ok(key),
            _ => return Err(PostgresqlError::Protocol("an answer before a question")),
        }
    }
}

/// Gives the proof that the server asks for, and waits until it is taken.
fn prove<S: Read + Write>(
    messages: &mut Messages<S>,
    login: &Login,
) -> Result<(), PostgresqlError> {
    let password = || login.password.as_deref().ok_or(PostgresqlError::NoPassword);
    match messages.next()? {
        Message::AuthenticationOk => return Ok(()),
        Message::AuthenticationCleartextPassword => {
            let password = password()?;
            messages.send(|out| frontend::password_message(password, out))?;
        }
        Message::AuthenticationMd5Password(body) => {
            let proof = md5_hash(login.user.as_bytes(), password()?, body.salt());
            messages.send(|out| frontend::password_message(proof.as_bytes(), out))?;
        }
        Message::AuthenticationSasl(body) => scram(messages, &body, password()?)?,
        Message::AuthenticationKerberosV5 => return Err(PostgresqlError::Way("Kerberos")),
        Message::AuthenticationGss => return Err(PostgresqlError::Way("GSSAPI")),
        Message::AuthenticationSspi => return Err(PostgresqlError::Way("SSPI")),
        _ => return Err(PostgresqlError::Protocol("no question for a proof")),
    }
    match messages.next()? {
        Message::AuthenticationOk => Ok(()),
        _ => Err(PostgresqlError::Protocol("no end of the proof")),
    }
}

/// SCRAM-SHA-256 (RFC 7677), without what binds it to an encrypted connection.
fn scram<S: Read + Write>(
    messages: &mut Messages<S>,
    asked: &AuthenticationSaslBody,
    password: &[u8],
) -> Result<(), PostgresqlError> {
    let mut ways = asked.mechanisms();
    if !ways.any(|way| Ok(way == SCRAM_SHA_256))? {
        return Err(PostgresqlError::Way(
            "another way of SASL than SCRAM-SHA-256",
        ));
    }
    let mut proof = ScramSha256::new(password, ChannelBinding::unsupported());
    messages.send(|out| frontend::sasl_initial_response(SCRAM_SHA_256, proof.message(), out))?;
    let Message::AuthenticationSaslContinue(body) = messages.next()? else {
        return Err(PostgresqlError::Protocol("no challenge"));
    };
    proof.update(body.data())?;
    messages.send(|out| frontend::sasl_response(proof.message(), out))?;
    let Message::AuthenticationSaslFinal(body) = messages.next()? else {
        return Err(PostgresqlError::Protocol("no proof of the server's own"));
    };
    Ok(proof.finish(body.data())?)
}
