#!/usr/bin/env python3
"""The Jobs that rocescope-sbatch prints, against the schemas of Kubernetes that the npm package kubernetes-models has.

    kubernetes_test.py PROGRAM MODULES
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
MODULES = pathlib.Path(sys.argv.pop(1)).resolve()
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
NOT_HERE = 77


class Kubernetes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="rocescope_cluster_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for host in ("alice", "bob"):
            (self.folder / "captures" / host).mkdir(parents=True)
            shutil.copy(ROOT / "captures/rdmagen-cm-mixed.pcapng", self.folder / "captures" / host / "ring.pcapng")

    def jobs(self, *words) -> dict:
        command = [sys.executable, ROOT / "tools/cluster/rocescope-sbatch", "captures/*/*", "--out", "results", "--program", PROGRAM, *words]
        return json.loads(subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=True).stdout)

    def problems(self, jobs: dict) -> list[str]:
        command = ["node", HERE / "kubernetes_schema.mjs", MODULES]
        done = subprocess.run(command, input=json.dumps(jobs), capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.splitlines()

    def test_the_schemas_have_nothing_against_them(self):
        image = ("--kubernetes", "registry.example/rocescope:0.1")
        self.assertEqual(self.problems(self.jobs(*image)), [])
        self.assertEqual(self.problems(self.jobs(*image, "--shards", "3", "--mem", "4Gi", "--threads", "2", "--at-once", "5")), [])
        claims = ("--claim", f"captures:{self.folder}/captures", "--claim", f"results:{self.folder}/results")
        self.assertEqual(self.problems(self.jobs(*image, *claims)), [])

    def test_the_schemas_find_what_is_wrong(self):
        for before, after, found in (("completions", "completion", "no field"), ("backoffLimitPerIndex", "backoffLimitIndex", "no field"),
                                     ("hostPath", "hostPaths", "no field"), ("mountPath", "mountpath", "mountPath")):
            text = json.dumps(self.jobs("--kubernetes", "image"))
            self.assertIn(f'"{before}"', text)
            self.assertIn(found, "\n".join(self.problems(json.loads(text.replace(f'"{before}"', f'"{after}"')))))
        jobs = self.jobs("--kubernetes", "image")
        jobs["items"][0]["spec"]["completions"] = "two"
        self.assertIn("completions must be integer", "\n".join(self.problems(jobs)))


if __name__ == "__main__":
    if not shutil.which("node") or not (MODULES / "node_modules/kubernetes-models").is_dir():
        print(f"skipped: node, or the npm package kubernetes-models in {MODULES}, is missing")
        sys.exit(NOT_HERE)
    unittest.main(verbosity=2)
