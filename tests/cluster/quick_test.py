#!/usr/bin/env python3
"""rocescope-sbatch without Slurm: which files are a capture point, what is to do, tasks run one by one, the status, the Jobs of Kubernetes.

    quick_test.py PROGRAM
"""
import ast
import gzip
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import traceback
import unittest

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
CAPTURES = ROOT / "captures"
SBATCH = ROOT / "tools/cluster/rocescope-sbatch"
ODD = "b 'q\" $(x)\n;%A"
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools/cluster"))
from rocecluster import command_line, kubernetes, points  # noqa: E402

# A squeue, so that planning runs where no Slurm is; nothing of ours is in its queue.
SQUEUE = "#!/bin/sh\nexit 0\n"
SCONTROL = "#!/bin/sh\necho 'MaxArraySize            = 4'\n"
# What sbatch of Slurm 22.05 says.
SBATCH_SAYS = """#!/bin/sh
for word in "$@"; do
  case "$word" in
    --time=|--time=x) echo "sbatch: error: Invalid --time specification" >&2; exit 255 ;;
    --partition=down) echo "allocation failure: Required partition not available (inactive or drain)" >&2; exit 1 ;;
    --comment=banner) [ "$1" = --test-only ] || echo "a banner"; exit 0 ;;
  esac
done
[ "$1" = --test-only ] || echo 7
"""


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="rocescope_cluster_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.out = self.folder / "out"
        tools = self.folder / "tools"
        tools.mkdir()
        for name, text in (("squeue", SQUEUE), ("scontrol", SCONTROL), ("sbatch", SBATCH_SAYS)):
            (tools / name).write_text(text)
            (tools / name).chmod(0o755)
        (tools / "rocescope").symlink_to(PROGRAM)
        self.environment = {"PATH": f"{tools}:{os.environ['PATH']}", "HOME": "/nonexistent"}

    def capture(self, name: str, source: str = "rdmagen-cm-mixed.pcapng") -> pathlib.Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(CAPTURES / source, path)
        return path

    def sbatch(self, *words, status=0, **environment) -> subprocess.CompletedProcess:
        """As `rocescope-sbatch WORDS`, in a copy of this process, which saves the start of Python."""
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as said:
            process = os.fork()
            if process == 0:
                os.dup2(out.fileno(), 1)
                os.dup2(said.fileno(), 2)
                sys.stdout, sys.stderr = open(1, "w", closefd=False), open(2, "w", closefd=False)
                code = 70
                try:
                    os.chdir(self.folder)
                    os.environ.clear()
                    os.environ.update(self.environment | environment)
                    code = command_line.main([str(word) for word in words])
                except SystemExit as ending:
                    code = ending.code
                except BaseException:
                    traceback.print_exc()
                finally:
                    sys.stdout.flush()
                    sys.stderr.flush()
                    os._exit(code)
            ended = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
            for file in (out, said):
                file.seek(0)
            done = subprocess.CompletedProcess(words, ended, out.read().decode(), said.read().decode())
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def plan(self, *words) -> dict:
        """The newest plan, as the tasks read it."""
        self.sbatch("--kubernetes", "image", "--out", self.out, *words)
        return self.last_run()

    def files_of(self, point: dict) -> list[str]:
        """As its tasks read them."""
        text = (self.out / "points" / point["folder"] / f"files.{point['digest'][:16]}.json").read_text()
        return [file["name"] for file in json.loads(text)["files"]]

    def last_run(self) -> dict:
        return json.loads(max((self.out / "runs").iterdir()).read_text())

    def task(self, kind: str, number: int, status=0, **environment) -> subprocess.CompletedProcess:
        run = max((self.out / "runs").iterdir())
        return self.sbatch("--task", kind, 0, run, status=status, JOB_COMPLETION_INDEX=str(number), **environment)

    def run_all(self):
        run = self.last_run()
        for kind in ("shards_to_run", "merges_to_run", "between_to_run"):
            for number in range(len(run[kind])):
                self.task(kind, number)

    def status(self, status=0, *words) -> str:
        return self.sbatch("--status", "--out", self.out, *words, status=status).stdout

    def results(self) -> dict[str, tuple[int, int]]:
        return {str(path): (path.stat().st_ino, path.stat().st_mtime_ns) for path in self.out.glob("points/*/*")
                if path.suffix != ".log" and not path.name.startswith("files.")}

    def report_of(self, point: dict) -> bytes:
        return (self.out / "points" / point["folder"] / "report.json").read_bytes()

    def between(self) -> bytes:
        """What the job that merges all points wrote."""
        return (self.out / "between/report.json").read_bytes()

    def merged(self, *points: dict) -> bytes:
        """The same, by hand."""
        parts = [self.out / "points" / point["folder"] / "whole.rsp" for point in points]
        return subprocess.run([PROGRAM, "merge", "--json", *parts], capture_output=True, check=True).stdout

    def analyze(self, *words) -> bytes:
        return subprocess.run([PROGRAM, "analyze", "--json", "-q", *words], cwd=self.folder, capture_output=True, check=True).stdout


