"""Watches the cluster while faults happen: when the database itself takes writes, which node holds which lease, and who renews."""

import threading

from . import postgres

PROBE_SECONDS, LEASE_SECONDS = 0.1, 0.2


class DatabaseProbe(threading.Thread):
    """Inserts a row over and over, through haproxy and without the store: the cluster's own failover time."""

    def __init__(self, cluster, clock):
        super().__init__(daemon=True)
        self.address, self.clock = cluster.proxy.watch_address, clock
        self.written = []
        self.ends = threading.Event()

    def run(self):
        connection = None
        while not self.ends.wait(PROBE_SECONDS):
            try:
                if connection is None:
                    connection = postgres.Connection(self.address, database="probe", timeout=1.0)
                connection.query("INSERT INTO probe (number) VALUES (1)")
                self.written.append(self.clock())
            except (OSError, postgres.DatabaseError):
                if connection:
                    connection.close()
                connection = None


class LeaseWatch(threading.Thread):
    """Reads the process that holds each lease. The table is missing in programs of before leases; then nothing is seen."""

    STATEMENT = """SELECT work || '/' || environment || '/' || app, coalesce(nodes.process, 0)
        FROM leases LEFT JOIN nodes ON nodes.id = leases.node"""

    def __init__(self, cluster, clock):
        super().__init__(daemon=True)
        self.address, self.clock = cluster.proxy.watch_address, clock
        self.seen = []
        self.is_supported = False
        self.ends = threading.Event()

    def read(self):
        """Returns the holder of each lease now, 0 for none; nothing if the database can't say."""
        try:
            rows = postgres.query(self.address, self.STATEMENT, database="perennial", timeout=1.0)
            self.is_supported = True
            return {lease: int(process) for lease, process in rows}
        except (OSError, postgres.DatabaseError):
            return None

    def run(self):
        while not self.ends.wait(LEASE_SECONDS):
            holders = self.read()
            if holders is not None:
                self.seen.append((self.clock(), holders))

    def newest(self):
        return self.seen[-1][1] if self.seen else {}


class RenewalWatch(threading.Thread):
    """Reads the journals of environments in which subscriptions renew by themselves, for renewals that are new."""

    STATEMENT = """SELECT journal_heads.environment, journal_heads.app, journal_heads.position,
        (SELECT count(*) FROM journal WHERE journal.environment = journal_heads.environment AND journal.app = journal_heads.app
            AND journal.position > coalesce(known.position, 0) AND kind = 'renewed')
        FROM journal_heads JOIN environments ON environments.id = journal_heads.environment AND environments.clock = 'real'
        LEFT JOIN (VALUES {known}) AS known (environment, app, position)
            ON known.environment = journal_heads.environment AND known.app = journal_heads.app"""

    def __init__(self, cluster, clock):
        super().__init__(daemon=True)
        self.address, self.clock = cluster.proxy.watch_address, clock
        self.positions = {}
        # The time at which they were seen, and their lease.
        self.seen = []
        self.ends = threading.Event()

    def read(self):
        known = ", ".join(f"({key[0]}::bigint, {key[1]}::bigint, {position}::bigint)" for key, position in
                          (self.positions or {(0, 0): 0}).items())
        try:
            rows = postgres.query(self.address, self.STATEMENT.format(known=known), database="perennial", timeout=1.0)
        except (OSError, postgres.DatabaseError):
            return
        for environment, app, position, count in rows:
            self.positions[environment, app] = int(position)
            if int(count) > 0:
                self.seen.append((self.clock(), f"renewals/{environment}/0"))

    def run(self):
        while not self.ends.wait(LEASE_SECONDS):
            self.read()
