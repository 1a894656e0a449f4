"""The questions of tools/cluster/README.md, and their answers as Python has them from the JSON and the CSV of `analyze`."""
import collections
import datetime
import math
import pathlib
import re
import tempfile

from servers import CAPTURES, analyze, csv_tables

README = pathlib.Path(__file__).resolve().parents[2] / "tools/cluster/README.md"
SOME = ("rdmagen_several-cm.pcapng", "impaired_out-loss_heavy.pcapng", "ecn-heavy.pcapng", "fault-reject.pcapng", "fault-rnr.pcapng",
        "fault-wrong-rkey.pcapng")


def questions() -> dict[str, str]:
    """The SQL below each question, by the question's first words."""
    found = re.findall(r"\n\n([^\n`][^`]*?\?)\n\n```sql\n(.*?)```", README.read_text(), re.DOTALL)
    return {" ".join(question.split()): sql.strip() for question, sql in found}


def load_all(export) -> list[dict]:
    for capture in SOME:
        export(CAPTURES / capture)
    return [analyze(CAPTURES / capture) for capture in SOME]


def capture_id(name: str) -> int:
    number = 0xCBF29CE484222325
    for byte in name.encode():
        number = (number ^ byte) * 0x100000001B3 % 2**64
    return number


def messages() -> list[dict[str, str]]:
    rows = []
    for capture in SOME:
        with tempfile.TemporaryDirectory() as folder:
            rows += csv_tables(pathlib.Path(folder) / "csv", CAPTURES / capture)["messages"]
    return rows


def buckets(report: dict):
    """Of each pair of hosts and bucket: source, destination, start, what was sent."""
    for each in report["host_rates"]:
        over_time = each.get("buckets")
        if over_time is None:
            continue
        for i, packets in enumerate(over_time["packets"]):
            sent = {key: over_time[key][i] for key in ("packets", "wire_bytes", "payload_bytes", "goodput_bytes", "resent_bytes", "messages")}
            if any(sent.values()):
                yield each["source"], each["destination"], over_time["start"] + i * over_time["interval"], sent


