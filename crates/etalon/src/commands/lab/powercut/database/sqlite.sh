# SQLite by its own shell, which keeps one connection while rows are written. A commit in a rollback journal can be taken
# back by a cut (the journal's removal is not waited for), so it is a write-ahead log.
answer='.shell echo >/tmp/answers'
begin_rows() { sqlite3 -bail /work/kept.db "PRAGMA journal_mode=wal; $table"; }
client() { sqlite3 -bail -cmd "PRAGMA synchronous=$level" /work/kept.db; }
read_row() {
    [ "$(sqlite3 /left/kept.db 'PRAGMA integrity_check')" = ok ] &&
        sqlite3 -bail /left/kept.db "SELECT number || ' ' || content FROM kept"
}
