-- One row per experiment.
CREATE TABLE experiment (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    schema_version  INTEGER NOT NULL,   -- of the records in JSON columns
    kind            TEXT NOT NULL,      -- quick, measure, passport
    state           TEXT NOT NULL,      -- running, finished, interrupted
    started_unix_ns INTEGER NOT NULL,
    ended_unix_ns   INTEGER,            -- NULL while it runs
    target_path     TEXT NOT NULL,
    target_json     TEXT NOT NULL,
    settings_json   TEXT NOT NULL,
    seed            TEXT NOT NULL,      -- decimal: 64 bits without sign are more than INTEGER holds
    tool_version    TEXT NOT NULL,
    owner           TEXT                -- the process that makes it, for its maker to test
) STRICT;

-- What lay beneath and what the machine was like; runs refer to it.
CREATE TABLE environment (
    id              INTEGER PRIMARY KEY,
    record          BLOB NOT NULL
) STRICT;

-- One row per run, written the moment it ends and never changed.
CREATE TABLE run (
    id                 INTEGER PRIMARY KEY AUTOINCREMENT,
    experiment_id      INTEGER NOT NULL REFERENCES experiment (id),
    environment_id     INTEGER REFERENCES environment (id),
    cell               TEXT NOT NULL,
    block              INTEGER NOT NULL,
    position           INTEGER NOT NULL,
    started_unix_ns    INTEGER NOT NULL,
    elapsed_ns         INTEGER NOT NULL,
    -- Headline figures for queries; the records below are what counts.
    operation          TEXT NOT NULL,
    backend            TEXT NOT NULL,
    duration_ns        INTEGER NOT NULL,
    operations         INTEGER NOT NULL,
    bytes              INTEGER NOT NULL,
    operations_per_s   REAL NOT NULL,
    bytes_per_s        REAL NOT NULL,
    latency_mean_ns    INTEGER,         -- NULL where the count does not allow it
    latency_p50_ns     INTEGER,
    latency_p99_ns     INTEGER,
    latency_p999_ns    INTEGER,
    latency_max_ns     INTEGER,
    cpu_user_ns        INTEGER NOT NULL,
    cpu_system_ns      INTEGER NOT NULL,
    device_read_bytes  INTEGER,         -- NULL where there is no block device
    device_write_bytes INTEGER,
    -- The record as JSON, without what follows it: histograms are HdrHistogram V2; the series is 32
    -- bytes per 100 ms: operations, bytes, sum of latencies in ns and longest latency in ns, each 64
    -- bits, little-endian.
    record_json        TEXT NOT NULL,
    read_histogram     BLOB NOT NULL,
    write_histogram    BLOB NOT NULL,
    metadata_histogram BLOB NOT NULL,
    lag_histogram      BLOB,            -- NULL in a closed loop
    series             BLOB NOT NULL,
    record_crc32       INTEGER NOT NULL,
    -- Parts of the record, for queries.
    workload_json      TEXT AS (record_json -> '$.workload'),
    device_json        TEXT AS (record_json -> '$.device'),
    findings_json      TEXT AS (record_json -> '$.findings')
) STRICT;

CREATE INDEX run_of_experiment ON run (experiment_id, position);

-- One row per cell, written when it is judged.
CREATE TABLE cell (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    experiment_id   INTEGER NOT NULL REFERENCES experiment (id),
    name            TEXT NOT NULL,
    unit            TEXT NOT NULL,      -- of the median: B/s or op/s
    median          REAL,               -- NULL when it is not a number
    runs            INTEGER NOT NULL,
    verdict         TEXT NOT NULL,      -- valid, invalid, undecided
    record_json     TEXT NOT NULL,
    record_crc32    INTEGER NOT NULL,
    UNIQUE (experiment_id, name)
) STRICT;
