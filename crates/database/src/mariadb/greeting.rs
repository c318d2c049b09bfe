//! How a client and a server of MariaDB come to know each other
//! (<https://mariadb.com/docs/server/reference/clientserver-protocol/1-connecting/connection>).

use ring::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};

use super::wire::WireError;

/// Long passwords, protocol 4.1, transactions, secure connection, plugins: what every server has.
const CAPABILITIES: u32 = 0x0000_0001 | 0x0000_0200 | 0x0000_2000 | 0x0000_8000 | 0x0008_0000;

/// utf8mb4_general_ci.
const CHARACTERS: u8 = 45;

/// The one way to prove who one is that is known here; servers ask for it or for others.
const NATIVE: &str = "mysql_native_password";

/// The bytes of a challenge.
const CHALLENGE: usize = 20;

/// What a server says first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Greeting {
    /// The number of the connection, by which a statement of it is ended.
    pub(super) connection: u32,
    pub(super) challenge: [u8; CHALLENGE],
}

/// The form, 10; its version with a zero at the end; the connection's number; eight bytes of the challenge; 19 bytes of
/// other things; the rest of the challenge.
pub(super) fn greeting(payload: &[u8]) -> Result<Greeting, WireError> {
    let wrong = || WireError::Protocol("a greeting that cannot be read");
    let rest = payload.strip_prefix(&[10]).ok_or_else(wrong)?;
    let end = rest.iter().position(|byte| *byte == 0).ok_or_else(wrong)?;
    let rest = rest.get(end + 1..).ok_or_else(wrong)?;
    let number = rest.first_chunk::<4>().ok_or_else(wrong)?;
    let first = rest.get(4..12).ok_or_else(wrong)?;
    let second = rest.get(31..43).ok_or_else(wrong)?;
    let challenge = [first, second].concat().try_into();
    Ok(Greeting {
        connection: u32::from_le_bytes(*number),
        challenge: challenge.map_err(|_| wrong())?,
    })
}

/// What a client answers: its user, with the proof that it knows the password.
pub(super) fn answer(user: &str, password: &[u8], challenge: &[u8; CHALLENGE]) -> Vec<u8> {
    let mut payload = Vec::new();
    payload.extend_from_slice(&CAPABILITIES.to_le_bytes());
    payload.extend_from_slice(&(16u32 << 20).to_le_bytes());
    payload.push(CHARACTERS);
    payload.extend_from_slice(&[0; 23]);
    payload.extend_from_slice(user.as_bytes());
    payload.push(0);
    let proof = proof(password, challenge);
    payload.push(proof.len() as u8);
    payload.extend_from_slice(&proof);
    payload.extend_from_slice(NATIVE.as_bytes());
    payload.push(0);
    payload
}

/// A server's wish for another proof: a way and its challenge, each with a zero at the end. The new proof.
pub(super) fn other_proof(payload: &[u8], password: &[u8]) -> Result<Vec<u8>, WireError> {
    let rest = payload.get(1..).unwrap_or_default();
    let mut parts = rest.splitn(2, |byte| *byte == 0);
    let way = String::from_utf8_lossy(parts.next().unwrap_or_default()).into_owned();
    let challenge = parts.next().and_then(<[u8]>::first_chunk::<CHALLENGE>);
    match challenge.filter(|_| way == NATIVE) {
        Some(challenge) => Ok(proof(password, challenge)),
        None => Err(WireError::Way(way)),
    }
}

/// SHA1(password) XOR SHA1(challenge, SHA1(SHA1(password))); nothing for no password.
fn proof(password: &[u8], challenge: &[u8; CHALLENGE]) -> Vec<u8> {
    if password.is_empty() {
        return Vec::new();
    }
    let of = |bytes: &[u8]| digest(&SHA1_FOR_LEGACY_USE_ONLY, bytes);
    let once = of(password);
    let twice = of(once.as_ref());
    let mixed = of(&[challenge.as_slice(), twice.as_ref()].concat());
    let pairs = once.as_ref().iter().zip(mixed.as_ref());
    pairs.map(|(a, b)| a ^ b).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As MariaDB 10.11 sends it, with a challenge of letters.
    fn sent() -> Vec<u8> {
        let mut sent = b"\x0a5.5.5-10.11.6-MariaDB\0\x2a\0\0\0abcdefgh\0".to_vec();
        sent.extend_from_slice(&[
            0xfe, 0xf7, 45, 2, 0, 0xff, 0x81, 21, 0, 0, 0, 0, 0, 0, 29, 0, 0, 0,
        ]);
        sent.extend_from_slice(b"ijklmnopqrst\0mysql_native_password\0");
        sent
    }

    #[test]
    fn a_greeting_is_read_and_a_cut_one_is_an_error() {
        let found = greeting(&sent()).unwrap();
        let challenge = *b"abcdefghijklmnopqrst";
        let wanted = Greeting {
            connection: 42,
            challenge,
        };
        assert_eq!(found, wanted);
        for length in 0..66 {
            assert!(greeting(&sent()[..length]).is_err(), "{length}");
        }
    }

    #[test]
    fn a_proof_is_that_of_the_protocol() {
        // By Python's hashlib, from the formula of the protocol.
        let proof = proof(b"secret", b"abcdefghijklmnopqrst");
        let text: String = proof.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(text, "8817c50fa779daef010ee7577825b0847df9842e");
        assert!(super::proof(b"", b"abcdefghijklmnopqrst").is_empty());
    }

    #[test]
    fn another_way_to_prove_it_is_named() {
        let native = b"\xfemysql_native_password\0abcdefghijklmnopqrst\0";
        assert_eq!(other_proof(native, b"secret").unwrap().len(), 20);
        let other = other_proof(b"\xfeclient_ed25519\0abc", b"secret").unwrap_err();
        assert!(other.to_string().contains("'client_ed25519'"), "{other}");
        assert!(other_proof(b"\xfe", b"").is_err());
    }
}
