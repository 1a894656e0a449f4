"""Runs tshark as a witness: only the protocols that rocescope dissects too, no heuristics, no reassembly."""

import itertools
import pathlib
import subprocess

# Short names of `tshark -G protocols` that stay enabled. Everything above them is upper-layer business.
PROTOCOLS = """
    frame eth ethertype vlan ieee8021ad llc arp ip ipv6 ipv6.hopopts ipv6.routing ipv6.fraghdr ipv6.dstopts ah esp icmp icmpv6
    ip.options.eol ip.options.nop ip.options.route ip.options.record_route ip.options.routeralert ip.options.timestamp
    ip.options.security ip.options.sid ip.options.source_route ip.options.mtu_probe ip.options.mtu_reply
    udp tcp gre erspan vxlan geneve mpls pwethheuristic pwethcw pwethnocw etherip sflow macsec avsp
    infiniband nvme nvme-rdma infiniband_link macc lldp sll null raw erf metamako exablaze ixiatrailer vssmonitoring data
""".split()

PREFERENCES = (
    "ip.defragment:FALSE",
    "ipv6.defragment:FALSE",
    "ipv6.tso_support:TRUE",  # a payload length of 0, as its default is for IPv4
    "tcp.desegment_tcp_streams:FALSE",
    "tcp.relative_sequence_numbers:FALSE",
    "tcp.analyze_sequence_numbers:FALSE",
)
DECODED_AS = (
    "udp.port==8472,vxlan",  # Linux's port before IANA gave one
    "ethertype==0x9200,vlan",
)
ENABLED_HEURISTICS = ("metamako_eth", "exablaze_eth")
DISABLED_HEURISTICS = ("eth_over_ib", "mellanox_eoib")  # they claim payloads by their first bytes

SEPARATOR = "\x1e"
AGGREGATOR = "\x1d"


class Tshark:
    """A tshark with a configuration folder of its own in `folder`."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.environment = {
            "WIRESHARK_CONFIG_DIR": str(self.folder),
            "PATH": "/usr/bin:/bin:/usr/sbin:/sbin",
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
        }
        names = {line.split("\t")[2] for line in self.run("-G", "protocols").splitlines() if line.count("\t") >= 2}
        unknown = set(PROTOCOLS) - names
        if unknown:
            raise RuntimeError(f"tshark has no protocols {' '.join(sorted(unknown))}")
        (self.folder / "disabled_protos").write_text("".join(name + "\n" for name in sorted(names - set(PROTOCOLS))))
        self.options = ["-n"]
        for option, values in (
            ("-o", PREFERENCES),
            ("-d", DECODED_AS),
            ("--enable-heuristic", ENABLED_HEURISTICS),
            ("--disable-heuristic", DISABLED_HEURISTICS),
        ):
            self.options += [argument for value in values for argument in (option, value)]

    def run(self, *arguments: str) -> str:
        result = subprocess.run(["tshark", *arguments], env=self.environment, capture_output=True)
        if result.returncode != 0:
            raise RuntimeError(f"tshark failed: {result.stderr.decode(errors='replace')}")
        return result.stdout.decode("utf-8", "surrogateescape")

    def fields(self):
        """Names of all fields, with their types."""
        rows = (line.split("\t") for line in self.run("-G", "fields").splitlines())
        return {row[2]: row[3] for row in rows if row[0] == "F"}

    def as_pcap(self, capture, path):
        """Writes the frames of a capture of another format."""
        self.run("-r", str(capture), "-F", "nsecpcap", "-w", str(path))

    def values(self, capture, names):
        return parse(self.run(*self.options, "-r", str(capture), *field_arguments(names)), names)


def field_arguments(names):
    """The arguments that make tshark, and rocescope, print `names` for parse()."""
    arguments = ["-T", "fields", "-E", "separator=" + SEPARATOR, "-E", "aggregator=" + AGGREGATOR, "-E", "occurrence=a"]
    for name in names:
        arguments += ["-e", name]
    return arguments


def parse(text, names):
    """One dictionary a packet: name -> list of values; names without a value are left out."""
    packets = []
    for line in text.split("\n")[:-1]:
        cells = line.split(SEPARATOR)
        assert len(cells) == len(names), f"{len(cells)} cells for {len(names)} fields: {line[:200]!r}"
        values = itertools.compress(zip(names, cells), cells)  # most of a thousand cells are empty
        packets.append({name: cell.split(AGGREGATOR) for name, cell in values})
    return packets
