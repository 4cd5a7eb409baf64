"""Runs the system's tools, and says what they said when they fail."""

import subprocess


class CommandFailed(Exception):
    """A tool ended with another exit code than 0."""


def run(*command, check=True, timeout=60, **options):
    """Runs a command to its end and returns its standard output."""
    result = subprocess.run([str(part) for part in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, timeout=timeout, **options)
    if check and result.returncode != 0:
        said = (result.stderr or result.stdout).strip().splitlines()
        raise CommandFailed(f"{' '.join(map(str, command))}: {said[-1] if said else f'exit code {result.returncode}'}")
    return result.stdout
