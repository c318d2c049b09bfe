//! A web site made from a seed: pages, each with its images.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use etalon_units::Bytes;
use etalon_work::{InputRecord, Step, Values, WorkError};
use rand::{RngExt as _, SeedableRng as _};
use rand_distr::{Distribution as _, LogNormal};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::address::Origin;
use crate::parameters::{IMAGE_SIZE, IMAGES, PAGE_SIZE, PAGES};

/// How far sizes spread: the body of the sizes of web files is log-normal with this sigma (Barford and Crovella,
/// "Generating representative web workloads", SIGMETRICS 1998, table 1).
const SIGMA: f64 = 1.318;
/// No size is further from the median than by this factor, so that the amount does not hang on one file.
const MOST: f64 = 16.0;

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
pub(crate) struct Page {
    pub(crate) html: Resource,
    pub(crate) images: Vec<Resource>,
}

/// All pages of a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Site {
    pub(crate) pages: Vec<Page>,
    seed: u64,
}

impl Site {
    /// The site of a seed; nothing is written yet.
    pub(crate) fn new(values: &Values, seed: u64) -> Site {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let images = values.count(&IMAGES);
        let pages = (0..values.count(&PAGES)).map(|page| Page {
            html: Resource {
                origin: None,
                path: format!("/page-{page}.html"),
                bytes: Some(size(values.size(&PAGE_SIZE), &mut random)),
            },
            images: (0..images)
                .map(|image| Resource {
                    origin: None,
                    path: format!("/image-{page}-{image}.jpg"),
                    bytes: Some(size(values.size(&IMAGE_SIZE), &mut random)),
                })
                .collect(),
        });
        Site {
            pages: pages.collect(),
            seed,
        }
    }

    /// Files of it.
    pub(crate) fn files(&self) -> u64 {
        self.resources().count() as u64
    }

    /// Bytes of all of them.
    pub(crate) fn bytes(&self) -> Bytes {
        Bytes(self.resources().filter_map(|resource| resource.bytes).sum())
    }

    /// What is noted of it as the input.
    pub(crate) fn record(&self) -> InputRecord {
        InputRecord {
            source: format!("generated: a site of {} pages", self.pages.len()),
            files: self.files(),
            bytes: self.bytes(),
            compressibility: None,
        }
    }

    fn resources(&self) -> impl Iterator<Item = &Resource> {
        self.pages
            .iter()
            .flat_map(|page| std::iter::once(&page.html).chain(&page.images))
    }

    /// Writes all files into the directory `root`, which is there.
    pub(crate) fn write(&self, root: &Path, step: &Step<'_>) -> Result<(), WorkError> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.seed ^ 0x7369_7465);
        for page in &self.pages {
            step.go_on()?;
            write(root, &page.html, &html(page, &mut random))?;
            for image in &page.images {
                let mut bytes = vec![0; image.bytes.unwrap_or(0) as usize];
                random.fill(&mut bytes[..]);
                write(root, image, &bytes)?;
            }
        }
        Ok(())
    }
}

fn size(median: Bytes, random: &mut Xoshiro256PlusPlus) -> u64 {
    let factor = LogNormal::new(0.0, SIGMA).map_or(1.0, |sizes| sizes.sample(random));
    let factor = factor.clamp(1.0 / MOST, MOST);
    (median.as_f64() * factor).ceil() as u64
}

fn write(root: &Path, resource: &Resource, bytes: &[u8]) -> Result<(), WorkError> {
    let path = root.join(resource.path.trim_start_matches('/'));
    let file = File::create_new(&path).map_err(WorkError::io("create the file", &path))?;
    let mut file = BufWriter::new(file);
    file.write_all(bytes)
        .and_then(|()| file.flush())
        .map_err(WorkError::io("write the file", &path))
}

/// A page that names its images, filled up with paragraphs of hexadecimal words.
fn html(page: &Page, random: &mut Xoshiro256PlusPlus) -> Vec<u8> {
    let length = page.html.bytes.unwrap_or(0) as usize;
    let mut text = String::from("<!doctype html><title>etalon</title>\n");
    for image in &page.images {
        text.push_str(&format!("<img src=\"{}\" alt=\"\">\n", image.path));
    }
    while text.len() < length {
        text.push_str(&format!("<p>{:x}\n", random.random::<u128>()));
    }
    text.truncate(length);
    text.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::PARAMETERS;

    fn site(seed: u64) -> Site {
        let given = [("pages".to_owned(), "200".to_owned())];
        Site::new(&Values::parse(&PARAMETERS, &given).unwrap(), seed)
    }

    #[test]
    fn the_same_seed_makes_the_same_site_with_the_median_that_was_asked_for() {
        assert_eq!(site(3), site(3));
        assert_ne!(site(3), site(4));
        let site = site(3);
        assert_eq!((site.pages.len(), site.files()), (200, 1400));
        let images = site.pages.iter().flat_map(|page| &page.images);
        let mut sizes: Vec<u64> = images.filter_map(|image| image.bytes).collect();
        sizes.sort_unstable();
        let median = sizes[sizes.len() / 2];
        assert!((28 << 10..37 << 10).contains(&median), "{median}");
        assert!(sizes[0] >= 2 << 10 && sizes[sizes.len() - 1] <= 512 << 10);
    }

    #[test]
    fn a_page_names_its_images_and_is_as_long_as_it_says() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let site = site(5);
        let page = site
            .pages
            .iter()
            .find(|page| page.html.bytes > Some(2000))
            .unwrap();
        let text = html(page, &mut random);
        assert_eq!(Some(text.len() as u64), page.html.bytes);
        let text = String::from_utf8(text).unwrap();
        assert!(page.images.iter().all(|image| text.contains(&image.path)));
    }
}
