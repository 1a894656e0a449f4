"""The lab takes packages only from the sources of this machine's apt, which apt itself reads here."""

import os
import shutil
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import lab_path  # noqa: F401
from rocelab import distribution, paths
from rocelab.errors import LabError
from rocelab.packages import Apt

ONE_LINE = """\
# deb http://not.this/debian bookworm main
deb-src http://not.this/debian bookworm main
deb cdrom:[Debian GNU/Linux 12]/ bookworm main
deb [arch=amd64 signed-by=/keys/mine.gpg] mirror+file:/etc/apt/mirrors.list bookworm main contrib # near
deb http://security.mine/debian-security bookworm-security main
deb http://other.org/x nodistro main
"""
STANZAS = """\
Types: deb
URIs: http://other.org/x
Suites: nodistro
Components: main

Types: deb deb-src
# a note
URIs: http://deb.two/debian
Suites: bookworm bookworm-updates
  bookworm-backports
Components: main
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 abc

Enabled: no
Types: deb
URIs: http://not.this/debian
Suites: bookworm
Components: main
"""


class SourcesTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.etc = self.folder / "etc"
        (self.etc / "sources.list.d").mkdir(parents=True)

    def configure(self, file: str, text: str) -> None:
        (self.etc / file).write_text(text)

    def chosen(self, kernel: str = "", name: str = "debian", codename: str = "bookworm", packages: tuple[str, ...] = ()) -> distribution.Distribution:
        release = {"ID": name, "VERSION_CODENAME": codename}
        with mock.patch.object(distribution, "host_release", return_value=release):
            return distribution.choose(kernel, packages, self.etc)

    def uris(self, kernel: str = "") -> set[str]:
        """The releases that apt would fetch, by apt's own output."""
        if shutil.which("apt-get") is None:
            self.skipTest("apt-get is not installed")
        shown = Apt(self.folder / "apt", self.chosen(kernel))._run("apt-get", "update", "--print-uris")
        uris = (line.split("'")[1] for line in shown.splitlines())
        return {uri.removesuffix("/InRelease") for uri in uris if uri.endswith("/InRelease")}

    def test_lines_of_sources_list_are_read(self) -> None:
        self.configure("sources.list", ONE_LINE)
        text = self.chosen().sources_text()
        self.assertNotIn("not.this", text)
        self.assertNotIn("other.org", text)
        self.assertRegex(text, r"(?s)mirror\+file:/etc/apt/mirrors.list\nSuites: bookworm\nComponents: main contrib\n"
                               r"Architectures: amd64\nSigned-By: /keys/mine.gpg\n")
        self.assertIn("URIs: http://security.mine/debian-security\nSuites: bookworm-security\n", text)

    def test_stanzas_are_read(self) -> None:
        self.configure("sources.list.d/debian.sources", STANZAS)
        self.configure("sources.list.d/old.list.save", "deb http://not.this/debian bookworm main\n")
        text = self.chosen().sources_text()
        self.assertNotIn("not.this", text)
        self.assertIn("Signed-By:\n -----BEGIN PGP PUBLIC KEY BLOCK-----\n .\n abc\n", text)
        self.assertEqual(self.uris(), {"http://deb.two/debian/dists/bookworm", "http://deb.two/debian/dists/bookworm-updates"})

    def test_another_release_comes_from_the_same_servers(self) -> None:
        self.configure("sources.list", "deb http://deb.one/debian bookworm main\n"
                                       "deb http://deb.one/security bookworm-security main\n")
        self.assertEqual(self.uris("trixie"), {"http://deb.one/debian/dists/trixie", "http://deb.one/security/dists/trixie-security"})
        self.assertIn("http://deb.one/debian/dists/bookworm-backports", self.uris("bookworm-backports"))
        backports = self.chosen(packages=("mpich", "ksmbd-tools/bookworm-backports"))
        self.assertIn("bookworm-backports", backports.sources_text())
        self.assertEqual(backports.kernel_suite, "")
        self.configure("sources.list.d/trixie.list", "deb http://deb.new/debian trixie main\n")
        self.assertEqual(self.uris("trixie"), {"http://deb.new/debian/dists/trixie"})

    def test_a_release_without_a_source_is_reported(self) -> None:
        with self.assertRaisesRegex(LabError, "apt of this machine has no source of debian bookworm"):
            self.chosen()
        self.configure("sources.list", "deb http://deb.one/ubuntu noble main universe\n")
        self.assertIn("Suites: noble\n", self.chosen(name="ubuntu", codename="noble").sources_text())
        with self.assertRaisesRegex(LabError, "no source of debian trixie"):  # Ubuntu has none
            self.chosen("trixie", name="ubuntu", codename="noble")

    @unittest.skipUnless(shutil.which("apt-config"), "apt is not installed")
    def test_the_machine_s_proxy_is_used(self) -> None:
        self.configure("sources.list", ONE_LINE)
        (self.folder / "apt.conf").write_text('Acquire::http::Proxy "http://proxy.mine:3128";\n')
        with mock.patch.dict(os.environ, APT_CONFIG=str(self.folder / "apt.conf")):
            output = Apt(self.folder / "apt", self.chosen())._run("apt-config", "dump", "Acquire::http::Proxy")
        self.assertEqual(output, 'Acquire::http::Proxy "http://proxy.mine:3128";\n')

    def test_no_server_is_named_in_the_source(self) -> None:
        for file in [*paths.LAB.glob("rocelab/*.py"), *paths.GUEST.iterdir(), paths.LAB / "lab", paths.LAB / "setup-host"]:
            self.assertNotRegex(file.read_text(), r"https?://\S*(debian|ubuntu)", file.name)


if __name__ == "__main__":
    unittest.main()
