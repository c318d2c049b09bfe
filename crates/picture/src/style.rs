//! How marks look: one table for the page's style sheet, for files of their own and for pixels.

/// Conditions that can be told apart in one picture; more take the colours again, dashed.
pub const SERIES: usize = 6;

/// What a mark stands for, from which its look follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// The line of an axis.
    Axis,
    /// A line of the grid.
    Grid,
    /// The figure at a tick.
    Tick,
    /// A small remark or an axis' title.
    Note,
    /// Plain text.
    Label,
    /// Text in bold.
    Strong,
    /// A dotted line where something changes.
    Cut,
    /// An interval without a condition of its own.
    Band,
    /// A median without a condition of its own.
    Median,
    /// One run.
    Run,
    /// One run that does not count, or a doubtful figure.
    Hollow,
    /// The interval of what is doubtful.
    DoubtBand,
    /// A doubtful figure's line.
    DoubtLine,
    /// The beginning of a run, which does not count.
    WarmUp,
    /// Where two figures count as equal.
    Equal,
    /// A cell of a heat map.
    Ramp,
    /// A doubtful cell of a heat map.
    Doubtful,
    /// Italic grey text of a doubtful figure.
    DoubtText,
    /// A layer of a storage stack.
    Box,
    /// A layer with a warning.
    WarnedBox,
    /// The paper of a warning.
    WarnPaper,
    /// A warning's bar or sign.
    WarnBar,
    /// A warning's text.
    WarnText,
    /// A link between layers.
    Flow,
    /// A condition's line.
    Line(u8),
    /// A condition's thin line.
    Thin(u8),
    /// A condition's interval.
    SeriesBand(u8),
    /// A condition's dot.
    Dot(u8),
    /// A condition's name.
    Name(u8),
    /// A facet of a condition's surface.
    Facet(u8),
    /// A doubtful facet of it.
    DoubtFacet(u8),
}

/// A colour by what it is for, light and dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Colour {
    Ink,
    Muted,
    Hair,
    Rule,
    Accent,
    Panel,
    Ground,
    Doubt,
    Ramp,
    Warn,
    WarnPaper,
    Series(u8),
}

/// Light and dark, in the order of [`Colour`]; contrasts with the ground are 4.5 and more for text.
/// The six conditions follow Okabe and Ito, "Color Universal Design" (2008), darkened for light paper.
const COLOURS: [(&str, &str, &str); 11] = [
    ("ink", "#1b1f24", "#e4e7ea"),
    ("mut", "#555d66", "#a4acb5"),
    ("hair", "#dcd9d1", "#2f363e"),
    ("rule", "#8a8f96", "#78818b"),
    ("acc", "#0b6b5d", "#62cbb0"),
    ("panel", "#f4f2ec", "#1c2128"),
    ("bg", "#fcfbf8", "#14181d"),
    ("doubt", "#8d9096", "#7d848c"),
    ("ramp", "#0b8a76", "#3d9c86"),
    ("warn", "#8a5200", "#e8bf6a"),
    ("warnbg", "#f9efd9", "#2b2517"),
];
const CONDITIONS: [(&str, &str); SERIES] = [
    ("#0072b2", "#56b4e9"),
    ("#bb4b00", "#f0a53a"),
    ("#00795b", "#3fcfa0"),
    ("#a03d78", "#e39ac4"),
    ("#3f464e", "#cfd4d9"),
    ("#7a6300", "#e5d352"),
];

impl Colour {
    /// The custom property of the page.
    fn variable(self) -> String {
        match self {
            Colour::Series(n) => format!("s{}", usize::from(n) % SERIES),
            other => COLOURS[other.index()].0.to_owned(),
        }
    }

    /// On light paper, as `#rrggbb`.
    pub(crate) fn light(self) -> &'static str {
        match self {
            Colour::Series(n) => CONDITIONS[usize::from(n) % SERIES].0,
            other => COLOURS[other.index()].1,
        }
    }

    fn index(self) -> usize {
        match self {
            Colour::Ink => 0,
            Colour::Muted => 1,
            Colour::Hair => 2,
            Colour::Rule => 3,
            Colour::Accent => 4,
            Colour::Panel => 5,
            Colour::Ground => 6,
            Colour::Doubt => 7,
            Colour::Ramp => 8,
            Colour::Warn => 9,
            Colour::WarnPaper | Colour::Series(_) => 10,
        }
    }
}

/// How a mark looks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Style {
    pub(crate) fill: Option<Colour>,
    pub(crate) stroke: Option<Colour>,
    pub(crate) width: f64,
    pub(crate) dash: Option<(f64, f64)>,
    pub(crate) opacity: f64,
    /// Height of text; zero for what is none.
    pub(crate) font: f64,
    pub(crate) bold: bool,
}

