-- What a session chose for the user by its end, as JSON.
CREATE TABLE choice (
    experiment_id   INTEGER PRIMARY KEY REFERENCES experiment (id),
    choices_json    TEXT NOT NULL
) STRICT;
