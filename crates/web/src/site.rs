//! A web site made from a seed: pages, each with its images.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use etalon_units::Bytes;
use etalon_work::{InputRecord, Parameter, ParameterError, Step, Values, WorkError};
use rand::{RngExt as _, SeedableRng as _};
use rand_distr::{Distribution as _, LogNormal};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::address::Origin;
use crate::limits::ClientLimits;
use crate::parameters::{IMAGE_SIZE, IMAGES, PAGE_SIZE, PAGES};

/// How far sizes spread: the body of the sizes of web files is log-normal with this sigma (Barford and Crovella,
/// "Generating representative web workloads", SIGMETRICS 1998, table 1).
const SIGMA: f64 = 1.318;
/// No size is further from the median than by this factor, so that the amount does not hang on one file.
const MOST: f64 = 16.0;
/// Mean and standard deviation of a size over its median: those of the log-normal distribution cut at both ends, by
/// its moments between them (Aitchison and Brown, "The Lognormal Distribution", 1957, section 9.1).
const MEAN: f64 = 2.153;
const DEVIATION: f64 = 3.09;

/// Written at once; no file is held whole.
const PIECE: usize = 64 << 10;

/// Odd, so that no two pages share their random numbers, and another than the step of the generator's own seeding.
const SPREAD: u64 = 0xD134_2543_DE82_EF95;

/// One file that is fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Resource {
    /// Its server; `None` for the one that serves the site.
    pub(crate) origin: Option<Origin>,
    /// Its path on the server, from the slash on.
    pub(crate) path: String,
    /// How long it is; `None` where only the server knows.
    pub(crate) bytes: Option<u64>,
}

/// A page and what a browser fetches with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SitePage {
    pub(crate) html: Resource,
    pub(crate) images: Vec<Resource>,
}

/// All pages of a site, of which none is held: each is made from its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Site {
    pages: u64,
    images: u64,
    page_size: Bytes,
    image_size: Bytes,
    seed: u64,
}

impl Site {
    /// The site of a seed; nothing is written yet.
    ///
    /// # Errors
    /// [`ParameterError`] for sizes of which no browser takes the largest file.
    pub(crate) fn new(values: &Values, seed: u64) -> Result<Site, ParameterError> {
        Ok(Site {
            pages: values.count(&PAGES),
            images: values.count(&IMAGES),
            page_size: median(values, &PAGE_SIZE)?,
            image_size: median(values, &IMAGE_SIZE)?,
            seed,
        })
    }

    /// Its pages.
    pub(crate) fn pages(&self) -> u64 {
        self.pages
    }

    /// Images of each page.
    pub(crate) fn images(&self) -> u64 {
        self.images
    }

    /// Files of it.
    pub(crate) fn files(&self) -> u64 {
        self.pages.saturating_mul(self.images + 1)
    }

    /// Bytes of all files at most, but for one site in a million: the mean and five standard errors.
    pub(crate) fn most_bytes(&self) -> Bytes {
        let of = |files: u64, median: Bytes| {
            let files = files as f64;
            (files * MEAN + 5.0 * DEVIATION * files.sqrt()) * median.as_f64() + files
        };
        let images = self.pages.saturating_mul(self.images);
        let bytes = of(self.pages, self.page_size) + of(images, self.image_size);
        Bytes(bytes.ceil() as u64)
    }

    /// The page of that number.
    pub(crate) fn page(&self, number: u64) -> SitePage {
        let mut random = self.random(number, 0);
        let mut file = |path: String, median| Resource {
            origin: None,
            path,
            bytes: Some(size(median, &mut random)),
        };
        SitePage {
            html: file(format!("/page-{number}.html"), self.page_size),
            images: (0..self.images)
                .map(|image| file(format!("/image-{number}-{image}.jpg"), self.image_size))
                .collect(),
        }
    }

    /// What decides the sizes (`purpose` 0) or the contents of the page of that number.
    fn random(&self, number: u64, purpose: u64) -> Xoshiro256PlusPlus {
        let mixed = number.wrapping_mul(2).wrapping_add(purpose);
        Xoshiro256PlusPlus::seed_from_u64(self.seed ^ mixed.wrapping_mul(SPREAD))
    }

    /// Writes all files into the directory `root`, which is there, and notes them as the input.
    ///
    /// # Errors
    /// The kernel's, with the file, and [`WorkError::Stopped`].
    pub(crate) fn write(&self, root: &Path, step: &Step<'_>) -> Result<InputRecord, WorkError> {
        let mut bytes = 0;
        for number in 0..self.pages {
            let (page, mut random) = (self.page(number), self.random(number, 1));
            step.go_on()?;
            bytes += put(root, &page.html, |file| html(&page, &mut random, file))?;
            for image in &page.images {
                step.go_on()?;
                bytes += put(root, image, |file| noise(image, &mut random, file))?;
            }
        }
        Ok(InputRecord {
            source: format!("generated: a site of {} pages", self.pages),
            files: self.files(),
            bytes: Bytes(bytes),
            compressibility: None,
        })
    }
}

/// A median whose largest file a browser still takes.
fn median(values: &Values, parameter: &Parameter) -> Result<Bytes, ParameterError> {
    let most = Bytes((ClientLimits::default().body as f64 / MOST) as u64);
    let median = values.size(parameter);
    (median <= most)
        .then_some(median)
        .ok_or_else(|| ParameterError::Value {
            name: parameter.name,
            value: values.text(parameter).to_owned(),
            wanted: format!("a size from 1 byte to {most}: no file is longer than {MOST} times it"),
        })
}

