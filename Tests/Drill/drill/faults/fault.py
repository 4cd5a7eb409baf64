"""What all faults have in common."""

# From the beginning of a failover to the first sale, whatever the cluster itself needs of it, or from the end of a fault in which
# nothing can be sold.
SALES_WITHIN_SECONDS = 15
# Anything else, such as a node that doesn't answer, may hold the others' sales up for so long, beyond the time in which the database
# takes no writes.
SALES_BESIDE_SECONDS = 5
# A node that doesn't answer, until others have its work.
LEASES_WITHIN_SECONDS = 5
# Until one of them has renewed a subscription: the lease moves, and a renewal is due about every second.
RENEWALS_WITHIN_SECONDS = 15


class Fault:
    """A failure of one thing. `seconds` is how long it lasts, in the short and in the long form."""

    name = ""
    says = ""
    seconds = (5, 5)
    # Whether the standby takes over, or commits wait until it is known to be gone.
    fails_over = False
    # Whether the store can't sell until the fault ends: then it has to answer so, and sell after the end.
    stops_sales = False
    # Whether a node doesn't answer meanwhile, so that the others take its work.
    stops_nodes = False
    # Whether the others can take it over: the database takes writes.
    moves_leases = True
    # Writes that have to share a commit on average, if the fault brings its own load.
    least_writes = 0.0
    # When the last node stopped, if that was after the fault's beginning.
    stopped_at = 0.0

    def __init__(self, drill, chance, is_long):
        self.drill, self.cluster, self.nodes = drill, drill.cluster, drill.nodes
        self.chance = chance
        self.duration = self.seconds[1 if is_long else 0]
        self.victims = self.choose()

    def choose(self):
        """Returns the nodes that the fault affects directly."""
        return [self.chance.choice(self.nodes)] if self.stops_nodes else []

    def aim(self, leases, busy):
        """Affects the node that renews subscriptions, if the fault stops a node: its work has to go on elsewhere.

        `busy` has the leases under which subscriptions were just renewed.
        """
        holders = {process for lease, process in leases.items() if lease in busy}
        renewing = [node for node in self.nodes if node.process.child.pid in holders]
        if self.stops_nodes and len(self.victims) == 1 and renewing and self.victims[0] not in renewing:
            self.victims = [self.chance.choice(renewing)]

    def note_processes(self):
        """Remembers the processes that will not answer, by whose IDs the leases' table knows them."""
        self.victim_processes = [node.process.child.pid for node in self.victims]

    def describe(self):
        target = f" ({', '.join(node.name for node in self.victims)})" if self.victims else ""
        return self.says + target

    def prepare(self):
        """Called in the calm before."""

    def begin(self):
        raise NotImplementedError

    def during(self):
        """Called twice a second between beginning and end."""

    def end(self):
        """Takes the fault away. What the store needs afterwards it does by itself."""
