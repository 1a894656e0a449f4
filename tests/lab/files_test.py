"""Captures converted and images packed, looked at with other programs than ours."""

import shutil
import struct
import subprocess
import tempfile
import unittest
from pathlib import Path

import lab_path  # noqa: F401
from rocelab import kernel_modules, pcap
from rocelab.cpio import Archive
from rocelab.errors import LabError

FRAME = bytes.fromhex("ffffffffffff52540012342508060001080006040001525400123425c0a80219000000000000c0a80218")  # ARP


def pcap_bytes(order: str, magic: int, fraction: int) -> bytes:
    header = struct.pack(order + "IHHiIII", magic, 2, 4, 0, 0, 65536, 1)
    return header + struct.pack(order + "IIII", 1_700_000_000, fraction, len(FRAME), len(FRAME)) + FRAME


class PcapTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def read(self, data: bytes) -> pcap.Pcap:
        (self.folder / "in.pcap").write_bytes(data)
        return pcap.read(self.folder / "in.pcap")

    def test_both_byte_orders_and_resolutions_give_nanoseconds(self) -> None:
        for order in "<>":
            self.assertEqual(self.read(pcap_bytes(order, 0xA1B2C3D4, 250)).packets[0][0], 1_700_000_000_000_250_000)
            self.assertEqual(self.read(pcap_bytes(order, 0xA1B23C4D, 250)).packets[0][0], 1_700_000_000_000_000_250)

    def test_a_packet_cut_by_the_end_of_the_file_is_left_out(self) -> None:
        whole = pcap_bytes("<", 0xA1B2C3D4, 0)
        for size in (24, 30, 40, len(whole) - 1):
            self.assertEqual(self.read(whole[:size]).packets, [])

    def test_what_is_no_pcap_is_reported(self) -> None:
        for data in (b"", b"\x0a\x0d\x0d\x0a" + b"\0" * 40):
            with self.assertRaisesRegex(LabError, "is no pcap file"):
                self.read(data)

    @unittest.skipUnless(shutil.which("tshark"), "tshark is not installed")
    def test_tshark_reads_time_interface_and_bytes_of_what_is_written(self) -> None:
        out = self.folder / "out.pcapng"
        pcap.write_pcapng(out, self.read(pcap_bytes("<", 0xA1B23C4D, 123_456_789)), "enp0s1", "a test", shift=-1_000_000_000)
        fields = ["-e", "frame.time_epoch", "-e", "frame.interface_name", "-e", "frame.len", "-e", "arp.dst.proto_ipv4"]
        shown = subprocess.run(["tshark", "-r", out, "-T", "fields", *fields], capture_output=True, text=True, check=True)
        self.assertEqual(shown.stdout.split(), ["1699999999.123456789", "enp0s1", "42", "192.168.2.24"])


class ImageTest(unittest.TestCase):
    @unittest.skipUnless(shutil.which("bsdtar") or shutil.which("cpio"), "neither cpio nor bsdtar is installed")
    def test_an_archive_holds_files_links_and_folders_of_root(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "tree" / "sub").mkdir(parents=True)
            (folder / "tree" / "sub" / "file").write_bytes(b"odd")
            (folder / "tree" / "link").symlink_to("sub/file")
            with open(folder / "archive", "wb") as out:
                archive = Archive(out)
                archive.tree(folder / "tree")
                archive.close()
            with open(folder / "archive", "rb") as archive_file:
                command = ["cpio", "-itv", "--quiet"] if shutil.which("cpio") else ["bsdtar", "-tvf", "-"]
                shown = subprocess.run(command, stdin=archive_file, capture_output=True, text=True, check=True).stdout
        self.assertRegex(shown, r"-rw-r--r-- .*\b3 .*sub/file")
        self.assertRegex(shown, r"lrwxrwxrwx .*link -> sub/file")
        self.assertRegex(shown, r"drwxr-xr-x .*sub")

    def test_modules_bring_what_they_need_and_no_others(self) -> None:
        text = ("kernel/rdma_rxe.ko.xz: kernel/ib_core.ko.xz kernel/udp-tunnel.ko.xz\nkernel/ib_core.ko.xz:\n"
                "kernel/udp-tunnel.ko.xz:\nkernel/sound.ko.xz: kernel/ib_core.ko.xz\n")
        found = kernel_modules.closure(["rdma_rxe", "not_in_this_kernel"], kernel_modules.read_dependencies(text))
        self.assertEqual(found, {"kernel/rdma_rxe.ko.xz", "kernel/ib_core.ko.xz", "kernel/udp-tunnel.ko.xz"})


if __name__ == "__main__":
    unittest.main()
