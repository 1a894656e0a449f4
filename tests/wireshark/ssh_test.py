"""ssh_test.py ROCESCOPE: tshark captures on another host through rocescope's extcap interface, OpenSSH's client and server. The other host
is the same machine, in a network namespace of the test.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from tshark import CAPTURES, SKIPPED, skip_without

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from daemons import wait_until  # noqa: E402

PROGRAM = Path()
CAPTURE = CAPTURES / "impaired_out-loss_heavy.pcapng"
FILTER = "udp port 4791"
PORT = 2222
NOBODY = 65534
SERVER = shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin")

SERVER_CONFIG = """ListenAddress 127.0.0.1:{port}
HostKey {folder}/host
AuthorizedKeysFile {folder}/user.pub
StrictModes no
UsePAM no
PidFile none
PasswordAuthentication no
KbdInteractiveAuthentication no
"""
CLIENT_CONFIG = """IdentityFile {folder}/user
IdentitiesOnly yes
UserKnownHostsFile {folder}/known
GlobalKnownHostsFile /dev/null
StrictHostKeyChecking yes
"""


def frames_of(file: Path, *words: str) -> list[str]:
    return subprocess.run(["tshark", "-r", file, "-o", "frame.generate_md5_hash:TRUE", "-T", "fields", "-e", "frame.md5_hash", *words],
                          capture_output=True, text=True, check=True).stdout.split()


class SshTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = Path(folder.name)
        self.program = self.home / "rocescope"
        shutil.copy(PROGRAM, self.program)
        for key in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", key, "-f", self.home / key], check=True)
        (self.home / "known").write_text(f"[127.0.0.1]:{PORT} {(self.home / 'host.pub').read_text()}")
        (self.home / "server").write_text(SERVER_CONFIG.format(port=PORT, folder=self.home))
        (self.home / "client").write_text(CLIENT_CONFIG.format(folder=self.home))
        # A user's ~/.ssh has the same. Here it must not be that of the machine's user.
        (self.home / "bin").mkdir()
        (self.home / "bin" / "ssh").write_text(f'#!/bin/sh\nexec {shutil.which("ssh")} -F {self.home}/client "$@"\n')
        (self.home / "bin" / "ssh").chmod(0o755)
        subprocess.run(["chown", "-R", f"{NOBODY}:{NOBODY}", self.home], check=True)
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "WIRESHARK_", "SSH_"))}
        self.environment |= {"HOME": str(self.home), "PATH": f"{self.home / 'bin'}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}
        self.start_server()
        installed = self.start(self.program, "wireshark", "--install-extcap")
        self.assertEqual(installed.wait(timeout=60), 0, self.said())

    def start_server(self) -> None:
        with (self.home / "server.log").open("w") as log:
            server = subprocess.Popen([SERVER, "-D", "-e", "-f", self.home / "server"], stderr=log)
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        wait_until(lambda: "Server listening" in (self.home / "server.log").read_text(), "sshd listens")

    def start(self, *words) -> subprocess.Popen:
        """As a user, not as root."""
        as_nobody = ["setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"]
        with (self.home / "said").open("w") as said:
            process = subprocess.Popen([str(word) for word in (*as_nobody, *words)], env=self.environment, stdout=said, stderr=said)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def start_tshark(self, *words) -> subprocess.Popen:
        options = {"remotehost": "root@127.0.0.1", "remoteport": PORT, "remoteinterface": "lo", "remoteprogram": self.program}
        given = [word for name, value in options.items() for word in ("-o", f"extcap.roce_ssh.{name}:{value}")]
        return self.start("tshark", "-i", "roce-ssh", *given, "-f", FILTER, "-F", "pcapng", "-w", self.home / "written.pcapng", *words)

    def said(self) -> str:
        return (self.home / "said").read_text() + (self.home / "server.log").read_text()

    def is_capturing(self) -> bool:
        """Whether the program on the other host listens to its interface. The kernel lists packet sockets below a heading."""
        return len(Path("/proc/net/packet").read_text().splitlines()) > 1

    def remote_commands(self) -> list[str]:
        found = []
        for process in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = process.read_bytes().decode(errors="replace").split("\0")
            except OSError:
                continue
            if words[0] == str(self.program) and words[1:2] == ["live"]:
                found.append(" ".join(words))
        return found

    def check_that_nothing_goes_on(self) -> None:
        wait_until(lambda: not self.remote_commands(), "the program on the other host ended")
        self.assertFalse(self.is_capturing())

    def test_the_packets_of_the_other_host_arrive(self):
        expected = frames_of(CAPTURE, "-Y", "udp.port == 4791")
        tshark = self.start_tshark("-c", len(expected))
        wait_until(self.is_capturing, "the other host captures")
        subprocess.run(["tcpreplay", "-q", "-i", "lo", "--pps", "1000", CAPTURE], check=True, capture_output=True)
        self.assertEqual(tshark.wait(timeout=60), 0, self.said())
        self.assertEqual(frames_of(self.home / "written.pcapng"), expected)
        self.check_that_nothing_goes_on()

    def test_it_ends_on_both_hosts_while_no_packet_comes(self):
        tshark = self.start_tshark()
        wait_until(self.is_capturing, "the other host captures")
        self.assertTrue(self.remote_commands())
        tshark.send_signal(signal.SIGINT)
        tshark.wait(timeout=60)  # with 0, or with 1 where the signal came while it was in select()
        self.check_that_nothing_goes_on()

    def test_what_keeps_ssh_from_connecting_is_shown(self):
        (self.home / "user.pub").write_text("")  # the server knows the key no longer
        tshark = self.start_tshark()
        tshark.wait(timeout=60)
        self.assertIn("Permission denied (publickey)", (self.home / "said").read_text())
        self.assertFalse(self.remote_commands())


def go_apart() -> None:
    """Into a network where nothing else captures, and where sshd has the empty folder that it wants."""
    folder = Path("/run/sshd")  # the machine's own sshd has one
    if "--apart" in sys.argv:
        sys.argv.remove("--apart")
        if not folder.is_dir():
            subprocess.run(["mount", "-t", "tmpfs", "none", "/run"], check=True)
            folder.mkdir(mode=0o755)
        subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
        return
    apart = ["unshare", "--net", *([] if folder.is_dir() else ["--mount"])]
    trial = subprocess.run([*apart, "true"], capture_output=True, text=True, check=False)
    if os.geteuid() != 0 or trial.returncode != 0:
        print("skipped: only root can make namespaces", trial.stderr.strip())
        sys.exit(SKIPPED)
    os.execvp("unshare", [*apart, sys.executable, *sys.argv, "--apart"])


def main() -> None:
    global PROGRAM
    skip_without(Path(sys.argv[1]), "ssh", "ssh-keygen", "tcpreplay", "ip")
    if SERVER is None:
        print("skipped: not installed: sshd (openssh-server)")
        sys.exit(SKIPPED)
    go_apart()
    PROGRAM = Path(sys.argv.pop(1))
    unittest.main()


if __name__ == "__main__":
    main()
