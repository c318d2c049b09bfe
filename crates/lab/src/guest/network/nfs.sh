# The kernel's server of NFS 4.2. Nobody answers its questions who may have what: the answers are given before it asks
# (net/sunrpc/cache.c, fs/nfsd/export.c), for one client and one export, which is the root of what it serves.

# serve_files FLAGS: exports SRV with these flags (include/uapi/linux/nfsd/export.h).
serve_files() {
    for_ever=2147483647
    echo "nfsd $CLIENT $for_ever here" >/proc/net/rpc/auth.unix.ip/channel &&
        echo "here 1 \\x00000000 $for_ever $SRV" >/proc/net/rpc/nfsd.fh/channel &&
        echo "here $SRV $for_ever $1 65534 65534 0" >/proc/net/rpc/nfsd.export/channel
}

# serve_nfs DISK
serve_nfs() {
    load nfsd
    filesystem $1 $SRV || return 1
    # Where the server remembers its clients, in memory here.
    mkdir -p /var/lib/nfs/v4recovery
    mount -t nfsd nfsd /proc/fs/nfsd || cannot "serve it: the kernel needs the module nfsd" || return 1
    # insecure, no_root_squash, wdelay, no_subtree_check, fsid=0; 0x10 more would be async.
    flags=$((0x2 | 0x20 | 0x400 | 0x2000))
    serve_files $flags || cannot "export $SRV" || return 1
    echo "-2 -3 +4 +4.1 +4.2" >/proc/fs/nfsd/versions
    echo 4 >/proc/fs/nfsd/threads || cannot "start the server" || return 1
    # Nobody has locks from before to claim again.
    echo Y >/proc/fs/nfsd/v4_end_grace
}

reach_nfs() {
    load nfsv4
    mkdir -p $NET
    mount -t nfs4 -o vers=4.2,proto=tcp,addr=$SERVER,clientaddr=$CLIENT $SERVER:/ $NET ||
        cannot "mount it: the kernel needs the module nfsv4"
}
