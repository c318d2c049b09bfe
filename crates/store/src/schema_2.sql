-- The environment of runs, once for each hash: the machine's facts and the storage stack as JSON.
ALTER TABLE environment ADD COLUMN hash TEXT NOT NULL DEFAULT '';
ALTER TABLE environment ADD COLUMN record_crc32 INTEGER NOT NULL DEFAULT 0;
CREATE UNIQUE INDEX environment_of_hash ON environment (hash);
