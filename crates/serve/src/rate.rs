//! How often one address may ask.

use std::collections::HashMap;
use std::net::IpAddr;
use std::time::Instant;

use crate::limits::Limits;

/// Addresses that are remembered; those that have not asked for long go first.
const MOST_ADDRESSES: usize = 1024;

/// A token bucket for each address (RFC 2697 has the idea).
#[derive(Debug)]
pub(crate) struct Rate {
    burst: f64,
    per_second: f64,
    buckets: HashMap<IpAddr, Bucket>,
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    left: f64,
    at: Instant,
}

impl Rate {
    pub(crate) fn new(limits: &Limits) -> Rate {
        Rate {
            burst: f64::from(limits.burst),
            per_second: f64::from(limits.per_second),
            buckets: HashMap::new(),
        }
    }

    /// Whether this address may ask once more.
    pub(crate) fn allows(&mut self, address: IpAddr, now: Instant) -> bool {
        let address = site_of(address);
        if self.buckets.len() >= MOST_ADDRESSES && !self.buckets.contains_key(&address) {
            self.forget();
        }
        let full = Bucket {
            left: self.burst,
            at: now,
        };
        let bucket = self.buckets.entry(address).or_insert(full);
        let passed = now.saturating_duration_since(bucket.at).as_secs_f64();
        let left = (bucket.left + passed * self.per_second).min(self.burst);
        let allowed = left >= 1.0;
        *bucket = Bucket {
            left: if allowed { left - 1.0 } else { left },
            at: now,
        };
        allowed
    }

    /// The half that asked longest ago.
    fn forget(&mut self) {
        let mut times: Vec<Instant> = self.buckets.values().map(|bucket| bucket.at).collect();
        times.sort_unstable();
        let middle = times[times.len() / 2];
        self.buckets.retain(|_, bucket| bucket.at > middle);
    }
}

/// Who has an IPv6 address has all 2^64 of its network.
fn site_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(six) => IpAddr::V6((six.to_bits() >> 64 << 64).into()),
        four => four,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn rate() -> Rate {
        Rate::new(&Limits {
            burst: 2,
            per_second: 1,
            ..Limits::default()
        })
    }

    #[test]
    fn each_address_has_its_own_burst_and_gets_it_back_with_time() {
        let (mut rate, now) = (rate(), Instant::now());
        let [here, there] = [1, 2].map(|n| IpAddr::from([10, 0, 0, n]));
        let asked = [(); 3].map(|()| rate.allows(here, now));
        assert_eq!(asked, [true, true, false]);
        assert!(rate.allows(there, now));
        let later = now + Duration::from_secs(1);
        assert_eq!([(); 2].map(|()| rate.allows(here, later)), [true, false]);
    }

    #[test]
    fn an_ipv6_network_is_one_address() {
        let (mut rate, now) = (rate(), Instant::now());
        let allowed = (0..5u16).filter(|n| {
            let address = IpAddr::from([0xfd00, 0, 0, 0, 0, 0, 0, *n]);
            rate.allows(address, now)
        });
        assert_eq!(allowed.count(), 2);
    }

    #[test]
    fn no_more_addresses_are_remembered_than_there_is_room_for() {
        let (mut rate, now) = (rate(), Instant::now());
        for n in 0..5000u64 {
            let four = u32::try_from(n).unwrap().to_be_bytes();
            assert!(rate.allows(four.into(), now + Duration::from_millis(n)));
        }
        assert!(rate.buckets.len() <= MOST_ADDRESSES);
    }
}