class Points(unittest.TestCase):
    def test_what_capture_programs_make_is_one_ring(self):
        rings = {
            "ring.pcapng": ("ring_00001_20261125120000.pcapng", "ring_00002_20261125120010.pcapng.zst", "ring_123456_20261125120010.pcapng.gz",
                            "ring_20261125120000_00001.pcapng", "ring.pcapng", "ring_00003_20261125.pcapng"),
            "ring.pcap": ("ring.pcap", "ring.pcap1", "ring.pcap02", "ring.pcap10.lz4", "ring-20261125-120000.pcap", "ring_2026-11-25T12:00:00Z.pcap",
                          "ring.20261125.pcap", "ring-1795608000.pcap", "ring-20261125120000.pcap3", "ring_2026-11-25_12.00.pcap"),
            "20.pcap": ("20.pcap",), "host1.pcap": ("host1.pcap",), "host-12345.pcap": ("host-12345.pcap",),
            "mac_00112233.pcap": ("mac_00112233.pcap",),
            "rack-20269999.pcap": ("rack-20269999.pcap",), "host1": ("host1",), ".pcap": ("20261125120000.pcap",)}
        for ring, files in rings.items():
            for name in files:
                with self.subTest(name):
                    self.assertEqual(points.ring_of(name), ring)

    def test_numbers_are_ordered_by_value(self):
        self.assertEqual(sorted(["r.pcap10", "r.pcap9", "r.pcap", "r.pcap1"], key=points.natural), ["r.pcap", "r.pcap1", "r.pcap9", "r.pcap10"])

    def test_the_program_starts(self):
        for name in (SBATCH, self.link()):
            said = subprocess.run([sys.executable, name, "--help"], capture_output=True, text=True, check=True).stdout
            self.assertIn("--kubernetes IMAGE", said)

    def test_a_copy_that_does_not_find_its_modules_says_so(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, shutil.copy(SBATCH, folder), "--from", "/none"], capture_output=True, text=True, check=False)
        self.assertEqual(done.stderr, "rocescope-sbatch: /none has no rocecluster: is it on this host?\n")
        self.assertEqual(done.returncode, 2)
        done = subprocess.run([sys.executable, SBATCH, "--from"], capture_output=True, text=True, check=False)
        self.assertIn("unrecognized arguments: --from", done.stderr)

    def link(self) -> pathlib.Path:
        """As it is installed."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        link = pathlib.Path(folder.name) / "rocescope-sbatch"
        link.symlink_to(SBATCH)
        return link

    def test_the_programs_need_no_newer_python_than_they_say(self):
        for path in (SBATCH, *SBATCH.parent.glob("rocecluster/*.py")):
            ast.parse(path.read_text(), feature_version=(3, 8))


class Grouping(Folder):
    def named(self, *words) -> dict[str, list[str]]:
        return {point["name"]: self.files_of(point) for point in self.plan(*words)["points"]}

    def test_by_ring_directory_file_and_expression(self):
        for name in ("a/ring.pcap", "a/ring.pcap1", "a/other.pcap", "b/ring.pcap"):
            self.capture(name)
        self.assertEqual(self.named("[ab]/*"), {"a/other.pcap": ["a/other.pcap"], "a/ring.pcap": ["a/ring.pcap", "a/ring.pcap1"],
                                                "b/ring.pcap": ["b/ring.pcap"]})
        self.assertEqual(self.named("[ab]/*.pcap*", "--group", "directory"), {"a": ["a/other.pcap", "a/ring.pcap", "a/ring.pcap1"],
                                                                              "b": ["b/ring.pcap"]})
        self.assertEqual(len(self.named("**", "--group", "file", "--exclude", "tools/*")), 4)
        self.assertEqual(self.named("?/*", "--group", r"^[a-z]/([a-z]+)"),
                         {"other": ["a/other.pcap"], "ring": ["a/ring.pcap", "a/ring.pcap1", "b/ring.pcap"]})
        self.assertEqual(list(self.named("[ab]/ring.pcap", "--group", "^(?:(a)|(b))/")), ["a ''", "'' b"])
        self.assertEqual(list(self.named("[ab]/ring.pcap", "--group", "^(?:(a)|(b))/(ring)")), ["a '' ring", "'' b ring"])
        said = self.sbatch("a/ring.pcap", "--group", "^(?:(a)|(b))/(ring)", "--out", self.out, "--points").stdout
        self.assertTrue(said.startswith("a '' ring: 1 file,"), said)
        self.assertEqual(self.named("a/ring.pcap", "a/*", "--exclude", "other*"), {"a/ring.pcap": ["a/ring.pcap", "a/ring.pcap1"]})

    def test_points_prints_them_and_writes_nothing(self):
        self.capture(f"{ODD}/ring.pcap")
        self.capture("empty.pcap").write_bytes(b"")
        said = self.sbatch("*/*.pcap", "*.pcap", "--out", self.out, "--points").stdout
        self.assertIn("b 'q\" $(x)\\n;%A/ring.pcap: 1 file,", said)
        self.assertIn("left out, since it is empty: empty.pcap", said)
        self.assertFalse(self.out.exists())

    def test_errors(self):
        self.capture("a/x.pcap")
        self.capture("a/x.pcap.gz")
        self.capture("empty.pcap").write_bytes(b"")
        silent = self.folder / "silent"
        silent.write_text("#!/bin/sh\n")
        silent.chmod(0o755)
        cases = ((["none*"], "nothing is named none*"), (["a"], "a is a folder"), (["a/*"], "same packets twice"), ([], "INPUT is missing"),
                 (["a/x.pcap", "--group", "("], "--group ("), (["a/x.pcap", "--group", "rings"], "needs ring, directory, file"),
                 (["a/x.pcap", "--group", "b(.)"], "does not match a/x.pcap"),
                 (["a/x.pcap", "--group", "()"], "--group () does not match a/x.pcap"), (["a/x.pcap", "--group", "(q)?"], "does not match a/x.pcap"),
                 (["a/x.pcap", "--program", "/none"], "cannot run /none"),
                 (["a/x.pcap", "--shards", "65"], "65 is not 1 to 64"), (["a/x.pcap", "--", "--jobs=2"], "'--jobs' of"),
                 (["a/x.pcap", "--", "-qv"], "'-qv' of"), (["a/x.pcap", "--", "--interval", "1ms"], "'1ms' behind --"),
                 (["a/x.pcap", "--exclude", "x*"], "--exclude leaves out all that is named"),
                 (["empty.pcap"], "empty.pcap is empty, and nothing else is left"), (["?"], "folders alone are named"),
                 ([""], "INPUT is an empty word"),
                 (["a/x.pcap", "--", "--save-state=x"], "'--save-state' of"), (["a/x.pcap", "--", "--resume=x"], "'--resume' of"),
                 (["a/x.pcap", "--program", "/bin/false"], "no rocescope that works"),
                 (["a/x.pcap", "--program", "/bin/true"], "/bin/true is no rocescope: with --version it says 'true (GNU coreutils)"),
                 (["a/x.pcap", "--program", silent], "is no rocescope: with --version it says nothing"),
                 (["a/x.pcap", "--", "--nonsense"], "unknown option '--nonsense'"), (["a/x.pcap", "--", "--interval=x"], "--interval"),
                 (["a/x.pcap", "--", "-Yno.field"], "unknown field"),
                 (["a/x.pcap", "--claim", "a:/b"], "--claim does nothing"), (["--status", "a/x.pcap"], "takes no INPUT"),
                 (["--status", "--claim", "a"], "--claim does nothing"),
                 (["--status"], "has no results"), (["a/x.pcap", "--sbatch=--"], "--sbatch=--: -- is no value"),
                 (["a/x.pcap", "--exclude=--"], "--exclude=--: -- is no value"),
                 (["a/x.pcap", "--kubernetes", "i", "--claim", "a"], "needs NAME:/PATH"))
        for words, text in cases:
            with self.subTest(words):
                done = self.sbatch("--out", self.out, *words, status=2)
                self.assertIn(text, done.stderr)
                self.assertNotIn("Traceback", done.stderr)
        self.assertIn("the folder of the results", self.sbatch("a/x.pcap", "--out", ".", status=2).stderr)
        for words in ((), ("--out", "")):
            self.assertIn("--out DIR is missing", self.sbatch("a/x.pcap", *words, status=2).stderr)
        for out in ("empty.pcap", "empty.pcap/out"):
            for words in ((), ("--dry-run",), ("--kubernetes", "image")):
                said = self.sbatch("a/x.pcap", "--out", out, *words, status=2)
                self.assertIn(f"cannot write in {self.folder / out}: Not a directory", said.stderr)
        (self.folder / "tools/squeue").write_text("#!/bin/sh\necho nobody answers >&2; exit 1\n")
        self.assertIn("squeue failed: nobody answers", self.sbatch("a/x.pcap", "--out", self.out, status=2).stderr)


class Tasks(Folder):
    def test_reports_are_those_of_one_analysis(self):
        names = [f"{ODD}/ring_0000{i}_2026112512000{i}.pcapng" for i in (1, 2)]
        self.capture(names[0])
        self.capture(names[1], "impaired_out-loss_heavy.pcapng")
        other = self.capture("c/odd\udcff name.pcap.zst", "lab_rping_write_ud_atomic.pcap").relative_to(self.folder)
        run = self.plan("*/*.pcap*", "--shards", "3", "--", "--interval=1ms")
        self.assertEqual(len(run["shards_to_run"]), 6)
        self.assertIn("shard 1/3 has not run", self.status(1))
        self.run_all()
        self.assertIn("6 done\nreports: 2 of 2", self.status())
        by_files = {self.files_of(point)[0]: point for point in run["points"]}
        self.assertEqual(self.report_of(by_files[names[0]]), self.analyze("--interval=1ms", *names))
        self.assertEqual(self.report_of(by_files[str(other)]), self.analyze("--interval=1ms", other))
        self.assertEqual([path for path in self.out.rglob("*.new-*")], [])

    def test_a_point_that_cannot_be_read_is_left_out_later(self):
        self.capture("a.pcapng")
        self.capture("b.pcapng").write_text("no capture\n")
        run = self.plan("*.pcapng")
        bad = next(index for index, point in enumerate(run["points"]) if point["name"] == "b.pcapng")
        for number, (point, _) in enumerate(run["shards_to_run"]):
            self.task("shards_to_run", number, status=1 if point == bad else 0)
        for number, point in enumerate(run["merges_to_run"]):
            self.task("merges_to_run", number, status=1 if point == bad else 0)
        self.assertIn("reports: 1 of 2", self.status(1))
        said = self.sbatch("*.pcapng", "--exclude", "b*", "--out", self.out).stdout
        self.assertIn("nothing to do", said)
        self.assertIn("1 capture point, 1 shard: 1 done\nreports: 1 of 1", self.status())

    def test_what_is_there_is_not_made_again(self):
        paths = [self.capture("a.pcapng"), self.capture("b.pcapng", "lost-light.pcapng")]
        words = ("*.pcapng", "--shards", "2", "--kubernetes", "image", "--out", self.out)
        self.plan("*.pcapng", "--shards", "2")
        self.run_all()
        before = self.results()
        self.assertIn("nothing to do", self.sbatch(*words).stderr)
        os.utime(paths[0])
        self.plan("*.pcapng", "--shards", "2")
        self.assertEqual(self.last_run()["shards_to_run"], [[0, 1], [0, 2]])
        self.run_all()
        after = self.results()
        self.assertEqual({path for path in before if before[path] != after[path]}, {path for path in before if "_a.pcapng-" in path})
        self.plan("*.pcapng", "--shards", "2", "--", "--no-icrc")
        self.assertEqual(len(self.last_run()["shards_to_run"]), 4)
        self.assertIn("shard 1/2 has not run", self.status(1))

    def test_shards_are_counted_as_they_were_planned(self):
        cut = self.capture("a.pcapng")
        cut.write_bytes(cut.read_bytes()[:5001])
        self.plan("a.pcapng")
        self.run_all()
        self.capture("b.pcapng")
        self.assertIn("to do: 3 of 4 shards,", self.sbatch("?.pcapng", "--out", self.out, "--shards", "3", "--dry-run").stdout)
        self.plan("?.pcapng", "--shards", "3")
        self.assertIn("2 capture points, 4 shards: 1 done, 3 missing\n", self.status(1))
        self.run_all()
        self.assertIn("2 capture points, 4 shards: 4 done\n", self.status())
        self.assertIn("nothing to do", self.sbatch("?.pcapng", "--out", self.out, "--shards", "5").stdout)
        self.assertIn("2 capture points, 4 shards: 4 done\n", self.status())
        self.assertIn("a.pcapng: rocescope: a.pcapng: the capture is cut", self.status())
        next(self.out.glob("points/*b.pcapng-*/report.json")).unlink()
        self.assertIn("2 capture points, 6 shards: 1 done, 5 missing\n", self.status(1))

    def test_contents_count_with_checksum(self):
        path = self.capture("a.pcapng")
        words = ("*.pcapng", "--checksum")
        self.plan(*words)
        self.run_all()
        os.utime(path)
        self.assertIn("nothing to do", self.sbatch(*words, "--kubernetes", "image", "--out", self.out).stderr)
        for name in ("1of1.rsp", "report.json"):
            next(self.out.glob(f"points/*/{name}")).unlink()
        self.assertEqual(self.plan(*words)["shards_to_run"], [[0, 1]])
        self.run_all()  # with the time that the file has now
        self.capture("a.pcapng", "lost-light.pcapng")
        self.assertEqual(self.plan(*words)["shards_to_run"], [[0, 1]])

    def test_a_damaged_partial_result_is_found_and_made_again(self):
        self.capture("a.pcapng")
        self.plan("a.pcapng", "--shards", "2")
        for number in range(2):
            self.task("shards_to_run", number)
        part = next(self.out.glob("points/*/2of2.rsp"))
        status = part.stat()
        part.write_bytes(part.read_bytes()[:-3] + b"xyz")
        os.utime(part, ns=(status.st_atime_ns, status.st_mtime_ns))
        self.assertIn("shard 2/2 was damaged", self.status(1, "--check"))
        self.assertIn("shard 2/2 of 2 damaged", self.task("merges_to_run", 0, status=1).stderr)
        self.assertIn("shard 2/2 has not run", self.status(1))
        self.assertEqual(self.plan("a.pcapng", "--shards", "2")["shards_to_run"], [[0, 2]])
        self.run_all()
        self.assertEqual(self.report_of(self.last_run()["points"][0]), self.analyze("a.pcapng"))
        report = next(self.out.glob("points/*/report.json"))
        status, data = report.stat(), report.read_bytes()
        report.write_bytes(data[:-2] + b" \n")
        os.utime(report, ns=(status.st_atime_ns, status.st_mtime_ns))
        self.status()
        self.plan("a.pcapng", "--shards", "2", "--check")
        self.run_all()
        self.assertEqual(report.read_bytes(), data, "what --check found is made again")
        report.write_bytes(b"{}")
        self.assertIn("merge was damaged or changed", self.status(1))
        self.plan("a.pcapng", "--shards", "2")
        self.assertEqual((self.last_run()["shards_to_run"], self.last_run()["merges_to_run"]), ([], [0]))

    def test_a_damaged_shard_of_a_point_that_has_its_report_is_found_and_made_again(self):
        for name in "ab":
            self.capture(f"{name}.pcapng")
        words = ("?.pcapng", "--shards", "2")
        self.plan(*words)
        self.run_all()
        self.status(0, "--check")
        part = next(self.out.glob("points/*b.pcapng-*/1of2.rsp"))
        whole = part.read_bytes()
        status = part.stat()
        part.write_bytes(whole[:-3] + b"xyz")
        os.utime(part, ns=(status.st_atime_ns, status.st_mtime_ns))
        self.assertIn("4 shards: 4 done\n", self.status())
        said = self.status(1, "--check")
        self.assertIn("4 shards: 3 done, 1 damaged\nreports: 2 of 2", said)
        self.assertIn("damaged shards of points that have their report:\n  b.pcapng: shard 1/2 was damaged or changed after it was written\n", said)
        self.assertNotIn("without a report", said)
        self.assertIn("nothing to do", self.sbatch(*words, "--out", self.out).stdout)
        self.assertIn("1 of 4 shards, 0 merges", self.sbatch(*words, "--out", self.out, "--check", "--dry-run").stdout)
        self.assertIn("submitted: 1 of 4 shards, 0 merges; job 7", self.sbatch(*words, "--out", self.out, "--check").stdout)
        run = self.plan(*words, "--check")
        self.assertEqual((run["shards_to_run"], run["merges_to_run"], run["between_to_run"]), ([[1, 1]], [], []))
        self.run_all()
        self.assertEqual(part.read_bytes(), whole)
        self.status(0, "--check")
        # Of another plan; and one that is gone, which nobody needs any more.
        part.write_bytes(b"x")
        words = ("?.pcapng", "--shards", "3", "--out", self.out)
        self.assertIn("nothing to do", self.sbatch(*words).stdout)
        self.assertIn("b.pcapng: shard 1/2 is damaged, and made anew only with --shards 2", self.sbatch(*words, "--check", status=2).stderr)
        self.assertIn("b.pcapng: shard 1/2 was damaged", self.status(1, "--check"))
        part.unlink()
        self.assertIn("4 shards: 4 done\n", self.status(0, "--check"))

    def test_the_status_has_each_word_of_rocescope_once(self):
        self.capture("a.pcapng")
        program = self.folder / "program"
        program.write_text(f"""#!/bin/sh
