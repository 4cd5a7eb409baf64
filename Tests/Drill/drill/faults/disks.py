"""Full disks of the primary."""

import contextlib

from ..postgres import DatabaseError
from .fault import Fault

MEGABYTE = 1 << 20


class DataDiskFull(Fault):
    """Tables can't grow. PostgreSQL goes on and refuses what needs a new page."""

    name = "data-disk-full"
    says = "the primary's disk for tables is full"
    seconds = (10, 20)
    stops_sales = True

    def begin(self):
        self.database = self.cluster.primary()
        self.database.data_disk.fill()

    def during(self):
        self.database.data_disk.fill()

    def end(self):
        self.database.data_disk.empty()


class LogDiskFull(Fault):
    """The write-ahead log can't grow. PostgreSQL stops, and the standby takes its place."""

    name = "log-disk-full"
    says = "the primary's disk for the log is full"
    seconds = (12, 25)
    fails_over = True

    def begin(self):
        self.database = self.cluster.primary()
        self.database.log_disk.fill()
        with contextlib.suppress(ConnectionError, DatabaseError):
            # The server may end before it answers.
            self.database.query("SELECT pg_switch_wal()")

    def during(self):
        self.database.log_disk.fill()

    def end(self):
        self.database.log_disk.empty()
