# Begins what runs in the guest, in the words of the laboratory's init.sh: runs cases one after the other and writes of
# each, to the second serial line: "case NAME", what it said as "o TEXT" and "e TEXT", and "code N". Of a command that was
# killed for taking too long it says before that "slow N", with the centiseconds that a fixed piece of work takes just then,
# as "pace N" says at the beginning. The cases follow.
TO=/dev/ttyS1
stty -F $TO raw -echo
HANG=300

die() {
    echo "cannot $1" >$TO
    poweroff -f
}

# In centiseconds since the boot.
now() {
    read -r up _ </proc/uptime
    echo ${up%.*}${up#*.}
}

# How long it takes this machine now to do what it always does as fast, in centiseconds.
pace() {
    from=$(now)
    dd if=/dev/zero bs=1M count=32 status=none | md5sum >/dev/null
    echo $(($(now) - from))
}

# What a command has said, and its code.
said() {
    sed 's/^/o /' /tmp/out >$TO
    [ -z "$(tail -c1 /tmp/out)" ] || echo >$TO
    tr '\r' '\n' </tmp/err | sed 's/^/e /' >$TO
    [ -z "$(tail -c1 /tmp/err)" ] || echo >$TO
    echo "code $1" >$TO
}

# run NAME COMMAND...: runs it, and kills what takes too long.
run() {
    name=$1
    shift
    echo "case $name" >$TO
    begun=$(now)
    timeout -s KILL $HANG "$@" >/tmp/out 2>/tmp/err
    code=$?
    ended=$(now)
    # Where the time goes is told with what else came to the console.
    echo "$name: $((ended - begun)) cs, until $ended cs" >/dev/console
    [ $code != 137 ] || [ $((ended - begun)) -lt $((HANG * 100)) ] || echo "slow $(pace)" >$TO
    said $code
}

# factor NAME LEVELS: a factor of a plan.
factor() { printf '[[factor]]\nname = "%s"\nlevels = [%s]\n' "$1" "$2"; }

# plan_of FILE BLOCKS TIME FACTORS: writes a plan that reads at random.
plan_of() {
    cat >$1 <<PLAN
question = "What does each level give?"
blocks = $2
seed = 7
$4
[[workload]]
name = "r"
op = "randread"
time = "$3"
PLAN
}

echo "boot: until $(now) cs" >/dev/console
echo "pace $(pace)" >$TO
