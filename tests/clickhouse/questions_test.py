#!/usr/bin/env python3
"""The questions of tools/cluster/README.md, asked of one server and of tables that stand for those of two."""

from questions import check_all, load_all
from servers import Pair, main

TABLES = ("captures", "connections", "messages", "rates", "host_rates", "findings", "handshakes", "hosts", "packets", "loads")


class Questions(Pair):
    def test_of_one_server(self):
        reports = load_all(lambda capture: self.export(capture, urls=self.servers[0].url))
        check_all(self, reports, lambda statement: self.servers[0].rows(statement, database=self.database))

    def test_of_tables_that_stand_for_those_of_two(self):
        reports = load_all(self.export)
        server = self.servers[0]
        server.ask(f"CREATE DATABASE {self.database}_everywhere")
        for table in TABLES:
            server.ask(f"CREATE TABLE {self.database}_everywhere.{table} AS {self.database}.{table} "
                       f"ENGINE = Distributed(both, {self.database}, {table})")
        check_all(self, reports, lambda statement: server.rows(statement, database=f"{self.database}_everywhere"))


if __name__ == "__main__":
    main()
