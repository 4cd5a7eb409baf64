"""Faults of PostgreSQL and of the machines it runs on."""

import json
import signal
import time
import urllib.request

from .. import postgres
from ..cluster import MAXIMUM_CONNECTIONS
from .fault import Fault

# The clients, and the time in which they sign in and begin to buy.
LOAD_CLIENTS, LOAD_SECONDS = 64, 4


class PrimaryKilled(Fault):
    """All processes of the primary end at once; patroni promotes the standby, and starts the old primary as the new standby."""

    name = "primary-killed"
    says = "the primary is killed"
    seconds = (6, 12)
    fails_over = True

    def begin(self):
        self.cluster.primary().signal_server(signal.SIGKILL)


class PrimaryKilledUnderLoad(PrimaryKilled):
    """The primary is killed while so many clients buy that their writes share commits, whose outcome the nodes then don't know."""

    name = "primary-killed-under-load"
    says = f"the primary is killed while {LOAD_CLIENTS} more clients buy at a node"
    least_writes = 1.5

    def prepare(self):
        self.load = self.drill.add_load(LOAD_CLIENTS)
        time.sleep(LOAD_SECONDS)

    def end(self):
        self.load.stop()


class PrimaryMachineLost(Fault):
    """PostgreSQL and patroni end at once, so that nothing gives the lease back: it has to end."""

    name = "primary-machine-lost"
    says = "the primary's machine is lost"
    seconds = (20, 25)
    fails_over = True

    def begin(self):
        self.lost = self.cluster.primary()
        self.lost.patroni.kill()
        self.lost.signal_server(signal.SIGKILL)

    def end(self):
        self.lost.patroni.start()


class PrimaryHangs(Fault):
    """PostgreSQL doesn't go on, as on a machine whose disk doesn't answer, and comes back after another one has its place."""

    name = "primary-hangs"
    says = "the primary hangs"
    seconds = (18, 25)
    fails_over = True

    def begin(self):
        self.hanging = self.cluster.primary()
        self.hanging.signal_server(signal.SIGSTOP)

    def end(self):
        self.hanging.signal_server(signal.SIGCONT)


class Switchover(Fault):
    """The operator moves the primary to the other machine."""

    name = "switchover"
    says = "the operator moves the primary"
    seconds = (6, 10)
    fails_over = True

    def begin(self):
        primary, standby = self.cluster.primary(), self.cluster.standby()
        body = json.dumps({"leader": primary.machine.name, "candidate": standby.machine.name}).encode()
        request = urllib.request.Request(f"http://{primary.machine.watch_address}:8008/switchover", body,
                                         {"Content-Type": "application/json"})
        urllib.request.urlopen(request, timeout=30).close()


class StandbyLost(Fault):
    """The synchronous standby vanishes; commits wait until patroni has taken it off the list."""

    name = "standby-lost"
    says = "the synchronous standby is lost"
    seconds = (12, 20)
    fails_over = True

    def begin(self):
        self.lost = self.cluster.standby()
        self.lost.patroni.kill()
        self.lost.signal_server(signal.SIGKILL)

    def end(self):
        self.lost.patroni.start()


class LongCheckpoint(Fault):
    """A checkpoint of many pages that doesn't finish: the process that does it stops in the middle."""

    name = "long-checkpoint"
    says = "a checkpoint doesn't finish"
    seconds = (12, 30)

    def begin(self):
        self.primary = self.cluster.primary()
        self.primary.query("CREATE TABLE IF NOT EXISTS pages AS SELECT n, repeat('x', 500) AS text FROM generate_series(1, 60000) n",
                           database="probe", timeout=30)
        connection = postgres.Connection(self.primary.machine.watch_address, database="probe", timeout=60)
        data = b"CHECKPOINT\0"
        connection.socket.sendall(b"Q" + (len(data) + 4).to_bytes(4, "big") + data)
        self.connection = connection
        self.primary.signal_server(signal.SIGSTOP, of="checkpointer")

    def end(self):
        self.primary.signal_server(signal.SIGCONT, of="checkpointer")
        self.connection.close()
        self.primary.query("DROP TABLE pages", database="probe", timeout=30)


class ConnectionsExhausted(Fault):
    """Others hold all connections of the server, and the store's are ended: it can't get new ones."""

    name = "connections-exhausted"
    says = "all connections are taken"
    seconds = (8, 15)
    stops_sales = True

    def begin(self):
        self.primary = self.cluster.primary()
        self.held = []
        self.during()

    def during(self):
        self.primary.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'perennial' "
                           "AND application_name <> 'drill'")
        while len(self.held) < MAXIMUM_CONNECTIONS:
            try:
                self.held.append(postgres.Connection(self.primary.machine.watch_address, user="perennial", database="perennial"))
            except (OSError, postgres.DatabaseError):
                break

    def end(self):
        for connection in self.held:
            connection.close()
