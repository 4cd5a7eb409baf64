"""Machines of the drill: network namespaces on two bridges.

The nodes and the clients are on the front bridge, the databases, etcd and haproxy on the back one. The trunk joins the two: everything
between nodes and databases goes over it, and nothing else does, so that it can be slow or cut by itself. The drill watches the back machines over a second subnet of
theirs, which the trunk doesn't carry.
"""

import os
import subprocess
import sys

from .commands import CommandFailed, run

PREFIX = "10.77.0."
WATCH_PREFIX = "10.78.0."
DRILL_ADDRESS = PREFIX + "1"
NOWHERE = "02:00:00:00:00:ff"


class Machine:
    """A network namespace with an address; on the back bridge with a second one for the drill itself."""

    def __init__(self, name, number, bridge):
        self.name = name
        self.address = f"{PREFIX}{number}"
        self.bridge = bridge
        self.port = f"p-{name}"
        run("ip", "netns", "add", name)
        run("ip", "link", "add", self.port, "type", "veth", "peer", "name", "eth0", "netns", name)
        run("ip", "link", "set", self.port, "master", bridge, "up")
        self.ip("link", "set", "lo", "up")
        self.ip("link", "set", "eth0", "up")
        self.ip("address", "add", f"{self.address}/24", "dev", "eth0")
        self.watch_address = f"{WATCH_PREFIX}{number}" if bridge == "back" else self.address
        if bridge == "back":
            self.ip("address", "add", f"{self.watch_address}/24", "dev", "eth0")

    def ip(self, *command, check=True):
        return run("ip", "-n", self.name, *command, check=check)

    def inside(self, command):
        """Returns the command that runs another one on this machine. The file system stays the drill's."""
        return ["nsenter", f"--net=/run/netns/{self.name}", *command]

    def cut_off(self):
        """Loses every packet from and to the machine, without either side being told."""
        run("ip", "link", "set", self.port, "nomaster")

    def rejoin(self):
        run("ip", "link", "set", self.port, "master", self.bridge)

    def lose_packets_to(self, *others):
        """Loses every packet to some other machines."""
        for other in others:
            self.ip("neighbour", "replace", other.address, "lladdr", NOWHERE, "dev", "eth0", "nud", "permanent")

    def reach(self, *others):
        for other in others:
            self.ip("neighbour", "delete", other.address, "dev", "eth0", check=False)


class Trunk:
    """The link between the bridges. Its delay is the kernel's (netem), or that of a process between two TAP devices without netem."""

    def __init__(self, log):
        self.log = log
        self.wire = None
        run("ip", "link", "add", "trunk-f", "type", "veth", "peer", "name", "trunk-b")
        self.has_netem = self.netem("delay", "1ms")
        if self.has_netem:
            for end in ("trunk-f", "trunk-b"):
                run("tc", "qdisc", "del", "dev", end, "root")
        for end, bridge in (("trunk-f", "front"), ("trunk-b", "back")):
            run("ip", "link", "set", end, "master", bridge, "up")

    def netem(self, *parameters):
        try:
            for end in ("trunk-f", "trunk-b"):
                run("tc", "qdisc", "replace", "dev", end, "root", "netem", *parameters)
            return True
        except CommandFailed:
            return False

    def cut(self):
        run("ip", "link", "set", "trunk-f", "nomaster")

    def join(self):
        run("ip", "link", "set", "trunk-f", "master", "front")

    def slow_down(self, delay, jitter, loss):
        """Delays each packet by milliseconds, in either direction, and loses a part of them (0 to 1)."""
        if self.has_netem:
            self.netem("delay", f"{delay}ms", f"{jitter}ms", "loss", f"{loss * 100}%")
            return
        for device in ("wire-f", "wire-b"):
            run("ip", "tuntap", "add", "mode", "tap", device)
        script = os.path.join(os.path.dirname(__file__), "wire.py")
        with open(self.log, "ab") as log:
            self.wire = subprocess.Popen([sys.executable, script, "wire-f", "wire-b", str(delay), str(jitter), str(loss)],
                                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log)
        self.wire.stdout.readline()
        self.cut()
        for device, bridge in (("wire-f", "front"), ("wire-b", "back")):
            run("ip", "link", "set", device, "master", bridge, "up")

    def speed_up(self):
        if self.has_netem:
            for end in ("trunk-f", "trunk-b"):
                run("tc", "qdisc", "del", "dev", end, "root")
            return
        self.wire.kill()
        self.wire.wait()
        for device in ("wire-f", "wire-b"):
            run("ip", "link", "del", device)
        self.join()


class Network:
    """The bridges, the trunk, and the address of the drill itself, where clients and receivers of notifications are."""

    def __init__(self, folder):
        os.makedirs("/run/netns", exist_ok=True)
        run("mount", "-t", "tmpfs", "tmpfs", "/run/netns")
        run("mount", "--make-shared", "/run/netns")
        run("ip", "link", "set", "lo", "up")
        for bridge in ("front", "back"):
            run("ip", "link", "add", bridge, "type", "bridge")
            run("ip", "link", "set", bridge, "up")
        run("ip", "address", "add", f"{DRILL_ADDRESS}/24", "dev", "front")
        run("ip", "address", "add", f"{WATCH_PREFIX}1/24", "dev", "back")
        self.trunk = Trunk(os.path.join(folder, "wire.log"))
        self.count = 9

    def machine(self, name, bridge):
        self.count += 1
        return Machine(name, self.count, bridge)