case "$*" in
  --version) ;;
  analyze*) echo "rocescope: a.pcapng: the capture is cut" >&2 ;;
  merge*) echo "rocescope: 3 of 9 packets cut" >&2 ;;
esac
case "$*" in
  *--shard=1/2*) echo "rocescope: shard 1/2 follows all packets" >&2 ;;
  *--shard=2/2*) echo "rocescope: shard 2/2 has nothing" >&2; echo "rocescope: more than 7 connections at once" >&2 ;;
  analyze*) echo "rocescope: 3 of 9 packets cut" >&2 ;;
esac
exec {PROGRAM} "$@"
""")
        program.chmod(0o755)
        for shards, others in ((1, []), (2, ["shard 1/2 follows all packets", "more than 7 connections at once"])):
            shutil.rmtree(self.out, ignore_errors=True)
            self.plan("a.pcapng", "--program", program, "--shards", str(shards))
            self.run_all()
            said = self.status().split("what rocescope said:\n")[1].splitlines()
            wanted = ["a.pcapng: the capture is cut", "3 of 9 packets cut", *others]
            self.assertEqual(sorted(said), sorted(f"  a.pcapng: rocescope: {text}" for text in wanted))

    def test_all_points_are_merged_and_again_when_one_changes(self):
        self.capture("a.pcapng")
        words = ("?.pcapng", "--shards", "2")
        self.plan(*words)
        self.assertEqual(self.last_run()["between_to_run"], [])  # of one point
        self.run_all()
        self.assertNotIn("between", self.status())
        self.capture("b.pcapng", "lost-light.pcapng")
        run = self.plan(*words)
        self.assertEqual((run["merges_to_run"], run["between_to_run"]), ([1], [0]))
        for kind in ("shards_to_run", "merges_to_run"):
            for number in range(len(run[kind])):
                self.task(kind, number)
        self.assertIn("all capture points: no report\n    merge has not run", self.status(1))
        self.task("between_to_run", 0)
        self.assertIn("reports: 2 of 2", self.status())
        self.assertIn(f"between 2 of them: {self.out}/between/report.txt", self.status())
        self.assertEqual(self.between(), self.merged(*run["points"]))
        self.assertEqual(len(json.loads(self.between())["reports"]), 2)
        self.assertIn("Capture point 2 of 2", (self.out / "between/report.txt").read_text())
        before = (self.out / "between/report.json").stat().st_ino
        self.task("between_to_run", 0)
        self.assertEqual((self.out / "between/report.json").stat().st_ino, before, "it is there already")
        self.assertIn("nothing to do", self.sbatch("--kubernetes", "image", "--out", self.out, *words).stderr)
        self.capture("b.pcapng", "fault-rnr.pcapng")
        run = self.plan(*words)
        self.assertEqual(run["between_to_run"], [0])
        self.run_all()
        self.assertEqual(self.between(), self.merged(*run["points"]))
        self.assertIn("between 2 of them", self.status())
        # What was damaged is found, by its contents too.
        report = self.out / "between/report.txt"
        status = report.stat()
        report.write_bytes(report.read_bytes()[:-1] + b"x")
        os.utime(report, ns=(status.st_atime_ns, status.st_mtime_ns))
        self.status()
        self.assertIn("all capture points: no report\n    merge was damaged", self.status(1, "--check"))
        run = self.plan(*words, "--check")
        self.assertEqual((run["shards_to_run"], run["merges_to_run"], run["between_to_run"]), ([], [], [0]))
        self.run_all()
        self.status(0, "--check")

    def test_a_point_without_a_report_is_not_among_those_that_are_merged(self):
        for name in "ab":
            self.capture(f"{name}.pcapng")
        (self.folder / "c.pcapng").write_text("this is no capture\n" * 9)
        run = self.plan("?.pcapng")
        for number in range(3):
            self.task("shards_to_run", number, status=int(number == 2))
            self.task("merges_to_run", number, status=int(number == 2))
        self.task("between_to_run", 0)
        said = self.status(1)
        self.assertIn("reports: 2 of 3", said)
        self.assertIn("between 2 of them", said)
        self.assertEqual(self.between(), self.merged(*run["points"][:2]))
        # The next call tries the third again, and has nothing new to merge.
        self.assertEqual(self.plan("?.pcapng")["between_to_run"], [0])
        before = (self.out / "between/report.json").stat().st_ino
        self.task("between_to_run", 0)
        self.assertEqual((self.out / "between/report.json").stat().st_ino, before)

    def test_a_damaged_part_of_all_points_is_found_and_made_again(self):
        for name in "ab":
            self.capture(f"{name}.pcapng")
        run = self.plan("?.pcapng")
        for number in range(2):
            self.task("shards_to_run", number)
            self.task("merges_to_run", number)
        part = self.out / "points" / run["points"][1]["folder"] / "whole.rsp"
        status = part.stat()
        part.write_bytes(part.read_bytes()[:-3] + b"xyz")
        os.utime(part, ns=(status.st_atime_ns, status.st_mtime_ns))
        self.assertIn("all capture points, merge: b.pcapng damaged since", self.task("between_to_run", 0, status=1).stderr)
        run = self.plan("?.pcapng")
        self.assertEqual((run["shards_to_run"], run["merges_to_run"], run["between_to_run"]), ([], [1], [0]))
        self.run_all()
        self.assertIn("between 2 of them", self.status())

    def test_without_messages_nothing_is_compared(self):
        for name in "ab":
            self.capture(f"{name}.pcapng")
        self.assertEqual(self.plan("?.pcapng", "--no-messages")["between_to_run"], [])
        self.run_all()
        self.assertNotIn("between", self.status())

    def test_failures_are_named_and_take_nothing_else_along(self):
        self.capture("good.pcapng")
        cut = self.capture("cut.pcapng")
        cut.write_bytes(cut.read_bytes()[:5001])
        (self.folder / "text.pcapng").write_text("this is no capture\n" * 9)
        self.capture("gone.pcapng")
        self.capture("grows.pcapng")
        run = self.plan("*.pcapng")
        (self.folder / "gone.pcapng").unlink()
        with open(self.folder / "grows.pcapng", "ab") as file:
            file.write(b"more")
        for index, point in enumerate(run["points"]):
            bad = point["name"] in ("text.pcapng", "gone.pcapng", "grows.pcapng")
            self.task("shards_to_run", index, status=int(bad))
            self.task("merges_to_run", index, status=int(bad))
        said = self.status(1)
        for text in ("2 done, 3 failed", "reports: 2 of 5", "text.pcapng: no report\n    shard 1/1 failed on ", "it is text, not a capture",
                     "gone.pcapng: No such file", "grows.pcapng changed after the plan was made",
                     "cut.pcapng: rocescope: cut.pcapng: the capture is cut"):
            self.assertIn(text, said)
        self.assertEqual(self.report_of(run["points"][0]), self.analyze("cut.pcapng"))
        self.plan("*.pcapng", "--exclude", "text*")
        self.assertEqual(len(self.last_run()["shards_to_run"]), 1)
        self.run_all()
        self.assertIn("reports: 3 of 3", self.status())

    def test_what_slurm_said_of_a_task_that_never_began_is_reported(self):
        self.capture("a.pcapng")
        self.plan("a.pcapng", "--shards", "3")
        arrays = [["shards_to_run", 0, "7"], ["shards_to_run", 2, "8"], ["merges_to_run", 0, "9"]]
        (self.out / "runs/0001.jobs.json").write_text(json.dumps({"arrays": arrays}))
        for name, text in (("7_1", "no python3 here\n"), ("8_0", "slurmstepd: a\nslurmstepd: no memory\n\n")):
            (self.out / f"slurm/{name}.out").write_text(text)
        said = self.status(1)
        for text in ("shard 1/3 has not run\n", "shard 2/3 has not run: no python3 here\n", "shard 3/3 has not run: slurmstepd: no memory\n"):
            self.assertIn(text, said)

    def test_a_task_that_the_plan_does_not_have_is_refused(self):
        self.capture("a.pcapng")
        self.plan("a.pcapng")
        run = self.out / "runs/0001.json"
        cases = ((("bogus", 0, run), "0", "'bogus' is no kind of task"), (("between_to_run", 0, run), "0", "has no task 0 of between_to_run"),
                 (("shards_to_run", 0, run), "99", "has no task 99 of shards_to_run"), (("merges_to_run", 99, run), "0", "has no task 99 of"),
                 (("shards_to_run", 0, run), "-1", "'-1' is no number of a task"), (("shards_to_run", -1, run), "1", "'-1' is no number"),
                 (("shards_to_run", 0, run), "x", "'x' is no number of a task"), (("shards_to_run", "x", run), "0", "'x' is no number of a task"),
                 (("shards_to_run", 0, "/none"), "0", "cannot read the plan in /none"), (("shards_to_run", 0), "0", "--task needs KIND FIRST RUN"),
                 ((), "0", "--task needs KIND FIRST RUN"))
        for words, index, text in cases:
            with self.subTest((words, index)):
                done = self.sbatch("--task", *words, status=2, JOB_COMPLETION_INDEX=index)
                self.assertIn(text, done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertEqual(self.results(), {})
        self.run_all()

    def test_a_point_of_a_capture_that_holds_nothing_fails_alone(self):
        self.capture("a.pcapng")
        (self.folder / "b.pcapng.gz").write_bytes(gzip.compress(b""))
        self.plan("*.pcapng*")
        self.task("shards_to_run", 0)
        self.task("merges_to_run", 0)
        self.assertIn("b.pcapng, shard 1/1: rocescope: cannot read b.pcapng.gz: ", self.task("shards_to_run", 1, status=1).stderr)
        self.task("merges_to_run", 1, status=1)
        said = self.status(1)
        self.assertIn("reports: 1 of 2", said)
        self.assertRegex(said, r"b\.pcapng: no report\n    shard 1/1 failed on \S+: rocescope: cannot read b\.pcapng\.gz: .*\n$")

    def test_another_version_on_a_node_is_refused(self):
        self.capture("a.pcapng")
        run = self.plan("a.pcapng")
        run["version"] = "rocescope 9.9"
        next((self.out / "runs").iterdir()).write_text(json.dumps(run))
        self.assertIn("rocescope is rocescope 0", self.task("shards_to_run", 0, status=1).stderr)

    def test_a_killed_task_leaves_nothing_that_counts(self):
        self.capture("a.pcapng")
        slow = self.folder / "slow"
        slow.write_text(f"""#!/bin/sh
