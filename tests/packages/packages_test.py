"""packages_test.py SUITE CACHE: the packages, made in a Debian of that release, installed in a fresh one, used as README.md does, removed.

The witnesses are lintian, apt, dpkg, man and tshark of the release. CACHE is a folder for ccache.
"""

import os
import re
import shutil
import sys
import time
import unittest
from pathlib import Path

from root import SOURCE, Root, run
from rocelab.errors import LabError

SKIPPED = 77  # what ctest takes for it
NAMES = ["librocescope-dev", "rocescope", "rocescope-lab", "rocescope-wireshark"]
CAPTURE = SOURCE / "captures" / "impaired_out-loss_heavy.pcapng"
ROOT: Root
DEBS: list[str] = []
NEXT_DEBS: list[str] = []  # the same, of a later version


def listed(*names: str) -> list[str]:
    """Packages of tools/packages.sh."""
    lists = " ".join(f"${{{name}[@]}}" for name in names)
    return run("bash", "-c", f". {SOURCE}/tools/packages.sh; echo {lists}").split()


def say(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)


def make(suite: str, cache: Path, debs: Path) -> None:
    """Makes the packages as README.md says, checks them with lintian, and tests the plugin with the Wireshark of the release."""
    say(f"{suite}: a root to build in")
    packages = listed("build_packages", "plugin_packages", "packaging_packages")
    with Root(suite, [*packages, "python3", "lintian", "tshark", "openssh-server", "tcpreplay", "iproute2"], cache) as root:
        tracked = run("git", "-C", SOURCE, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
        for name in filter(None, tracked):
            if (SOURCE / name).is_file():
                (root.path / "source" / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(SOURCE / name, root.path / "source" / name)
        say("build and pack")
        root.run("export CCACHE_DIR=/ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache; cd /source; "
                 "nice cmake --preset packages -D ROCESCOPE_WERROR=ON && nice cmake --workflow --preset packages")
        say("lintian")
        print(root.run("lintian --allow-root --fail-on error,warning /source/build/packages/*.deb"))
        version = root.run("tshark --version").splitlines()[0]
        for test in ("plugin", "fields"):
            say(f"{test}_test.py with {version}")
            print(root.run(f"cd /source/build/packages && python3 /source/tests/wireshark/{test}_test.py $PWD/rocescope "
                           "$PWD/dissectors/wireshark/rocescope.so 2>&1"))
        say("ssh_test.py")
        print(root.run("mkdir /run/sshd; python3 /source/tests/wireshark/ssh_test.py /source/build/packages/rocescope 2>&1"))
        say("the same of a later version")
        root.run("""mkdir /later
                    for deb in /source/build/packages/*.deb; do
                      dpkg-deb -R "$deb" /tree
                      sed -i 's/^Version: .*/&+later/' /tree/DEBIAN/control
                      dpkg-deb -b --root-owner-group /tree /later
                      rm -r /tree
                    done""")
        for folder in (root.path / "source" / "build" / "packages", root.path / "later"):
            for file in folder.glob("*.deb"):
                shutil.copy(file, debs)


def install(*words: str) -> str:
    return ROOT.run(f"apt-get install -q -y --no-install-recommends {' '.join(words)}")


def installed_files() -> set[str]:
    """Of all our packages."""
    return set(ROOT.run(f"dpkg -L {' '.join(NAMES)}").split()) - {"/."}


def lines_of(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def readme_screen() -> list[str]:
    """What README.md shows of the first command."""
    text = (SOURCE / "README.md").read_text()
    screen = re.search(rf"^    \$ rocescope analyze captures/{CAPTURE.name}\n((?:    .*\n|\n)+)", text, re.MULTILINE)[1]
    return lines_of(screen)


class InstalledTest(unittest.TestCase):
    """The cases run in the order of their names, in one root."""

    def test_1_there_are_four_and_apt_installs_the_program_alone(self) -> None:
        self.assertEqual(sorted(Path(deb).name.split("_")[0] for deb in DEBS), NAMES)
        install(*(deb for deb in DEBS if Path(deb).name.startswith("rocescope_")))
        shown = ROOT.run(f"rocescope analyze /tmp/{CAPTURE.name}", user="nobody")
        self.assertEqual(lines_of(shown), readme_screen())

    def test_2_apt_installs_the_others(self) -> None:
        install(*DEBS, "man-db", "tshark", "g++", "make", "cmake", "bash-completion")
        states = ROOT.run(f"dpkg-query -W -f '${{Package}} ${{db:Status-Status}}\\n' {' '.join(NAMES)}")
        self.assertEqual(states.splitlines(), [f"{name} installed" for name in NAMES])

    def test_3_each_has_its_licence_and_changelog(self) -> None:
        for name in NAMES:
            self.assertIn("Permission is hereby granted", ROOT.run(f"cat /usr/share/doc/{name}/copyright"))
            self.assertIn("rocescope (", ROOT.run(f"zcat /usr/share/doc/{name}/changelog.gz"))

    def test_4_man_finds_the_pages(self) -> None:
        for page in ("rocescope", "rocescope-analyze", "rocescope-capture", "rocescope-sbatch", "rdmagen", "rocescope-lab"):
            self.assertRegex(ROOT.run(f"man {page}", user="nobody"), rf"NAME\n +{page} +[-–—] ")

    def test_5_completion_is_where_shells_look(self) -> None:
        ask = "source /usr/share/bash-completion/bash_completion; _completion_loader rocescope || true; complete -p rocescope"
        self.assertIn("-F _rocescope", ROOT.run(f"bash -c '{ask}'", user="nobody"))
        for file in ("zsh/site-functions/_rocescope", "fish/vendor_completions.d/rocescope.fish"):
            ROOT.run(f"test -s /usr/share/{file}")

    def test_6_tshark_loads_the_plugin(self) -> None:
        self.assertRegex(ROOT.run("tshark -G plugins", user="nobody"), r"(?m)^rocescope\.so\s")
        report = lines_of(ROOT.run(f"tshark -q -r /tmp/{CAPTURE.name} -z rocescope,report", user="nobody"))
        shown = readme_screen()[1:]  # the line before has the name of the file
        self.assertEqual(report[report.index(shown[0]):][:len(shown)], shown)

    def test_7_the_lab_starts(self) -> None:
        self.assertIn("--workload", ROOT.run("rdmagen --help", user="nobody"))
        self.assertRegex(ROOT.run("rocescope-lab list", user="nobody"), r"(?m)^rping ")
        import_all = "import sys; sys.dont_write_bytecode = True; sys.path.insert(0, \"/usr/share/rocescope-lab\"); " \
                     "from rocelab import paths; print(*paths.our_programs())"
        self.assertEqual(ROOT.run(f"python3 -c '{import_all}'", user="nobody"), "/usr/bin/rocescope /usr/bin/rdmagen\n")

    def test_8_programs_are_built_with_the_library(self) -> None:
        ROOT.run("cmake -S /usr/share/doc/librocescope-dev/examples -B /tmp/examples && cmake --build /tmp/examples")
        naks = ROOT.run(f"/tmp/examples/naks /tmp/{CAPTURE.name}").splitlines()
        self.assertEqual(len(naks), int(ROOT.run(f"tshark -r /tmp/{CAPTURE.name} -Y 'infiniband.aeth.syndrome.opcode == 3' | wc -l")))
        self.assertTrue(naks)

    def test_8_later_ones_replace_them(self) -> None:
        """An upgrade. Files of users and of the machine stay as they are."""
        ROOT.run("mkdir -p /tmp/home && chown nobody /tmp/home")
        ROOT.run("rocescope wireshark --install-profile", user="nobody")
        profile = ROOT.run("cd /tmp/home && find . -type f -exec md5sum {} +")
        files = installed_files()
        install(*NEXT_DEBS)
        versions = ROOT.run(f"dpkg-query -W -f '${{Version}} ${{db:Status-Status}}\n' {' '.join(NAMES)}").splitlines()
        self.assertEqual([line.split("+")[1] for line in versions], ["later installed"] * len(NAMES))
        self.assertEqual(installed_files(), files)
        self.assertEqual(ROOT.run("cd /tmp/home && find . -type f -exec md5sum {} +"), profile)
        self.test_6_tshark_loads_the_plugin()

    def test_9_nothing_stays_when_they_are_removed(self) -> None:
        ours = installed_files()
        ROOT.run(f"apt-get remove -q -y {' '.join(NAMES)}")
        for name in NAMES:
            self.assertNotIn(f"\n{name}\n", "\n" + ROOT.run("dpkg-query -W -f '${Package}\\n'"))
        left = {path for path in ours if (ROOT.path / path.lstrip("/")).is_symlink() or (ROOT.path / path.lstrip("/")).exists()}
        left = {path for path in left if not ROOT.run(f"dpkg-query -S {path} || true")}
        self.assertFalse(left)
        find = "find / -xdev -path /proc -prune -o -path /tmp -prune -o -path /debs -prune -o -path /var/log -prune -o"
        self.assertEqual(ROOT.run(f"{find} \\( -iname '*rocescope*' -o -iname '*rdmagen*' -o -iname rocelab \\) -print"), "")


def main() -> int:
    global ROOT
    suite, cache = sys.argv[1], Path(sys.argv[2])
    for missing, why in ((shutil.which("mmdebstrap") is None, "mmdebstrap is not installed"),
                         (os.geteuid() != 0, "only root can make roots")):
        if missing:
            print(f"skipped: {why}")
            return SKIPPED
    debs = cache / "debs"
    shutil.rmtree(debs, ignore_errors=True)
    debs.mkdir(parents=True)
    try:
        make(suite, cache / "ccache", debs)
    except LabError as error:
        print(f"skipped: {error}")
        return SKIPPED
    say(f"{suite}: a fresh root")
    with Root(suite, []) as ROOT:
        ROOT.run("apt-get update -q")
        for deb in sorted(debs.glob("*.deb")):
            ROOT.put(deb, f"/debs/{deb.name}")
            (NEXT_DEBS if "+later" in deb.name else DEBS).append(f"/debs/{deb.name}")
        ROOT.put(CAPTURE, f"/tmp/{CAPTURE.name}")
        result = unittest.TextTestRunner(verbosity=2, failfast=True).run(unittest.defaultTestLoader.loadTestsFromTestCase(InstalledTest))
    say("done")
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
