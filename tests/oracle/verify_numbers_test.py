#!/usr/bin/env python3
"""Every number that `rocescope verify` prints as the truth's is the truth's; what explains a difference has a row of its own."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)
CAPTURES = pathlib.Path(__file__).resolve().parents[2] / "captures"


def run(capture: pathlib.Path, truth: pathlib.Path) -> dict:
    done = subprocess.run([PROGRAM, "verify", "--json", "--truth", truth, capture], capture_output=True, text=True, timeout=60)
    result = json.loads(done.stdout)
    assert done.returncode == (0 if result["agrees"] else 1), (done.returncode, done.stderr)
    return result


def rows(result: dict) -> dict[tuple[str, str], dict]:
    named = {(fact["fact"], fact.get("detail", "")): fact for fact in result["facts"]}
    assert len(named) == len(result["facts"]), "two rows have one name"
    return named


class Changed:
    """The truth of a kept capture, to be changed."""

    def __init__(self, name: str):
        self.lines = [json.loads(line) for line in (CAPTURES / f"{name}.ndjson").read_text().splitlines()]
        self.capture = CAPTURES / f"{name}.pcapng"

    def of(self, event: str, **fields) -> list[dict]:
        return [line for line in self.lines if line["event"] == event
                and all(line.get(key) == value for key, value in fields.items())]

    def verify(self) -> dict:
        with tempfile.TemporaryDirectory() as folder:
            changed = pathlib.Path(folder) / "changed.ndjson"
            changed.write_text("".join(json.dumps(line) + "\n" for line in self.lines))
            return run(self.capture, changed)

    def rows(self) -> dict[tuple[str, str], dict]:
        return rows(self.verify())


class Explained(unittest.TestCase):
    def row(self, name: str, fact: str, detail: str) -> dict:
        return rows(run(CAPTURES / f"{name}.pcapng", CAPTURES / f"{name}.ndjson"))[fact, detail]

    def assert_explained(self, row: dict, truth: int, capture: int, part: str, count: int, why: str) -> None:
        self.assertEqual((row["truth"], row["capture"], row["differing"]), (truth, capture, 0))
        self.assertEqual([(each["part_of"], each["count"]) for each in row["explained"]], [(part, count)])
        self.assertRegex(row["explained"][0]["why"], why)

    def test_duplicates_that_the_capture_counts_once(self):
        for counter, truth, capture in ("duplicate_request", 18, 0), ("rcvd_pkts", 98, 80):
            row = self.row("impaired_out-duplicate_heavy", "counters", f"{counter} of the server")
            if row["capture"] == truth:
                self.assertEqual((row["truth"], row["agree"], row["explained"]), (truth, truth, []))
            else:
                self.assert_explained(row, truth, capture, "truth", 18, "twice")

    def test_naks_that_rxe_leaves_out(self):
        """tests/oracle/counters_test.py counts them with tshark."""
        for name, device, naks in (("impaired_out-loss_heavy", 8, 9), ("impaired_out-reorder_heavy", 23, 28),
                                   ("fault-slow-receiver", 0, 9), ("impaired_out-corrupt_heavy", 6, 7)):
            self.assert_explained(self.row(name, "counters", "rcvd_seq_err of the client"), device, naks, "capture", naks - device,
                                  "^NAKs that acknowledge nothing new: rxe leaves them out$")

    def test_losses_before_the_capture(self):
        self.assert_explained(self.row("lost-heavy", "packets", "sent"), 203, 185, "truth", 18,
                              "^lost before the capture point: the devices received 185$")
        self.assert_explained(self.row("impaired_out-loss_heavy", "counters", "sent_pkts of the client"), 174, 150, "truth", 24,
                              "^lost before the capture point: the device of the server received 150$")

    def test_losses_behind_it(self):
        self.assert_explained(self.row("impaired_in-loss_heavy", "packets", "received"), 161, 174, "capture", 13,
                              "^lost behind the capture point")
        self.assert_explained(self.row("impaired_out-corrupt_heavy", "packets", "received"), 142, 153, "capture", 11, "^damaged: ")

    def test_counters_that_fell(self):
        truth = Changed("fault-rnr")
        before, = truth.of("counters", on="client", when="before")
        before["hw_counters"]["rcvd_rnr_err"] = 1000
        result = truth.verify()
        self.assertNotIn(("counters", "rcvd_rnr_err of the client"), rows(result))
        self.assertIn("1 counters of the client have no reading before, or a higher one", " ".join(result["notes"]))

    def test_no_more_than_the_reason_can_explain(self):
        """One duplicate more than there are copies, one NAK fewer than rxe leaves out: each differs by one."""
        for name, counter, on, change, said in (
                ("impaired_out-duplicate_heavy", "duplicate_request", "server", 1, "duplicate_request of the server grew by 19, by the"),
                ("impaired_out-loss_heavy", "rcvd_seq_err", "client", -1, "rcvd_seq_err of the client grew by 7, by the capture it is 9")):
            with self.subTest(name):
                truth = Changed(name)
                after, = truth.of("counters", on=on, when="after")
                after["hw_counters"][counter] += change
                result = truth.verify()
                self.assertFalse(result["agrees"])
                self.assertEqual(rows(result)["counters", f"{counter} of the {on}"]["differing"], 1)
                self.assertEqual(len(result["differences"]), 1)
                self.assertRegex(result["differences"][0]["what"], said)

    def test_has_rows_of_its_own_in_the_text(self):
        capture = CAPTURES / "impaired_out-loss_heavy.pcapng"
        text = subprocess.run([PROGRAM, "verify", capture], capture_output=True, text=True, check=True).stdout
        self.assertRegex(text, r"(?m)^  fact +in the truth  in the capture  agree  explained  differing  why$")
        self.assertRegex(text, r"(?m)^  RoCE packets: sent +193 +169 +169 +0\n"
                               r"    only in the truth +24 +lost before the capture point: the devices received 169$")


if __name__ == "__main__":
    unittest.main()
