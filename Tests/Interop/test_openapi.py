"""schemathesis against a running store: what /openapi.json allows is accepted, and every answer is one it describes."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.request
import uuid

from perennial import ARCHIVE, BUNDLE_ID, CATALOG, FILM, FILTER, MAGAZINE, StoreTestCase

HERE = os.path.dirname(os.path.abspath(__file__))
# The seed of the generated requests, their number for each operation, and the bound of all runs together.
SEED, EXAMPLES, WITHIN_SECONDS = 1, {"positive": 25, "negative": 10}, 240
# Operations that end what the others need: they come last, each in a run of its own, in this order.
LAST = ("deleteStoreV1DevicesCurrent", "postControlV1Reset")
DESCRIBED = (
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
    "response_schema_conformance",
)
# What is checked of requests that the schema allows, and of those that it excludes.
CHECKS = {
    "positive": (*DESCRIBED, "positive_data_acceptance", "ignored_auth"),
    "negative": (*DESCRIBED, "negative_data_rejection"),
}
# The first request ends the session of the operation's token, so there is no second one.
ONCE = ("deleteStoreV1DevicesCurrent",)
# A password costs a core a good part of a second.
SLOW = ("postControlV1Accounts", "postStoreV1Devices", "postDeliveryV1CustomersSession")
# What schemathesis takes for an accepted request, by default and for a purchase: a card may be declined. 401 isn't one:
# each request has the token of its operation. Operations without one may refuse a password.
ACCEPTED = ["2xx", "3xx", "402", "403", "404", "409", "429", "503"]
# The protocols that the document describes.
PROTOCOLS = {"store/v1", "control/v1", "delivery/v1"}
CUSTOMER = {"bundleId": BUNDLE_ID, "customer": "greta", "password": "a password of greta's"}


class OpenAPITestCase(StoreTestCase):
    """One store for all requests of a kind: what one does, another one meets."""

    @classmethod
    def setUpClass(cls):
        # A copy: the store keeps uploads beside the files that it delivers.
        cls.content = tempfile.mkdtemp(prefix="perennial-content-")
        cls.addClassCleanup(shutil.rmtree, cls.content, ignore_errors=True)
        shutil.copytree(os.path.join(os.path.dirname(CATALOG), "content"), cls.content, dirs_exist_ok=True)
        cls.options = ("--content", cls.content)
        super().setUpClass()

    def run_operations(self, generation):
        with urllib.request.urlopen(f"{self.store.ready['url']}/openapi.json", timeout=30) as response:
            document = json.load(response)
        operations = [item for path in document["paths"].values() for item in path.values()]
        self.assertLessEqual(PROTOCOLS, {tag for o in operations for tag in o["tags"]})
        everywhere = [o["operationId"] for o in operations if "servers" not in o]
        process = [o["operationId"] for o in operations if "servers" in o]
        self.assertGreater(len(everywhere), 60)
        self.assertGreater(len(process), 10)
        environment = dict(os.environ, SCHEMATHESIS_HOOKS="openapi_hooks", PYTHONPATH=HERE)
        environment["PERENNIAL_NAMES"] = json.dumps(self.names())
        environment["PERENNIAL_GENERATION"] = generation
        sandbox = self.store.ready["environments"]["Sandbox"]
        runs = [
            (sandbox, [o for o in everywhere if o not in LAST]), (self.store.ready["url"], process),
            *((sandbox, [name]) for name in LAST),
        ]
        # Every operation of every path is in one run, which selects all that are named.
        self.assertEqual(sorted(o["operationId"] for o in operations), sorted(name for _, run in runs for name in run))
        with tempfile.TemporaryDirectory() as folder:
            settings = os.path.join(folder, "schemathesis.toml")
            with open(settings, "w") as file:
                file.write(self.settings(operations, generation))
            for url, names in runs:
                self.run_schemathesis(url, names, CHECKS[generation], settings, environment)

    def run_schemathesis(self, url, names, checks, settings, environment):
        command = [
            os.path.join(os.path.dirname(sys.executable), "schemathesis"), "--config-file", settings, "run",
            f"{self.store.ready['url']}/openapi.json", "--url", url, "--checks", ",".join(checks),
        ]
        for name in names:
            command += ["--include-operation-id", name]
        done = subprocess.run(
            command, env=environment, cwd=os.path.dirname(settings), capture_output=True, text=True,
            timeout=WITHIN_SECONDS)
        self.assertEqual(done.returncode, 0, done.stdout[-20_000:] + done.stderr[-2_000:])
        self.assertIn(f"{len(names)} selected", done.stdout)

    def settings(self, operations, generation):
        """schemathesis.toml"""
        tokens = {
            "controlToken": self.store.ready["controlToken"], "operatorToken": self.store.ready["controlToken"],
            "deviceToken": self.device, "deliveryToken": self.customer, "grant": self.grant,
        }
        # A scheme without a token would be answered with 401.
        needed = {scheme for o in operations for need in o.get("security", []) for scheme in need}
        self.assertLessEqual(needed, set(tokens))
        lines = [
            f"seed = {SEED}", "workers = 1", "continue-on-failure = true", 'color = false', "request-timeout = 30",
            "[generation]", f'mode = "{generation}"', f"max-examples = {EXAMPLES[generation]}", 'database = "none"',
            "no-shrink = true",
            "[phases.examples]", "enabled = false", "[phases.coverage]", "enabled = false", "[phases.stateful]",
            "enabled = false", "[checks.positive_data_acceptance]",
            f"expected-statuses = {json.dumps(ACCEPTED)}",
        ]
        for scheme, token in tokens.items():
            lines += [f"[auth.openapi.{scheme}]", f'bearer = "{token}"']
        refusing = [o["operationId"] for o in operations if "security" not in o and "401" in o["responses"]]
        for name in sorted({*refusing, *SLOW, *ONCE}):
            lines += ["[[operations]]", f'include-operation-id = "{name}"']
            if name in SLOW or name in ONCE:
                lines.append(f"generation.max-examples = {1 if name in ONCE else 2}")
            if name in refusing:
                lines += [
                    "[operations.checks.positive_data_acceptance]",
                    f'expected-statuses = {json.dumps([*ACCEPTED, "401"])}',
                ]
        return "\n".join(lines) + "\n"

    def names(self):
        """Names of what there is, for the hooks; makes it first."""
        device = str(uuid.uuid4())
        session = self.post(
            f"{self.store.ready['environments']['Sandbox']}/store/v1/devices",
            {"account": "ann", "deviceId": device, "bundleId": BUNDLE_ID, "applicationVersion": "3.2"})
        self.device = session["token"]
        receipt = self.store.buy(FILTER, account="greta")["appReceipt"]
        delivery = f"{self.store.ready['url']}/delivery/v1"
        self.customer = self.post(f"{delivery}/customers/session", CUSTOMER)["token"]
        granted = self.post(f"{delivery}/grants", {"bundleId": BUNDLE_ID, "receipt": receipt}, self.customer)
        self.grant, contents = granted["grant"], [content["contentId"] for content in granted["content"]]
        self.assertEqual(contents, ["filter-silver"])
        film = self.store.buy(FILM)["transactionId"]
        plan = self.store.buy(MAGAZINE)["originalTransactionId"]
        family = self.store.control("families", {"organizer": "olivia", "members": ["ben"]})["id"]
        key = self.store.control(f"apps/{BUNDLE_ID}/keys", {"kind": "promotionalOffer"})["keyId"]
        closed = "http://127.0.0.1:9/notifications"
        self.store.control(f"apps/{BUNDLE_ID}/notifications", {"url": closed}, method="PUT")
        notification = self.store.control(f"apps/{BUNDLE_ID}/notifications/test", {})["notificationUUID"]
        self.store.buy(FILM, account="ann", idempotencyKey="once")
        return {
            "fields": {
                "bundleId": [BUNDLE_ID], "productId": [FILM, FILTER, ARCHIVE, MAGAZINE], "account": ["ann", "ben"],
                "organizer": ["ann"], "keyId": [key], "uuid": [notification], "key": ["once"], "url": [closed],
                "contentId": contents, "receipt": [receipt],
            },
            "consumables": [FILM], "subscription": MAGAZINE, "later": "2099-01-01T00:00:00Z",
            "revision": self.get(f"{self.store.ready['environments']['Sandbox']}/store/v1/transactions/revoked")["revision"],
            "paths": {"/transactions/": [film, plan], "/subscriptions/": [plan], "/families/": [family]},
        }

    def get(self, url):
        request = urllib.request.Request(url, headers={"Authorization": f"Bearer {self.device}"})
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)

    def post(self, url, body, token=None):
        headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
        request = urllib.request.Request(url, data=json.dumps(body).encode(), headers=headers)
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)


class AllowedRequests(OpenAPITestCase):
    def test_requests_are_accepted_and_answered_as_described(self):
        self.run_operations("positive")


class ExcludedRequests(OpenAPITestCase):
    def test_requests_that_the_schema_excludes_are_refused_as_described(self):
        self.run_operations("negative")
