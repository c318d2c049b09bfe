//! Where the arm is, and how long it takes to be at a place and an angle.

use super::{Geometry, HddFigures, SeekCurve};

/// The arm with its heads over a cylinder.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arm {
    cylinder: u64,
    seek: SeekCurve,
    turn_ns: u64,
}

impl Arm {
    pub(super) fn new(figures: &HddFigures) -> Arm {
        Arm {
            cylinder: 0,
            seek: figures.seek,
            turn_ns: figures.turn_ns(),
        }
    }

    /// When a head is over the begin of a byte, if the arm sets out at this time.
    pub(super) fn over_ns(&self, geometry: &Geometry, at_ns: u64, byte: u64) -> u64 {
        self.over_place_ns(at_ns, geometry.cylinder(byte), geometry.place_ns(byte))
    }

    /// The same for a place whose cylinder is known.
    pub(super) fn over_place_ns(&self, at_ns: u64, cylinder: u64, place_ns: u64) -> u64 {
        let settled = at_ns + self.seek.seek_ns(cylinder.abs_diff(self.cylinder));
        next_pass_ns(settled, place_ns, self.turn_ns)
    }

    /// The arm is over this byte from now on.
    pub(super) fn move_over(&mut self, geometry: &Geometry, byte: u64) {
        self.cylinder = geometry.cylinder(byte);
    }
}

/// When the angle of a place comes by next.
pub(super) fn next_pass_ns(at_ns: u64, place_ns: u64, turn_ns: u64) -> u64 {
    // How far the angle lies ahead, or how far it is behind.
    match place_ns.checked_sub(at_ns) {
        Some(ahead) => at_ns + ahead % turn_ns,
        None => match (at_ns - place_ns) % turn_ns {
            0 => at_ns,
            behind => at_ns + turn_ns - behind,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::next_pass_ns;

    #[test]
    fn an_angle_comes_by_once_in_a_turn() {
        assert_eq!(next_pass_ns(1_000, 250, 100), 1_050);
        assert_eq!(next_pass_ns(1_060, 250, 100), 1_150);
        assert_eq!(next_pass_ns(1_050, 250, 100), 1_050);
    }
}
