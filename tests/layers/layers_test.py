"""That layers.py finds what it must find, in small trees made here."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECK = Path(__file__).with_name("layers.py")


class LayersTest(unittest.TestCase):
    def check(self, files: dict[str, str]) -> tuple[int, str]:
        with tempfile.TemporaryDirectory() as root:
            for name, text in files.items():
                path = Path(root, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            result = subprocess.run([sys.executable, CHECK, root], capture_output=True, text=True, check=False)
            return result.returncode, result.stdout.strip()

    def test_accepts_includes_of_the_folder_itself_and_of_lower_ones(self) -> None:
        code, out = self.check({
            "include/rocescope/packet.hpp": '#include <vector>\n#include "rocescope/bytes.hpp"\n',
            "src/tracking/requests/order.cpp": '#include "tracking/moment.hpp"\n#include <rocescope/packet.hpp>\n',
        })
        self.assertEqual((code, out), (0, ""))

    def test_refuses_a_higher_folder(self) -> None:
        code, out = self.check({"src/tracking/order.cpp": '#include <vector>\n\n#include "render/json_writer.hpp"\n'})
        self.assertEqual((code, out), (1, "src/tracking/order.cpp:3: src/tracking must not include render/json_writer.hpp"))

    def test_refuses_a_higher_folder_in_angle_brackets(self) -> None:
        code, out = self.check({"dissectors/link.cpp": "#include <capture/frame_queue.hpp>\n"})
        self.assertEqual((code, out), (1, "dissectors/link.cpp:1: dissectors must not include capture/frame_queue.hpp"))

    def test_refuses_a_private_header_in_a_public_one(self) -> None:
        code, out = self.check({"include/rocescope/report.hpp": '#  include "analysis/analysis.hpp"\n'})
        self.assertEqual((code, out),
                         (1, "include/rocescope/report.hpp:1: include/rocescope must not include analysis/analysis.hpp"))

    def test_refuses_an_include_without_its_folder(self) -> None:
        code, out = self.check({"src/cli/main.cpp": '#include "program.hpp"\n'})
        self.assertEqual((code, out), (1, 'src/cli/main.cpp:1: "program.hpp" does not name its folder'))

    def test_refuses_a_path_upward(self) -> None:
        code, out = self.check({"src/cli/main.cpp": '#include "../render/style.hpp"\n'})
        self.assertEqual((code, out), (1, "src/cli/main.cpp:1: src/cli must not include ../render/style.hpp"))

    def test_refuses_a_folder_that_the_table_does_not_have(self) -> None:
        code, out = self.check({"src/new/file.cpp": ""})
        self.assertEqual((code, out), (1, "src/new/file.cpp: its folder has no line in tests/layers/layers.py"))

    def test_refuses_a_tree_without_sources(self) -> None:
        code, out = self.check({"README.md": ""})
        self.assertEqual(code, 1, out)


if __name__ == "__main__":
    unittest.main()