[ $1 = analyze ] && [ $SIGNAL ] && echo part >"${{2#--partial=}}" && kill -$SIGNAL $PPID && exec sleep 1
exec {PROGRAM} "$@"
""")
        slow.chmod(0o755)
        self.plan("a.pcapng", "--program", slow)
        self.task("shards_to_run", 0, status=-signal.SIGKILL, SIGNAL="KILL")
        self.assertRegex(self.status(1), r"ended on .* without a word, job \S+: killed, or the node failed")
        (self.folder / "tools/sacct").write_text("#!/bin/sh\necho OUT_OF_MEMORY\n")
        (self.folder / "tools/sacct").chmod(0o755)
        self.assertRegex(self.status(1), r"without a word, job \S+ OUT_OF_MEMORY: killed")
        self.task("shards_to_run", 0, status=1, SIGNAL="TERM")
        self.assertIn("ended by SIGTERM", self.status(1))
        self.assertEqual(list(self.out.glob("points/*/*.rsp*")), [])
        self.run_all()
        self.assertIn("reports: 1 of 1", self.status())

    def test_state_files_may_be_anything(self):
        self.capture("a.pcapng")
        self.plan("a.pcapng")
        self.run_all()
        state = next(self.out.glob("points/*/1of1.json"))
        for merge in self.out.glob("points/*/merge.json"):
            merge.unlink()
        for text in ("", "[]", "{", "{\"state\": \"done\"}", "null", "\0"):
            state.write_text(text)
            self.assertIn("reports: 0 of 1", self.status(1))
            self.assertEqual(self.plan("a.pcapng")["shards_to_run"], [[0, 1]])


class Submitting(Folder):
    def test_dry_run_prints_the_commands_of_arrays_no_larger_than_slurm_takes(self):
        for number in range(3):
            self.capture(f"{number}.pcapng")
        slurm = ("--partition=p", "--mem=4G", "--sbatch=--nice=7", "--at-once", "9")
        said = self.sbatch("*.pcapng", "--out", self.out, "--shards", "2", "--dry-run", *slurm).stdout
        self.assertIn("to do: 6 of 6 shards, 3 merges, one of all points", said)
        lines = [line for line in said.splitlines() if line.startswith("sbatch")]
        self.assertEqual([line.split("--array=")[1].split()[0] for line in lines], ["0-2%9", "0-2%9", "0-2%9", "0-0%9"])
        self.assertTrue(all("--partition=p --mem=4G --nice=7" in line for line in lines))
        self.assertFalse(self.out.exists())

    def test_a_dry_run_needs_no_slurm(self):
        self.capture("0.pcapng")
        for name in ("squeue", "scontrol"):
            (self.folder / "tools" / name).write_text("#!/bin/sh\necho 'no controller' >&2; exit 1\n")
        run = self.sbatch("*.pcapng", "--out", self.out, "--dry-run")
        self.assertIn("to do: 1 of 1 shards, 1 merge", run.stdout)
        self.assertEqual(len([line for line in run.stdout.splitlines() if line.startswith("sbatch")]), 2)
        self.assertIn("squeue failed: no controller", run.stderr)
        self.assertIn("as if it is empty, and MaxArraySize 1001", run.stderr)
        run = self.sbatch("*.pcapng", "--out", self.out, "--dry-run", "--kubernetes", "registry/rocescope:1")
        self.assertIn("to do: 1 of 1 shards, 1 merge", run.stdout)
        self.assertNotIn("sbatch --", run.stdout + run.stderr)
        self.assertFalse(self.out.exists())

    def test_kubernetes_has_a_job_for_shards_one_for_merges_and_one_for_all_points(self):
        for number in range(3):
            self.capture(f"in/{number}.pcapng")
        words = ("in/*", "--out", self.out, "--shards", "2", "--kubernetes", "registry/rocescope:1", "--mem", "4Gi", "--at-once", "4")
        said = json.loads(self.sbatch(*words).stdout)
        shards, merges, between = said["items"]
        self.assertEqual((shards["spec"]["completions"], shards["spec"]["parallelism"], shards["spec"]["suspend"]), (6, 4, False))
        self.assertEqual((merges["spec"]["completions"], merges["spec"]["suspend"]), (3, True))
        self.assertEqual((between["spec"]["completions"], between["spec"]["suspend"]), (1, True))
        mounted = [volume["hostPath"]["path"] for volume in shards["spec"]["template"]["spec"]["volumes"]]
        self.assertEqual(mounted, [str(self.folder / "in"), str(self.out)])
        self.run_all()
        self.assertIn("reports: 3 of 3", self.status())

    def test_kubernetes_refuses_what_no_cluster_would_take(self):
        self.capture("in/a.pcapng")
        both = ("--claim", f"data:{self.folder}")
        cases = ((("--kubernetes", ""), "'' is no image"), (("--kubernetes", "a b"), "'a b' is no image"), (("--kubernetes", "Image"), "is no image"),
                 (("--kubernetes", "image:"), "is no image"), (("--mem", "4GB"), "--mem 4GB: Kubernetes takes"),
                 (("--mem", ""), "--mem : Kubernetes"), (("--mem", "much"), "--mem much: Kubernetes takes"),
                 (("--mem", "4000"), "--mem 4000: too few bytes"), (("--mem", "0Gi"), "too few"), (("--mem=-4Gi",), "--mem -4Gi: Kubernetes takes"),
                 (("--mem", "999999999m"), "too few"), (("--mem", "0e999999"), "too few"), (("--mem", "1e999999"), "too many"), (("--mem", "++4Gi"), "takes"), (("--mem", "4mi"), "takes"), (("--mem", "1e3Gi"), "takes"),
                 (("--claim", "x"), "needs NAME:/PATH"), (("--claim", "x:y"), "needs NAME:/PATH"), (("--claim", "x:/"), "needs NAME:/PATH"),
                 (("--claim", ":/y"), "needs NAME:/PATH"), (("--claim", ""), "needs NAME:/PATH"), (("--claim", "x:/y:ro"), "has a colon"),
                 (("--claim", "My_Claim:/y"), "'My_Claim' is no name of a claim"), (("--claim", f"{'a' * 254}:/y"), "is no name of a claim"),
                 (("--claim=-a:/y",), "'-a' is no name of a claim"), (("--claim", "a.:/y"), "'a.' is no name of a claim"),
                 ((*both, "--claim", f"more:{self.folder}/"), f"two are mounted at {self.folder}"),
                 (("--claim", "x:/y"), f"no --claim has {self.folder}/in"), (("--claim", f"x:{self.folder}/in"), f"no --claim has {self.out}"),
                 (("--claim", f"x:{self.out}"), f"no --claim has {self.folder}/in"), (("--claim", f"x:{self.folder}/i"), "no --claim has"))
        for words, text in cases:
            for more in ((), ("--dry-run",)):
                with self.subTest((*words, *more)):
                    done = self.sbatch("in/*", "--out", self.out, "--kubernetes", "image", *words, *more, status=2)
                    self.assertIn(text, done.stderr)
                    self.assertEqual((done.stdout, done.stderr.count("\n")), ("", 1), done.stderr)
        self.assertFalse(self.out.exists())
        for size in ("1.5Gi", "128974848000m", "+4Gi", "2000000000000u", "500M", "4e9", ".5Gi"):
            self.sbatch("in/*", "--out", self.out, "--kubernetes", "image", "--mem", size)
        for words in (both,
                      ("--claim", f"in.x-1:{self.folder}/in/", "--claim", f"out:{self.out}"),
                      ("--kubernetes", "[::1]:5000/a/b__c:V1.2-x@sha256:" + "0a" * 32)):
            self.sbatch("in/*", "--out", self.out, "--kubernetes", "image", *words)
        # Nothing is mounted at a name with a colon, but what it is in.
        shards = json.loads(self.sbatch("in/*", "--out", "a:b", "--kubernetes", "image").stdout)["items"][0]
        mounted = [volume["hostPath"]["path"] for volume in shards["spec"]["template"]["spec"]["volumes"]]
        self.assertEqual(mounted, [str(self.folder)])

    def test_kubernetes_is_asked_for_no_more_at_once_than_it_takes(self):
        # What validateJobSpec() of Kubernetes 1.29 refuses: more than 100,000 of each; of a Job with more completions than that, 10,000.
        def limits(tasks: int, at_once: "int | None") -> tuple:
            run = {"points": [{"files": [{"name": "/in/a.pcapng"}]}], "threads": 1, "retries": 2, "directory": "/",
                   "shards_to_run": [[0, 1]] * tasks, "merges_to_run": [0], "between_to_run": []}
            said = kubernetes.manifest(run, pathlib.Path("/out"), pathlib.Path("/out/runs/0001.json"), "image", [], None, at_once)
            spec = json.loads(said)["items"][0]["spec"]
            return spec["completions"], spec["parallelism"], spec["maxFailedIndexes"]
        self.assertEqual(limits(100_000, None), (100_000, 100_000, 100_000))
        self.assertEqual(limits(100_001, None), (100_001, 10_000, 10_000))
        self.assertEqual(limits(100_001, 1_000_000), (100_001, 10_000, 10_000))
        self.assertEqual(limits(100_001, 9), (100_001, 9, 10_000))
        self.assertEqual(limits(100_000, 200_000), (100_000, 100_000, 100_000))

    def test_kubernetes_needs_the_real_names_of_captures_behind_links_in_a_volume(self):
        kubernetes = ("--out", self.out, "--kubernetes", "image")
        for host in ("alice", "bob"):
            self.capture(f"data/{host}/ring.pcapng")
        (self.folder / "in").mkdir()
        for host in ("alice", "bob"):
            (self.folder / "in" / host).symlink_to(self.folder / "data" / host)
        self.capture("in/carol/ring.pcapng")
        (self.folder / "in/carol/other.pcapng").symlink_to("../../data/bob/ring.pcapng")
        real = f"{self.folder}/data/alice/ring.pcapng"
        through = "leads through folders or links that a container does not have: name"
        claims = ("--claim", f"in:{self.folder}/in", "--claim", f"out:{self.out}")
        for more in ((), claims):
            self.assertIn(f"in/alice/ring.pcapng {through} {real}\n", self.sbatch("in/*/ring*", *kubernetes, *more, status=2).stderr)
            said = self.sbatch("in/carol/*", *kubernetes, *more, status=2).stderr
            self.assertIn(f"in/carol/other.pcapng {through} {self.folder}/data/bob/ring.pcapng", said)
        self.assertIn("no --claim has", self.sbatch(real, *kubernetes, *claims, status=2).stderr)
        # A volume that has the end of the link too; a link that the node follows when it mounts; one that ends beside it.
        self.sbatch("in/*/*", *kubernetes, "--claim", f"all:{self.folder}")
        self.sbatch("in/*/*", *kubernetes, *claims, "--claim", f"data:{self.folder}/data")
        self.sbatch("in/alice/*", *kubernetes)
        (self.folder / "data/bob/newest.pcapng").symlink_to("ring.pcapng")
        self.sbatch("in/bob/newest.pcapng", *kubernetes)
        (self.folder / "far").symlink_to(self.folder / "data")
        (self.folder / "in/dave").symlink_to(self.folder / "far/alice")
        self.assertIn(f"in/dave/ring.pcapng {through} {real}", self.sbatch(
            "in/dave/*", *kubernetes, *claims, "--claim", f"data:{self.folder}/data", status=2).stderr)
        (self.folder / "in/results").symlink_to(self.folder / "data")
        said = self.sbatch("in/carol/ring*", "--out", "in/results", "--kubernetes", "image", "--claim", f"in:{self.folder}/in", status=2).stderr
        self.assertIn(f"in/results {through} {self.folder}/data\n", said)

    def test_kubernetes_takes_names_that_lead_out_of_this_folder_and_back(self):
        self.capture("in/a.pcapng")
        kubernetes = ("--out", self.out, "--kubernetes", "image")
        for claims in ((), ("--claim", f"in:{self.folder}/in", "--claim", f"out:{self.out}")):
            self.sbatch(f"../{self.folder.name}/in/*", *kubernetes, *claims)
            self.sbatch("in/../in/a.pcapng", *kubernetes, *claims)
        # Folders that a container does not have.
        (self.folder / "x").mkdir()
        for name in ("x/../in/a.pcapng", f"{self.folder}/x/../in/a.pcapng"):
            self.assertIn(f"a container does not have: name {self.folder}/in/a.pcapng\n", self.sbatch(name, *kubernetes, status=2).stderr)
        with tempfile.TemporaryDirectory() as elsewhere:
            path = shutil.copy(self.folder / "in/a.pcapng", elsewhere)
            words = (os.path.relpath(path, self.folder), "--out", f"{elsewhere}/out", "--kubernetes", "image")
            self.assertIn(f"a container does not have: name {path}\n", self.sbatch(*words, status=2).stderr)
            self.sbatch(*words, "--claim", f"out:{elsewhere}", "--claim", f"here:{self.folder}/in")

    def test_options_that_would_do_nothing_are_refused(self):
        self.capture("a.pcapng")
        for option in ("--partition=p", "--account=a", "--qos=q", "--time=5", "--time=", "--sbatch=--nice", "--wait"):
            for more in ((), ("--dry-run",), ("--points",)):
                said = self.sbatch("a.pcapng", "--out", self.out, "--kubernetes", "image", option, *more, status=2).stderr
                self.assertIn(f"{option.split('=')[0]} does nothing with --kubernetes", said)
        self.assertIn("--claim does nothing without", self.sbatch("a.pcapng", "--out", self.out, "--claim", "", "--points", status=2).stderr)
        self.assertFalse(self.out.exists())

    def test_options_are_looked_at_when_nothing_is_to_do(self):
        self.capture("a.pcapng")
        self.plan("a.pcapng")
        self.run_all()
        words = ("a.pcapng", "--out", self.out)
        for option, text in (("--time=x", "sbatch failed: sbatch: error: Invalid --time"), ("--time=", "Invalid --time"),
                             ("--sbatch=--time=x", "sbatch failed"), ("--sbatch=time", "--sbatch time: options begin with -")):
            for more in ((), ("--dry-run",)):
                self.assertIn(text, self.sbatch(*words, option, *more, status=2).stderr)
        self.assertIn("nothing to do", self.sbatch(*words, "--time=5", "--sbatch=--nice").stdout)
        self.assertIn("nothing to do", self.sbatch(*words, "--partition=down").stdout)  # its jobs would wait
        for more in (("--claim", "x"), ("--mem", "x")):
            self.assertEqual(self.sbatch(*words, "--kubernetes", "image", *more, status=2).stdout, "")
        self.assertEqual(len(list((self.out / "runs").iterdir())), 1)
        self.sbatch(*words, "--shards", "2", "--check", "--time=x", "--", "--no-icrc", status=2)
        self.assertEqual(len(list((self.out / "runs").iterdir())), 1, "no plan is left of a call that failed")
        self.assertIn("sbatch submitted nothing: a banner", self.sbatch(*words, "--sbatch=--comment=banner", "--", "--no-icrc", status=2).stderr)

    def test_options_of_sbatch_that_would_break_the_plan_are_refused(self):
        self.capture("a.pcapng")
        ours = ("--array=0-9", "--job-name=x", "--output=x", "--error=x", "--input=x", "--open-mode=truncate", "--wrap=true", "--wait", "--parsable",
                "--test-only", "--requeue", "--no-requeue", "--chdir=/", "--ntasks=2", "--cpus-per-task=2", "--clusters=c", "--cluster=c", "--uid=0",
                "--quiet", "--help", "--usage", "--version", "-a0-9", "-a=0", "-Jx", "-ox", "-ex", "-ix", "-W", "-D/", "-n2", "-c2", "-Mc", "-Q",
                "-h", "-V", "-HJx", "-vsOW", "-Ha0", "-J",
                "--job", "--job=x", "--arr=1", "--op=append", "--no-req", "--tes", "--wra=x", "--out=x", "--o=x",
                "--err", "--par", "--ver", "-", "--=x")
        for option in ours:
            for more in ((), ("--dry-run",), ("--points",)):
                with self.subTest((option, *more)):
                    done = self.sbatch("a.pcapng", "--out", self.out, f"--sbatch={option}", *more, status=2)
                    self.assertRegex(done.stderr, r"^rocescope-sbatch: --sbatch=.*: '-.*' of sbatch cannot be given here: it would break .*\n$")
                    self.assertEqual(done.stdout, "")
        self.assertFalse(self.out.exists())
        for option in ("--nice=7", "--nice", "--wait-all-nodes=1", "--ntasks-per-node=1", "--cpus-per-gpu=1", "--nodelist=n1", "-wJonah", "-Cwan",
                       "-pW", "--mem-per-cpu=1G", "--comment=--array=1", "--exclusive", "--cluster-constraint=x", "--no-kill", "-v", "--export=ALL"):
            said = self.sbatch("a.pcapng", "--out", self.out, f"--sbatch={option}", "--dry-run").stdout
            self.assertEqual(said.count(f" {option} "), 2, said)

    def test_dependencies_are_joined_with_those_of_the_plan(self):
        for name in "ab":
            self.capture(f"{name}.pcapng")
        sbatch = self.folder / "tools/sbatch"
        sbatch.write_text("""#!/bin/sh
