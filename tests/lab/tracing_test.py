"""Trace events of kernels as truth. The lines are those of a kernel 6.1 in the lab."""

import unittest

import lab_path  # noqa: F401
from rocelab import tracing

TRACE = b"""# tracer: nop
#
# entries-in-buffer/entries-written: 5/5   #P:1
#
#                                _-----=> irqs-off/BH-disabled
#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
#              | |         |   |||||     |         |
              sh-402     [000] .....    18.000100: tracing_mark_write: lab 1795500458000000000
              sh-402     [000] .....    18.000300: tracing_mark_write: lab 1795500458000250000
            nvme-411     [000] .....    18.500000: nvme_setup_cmd: nvme0: qid=0, cmdid=0, nsid=1, flags=0x0, meta=0x0, cmd=(nvme_fabrics_type_connect recfmt=0, qid=0, sqsize=31, cattr=0, kato=5000)
   kworker/0:1H-56      [000] ..s1.    18.643000: nvme_complete_rq: nvme0: qid=0, cmdid=0, res=0x1, retries=0, flags=0x0, status=0x0
"""


class TracingTest(unittest.TestCase):
    def test_events_have_the_time_of_day(self):
        facts = tracing.facts(TRACE, "client")
        self.assertEqual([fact["name"] for fact in facts], ["nvme_setup_cmd", "nvme_complete_rq"])
        # The second mark was written 50 us after its time of day was read, the first 100 us.
        self.assertEqual(facts[0]["time_ns"], 1795500458000250000 + 499_700_000)
        self.assertEqual(facts[1]["time_ns"] - facts[0]["time_ns"], 143_000_000)
        self.assertEqual(facts[0]["on"], "client")
        self.assertIn("qid=0, cmdid=0", facts[0]["text"])

    def test_marks_of_commands_are_truth(self):
        line = b"              sh-402     [000] .....    19.000000: tracing_mark_write: mountstats READ: 4 4 0\n"
        facts = tracing.facts(TRACE + line, "client")
        self.assertEqual([fact["text"] for fact in facts if fact["name"] == "tracing_mark_write"], ["mountstats READ: 4 4 0"])

    def test_without_a_mark_there_is_no_truth(self):
        self.assertEqual(tracing.facts(TRACE.replace(b"tracing_mark_write: lab", b"tracing_mark_write: else"), "client"), [])


if __name__ == "__main__":
    unittest.main()
