"""JSON lines over a socket: QEMU's monitor (QMP) and the agent in a guest (QGA) both speak it.

QMP: docs/interop/qmp-spec; QGA: docs/interop/qemu-ga. Both answer {"return": ...} or {"error": {"desc": ...}}.
"""

import json
import socket
import threading
import time
from collections.abc import Callable

from .errors import LabError


class Channel:
    """One question at a time, each with a time-out. Events that arrive meanwhile are kept."""

    def __init__(self, end: socket.socket, name: str) -> None:
        self._socket = end
        self._name = name
        self._buffer = b""
        self._lock = threading.RLock()
        self.events: list[dict] = []

    def ask(self, question: str, timeout: float = 10, **arguments: object) -> object:
        """The answer to a command; LabError if it is refused or does not come in time."""
        with self._lock:
            message: dict = {"execute": question}
            if arguments:
                message["arguments"] = arguments
            self._send(json.dumps(message).encode() + b"\n")
            answer = self._receive(lambda line: "return" in line or "error" in line, time.monotonic() + timeout, question)
        if "error" in answer:
            raise LabError(f"{self._name} refuses {question}: {answer['error'].get('desc')}")
        return answer["return"]

    def greeting(self, timeout: float = 10) -> None:
        """Awaits QMP's first line."""
        self._receive(lambda line: "QMP" in line, time.monotonic() + timeout, "greeting")

    def event(self, name: str, timeout: float = 10) -> dict:
        """The first event of that name, already here or still to come."""
        for event in self.events:
            if event["event"] == name:
                return event
        return self._receive(lambda line: line.get("event") == name, time.monotonic() + timeout, name)

    def synchronise(self, number: int, timeout: float) -> bool:
        """One attempt to reach the agent: whether it answered this question and not an older one."""
        with self._lock:
            self._buffer = b""
            message = {"execute": "guest-sync-delimited", "arguments": {"id": number}}
            try:
                self._send(b"\xff" + json.dumps(message).encode() + b"\n")
                self._receive(lambda line: line.get("return") == number, time.monotonic() + timeout, "synchronisation")
            except LabError:
                return False
            return True

    def close(self) -> None:
        self._socket.close()

    def _send(self, data: bytes) -> None:
        try:
            self._socket.settimeout(10)
            self._socket.sendall(data)
        except OSError as error:
            raise LabError(f"{self._name} is gone ({error})") from None

    def _receive(self, wanted: Callable[[dict], bool], deadline: float, what: str) -> dict:
        while True:
            while b"\n" in self._buffer:
                line, self._buffer = self._buffer.split(b"\n", 1)
                parsed = self._parse(line)
                if parsed is None:
                    continue
                if "event" in parsed:
                    self.events.append(parsed)
                if wanted(parsed):
                    return parsed
            left = deadline - time.monotonic()
            if left <= 0:
                raise LabError(f"{self._name} gave no answer to {what}")
            self._socket.settimeout(left)
            try:
                data = self._socket.recv(1 << 20)
            except TimeoutError:
                continue
            except OSError as error:
                raise LabError(f"{self._name} is gone ({error})") from None
            if not data:
                raise LabError(f"{self._name} is gone")
            self._buffer += data

    @staticmethod
    def _parse(line: bytes) -> dict | None:
        try:
            parsed = json.loads(line.lstrip(b"\xff"))
        except ValueError:
            return None
        return parsed if isinstance(parsed, dict) else None
