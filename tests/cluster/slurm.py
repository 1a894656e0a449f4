"""A Slurm of the distribution's packages: slurmctld and two slurmd on this machine, with a munge of their own, all in one folder and on
ports of 127.0.0.1 alone. They are started and stopped here, by their process ids."""
import os
import pathlib
import pwd
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
from daemons import free_ports, require, wait_until  # noqa: E402

CAPTURES = ROOT / "captures"
SBATCH = ROOT / "tools/cluster/rocescope-sbatch"
PATH = f"/usr/sbin:/usr/bin:/sbin:/bin:{os.environ['PATH']}"  # the python3 of the distribution first: wrappers of others start slowly
DAEMONS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "scancel")

CONFIG = """ClusterName=rocescope
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
CredType=cred/munge
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1,sched_min_interval=100000,batch_sched_delay=0
ReturnToService=2
SlurmctldTimeout=10
SlurmdTimeout=4
MessageTimeout=4
KillWait=1
MinJobAge=2
MaxArraySize={largest}
{nodes}
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
NODE = "NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=2 RealMemory=100 State=UNKNOWN"


class Slurm:
    def __init__(self, folder: pathlib.Path, largest: int = 1001):
        self.folder, self.processes, self.names = folder, {}, ("n1", "n2")
        self.config = folder / "slurm.conf"
        control, *ports = free_ports(1 + len(self.names))
        host, user = socket.gethostname().split(".")[0], pwd.getpwuid(os.getuid()).pw_name
        (folder / "state").mkdir()
        nodes = "\n".join(NODE.format(name=name, host=host, port=port) for name, port in zip(self.names, ports))
        self.config.write_text(CONFIG.format(host=host, port=control, user=user, folder=folder, nodes=nodes, largest=largest))
        key = folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        self.environment = {"PATH": PATH, "HOME": str(folder), "SLURM_CONF": str(self.config)}

    def run(self, *words: str) -> str:
        return subprocess.run([*words], capture_output=True, text=True, check=True, timeout=60, env=self.environment).stdout

    def begin(self, name: str, *words: str):
        with open(self.folder / f"{name}.said", "ab") as said:
            self.processes[name] = subprocess.Popen([*words], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=said, stderr=said,
                                                    env=self.environment, start_new_session=True)

    def start(self):
        self.begin("munged", "munged", "--foreground", "--force", f"--socket={self.folder}/munge.socket", f"--key-file={self.folder}/munge.key",
                   f"--pid-file={self.folder}/munged.pid", f"--seed-file={self.folder}/munged.seed", f"--log-file={self.folder}/munged.log")
        wait_until(lambda: (self.folder / "munge.socket").exists() or not self.lives("munged"), "munge answers")
        self.begin("slurmctld", "slurmctld", "-D", "-f", str(self.config))
        for name in self.names:
            self.start_node(name)
        wait_until(lambda: set(self.states().values()) <= {"idle"} and len(self.states()) == len(self.names), "both nodes are idle")

    def start_node(self, name: str):
        self.begin(name, "slurmd", "-D", "-N", name, "-f", str(self.config))

    def lives(self, name: str) -> bool:
        if self.processes[name].poll() is not None:
            raise AssertionError(f"{name} ended: {(self.folder / f'{name}.said').read_text()[-2000:]}")
        return True

    def states(self) -> dict[str, str]:
        for name in self.processes:
            self.lives(name)
        said = subprocess.run(["sinfo", "--noheader", "--Node", "--format=%N %T"], capture_output=True, text=True, check=False, timeout=60,
                              env=self.environment)
        return dict(line.split() for line in said.stdout.splitlines()) if said.returncode == 0 else {}

    def administer(self):
        """What an administrator does after a controller lost its newest state: nodes that it mistrusts, and jobs that it holds, go on."""
        time.sleep(0.5)
        drained = [name for name, state in self.states().items() if state.startswith("drain")]
        if drained:
            words = ["scontrol", "update", f"NodeName={','.join(drained)}", "State=RESUME"]
            subprocess.run(words, capture_output=True, check=False, env=self.environment)
        for line in subprocess.run(["squeue", "--noheader", "--array", "--format=%A %r"], capture_output=True, text=True, check=False,
                                   env=self.environment).stdout.splitlines():
            if "held" in line:
                subprocess.run(["scontrol", "release", line.split()[0]], capture_output=True, check=False, env=self.environment)

    def kill_node(self, name: str):
        """The node fails: its slurmd and all that runs on it are gone at once."""
        process = self.processes.pop(name)
        process.kill()
        process.wait()
        quiet = 0
        while quiet < 3:  # steps that were about to begin
            running = self.on_node(name)
            for number in running:
                try:
                    os.kill(number, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            quiet = 0 if running else quiet + 1
            time.sleep(0.05)

    def on_node(self, name: str) -> list[int]:
        """What runs on a node: slurmstepd, which are nobody's children and write in its log, and what they started."""
        found = []
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                of_step = (folder / "comm").read_text().strip() == "slurmstepd"
                variables = (folder / "environ").read_bytes().split(b"\0")
                if of_step and any(f"{self.folder}/slurmd.{name}.log" == os.readlink(link) for link in (folder / "fd").iterdir()):
                    found.append(int(folder.name))
                elif {f"SLURM_CONF={self.config}".encode(), f"SLURMD_NODENAME={name}".encode()} <= set(variables):
                    found.append(int(folder.name))
            except OSError:
                continue  # it ended
        return found

    def stop(self):
        for name in self.names:
            if name in self.processes:
                self.kill_node(name)
        for process in self.processes.values():
            process.kill()
            process.wait()
        self.processes.clear()


class OnSlurm(unittest.TestCase):
    """One Slurm for all tests of a class; each test has a folder of its own."""
    LARGEST = 1001

    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory(prefix="rocescope_slurm_")
        cls.addClassCleanup(temporary.cleanup)
        folder = pathlib.Path(temporary.name) / "slurm"
        folder.mkdir()
        cls.slurm = Slurm(folder, cls.LARGEST)
        cls.addClassCleanup(cls.slurm.stop)
        cls.slurm.start()


def main():
    require(DAEMONS, PATH)
    unittest.main(verbosity=2)
