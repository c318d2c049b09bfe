# Disks behind servers of this very guest, after begin.sh and the functions of the laboratory: of NFS, of NVMe over TCP, and
# of iSCSI where its client is there.

# told NAME COMMAND...: runs a command of etalon for its findings.
told() {
    name=$1
    shift
    run "$name" sh -c '"$@" --json >/tmp/document
        code=$?
        grep -e "\"code\":" -e "\"severity\":" -e "\"message\":" /tmp/document
        exit $code' sh "$@"
}

# measured NAME TARGET OPERATION [OPTION...]
measured() {
    name=$1 target=$2 operation=$3
    shift 3
    told "$name" etalon measure $target --op $operation --time 300ms --runs 1 "$@"
}

over nfs /dev/vda || die "reach a disk over NFS"
run "nfs stack" etalon stack $NET
measured "nfs read" $NET randread -b 64k -s 8M
measured "nfs buffered read" $NET randread -b 64k -s 8M --buffered
measured "nfs write" $NET randwrite -b 64k -s 8M --fsync 1
serve_files $((flags | 0x10))
run "nfs async stack" etalon stack $NET
measured "nfs async write" $NET randwrite -b 64k -s 8M --fsync 1
umount $NET

over nvme_tcp /dev/vdb || die "reach a disk over NVMe"
run "nvme stack" etalon stack $NET
measured "nvme write" $NET randwrite -b 64k -s 8M --fsync 1
measured "nvme read" /dev/nvme0n1 read -b 64k
namespace 2 /dev/vdc 1 && await /dev/nvme0n2 || die "serve a second disk over NVMe"
# Of larger blocks that are in the cache in part the target of this kernel fails the read.
measured "nvme buffered read" /dev/nvme0n2 read -b 4k
umount $NET

[ ! -e /usr/sbin/iscsistart ] || {
    over iscsi /dev/vdd || die "reach a disk over iSCSI"
    run "iscsi stack" etalon stack $NET
    measured "iscsi write" $NET randwrite -b 64k -s 8M --fsync 1
}