const PLAIN: Style = Style {
    fill: None,
    stroke: None,
    width: 1.0,
    dash: None,
    opacity: 1.0,
    font: 0.0,
    bold: false,
};

const fn stroke(colour: Colour, width: f64) -> Style {
    Style {
        stroke: Some(colour),
        width,
        ..PLAIN
    }
}

const fn fill(colour: Colour, opacity: f64) -> Style {
    Style {
        fill: Some(colour),
        opacity,
        ..PLAIN
    }
}

const fn text(colour: Colour, font: f64, bold: bool) -> Style {
    Style {
        font,
        bold,
        ..fill(colour, 1.0)
    }
}

const fn both(inside: Colour, edge: Colour, width: f64) -> Style {
    Style {
        fill: Some(inside),
        ..stroke(edge, width)
    }
}

impl Class {
    /// Every class once, each condition included.
    pub(crate) fn all() -> impl Iterator<Item = Class> {
        let of_condition = [
            Class::Line,
            Class::Thin,
            Class::SeriesBand,
            Class::Dot,
            Class::Name,
            Class::Facet,
            Class::DoubtFacet,
        ];
        let conditions = (0u8..12).flat_map(move |n| of_condition.map(|class| class(n)));
        PLAIN_CLASSES
            .iter()
            .map(|(class, _)| *class)
            .chain(conditions)
    }

    /// The class attribute.
    pub fn name(self) -> String {
        match self {
            Class::Line(n) => format!("l{}", n % 12),
            Class::Thin(n) => format!("h{}", n % 12),
            Class::SeriesBand(n) => format!("b{}", n % 12),
            Class::Dot(n) => format!("d{}", n % 12),
            Class::Name(n) => format!("n{}", n % 12),
            Class::Facet(n) => format!("f{}", n % 12),
            Class::DoubtFacet(n) => format!("u{}", n % 12),
            plain => PLAIN_CLASSES
                .iter()
                .find(|(class, _)| *class == plain)
                .map_or_else(String::new, |(_, name)| (*name).to_owned()),
        }
    }

    pub(crate) fn style(self) -> Style {
        use Colour as C;
        match self {
            Class::Axis => stroke(C::Rule, 1.0),
            Class::Grid => stroke(C::Hair, 1.0),
            Class::Tick => text(C::Muted, 11.5, false),
            Class::Note => text(C::Muted, 12.0, false),
            Class::Label => text(C::Ink, 12.0, false),
            Class::Strong => text(C::Ink, 13.0, true),
            Class::Cut => dashed(stroke(C::Rule, 1.0), 2.0, 3.0),
            Class::Band => fill(C::Accent, 0.18),
            Class::Median => stroke(C::Accent, 2.0),
            Class::Run => fill(C::Ink, 0.75),
            Class::Hollow => both(C::Ground, C::Muted, 1.4),
            Class::DoubtBand => fill(C::Doubt, 0.3),
            Class::DoubtLine => dashed(stroke(C::Muted, 2.0), 3.0, 2.0),
            Class::WarmUp => fill(C::Doubt, 0.2),
            Class::Equal => fill(C::Doubt, 0.22),
            Class::Ramp => fill(C::Ramp, 1.0),
            Class::Doubtful => dashed(both(C::Panel, C::Doubt, 1.0), 3.0, 2.0),
            Class::DoubtText => text(C::Muted, 12.0, false),
            Class::Box => both(C::Panel, C::Rule, 1.0),
            Class::WarnedBox => both(C::Panel, C::Warn, 1.8),
            Class::WarnPaper => fill(C::WarnPaper, 1.0),
            Class::WarnBar => fill(C::Warn, 1.0),
            Class::WarnText => text(C::Warn, 12.5, true),
            Class::Flow => fill(C::Accent, 0.5),
            Class::Line(n) => again(stroke(C::Series(n), 2.0), n),
            Class::Thin(n) => again(stroke(C::Series(n), 1.0), n),
            Class::SeriesBand(n) => fill(C::Series(n), 0.18),
            Class::Dot(n) => both(C::Series(n), C::Ground, 0.6),
            Class::Name(n) => text(C::Series(n), 12.5, true),
            Class::Facet(n) => Style {
                opacity: 0.3,
                ..again(both(C::Series(n), C::Series(n), 1.0), n)
            },
            Class::DoubtFacet(n) => Style {
                opacity: 0.35,
                ..again(dashed(both(C::Doubt, C::Series(n), 1.0), 3.0, 2.0), n)
            },
        }
    }
}

