"""What tools/bench --scale measures: shards, partial results, ClickHouse; and from the measured costs, what many hosts need."""

import dataclasses
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

SOURCE = pathlib.Path(__file__).resolve().parents[2]
SHARDS = 64  # the most that there are
HOSTS = 16  # whose capture points are merged
MANY, OF_MANY = 1_000, 512  # capture points of a cluster, and the connections of each
SEEING = 4  # points that see the same: more are not compared
GIGA = 1e9
# Read by another process: what this one ever took would count as the memory of those that it measures.
COUNTS = "import json, sys; report = json.load(sys.stdin); print(report['totals']['packets'], len(report['connections']))"


@dataclasses.dataclass
class Capture:
    path: pathlib.Path
    packets: int
    connections: int

    @property
    def size(self) -> int:
        return self.path.stat().st_size


@dataclasses.dataclass
class Costs:
    """Measured; seconds are those of one processor."""

    packet: float = 0
    byte: float = 0
    connection: float = 0
    message: float = 0  # written to a partial result
    merged_connection: float = 0  # of a shard
    point_connection: float = 0  # of a capture point, merged with others
    point_message: float = 0  # the same, where another point may have seen it
    partial_connection: float = 0  # bytes
    partial_message: float = 0  # bytes
    rows: float = 0  # a second into ClickHouse


