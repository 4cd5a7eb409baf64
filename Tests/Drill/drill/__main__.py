"""The command line: python3 -m drill (Tests/Drill/run, which enters the namespaces first)."""

import argparse
import os
import random
import shutil
import signal
import sys
import tempfile
import time

from . import faults, report
from .cluster import ClusterFailed
from .commands import CommandFailed
from .drill import Drill
from .nodes import NodeFailed

PAIRS = 3


def options():
    parser = argparse.ArgumentParser(prog="Tests/Drill/run", description="Rehearses failures of a store on PostgreSQL (docs/drill.md).")
    parser.add_argument("--seed", type=int, help="draws order, victims and directions; invented and printed if left out")
    parser.add_argument("--long", action="store_true", help="all faults, for longer; otherwise " + ", ".join(faults.SHORT))
    parser.add_argument("--faults", help="these only, in this order; two at once with + between them, pair draws two: " +
                        ", ".join(sorted(faults.ALL)))
    parser.add_argument("--for", type=float, dest="minutes", help="goes on with drawn faults for so many minutes")
    parser.add_argument("--direct", action="store_true", help="nodes find the primary themselves, without haproxy")
    parser.add_argument("--no-exercise", action="store_true", help="without perennial exercise and perennial check")
    parser.add_argument("--keep", action="store_true", help="keep the folder with all logs")
    arguments = parser.parse_args()
    unknown = set((arguments.faults or "").replace("+", ",").split(",")) - set(faults.ALL) - {"", "pair"}
    if unknown:
        parser.error(f"no such fault: {', '.join(sorted(unknown))}")
    return arguments


def plan(arguments, chance):
    """Yields the faults' names: those asked for, the short form's or all in a drawn order, then more of them while there is time."""
    if arguments.faults:
        names = arguments.faults.split(",")
    else:
        names = list(faults.ALL if arguments.long else faults.SHORT)
        names += ["pair"] * PAIRS if arguments.long else []
        chance.shuffle(names)
    yield from names
    deadline = time.monotonic() + 60 * (arguments.minutes or 0)
    while time.monotonic() < deadline:
        yield chance.choice(names)


def main():
    arguments = options()
    seed = random.SystemRandom().randrange(1, 1_000_000) if arguments.seed is None else arguments.seed
    chance = random.Random(seed)
    report.say(f"Seed {seed}.")
    # In memory where there is room: the drill's disks needn't wait for a real one.
    room = "/dev/shm" if os.path.isdir("/dev/shm") and shutil.disk_usage("/dev/shm").free > 3 << 30 else None
    folder = tempfile.mkdtemp(prefix="perennial-drill-", dir=room)
    os.chmod(folder, 0o755)
    # A command in the background is started with SIGINT ignored.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    drill, is_good = None, False
    try:
        try:
            drill = Drill(folder, seed, chance, arguments.direct)
        except CommandFailed as error:
            report.fail(f"The drill can't run here: {error}")
            return 2
        drill.start(exercised=not arguments.no_exercise)
        for name in plan(arguments, chance):
            drill.rehearse(faults.make(name, drill, chance, arguments.long))
        drill.finish()
        report.say("\n" + report.table(drill.rows) + "\n")
        is_good = not drill.broken
        for sentence in drill.broken:
            report.fail(f"BROKEN: {sentence}")
        report.say(f"Every rule held in {drill.clock():.0f} s." if is_good else
                   f"{len(drill.broken)} rules were broken. The same faults again: Tests/Drill/run --seed {seed}" +
                   (" --long" if arguments.long else ""))
    except (ClusterFailed, NodeFailed) as error:
        report.fail(f"The drill couldn't go on: {error}")
        return 3
    finally:
        if drill:
            drill.close()
        if arguments.keep or not is_good:
            # The disks' images are sparse, and unmounted with the namespace.
            report.say(f"Logs: {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    return 0 if is_good else 1


sys.exit(main())
