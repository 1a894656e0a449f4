"""Keeps only the kernel modules that the lab loads, with their dependencies, uncompressed."""

import lzma
import shutil
import subprocess
from pathlib import Path

from .errors import LabError

# The modules of the guests. rdma_rxe needs crc32_generic for its ICRC, but does not list it as a dependency.
WANTED = [
    "virtio_pci", "virtio_net", "virtio_console",
    "rdma_rxe", "crc32_generic", "crc32_pclmul", "ib_uverbs", "rdma_ucm", "rdma_cm", "ib_umad",
    "8021q", "ifb", "sch_netem", "sch_tbf", "sch_ingress", "sch_prio", "act_mirred", "cls_matchall", "cls_flower", "cls_u32",
    "nf_tables", "nft_reject_inet", "crc32c_generic",
    "nvmet", "nvmet_rdma", "nvme_rdma", "null_blk", "brd", "dm_mod", "dm_delay",
    "rpcrdma", "nfsd", "nfs", "nfsv3", "nfsv4", "ext4",
    "ib_isert", "ib_iser", "ib_srpt", "ib_srp", "target_core_iblock", "sd_mod", "rds_rdma",
]


def _plain(name: str) -> str:
    return Path(name).name.split(".ko")[0].replace("-", "_")


def read_dependencies(text: str) -> dict[str, list[str]]:
    """modules.dep: the path of each module, with the paths of all that it needs."""
    return {path: needs.split() for path, _, needs in (line.partition(":") for line in text.splitlines())}


def closure(wanted: list[str], dependencies: dict[str, list[str]]) -> set[str]:
    """Paths of the wanted modules and of all that they need. What is built in or not in this kernel is left out."""
    paths = {_plain(path): path for path in dependencies}
    kept = {paths[name] for name in map(_plain, wanted) if name in paths}
    return kept | {need for path in kept for need in dependencies[path]}


def _decompress(path: Path) -> None:
    plain = path.with_suffix("")
    if path.suffix == ".xz":
        plain.write_bytes(lzma.decompress(path.read_bytes()))
    elif path.suffix == ".zst":
        if shutil.which("zstd") is None:
            raise LabError("the kernel's modules are compressed with zstd. Run: apt-get install zstd")
        subprocess.run(["zstd", "-q", "-d", path, "-o", plain], check=True)
    else:
        return
    path.unlink()


def _depmod(root: Path, version: str) -> None:
    program = shutil.which("depmod", path="/sbin:/usr/sbin:/bin:/usr/bin")
    if program is None:
        raise LabError("depmod is not here. Run: apt-get install kmod")
    done = subprocess.run([program, "-b", root, version], capture_output=True, text=True)
    if done.returncode != 0:
        raise LabError(f"depmod for {version} failed: {done.stderr.strip()}")


def version(root: Path) -> str:
    """Of the kernel."""
    folders = [folder for folder in (root / "usr/lib/modules").iterdir() if folder.is_dir()]
    if len(folders) != 1:
        raise LabError(f"one kernel was expected in the image, found {[folder.name for folder in folders]}")
    return folders[0].name


def trim(root: Path, more: list[str]) -> None:
    """Leaves in root/lib/modules the lab's modules and `more` only."""
    folder = root / "usr/lib/modules" / version(root)
    _depmod(root, folder.name)
    kept = closure([*WANTED, *more], read_dependencies((folder / "modules.dep").read_text()))
    if not any(_plain(path) == "rdma_rxe" for path in kept):
        raise LabError(f"kernel {folder.name} has no rdma_rxe")
    for path in folder.rglob("*.ko*"):
        if str(path.relative_to(folder)) in kept:
            _decompress(path)
        else:
            path.unlink()
    _depmod(root, folder.name)
