# What `etalon lab powercut --filesystem` does in a guest, in the words of init.sh: it writes to /dev/vda, reads from
# /dev/vdb what a cut has left, and gives that back on /dev/vdc. The second serial line is what both sides talk over:
# commands come in, and every promise goes out.
. /subject.sh
exec 3<>/dev/ttyS1
stty raw -echo <&3
say() { echo "$*" >&3; }
mkdir -p /work /left

ready() {
    mkfs.$filesystem -q $force /dev/vda && mount -t $filesystem -o "$options" /dev/vda /work && : >/work/records && sync
}

# Each is durable when its writer has ended well: a record, or an experiment in a store.
write_record() {
    # That of busybox, which its shell would take, knows no dsync.
    /usr/sbin/dd if=/records of=/work/records bs=4096 count=1 skip=$1 seek=$1 $flags
}
write_experiment() {
    etalon measure /tmp --op randread --backend fake --file-size 1M --time 1ms --runs $runs \
        --store /work/store.sqlite >/dev/null
    case $? in 0 | 3 | 5) ;; *) false ;; esac
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
    umount /left
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
            ;;
        look)
            : >/tmp/stop
            wait
            look
            ;;
        quit) break ;;
    esac
done
