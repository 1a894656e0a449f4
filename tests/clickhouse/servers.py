"""Two ClickHouse servers of the distribution, each in a folder and on ports of its own; and how rocescope loads into them."""
import csv
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.parse
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from daemons import free_ports, require, wait_until  # noqa: E402

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
CAPTURES = pathlib.Path(__file__).resolve().parents[2] / "captures"
NEEDED = ("clickhouse-server", "openssl")
PATH = f"{os.environ['PATH']}:/usr/sbin"
# Nothing of the user's own: no ~/.netrc, no proxy, no password.
ENVIRONMENT = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "ROCESCOPE_EXPRESS": os.environ.get("ROCESCOPE_EXPRESS", "")}

CONFIG = """<yandex>
  <logger><level>warning</level><log>{folder}/log</log><errorlog>{folder}/errors</errorlog></logger>
  <http_port>{http}</http_port><tcp_port>{tcp}</tcp_port><interserver_http_port>{between}</interserver_http_port>
  {https}
  <interserver_http_host>127.0.0.1</interserver_http_host><listen_host>127.0.0.1</listen_host>
  <path>{folder}/data/</path><tmp_path>{folder}/tmp/</tmp_path><user_files_path>{folder}/files/</user_files_path>
  <format_schema_path>{folder}/schemas/</format_schema_path>
  <users_config>{folder}/users.xml</users_config><default_profile>default</default_profile><default_database>default</default_database>
  <timezone>UTC</timezone><mark_cache_size>67108864</mark_cache_size>
  <remote_servers><both>{shards}</both></remote_servers>
</yandex>
"""
SHARD = "<shard><replica><host>127.0.0.1</host><port>{tcp}</port><user>default</user></replica></shard>"
USERS = """<yandex>
  <profiles><default><max_threads>2</max_threads></default></profiles>
  <users>
    <default><password></password>{local}</default>
    <loader><password>s3cret</password>{local}</loader>
  </users>
  <quotas><default></default></quotas>
</yandex>
"""
LOCAL = "<networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota>"
TLS = """<https_port>{port}</https_port>
  <openSSL><server><certificateFile>{folder}/certificate.pem</certificateFile><privateKeyFile>{folder}/key.pem</privateKeyFile>
  <verificationMode>none</verificationMode></server></openSSL>"""


class Server:
    def __init__(self, folder: pathlib.Path, tls=False):
        self.folder = folder
        folder.mkdir()
        self.http, self.tcp, self.between, self.https = free_ports(4)
        self.tls = TLS.format(port=self.https, folder=folder) if tls else ""
        self.url = f"http://127.0.0.1:{self.http}"
        self.process = None

    def start(self, shards: str = ""):
        (self.folder / "users.xml").write_text(USERS.format(local=LOCAL))
        if shards or not (self.folder / "config.xml").exists():
            (self.folder / "config.xml").write_text(CONFIG.format(folder=self.folder, http=self.http, tcp=self.tcp, between=self.between,
                                                                  https=self.tls, shards=shards or SHARD.format(tcp=self.tcp)))
        with open(self.folder / "said", "ab") as said:
            self.process = subprocess.Popen([shutil.which("clickhouse-server", path=PATH), f"--config-file={self.folder}/config.xml"], cwd=self.folder,
                                            stdout=said, stderr=said)
        wait_until(self.answers, f"{self.url} answers")

    def answers(self) -> bool:
        if self.process.poll() is not None:
            raise AssertionError((self.folder / "said").read_text()[-3000:])
        try:
            return urllib.request.urlopen(f"{self.url}/ping", timeout=5).read() == b"Ok.\n"
        except OSError:
            return False

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def ask(self, statement: str, **settings) -> str:
        url = f"{self.url}/?{urllib.parse.urlencode(settings)}"
        try:
            return urllib.request.urlopen(url, data=statement.encode(), timeout=120).read().decode()
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{statement}\n{error.read().decode()}") from None

    def rows(self, statement: str, **settings) -> list[dict]:
        """Numbers as numbers: the server writes those of 64 bits as text only if the setting asks for it."""
        settings |= {"output_format_json_quote_64bit_integers": 0}
        return [json.loads(line) for line in self.ask(statement + " FORMAT JSONEachRow", **settings).splitlines()]


class Pair(unittest.TestCase):
    """Two servers for all tests of a class; each test has a database of its own."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="rocescope_clickhouse_")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.servers = [Server(cls.folder / name) for name in ("first", "second")]
        shards = "".join(SHARD.format(tcp=server.tcp) for server in cls.servers)
        for server in cls.servers:
            cls.addClassCleanup(server.stop)
            server.start(shards)

    def setUp(self):
        self.database = "of_" + self.id().rsplit(".", 1)[1]
        self.urls = ",".join(server.url for server in self.servers)

    def command(self, *words, urls=None) -> list[str]:
        return [str(word) for word in (PROGRAM, "export", "--clickhouse", urls or self.urls, "--database", self.database, *words)]

    def export(self, *words, urls=None, status=0, **environment) -> subprocess.CompletedProcess:
        done = subprocess.run(self.command(*words, urls=urls), capture_output=True, text=True, timeout=300, env=ENVIRONMENT | environment)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def everywhere(self, statement: str) -> list[dict]:
        return [row for server in self.servers for row in server.rows(statement.format(db=self.database))]

    def count(self, table: str) -> int:
        return sum(row["n"] for row in self.everywhere(f"SELECT count() AS n FROM {{db}}.{table}"))

    def stages(self) -> list[str]:
        return [row["name"] for row in self.everywhere("SELECT name FROM system.tables WHERE database = '{db}' AND name LIKE 'stage%'")]


def analyze(*words) -> dict:
    return json.loads(subprocess.run([str(word) for word in (PROGRAM, "analyze", "--json", *words)], capture_output=True, text=True,
                                     check=True, timeout=300, env=ENVIRONMENT).stdout)


def csv_tables(folder: pathlib.Path, *words) -> dict[str, list[dict]]:
    subprocess.run([str(word) for word in (PROGRAM, "analyze", "--csv", folder, *words)], capture_output=True, check=True, timeout=300,
                   env=ENVIRONMENT)
    tables = {}
    for path in folder.glob("*.csv"):
        with path.open(newline="") as file:
            tables[path.stem] = list(csv.DictReader(file, strict=True))
    return tables


def main():
    require(NEEDED, PATH)
    unittest.main(verbosity=2)
