"""Nodes of the store: `perennial serve` on machines of their own, all on one database."""

import glob
import http.client
import json
import os
import shutil
import time
import urllib.error
import urllib.request

from .commands import CommandFailed
from .processes import Process

CATALOG = os.path.join(os.path.dirname(__file__), "..", "..", "..", "Examples", "Magazine", "catalog.yaml")
PORT = 8080
READY_WITHIN_SECONDS = 60


class NodeFailed(Exception):
    """A node didn't become ready."""


class Node:
    """A machine with `perennial serve`. Its clock can be set wrong while it runs, with libfaketime."""

    def __init__(self, machine, folder, database_url):
        self.machine = machine
        self.name = machine.name
        self.data = os.path.join(folder, machine.name)
        self.ready_file = os.path.join(folder, f"{machine.name}.json")
        self.clock_file = os.path.join(folder, f"{machine.name}.clock")
        self.set_clock(0)
        library = glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")
        if not library:
            raise CommandFailed("libfaketime isn't installed, which sets a node's clock wrong: make drill installs it.")
        environment = {"TZ": "UTC", "LD_PRELOAD": library[0], "FAKETIME_TIMESTAMP_FILE": self.clock_file,
                       "FAKETIME_CACHE_DURATION": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
        self.process = Process(machine.name, machine.inside([
            os.environ["PERENNIAL"], "serve", "--host", machine.address, "--port", PORT, "--data", self.data,
            "--database", database_url, "--catalog", os.path.abspath(CATALOG), "--ready-file", self.ready_file,
            "--allow-outbound", "any", "--no-console", "--log-level", "notice"]),
            os.path.join(folder, f"{machine.name}.log"), environment)

    @property
    def url(self):
        return f"http://{self.machine.address}:{PORT}"

    def set_clock(self, seconds):
        """Moves the node's wall clock from the right time, within a second."""
        with open(self.clock_file + ".new", "w") as file:
            file.write(f"{seconds:+d}s\n")
        os.rename(self.clock_file + ".new", self.clock_file)

    def start(self):
        if os.path.exists(self.ready_file):
            os.remove(self.ready_file)
        self.process.start()

    def await_ready(self, within=READY_WITHIN_SECONDS):
        deadline = time.monotonic() + within
        while not os.path.exists(self.ready_file):
            if not self.process.is_running or time.monotonic() > deadline:
                raise NodeFailed(f"{self.name} did not become ready:\n{self.process.end_of_log()}")
            time.sleep(0.05)
        with open(self.ready_file) as file:
            self.token = json.load(file)["controlToken"]

    def run_again(self, within=READY_WITHIN_SECONDS):
        """Starts the node until it is ready, as a service manager does: one that can't reach its database may end."""
        deadline = time.monotonic() + within
        while True:
            self.start()
            try:
                return self.await_ready(max(0.0, deadline - time.monotonic()))
            except NodeFailed:
                if time.monotonic() > deadline or self.process.is_running:
                    raise
                time.sleep(1)

    def ask(self, method, path, body=None, timeout=20):
        """Sends a request of the operator's and returns the answer's JSON."""
        request = urllib.request.Request(f"{self.url}/{path}", method=method, headers={"Authorization": f"Bearer {self.token}"},
                                         data=None if body is None else json.dumps(body).encode())
        if body is not None:
            request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            return json.loads(answer.read() or b"null")


    def commits(self):
        """Reads how many transactions wrote since the node started, and how many writes shared them; nothing without an answer."""
        try:
            with urllib.request.urlopen(f"{self.url}/metrics", timeout=5) as answer:
                lines = dict(line.rsplit(" ", 1) for line in answer.read().decode().splitlines() if not line.startswith("#"))
            return tuple(float(lines[f"perennial_postgres_{name}_total"]) for name in ("commits", "committed_writes"))
        except (OSError, ValueError, KeyError, http.client.HTTPException):
            return None


def start_nodes(nodes):
    """Starts the first node, gives its keys to the others, and starts them."""
    first, *others = nodes
    first.start()
    first.await_ready()
    for node in others:
        shutil.copytree(first.data, node.data)
        node.start()
    for node in others:
        node.await_ready()
