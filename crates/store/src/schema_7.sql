-- What the sessions of an experiment took together; NULL where nobody told, as of those that were killed.
ALTER TABLE experiment ADD COLUMN elapsed_ns INTEGER;
