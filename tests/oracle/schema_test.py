#!/usr/bin/env python3
"""The JSON of reports, as the distribution's validator sees it with the JSON Schema that the program writes."""
import json
import pathlib
import subprocess
import sys
import unittest

import jsonschema

PROGRAM = sys.argv.pop(1)
CAPTURES = pathlib.Path(__file__).resolve().parents[2] / "captures"


def run(*arguments) -> dict:
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=120, check=True)
    return json.loads(done.stdout)


def strict(schema):
    """The same where members that it does not name are errors."""
    if isinstance(schema, list):
        return [strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: strict(value) for key, value in schema.items()}
    if schema.get("type") == "object" and isinstance(schema.get("properties"), dict):
        closed["additionalProperties"] = False
    return closed


class Schema(unittest.TestCase):
    def setUp(self):
        self.schema = run("__schema")
        self.validator = jsonschema.Draft202012Validator(strict(self.schema))

    def test_is_a_schema(self):
        jsonschema.Draft202012Validator.check_schema(self.schema)

    def test_names_every_member_of_every_report(self):
        captures = sorted(each for each in CAPTURES.iterdir() if ".pcap" in each.name)
        self.assertGreater(len(captures), 50)
        for capture in captures:
            for options in ([], ["--idle-timeout", "100ms"]):
                with self.subTest(capture.name, options=options):
                    self.validator.validate(run("analyze", "--json", *options, str(capture)))

    def test_has_the_intervals_of_live(self):
        interval = self.schema["$defs"]["interval"]["properties"]
        self.assertLessEqual({"type", "time", "packets", "roce_bytes", "gone", "total", "interfaces", "commands"}, set(interval))
        for name in ("total", "gone", "interfaces"):
            reference = interval[name].get("$ref") or interval[name]["items"]["$ref"]
            self.assertIn(reference.removeprefix("#/$defs/"), self.schema["$defs"])

    def test_notices_what_does_not_belong(self):
        report = run("analyze", "--json", str(CAPTURES / "impaired_out-loss_heavy.pcapng"))
        report["connections"][0]["sides"][0]["requests"]["acks"] = "many"
        with self.assertRaises(jsonschema.ValidationError):
            self.validator.validate(report)


if __name__ == "__main__":
    unittest.main()
