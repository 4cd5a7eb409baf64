"""PostgreSQL on two machines: a primary and a synchronous standby, kept by patroni with etcd, reached through haproxy or directly."""

import functools
import glob
import json
import os
import signal
import time
import urllib.error
import urllib.request

from . import postgres
from .commands import run
from .disks import Disk
from .processes import Process, as_user

DATA_MEGABYTES, LOG_MEGABYTES = 512, 384
MAXIMUM_CONNECTIONS = 100
# A primary that vanishes is replaced when its lease in etcd ends. Patroni's own default is 30, newer versions take 20 at least.
LEASE_SECONDS, LOOP_SECONDS, RETRY_SECONDS = 10, 2, 3
READY_WITHIN_SECONDS = 90


class ClusterFailed(Exception):
    """The cluster didn't get into the state that the drill needs."""


def write_json(path, value):
    """Writes a configuration; JSON is also YAML."""
    with open(path, "w") as file:
        json.dump(value, file, indent=1)
    os.chmod(path, 0o644)
    return path


@functools.cache
def needs_old_protocol():
    """Whether patroni needs version 2 of etcd's protocol.

    Through version 3, patroni before 3.0.3 (Debian 12 has 3.0.2) overwrites the lease of a new primary when an old one that hung wakes up:
    the new one is taken back, and with it what it acknowledged (patroni's pull request 2689).
    """
    version = [int(part) for part in run("patroni", "--version").split()[-1].split(".")[:3]]
    return version < [3, 0, 3]


class Database:
    """A machine with PostgreSQL, its two disks, and patroni."""

    def __init__(self, machine, folder, etcd):
        self.machine = machine
        self.folder = os.path.join(folder, machine.name)
        os.mkdir(self.folder)
        self.data_disk = Disk(os.path.join(self.folder, "data"), DATA_MEGABYTES, "postgres:postgres")
        self.log_disk = Disk(os.path.join(self.folder, "log"), LOG_MEGABYTES, "postgres:postgres")
        self.data = os.path.join(self.data_disk.place, "cluster")
        os.chmod(self.folder, 0o777)
        configuration = write_json(os.path.join(self.folder, "patroni.json"), self.configuration(etcd))
        self.patroni = Process(machine.name, machine.inside([*as_user("postgres"), "patroni", configuration]),
                               os.path.join(folder, f"{machine.name}.log"), {"PYTHONDONTWRITEBYTECODE": "1"})

    def configuration(self, etcd):
        wal_option = {"waldir": os.path.join(self.log_disk.place, "wal")}
        return {
            "scope": "drill", "name": self.machine.name,
            "restapi": {"listen": "0.0.0.0:8008", "connect_address": f"{self.machine.address}:8008"},
            "etcd" if needs_old_protocol() else "etcd3": {"hosts": [f"{etcd.address}:2379"]},
            "bootstrap": {
                "dcs": {
                    "ttl": LEASE_SECONDS, "loop_wait": LOOP_SECONDS, "retry_timeout": RETRY_SECONDS,
                    # A primary that dies is replaced, not started again.
                    "primary_start_timeout": 0, "synchronous_mode": True,
                    "postgresql": {
                        "use_pg_rewind": True, "use_slots": True,
                        "parameters": {
                            "max_connections": MAXIMUM_CONNECTIONS, "superuser_reserved_connections": 5, "shared_buffers": "48MB",
                            "max_wal_size": "96MB", "min_wal_size": "32MB", "wal_keep_size": "64MB", "wal_log_hints": "on",
                            "max_worker_processes": 4, "autovacuum_max_workers": 1, "jit": "off",
                            # What operate-on-postgresql.md recommends: a client that vanishes is noticed.
                            "tcp_keepalives_idle": 5, "tcp_keepalives_interval": 2, "tcp_keepalives_count": 3,
                            "tcp_user_timeout": 10000, "client_connection_check_interval": "2s",
                        },
                    },
                },
                "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}, "data-checksums", wal_option],
            },
            "postgresql": {
                "listen": "0.0.0.0:5432", "connect_address": f"{self.machine.address}:5432", "data_dir": self.data,
                "bin_dir": sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1], "use_unix_socket": True,
                "pgpass": os.path.join(self.folder, "pgpass"),
                "parameters": {"unix_socket_directories": self.folder},
                "authentication": {"superuser": {"username": "postgres"}, "replication": {"username": "replicator"},
                                   "rewind": {"username": "postgres"}},
                "pg_hba": ["local all all trust", "host all all 0.0.0.0/0 trust", "host replication all 0.0.0.0/0 trust"],
                "basebackup": [wal_option],
                # A rewind that fails, as on a full disk, leaves what can't be started.
                "remove_data_directory_on_rewind_failure": True,
            },
            "watchdog": {"mode": "off"},
        }

    def state(self, path="patroni", timeout=1.5):
        """Returns what patroni answers, or nothing if it doesn't."""
        try:
            with urllib.request.urlopen(f"http://{self.machine.watch_address}:8008/{path}", timeout=timeout) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            try:
                return json.load(error)
            except ValueError:
                return None
        except (OSError, ValueError):
            return None

    @property
    def is_primary(self):
        state = self.state()
        return bool(state) and state.get("state") == "running" and state.get("role") in ("master", "primary")

    def server_processes(self):
        """Lists the process IDs of PostgreSQL, the postmaster first."""
        try:
            with open(os.path.join(self.data, "postmaster.pid")) as file:
                postmaster = int(file.readline())
            with open(f"/proc/{postmaster}/task/{postmaster}/children") as file:
                return [postmaster] + [int(child) for child in file.read().split()]
        except (OSError, ValueError):
            return []

    def signal_server(self, number, of=None):
        """Sends a signal to all processes of PostgreSQL, or to those whose title contains a word."""
        for process in self.server_processes():
            try:
                with open(f"/proc/{process}/cmdline", "rb") as file:
                    title = file.read().decode(errors="replace")
                if of is None or of in title:
                    os.kill(process, number)
            except OSError:
                pass

    def query(self, text, database="postgres", timeout=5.0):
        return postgres.query(self.machine.watch_address, text, database=database, timeout=timeout)