[ "$1" = --test-only ] && echo "$2" >>tested && exit
for word in "$@"; do case "$word" in --dependency=*|-d*|--dep*) echo "$word" >>given ;; esac; done
echo >>jobs; wc -l <jobs
""")
        words = ("?.pcapng", "--out", self.out, "--sbatch=--dependency=afterok:5:6,singleton")
        others = ("--sbatch=-Hdafterany:7", "--sbatch=--dep=8,9_3", "--sbatch=-dafter:10+5")
        user = "--dependency=afterok:5:6,singleton,afterany:7,afterany:8,afterany:9_3,after:10+5"
        said = self.sbatch(*words, *others, "--dry-run").stdout
        self.assertEqual(said.count(f" {user} "), 3, said)
        self.assertEqual(said.count(" -H "), 3, said)
        self.sbatch(*words, *others)
        self.assertEqual((self.folder / "tested").read_text(), f"{user}\n" * 2)
        given = [f"--dependency={plan}{user[13:]}" for plan in ("", "afterany:1,", "afterany:1:2,")]
        self.assertEqual((self.folder / "given").read_text().splitlines(), given)
        nobody = "no job is named"
        for value, text in (("afterok:5?afterok:6", "a ? would"), ("", nobody), ("afterok:5,", nobody), (",5", nobody)):
            for spelling in ("--dependency=", "-d", "--depend="):
                done = self.sbatch(*words, f"--sbatch={spelling}{value}", "--dry-run", status=2)
                self.assertIn(text, done.stderr)
        self.assertIn(nobody, self.sbatch(*words, "--sbatch=--dependency", "--sbatch=--nice", "--dry-run", status=2).stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
