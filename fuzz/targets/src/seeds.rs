//! Inputs that are known to reach far: from the copied machines, and examples of what people type.

use crate::machine::{Entry, entries};
use crate::machine_tree::MACHINES;

/// No more of a device than its superblocks.
const HEAD: usize = 65536;

/// The files of all machines: where they stand, and their content.
fn files() -> impl Iterator<Item = (String, Vec<u8>)> {
    let all = MACHINES.iter().flat_map(|text| entries(text));
    all.filter_map(|entry| match entry {
        Entry::File(path, content) => Some((path.to_string_lossy().into_owned(), content)),
        _ => None,
    })
}

fn devices() -> impl Iterator<Item = Vec<u8>> {
    let devices = files().filter(|(path, _)| path.starts_with("dev/"));
    devices.map(|(_, content)| content)
}

/// Which harms are done to which file; any bytes will do.
pub fn machine_tree() -> Vec<Vec<u8>> {
    let row = |seed: usize| (1..=64).map(|step| ((seed * step) % 251) as u8).collect();
    (0..64).map(row).collect()
}

/// Every device of a machine, under every filesystem and mapping.
pub fn superblocks() -> Vec<Vec<u8>> {
    let under = |content: Vec<u8>| {
        let content = content[..content.len().min(HEAD)].to_vec();
        (0..8_u8).map(move |kind| [&[kind], content.as_slice()].concat())
    };
    devices().flat_map(under).collect()
}

/// The metadata of LVM begins with the group's name and ends with a zero byte.
pub fn lvm_metadata() -> Vec<Vec<u8>> {
    let marker = b" {\nid = ";
    let text = |content: Vec<u8>| {
        let brace = content.windows(marker.len()).position(|w| w == marker)?;
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte);
        let name = content[..brace]
            .iter()
            .rev()
            .take_while(|b| is_name(b))
            .count();
        let rest = &content[brace - name..];
        let end = rest.iter().position(|b| *b == 0).unwrap_or(rest.len());
        Some(rest[..end].to_vec())
    };
    devices().filter_map(text).collect()
}

/// The mounts of every machine, each with a swap partition.
pub fn mountinfo() -> Vec<Vec<u8>> {
    let swap = b"\0Filename\n/dev/sda partition 8 0 -2\n";
    let mounts = files().filter(|(path, _)| path.ends_with("/mountinfo"));
    mounts
        .map(|(_, content)| [content.as_slice(), swap].concat())
        .collect()
}

/// Lines of words as the targets take them, a zero byte between two.
fn words(lines: &[&str]) -> Vec<Vec<u8>> {
    let line = |line: &&str| line.split_whitespace().collect::<Vec<_>>().join("\0");
    lines.iter().map(|text| line(text).into_bytes()).collect()
}

/// Command lines of dd.
pub fn dd_operands() -> Vec<Vec<u8>> {
    words(&[
        "if=/dev/zero of=/tmp/x bs=1M count=1024 conv=fdatasync oflag=direct",
        "if=a of=b ibs=4k obs=2x512b skip=3kB seek=1KiB iflag=fullblock,skip_bytes status=none",
        "--parallel if=a of=b -- if=c of=d --runs 6 --json --destroy SERIAL",
    ])
}

/// Command lines of iozone.
pub fn iozone_arguments() -> Vec<Vec<u8>> {
    words(&[
        "-a -n 64 -g 128m -y 4k -q 16m -i 0 -i 1 -f /tmp/t -Rb out.xls",
        "-s 16G -r 1M -t 4 -F a b c d -I -o -c -e -w -+u --runs 3",
        "-k 8 -J 5 -+J -+b 64,10 -I -s 1m -H 3",
        "-X list -Y list -+d -+T -t 2 -+L -+B -i 8",
        "-+w 50 -+y 20 -+C 10 -+S 7 -+l -V 3",
        "-l 2 -u 4 -s1024M -r64 -+p 70 -i 8 --precision 5% -A -z -+x 4",
    ])
}

/// A list of accesses.
pub fn iozone_lists() -> Vec<Vec<u8>> {
    vec![b"# offset size ms\n0 65536 2\n65536 512 0\n".to_vec()]
}

/// Command lines of hdparm and fdtree, and parameters of real work.
pub fn tool_arguments() -> Vec<Vec<u8>> {
    words(&[
        "-tT --direct --offset 10 --runs 6 --seed 3 --json /dev/sda",
        "-d 8 -l 4 -f 16 -s 1 -o /tmp -C -R -D --runs 3 --sync --zero",
        "mkdir,create,stat,rename,all files=100 size=4k codec=zstd:3 command=ls",
    ])
}

