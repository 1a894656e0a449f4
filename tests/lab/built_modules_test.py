"""Modules that the lab builds: which packages they are made of, and what is changed in the source."""

import tempfile
import unittest
from pathlib import Path
from unittest import mock

import lab_path  # noqa: F401
from rocelab import built_modules, distribution, image, scenario
from rocelab.packages import Apt

# As apt-cache of Debian 12 shows them.
SHOWN = {
    "linux-image-amd64": "Depends: linux-image-6.1.0-56-amd64 (= 6.1.192-2)\n",
    "linux-image-6.1.0-56-amd64": "Depends: kmod, linux-base (>= 4.3~), initramfs-tools (>= 0.120+deb11u2) | linux-initramfs-tool\n",
    "linux-headers-6.1.0-56-amd64": "Depends: linux-headers-6.1.0-56-common (= 6.1.192-2), linux-kbuild-6.1 (>= 6.1.192-2), "
                                    "linux-compiler-gcc-12-x86\n",
    "linux-headers-6.1.0-56-common": "Package: linux-headers-6.1.0-56-common\n",
    "linux-kbuild-6.1": "Depends: libc6 (>= 2.34), libelf1 (>= 0.131)\n",
}


class BuiltModulesTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_the_packages_of_a_kernel(self) -> None:
        with mock.patch("shutil.which", return_value="/usr/bin/apt-get"):
            apt = Apt(self.folder, distribution.Distribution("debian", "bookworm", "linux-image-amd64", "", ()))
        fetched: list[str] = []

        def run(program: str, *arguments: str) -> str:
            if program == "apt-cache":
                return SHOWN[arguments[-1]]
            fetched.extend(arguments[2:])
            for name in arguments[2:]:
                (apt.archives / f"{name}_6.1.192-2_amd64.deb").touch()
            return ""

        with mock.patch.object(apt, "_run", side_effect=run):
            self.assertEqual([path.name for path in apt.download_kernel()], ["linux-image-6.1.0-56-amd64_6.1.192-2_amd64.deb"])
            apt.download_kernel_headers("6.1.0-56-amd64")
            apt.download_kernel_source("6.1.0-56-amd64")
        self.assertEqual(fetched, ["linux-image-6.1.0-56-amd64", "linux-headers-6.1.0-56-amd64", "linux-headers-6.1.0-56-common",
                                   "linux-kbuild-6.1", "linux-source-6.1"])

    def test_the_headers_are_found_where_they_are(self) -> None:
        for name in ("linux-headers-6.1.0-56-amd64", "linux-headers-6.1.0-56-common"):
            (self.folder / "usr/src" / name).mkdir(parents=True)
            (self.folder / "usr/src" / name / "Makefile").write_text("include /usr/src/linux-headers-6.1.0-56-common/Makefile\n")
        headers = built_modules._unpack_headers([], self.folder)
        self.assertEqual(headers.name, "linux-headers-6.1.0-56-amd64")
        self.assertEqual((headers / "Makefile").read_text(), f"include {self.folder}/usr/src/linux-headers-6.1.0-56-common/Makefile\n")
        (headers / ".kernelvariables").write_text("CCACHE = ccache\nCC = $(if $(X),$(CCACHE)) $(CROSS_COMPILE)gcc-12\n")
        self.assertEqual(built_modules._compiler(headers), "gcc-12")

    def test_each_image_has_a_name_of_its_own(self) -> None:
        release = distribution.Distribution("debian", "bookworm", "linux-image-amd64", "", ())
        names = {image.key(release, (), built) for built in ((), ("rnbd",), ("smb_direct",), ("rnbd", "smb_direct"))}
        self.assertEqual(len(names), 4)

    def test_scenarios_name_what_can_be_built(self) -> None:
        named = {name for file in scenario.files() for one in scenario.load(file) for name in one.modules}
        self.assertEqual(named, set(built_modules.BUILDS))


if __name__ == "__main__":
    unittest.main()
