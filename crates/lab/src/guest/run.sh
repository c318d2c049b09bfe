# What `etalon lab run` does in a guest, behind port.sh: a command, which tells by the port what it measures as it does. Its exit
# code follows there, and what it said to standard error goes to the second serial line.
cd /tmp
# In the filesystem of an image, where there is one.
carry_out() {
    [ -e /root.sh ] || { . /command.sh; return; }
    . /root.sh && chroot /image /bin/sh -c 'cd /tmp && . /command.sh'
}
carry_out >out 2>err
code=$?
cat err >/dev/ttyS1
echo "code $code" >/dev/${port##*/}
