-- What people say of experiments; nothing of it is part of a result.
CREATE TABLE note (
    experiment_id   INTEGER PRIMARY KEY REFERENCES experiment (id),
    text            TEXT NOT NULL
) STRICT;

CREATE TABLE tag (
    experiment_id   INTEGER NOT NULL REFERENCES experiment (id),
    word            TEXT NOT NULL,
    PRIMARY KEY (experiment_id, word)
) STRICT;
