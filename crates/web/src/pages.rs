//! Pages that clients fetch: those of a site, made from their numbers, or those that were named.

use std::borrow::Cow;
use std::sync::Arc;

use crate::site::{Site, SitePage};

/// Pages in the order in which they are fetched; as cheap to copy as one of them.
#[derive(Debug, Clone)]
pub(crate) enum Pages {
    /// Of a site of etalon's own.
    Site(Site),
    /// Named one by one, or in a file.
    Named(Arc<[SitePage]>),
}

impl Pages {
    /// How many there are.
    pub(crate) fn count(&self) -> u64 {
        match self {
            Pages::Site(site) => site.pages(),
            Pages::Named(pages) => pages.len() as u64,
        }
    }

    /// The page of that number, counted around; `None` where there is none at all.
    pub(crate) fn page(&self, number: u64) -> Option<Cow<'_, SitePage>> {
        let number = number.checked_rem(self.count())?;
        match self {
            Pages::Site(site) => Some(Cow::Owned(site.page(number))),
            Pages::Named(pages) => pages.get(usize::try_from(number).ok()?).map(Cow::Borrowed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_counted_around_and_of_none_there_is_none() {
        let site = Site::new(&etalon_work::Values::default(), 1).unwrap();
        let pages = Pages::Site(site.clone());
        assert_eq!(pages.page(419 + 7).unwrap().into_owned(), site.page(7));
        assert!(Pages::Named([].into()).page(3).is_none());
        let named = Pages::Named([site.page(1), site.page(2)].into());
        assert_eq!(
            (named.count(), named.page(5).unwrap().into_owned()),
            (2, site.page(2))
        );
    }
}
