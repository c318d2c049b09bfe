# MariaDB by a server of its own on the disk, and another one on what a cut has left. It asks nobody for a password, and
# needs no tables of its own for that.
answer='\! echo >/tmp/answers'
# The server of a directory, once it answers at its socket.
serve() {
    mariadbd --no-defaults --user=root --datadir=$1 --socket=$2 --pid-file=$2.pid --tmpdir=/tmp --skip-networking \
        --skip-grant-tables --skip-log-bin --innodb-buffer-pool-size=32M --innodb-flush-log-at-trx-commit=$level \
        >/tmp/server.log 2>&1 &
    server=$!
    answering ask $2 -e 'SELECT 1'
}
complaint() { grep -i error /tmp/server.log | grep -v -i plugin | head -n 1; }
ask() {
    socket=$1
    shift
    mariadb --no-defaults -S $socket -u root -N -B "$@"
}
begin_rows() {
    mkdir -p /work/data
    serve /work/data /tmp/of-work && ask /tmp/of-work -e "CREATE DATABASE etalon; USE etalon; $table" || return
    # A system tablespace that was just made is not whole until a first shutdown: every installation has had one.
    kill -TERM $server
    wait $server
    serve /work/data /tmp/of-work
}
client() { ask /tmp/of-work etalon; }
read_row() {
    serve /left/data /tmp/of-left || return
    ask /tmp/of-left etalon -e "SELECT CONCAT(number, ' ', content) FROM kept"
    given=$?
    kill -KILL $server
    wait $server
    return $given
}
