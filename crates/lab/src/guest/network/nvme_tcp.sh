# The kernel's target of NVMe over TCP, and its own client, which is told whom to connect to by writing to its device.
NQN=nqn.2014-08.org.nvmexpress:etalon
NVMET=/sys/kernel/config/nvmet

# namespace NUMBER DISK BUFFERED: one more disk of the target, through the page cache where BUFFERED is 1.
namespace() {
    place=$NVMET/subsystems/$NQN/namespaces/$1
    mkdir $place && echo -n $2 >$place/device_path && echo $3 >$place/buffered_io && echo 1 >$place/enable
}

# serve_target DISK
serve_target() {
    mkdir $NVMET/subsystems/$NQN && echo 1 >$NVMET/subsystems/$NQN/attr_allow_any_host || return 1
    namespace 1 $1 0 && mkdir $NVMET/ports/1 || return 1
    for pair in trtype=tcp adrfam=ipv4 traddr=$SERVER trsvcid=4420; do
        echo -n ${pair#*=} >$NVMET/ports/1/addr_${pair%=*} || return 1
    done
    ln -s $NVMET/subsystems/$NQN $NVMET/ports/1/subsystems/$NQN
}

# serve_nvme_tcp DISK
serve_nvme_tcp() {
    load nvmet nvmet-tcp
    configure || return 1
    serve_target $1 || cannot "serve it: the kernel needs the modules nvmet and nvmet-tcp"
}

reach_nvme_tcp() {
    load nvme-tcp
    echo "transport=tcp,traddr=$SERVER,trsvcid=4420,nqn=$NQN" >/dev/nvme-fabrics ||
        cannot "connect: the kernel needs the module nvme-tcp" || return 1
    await /dev/nvme0n1 && filesystem /dev/nvme0n1 $NET
}