const fn dashed(style: Style, on: f64, off: f64) -> Style {
    Style {
        dash: Some((on, off)),
        ..style
    }
}

/// Beyond the six colours they come again, dashed.
fn again(style: Style, n: u8) -> Style {
    match usize::from(n) % 12 < SERIES {
        true => style,
        false => dashed(style, 6.0, 3.0),
    }
}

const PLAIN_CLASSES: [(Class, &str); 24] = [
    (Class::Axis, "ax"),
    (Class::Grid, "gr"),
    (Class::Tick, "tk"),
    (Class::Note, "an"),
    (Class::Label, "lb"),
    (Class::Strong, "sn"),
    (Class::Cut, "ct"),
    (Class::Band, "bn"),
    (Class::Median, "md"),
    (Class::Run, "rd"),
    (Class::Hollow, "ho"),
    (Class::DoubtBand, "db"),
    (Class::DoubtLine, "dl"),
    (Class::WarmUp, "wm"),
    (Class::Equal, "eq"),
    (Class::Ramp, "rp"),
    (Class::Doubtful, "hx"),
    (Class::DoubtText, "hd"),
    (Class::Box, "bx"),
    (Class::WarnedBox, "bw"),
    (Class::WarnPaper, "wp"),
    (Class::WarnBar, "wb"),
    (Class::WarnText, "wt"),
    (Class::Flow, "fl"),
];

/// The page's style sheet for drawings: the colours as custom properties of `:root`, light, dark and
/// by choice (`data-theme`), and a rule for each class.
pub fn style_sheet() -> String {
    let (light, dark) = (variables(|c| c.1, |c| c.0), variables(|c| c.2, |c| c.1));
    let mut sheet = format!(
        ":root{{{light}}}@media screen and (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}}}}}\
         @media screen{{:root[data-theme=dark]{{{dark}}}}}\n"
    );
    sheet.push_str(&rules(|colour| format!("var(--{})", colour.variable())));
    sheet
}

/// The rules alone, for a file on light paper.
pub(crate) fn light_rules() -> String {
    rules(|colour| colour.light().to_owned())
}

fn variables(
    plain: fn(&(&'static str, &'static str, &'static str)) -> &'static str,
    condition: fn(&(&'static str, &'static str)) -> &'static str,
) -> String {
    let named = COLOURS.iter().map(|c| format!("--{}:{};", c.0, plain(c)));
    let conditions = CONDITIONS.iter().enumerate();
    let conditions = conditions.map(|(n, c)| format!("--s{n}:{};", condition(c)));
    named.chain(conditions).collect()
}

fn rules(colour: impl Fn(Colour) -> String) -> String {
    Class::all().map(|class| rule(class, &colour)).collect()
}

fn rule(class: Class, colour: &impl Fn(Colour) -> String) -> String {
    let style = class.style();
    let paint = |paint: Option<Colour>| paint.map_or_else(|| "none".to_owned(), colour);
    let mut rule = format!("svg .{}{{fill:{}", class.name(), paint(style.fill));
    if style.font > 0.0 {
        let weight = if style.bold { 600 } else { 400 };
        rule.push_str(&format!(";font-size:{}px;font-weight:{weight}", style.font));
    }
    if let Some(stroke) = style.stroke {
        rule.push_str(&format!(
            ";stroke:{};stroke-width:{}",
            colour(stroke),
            style.width
        ));
    }
    if let Some((on, off)) = style.dash {
        rule.push_str(&format!(";stroke-dasharray:{on} {off}"));
    }
    if style.opacity < 1.0 {
        let what = match class {
            Class::Facet(_) | Class::DoubtFacet(_) | Class::Run => "fill-opacity",
            _ => "opacity",
        };
        rule.push_str(&format!(";{what}:{}", style.opacity));
    }
    if matches!(class, Class::Name(_)) {
        // Where a name cannot keep off every line, it stands before them.
        let ground = colour(Colour::Ground);
        rule.push_str(&format!(
            ";paint-order:stroke;stroke:{ground};stroke-width:3px;stroke-linejoin:round"
        ));
    }
    rule + "}\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_has_a_name_of_its_own() {
        let mut names: Vec<String> = Class::all().map(Class::name).collect();
        let count = names.len();
        assert!(names.iter().all(|name| !name.is_empty()));
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn every_colour_of_a_rule_is_defined_light_and_dark() {
        let sheet = style_sheet();
        for used in sheet.split("var(").skip(1) {
            let name = used.split(')').next().unwrap();
            assert_eq!(sheet.matches(&format!("{name}:#")).count(), 3, "{name}");
        }
    }
}
