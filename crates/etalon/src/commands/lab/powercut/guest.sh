# What `etalon lab powercut --filesystem` does in a guest, in the words of init.sh: it writes to /dev/vda, reads from
# /dev/vdb what a cut has left, and gives that back on /dev/vdc. The second serial line is what both sides talk over:
# commands come in, and every promise goes out.
. /subject.sh
exec 3<>/dev/ttyS1
stty raw -echo <&3
say() { echo "$*" >&3; }
mkdir -p /work /left

ready() {
    mkfs.$filesystem -q $force /dev/vda && mount -t $filesystem -o "$options" /dev/vda /work && begin_$subject && sync
}
# answering COMMAND...: until the server does what is asked, for minutes; of one that has ended its complaint is told.
answering() {
    asked=0
    until "$@" >/dev/null 2>/tmp/refused; do
        kill -0 $server 2>/dev/null || {
            complaint >&2
            return 1
        }
        asked=$((asked + 1))
        if [ $asked = 1000 ]; then
            echo "the server runs and does not answer: $(tail -n 1 /tmp/refused)" >&2
            return 1
        fi
        sleep 0.1
    done
}
begin_record() { : >/work/records; }
begin_experiment() { :; }
# One client takes all statements. Both pipes are open here too, so that nobody waits or dies for want of the other end.
begin_row() {
    table='CREATE TABLE kept (number BIGINT PRIMARY KEY, content TEXT NOT NULL);'
    begin_rows || return
    mkfifo /tmp/statements /tmp/answers && exec 4<>/tmp/statements 5<>/tmp/answers || return
    client <&4 >/tmp/client 2>&1 &
}

# Each is durable when its writer has ended well: a record, an experiment in a store, or a row of a database.
write_record() {
    # That of busybox, which its shell would take, knows no dsync.
    /usr/sbin/dd if=/records of=/work/records bs=4096 count=1 skip=$1 seek=$1 $flags
}
write_experiment() {
    etalon measure /tmp --op randread --backend fake --file-size 1M --time 1ms --runs $runs \
        --store /work/store.sqlite >/dev/null
    case $? in 0 | 3 | 5) ;; *) false ;; esac
}

# What comes after a statement in one connection is done when it has been committed: the client then runs a command that
# answers. One that fails ends the client, and no answer comes.
write_row() {
    sed -n "$(($1 + 1)){p;q}" /statements >&4
    echo "$answer" >&4
    read -r -t 60 nothing <&5 || {
        tail -n 1 /tmp/client >&2
        false
    }
}

# What is left of them, to the standard output.
read_record() { cat /left/records; }
read_experiment() { etalon list --json --store /left/store.sqlite; }

# From the next one on, until somebody wants to look.
write_on() {
    number=$(cat /tmp/next)
    while [ ! -e /tmp/stop ] && [ "$number" -lt "$most" ]; do
        write_$subject $number 2>/tmp/said || {
            say "failed $(tail -n 1 /tmp/said)"
            return
        }
        say "kept $number"
        number=$((number + 1))
        echo $number >/tmp/next
    done
    [ -e /tmp/stop ] || say end
}

look() {
    mount -t $filesystem -o "$options$beside" /dev/vdb /left 2>/tmp/said || {
        say "unmountable $(tail -n 1 /tmp/said)"
        return
    }
    read_$subject >/tmp/left 2>/tmp/said
    opened=$?
    umount /left
    # What a file lacks is seen by who asked for it; a database that does not open says why.
    if [ $subject = row ] && [ $opened != 0 ]; then
        say "unmountable $(tail -n 1 /tmp/said)"
        return
    fi
    size=$(stat -c %s /tmp/left)
    dd if=/tmp/left of=/dev/vdc bs=64k conv=fsync,notrunc 2>/dev/null
    rm /tmp/left
    say "found $size"
}

echo 0 >/tmp/next
ready >/tmp/said 2>&1 && say begin || say "failed $(tail -n 1 /tmp/said)"
while read -r word <&3; do
    case $word in
        write)
            rm -f /tmp/stop
            write_on &
            writer=$!
            ;;
        look)
            : >/tmp/stop
            wait $writer
            look
            ;;
        quit) break ;;
    esac
done
