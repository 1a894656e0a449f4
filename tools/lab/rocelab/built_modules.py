"""Kernel modules that Debian leaves out of its kernel, built from Debian's source of the kernel that the guests run."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from .errors import LabError
from .packages import Apt

TIMEOUT = 1800  # seconds for a folder
ASN1_COMPILER = ("scripts/asn1_compiler.c", "include/linux/asn1.h", "include/linux/asn1_ber_bytecode.h")


@dataclass(frozen=True)
class Folder:
    """A folder of the kernel's source that is built by itself."""

    path: str
    options: tuple[str, ...]  # of the kernel's configuration, as it must be
    includes: str = ""  # another folder, of which it includes headers
    beside: tuple[str, ...] = ()  # other files of the source that it includes
    fixes: tuple[tuple[str, str, str], ...] = ()  # file, what stands there, what must


@dataclass(frozen=True)
class Build:
    """What a scenario's `modules` names."""

    folders: tuple[Folder, ...]  # one after the other: each may use symbols of those before
    modules: tuple[str, ...]  # that guests load, and those that they ask for without listing them as a dependency


# ksmbd of 6.1.192 looks into an oplock that a file does not have.
_OPLOCK = ("fs/smb/server/oplock.c", "\tif (!atomic_dec_and_test(&opinfo->refcount))\n",
           "\tif (!opinfo || !atomic_dec_and_test(&opinfo->refcount))\n")
# cifs sends zeros that stand in the module, where no device reads: a module is not in the kernel's map of the memory.
_PADDING = (("fs/smb/client/smb2pdu.h", "extern char smb2_padding[7];", "#define smb2_padding ((char *)page_address(ZERO_PAGE(0)))"),
            ("fs/smb/client/smb2ops.c", "char smb2_padding[7] = {0, 0, 0, 0, 0, 0, 0};\n", ""))
BUILDS = {
    "rnbd": Build((Folder("drivers/infiniband/ulp/rtrs", ("CONFIG_INFINIBAND_RTRS=m", "CONFIG_INFINIBAND_RTRS_CLIENT=m",
                                                          "CONFIG_INFINIBAND_RTRS_SERVER=m")),
                   Folder("drivers/block/rnbd", ("CONFIG_BLK_DEV_RNBD_CLIENT=m", "CONFIG_BLK_DEV_RNBD_SERVER=m"),
                          includes="drivers/infiniband/ulp/rtrs")),
                  ("rnbd_client", "rnbd_server")),
    "smb_direct": Build((Folder("fs/smb", ("CONFIG_CIFS_SMB_DIRECT=y", "CONFIG_SMB_SERVER_SMBDIRECT=y"), beside=("fs/internal.h",),
                                fixes=(_OPLOCK, *_PADDING)),),
                        ("cifs", "ksmbd", "nls_utf8", "ecb", "ctr", "cmac", "hmac", "md5", "sha256_generic", "sha512_generic", "ccm", "gcm",
                         "ghash_generic", "seqiv", "crypto_null", "cryptomgr")),
}


def modules(names: tuple[str, ...]) -> list[str]:
    return [module for name in names for module in BUILDS[name].modules]


def _run(command: list[str | Path], what: str, folder: Path) -> None:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        raise LabError(f"{what} did not end in {TIMEOUT} s") from None
    if done.returncode != 0:
        raise LabError(f"{what} failed:\n" + "\n".join((done.stdout + done.stderr).strip().splitlines()[-20:]))


def _unpack_headers(packages: list[Path], folder: Path) -> Path:
    """The folder that modules are built against. Its Makefile expects all of it in /usr/src."""
    for package in packages:
        _run(["dpkg-deb", "-x", package, folder], f"unpacking {package.name}", folder)
    makefile, = folder.glob("usr/src/linux-headers-*[!n]/Makefile")  # not that of -common
    makefile.write_text(makefile.read_text().replace("include /usr/src/", f"include {folder}/usr/src/"))
    return makefile.parent


def _compiler(headers: Path) -> str:
    """That the kernel was built with."""
    named = re.search(r"^CC\b.*?(gcc-\d+)", (headers / ".kernelvariables").read_text(), re.MULTILINE)
    return named[1] if named else "gcc"


def _unpack_source(package: Path, wanted: list[str], folder: Path) -> Path:
    _run(["dpkg-deb", "-x", package, folder], f"unpacking {package.name}", folder)
    archive, = folder.glob("usr/src/linux-source-*.tar.xz")
    name = archive.name.removesuffix(".tar.xz")
    _run(["tar", "-xJf", archive, *(f"{name}/{path}" for path in wanted)], f"unpacking {archive.name}", folder)
    return folder / name


def _fix(source: Path, fixes: tuple[tuple[str, str, str], ...]) -> None:
    for path, old, new in fixes:
        (source / path).write_text((source / path).read_text().replace(old, new))


def build(apt: Apt, names: tuple[str, ...], version: str, root: Path, scratch: Path) -> list[Path]:
    """Builds the modules for the kernel `version` and puts them into `root`. Returns the packages that they are made of."""
    headers_packages, source_package = apt.download_kernel_headers(version), apt.download_kernel_source(version)
    for part in ("headers", "source", "asn1/linux"):
        (scratch / part).mkdir(parents=True)
    headers = _unpack_headers(headers_packages, scratch / "headers")
    compiler = _compiler(headers)
    if missing := [program for program in ("make", "xz", compiler) if shutil.which(program) is None]:
        raise LabError(f"{', '.join(names)}: Debian's kernel lacks these modules, and {missing[0]} to build them is not here. "
                       f"Run: apt-get install make xz-utils {compiler}")
    folders = [folder for name in names for folder in BUILDS[name].folders]
    wanted = [*ASN1_COMPILER, *(path for folder in folders for path in (folder.path, *folder.beside))]
    source = _unpack_source(source_package, wanted, scratch / "source")
    for file in ASN1_COMPILER[1:]:
        shutil.copy(source / file, scratch / "asn1/linux")
    _run([compiler, "-O1", "-I", scratch / "asn1", "-o", headers / "scripts/asn1_compiler", source / ASN1_COMPILER[0]],
         "building asn1_compiler", scratch)
    target = root / "usr/lib/modules" / version / "updates"  # where modprobe looks first
    target.mkdir(parents=True, exist_ok=True)
    symbols: list[str] = []
    for folder in folders:
        _fix(source, folder.fixes)
        defined = [f"-D{option.removesuffix('=y')}=1" for option in folder.options if option.endswith("=y")]
        included = [f"-I{source / folder.includes}"] if folder.includes else []
        _run(["make", "-s", "-j2", "-C", headers, f"M={source / folder.path}", f"KCFLAGS={' '.join(defined + included)}",
              f"KBUILD_EXTRA_SYMBOLS={' '.join(symbols)}", *folder.options, "modules"], f"building {folder.path}", scratch)
        symbols.append(str(source / folder.path / "Module.symvers"))
        for module in (source / folder.path).rglob("*.ko"):
            _run(["objcopy", "--strip-debug", module, target / module.name], f"stripping {module.name}", scratch)
    return [*headers_packages, source_package]
