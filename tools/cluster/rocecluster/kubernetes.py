"""The same tasks as Jobs of Kubernetes 1.29 or newer, as JSON, which kubectl reads."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

from .errors import UsageError
from .files import shown
from .slurm import KINDS, name_of

# As registries name images.
HOST = r"(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\])(?::[0-9]+)?"
PART = r"[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*"
IMAGE = re.compile(rf"(?:{HOST}/)?{PART}(?:/{PART})*(?::\w[\w.-]{{0,127}})?(?:@[A-Za-z][\w+.-]*:[0-9A-Fa-f]{{32,}})?", re.ASCII)
# RFC 1123, as Kubernetes has it.
LABEL = r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?"
NAME = re.compile(rf"{LABEL}(?:\.{LABEL})*")
LONGEST_NAME = 253
UNITS = {"": 1, "n": 1e-9, "u": 1e-6, "m": 1e-3, **{unit: 1000 ** power for power, unit in enumerate("kMGTPE", 1)},
         **{f"{unit}i": 1024 ** power for power, unit in enumerate("KMGTPE", 1)}}
MEMORY = re.compile(rf"\+?([0-9]+\.?[0-9]*|\.[0-9]+)({'|'.join(UNITS)}|[eE][+-]?[0-9]+)")
LEAST_MEMORY = 1_000_000
# validateJobSpec() of Kubernetes: indexed Jobs that say how often each index is tried have no more tasks than this, or fewer at once.
MOST_COMPLETIONS, MOST_OF_MORE = 100_000, 10_000
MOST_LINKS = 40  # of a path, as Linux has it


def check_image(image: str) -> None:
    if not IMAGE.fullmatch(image):
        raise UsageError(f"--kubernetes: '{shown(image)}' is no image, such as registry.example/rocescope:0.1")


def check_memory(memory: str) -> None:
    found = MEMORY.fullmatch(memory)
    if found is None:
        raise UsageError(f"--mem {shown(memory)}: Kubernetes takes a number with Ki, Mi, Gi, Ti, k, M, G or T, or bytes without one")
    number, unit = found.groups()
    size = float(number) * (UNITS[unit] if unit in UNITS else float(f"1{unit}"))
    if not size >= LEAST_MEMORY:  # nor what is no number
        raise UsageError(f"--mem {memory}: too few bytes for a container; 4Gi is what Slurm calls 4G")
    if size >= 2.0 ** 63:
        raise UsageError(f"--mem {memory}: too many bytes")


def is_in(place: str, folder: str) -> bool:
    return place == folder or place.startswith(folder + os.sep)


def claimed(claims: list[str]) -> dict[str, str]:
    """The names of the claims, by where they are mounted."""
    found: dict[str, str] = {}
    for claim in claims:
        name, _, path = claim.partition(":")
        path = os.path.normpath(f"/{path.lstrip('/')}") if path.startswith("/") else ""
        if not name or path in ("", "/"):
            raise UsageError(f"--claim {shown(claim)}: it needs NAME:/PATH")
        if len(name) > LONGEST_NAME or not NAME.fullmatch(name):
            raise UsageError(f"--claim {shown(claim)}: '{shown(name)}' is no name of a claim: small letters and digits, with - and . between them")
        if path in found:
            raise UsageError(f"--claim {shown(claim)}: two are mounted at {shown(path)}")
        found[path] = name
    return found


def volumes(run: dict, out: Path, claims: list[str]) -> list[tuple[dict, str]]:
    """Each volume, and where it is mounted: claims, or the folders of the captures and of the results as the nodes have them."""
    names = [file["name"] for point in run["points"] for file in point["files"]]
    folders = {os.path.dirname(os.path.abspath(name)) for name in names}
    if not claims:
        # Kubernetes mounts nothing whose name has a colon, but what is above it.
        places = {place.partition(":")[0].rpartition("/")[0] or "/" if ":" in place else place
                  for place in (os.path.commonpath(folders), str(out))}
        if "/" in places:
            raise UsageError("the captures have no folder in common: name the volumes with --claim")
        places = {place for place in places if not any(place != other and is_in(place, other) for other in places)}
        found = [({"name": f"folder-{number}", "hostPath": {"path": place, "type": "Directory"}}, place)
                 for number, place in enumerate(sorted(places))]
    else:
        found = [({"name": f"claim-{number}", "persistentVolumeClaim": {"claimName": name}}, path)
                 for number, (path, name) in enumerate(claimed(claims).items())]
    mounted = [path for _, path in found]
    for path in mounted:
        if ":" in path:
            raise UsageError(f"{shown(path)} has a colon, and Kubernetes mounts nothing there")
    for folder in sorted(folders | {str(out)}):
        if not any(is_in(folder, path) for path in mounted):
            raise UsageError(f"no --claim has {shown(folder)}, so that the tasks would not see it")
    return found


def is_found(path: str, mounted: list[str]) -> bool:
    """Whether a container follows the path to a file: where something is mounted, and above that, it has plain folders, whatever is a link
    here; else nothing."""
    place, rest, links = "/", path.split(os.sep), 0
    while rest:
        part = rest.pop(0)
        if part in ("", ".", ".."):
            place = os.path.dirname(place) if part == ".." else place
            continue
        place = os.path.join(place, part)
        if any(is_in(each, place) for each in mounted):
            continue
        if not any(is_in(place, each) for each in mounted):
            return False
        if os.path.islink(place) and links < MOST_LINKS:
            target, links = os.readlink(place), links + 1
            place, rest = "/" if os.path.isabs(target) else os.path.dirname(place), target.split(os.sep) + rest
    return any(is_in(place, each) for each in mounted)


def check_names(run: dict, out: Path, mounted: list[str]) -> None:
    for name in [file["name"] for point in run["points"] for file in point["files"]] + [str(out)]:
        path = os.path.join(run["directory"], name)
        if not is_found(path, mounted):
            better = os.path.normpath(path) if is_found(os.path.normpath(path), mounted) else os.path.realpath(path)
            raise UsageError(f"{shown(name)} leads through folders or links that a container does not have: name {shown(better)}")


def check(run: dict, out: Path, image: str, claims: list[str], memory: str | None) -> None:
    """Fails where Kubernetes would not take the Jobs, or its tasks would not find their files."""
    check_image(image)
    if memory is not None:
        check_memory(memory)
    check_names(run, out, [path for _, path in volumes(run, out, claims)])


def job(run: dict, out: Path, run_file: Path, kind: str, image: str, claims: list[str], memory: str | None, at_once: int | None) -> dict:
    name, tasks = name_of(out), len(run[kind])
    most = tasks if tasks <= MOST_COMPLETIONS else MOST_OF_MORE
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
            "spec": {"completionMode": "Indexed", "completions": tasks, "parallelism": min(at_once or most, most),
                     "backoffLimitPerIndex": run["retries"], "maxFailedIndexes": most,
                     "suspend": any(run[before] for before in KINDS[:KINDS.index(kind)]),
                     "template": {"metadata": {"labels": labels},
                                  "spec": {"restartPolicy": "Never", "securityContext": {"runAsUser": os.getuid(), "runAsGroup": os.getgid()},
                                           "containers": [container], "volumes": [volume for volume, _ in mounted]}}}}


def manifest(run: dict, out: Path, run_file: Path, image: str, claims: list[str], memory: str | None, at_once: int | None) -> str:
    jobs = [job(run, out, run_file, kind, image, claims, memory, at_once) for kind in KINDS if run[kind]]
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": jobs}, indent=2) + "\n"
