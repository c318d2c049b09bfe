# What a guest does that serves its disk to another one, behind port.sh: it tells by the port that it does, and goes on until it is
# ended. What it cannot do goes to the second serial line.
cd /tmp
if . /command.sh 2>err; then
    echo ready >/dev/${port##*/}
    while :; do
        sleep 60
    done
fi
cat err >/dev/ttyS1
