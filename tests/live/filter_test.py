#!/usr/bin/env python3
"""rocescope live in network namespaces: which packets pass."""
import subprocess

import network
from network import LAB, PROGRAM, Network, run


class Filter(Network):
    def frames(self):
        from scapy.all import IP, UDP, Dot1AD, Dot1Q, Ether, IPv6, Raw, TCP
        roce = Raw(b"\x64\x40\xff\xff\x00\x00\x00\x11\x00\x00\x00\x01" + bytes(20))
        inner = {
            "v2": (0x0800, IP(src="10.0.0.1", dst="10.0.0.2") / UDP(sport=49152, dport=4791) / roce),
            "v2.ip6": (0x86DD, IPv6(src="fd00::1", dst="fd00::2") / UDP(sport=49152, dport=4791) / roce),
            "v1": (0x8915, Raw(bytes(40)) / roce),
            "pfc": (0x8808, Raw(b"\x01\x01\x00\x08" + bytes(42))),
            "dns": (0x0800, IP(src="10.0.0.1", dst="10.0.0.2") / UDP(sport=53, dport=53) / roce),
            "tcp": (0x0800, IP(src="10.0.0.1", dst="10.0.0.2") / TCP(dport=4791) / roce),
            "fragment": (0x0800, IP(src="10.0.0.1", dst="10.0.0.2", frag=8, proto=17) / Raw(b"\x12\xb7" * 20)),
            "other": (0x88B5, Raw(b"\x12\xb7" * 30)),
        }
        tags = {"": (), "q": (Dot1Q(vlan=7),), "qq": (Dot1Q(vlan=7), Dot1Q(vlan=8)), "adq": (Dot1AD(vlan=7), Dot1Q(vlan=8))}
        for number, (tag, layers) in enumerate(tags.items()):
            for kind, (ethertype, payload) in inner.items():
                # The last byte of the address names the frame in what was captured.
                frame = Ether(dst="02:00:00:00:00:01", src=f"02:00:00:00:{number:02x}:{len(kind):02x}", type=ethertype)
                for at, layer in enumerate(layers):
                    layer = layer.copy()
                    layer.type = layers[at + 1].overload_fields.get(Ether, {}).get("type", 0x8100) if at + 1 < len(
                        layers) else ethertype
                    frame.type = {"Dot1Q": 0x8100, "Dot1AD": 0x88A8}[layers[0].__class__.__name__]
                    frame = frame / layer
                yield kind, tag, bytes(frame / payload)

    def passed(self, interface: str):
        frames = list(self.frames())
        live = self.start("-i", interface, "-w", self.folder / "written.pcapng")
        from scapy.all import Ether
        self.send([Ether(data) for _, _, data in frames], "--pps=2000")
        live.end()
        return frames, self.folder / "written.pcapng"

    def test_passes_roce_and_pfc_in_vlans_and_nothing_else(self):
        frames, written = self.passed(self.HERE)
        wanted = [data for kind, _, data in frames if kind in ("v2", "v2.ip6", "v1", "pfc")]
        from scapy.utils import PcapNgReader
        got = [bytes(packet) for packet in PcapNgReader(str(written))]
        self.assertEqual([data.hex() for data in got], [data.hex() for data in wanted])

    def test_passes_the_same_on_any(self):
        frames, written = self.passed("any")
        got = [int(row[0]) for row in self.fields(written, "frame.len")]
        # In cooked mode the Ethernet header and one tag make place for 20 bytes. Of two tags nothing is promised.
        wanted = [len(data) - 14 - (4 if tag else 0) + 20 for kind, tag, data in frames
                  if kind in ("v2", "v2.ip6", "v1", "pfc") and len(tag) < 2]
        self.assertEqual(got[:len(wanted)], wanted)

    def test_of_the_user_replaces_it(self):
        live = self.live("-f", "tcp", "-w", self.folder / "written.pcapng")
        self.replay(LAB)
        live.end()
        protocols = {row[0] for row in self.fields(self.folder / "written.pcapng", "ip.proto")}
        self.assertEqual(protocols, {"6"})
        self.assertIn("tcp", run("capinfos", self.folder / "written.pcapng"))

    def test_that_is_wrong_is_reported_in_libpcaps_words(self):
        outcome = subprocess.run([PROGRAM, "live", "-i", "lo", "-f", "udp prt 4791"], capture_output=True, text=True)
        self.assertEqual(outcome.returncode, 2)
        self.assertRegex(outcome.stderr, "^rocescope: cannot filter lo with 'udp prt 4791': .*syntax error")


if __name__ == "__main__":
    network.main()
