"""What the fleet is measured with: real daemons, agents and PostgreSQL, and nginx as the origin."""
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from chaos import PROGRAMS, Database

HOSTS = [f"127.0.1.{n}" for n in range(1, 201)]
GROUPS = Path("/sys/fs/cgroup/cpu")


def processor(pid):
    """Seconds of processor that a process has used, with its children, those that are gone included."""
    ticks = os.sysconf("SC_CLK_TCK")
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return sum(map(int, fields[11:15])) / ticks + sum(processor(int(child)) for child in children)


class Nginx:
    """Serves one file of 25 KB under any path of any host."""

    def __init__(self, folder):
        (folder / "www").mkdir()
        (folder / "www/x").write_bytes(os.urandom(25_000))
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        listen = " ".join(f"listen {host}:{self.port} backlog=512;" for host in HOSTS)
        (folder / "nginx.conf").write_text(f"""
            daemon off; pid {folder}/nginx.pid; error_log stderr crit; worker_processes 1;
            events {{ worker_connections 4096; }}
            http {{ access_log off; default_type image/jpeg; sendfile on; keepalive_requests 1000000; server {{
                {listen} root {folder}/www; location / {{ try_files /x =404; }} }} }}
            """)
        program = shutil.which("nginx") or "/usr/sbin/nginx"
        self.process = subprocess.Popen([program, "-c", folder / "nginx.conf", "-e", "stderr"])
        time.sleep(0.5)

    def close(self):
        self.process.terminate()
        self.process.wait()


class Group:
    """A control group with a share of a processor, which children of this process begin in."""

    def __init__(self, number, share):
        self.path = GROUPS / f"facefetch-{os.getpid()}-{number}"
        self.path.mkdir()
        (self.path / "cpu.cfs_quota_us").write_text(str(int(100_000 * share)))

    def enter(self):
        (self.path / "cgroup.procs").write_text(str(os.getpid()))

    def close(self):
        self.path.rmdir()


class Agent:
    """An agent, whose daemon is another's."""

    def __init__(self, name, folder, database, more="", enter=None):
        self.folder = folder / name
        self.folder.mkdir(exist_ok=True)
        (self.folder / "fleet.yaml").write_text(
            f"database: {database.info}\nnode: {name}\nsocket: {self.folder}/s\n"
            f"metrics: {self.folder}/metrics.prom\n{more}")
        self.log = open(self.folder / "log", "a")
        self.agent = subprocess.Popen(
            [PROGRAMS / "facefetch-fleet", "--config", self.folder / "fleet.yaml"],
            stdout=self.log, stderr=self.log, preexec_fn=enter)

    def figure(self, name):
        """The sum of a figure's samples."""
        try:
            text = (self.folder / "metrics.prom").read_text()
        except FileNotFoundError:
            return 0.0
        return sum(float(line.rsplit(" ", 1)[1]) for line in text.splitlines()
                   if line.startswith(f"facefetch_fleet_{name}{{"))

    def kill(self):
        self.agent.kill()
        self.agent.wait()


class Node(Agent):
    """A daemon and its agent."""

    def __init__(self, name, folder, database, more="", group=None):
        enter, folder_of_node = group.enter if group else None, folder / name
        folder_of_node.mkdir()
        (folder_of_node / "daemon.yaml").write_text(
            "transfer:\n  per-host: 8\n  concurrency: 64\ndetection:\n  when: never\n")
        with open(folder_of_node / "log", "a") as log:
            self.daemon = subprocess.Popen(
                [PROGRAMS / "facefetchd", "--config", folder_of_node / "daemon.yaml",
                 "--state-dir", folder_of_node / "state", "--documents-dir", folder_of_node / "docs",
                 "--socket", folder_of_node / "s", "--event-log", folder_of_node / "events"],
                stdout=log, stderr=log, preexec_fn=enter)
        super().__init__(name, folder, database, more, enter)

    def status(self):
        done = subprocess.run(
            [PROGRAMS / "facefetch", "status", "--json"], capture_output=True, timeout=30,
            env={**os.environ, "FACEFETCH_SOCKET": str(self.folder / "s")})
        return json.loads(done.stdout)

    def kill(self):
        super().kill()
        self.daemon.kill()
        self.daemon.wait()


class Rig:
    """A database with a fleet's tables."""

    def __init__(self, place="/dev/shm"):
        self.folder = Path(tempfile.mkdtemp(prefix="ff-", dir=place))
        self.folder.chmod(0o755)
        self.nodes, self.groups = [], []
        self.nginx = Nginx(self.folder)
        self.database = Database(self.folder, None)
        (self.folder / "fleet.yaml").write_text(f"database: {self.database.info}\nnode: x\n")

    def __enter__(self):
        try:
            self.fleet("init")
        except BaseException:
            self.__exit__()
            raise
        return self

    def fleet(self, *words, **more):
        return subprocess.run(
            [PROGRAMS / "facefetch-fleet", *words, "--config", self.folder / "fleet.yaml"], check=True,
            stdout=subprocess.DEVNULL, **more)

    def add(self, count, port=None, hosts=HOSTS):
        """Adds items; returns the seconds that it took, and the most memory that it had, in MB."""
        port = port or self.nginx.port
        with open(self.folder / "list", "w") as lines:
            for n in range(count):
                lines.write(f"http://{hosts[n % len(hosts)]}:{port}/{n}.jpg\n")
        begun = time.monotonic()
        adding = subprocess.Popen(
            [PROGRAMS / "facefetch-fleet", "add", "--from", self.folder / "list", "--config", self.folder / "fleet.yaml"],
            stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(adding.pid, 0)
        if status != 0:
            raise RuntimeError(f"add ended with {status}")
        return time.monotonic() - begun, used.ru_maxrss / 1024

    def node(self, more="", group=None):
        node = Node(f"n{len(self.nodes)}", self.folder, self.database, more, group)
        self.nodes.append(node)
        return node

    def processor(self):
        """Seconds of processor that the database has used, with all of its processes."""
        pid = (self.database.folder / "data/postmaster.pid").read_text().split()[0]
        return processor(int(pid))

    def done(self):
        return int(self.database.rows("SELECT count(*) FROM results")[0][0])

    def until_shared(self, nodes):
        """Waits until nodes have about as many buckets each."""
        while True:
            owners = self.database.rows("SELECT count(DISTINCT node), min(n), max(n) FROM "
                                        "(SELECT node, count(*) AS n FROM buckets WHERE node IS NOT NULL GROUP BY node) s")[0]
            if owners[0] == str(nodes) and int(owners[2] or 0) - int(owners[1] or 0) < min(100, 2048 / nodes):
                break
            time.sleep(0.5)

    def __exit__(self, *_):
        for node in self.nodes:
            node.kill()
        for group in self.groups:
            group.close()
        self.nginx.close()
        self.database.crash()
        shutil.rmtree(self.folder)