/// Sizes, times, percentages and device numbers.
pub fn sizes() -> Vec<Vec<u8>> {
    let texts = ["4k", "1.5GiB", "2TB", "1h30m", "500ms", "2.5%", "254:0"];
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// A client that agrees by GO and asks for everything, and one that agrees by the name of the export.
pub fn nbd_client() -> Vec<Vec<u8>> {
    let request = |command: u16, offset: u64, length: u32, data: &[u8]| {
        let head = [
            &0x2560_9513_u32.to_be_bytes()[..],
            &[0, 0],
            &command.to_be_bytes(),
            &offset.to_be_bytes(),
            &offset.to_be_bytes(),
            &length.to_be_bytes(),
        ];
        [&head.concat(), data].concat()
    };
    let requests = [
        request(1, 512, 1024, &[7; 1024]),
        request(0, 0, 4096, &[]),
        request(3, 0, 0, &[]),
        request(4, 4096, 1 << 20, &[]),
        request(2, 0, 0, &[]),
    ];
    let requests = requests.concat();
    let go =
        b"\0\0\0\x03IHAVEOPT\0\0\0\x03\0\0\0\0IHAVEOPT\0\0\0\x07\0\0\0\x08\0\0\0\0\0\x01\0\x03";
    let by_name = b"\0\0\0\x01IHAVEOPT\0\0\0\x01\0\0\0\x04flat";
    vec![
        [&go[..], &requests].concat(),
        [&by_name[..], &requests].concat(),
    ]
}

/// One of each kind of record; the first byte is its kind.
pub fn records() -> Vec<Vec<u8>> {
    let tree = b"\x03{\"target\":\"/\",\"resolved\":\"/\",\"kind\":\"file\",\"devices\":[],\"missing\":[],\"warnings\":[]}";
    vec![
        b"\x01{\"journal\":1}".to_vec(),
        b"\x02machine boot 4026531836 17 12345".to_vec(),
        tree.to_vec(),
        histogram(),
    ]
}

/// The header of an HdrHistogram (V2, big endian), and a mark that is no count.
fn histogram() -> Vec<u8> {
    let parts: [&[u8]; 8] = [
        b"\0\x1c\x84\x93\x13",
        &[0; 8],
        b"\0\0\0\x03",
        &[0; 7],
        b"\x01",
        b"\0\0\x03\x46\x30\xb8\xa0\0",
        b"\x3f\xf0",
        &[0; 6],
    ];
    parts.concat()
}

/// Outputs of programs and tables, as pages hold them.
pub fn published_text() -> Vec<Vec<u8>> {
    let texts = [
        "dd if=/dev/zero of=/a bs=16535 count=9\n16535 bytes (17 kB) copied, 0,1 s, 165 kB/s\n",
        "/dev/sda:\n Timing buffered disk reads: 340 MB in  3.01 seconds = 112.96 MB/sec\n",
        "iozone -s 4096 -r 16 -I\n4096 16 5186 16680 14973 16750 43991 19815\n17172 35960 16189 271512 637599 41750 1252212\n",
        "<html><table><tr><td>noop</td><td>68,91</td><td>69,31</td><td>69,11</td><td>33,5%</td><td>X</td></tr><tr><td>cfq</td><td>69,13</td><td>69,26</td><td>69,20</td><td>33,4%</td></tr></table>",
        "a: (g=0): rw=randread, bs=(R) 4096B-4096B\n  read: IOPS=12.3k, BW=48.0MiB/s (50.4MB/s)(2884MiB/60001msec)\n",
        "Average: sde 309,50 213753,60 0,00\nAverage: sdd 0,00 0,00 0,00\n",
        "EXT4 53,6 49,1\nBTRFS 67,1 66,1\n% +20,12% +25,72%\n",
    ];
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// Texts that `etalon import` takes.
pub fn imported_text() -> Vec<Vec<u8>> {
    let texts = [
        "\u{201c}# dd if=/dev/zero of=/a bs=1M conv=fsync\u{201d}\n1342177280\u{a0}octets (1,3 GB) copi\u{e9}s, 5,07159\u{202f}s, 265 MB/s\n",
        "{\"fio version\": \"fio-3.33\", \"jobs\": [\n{\"jobname\": \"a\", \"read\": {\"io_bytes\": 5, \"bw_bytes\": 1000, \"iops\": 2.5}}]}\n",
        "<PhoronixTestSuite><Result><Title>a</Title><Scale>MB/s</Scale><Value>1.5</Value></Result></PhoronixTestSuite>\n",
        "ISO date,operation,MiB/s [last],IOPS [last]\n2024,READ,100.5,12\n2024,WRITE,nan,\n",
        "1.97,1.98,host,1,1700000000,16G,,1105,99,238193,12,117423,8,2534,98,331122,11,284.5,9,16\n",
        "Device tps kB_read/s\nsda 12,50 100,00\nMoyenne :  sdb 3,00 1,00 2,00\n",
        "sysbench --file-test-mode=rndrd fileio run\n read, MiB/s: 12.34\n transactions: 12 (3.4 per sec.)\nFile creates per second = 12\n",
        "experiment_id,cell,ended,figure,unit\n1,\"a, b\",complete,12.5,op/s\n1,'=x,complete,3e8,B/s\n",
        "Children see throughput for  2 initial writers  =   97012.33 kB/sec\n",
    ];
    let texts = texts.iter().map(|text| text.as_bytes().to_vec());
    texts.chain(published_text()).collect()
}
