# The port of virtio-serial by which a guest tells its host what it does, in the words of init.sh.
modprobe -q virtio_console
# The host names the port some time after the module is there; a kernel without it ends all the same.
looks=0
until port=$(grep -lx etalon-lab /sys/class/virtio-ports/*/name 2>/dev/null) || [ $looks = 1000 ]; do
    usleep 50000
    looks=$((looks + 1))
done
port=${port%/name}
