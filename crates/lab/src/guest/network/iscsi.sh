# The kernel's iSCSI target, LIO, and its own client, which iscsistart logs in.
IQN=iqn.2003-01.org.linux-iscsi.etalon:disk
LIO=/sys/kernel/config/target

# serve_unit DISK
serve_unit() {
    mkdir -p $LIO/core/iblock_0/disk || return 1
    echo "udev_path=$1" >$LIO/core/iblock_0/disk/control
    echo -n $1 >$LIO/core/iblock_0/disk/udev_path
    echo 1 >$LIO/core/iblock_0/disk/enable || return 1
    group=$LIO/iscsi/$IQN/tpgt_1
    mkdir -p $group/lun/lun_0 $group/np/$SERVER:3260 || return 1
    ln -s $LIO/core/iblock_0/disk $group/lun/lun_0/disk || return 1
    # Whoever asks may write.
    echo 0 >$group/attrib/authentication
    echo 1 >$group/attrib/generate_node_acls
    echo 0 >$group/attrib/demo_mode_write_protect
    echo 1 >$group/enable
}

# serve_iscsi DISK
serve_iscsi() {
    load target_core_mod target_core_iblock iscsi_target_mod
    configure || return 1
    serve_unit $1 || cannot "serve it: the kernel needs the modules target_core_iblock and iscsi_target_mod"
}

reach_iscsi() {
    load iscsi_tcp sd_mod
    iscsistart -i iqn.2003-01.org.linux-iscsi.etalon:client -t $IQN -g 1 -a $SERVER -p 3260 >&2 ||
        cannot "connect: the kernel needs the module iscsi_tcp" || return 1
    await /dev/sda && filesystem /dev/sda $NET
}
