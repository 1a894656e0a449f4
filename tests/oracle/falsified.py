"""Runs `rocescope verify`, and falsifies the truth of kept captures. The first argument of the test is the program."""
import json
import pathlib
import subprocess
import sys
import tempfile

PROGRAM = sys.argv.pop(1)
CAPTURES = pathlib.Path(__file__).resolve().parents[2] / "captures"
DONE, DIFFERS, ERROR = 0, 1, 2


def run(*arguments) -> subprocess.CompletedProcess:
    return subprocess.run([PROGRAM, "verify", *arguments], capture_output=True, text=True, timeout=60)


def verify(capture: pathlib.Path, *arguments) -> dict:
    done = run("--json", *arguments, capture)
    result = json.loads(done.stdout)
    assert done.returncode == (DONE if result["agrees"] else DIFFERS), (done.returncode, done.stderr)
    return result


def facts(result: dict) -> dict[str, dict]:
    return {" ".join([fact["fact"], fact.get("detail", "")]).strip(): fact for fact in result["facts"]}


class Falsified:
    """The truth of a kept capture, to be changed, and the result of `verify`."""

    def __init__(self, name: str):
        self.capture = CAPTURES / f"{name}.pcapng"
        self.facts = [json.loads(line) for line in (CAPTURES / f"{name}.ndjson").read_text().splitlines()]

    def of(self, event: str, **fields) -> list[dict]:
        return [fact for fact in self.facts if fact["event"] == event
                and all(fact.get(key) == value for key, value in fields.items())]

    def messages(self, side: str, qpn: int) -> list[dict]:
        return [post for post in self.of("post", side=side, qpn=qpn) if post["opcode"] not in ("RECV", "BIND_MW")]

    def remove(self, fact: dict) -> None:
        self.facts = [each for each in self.facts if each is not fact]

    def verify(self) -> dict:
        with tempfile.TemporaryDirectory() as folder:
            truth = pathlib.Path(folder) / "false.ndjson"
            truth.write_text("".join(json.dumps(fact) + "\n" for fact in self.facts))
            return verify(self.capture, "--truth", truth)
