#!/usr/bin/env python3
"""Headers of SMC-R and of Lustre in `dissect`, beside what tshark shows of the same packets, which message_packets.py makes."""
import pathlib
import subprocess
import tempfile
import unittest

from capture_file import write_pcap
from command_rows import PROGRAM, cut, report_of
from defects_messages import CLC, LUSTRE, SMC
import message_packets

ETHERNET = 1
GET_REQUEST = 0xD6
# tshark gives the fields of the producer and of the consumer the same name, in this order.
CONSUMER = {"smc.rmbe.ctrl.prod.wrap.seq": "rocescope.smc.cdc.cons_wrap", "smc.rmbe.ctrl.peer.prod.curs": "rocescope.smc.cdc.cons_cursor"}
BEHIND = ("lnet.o2ib.cookie", "lnet.rdma.key", "lnet.rdma.nfrags", "lnet.rdma_frag.size", "lnet.rdma_frag.addr")


def fields(program: list, capture: pathlib.Path, names: list[str], display_filter: str) -> dict[int, dict[str, list[str]]]:
    """By number of the frame, those that are there."""
    columns = [word for name in ("frame.number", *names) for word in ("-e", name)]
    run = subprocess.run([*program, "-T", "fields", "-E", "separator=/t", "-E", "occurrence=a", "-E", "aggregator=,", "-Y", display_filter, *columns,
                          *(["-r"] if program[0] == "tshark" else []), capture], check=True, capture_output=True, text=True)
    rows = (line.split("\t") for line in run.stdout.splitlines())
    return {int(row[0]): {name: list(map(value, text.split(","))) for name, text in zip(names, row[1:]) if text} for row in rows}


def value(text: str):
    if text in ("True", "False"):
        return int(text == "True")
    try:
        return int(text, 0)
    except ValueError:
        return text


