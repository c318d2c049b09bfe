#!/usr/bin/env python3
"""Makes the seeds of every target below fuzz/corpus, from the copied machines and from examples.

Run at the root of the repository: fuzz/seeds.py
"""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent
MACHINES = ROOT.parent / "crates/stack/tests/machines"
CODES = {b"n": b"\n", b"t": b"\t", b"\\": b"\\"}


def plain(text):
    """The content of a machine's file: the codes of tests/machine/mod.rs undone."""
    text = text.encode()
    code = re.compile(rb"\\(?:x([0-9a-fA-F]{2})|z(\d+);|([nt\\]))")

    def undone(match):
        if match[1]:
            return bytes([int(match[1], 16)])
        if match[2]:
            return bytes(int(match[2]))
        return CODES[match[3]]

    return code.sub(undone, text)


def machines():
    """Name, section, file and content of every file of every machine."""
    for path in sorted(MACHINES.glob("*.machine")):
        section = ""
        for line in path.read_text().splitlines():
            if line.startswith("["):
                section = line.strip("[]")
            elif " = " in line:
                name, content = line.split(" = ", 1)
                yield path.stem, section, name, plain(content)


def keep(target, name, content):
    directory = ROOT / "corpus" / target
    directory.mkdir(parents=True, exist_ok=True)
    (directory / f"seed-{name}").write_bytes(content)


def words(target, lines):
    for number, line in enumerate(lines):
        keep(target, number, b"\0".join(line.encode().split()))


def main():
    for machine, section, name, content in machines():
        if section == "dev":
            for kind in range(8):
                keep("superblocks", f"{machine}-{name}-{kind}", bytes([kind]) + content[:65536])
            # The metadata of LVM begins with the group's name and ends with a zero byte.
            for found in re.finditer(rb"[\w-]+ \{\nid = [^\0]*", content):
                keep("lvm_metadata", f"{machine}-{name}", found[0])
        if name == "mountinfo":
            keep("mountinfo", machine, content + b"\0Filename\n/dev/sda partition 8 0 -2\n")
    for number in range(64):
        keep("machine_tree", number, bytes((number * step) % 251 for step in range(1, 65)))
    words(
        "dd_operands",
        [
            "if=/dev/zero of=/tmp/x bs=1M count=1024 conv=fdatasync oflag=direct",
            "if=a of=b ibs=4k obs=2x512b skip=3kB seek=1KiB iflag=fullblock,skip_bytes status=none",
            "--parallel if=a of=b -- if=c of=d --runs 6 --json --destroy SERIAL",
        ],
    )
    words(
        "iozone_arguments",
        [
            "-a -n 64 -g 128m -y 4k -q 16m -i 0 -i 1 -f /tmp/t -Rb out.xls",
            "-s 16G -r 1M -t 4 -F a b c d -I -o -c -e -w -+u --runs 3",
            "-k 8 -J 5 -+J -+b 64,10 -I -s 1m -H 3",
            "-X list -Y list -+d -+T -t 2 -+L -+B -i 8",
            "-+w 50 -+y 20 -+C 10 -+S 7 -+l -V 3",
            "-l 2 -u 4 -s1024M -r64 -+p 70 -i 8 --precision 5% -A -z -+x 4",
        ],
    )
    words(
        "tool_arguments",
        [
            "-tT --direct --offset 10 --runs 6 --seed 3 --json /dev/sda",
            "-d 8 -l 4 -f 16 -s 1 -o /tmp -C -R -D --runs 3 --sync --zero",
            "mkdir,create,stat,rename,all files=100 size=4k codec=zstd:3 command=ls",
        ],
    )
    keep("iozone_lists", "list", b"# offset size ms\n0 65536 2\n65536 512 0\n")
    for number, text in enumerate(["4k", "1.5GiB", "2TB", "1h30m", "500ms", "2.5%", "254:0"]):
        keep("sizes", number, text.encode())
    keep("records", "journal", b'\x01{"journal":1}')
    keep("records", "stamp", b"\x02machine boot 4026531836 17 12345")
    keep("records", "tree", b'\x03{"target":"/","resolved":"/","kind":"file","devices":[],"missing":[],"warnings":[]}')
    header = b"\x1c\x84\x93\x13" + bytes(4) + bytes(4) + b"\0\0\0\x03" + bytes(7) + b"\x01"
    keep("records", "histogram", b"\0" + header + b"\0\0\x03\x46\x30\xb8\xa0\0" + b"\x3f\xf0" + bytes(6))


main()