class Cluster:
    """etcd, two databases, haproxy."""

    def __init__(self, network, folder):
        self.folder = folder
        self.arbiter = network.machine("arbiter", "back")
        self.proxy = network.machine("proxy", "back")
        etcd_data = os.path.join(folder, "etcd")
        os.mkdir(etcd_data, 0o700)
        os.chmod(etcd_data, 0o777)
        address = self.arbiter.address
        self.etcd = Process("etcd", self.arbiter.inside([
            *as_user("postgres"), "etcd", "--name", "arbiter", "--data-dir", os.path.join(etcd_data, "data"), "--log-level", "warn",
            *(["--enable-v2"] if needs_old_protocol() else []),
            "--listen-client-urls", "http://0.0.0.0:2379", "--advertise-client-urls", f"http://{address}:2379",
            "--listen-peer-urls", f"http://{address}:2380", "--initial-advertise-peer-urls", f"http://{address}:2380",
            "--initial-cluster", f"arbiter=http://{address}:2380"]), os.path.join(folder, "etcd.log"))
        self.databases = [Database(network.machine(name, "back"), folder, self.arbiter) for name in ("db1", "db2")]
        self.haproxy = Process("haproxy", self.proxy.inside(["haproxy", "-db", "-f", self.proxy_configuration()]),
                               os.path.join(folder, "haproxy.log"))

    def url(self, is_direct):
        """Returns what nodes connect to: haproxy, or both machines, of which libpq finds the one that takes writes."""
        if is_direct:
            hosts = ",".join(f"{database.machine.address}:5432" for database in self.databases)
            return f"postgres://perennial@{hosts}/perennial?target_session_attrs=read-write&connect_timeout=2"
        return f"postgres://perennial@{self.proxy.address}:5432/perennial"

    def proxy_configuration(self):
        """Sends sessions to the machine whose patroni says it is the primary, and ends those to one that no longer is."""
        servers = "\n".join(f"    server {database.machine.name} {database.machine.address}:5432 maxconn 200 check port 8008"
                            for database in self.databases)
        path = os.path.join(self.folder, "haproxy.cfg")
        with open(path, "w") as file:
            file.write(f"""global
    maxconn 500
defaults
    mode tcp
    timeout connect 2s
    timeout client 30m
    timeout server 30m
    timeout check 1s
    option clitcpka
    option srvtcpka
    clitcpka-idle 5s
    clitcpka-intvl 2s
    clitcpka-cnt 3
listen primary
    bind 0.0.0.0:5432
    option httpchk OPTIONS /primary
    http-check expect status 200
    default-server inter 1s fastinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
{servers}
""")
        return path

    def start(self):
        self.etcd.start()
        self.databases[0].patroni.start()
        self.await_that("db1 is the primary", lambda: self.databases[0].is_primary)
        self.databases[1].patroni.start()
        self.haproxy.start()
        self.await_standby()
        primary = self.primary()
        primary.query("CREATE ROLE perennial LOGIN")
        primary.query("CREATE DATABASE perennial OWNER perennial")
        primary.query("CREATE DATABASE probe")
        primary.query("CREATE TABLE probe (number bigint, at timestamptz DEFAULT clock_timestamp())", database="probe")

    def find_primary(self):
        """Returns the database that says it is the primary, or nothing."""
        return next((database for database in self.databases if database.is_primary), None)

    def primary(self):
        """Returns the primary; a busy machine may answer late."""
        self.await_that("one machine says it is the primary", self.find_primary)
        return self.find_primary() or self.primary()

    def standby(self):
        primary = self.primary()
        return next(database for database in self.databases if database is not primary)

    def has_standby(self):
        """Whether the standby may take over: it streams, and patroni has written down that it has all that is acknowledged."""
        primary = self.find_primary()
        members = ((primary and primary.state("cluster")) or {}).get("members", [])
        if not any(member["role"] == "sync_standby" and member["state"] in ("running", "streaming") for member in members):
            return False
        try:
            return bool(primary.query("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'", timeout=2))
        except (OSError, postgres.DatabaseError):
            return False

    def await_standby(self, within=READY_WITHIN_SECONDS):
        self.await_that("a synchronous standby streams", self.has_standby, within)

    def await_that(self, what, condition, within=READY_WITHIN_SECONDS):
        deadline = time.monotonic() + within
        while not condition():
            if time.monotonic() > deadline:
                logs = "\n".join(f"{process.name}:\n{process.end_of_log(8)}" for process in self.processes() if process.child)
                raise ClusterFailed(f"After {within} seconds it isn't true that {what}.\n{logs}")
            time.sleep(0.2)

    def processes(self):
        return [self.etcd, *(database.patroni for database in self.databases), self.haproxy]

    def stop(self):
        for database in self.databases:
            database.signal_server(signal.SIGCONT)
        for process in reversed(self.processes()):
            process.kill()
        for database in self.databases:
            database.signal_server(signal.SIGKILL)
