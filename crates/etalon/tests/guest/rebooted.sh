# A plan whose machine is reset in the middle. What must outlive that lies on the disk that tells a serial number; the two others
# have each other's names after the reset.

for disk in /sys/block/vd*; do
    [ "$(cat $disk/serial)" != etalon-results ] || KEPT=/dev/${disk##*/}
done
mkdir /keep
mount -t ext4 $KEPT /keep 2>/dev/null || {
    mkfs.ext4 -q -F $KEPT
    mount -t ext4 $KEPT /keep
}
export XDG_STATE_HOME=/keep/state XDG_DATA_HOME=/keep/data

runs() { etalon export 1 --csv 2>/dev/null | grep -c '^'; }

# blank DISK: what is not zero at its beginning.
cat >/bin/blank <<'BLANK'
#!/bin/sh
for disk in "$@"; do
    [ "$(dd if=$disk bs=1M count=1 status=none | tr -d '\0' | wc -c)" = 0 ] || exit 1
done
BLANK
chmod 755 /bin/blank

if [ ! -e /keep/plan.toml ]; then
    mkdir /keep/work
    factors="$(factor disk '"/dev/vda"' && factor filesystem '"ext4"' && factor read_ahead_kb '64, 256')"
    plan_of /keep/plan.toml 3 300ms "$factors"
    echo 'file_size = "4M"' >>/keep/plan.toml
    sync
    etalon run /keep/plan.toml /keep/work >/dev/console 2>&1 &
    plan=$!
    until [ "$(runs)" -ge 3 ] || ! kill -0 $plan 2>/dev/null; do
        sleep 0.1
    done
    run "before the reset" kill -0 $plan
    # Between two blocks nothing is set that the reset could undo.
    until grep -qxE '64|256' /sys/block/vda/queue/read_ahead_kb || ! kill -0 $plan 2>/dev/null; do
        sleep 0.01
    done
    # As if the power were cut: nothing is unmounted, and nothing written that was not asked for.
    echo b >/proc/sysrq-trigger
    sleep 60
fi

run "blank before" blank /dev/vda /dev/vdb
run "list" etalon list
run "restore" etalon restore
run "blank after" blank /dev/vda /dev/vdb
run "restore again" etalon restore
run "resume" etalon resume --after-reboot
run "resume again" etalon resume --after-reboot
run "runs" etalon export 1 --csv
