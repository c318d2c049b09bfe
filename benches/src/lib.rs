//! Alternated runs of the engine and its peers, and the ratios between them.