class Messages(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def made(self, stream) -> pathlib.Path:
        path = pathlib.Path(self.folder.name) / "made.pcap"
        write_pcap(path, ETHERNET, stream.frames)
        return path

    def compare(self, capture: pathlib.Path, names: list[str], theirs_have: str, ours_have: str, least: int) -> None:
        theirs, ours = fields(["tshark", "-n"], capture, names, theirs_have), fields([PROGRAM, "dissect", "-q"], capture, [*names, *CONSUMER.values()], ours_have)
        self.assertGreaterEqual(len(ours), least)
        compared = set()
        for frame, mine in ours.items():
            if mine.get("lnet.ib.type") == [GET_REQUEST]:
                # tshark reads what follows the header of LNet of a GET 4 bytes too early: the header has 72 bytes, whatever its type.
                self.assertEqual([mine.pop(name) for name in BEHIND], [[0xE00E1E], [0x78], [1], [4_096], [0x2_0000_1000]])
                for name in BEHIND:
                    theirs[frame].pop(name, None)
            for name in ("smc.confirm.rkey.new.rkey", "smc.confirm.rkey.new.virt"):  # of other links we show the bytes
                if name in mine:
                    theirs[frame][name] = theirs[frame][name][:1]
            for name, consumer in CONSUMER.items():
                mine.update({name: mine[name] + mine.pop(consumer)} if name in mine else {})
            self.assertEqual(mine, theirs[frame], frame)
            compared |= set(mine)
        self.assertEqual(set(names) - compared, set())

    def test_smc_r(self):
        capture = self.made(message_packets.smc_r())
        self.compare(capture, SMC, "smc", "smc.llc_msg", 15)
        self.assertEqual([(each["protocol"], each["known_by"]) for each in report_of(capture)["carried"]], [("SMC-R", "shape")])

    def test_set_up_of_smc_r(self):
        self.compare(self.made(message_packets.smc_set_up()), CLC, "smc.clc_msg", "smc.clc_msg", 4)
        text = subprocess.run([PROGRAM, "dissect", "-q", "-V", self.made(message_packets.smc_set_up())], check=True, capture_output=True, text=True).stdout
        for name in ("Proposal", "2001:db8::1", "Accept", "Confirm", "Decline", "no device for SMC-R"):
            self.assertIn(name, text)

        lines = subprocess.run([PROGRAM, "dissect", "-q", self.made(message_packets.smc_set_up())], check=True, capture_output=True, text=True).stdout
        for words in ("SMC Proposal", "SMC-R Accept QP 0x000201 PSN 5000", "SMC-R Confirm QP 0x000200 PSN 1000", "SMC Decline: no device for SMC-R"):
            self.assertIn(words, lines)

    def test_what_the_set_up_of_smc_r_tells(self):
        stream = message_packets.smc_connection()
        report = report_of(self.made(stream))
        [connection], [handshake] = report["connections"], report["handshakes"]
        self.assertEqual((connection["paired_by"], connection["path_mtu"]), ("oob", 1024))
        self.assertEqual([side["qpn"] for side in connection["sides"]], list(stream.queue_pairs))
        self.assertEqual((handshake["kind"], handshake["outcome"]), ("oob", "established"))
        self.assertEqual([step["message"] for step in handshake["messages"]], ["CLC_PROPOSAL", "CLC_ACCEPT", "CLC_CONFIRM"])
        self.assertEqual([side["first_psn"] for side in handshake["sides"]], [1000, 5000])
        self.assertEqual([side["region"]["r_key"] for side in handshake["sides"]], list(message_packets.R_KEYS))
        self.assertEqual([(each["protocol"], each["known_by"]) for each in report["carried"]], [("SMC-R", "key_lines")])
        self.assertNotIn("cm_reject", {each["id"] for each in report["findings"]})

    def test_later_contact_is_no_set_up(self):
        """Its messages name queue pairs that were connected before."""
        stream = message_packets.Stream(0x200)
        report = report_of(self.made(message_packets.smc_connection((0, message_packets.proposal()), (1, message_packets.queue_pair(stream, 1, False)),
                                                                    (0, message_packets.queue_pair(stream, 0, False)))))
        self.assertEqual(report["handshakes"], [])

    def test_declined_smc_r(self):
        for side, who in ((1, "passive"), (0, "active")):
            stream = message_packets.over_tcp(message_packets.Stream(0x200), (0, message_packets.proposal()), (side, message_packets.decline(side)),
                                              (1 - side, message_packets.decline(1 - side, 0x05000000)))
            report = report_of(self.made(stream))
            [handshake] = report["handshakes"]
            self.assertEqual((handshake["outcome"], handshake["reject"]["sender"], handshake["reject"]["reason"]), ("rejected", side, message_packets.NO_DEVICE))
            [found] = [each for each in report["findings"] if each["id"] == "cm_reject"]
            self.assertIn(f"the {who} side declined SMC-R", str(found))
            self.assertIn("no device for SMC-R", str(found))

    def test_other_data_of_tcp(self):
        """The eye catcher at one end alone, a length that does not fit, and messages behind other bytes, are none."""
        stream = message_packets.Stream(0x200)
        accept = message_packets.queue_pair(stream, 1)
        others = (message_packets.queue_pair(stream, 1, end=bytes(4)), bytes(4) + accept[4:], accept[:5] + bytes([0, 60]) + accept[7:], accept[:60], b"x" + accept,
                  message_packets.EYE_CATCHER * 20, accept[:4] + bytes([9]) + accept[5:])
        capture = self.made(message_packets.over_tcp(stream, *((1, other) for other in others), (0, message_packets.queue_pair(stream, 0))))
        self.assertEqual(len(fields([PROGRAM, "dissect", "-q"], capture, ["smc.clc_msg"], "smc.clc_msg")), 1)
        self.assertEqual(report_of(capture)["handshakes"], [])

    def test_lustre(self):
        capture = self.made(message_packets.lustre())
        self.compare(capture, LUSTRE, "lnet", "lnet.ib.magic", 10)
        self.assertEqual([each["protocol"] for each in report_of(capture)["carried"]], ["Lustre"])

    def test_types_have_names(self):
        capture = self.made(message_packets.lustre())
        text = subprocess.run([PROGRAM, "dissect", "-q", "-V", capture], check=True, capture_output=True, text=True).stdout
        for name in ("Connect Request", "Connect Ack", "Immediate", "Put Request", "Put Ack", "Put Done", "Get Request", "Get Done", "Put NAK", "Noop"):
            self.assertIn(name, text)
        text = subprocess.run([PROGRAM, "dissect", "-q", "-V", self.made(message_packets.smc_r())], check=True, capture_output=True, text=True).stdout
        for name in ("Confirm Link", "Add Link", "Confirm Rkey", "Test Link", "Delete Rkey", "Delete Link", "CDC"):
            self.assertIn(name, text)

    def test_cut_captures(self):
        """What is shown of a packet that the capture cut is right."""
        for stream, names, mine in ((message_packets.smc_r(), SMC, "smc.llc_msg"), (message_packets.lustre(), LUSTRE, "lnet.ib.magic")):
            capture = self.made(stream)
            whole = fields([PROGRAM, "dissect", "-q"], capture, names, mine)
            for length in (70, 98, 110, 150, 180, 330):
                with cut(capture, length) as short:
                    for frame, found in fields([PROGRAM, "dissect", "-q"], short, names, mine).items():
                        for name, values in found.items():
                            self.assertEqual(values, whole[frame][name][:len(values)], (length, frame, name))


if __name__ == "__main__":
    unittest.main()
