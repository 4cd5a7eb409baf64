"""Prints what happened as it happens, and the table at the end."""

import sys

HEADINGS = ("fault", "lasted", "database stood", "sales stood", "nodes back", "leases moved", "renewed", "writes a commit", "sold", "503", "slowest", "")


def seconds(value):
    return "–" if value is None else "never" if value == float("inf") else f"{value:.1f} s"


def row(figures, broken):
    """Returns the cells of a fault's row."""
    return (figures.fault.describe(), seconds(figures.end - figures.begin), seconds(figures.database_pause), seconds(figures.sales_pause),
            seconds(max(figures.node_recovery.values())), seconds(figures.leases), seconds(figures.renewal),
            "–" if figures.writes is None else f"{figures.writes:.2f}", str(len(figures.sold)), str(figures.refused),
            seconds(figures.slowest), "BROKEN" if broken else "ok")


def say(text):
    print(text, flush=True)


def table(rows):
    """Aligns rows below the headings, as Markdown that is readable as it is."""
    cells = [HEADINGS, *rows]
    widths = [max(len(line[column]) for line in cells) for column in range(len(HEADINGS))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths)) + " |" for line in cells]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


def fail(text):
    print(text, file=sys.stderr, flush=True)
