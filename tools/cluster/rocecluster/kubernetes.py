"""The same tasks as Jobs of Kubernetes 1.29 or newer, as JSON, which kubectl reads."""

from __future__ import annotations

import json
import os
from pathlib import Path

from .errors import UsageError
from .slurm import KINDS, name_of


def volumes(run: dict, out: Path, claims: list[str]) -> list[tuple[dict, str]]:
    """Each volume, and where it is mounted: claims, or the folders of the captures and of the results as the nodes have them."""
    if claims:
        found = []
        for number, claim in enumerate(claims):
            name, colon, path = claim.partition(":")
            if not name or not colon or not path.startswith("/"):
                raise UsageError(f"--claim {claim}: it needs NAME:/PATH")
            found.append(({"name": f"claim-{number}", "persistentVolumeClaim": {"claimName": name}}, path))
        return found
    names = [file["name"] for point in run["points"] for file in point["files"]]
    if any(not os.path.isabs(name) and os.path.normpath(name).startswith("..") for name in names):
        raise UsageError("name captures outside of this folder by their whole paths: a container has no folder to start from")
    places = {os.path.commonpath([os.path.dirname(os.path.abspath(name)) for name in names]), str(out)}
    for place in places:
        if place == "/":
            raise UsageError("the captures have no folder in common: name the volumes with --claim")
    places = {place for place in places if not any(place.startswith(other + os.sep) for other in places)}
    return [({"name": f"folder-{number}", "hostPath": {"path": place, "type": "Directory"}}, place) for number, place in enumerate(sorted(places))]


def job(run: dict, out: Path, run_file: Path, kind: str, image: str, claims: list[str], memory: str | None) -> dict:
    name = name_of(out)
    step = kind.split("_", 1)[0]
    mounted = volumes(run, out, claims)
    cpus = run["threads"] if kind == "shards_to_run" else 1
    resources: dict = {"requests": {"cpu": str(cpus)}}
    if memory:
        resources["requests"]["memory"] = memory
        resources["limits"] = {"memory": memory}
    container = {"name": "rocescope", "image": image, "command": ["rocescope-sbatch", "--task", kind, "0", str(run_file)],
                 "resources": resources, "volumeMounts": [{"name": volume["name"], "mountPath": path} for volume, path in mounted]}
    labels = {"app.kubernetes.io/name": "rocescope", "app.kubernetes.io/instance": name, "app.kubernetes.io/component": step}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": f"{name}-{run_file.stem}-{step}", "labels": labels},
            "spec": {"completionMode": "Indexed", "completions": len(run[kind]), "parallelism": len(run[kind]),
                     "backoffLimitPerIndex": run["retries"], "maxFailedIndexes": len(run[kind]),
                     "suspend": any(run[before] for before in KINDS[:KINDS.index(kind)]),
                     "template": {"metadata": {"labels": labels},
                                  "spec": {"restartPolicy": "Never", "securityContext": {"runAsUser": os.getuid(), "runAsGroup": os.getgid()},
                                           "containers": [container], "volumes": [volume for volume, _ in mounted]}}}}


def manifest(run: dict, out: Path, run_file: Path, image: str, claims: list[str], memory: str | None, at_once: int | None) -> str:
    jobs = [job(run, out, run_file, kind, image, claims, memory) for kind in KINDS if run[kind]]
    for each in jobs:
        if at_once:
            each["spec"]["parallelism"] = min(at_once, each["spec"]["parallelism"])
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": jobs}, indent=2) + "\n"
