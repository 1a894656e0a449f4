#!/usr/bin/env python3
"""The first finding of the report, beside what the lab did to the traffic: it is the cause, whatever followed from it."""
import subprocess
import unittest

import truth_test

# Of a completion (ibv_wc_status), and what a responder or its peer sends before it.
STATUS = {
    "RNR_RETRY_EXC_ERR": "rnr",
    "REM_ACCESS_ERR": "nak_remote_access",
    "REM_OP_ERR": "nak_remote_operational",
    "REM_INV_REQ_ERR": "nak_invalid_request",
}
# Of netem; rxe never sends a CNP. Loss is before or after the capture point.
NETEM = {"ecn": "ce_without_cnp", "corrupt": "icrc_bad", "reorder": "reordering", "loss": "loss"}
# Those of which a report says nothing worse than a note: nothing went wrong on the wire. In the last, nine ACKs were lost behind
# the capture, and later ones stood for all of them.
QUIET = {"impaired_out-duplicate_heavy", "killed-client", "lost_answers_in-write"}
# What was lost are ACKs. No finding reports that, so what followed stands without its cause.
LOST_ACKS = {"lost_answers_in-send", "lost_answers_out-send", "lost_answers_out-write"}
WITH_TROUBLE = {
    "dead_service", "ecn-heavy", "ecn-light", "fault-out-of-range", "fault-oversized-send", "fault-read-only", "fault-reject",
    "fault-rnr", "fault-slow-receiver", "fault-wrong-rkey", "impaired_in-loss_heavy", "impaired_out-corrupt_heavy",
    "impaired_out-loss_heavy", "impaired_out-loss_light", "impaired_out-reorder_heavy", "ipv6_lost-read", "ipv6_lost-write",
    "iser_network", "killed-server", "lost-heavy", "lost-light", "lost_answers_in-read", "lost_answers_out-read", "nfs_network-41",
    "nvme_network-loss", "smb_network", "srp_network",
}


def cause(scenario) -> str | None:
    """What the lab, the devices and the programs say, none of which rocescope reads."""
    for fact in scenario.of("impairment"):
        for word, finding in NETEM.items():
            if word in fact["netem"].split():
                return finding
    if scenario.name.startswith("fault-slow-receiver"):
        return "rnr" if scenario.counted("rcvd_rnr_err") + scenario.counted("send_rnr_err") > 0 else None
    for fact in scenario.of("completion"):
        if fact["status"] in STATUS:
            return STATUS[fact["status"]]
    if scenario.name in ("dead_service", "fault-reject"):
        return "cm_reject"
    return "torn_down_outstanding" if scenario.of("kill") else None


class Causes(unittest.TestCase):
    def test_come_first(self):
        names = subprocess.run([truth_test.PROGRAM, "explain"], capture_output=True, check=True, text=True).stdout
        checked = set()
        for truth in sorted(truth_test.CAPTURES.glob("*.ndjson")):
            scenario = truth_test.Scenario(truth)
            expected = cause(scenario)
            if expected is None or scenario.name in QUIET | LOST_ACKS:
                continue
            checked.add(scenario.name)
            if scenario.name.startswith("lost-") and "read_response_loss" not in names:
                continue  # most of what was lost are responses of READs
            first = scenario.report["findings"][0]
            with self.subTest(scenario.name):
                self.assertNotIn("cause", first)
                self.assertEqual(first["role"] if expected == "loss" else first["id"], expected)
        self.assertEqual(checked, WITH_TROUBLE)

    def test_explain_what_follows(self):
        """Each cause is a finding of the same connection that stands before what follows from it."""
        for truth in sorted(truth_test.CAPTURES.glob("*.ndjson")):
            before = set()
            for finding in truth_test.Scenario(truth).report["findings"]:
                if "cause" in finding:
                    self.assertIn((finding["connection"], finding["cause"]), before, truth.stem)
                before.add((finding.get("connection"), finding["id"]))

    def test_of_a_slow_receiver_is_named_in_the_advice(self):
        for name, finding in {"fault-slow-receiver": "rnr", "impaired_in-loss_heavy": "packet_loss_after"}.items():
            text = subprocess.run([truth_test.PROGRAM, "analyze", truth_test.CAPTURES / f"{name}.pcapng"], capture_output=True,
                                  check=True, text=True).stdout
            self.assertIn(f"what to do: rocescope explain {finding}\n", text)


if __name__ == "__main__":
    unittest.main(warnings="ignore")
