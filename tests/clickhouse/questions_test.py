#!/usr/bin/env python3
"""The questions of tools/cluster/README.md, asked of one server and of tables that stand for those of two."""

from frames import MOMENT, Stream, write
from questions import check_all, incast, load_all, question, views, Loaded
from servers import Pair, analyze, main

TABLES = ("captures", "connections", "messages", "rates", "host_rates", "findings", "handshakes", "hosts", "packets", "loads")
HOUR, SECOND = 3_600_000_000_000, 1_000_000_000
ALICE, BOB, CAROL = "10.9.1.1", "10.9.1.2", "10.9.1.3"


class Questions(Pair):
    def setUp(self):
        super().setUp()
        (self.folder / self.database).mkdir()

    def load(self, name: str, *frames: list, options=()):
        """A capture of these packets, and what `analyze` says of it."""
        capture = write(self.folder / self.database / f"{name}.pcap", sum(frames, []))
        self.export("--name", name, *options, capture)
        return Loaded(capture, [name], analyze(*options, capture))

    def everywhere_asked(self):
        """Makes tables that stand for those of both servers, and the views; a function that asks them."""
        server, database = self.servers[0], f"{self.database}_everywhere"
        server.ask(f"CREATE DATABASE {database}")
        for table in TABLES:
            server.ask(f"CREATE TABLE {database}.{table} AS {self.database}.{table} ENGINE = Distributed(both, {self.database}, {table})")
        for view in views():
            server.ask(view, database=database)
        return lambda statement: server.rows(statement, database=database)

    def sent(self, ask) -> dict:
        return {(row["source"], row["destination"]): row["packets"] for row in ask(question("Who sends"))}

    def test_of_one_server(self):
        loaded = load_all(lambda *words: self.export(*words, urls=self.servers[0].url))
        for view in views():
            self.servers[0].ask(view, database=self.database)
        check_all(self, loaded, lambda statement: self.servers[0].rows(statement, database=self.database))

    def test_of_tables_that_stand_for_those_of_two(self):
        loaded = load_all(self.export)
        check_all(self, loaded, self.everywhere_asked())

    def test_of_both_hosts(self):
        loaded = load_all(self.export, hosts=("alice", "bob"))
        check_all(self, loaded, self.everywhere_asked())

    def test_of_both_hosts_at_one_server(self):
        loaded = load_all(lambda *words: self.export(*words, urls=self.servers[0].url), hosts=("bob", "alice", "switch"))
        for view in views():
            self.servers[0].ask(view, database=self.database)
        check_all(self, loaded, lambda statement: self.servers[0].rows(statement, database=self.database))

    def test_of_both_hosts_by_the_hour(self):
        """The captures of a host begin where those before ended; bob's have less, and see another host."""
        both, other = Stream(ALICE, BOB), Stream(CAROL, BOB, 300)
        for hour in range(3):
            start = MOMENT + hour * HOUR
            # From the start of the hour to its end, so that each capture is as long as that.
            early, late = both.frames(start, 50, first_psn=100 * hour), both.frames(start + HOUR - SECOND, 50, first_psn=100 * hour + 50)
            self.load(f"alice{hour}", early, late)
            self.load(f"bob{hour}", early[4:], late, other.frames(start, 10, HOUR // 11, 10 * hour))
        self.assertEqual(self.sent(self.everywhere_asked()), {(ALICE, BOB): 300, (BOB, ALICE): 300, (CAROL, BOB): 30, (BOB, CAROL): 30})

    def test_of_a_day_and_hours(self):
        """What one capture has as a whole and others in parts; and an hour that only the parts have."""
        both = Stream(ALICE, BOB)
        hours = [both.frames(MOMENT + hour * HOUR, 100, HOUR // 100, 100 * hour) for hour in range(4)]
        self.load("whole", *hours[:3])
        for hour, frames in enumerate(hours):
            self.load(f"hour{hour}", frames)
        self.assertEqual(self.sent(self.everywhere_asked()), {(ALICE, BOB): 400, (BOB, ALICE): 400})

    def test_short_traffic_at_the_end_of_an_hour(self):
        """In one bucket of time, and in two captures of one host: none has what the other has."""
        both, other = Stream(ALICE, BOB), Stream(ALICE, CAROL, 300)
        self.load("hour0", other.frames(MOMENT, 10, HOUR // 10), both.frames(MOMENT + HOUR - 100_000, 3))
        self.load("hour1", both.frames(MOMENT + HOUR + 100_000, 2, first_psn=3), other.frames(MOMENT + HOUR + 200_000, 10, HOUR // 10, 10))
        self.assertEqual(self.sent(self.everywhere_asked()),
                         {(ALICE, BOB): 5, (BOB, ALICE): 5, (ALICE, CAROL): 20, (CAROL, ALICE): 20})

    def test_the_same_addresses_in_two_tunnels(self):
        """Are different hosts."""
        for overlay in 7, 8:
            self.load(f"tenant{overlay}", Stream(ALICE, BOB, overlay=overlay).frames(MOMENT, 20 + overlay))
        ask = self.everywhere_asked()
        self.assertEqual(self.sent(ask), {(ALICE, BOB): 55, (BOB, ALICE): 55})
        self.assertEqual([row["messages"] for row in ask(question("How long"))], [55])

    def test_captures_of_one_command(self):
        """Are one capture, in which each packet is known at both points."""
        folder = self.folder / self.database
        files = [write(folder / f"{host}.pcap", Stream(ALICE, BOB, marked=True).frames(MOMENT + apart, 50)) for host, apart in (("alice", 0), ("bob", 1500))]
        self.export("--name", "both", *files)
        ask = self.everywhere_asked()
        self.assertEqual(self.sent(ask), {(ALICE, BOB): 50, (BOB, ALICE): 50})
        self.assertEqual([row["messages"] for row in ask(question("How long"))], [50])
        self.assertEqual(ask(question("Who is slowed")), [{"one": ALICE, "other": BOB, "marked": 50, "notifications": 0}])

    def test_one_sends_to_many(self):
        """All of whom acknowledge that at the same time."""
        self.load("star", *(Stream(ALICE, f"10.9.2.{i}", 100 * i).frames(MOMENT, 20) for i in range(1, 21)))
        self.assertEqual(self.everywhere_asked()(question("Where do many")), [])

    def test_many_send_to_one(self):
        """At the same time, in captures whose buckets are of 10 ms and of 640 ms, and a third of a second later; another sends 2 seconds later."""
        start = MOMENT + SECOND // 2
        loaded = [self.load("fine", Stream(ALICE, CAROL, 100).frames(start, 20)),
                  self.load("wide", Stream(BOB, CAROL, 200).frames(start, 30), options=("--interval", "640ms")),
                  self.load("later", Stream("10.9.1.4", CAROL, 300).frames(start + SECOND // 3, 5)),
                  self.load("too_late", Stream("10.9.1.5", CAROL, 400).frames(start + 2 * SECOND, 5))]
        rows = self.everywhere_asked()(question("Where do many"))
        self.assertEqual(rows, [{"destination": CAROL, "begin": MOMENT, "senders": 3, "payload": 64 * 55}])
        self.assertEqual(rows, incast(loaded))

    def test_marks_of_a_pair_are_one_row(self):
        self.load("pair", Stream(ALICE, BOB, 100, marked=True).frames(MOMENT, 20), Stream(BOB, ALICE, 300, marked=True).frames(MOMENT, 30))
        self.assertEqual(self.everywhere_asked()(question("Who is slowed")), [{"one": ALICE, "other": BOB, "marked": 50, "notifications": 0}])

    def test_the_share_counts(self):
        """A tenth of many packets is less than a half of few, and one of 2 is no matter."""
        def again(stream, count, resent):
            return stream.frames(MOMENT, count, 100_000) + stream.frames(MOMENT + count * 100_000, resent, 100_000, count - resent)
        self.load("some", again(Stream(ALICE, BOB, 100), 900, 100), again(Stream(ALICE, CAROL, 300), 80, 40), again(Stream(BOB, CAROL, 500), 2, 1))
        rows = self.everywhere_asked()(question("Which connections"))
        self.assertEqual([(row["side1_address"], row["resent"], row["packets"], row["percent"]) for row in rows], [(CAROL, 40, 240, 16), (BOB, 100, 2000, 5)])

    def test_evicted_connections_are_counted(self):
        streams = [Stream(ALICE, f"10.9.3.{i}", 100 * i).frames(MOMENT + i * SECOND, 20) for i in range(1, 11)]
        self.load("crowd", *streams, options=("--max-connections", "4"))
        ask = self.everywhere_asked()
        there, = ask(question("What is there"))
        # 10 connections, of which 4 have a row.
        self.assertEqual((there["evicted"], ask("SELECT count() AS n FROM connections")[0]["n"]), (6, 4))
        self.assertEqual(sum(self.sent(ask).values()), 400)


if __name__ == "__main__":
    main()
