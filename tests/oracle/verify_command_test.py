#!/usr/bin/env python3
"""The command `rocescope verify`: where its truth comes from, what it says and how it ends."""
import json
import pathlib
import subprocess
import tempfile
import unittest

from falsified import CAPTURES, DIFFERS, DONE, ERROR, Falsified, facts, run, verify


class CommandLine(unittest.TestCase):
    def split(self, folder: pathlib.Path, name: str) -> list[pathlib.Path]:
        """A file for each side and for the lab, as they come from a run."""
        files = []
        for side in ("server", "client", "lab"):
            files.append(folder / f"{side}.ndjson")
            lines = [line for line in (CAPTURES / f"{name}.ndjson").read_text().splitlines() if json.loads(line)["side"] == side]
            files[-1].write_text("\n".join(lines))
        return files

    def test_takes_the_truth_of_each_side_from_its_own_file(self):
        name = "rdmagen-exchange-mixed"
        with tempfile.TemporaryDirectory() as folder:
            files = self.split(pathlib.Path(folder), name)
            apart = verify(CAPTURES / f"{name}.pcapng", *(word for file in files for word in ("--truth", file)))
        self.assertEqual(apart["facts"], verify(CAPTURES / f"{name}.pcapng")["facts"])

    def test_compares_what_one_side_tells(self):
        name = "rdmagen-cm-mixed"
        with tempfile.TemporaryDirectory() as folder:
            server, client, _ = self.split(pathlib.Path(folder), name)
            for file in server, client:
                result = verify(CAPTURES / f"{name}.pcapng", "--truth", file)
                count = len(Falsified(name).messages(file.stem, 17))
                self.assertEqual(result["differences"], [])
                self.assertEqual(facts(result)["queue_pairs"]["agree"], 1)
                self.assertEqual(facts(result)["outcomes"]["agree"], count)
                self.assertIn("whose truth is not given", " ".join(result["notes"]))

    def test_goes_on_behind_a_capture_of_a_run_that_cannot_be_read(self):
        name = "rdmagen-exchange-mixed"
        with tempfile.TemporaryDirectory() as folder:
            for file in self.split(pathlib.Path(folder), name):
                file.rename(file.with_suffix(".rdmagen.ndjson"))
            whole = (CAPTURES / f"{name}.pcapng").read_bytes()
            (pathlib.Path(folder) / "a.wire.pcapng").write_bytes(whole[:10])
            (pathlib.Path(folder) / "b.wire.pcapng").write_bytes(whole)
            done = run(folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("a.wire.pcapng", done.stderr)
        self.assertIn("queue pairs", done.stdout)
        self.assertIn(".rdmagen.ndjson, found in the folder\n", done.stdout)

    def test_says_which_truth_it_found_beside_the_capture(self):
        done = run(CAPTURES / "rping.pcapng")
        self.assertEqual(done.returncode, DONE)
        self.assertEqual(done.stderr, "")
        self.assertRegex(done.stdout, r"^The capture agrees with the truth\n  The truth is .*/rping\.ndjson, found beside the capture\n")

    def test_wants_a_truth(self):
        done = run(CAPTURES / "lab_rping_write_ud_atomic.pcap")
        self.assertEqual(done.returncode, ERROR)
        self.assertRegex(done.stderr, "no truth given, and there is none beside the capture")

    def test_a_capture_that_is_not_there_is_reported_before_its_truth(self):
        done = run("missing.pcapng")
        self.assertEqual(done.returncode, ERROR)
        self.assertEqual(done.stderr, "rocescope: cannot open missing.pcapng: No such file or directory\n")

    def test_a_truth_that_says_nothing_agrees_with_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            truth = pathlib.Path(folder) / "empty.ndjson"
            truth.write_text("")
            done = run("--truth", truth, CAPTURES / "rdmagen-cm-mixed.pcapng")
            self.assertEqual((done.returncode, done.stdout.splitlines()[0]), (ERROR, "Nothing to compare"))
            done = run("--json", "--truth", truth, CAPTURES / "rdmagen-cm-mixed.pcapng")
            self.assertEqual((done.returncode, json.loads(done.stdout)["agrees"]), (ERROR, False))

    def test_shows_twenty_differences_and_all_of_them_with_v(self):
        truth = Falsified("rdmagen-cm-mixed")
        for post in truth.messages("client", 17)[:30]:
            post["bytes"] += 1
        with tempfile.TemporaryDirectory() as folder:
            false = pathlib.Path(folder) / "false.ndjson"
            false.write_text("".join(json.dumps(fact) + "\n" for fact in truth.facts))
            short = run("--truth", false, truth.capture)
            full = run("-v", "--truth", false, truth.capture)
        self.assertEqual(short.returncode, DIFFERS)
        self.assertEqual(short.stdout.count("look at: "), 20)
        self.assertRegex(short.stdout, r"\.\.\. and [0-9]+ more \(-v shows all\)")
        self.assertGreater(full.stdout.count("look at: "), 25)

    def test_says_that_differences_may_come_from_losses_of_the_capture(self):
        with tempfile.TemporaryDirectory() as folder:
            thin = pathlib.Path(folder) / "thin.pcapng"
            subprocess.run(["editcap", CAPTURES / "rdmagen-cm-bulk.pcapng", thin, "30-40"], check=True, capture_output=True)
            done = run("--truth", CAPTURES / "rdmagen-cm-bulk.ndjson", thin)
        self.assertEqual(done.returncode, DIFFERS)
        self.assertRegex(done.stdout, "The capture lacks [0-9]+ packets that were on the wire: differences may come from that")


if __name__ == "__main__":
    unittest.main()
