"""The questions of tools/cluster/README.md, and their answers as Python has them from the JSON and the CSV of `analyze`."""
import collections
import datetime
import fractions
import math
import pathlib
import re
import tempfile
from typing import NamedTuple

from frames import MOMENT, Stream, write
from servers import CAPTURES, analyze, csv_tables

README = pathlib.Path(__file__).resolve().parents[2] / "tools/cluster/README.md"
SOME = ("rdmagen_several-cm.pcapng", "impaired_out-loss_heavy.pcapng", "ecn-heavy.pcapng", "fault-reject.pcapng", "fault-rnr.pcapng",
        "fault-wrong-rkey.pcapng")


def questions() -> dict[str, str]:
    """The SQL below each question, by the question's first words."""
    found = re.findall(r"\n\n([^\n`][^`]*?\?)\n\n```sql\n(.*?)```", README.read_text(), re.DOTALL)
    return {" ".join(question.split()): sql.strip() for question, sql in found}


def views() -> list[str]:
    return re.findall(r"^CREATE VIEW .*?(?=;$)", README.read_text(), re.DOTALL | re.MULTILINE)


class Loaded(NamedTuple):
    """A capture that was loaded under each of the names: of several hosts that all saw the same."""
    capture: pathlib.Path
    names: list[str]
    report: dict

    def capture_id(self) -> int:
        """Of the load that counts."""
        return min(map(capture_id, self.names))


def made(folder: pathlib.Path) -> pathlib.Path:
    """Three hosts send to one at the same time, which sends to one of them; all packets between these two are marked."""
    streams = [Stream(f"10.9.0.{i}", "10.9.0.9", 100 * i, marked=i == 2) for i in (1, 2, 3)] + [Stream("10.9.0.9", "10.9.0.2", 700, marked=True)]
    return write(folder / "made.pcap", [each for i, stream in enumerate(streams) for each in stream.frames(MOMENT + 1000 * i, 20)])


def load_all(export, hosts: tuple[str, ...] = ()) -> list[Loaded]:
    """Loads each capture once, or once for each host, under a name that begins with that of the host."""
    folder = tempfile.TemporaryDirectory()
    loaded = []
    with folder:
        for capture in [*(CAPTURES / each for each in SOME), made(pathlib.Path(folder.name))]:
            names = [f"{host}/{capture.name}" for host in hosts] or [str(capture)]
            for name in names:
                export("--name", name, capture)
            with tempfile.TemporaryDirectory() as tables:
                lines = csv_tables(pathlib.Path(tables) / "csv", capture)["messages"]
            loaded.append(Loaded(capture, names, analyze(capture) | {"messages": lines}))
    return loaded


def capture_id(name: str) -> int:
    number = 0xCBF29CE484222325
    for byte in name.encode():
        number = (number ^ byte) * 0x100000001B3 % 2**64
    return number


def buckets(over_time: dict | None):
    """Of each bucket in which something was sent: its start, and what was sent."""
    for i, packets in enumerate(over_time["packets"] if over_time else ()):
        sent = {key: over_time[key][i] for key in ("packets", "wire_bytes", "payload_bytes", "goodput_bytes", "resent_bytes", "messages")}
        if any(sent.values()):
            yield over_time["start"] + i * over_time["interval"], sent


