"""Scenario files: what they mean, and that a wrong one says what is wrong."""

import tempfile
import unittest
from pathlib import Path

import lab_path  # noqa: F401
from rocelab import paths, scenario
from rocelab.errors import LabError
from rocelab.network import Impairment, Network, as_gid

RUN = '[[command]]\non = "client"\nrun = "true"\n'


class ScenarioTest(unittest.TestCase):
    def load(self, text: str) -> list[scenario.Scenario]:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "mine.toml"
            file.write_text(text)
            return scenario.load(file)

    def assert_says(self, text: str, *parts: str) -> None:
        with self.assertRaises(LabError) as caught:
            self.load(text)
        for part in ("mine.toml", *parts):
            self.assertIn(part, str(caught.exception))

    def test_what_is_not_said_is_the_usual(self) -> None:
        only, = self.load(f'about = "x"\n{RUN}')
        self.assertEqual((only.name, only.network, only.impairments), ("mine", Network(1500, 0, False), []))
        self.assertEqual((only.commands[0].timeout, only.commands[0].exit, only.inside), (30, 0, "client"))

    def test_each_combination_of_a_matrix_is_a_scenario(self) -> None:
        text = ('about = "x"\n[matrix]\nway = ["out", "in"]\n[matrix.loss]\nlight = "1%"\nheavy = "9%"\n'
                '[[impair]]\non = "client"\nway = "{way}"\nnetem = "loss {loss}"\n' + RUN)
        loaded = self.load(text)
        self.assertEqual([one.name for one in loaded], ["mine-out-light", "mine-out-heavy", "mine-in-light", "mine-in-heavy"])
        self.assertEqual(loaded[3].impairments, [Impairment("client", "in", "loss 9%")])

    def test_numbers_may_come_from_a_matrix(self) -> None:
        loaded = self.load(f'about = "x"\n[matrix]\nmtu = ["1500", "4500"]\n[network]\nmtu = "{{mtu}}"\n{RUN}')
        self.assertEqual([one.network.mtu for one in loaded], [1500, 4500])

    def test_names_of_the_run_and_braces_of_the_shell_stay(self) -> None:
        only, = self.load('about = "x"\n[[command]]\non = "client"\nrun = "echo {server} ${HOME} { true; }"\n')
        self.assertEqual(only.commands[0].run, "echo {server} ${HOME} { true; }")

    def test_memory_and_snap_length_are_sizes(self) -> None:
        usual, = self.load(f'about = "x"\n{RUN}')
        large, = self.load(f'about = "x"\nmemory = "3G"\nsnap = 128\n{RUN}')
        self.assertEqual((usual.memory, usual.snap, large.memory, large.snap), (768, 65536, 3072, 128))
        for text in ("3", "3GB", "256M", "-1G"):
            self.assert_says(f'about = "x"\nmemory = "{text}"\n{RUN}', f"memory is '{text}'", '"3G"')
        self.assert_says(f'about = "x"\nsnap = 10\n{RUN}', "snap is 10", "64 to 65536")

    def test_gids_of_addresses_are_written_as_the_kernel_writes_them(self) -> None:
        self.assertEqual(as_gid("192.168.2.24"), "0000:0000:0000:0000:0000:ffff:c0a8:0218")
        self.assertEqual(as_gid("fd00:192:168:2::24"), "fd00:0192:0168:0002:0000:0000:0000:0024")

    def test_an_unknown_key_is_reported_with_those_known(self) -> None:
        self.assert_says(f'about = "x"\ntimout = 3\n{RUN}', "'timout' is not known here", "about", "kernel")
        self.assert_says('about = "x"\n[[command]]\non = "client"\nrun = "a"\n[[command]]\non = "client"\nrun = "b"\nready_ = "cm"\n',
                         "[[command]] number 2", "'ready_'", "ready")

    def test_a_placeholder_that_nobody_fills_is_reported(self) -> None:
        self.assert_says('about = "x"\n[[command]]\non = "client"\nrun = "rping -a {sever}"\n', "{sever}", "server")

    def test_values_out_of_place_are_reported_with_what_may_stand_there(self) -> None:
        self.assert_says('about = "x"\n[[command]]\non = "clint"\nrun = "a"\n', "on is 'clint'", "'server', 'client'")
        self.assert_says(f'about = "x"\n[network]\nmtu = 100\n{RUN}', "mtu is 100", "576 to 9000")
        self.assert_says(f'about = "x"\nneeds = ["rdmagn"]\n{RUN}', "needs names 'rdmagn'", "'rdmagen'")
        self.assert_says(f'about = "x"\nmodules = ["rtrs"]\n{RUN}', "modules names 'rtrs'", "'rnbd', 'smb_direct'")
        self.assert_says(f'about = "x"\n[network]\nipv6 = 1\n{RUN}', "ipv6 must be true or false")
        self.assert_says('about = "x"\n[[command]]\non = "client"\nrun = "a"\nready = "18515"\n', "ready is '18515'", "tcp PORT")
        self.assert_says(f'about = "x"\n{RUN}[[expect]]\npackets = "udp"\ncount = "at least 1"\n', "count is 'at least 1'")
        self.assert_says(f'about = "x"\n{RUN}[[expect]]\non = "client"\n', "[[expect]] number 1", "packets, counter, dropped, log")

    def test_a_file_without_a_command_or_with_bad_toml_is_reported(self) -> None:
        self.assert_says('about = "x"\n', "there is no [[command]]")
        self.assert_says('about = \n', "line 1")
        self.assert_says(RUN, "about is missing")

    def test_two_impairments_of_the_same_way_are_reported(self) -> None:
        one = '[[impair]]\non = "client"\nway = "out"\nnetem = "delay 1ms"\n'
        self.assert_says(f'about = "x"\n{one}{one}{RUN}', "two [[impair]] for the same host and way")

    def test_every_scenario_of_the_lab_loads_under_a_name_of_its_own(self) -> None:
        loaded = [one for file in scenario.files() for one in scenario.load(file)]
        names = [one.name for one in loaded]
        self.assertEqual(len(set(names)), len(names))
        for one in loaded:
            self.assertEqual([found.name for found in scenario.find(one.name)], [one.name])

    def test_the_manual_s_scenario_is_one(self) -> None:
        manual = (paths.LAB / "README.md").read_text()
        only, = self.load(manual.partition("```toml\n")[2].partition("```")[0])
        self.assertEqual((len(only.commands), len(only.impairments), len(only.expectations)), (2, 1, 1))

    def test_a_scenario_that_is_not_there_says_how_to_see_those_that_are(self) -> None:
        with self.assertRaisesRegex(LabError, "lab list"):
            scenario.find("no_such")


if __name__ == "__main__":
    unittest.main()
