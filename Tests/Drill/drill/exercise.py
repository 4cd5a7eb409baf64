"""`perennial exercise` beside the faults, and `perennial check` on what it recorded."""

import os
import signal
import subprocess

from .network import DRILL_ADDRESS
from .processes import Process

SETTLES_WITHIN_SECONDS = 60


def is_supported():
    """Whether the program has the two commands."""
    return subprocess.run([os.environ["PERENNIAL"], "exercise", "--help"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True).stdout.find("--history") >= 0


class Exercise:
    """Clients that buy, renew, refund and read at all nodes, and record what they were told."""

    def __init__(self, nodes, folder, seed, clock, clients=3, name=None, receives=True):
        name = name or clock
        self.history = os.path.join(folder, f"exercise-{name}.jsonl")
        self.is_stopped = False
        notifications = ["--receiver", f"{DRILL_ADDRESS}:0"] if receives else ["--without-notifications"]
        self.process = Process(f"exercise {name}", [
            os.environ["PERENNIAL"], "exercise", *(node.url for node in nodes), "--token", nodes[0].token, "--seed", seed,
            "--clock", clock, "--environment", f"Exercise-{name}", "--for", 36000, "--clients", clients,
            "--settle", SETTLES_WITHIN_SECONDS, *notifications, "--history", self.history],
            os.path.join(folder, f"exercise-{name}.log"))

    def stop(self):
        """Ends it as if its time were over: it reads everything until nothing changes any more."""
        if self.is_stopped:
            return
        self.is_stopped, self.was_running = True, self.process.is_running
        self.process.signal(signal.SIGTERM)

    def finish(self):
        """Waits for its end, and returns what went wrong with recording."""
        try:
            code = self.process.child.wait(SETTLES_WITHIN_SECONDS + 30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = -1
        if not self.was_running or code != 0:
            return [f"{self.process.name} ended with {code}: {self.process.end_of_log(3).strip()}"]
        return []

    def check(self):
        """Returns the decision in words, and whether every rule held."""
        result = subprocess.run([os.environ["PERENNIAL"], "check", self.history], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True)
        return result.stdout.strip(), result.returncode == 0
