"""Faults of the network: packets that are lost or late. Neither side is told."""

from .fault import Fault


class PrimaryCutOff(Fault):
    """The primary's machine reaches nothing, and nothing reaches it. Its patroni has to demote it by itself."""

    name = "primary-cut-off"
    says = "the primary is cut off"
    seconds = (16, 30)
    fails_over = True

    def begin(self):
        self.lost = self.cluster.primary()
        self.lost.machine.cut_off()

    def end(self):
        self.lost.machine.rejoin()


class PrimaryUnreachable(Fault):
    """The primary is alive and keeps its lease, but nodes can't reach it: no standby takes over, and nothing can be sold."""

    name = "primary-unreachable"
    says = "the nodes don't reach the primary, which lives"
    seconds = (10, 20)
    stops_sales = True

    def begin(self):
        self.lost = self.cluster.primary().machine
        self.others = [self.cluster.proxy, *(node.machine for node in self.nodes)]
        self.lost.lose_packets_to(*self.others)
        for other in self.others:
            other.lose_packets_to(self.lost)

    def end(self):
        self.lost.reach(*self.others)
        for other in self.others:
            other.reach(self.lost)


class DatabasesUnreachable(Fault):
    """The link between nodes and databases loses everything."""

    name = "databases-unreachable"
    says = "the link to the databases is cut"
    seconds = (10, 25)
    stops_sales = True

    def begin(self):
        self.drill.network.trunk.cut()

    def end(self):
        self.drill.network.trunk.join()


class SlowNetwork(Fault):
    """Packets between nodes and databases take 20 ms, 10 more or less, and one in a hundred is lost."""

    name = "slow-network"
    says = "the network is slow: 20 ms, 1 % lost"
    seconds = (10, 25)

    def begin(self):
        self.drill.network.trunk.slow_down(20, 10, 0.01)

    def end(self):
        self.drill.network.trunk.speed_up()


class NodeCutOff(Fault):
    """A node reaches nothing. Others take its work; what it did until then must not be done twice."""

    name = "node-cut-off"
    says = "a node is cut off"
    seconds = (10, 25)
    stops_nodes = True

    def begin(self):
        for node in self.victims:
            node.machine.cut_off()

    def end(self):
        for node in self.victims:
            node.machine.rejoin()
