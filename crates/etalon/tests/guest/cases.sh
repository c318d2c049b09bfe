# The cases, in the words of begin.sh.

# Eight files of 8 MiB on the disk, of which nothing is in memory.
prepared_input() {
    mkdir /disk/input
    for i in 1 2 3 4 5 6 7 8; do
        dd if=/dev/urandom of=/disk/input/$i bs=1M count=8 status=none
    done
    sync
    echo 3 >/proc/sys/vm/drop_caches
}

n=0
while read -r operands; do
    n=$((n + 1))
    blockdev --flushbufs /dev/mapper/bad
    run "dd $operands: gnu" /usr/bin/dd if=/dev/mapper/bad of=/tmp/gnu.$n $operands
    blockdev --flushbufs /dev/mapper/bad
    run "dd $operands: own" etalon dd if=/dev/mapper/bad of=/tmp/own.$n $operands
    run "dd $operands: bytes" cmp /tmp/gnu.$n /tmp/own.$n
    rm -f /tmp/gnu.$n /tmp/own.$n
done <<'OPERANDS'
bs=64k
bs=64k iflag=direct
bs=4k conv=noerror
bs=64k conv=noerror,sync
bs=64k conv=noerror,sync iflag=direct
bs=512 skip=3000 count=200 conv=noerror,sync iflag=direct
bs=1M conv=noerror,sync iflag=direct
ibs=4k obs=64k skip=380 count=20 conv=noerror,sync
OPERANDS

run "hdparm" etalon hdparm -t /dev/mapper/bad --runs 2
run "hdparm direct" etalon hdparm -t --direct /dev/mapper/bad --runs 2
run "hdparm two" etalon hdparm -t --direct /dev/mapper/bad /dev/vdb --runs 1
run "measure device" etalon measure /dev/mapper/bad --op read -b 64k --bytes 4M
run "measure device buffered" etalon measure /dev/mapper/bad --op read -b 64k --bytes 4M --buffered
run "measure device ring" etalon measure /dev/mapper/bad --op randread -b 4k --queue-depth 16 --bytes 16M
run "quick device" etalon quick /dev/mapper/bad --budget 60s --max-runs 6

swap written 40
run "iozone" etalon iozone -s 64m -r 64k -I -i 0 -i 1 --runs 2 -f /disk/file
after "iozone"

swap written 40
run "iozone -t 2" etalon iozone -t 2 -s 32m -r 64k -I -i 0 -i 1 --runs 2 -F /disk/one /disk/two
after "iozone -t 2"

swap written 40
run "iozone buffered" etalon iozone -s 64m -r 64k -e -i 0 -i 1 --runs 2 -f /disk/file
after "iozone buffered"

swap written 24
run "fdtree" etalon fdtree -l 2 -d 8 -f 4 -s 64 --sync -o /disk
after "fdtree"

swap written 4
run "metadata" etalon metadata /disk --files 200 --runs 6
after "metadata"

swap written 20
run "measure write" etalon measure /disk --op write --file-size 64M -b 64k --bytes 128M --runs 2
after "measure write"

swap have_read 30
run "measure randread" etalon measure /disk --op randread --file-size 32M -b 4k --bytes 64M --runs 2
after "measure randread"

swap written 40
run "quick" etalon quick /disk --budget 60s --max-runs 6
after "quick"

swap written 80
run "together" etalon together --runs 2 -- /disk --op write --file-size 64M -b 64k --bytes 64M -- /good --op write --file-size 64M -b 64k --bytes 64M
after "together"

swap written 20
run "dd to file" etalon dd if=/dev/zero of=/disk/file bs=1M count=200 conv=fsync
after "dd to file"

swap written 20
run "dd to file direct" etalon dd if=/dev/zero of=/disk/file bs=1M count=200 oflag=direct
after "dd to file direct"

prepared_input
swap have_read 20
run "work copy-tree" etalon work copy-tree /good --set input=/disk/input
after "work copy-tree"

swap written 6
run "work copy-tree to" etalon work copy-tree /good --set target=/disk --set size=8M
after "work copy-tree to"

prepared_input
swap have_read 20
run "work grep-tree" etalon work grep-tree /good --set input=/disk/input --set pattern=word
after "work grep-tree"

swap written 3
run "work archive" etalon work archive /disk --set format=none --set size=2M
after "work archive"