class Scale:
    """`bench` is tools/bench: how programs are run, and where captures lie."""

    def __init__(self, bench, options) -> None:
        self.bench, self.options = bench, options
        self.program = options.build / "rocescope"
        self.costs = Costs()

    def capture(self, name: str, packets: int, *words) -> Capture:
        path = self.bench.capture_folder(self.options) / f"scale-{name}-{packets}.pcap"
        self.bench.make(self.options, path, packets, ["--host-pairs", "256", *words])
        with subprocess.Popen([self.program, "analyze", "--json", "-q", path], stdout=subprocess.PIPE) as report:
            packets, connections = subprocess.run([sys.executable, "-c", COUNTS], stdin=report.stdout, capture_output=True, check=True).stdout.split()
        return Capture(path, int(packets), int(connections))

    def run(self, *words, outputs: tuple = ()) -> list:
        """Several runs, each of which writes `outputs` anew; those of the last one stay."""
        found = []
        for _ in range(self.options.runs):
            for output in outputs:
                output.unlink(missing_ok=True)
            found.append(self.bench.run(words))
        return found

    def analyze(self, *words, **more) -> list:
        return self.run(self.program, "analyze", "-q", *words, **more)

    def clock(self, runs: list) -> float:
        return statistics.median(one.seconds for one in runs)

    def processors(self, runs: list) -> float:
        return statistics.median(one.processor_seconds for one in runs)

    def all(self) -> None:
        packets = self.options.packets
        small = self.capture("small", packets, "--frame-size", "128", "--qps", "256")
        long = self.capture("long", packets * 5 // 2, "--frame-size", "128", "--qps", "256")  # beside it, starting and merging take no time
        many = self.capture("many", packets, "--frame-size", "128", "--qps", str(min(16_384, max(512, packets // 16))))
        large = self.capture("large", packets // 4, "--sizes", "64K", "--qps", "256")
        with tempfile.TemporaryDirectory(dir=self.bench.capture_folder(self.options)) as temporary:
            folder = pathlib.Path(temporary)
            for each in (long, many):
                self.jobs(each)
            self.partial_results(small, many, folder)
            self.merge(many, folder)
            self.points(small, folder)
            self.many_points(folder)
            self.analysis(small, many, large, folder)
            self.clickhouse(small, folder)
        self.model()

    def jobs(self, capture: Capture) -> None:
        print(f"shards of {capture.packets:,} packets of 128 bytes, {capture.connections:,} connections, 256 host pairs")
        print(f"  {'':24} {'clock':>9} {'processors':>11} {'speed-up':>9}")
        first = 0.0
        for words in (["--threads", "1"], [], ["--jobs", "2"]):
            runs = self.analyze(*words, capture.path)
            seconds = self.clock(runs)
            first = first or seconds
            print(f"  {' '.join(['analyze', *words]):24} {seconds:7.2f} s {self.processors(runs):9.2f} s {first / seconds:9.2f}", flush=True)
        seconds = statistics.median(self.two_at_once(capture) for _ in range(self.options.runs))
        print(f"  {'two analyses at once':24} {seconds:7.2f} s {'':11} {2 * first / seconds:9.2f}")
        print("  speed-up by the clock; two processors give no more than two analyses gain that share nothing\n")

    def two_at_once(self, capture: Capture) -> float:
        """Seconds until both are done."""
        start = time.perf_counter()
        both = [subprocess.Popen([self.program, "analyze", "-q", "--threads", "1", capture.path], stdout=subprocess.DEVNULL) for _ in range(2)]
        if any([each.wait() for each in both]):
            sys.exit(f"bench: cannot analyse {capture.path}")
        return time.perf_counter() - start

    def partial(self, capture: Capture, folder: pathlib.Path, *words) -> tuple[pathlib.Path, int]:
        file = folder / "whole.rsp"
        file.unlink(missing_ok=True)
        subprocess.run([self.program, "analyze", "-q", "--partial", file, *words, capture.path], check=True, stdout=subprocess.DEVNULL)
        return file, file.stat().st_size

    def partial_results(self, small: Capture, many: Capture, folder: pathlib.Path) -> None:
        sizes = [self.partial(each, folder, "--no-messages")[1] for each in (small, many)]
        self.costs.partial_connection = (sizes[1] - sizes[0]) / (many.connections - small.connections)
        messages = self.messages(small, folder)
        whole = self.partial(small, folder)[1]
        self.costs.partial_message = (whole - sizes[0]) / messages
        print(f"partial results: {self.costs.partial_connection:.0f} bytes a connection, of {many.connections:,};"
              f" {self.costs.partial_message:.1f} bytes a message, of {messages:,}\n", flush=True)

    def messages(self, capture: Capture, folder: pathlib.Path) -> int:
        subprocess.run([self.program, "analyze", "-q", "--csv", folder / "csv", capture.path], check=True, stdout=subprocess.DEVNULL)
        with open(folder / "csv/messages.csv", "rb") as file:
            count = sum(1 for _ in file) - 1
        shutil.rmtree(folder / "csv")
        return count

    def merge(self, capture: Capture, folder: pathlib.Path) -> None:
        parts = [folder / f"{number}.rsp" for number in range(1, SHARDS + 1)]
        for number, part in enumerate(parts, 1):
            subprocess.run([self.program, "analyze", "-q", "--no-messages", "--shard", f"{number}/{SHARDS}", "--partial", part, capture.path],
                           check=True, stdout=subprocess.DEVNULL)
        runs = self.run(self.program, "merge", "--json", *parts)
        memory = self.bench.short(max(each.memory for each in runs))
        one = self.run(self.program, "merge", "--json", self.partial(capture, folder, "--no-messages")[0])
        self.costs.merged_connection = self.processors(runs) / capture.connections
        print(f"merge of {SHARDS} shards, the most there are, of {capture.connections:,} connections: {self.processors(runs):.2f} s, {memory}B;"
              f" of one partial result of the same: {self.processors(one):.2f} s\n", flush=True)
        for part in parts:
            part.unlink()

    def points(self, small: Capture, folder: pathlib.Path) -> None:
        """Of hosts with connections of their own; and of points that see the same ones. Reports as text: JSON is most of the time."""
        connections = min(10_000, max(512, self.options.packets // 64))
        hosts = [self.capture(f"host{number}", 8 * connections, "--frame-size", "128", "--qps", str(connections), "--active", str(connections),
                              "--seed", str(number)) for number in range(1, HOSTS + 1)]
        connections = hosts[0].connections
        parts = [folder / f"{number}.rsp" for number in range(HOSTS)]
        for part, capture in zip(parts, hosts):
            subprocess.run([self.program, "analyze", "-q", "--partial", part, capture.path], check=True, stdout=subprocess.DEVNULL)

        def seen(capture: Capture, name: str) -> list:
            """The partial results of points that see it, each in files of its own."""
            found = [folder / f"{name}{number}.rsp" for number in range(SEEING)]
            for part in found:
                file = part.with_suffix(".pcap")
                file.symlink_to(capture.path)
                subprocess.run([self.program, "analyze", "-q", "--partial", part, file], check=True, stdout=subprocess.DEVNULL)
            return found

        same, few = seen(hosts[0], "same"), seen(small, "few")
        def merged(title: str, files: list) -> float:
            """Seconds more than one by one."""
            runs, one = self.run(self.program, "merge", *files), sum(self.processors(self.run(self.program, "merge", file)) for file in files)
            print(f"  {title:42} {self.processors(runs):7.2f} s {one:14.2f} s {self.bench.short(max(each.memory for each in runs)):>9}B", flush=True)
            return self.processors(runs) - one

        print(f"merge of capture points, {connections:,} connections each")
        print(f"  {'':42} {'together':>9} {'one by one':>16} {'memory':>10}")
        merged(f"{HOSTS} points, different connections", parts)
        merged(f"{SEEING} points, the same connections", same)
        messages = self.messages(small, folder)
        more = merged(f"{SEEING} points, the same {messages:,} messages", few)
        self.costs.point_message = max(0.0, more / (SEEING * messages))
        print()
        for file in (*parts, *same, *few):
            file.unlink()

    def many_points(self, folder: pathlib.Path) -> None:
        """Once: 1,000 captures are enough to make."""
        parts = [folder / f"{number}.rsp" for number in range(MANY)]
        for number, part in enumerate(parts):
            name = folder / f"host{number}.pcap"
            words = ["--frame-size", "128", "--qps", str(OF_MANY), "--active", str(OF_MANY), "--host-pairs", "256", "--seed", str(number)]
            for command in ([self.options.build / "tools/synth/synth", "-o", name, "--packets", str(8 * OF_MANY), *words],
                            [self.program, "analyze", "-q", "--partial", part, name]):
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            name.unlink()
        run = self.bench.run([self.program, "merge", *parts])
        self.costs.point_connection = run.processor_seconds / MANY / OF_MANY
        print(f"merge of {MANY:,} capture points, {OF_MANY} connections each: {run.processor_seconds:.1f} s, {self.bench.short(run.memory)}B,"
              f" {self.costs.point_connection * 1e6:.0f} us a connection\n", flush=True)
        for part in parts:
            part.unlink()

    def analysis(self, small: Capture, many: Capture, large: Capture, folder: pathlib.Path) -> None:
        """Three captures, three costs: of a packet, a byte and a connection. What --partial takes more is the cost of messages."""
        rows = [[float(each.packets), float(each.size), float(each.connections), self.processors(self.analyze("--threads", "1", each.path))]
                for each in (small, large, many)]
        seconds = rows[0][3]
        for i in range(3):
            for k in range(3):
                if k != i:
                    factor = rows[k][i] / rows[i][i]
                    rows[k] = [a - factor * b for a, b in zip(rows[k], rows[i])]
        found = [max(0.0, rows[i][3] / rows[i][i]) for i in range(3)]
        self.costs.packet, self.costs.byte, self.costs.connection = found
        file = folder / "whole.rsp"
        more = self.processors(self.analyze("--threads", "1", "--partial", file, small.path, outputs=(file,))) - seconds
        self.costs.message = max(0.0, more / self.messages(small, folder))
        print(f"analysis, one thread: {found[0] * 1e9:.0f} ns a packet, {found[1] * 1e9:.3f} ns a byte, {found[2] * 1e6:.1f} us a connection;"
              f" with --partial {self.costs.message * 1e9:.0f} ns a message\n", flush=True)

    def clickhouse(self, capture: Capture, folder: pathlib.Path) -> None:
        if not shutil.which("clickhouse-server", path=f"{os.environ['PATH']}:/usr/sbin"):
            print("clickhouse-server is not installed: rows a second were not measured\n")
            return
        sys.path.append(str(SOURCE / "tests/clickhouse"))
        sys.argv.insert(1, str(self.program))  # which the module takes from there
        from servers import Server
        server = Server(folder / "server")
        try:
            server.start()
            self.load(server, self.partial(capture, folder)[0], folder)
        finally:
            server.stop()

    def load(self, server, partial: pathlib.Path, folder: pathlib.Path) -> None:
        export = self.run(self.program, "export", "-q", "--clickhouse", server.url, "--database", "bench", partial)
        rows = server.rows("SELECT count() AS n FROM bench.messages")[0]["n"]
        seconds = self.clock(export)
        self.costs.rows = rows / seconds
        print(f"{rows:,} messages into one ClickHouse on this machine")
        print(f"  {'rocescope export':34} {self.bench.short(rows / seconds):>9}rows/s")
        client = shutil.which("clickhouse-client")
        if client is None:
            print("  clickhouse-client is not installed\n")
            return
        server.ask("CREATE TABLE bench.copy AS bench.messages")
        for form in ("RowBinary", "Native", "TabSeparated"):
            file = folder / form
            query = urllib.parse.urlencode({"query": f"SELECT * FROM bench.messages FORMAT {form}"})
            with urllib.request.urlopen(f"{server.url}/?{query}", timeout=600) as answer, open(file, "wb") as copy:
                shutil.copyfileobj(answer, copy)
            words = f'exec "$0" --host 127.0.0.1 --port "$1" --query "INSERT INTO bench.copy FORMAT {form}" <"$2"'
            times = []
            for _ in range(self.options.runs):
                server.ask("TRUNCATE TABLE bench.copy")
                times.append(self.bench.run(["sh", "-c", words, client, str(server.tcp), file]).seconds)
                copied = server.rows("SELECT count() AS n FROM bench.copy")[0]["n"]
                if copied != rows:
                    sys.exit(f"bench: clickhouse-client inserted {copied} rows of {rows}")
            print(f"  {'clickhouse-client, ' + form:34} {self.bench.short(rows / statistics.median(times)):>9}rows/s", flush=True)
            file.unlink()
        print()

    def model(self) -> None:
        costs, asked = self.costs, self.options
        size = asked.gigabytes * GIGA
        packets = size / asked.packet_size
        messages = size / asked.message_size
        reading = packets * costs.packet + size * costs.byte + asked.connections * costs.connection + messages * costs.message
        cores = asked.cores
        disks, links = asked.hosts * size / (asked.disks * GIGA), asked.hosts * size / (asked.links * GIGA / 8)
        analysis = asked.hosts * reading / cores
        partial = asked.connections * costs.partial_connection + messages * costs.partial_message
        merging = asked.hosts * asked.connections * costs.merged_connection / cores
        between = 2 * asked.hosts * (asked.connections * costs.point_connection + messages * costs.point_message)
        slowest = max((analysis, "processors"), (disks, "disks"), (links, "links"))

        def minutes(seconds: float) -> str:
            return f"{seconds / 60:,.1f} min"

        print(f"{asked.hosts:,} hosts with {asked.gigabytes:,g} GB each")
        print(f"  assumed: packets of {asked.packet_size:,} bytes, messages of {asked.message_size:,}, {asked.connections:,} connections a host;"
              f" {cores:,} processors like one of this machine,")
        print(f"  {asked.disks:g} GB/s of all disks, {asked.links:g} Gb/s of all links to them; one shard a host (N shards read everything N times);")
        print("  costs grow in proportion; no task waits for another, none is made twice; processors, disks and links work at the same time")
        rows = [("analysis, by the processors", f"{minutes(analysis)}, {asked.hosts * reading / 3600:,.1f} hours of one"),
                ("analysis, by the disks", minutes(disks)), ("analysis, by the links", minutes(links)),
                ("the slowest of them", f"{minutes(slowest[0])}, {slowest[1]}"), ("merge of shards", minutes(merging)),
                ("merge of all points, twice", f"{minutes(between)}, by one processor: as text and as JSON"),
                ("partial results", f"{self.bench.short(partial)}B a host, {self.bench.short(asked.hosts * partial)}B of all")]
        if costs.rows:
            loaded = asked.hosts * messages
            rows.append(("into ClickHouse, one server", f"{minutes(loaded / costs.rows)}, {self.bench.short(loaded)}rows of messages"))
        for title, text in rows:
            print(f"  {title:30} {text}")
