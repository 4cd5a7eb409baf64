"""The run: cluster, nodes and sellers start, faults come one after the other, rules decide, everything ends."""

import time

from . import exercise, report, rules
from .cluster import Cluster
from .faults.fault import RENEWALS_WITHIN_SECONDS
from .network import Network
from .nodes import Node, start_nodes
from .sellers import APP, Seller
from .watch import DatabaseProbe, LeaseWatch, RenewalWatch

SELLERS_PER_NODE = 2
# How long the nodes get to sell again before the run gives up on them; the rule's limit is shorter.
RECOVERS_WITHIN_SECONDS = 45
CALM_SECONDS = 1.5
KEYS_PER_SELLER = 25


class Drill:
    """Everything that runs. `close` ends it in any case."""

    def __init__(self, folder, seed, chance, is_direct=False, node_count=3):
        self.folder, self.seed, self.chance = folder, seed, chance
        self.started = time.monotonic()
        self.history, self.rows, self.broken, self.affected = [], [], [], set()
        self.network = Network(folder)
        self.cluster = Cluster(self.network, folder)
        self.nodes = [Node(self.network.machine(f"node{number}", "front"), folder, self.cluster.url(is_direct))
                      for number in range(1, node_count + 1)]
        self.sellers, self.exercises = [], []

    def clock(self):
        return time.monotonic() - self.started

    def say(self, text):
        report.say(f"{self.clock():7.1f} s  {text}")

    def start(self, exercised=True):
        self.cluster.start()
        self.say(f"the cluster runs: {self.cluster.primary().machine.name} is the primary, the standby is synchronous")
        start_nodes(self.nodes)
        self.say(f"{len(self.nodes)} nodes run")
        self.probe = DatabaseProbe(self.cluster, self.clock)
        self.lease_watch = LeaseWatch(self.cluster, self.clock)
        self.lease_watch.read()
        self.renewal_watch = RenewalWatch(self.cluster, self.clock)
        self.sellers = [Seller(node, number, self.clock, lambda node: node in self.affected, self.history)
                        for node in self.nodes for number in range(1, SELLERS_PER_NODE + 1)]
        for seller in self.sellers:
            seller.sign_in()
        if exercised and exercise.is_supported():
            self.exercises = [exercise.Exercise(self.nodes, self.folder, self.seed, clock) for clock in ("manual", "real")]
            for each in self.exercises:
                each.process.start()
        for thread in (*self.sellers, *self.watches()):
            thread.start()
        self.say(f"{len(self.sellers)} sellers sell" + (", two exercises run" if self.exercises else
                                                        ""))

    def add_load(self, clients):
        """Starts clients that buy at one node as fast as they may; what they record is checked with the rest."""
        name = f"load-{len(self.exercises) + 1}"
        load = exercise.Exercise(self.nodes[:1], self.folder, self.seed, "manual", clients, name, receives=False)
        self.exercises.append(load)
        load.process.start()
        return load

    def commits(self):
        return [node.commits() for node in self.nodes]

    def watches(self):
        return self.probe, self.lease_watch, self.renewal_watch

    def busy_leases(self):
        return rules.busy_leases(self.renewal_watch.seen, self.clock())

    def await_that_renews(self):
        """Waits until a subscription is renewed, which is a while after the first was bought."""
        deadline = time.monotonic() + RENEWALS_WITHIN_SECONDS
        while not self.busy_leases() and time.monotonic() < deadline:
            time.sleep(0.2)

    def await_renewals(self, fault, begin):
        """Waits until others have renewed what a node did that was stopped, or until they had to."""
        stopped = max(begin, fault.stopped_at)
        while self.clock() < stopped + RENEWALS_WITHIN_SECONDS + 1:
            figures = self.figures(fault, begin, self.clock())
            if figures.renewal is None or figures.renewal != float("inf"):
                return
            time.sleep(0.2)

    def figures(self, fault, begin, end):
        return rules.Figures(fault, begin, end, self.clock(), self.history, self.probe.written, self.lease_watch.seen,
                             self.lease_watch.is_supported, self.renewal_watch.seen)

    def sold_since(self, moment):
        """Lists the names of nodes that sold something that was asked for after a moment."""
        return {request.node for request in reversed(self.history[-2000:]) if request.is_sold and request.begin >= moment}

    def await_sales(self, moment, within):
        """Waits until each node has sold something that was asked for after a moment; says whether they did."""
        deadline = time.monotonic() + within
        while len(self.sold_since(moment)) < len(self.nodes):
            if time.monotonic() > deadline:
                return False
            time.sleep(0.1)
        return True

    def rehearse(self, fault):
        """Does a fault, from calm to calm, and adds its row."""
        self.cluster.await_standby()
        if not self.await_sales(self.clock(), RECOVERS_WITHIN_SECONDS):
            self.broken.append(f"before {fault.name}: not all nodes sell")
        time.sleep(CALM_SECONDS)
        if self.exercises and fault.stops_nodes:
            self.await_that_renews()
        fault.aim(self.lease_watch.newest(), self.busy_leases())
        fault.note_processes()
        if fault.stops_nodes:
            self.affected = set(fault.victims)
        fault.prepare()
        before = self.commits()
        begin = self.clock()
        self.say(fault.describe())
        fault.begin()
        while self.clock() < begin + fault.duration:
            time.sleep(max(0.0, min(0.5, begin + fault.duration - self.clock())))
            fault.during()
        # Before the load ends with long writes of its own; a node that is stopped would keep other faults from ending.
        after = self.commits() if fault.least_writes else None
        fault.end()
        end = self.clock()
        self.await_sales(end, RECOVERS_WITHIN_SECONDS)
        self.affected = set()
        if fault.stops_nodes and fault.moves_leases:
            self.await_renewals(fault, begin)
        figures = self.figures(fault, begin, end)
        figures.writes = rules.writes_per_commit(before, after or self.commits())
        broken = rules.check_fault(figures)
        self.rows.append(report.row(figures, broken))
        for sentence in broken:
            self.say(f"  BROKEN: {sentence}")
        self.broken += [f"{fault.describe()}: {sentence}" for sentence in broken]

    def finish(self):
        """Stops the clients, and checks what the whole run must have kept."""
        self.cluster.await_standby()
        for each in self.exercises:
            each.stop()
        for each in self.exercises:
            self.broken += each.finish()
        for thread in (*self.sellers, *self.watches()):
            thread.ends.set()
        for thread in self.sellers:
            thread.join(30)
        self.say(f"{sum(request.is_sold for request in self.history)} purchases were acknowledged in {len(self.history)} requests")
        self.broken += rules.check_keys(self.history)
        self.broken += rules.check_kept(self.history, self.outcomes())
        journals = {node.name: self.journal(node) for node in self.nodes}
        self.say(f"the journal has {len(journals[self.nodes[0].name])} entries")
        self.broken += rules.check_journals(journals, self.history)
        for each in self.exercises:
            said, is_kept = each.check()
            self.say(f"{each.process.name}: {said}")
            if not is_kept:
                self.broken.append(f"{each.process.name}: {said}")

    def outcomes(self):
        """Asks another node than the one that sold for the transactions of some keys. The journal is asked about all sales."""
        outcomes = {}
        for seller in self.sellers:
            other = self.nodes[(self.nodes.index(seller.node) + 1) % len(self.nodes)]
            keys = sorted({request.key for request in self.history if request.is_sold and request.seller == seller.account})
            for key in self.chance.sample(keys, min(len(keys), KEYS_PER_SELLER)):
                status, value, _ = seller.send(other, "GET", f"purchases/{key}")
                outcomes[key] = value.get("transaction", {}).get("transactionId") if status == 200 else None
        return outcomes

    @staticmethod
    def journal(node):
        """Reads the app's journal, oldest first: position, kind, transaction."""
        entries, query = [], "position=1&limit=200"
        while True:
            page = node.ask("GET", f"sandbox/control/v1/apps/{APP}/journal?{query}")
            entries += [(entry["position"], entry["kind"], entry.get("transactionId", "")) for entry in page["entries"]]
            if "next" not in page:
                return entries
            query = f"position=1&limit=200&after={page['next']}"

    def close(self):
        for each in self.exercises:
            each.process.kill()
        for node in self.nodes:
            node.process.kill()
        self.cluster.stop()
