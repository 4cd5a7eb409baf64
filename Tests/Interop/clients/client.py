"""What the programs of this folder share: each runs one client of the App Store Connect API, unmodified, in its own virtual
environment, and prints what the client read."""

import csv
import io
import json
import os
import subprocess
import sys
from decimal import Decimal

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from hosts import Network


class Store:
    """The store that the client asks, as the test describes it on standard input."""

    def __init__(self, network=Network):
        self.given = given = json.load(sys.stdin)
        # The environment's base URL, under Apple's host name.
        self.url = given["url"]
        self.app = given["app"]
        self.vendor = given["app"]["vendorNumber"]
        self.days = given.get("days", [])
        self.month = given.get("month")
        self.app_id = str(given["app"]["appAppleId"])
        self.folder = given.get("folder")
        self.key = given["app"]["connectAPIKey"]
        with open(self.key["privateKey"]) as file:
            self.private_key = file.read()
        self.network = network(given["tls"])

    def __enter__(self):
        self.network.__enter__()
        return self

    def __exit__(self, *error):
        self.network.__exit__(*error)

    def console(self, script, *words):
        """Runs a console script of the client. Returns its exit code and what it printed. The network must be a tunnel."""
        key = self.key
        environment = {
            **os.environ, "HOME": self.folder, "COLUMNS": "240", "NO_COLOR": "1", "TERM": "dumb", "ASC_REQUEST_TIMEOUT": "240",
            "ASC_ISSUER_ID": key["issuerId"], "ASC_KEY_ID": key["keyId"], "ASC_PRIVATE_KEY_PATH": key["privateKey"],
            "APP_STORE_CONNECT_ISSUER_ID": key["issuerId"], "APP_STORE_CONNECT_KEY_IDENTIFIER": key["keyId"],
            "APP_STORE_CONNECT_PRIVATE_KEY": self.private_key}
        done = subprocess.run(
            [os.path.join(os.path.dirname(sys.executable), script), *words], cwd=self.folder, env=environment,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
        return {"code": done.returncode, "output": done.stdout, "errors": done.stderr}


def table(text):
    """The rows of a tab-separated file."""
    return list(csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE))


def add(totals, key, amount):
    totals[key] = str(Decimal(totals.get(key, "0")) + Decimal(amount))


def sales(text, totals):
    """Adds the units of each product and the proceeds of each currency."""
    for row in table(text):
        add(totals["units"], row["SKU"].strip(), row["Units"])
        add(totals["proceeds"], row["Currency of Proceeds"], Decimal(row["Units"]) * Decimal(row["Developer Proceeds"]))


def finance(text, totals):
    """Adds the partner share of each currency, of the rows above the totals."""
    lines = text.split("\n")
    start = next(index for index, line in enumerate(lines) if line.startswith("Start Date"))
    end = next(index for index, line in enumerate(lines) if line.startswith("Total_"))
    for row in table("\n".join(lines[start:end])):
        add(totals["partnerShare"], row["Partner Share Currency"], row["Extended Partner Share"])


def totals():
    return {"units": {}, "proceeds": {}, "partnerShare": {}}
