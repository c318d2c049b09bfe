# A filesystem on the first disk, made whole at once, so that nothing goes on behind it.
mkdir -p /disk
mkfs.ext4 -q -F -E nodiscard,lazy_itable_init=0,lazy_journal_init=0 /dev/vda >&2 && mount -t ext4 /dev/vda /disk >&2 || return 1
