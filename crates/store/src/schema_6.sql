-- What a page says of the runs of a large experiment, gathered when it ended; made anew of the runs where it is missing.
CREATE TABLE digest (
    experiment_id   INTEGER PRIMARY KEY REFERENCES experiment (id),
    runs            INTEGER NOT NULL,   -- runs that it was made of: with others it says nothing
    digest_json     TEXT NOT NULL,
    digest_crc32    INTEGER NOT NULL
) STRICT;