def hour(start: int) -> str:
    return datetime.datetime.fromtimestamp(start // 1_000_000_000 // 3600 * 3600, datetime.timezone.utc).strftime("%Y-%m-%d %H:%M:%S")


def quantile_exact(level: float, values: list[int]) -> int:
    """As quantileExact has it: the element of this index."""
    values = sorted(values)
    return values[min(int(level * len(values)), len(values) - 1)] if level < 1 else values[-1]


def what_is_there(loaded):
    return sorted(({"name": name, "last_state": "done", "packets_read": each.report["totals"]["packets"],
                    "messages": len(each.report["messages"]), "evicted": each.report["evicted"]["connections"]}
                   for each in loaded for name in each.names), key=lambda row: row["name"])


def which_connections(loaded):
    rows = []
    for each in loaded:
        for connection in each.report["connections"]:
            sides = connection["sides"]
            resent = sum(side["requests"]["verdicts"].get(verdict, 0) for side in sides
                         for verdict in ("retransmission", "read_response_retransmission"))
            packets = sum(side["packets"] for side in sides)
            if resent and packets >= 100:
                rows.append({"capture_id": each.capture_id(), "number": connection["number"], "resent": resent,
                             "side0_address": sides[0]["address"], "side0_qpn": sides[0].get("qpn", 0),
                             "side1_address": sides[1]["address"], "side1_qpn": sides[1].get("qpn", 0), "packets": packets,
                             "percent": 100 * resent // packets})
    return sorted(rows, key=lambda row: (-fractions.Fraction(row["resent"], row["packets"]), row["capture_id"], row["number"]))[:20]


def how_much_was_sent_again(loaded):
    sums = collections.defaultdict(lambda: [0, 0])
    for each in loaded:
        for pair in each.report["host_rates"]:
            for start, sent in buckets(pair.get("buckets")):
                of = sums[pair["source"], pair["destination"], hour(start)]
                of[0] += sent["resent_bytes"]
                of[1] += sent["payload_bytes"]
    rows = [{"source": key[0], "destination": key[1], "hour": key[2], "resent": value[0], "payload": value[1]}
            for key, value in sums.items() if value[0]]
    return sorted(rows, key=lambda row: (-row["resent"], row["source"], row["destination"], row["hour"]))[:20]


def how_long(loaded):
    times = collections.defaultdict(list)
    for each in loaded:
        for line in each.report["messages"]:
            if line["message_time"]:
                times[line["operation"]].append(int(line["message_time"]))
    return [{"operation": operation, "messages": len(all_), "p50": quantile_exact(0.5, all_), "p99": quantile_exact(0.99, all_),
             "longest": max(all_)} for operation, all_ in sorted(times.items())]


def who_sends(loaded):
    sums = collections.defaultdict(collections.Counter)
    for each in loaded:
        for pair in each.report["host_rates"]:
            sums[pair["source"], pair["destination"]] += collections.Counter(
                {"bytes": pair["wire_bytes"], "goodput": pair["goodput_bytes"], "packets": pair["packets"]})
    rows = [{"source": key[0], "destination": key[1], "bytes": value["bytes"], "goodput": value["goodput"], "packets": value["packets"]}
            for key, value in sums.items()]
    return sorted(rows, key=lambda row: (-row["bytes"], row["source"], row["destination"]))[:50]


def incast(loaded, width=1_280_000_000):
    senders, sums = collections.defaultdict(set), collections.Counter()
    for each in loaded:
        for connection in each.report["connections"]:
            for side, other in (0, 1), (1, 0):
                source, destination = (connection["sides"][i]["address"] for i in (side, other))
                for start, sent in buckets(connection["sides"][side].get("rates", {}).get("buckets")):
                    if sent["payload_bytes"]:
                        key = destination, start // width * width
                        senders[key].add(source)
                        sums[key] += sent["payload_bytes"]
    rows = [{"destination": key[0], "begin": key[1], "senders": len(value), "payload": sums[key]} for key, value in senders.items() if len(value) > 1]
    return sorted(rows, key=lambda row: (-row["senders"], -row["payload"], row["destination"], row["begin"]))[:20]


def what_was_found(loaded):
    rows = {}
    for each in loaded:
        for finding in each.report["findings"]:
            row = rows.setdefault((finding["severity"], finding["id"]), {"captures": set(), "findings": 0, "weight_of_all": 0})
            row["captures"].update(each.names)
            row["findings"] += len(each.names)
            row["weight_of_all"] += len(each.names) * finding["weight"]
    rows = [{"severity": key[0], "id": key[1], "captures": len(row.pop("captures"))} | row for key, row in rows.items()]
    return sorted(rows, key=lambda row: (-row["captures"], -row["findings"], row["id"]))


def which_hosts(loaded):
    """The SQL asks the connections, and this what NICs would have counted."""
    sums = collections.defaultdict(collections.Counter)
    for each in loaded:
        for host in each.report["nic_counters"]:
            sums[host["address"]] += collections.Counter({"rnr_naks": host["send_rnr_err"], "sequence_naks": host["out_of_sequence"]})
    rows = [{"address": address} | {key: of[key] for key in ("rnr_naks", "sequence_naks")} for address, of in sums.items() if of.total()]
    return sorted(rows, key=lambda row: (-row["rnr_naks"] - row["sequence_naks"], row["address"]))[:20]


def which_requests(loaded):
    rows = {}
    for each in loaded:
        for line in each.report["messages"]:
            if line["outcome"] == "refused" and line["nak_code"]:
                row = rows.setdefault((line["responder"], line["operation"], int(line["nak_code"])), {"messages": 0, "first": math.inf})
                row["messages"] += 1
                row["first"] = min(row["first"], int(line["first_time"]))
    rows = [{"responder": key[0], "operation": key[1], "nak_code": key[2]} | row for key, row in rows.items()]
    return sorted(rows, key=lambda row: (-row["messages"], row["responder"], row["operation"], row["nak_code"]))


def how_attempts_end(loaded):
    rows = {}
    for each in loaded:
        for handshake in each.report["handshakes"]:
            row = rows.setdefault((handshake["sides"][1]["address"], handshake["outcome"]), {"attempts": 0, "longest_answer": 0})
            row["attempts"] += 1
            row["longest_answer"] = max(row["longest_answer"], handshake.get("req_to_rep", 0))
    rows = [{"passive": key[0], "outcome": key[1]} | row for key, row in rows.items()]
    return sorted(rows, key=lambda row: (-row["attempts"], row["passive"], row["outcome"]))[:50]


def who_is_slowed_down(loaded):
    sums = collections.defaultdict(collections.Counter)
    for each in loaded:
        for connection in each.report["connections"]:
            sides = connection["sides"]
            sums[min(side["address"] for side in sides), max(side["address"] for side in sides)] += collections.Counter(
                {"marked": sum(side["ce_packets"] for side in sides), "notifications": sum(side["cnp_packets"] for side in sides)})
    rows = [{"one": key[0], "other": key[1], "marked": of["marked"], "notifications": of["notifications"]} for key, of in sums.items() if of.total()]
    return sorted(rows, key=lambda row: (-row["marked"], row["one"], row["other"]))[:20]


ANSWERS = {"What is there": what_is_there, "Which connections": which_connections, "How much was sent again": how_much_was_sent_again,
           "How long do messages": how_long, "Who sends": who_sends, "Where do many": incast, "What was found": what_was_found,
           "Which hosts": which_hosts, "Which requests": which_requests, "How do attempts": how_attempts_end,
           "Who is slowed": who_is_slowed_down}


def question(start: str) -> str:
    return next(sql for asked, sql in questions().items() if asked.startswith(start))


def check_all(test, loaded: list[Loaded], ask):
    """`ask` runs a statement and gives its rows."""
    test.assertEqual(len(questions()), len(ANSWERS))
    for start, answer in ANSWERS.items():
        with test.subTest(start):
            wanted = answer(loaded)
            test.assertTrue(wanted, "the captures say nothing about it")
            test.assertEqual(ask(question(start)), wanted)
