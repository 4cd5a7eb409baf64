"""Disks of the database machines: ext4 in files, or in memory where files can't be mounted, small enough to be filled."""

import os

from .commands import CommandFailed, run

MEGABYTE = 1 << 20


class Disk:
    """A file system of its own size. It is unmounted with the drill's namespace, however that ends."""

    def __init__(self, place, megabytes, owner):
        self.place = place
        self.ballast = os.path.join(place, "ballast")
        os.mkdir(place)
        image = place + ".img"
        with open(image, "wb") as file:
            file.truncate(megabytes * MEGABYTE)
        try:
            run("mkfs.ext4", "-q", "-m", "0", "-E", "lazy_itable_init=0,lazy_journal_init=0", image)
            run("mount", "-o", "loop", image, place)
        except CommandFailed:
            run("mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", place)
        run("chown", owner, place)

    @property
    def free_bytes(self):
        state = os.statvfs(self.place)
        return state.f_bavail * state.f_frsize

    def fill(self, leaving=0):
        """Takes all space but some bytes, over and over if what is full frees some: call it repeatedly."""
        with open(self.ballast, "ab") as file:
            block = b"\1" * 65536
            try:
                while self.free_bytes > leaving + len(block):
                    file.write(block)
                    file.flush()
                while self.free_bytes > leaving:
                    file.write(block[:4096])
                    file.flush()
            except OSError:
                pass

    def empty(self):
        if os.path.exists(self.ballast):
            os.remove(self.ballast)
