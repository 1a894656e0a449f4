"""The sources that apt of this machine has packages from: sources.list(5), in either form."""

import re
from dataclasses import dataclass, replace
from pathlib import Path

ETC_APT = Path("/etc/apt")

# Options of a line that have other names in a stanza.
FIELDS = {"arch": "Architectures", "lang": "Languages", "target": "Targets"}
LISTS = {"Architectures", "Languages", "Targets"}  # with blanks in a stanza, with commas in a line
LINE = re.compile(r"deb\s+(?:\[(?P<options>[^]]*)\]\s+)?(?P<uri>\S+)\s+(?P<suite>\S+)(?P<components>[^#]*)")


@dataclass(frozen=True)
class Source:
    """Suites of one archive, with their options."""

    uris: str
    suites: tuple[str, ...]
    fields: tuple[tuple[str, str], ...]  # Components, Signed-By, ...

    def only(self, wanted: set[str]) -> "Source":
        return replace(self, suites=tuple(suite for suite in self.suites if suite in wanted))

    def renamed(self, names: dict[str, str]) -> "Source":
        """With the suites that have another name in `names`, under that."""
        return replace(self, suites=tuple(names[suite] for suite in self.suites if suite in names))

    def text(self) -> str:
        """A stanza."""
        head = [("Types", "deb"), ("URIs", self.uris), ("Suites", " ".join(self.suites))]
        return "".join(f"{name}:{value if value.startswith(chr(10)) else ' ' + value}\n" for name, value in [*head, *self.fields])


def _of_line(line: str) -> Source | None:
    found = LINE.match(line.strip())
    if not found or found["uri"].startswith("cdrom:"):
        return None
    fields = [("Components", " ".join(found["components"].split()))]
    for option in (found["options"] or "").split():
        name, _, value = option.partition("=")
        name = FIELDS.get(name.lower(), name.title())
        fields.append((name, value.replace(",", " ") if name in LISTS else value))
    return Source(found["uri"], (found["suite"],), tuple(fields))


def _of_stanza(stanza: str) -> Source | None:
    lines = "".join(f"{line}\n" for line in stanza.splitlines() if not line.startswith("#"))
    fields = {name.title(): value.rstrip() for name, value in re.findall(r"^(\S+?):[ \t]*(.*\n(?:[ \t].*\n)*)", lines, re.MULTILINE)}
    enabled = fields.pop("Enabled", "yes").strip().lower() not in ("no", "false", "without", "off", "disable", "0")
    types, uris, suites = (fields.pop(name, "") for name in ("Types", "Uris", "Suites"))
    if not enabled or "deb" not in types.split() or not uris:
        return None
    return Source(" ".join(uris.split()), tuple(suites.split()), tuple(fields.items()))


def read(etc_apt: Path) -> list[Source]:
    """What apt reads, in its order; CD-ROMs left out."""
    sources: list[Source | None] = []
    for file in [etc_apt / "sources.list", *sorted((etc_apt / "sources.list.d").glob("*"))]:
        if not file.is_file():
            continue
        text = file.read_text(errors="replace")
        if file.suffix == ".list":
            sources += [_of_line(line) for line in text.splitlines()]
        elif file.suffix == ".sources":
            sources += [_of_stanza(stanza) for stanza in re.split(r"\n\s*\n", text)]
    return [source for source in sources if source]


def of_release(all_sources: list[Source], codename: str) -> list[Source]:
    """The release, its updates and its security updates; nothing where the release itself is not among the sources."""
    if not any(codename in source.suites for source in all_sources):
        return []
    chosen = (source.only({codename, f"{codename}-updates", f"{codename}-security"}) for source in all_sources)
    return [source for source in chosen if source.suites]


def of_other_release(known: list[Source], codename: str, other: str) -> list[Source]:
    """Those of release `codename` from the servers of another release of the same distribution, which have all releases."""
    return [source.renamed({f"{codename}{part}": f"{other}{part}" for part in ("", "-updates", "-security")}) for source in known]


def with_suite(known: list[Source], all_sources: list[Source], codename: str, suite: str) -> list[Source]:
    """`known`, and `suite` as well: its own source, or where release `codename` comes from."""
    own = [source.only({suite}) for source in all_sources if suite in source.suites]
    return known + (own or [source.renamed({codename: suite}) for source in known if codename in source.suites])
