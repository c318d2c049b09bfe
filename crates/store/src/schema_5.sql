-- What does not apply to a run, or was not counted of it, is NULL; SQLite takes a NOT NULL away by a new table.
CREATE TABLE run_5 (
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
    backend            TEXT,            -- NULL of a task
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
    cpu_user_ns        INTEGER,         -- NULL where it was not counted
    cpu_system_ns      INTEGER,
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

INSERT INTO run_5 (
    id, experiment_id, environment_id, cell, block, position, started_unix_ns, elapsed_ns,
    operation, backend, duration_ns, operations, bytes, operations_per_s, bytes_per_s,
    latency_mean_ns, latency_p50_ns, latency_p99_ns, latency_p999_ns, latency_max_ns,
    cpu_user_ns, cpu_system_ns, device_read_bytes, device_write_bytes, record_json,
    read_histogram, write_histogram, metadata_histogram, lag_histogram, series, record_crc32
)
SELECT
    id, experiment_id, environment_id, cell, block, position, started_unix_ns, elapsed_ns,
    operation, backend, duration_ns, operations, bytes, operations_per_s, bytes_per_s,
    latency_mean_ns, latency_p50_ns, latency_p99_ns, latency_p999_ns, latency_max_ns,
    cpu_user_ns, cpu_system_ns, device_read_bytes, device_write_bytes, record_json,
    read_histogram, write_histogram, metadata_histogram, lag_histogram, series, record_crc32
FROM run;

DROP TABLE run;
ALTER TABLE run_5 RENAME TO run;
CREATE INDEX run_of_experiment ON run (experiment_id, position);
