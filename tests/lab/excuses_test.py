"""What is no failure of a tool, and what is one all the same."""

import unittest

import lab_path  # noqa: F401
from rocelab.excuses import excuse

BAD_CHANNEL = b"rdma_get_cm_event: Bad file descriptor\n"
NO_CLOCK = b"Correlation coefficient r^2: 0.83 < 0.9\nCan't produce a report\n"


class ExcusesTest(unittest.TestCase):
    def test_rping_s_race_at_its_end_is_no_failure(self) -> None:
        for command, said in (("rping -c -a 192.168.2.24 -C 5 -v", BAD_CHANNEL),
                              ("rping -c -a 192.168.2.24", b"client DISCONNECT EVENT...\n" + BAD_CHANNEL),
                              ("rping -s", b"server DISCONNECT EVENT...\nwait for RDMA_READ_ADV state 10\n" + BAD_CHANNEL)):
            self.assertIsNotNone(excuse(command, 255, said), said)

    def test_rping_that_failed_before_its_end_has_failed(self) -> None:
        for said in (b"rping client failed: -1\n", b"connect error -1\n", b"cq completion failed status 12\n",
                     b"wait for RDMA_WRITE_ADV state 11\n"):
            self.assertIsNone(excuse("rping -c", 255, said + BAD_CHANNEL), said)
        self.assertIsNone(excuse("rping -c", 255, b"server DISCONNECT EVENT...\n"))
        self.assertIsNone(excuse("rping -c", 1, BAD_CHANNEL))
        self.assertIsNone(excuse("ucmatose -s 192.168.2.24", 255, BAD_CHANNEL))

    def test_perftest_without_a_clock_is_no_failure_after_its_only_size(self) -> None:
        self.assertIsNotNone(excuse("ib_write_bw -d rxe0 -n 20 -s 4096 192.168.2.24", 1, NO_CLOCK))
        self.assertIsNone(excuse("ib_write_bw -d rxe0 -a 192.168.2.24", 1, NO_CLOCK))
        self.assertIsNone(excuse("ib_write_bw -d rxe0 192.168.2.24", 1, NO_CLOCK + b"Failed to exchange data\n"))
        self.assertIsNone(excuse("ib_write_bw -d rxe0 192.168.2.24", 1, b" Completion with error at client\n"))
        self.assertIsNone(excuse("ib_write_bw -d rxe0 192.168.2.24", None, NO_CLOCK))
        self.assertIsNone(excuse("rdmagen client 192.168.2.24", 1, NO_CLOCK))

    def test_what_ended_well_needs_no_excuse(self) -> None:
        self.assertIsNone(excuse("rping -c", 0, BAD_CHANNEL))


if __name__ == "__main__":
    unittest.main()
