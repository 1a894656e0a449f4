"""The guest image: a kernel, and an initramfs made of the distribution's packages, kept in the cache."""

import fcntl
import hashlib
import json
import os
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from . import built_modules, kernel_modules, paths
from .cpio import Archive
from .distribution import Distribution
from .packages import EXCLUDED, LEFT_OUT, Apt, unpack

PACKAGES = [
    "dash", "bash", "coreutils", "util-linux", "mount", "findutils", "grep", "sed", "mawk", "procps", "hostname", "kmod",
    "iproute2", "iputils-ping", "ethtool", "nftables", "netbase", "qemu-guest-agent", "tcpdump",
    "rdma-core", "ibverbs-providers", "ibverbs-utils", "rdmacm-utils", "perftest", "nvme-cli",
    "dmsetup", "e2fsprogs", "nfs-kernel-server", "rpcbind", "open-iscsi",
]


KEY_DIGITS = 16


@dataclass(frozen=True)
class Image:
    """A built image in the cache."""

    kernel: Path
    initramfs: Path
    facts: dict  # release, kernel version, packages with versions


def key(distribution: Distribution, more: tuple[str, ...] = (), built: tuple[str, ...] = ()) -> str:
    """The name of the image: a hash of everything that determines its content."""
    parts = [repr(distribution), repr([*PACKAGES, *more]), repr(kernel_modules.WANTED), LEFT_OUT.pattern, repr(EXCLUDED)]
    parts += [repr(built_modules.BUILDS[name]) for name in built]
    parts += [file.read_text() for file in sorted(paths.GUEST.iterdir())]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:KEY_DIGITS]


def _tell(text: str) -> None:
    print(f"lab: {text}", file=sys.stderr, flush=True)


def get(distribution: Distribution, more: tuple[str, ...] = (), built: tuple[str, ...] = ()) -> Image:
    """The image, built first if the cache does not have it. `more`: packages beside those that all guests have; `built`: modules
    that are built for it."""
    parts = [distribution.kernel_suite or distribution.codename, *more, *built, key(distribution, more, built)]
    name = "-".join(parts).replace("/", "_")
    folder = paths.cache() / "images" / name
    with open(paths.cache() / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two labs that start at once build one image
        if not (folder / "facts.json").exists():
            _build(distribution, more, built, folder)
    return Image(folder / "vmlinuz", folder / "initramfs", json.loads((folder / "facts.json").read_text()))


def _build(distribution: Distribution, more: tuple[str, ...], built: tuple[str, ...], folder: Path) -> None:
    """Builds in a temporary place and renames at the end, so that an image is always complete."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with_more = f" with {', '.join(more + built)}" if more + built else ""
    _tell(f"building the guest image of {distribution.name} {distribution.kernel_suite or distribution.codename}{with_more} (once)")
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix="building-") as scratch:
        new, root = Path(scratch) / "image", Path(scratch) / "root"
        new.mkdir()
        root.mkdir()
        apt = Apt(paths.cache() / "apt" / (distribution.kernel_suite or distribution.codename), distribution)
        _tell(f"fetching packages from {distribution.uris()}")
        apt.update()
        packages = apt.download([*PACKAGES, *more]) + apt.download_kernel()
        _tell(f"unpacking {len(packages)} packages")
        unpack(packages, root)
        version = kernel_modules.version(root)
        if built:
            _tell(f"building modules: {', '.join(built)}")
            (Path(scratch) / "modules").mkdir()
            packages += built_modules.build(apt, built, version, root, Path(scratch) / "modules")
        kernel_modules.trim(root, built_modules.modules(built))
        shutil.move(root / "boot" / f"vmlinuz-{version}", new / "vmlinuz")
        shutil.rmtree(root / "boot")
        _add_guest_files(root)
        with open(new / "initramfs", "wb") as out:
            archive = Archive(out)
            archive.tree(root)
            archive.folder("dev")
            archive.character_device("dev/console", 5, 1)
            archive.close()
        versions = dict(package.name.split("_")[:2] for package in packages)
        facts = {"distribution": distribution.name, "release": distribution.codename, "kernel": version, "packages": versions,
                 "wanted": [*PACKAGES, *(name.partition("/")[0] for name in more)]}
        (new / "facts.json").write_text(json.dumps(facts, indent=1) + "\n")
        for older in folder.parent.glob(f"{folder.name.rsplit('-', 1)[0]}-{'[0-9a-f]' * KEY_DIGITS}"):
            shutil.rmtree(older, ignore_errors=True)
        os.rename(new, folder)
        shutil.rmtree(apt.archives)


def _add_guest_files(root: Path) -> None:
    shutil.copy(paths.GUEST / "init", root / "init")
    (root / "init").chmod(0o755)
    for folder in ("proc", "sys", "run", "tmp", "root", "etc", "var/log", "var/tmp"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    # The work of the packages' installation scripts.
    links = {"var/run": "/run", "usr/bin/sh": "dash", "usr/bin/awk": "mawk"}
    psm = "usr/lib/libpsm1/libpsm_infinipath.so.1.16"  # which libfabric is linked with
    if (root / psm).exists():
        links["usr/lib/x86_64-linux-gnu/libpsm_infinipath.so.1"] = "/" + psm
    for link, target in links.items():
        if (root / link).is_dir() and not (root / link).is_symlink():
            shutil.rmtree(root / link)
        (root / link).unlink(missing_ok=True)
        (root / link).symlink_to(target)
    for name in ("passwd", "group", "hosts", "profile"):
        shutil.copy(paths.GUEST / name, root / "etc" / name)
