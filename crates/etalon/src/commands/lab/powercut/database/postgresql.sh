# PostgreSQL by a server of its own on the disk, and another one on what a cut has left. Pages have checksums, so that a
# torn one is no answer.
answer='\! echo >/tmp/answers'
for place in /usr/lib/postgresql/* /usr/pgsql* /usr/local/pgsql*; do
    [ ! -x $place/bin/postgres ] || programs=$place/bin
done
# That of busybox knows no users. No function: the server is to be the shell's own child.
as_nobody='/usr/sbin/setpriv --reuid=65534 --regid=65534 --clear-groups'
# The server of a directory, once it answers at its socket.
serve() {
    $as_nobody $programs/postgres -D $1 -c listen_addresses= -c unix_socket_directories=$2 -c synchronous_commit=$level \
        -c dynamic_shared_memory_type=mmap -c max_connections=10 -c shared_buffers=16MB -c jit=off >/tmp/server.log 2>&1 &
    server=$!
    answering ask $2 -c 'SELECT 1'
}
complaint() { cat /tmp/server.log; }
ask() {
    socket=$1
    shift
    $programs/psql -X -q -A -t -v ON_ERROR_STOP=1 -h $socket -U etalon -d postgres "$@"
}
begin_rows() {
    printf 'root:x:0:0::/:/bin/sh\nnobody:x:65534:65534::/tmp:/bin/sh\n' >/etc/passwd
    mkdir -p /work/data /tmp/of-work /tmp/of-left
    chown 65534:65534 /work/data /tmp/of-work /tmp/of-left
    $as_nobody $programs/initdb -D /work/data -U etalon -A trust -E UTF8 --locale=C -k >/tmp/initdb.log 2>&1 || {
        cat /tmp/initdb.log >&2
        return 1
    }
    serve /work/data /tmp/of-work && ask /tmp/of-work -c "$table"
}
client() { ask /tmp/of-work; }
read_row() {
    # It names a process that died with the power; here the same number is still that of the first server.
    rm -f /left/data/postmaster.pid
    serve /left/data /tmp/of-left || return
    ask /tmp/of-left -c "SELECT number || ' ' || content FROM kept"
    given=$?
    kill -QUIT $server
    wait $server
    return $given
}
