"""Faults by name. Each has a beginning and an end; between them the drill waits, afterwards it expects everything to work again."""

from . import databases, disks, networks, nodes
from .pairs import Pair

ALL = {fault.name: fault for fault in (
    databases.PrimaryKilled, databases.PrimaryKilledUnderLoad, databases.PrimaryMachineLost, databases.PrimaryHangs, databases.Switchover, databases.StandbyLost,
    databases.LongCheckpoint, databases.ConnectionsExhausted,
    networks.PrimaryCutOff, networks.PrimaryUnreachable, networks.DatabasesUnreachable, networks.SlowNetwork, networks.NodeCutOff,
    disks.DataDiskFull, disks.LogDiskFull,
    nodes.NodeKilled, nodes.NodePaused, nodes.ClockWrong)}
SHORT = ("primary-killed-under-load", "primary-cut-off", "node-paused")
OF_DATABASES = ("primary-killed", "primary-machine-lost", "primary-hangs", "primary-cut-off", "switchover", "standby-lost",
                "databases-unreachable")
OF_NODES = ("node-killed", "node-paused", "node-cut-off", "clock-wrong")


def make(name, drill, chance, is_long):
    """Makes a fault by its name; `pair` draws two, `one+other` names them."""
    if name == "pair":
        name = f"{chance.choice(OF_DATABASES)}+{chance.choice(OF_NODES)}"
    if "+" in name:
        return Pair(*(ALL[part](drill, chance, is_long) for part in name.split("+")))
    return ALL[name](drill, chance, is_long)
