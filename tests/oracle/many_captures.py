"""What tshark says of many captures in one run: to start it takes longer than to read most of them."""
import pathlib
import subprocess
import tempfile


def packet_counts(captures: list[pathlib.Path]) -> list[int]:
    output = subprocess.run(["capinfos", "-T", "-r", "-M", "-c", *captures], capture_output=True, check=True, text=True).stdout
    return [int(line.rsplit("\t", 1)[1]) for line in output.splitlines()]


def rows(captures: list[pathlib.Path], display_filter: str, fields: list[str],
         *options: str) -> dict[pathlib.Path, list[list[str]]]:
    """The fields of the packets of each capture that pass the filter; `options` are tshark's. Numbers of frames are those in the capture."""
    counts = packet_counts(captures)
    with tempfile.TemporaryDirectory() as folder:
        merged = pathlib.Path(folder) / "merged.pcapng"
        subprocess.run(["mergecap", "-a", "-F", "pcapng", "-w", merged, *captures], capture_output=True, check=True)
        others = [field for field in fields if field != "frame.number"]  # tshark has each field once
        names = [word for name in ("frame.number", *others) for word in ("-e", name)]
        output = subprocess.run(["tshark", "-n", *options, "-r", merged, "-Y", display_filter, "-T", "fields", *names],
                                capture_output=True, check=True, text=True).stdout
    lines = iter([line.split("\t") for line in output.splitlines()])
    line = next(lines, None)
    found: dict[pathlib.Path, list[list[str]]] = {}
    before = 0
    for capture, count in zip(captures, counts):
        found[capture] = []
        while line is not None and int(line[0]) <= before + count:
            values = dict(zip(others, line[1:])) | {"frame.number": str(int(line[0]) - before)}
            found[capture].append([values[field] for field in fields])
            line = next(lines, None)
        before += count
    assert line is None, "tshark has more packets than capinfos"
    return found
