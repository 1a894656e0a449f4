"""Lets the tests import the lab's modules."""

import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCE / "tools" / "lab"))
