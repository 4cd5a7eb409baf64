"""Carries Ethernet frames between two TAP devices, with a delay: what netem does, for kernels without it.

    wire.py DEVICE DEVICE DELAY-MILLISECONDS JITTER-MILLISECONDS LOSS
"""

import fcntl
import heapq
import os
import random
import select
import struct
import sys
import time

SET_INTERFACE = 0x400454CA
TAP_WITHOUT_HEADER = 0x0002 | 0x1000
LONGEST_FRAME = 65536


def attach(name):
    """Opens an existing TAP device."""
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, SET_INTERFACE, struct.pack("16sH22x", name.encode(), TAP_WITHOUT_HEADER))
    return device


def carry(ends, delay, jitter, loss):
    """Carries frames until the process ends. Frames of one direction keep their order, as on a real line."""
    waiting, count = [], 0
    newest = {ends[0]: 0.0, ends[1]: 0.0}
    other = {ends[0]: ends[1], ends[1]: ends[0]}
    while True:
        wait = None if not waiting else max(0.0, waiting[0][0] - time.monotonic())
        for end in select.select(ends, [], [], wait)[0]:
            try:
                frame = os.read(end, LONGEST_FRAME)
            except BlockingIOError:
                continue
            if random.random() < loss:
                continue
            due = max(newest[end], time.monotonic() + delay + random.uniform(-jitter, jitter))
            newest[end] = due
            count += 1
            heapq.heappush(waiting, (due, count, other[end], frame))
        while waiting and waiting[0][0] <= time.monotonic():
            _, _, end, frame = heapq.heappop(waiting)
            try:
                os.write(end, frame)
            except OSError:
                pass


if __name__ == "__main__":
    devices = [attach(name) for name in sys.argv[1:3]]
    print("ready", flush=True)
    carry(devices, float(sys.argv[3]) / 1000, float(sys.argv[4]) / 1000, float(sys.argv[5]))
