"""Faults of a node of the store."""

import time

from .. import postgres
from .fault import Fault

CATCH_ATTEMPTS = 60


class NodeKilled(Fault):
    """A node's process ends at once, and is started again later."""

    name = "node-killed"
    says = "a node is killed"
    seconds = (8, 15)
    stops_nodes = True

    def begin(self):
        for node in self.victims:
            node.process.kill()

    def end(self):
        for node in self.victims:
            node.run_again()


class NodePaused(Fault):
    """A node doesn't go on, and goes on later as if nothing had been: its leases are others' by then, its transactions ended.

    It is paused in the middle of a transaction, if it can be caught in one: its locks are in everyone's way.
    """

    name = "node-paused"
    says = "a node is paused"
    seconds = (9, 60)
    stops_nodes = True

    def begin(self):
        *others, last = self.victims
        for node in others:
            node.process.pause()
        address = self.cluster.primary().machine.watch_address
        with postgres.Connection(address, database="perennial") as connection:
            for _ in range(CATCH_ATTEMPTS):
                last.process.pause()
                self.stopped_at = self.drill.clock()
                # What it has sent is done by then, and other nodes don't leave a transaction idle for so long.
                time.sleep(0.03)
                if connection.query("SELECT 1 FROM pg_stat_activity WHERE state = 'idle in transaction' "
                                    "AND state_change < clock_timestamp() - interval '20 ms'"):
                    self.says = "a node is paused in a transaction"
                    return
                last.process.resume()
                time.sleep(self.chance.uniform(0.005, 0.05))
        last.process.pause()
        self.stopped_at = self.drill.clock()

    def end(self):
        for node in self.victims:
            node.process.resume()


class ClockWrong(Fault):
    """A node's wall clock is wrong by an hour, in one direction or the other."""

    name = "clock-wrong"
    seconds = (10, 25)

    def choose(self):
        self.by = self.chance.choice((-3600, 3600))
        self.says = f"a node's clock is {'fast' if self.by > 0 else 'slow'} by an hour"
        return [self.chance.choice(self.nodes)]

    def begin(self):
        for node in self.victims:
            node.set_clock(self.by)

    def end(self):
        for node in self.victims:
            node.set_clock(0)