fn size(median: Bytes, random: &mut Xoshiro256PlusPlus) -> u64 {
    let factor = LogNormal::new(0.0, SIGMA).map_or(1.0, |sizes| sizes.sample(random));
    let factor = factor.clamp(1.0 / MOST, MOST);
    (median.as_f64() * factor).ceil() as u64
}

/// Writes one file by `fill`; gives its length.
fn put(
    root: &Path,
    resource: &Resource,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<u64, WorkError> {
    let path = root.join(resource.path.trim_start_matches('/'));
    let file = File::create_new(&path).map_err(WorkError::io("create the file", &path))?;
    let mut file = BufWriter::with_capacity(PIECE, file);
    fill(&mut file)
        .and_then(|()| file.flush())
        .map_err(WorkError::io("write the file", &path))?;
    Ok(resource.bytes.unwrap_or(0))
}

/// Bytes that nothing compresses.
fn noise(
    image: &Resource,
    random: &mut Xoshiro256PlusPlus,
    file: &mut dyn Write,
) -> io::Result<()> {
    let mut left = image.bytes.unwrap_or(0);
    let mut piece = vec![0; left.min(PIECE as u64) as usize];
    while left > 0 {
        let length = left.min(PIECE as u64);
        let piece = &mut piece[..length as usize];
        random.fill(piece);
        file.write_all(piece)?;
        left -= length;
    }
    Ok(())
}

/// A page that names its images, filled up with paragraphs of hexadecimal words.
fn html(page: &SitePage, random: &mut Xoshiro256PlusPlus, file: &mut dyn Write) -> io::Result<()> {
    let mut left = page.html.bytes.unwrap_or(0);
    let mut line = |text: &str| {
        let length = left.min(text.len() as u64);
        left -= length;
        file.write_all(&text.as_bytes()[..length as usize])?;
        Ok::<bool, io::Error>(left > 0)
    };
    line("<!doctype html><title>etalon</title>\n")?;
    for image in &page.images {
        line(&format!("<img src=\"{}\" alt=\"\">\n", image.path))?;
    }
    while line(&format!("<p>{:x}\n", random.random::<u128>()))? {}
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::PARAMETERS;

    fn values(given: &[(&str, &str)]) -> Values {
        let given = given
            .iter()
            .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()));
        Values::parse(&PARAMETERS, &given.collect::<Vec<_>>()).unwrap()
    }

    fn site(seed: u64) -> Site {
        Site::new(&values(&[("pages", "200")]), seed).unwrap()
    }

    fn pages(site: &Site) -> Vec<SitePage> {
        (0..site.pages()).map(|number| site.page(number)).collect()
    }

    fn bytes(site: &Site) -> u64 {
        let pages = pages(site).into_iter();
        let files = pages.flat_map(|page| std::iter::once(page.html).chain(page.images));
        files.filter_map(|file| file.bytes).sum()
    }

    #[test]
    fn the_same_seed_makes_the_same_site_with_the_median_that_was_asked_for() {
        assert_eq!(pages(&site(3)), pages(&site(3)));
        assert_ne!(pages(&site(3)), pages(&site(4)));
        assert_eq!((site(3).pages(), site(3).files()), (200, 1400));
        let images = pages(&site(3)).into_iter().flat_map(|page| page.images);
        let mut sizes: Vec<u64> = images.filter_map(|image| image.bytes).collect();
        sizes.sort_unstable();
        let median = sizes[sizes.len() / 2];
        assert!((28 << 10..37 << 10).contains(&median), "{median}");
        assert!(sizes[0] >= 2 << 10 && sizes[sizes.len() - 1] <= 512 << 10);
    }

    #[test]
    fn the_bytes_that_are_asked_for_are_enough_and_not_many_more() {
        for (seed, count) in [(1, "1"), (2, "20"), (3, "5000")] {
            let site = Site::new(&values(&[("pages", count)]), seed).unwrap();
            assert!(site.most_bytes().get() >= bytes(&site), "{count} pages");
        }
        let large = Site::new(&values(&[("pages", "5000")]), 9).unwrap();
        let share = large.most_bytes().as_f64() / bytes(&large) as f64;
        assert!((1.0..1.1).contains(&share), "{share}");
    }

    #[test]
    fn the_largest_site_is_counted_without_being_made_and_no_file_is_too_long() {
        let most = values(&[
            ("pages", "1000000"),
            ("images", "1000"),
            ("image_size", "16M"),
        ]);
        let site = Site::new(&most, 1).unwrap();
        assert_eq!(site.files(), 1_001_000_000);
        assert!(site.most_bytes() > Bytes::gib(30_000_000));
        let told = Site::new(&values(&[("page_size", "17M")]), 1).unwrap_err();
        let told = told.to_string();
        assert!(
            told.contains("page_size: '17M'") && told.contains("16 MiB"),
            "{told}"
        );
    }

    #[test]
    fn a_page_names_its_images_and_files_are_as_long_as_they_say() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let page = pages(&site(5))
            .into_iter()
            .find(|page| page.html.bytes > Some(2000))
            .unwrap();
        let mut text = Vec::new();
        html(&page, &mut random, &mut text).unwrap();
        assert_eq!(Some(text.len() as u64), page.html.bytes);
        let text = String::from_utf8(text).unwrap();
        assert!(page.images.iter().all(|image| text.contains(&image.path)));
        let long = Resource {
            bytes: Some(200_000),
            ..page.html
        };
        let mut image = Vec::new();
        noise(&long, &mut random, &mut image).unwrap();
        assert_eq!(image.len(), 200_000);
    }
}