def hour(start: int) -> str:
    return datetime.datetime.fromtimestamp(start // 1_000_000_000 // 3600 * 3600, datetime.timezone.utc).strftime("%Y-%m-%d %H:%M:%S")


def quantile_exact(level: float, values: list[int]) -> int:
    """As quantileExact has it: the element of this index."""
    values = sorted(values)
    return values[min(int(level * len(values)), len(values) - 1)] if level < 1 else values[-1]


def what_is_there(reports, lines):
    return sorted(({"name": str(CAPTURES / capture), "last_state": "done", "packets_read": report["totals"]["packets"],
                    "messages": sum(1 for _ in lines_of(capture))} for capture, report in zip(SOME, reports)), key=lambda row: row["name"])


def lines_of(capture: str):
    with tempfile.TemporaryDirectory() as folder:
        return csv_tables(pathlib.Path(folder) / "csv", CAPTURES / capture)["messages"]


def which_connections(reports, lines):
    rows = []
    for capture, report in zip(SOME, reports):
        for each in report["connections"]:
            sides = each["sides"]
            resent = sum(side["requests"]["verdicts"].get("retransmission", 0) for side in sides)
            if resent:
                rows.append({"capture_id": capture_id(str(CAPTURES / capture)), "number": each["number"], "resent": resent,
                             "side0_address": sides[0]["address"], "side0_qpn": sides[0].get("qpn", 0),
                             "side1_address": sides[1]["address"], "side1_qpn": sides[1].get("qpn", 0),
                             "packets": sum(side["packets"] for side in sides)})
    return sorted(rows, key=lambda row: (-row["resent"], row["capture_id"], row["number"]))[:20]


def how_much_was_sent_again(reports, lines):
    sums = collections.defaultdict(lambda: [0, 0])
    for report in reports:
        for source, destination, start, sent in buckets(report):
            of = sums[source, destination, hour(start)]
            of[0] += sent["resent_bytes"]
            of[1] += sent["payload_bytes"]
    rows = [{"source": key[0], "destination": key[1], "hour": key[2], "resent": value[0], "payload": value[1]}
            for key, value in sums.items() if value[0]]
    return sorted(rows, key=lambda row: (-row["resent"], row["source"], row["destination"], row["hour"]))[:20]


def how_long(reports, lines):
    times = collections.defaultdict(list)
    for line in lines:
        if line["message_time"]:
            times[line["operation"]].append(int(line["message_time"]))
    return [{"operation": operation, "messages": len(all_), "p50": quantile_exact(0.5, all_), "p99": quantile_exact(0.99, all_),
             "longest": max(all_)} for operation, all_ in sorted(times.items())]


def who_sends(reports, lines):
    sums = collections.defaultdict(collections.Counter)
    for report in reports:
        for each in report["host_rates"]:
            sums[each["source"], each["destination"]] += collections.Counter(
                {"bytes": each["wire_bytes"], "goodput": each["goodput_bytes"], "packets": each["packets"]})
    rows = [{"source": key[0], "destination": key[1], "bytes": value["bytes"], "goodput": value["goodput"], "packets": value["packets"]}
            for key, value in sums.items()]
    return sorted(rows, key=lambda row: (-row["bytes"], row["source"], row["destination"]))[:50]


def incast(reports, lines):
    senders, sums = collections.defaultdict(set), collections.Counter()
    for report in reports:
        for source, destination, start, sent in buckets(report):
            senders[destination, start].add(source)
            sums[destination, start] += sent["wire_bytes"]
    rows = [{"destination": key[0], "start": key[1], "senders": len(value), "bytes": sums[key]} for key, value in senders.items()]
    return sorted(rows, key=lambda row: (-row["senders"], -row["bytes"], row["destination"], row["start"]))[:20]


def what_was_found(reports, lines):
    rows = {}
    for number, report in enumerate(reports):
        for each in report["findings"]:
            row = rows.setdefault((each["severity"], each["id"]), {"captures": set(), "findings": 0, "weight_of_all": 0})
            row["captures"].add(number)
            row["findings"] += 1
            row["weight_of_all"] += each["weight"]
    rows = [{"severity": key[0], "id": key[1], "captures": len(row.pop("captures"))} | row for key, row in rows.items()]
    return sorted(rows, key=lambda row: (-row["captures"], -row["findings"], row["id"]))


def which_hosts(reports, lines):
    sums = collections.defaultdict(collections.Counter)
    for report in reports:
        for host in report["nic_counters"]:
            sums[host["address"]] += collections.Counter({"rnr_naks": host["send_rnr_err"], "sequence_naks": host["out_of_sequence"],
                                                          "timeouts": host["local_ack_timeout_err"]})
    rows = [{"address": address} | {key: of[key] for key in ("rnr_naks", "sequence_naks", "timeouts")} for address, of in sums.items() if of.total()]
    return sorted(rows, key=lambda row: (-row["rnr_naks"] - row["sequence_naks"] - row["timeouts"], row["address"]))[:20]


def which_requests(reports, lines):
    rows = {}
    for line in lines:
        if line["outcome"] == "refused" and line["nak_code"]:
            row = rows.setdefault((line["responder"], line["operation"], int(line["nak_code"])), {"messages": 0, "first": math.inf})
            row["messages"] += 1
            row["first"] = min(row["first"], int(line["first_time"]))
    rows = [{"responder": key[0], "operation": key[1], "nak_code": key[2]} | row for key, row in rows.items()]
    return sorted(rows, key=lambda row: (-row["messages"], row["responder"], row["operation"], row["nak_code"]))


def how_attempts_end(reports, lines):
    rows = {}
    for report in reports:
        for each in report["handshakes"]:
            row = rows.setdefault((each["sides"][1]["address"], each["outcome"]), {"attempts": 0, "longest_answer": 0})
            row["attempts"] += 1
            row["longest_answer"] = max(row["longest_answer"], each.get("req_to_rep", 0))
    rows = [{"passive": key[0], "outcome": key[1]} | row for key, row in rows.items()]
    return sorted(rows, key=lambda row: (-row["attempts"], row["passive"], row["outcome"]))[:50]


def who_is_slowed_down(reports, lines):
    sums = collections.defaultdict(collections.Counter)
    for report in reports:
        for each in report["connections"]:
            sides = each["sides"]
            sums[sides[0]["address"], sides[1]["address"]] += collections.Counter(
                {"marked": sum(side["ce_packets"] for side in sides), "notifications": sum(side["cnp_packets"] for side in sides)})
    rows = [{"one": key[0], "other": key[1], "marked": of["marked"], "notifications": of["notifications"]} for key, of in sums.items() if of.total()]
    return sorted(rows, key=lambda row: (-row["marked"], row["one"], row["other"]))[:20]


ANSWERS = {"What is there": what_is_there, "Which connections": which_connections, "How much was sent again": how_much_was_sent_again,
           "How long do messages": how_long, "Who sends": who_sends, "Where do many": incast, "What was found": what_was_found,
           "Which hosts": which_hosts, "Which requests": which_requests, "How do attempts": how_attempts_end,
           "Who is slowed": who_is_slowed_down}


def check_all(test, reports: list[dict], ask):
    """`ask` runs a statement and gives its rows."""
    asked = questions()
    test.assertEqual(len(asked), len(ANSWERS))
    lines = messages()
    for start, answer in ANSWERS.items():
        statement = next(sql for question, sql in asked.items() if question.startswith(start))
        with test.subTest(start):
            wanted = answer(reports, lines)
            test.assertTrue(wanted, "the captures say nothing about it")
            test.assertEqual(ask(statement), wanted)
