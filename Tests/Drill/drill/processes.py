"""Processes of the drill: started with a log of their own, paused, killed, and ended in any case."""

import os
import signal
import subprocess
import time

STOPS_WITHIN_SECONDS = 12


def as_user(name):
    """Returns the start of a command that runs the rest as another user; PostgreSQL refuses to run as root."""
    return ["setpriv", f"--reuid={name}", f"--regid={name}", "--init-groups"]


class Process:
    """A child process; starts again with the same command."""

    def __init__(self, name, command, log, environment=None):
        self.name = name
        self.command = [str(part) for part in command]
        self.log = log
        self.environment = environment
        self.child = None
        self.is_paused = False

    def start(self):
        with open(self.log, "ab") as log:
            self.child = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                          env={**os.environ, **(self.environment or {})}, start_new_session=True,
                                          # Other users have to be able to enter it.
                                          cwd=os.path.dirname(self.log))
        self.is_paused = False

    @property
    def is_running(self):
        return self.child is not None and self.child.poll() is None

    def signal(self, number):
        if self.is_running:
            os.killpg(self.child.pid, number)

    def pause(self):
        self.signal(signal.SIGSTOP)
        self.is_paused = True

    def resume(self):
        self.signal(signal.SIGCONT)
        self.is_paused = False

    def kill(self):
        self.signal(signal.SIGKILL)
        if self.child:
            self.child.wait()

    def stop(self):
        """Asks the process to end, and kills it if it doesn't in time."""
        if self.is_paused:
            self.resume()
        self.signal(signal.SIGTERM)
        deadline = time.monotonic() + STOPS_WITHIN_SECONDS
        while self.is_running and time.monotonic() < deadline:
            time.sleep(0.05)
        self.kill()

    def end_of_log(self, lines=20):
        with open(self.log, errors="replace") as log:
            return "".join(log.readlines()[-lines:])


def processes_below(name):
    """Lists the IDs of processes whose command line begins with a word."""
    found = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/cmdline", "rb") as file:
                if file.read().decode(errors="replace").startswith(name):
                    found.append(int(entry))
        except OSError:
            pass
    return found
