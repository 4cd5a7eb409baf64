"""Two faults at once: one of the databases or the network, and one of a node."""

from .fault import Fault


class Pair(Fault):
    """Begins with the first fault and ends with the second. `make` draws which two."""

    name = "pair"

    def __init__(self, first, second):
        self.first, self.second = first, second
        self.drill, self.cluster, self.nodes = first.drill, first.cluster, first.nodes
        self.says = f"{first.describe()}, and {second.describe()}"
        self.victims = first.victims + [node for node in second.victims if node not in first.victims]
        self.duration = max(first.duration, second.duration)
        self.stops_sales = first.stops_sales or second.stops_sales
        self.fails_over = first.fails_over or second.fails_over
        self.stops_nodes = first.stops_nodes or second.stops_nodes
        # While the database takes no writes, the others can't take leases over either.
        self.moves_leases = False

    def aim(self, leases, busy):
        """The second fault has its victim already."""

    def describe(self):
        return self.says

    def prepare(self):
        self.first.prepare()
        self.second.prepare()

    def begin(self):
        self.second.begin()
        self.first.begin()

    def during(self):
        self.first.during()
        self.second.during()

    def end(self):
        self.first.end()
        self.second.end()
