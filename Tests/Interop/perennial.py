"""A store of its own for each test class, and a network in which the App Store's names lead to it."""

import faulthandler
import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from appstoreserverlibrary.models.Environment import Environment

from hosts import Network

# The app of Examples/Magazine.
BUNDLE_ID = "com.example.photomag"
APPLE_ID = 1600000001
VERSION = "3.2"
FILM, FILTER = f"{BUNDLE_ID}.film.roll", f"{BUNDLE_ID}.filter.silver"
ARCHIVE, MAGAZINE = f"{BUNDLE_ID}.archive.1week", f"{BUNDLE_ID}.magazine.monthly"

HERE = os.path.dirname(os.path.abspath(__file__))
CATALOG = os.path.join(HERE, "..", "..", "Examples", "Magazine", "catalog.yaml")

READY_WITHIN_SECONDS = 60
ENDS_WITHIN_SECONDS = 30
ALL_WITHIN_SECONDS = 900

# A run that hangs says where, and fails.
faulthandler.dump_traceback_later(ALL_WITHIN_SECONDS, exit=True)


class Store:
    """`perennial serve`, from ready to ended."""

    def __init__(self, *options, data=None):
        self.folder = tempfile.mkdtemp(prefix="perennial-interop-")
        ready_file = os.path.join(self.folder, "ready.json")
        place = ["--data", data] if data else ["--in-memory"]
        # What people read when it is ready.
        self.banner_file = os.path.join(self.folder, "banner.txt")
        with open(self.banner_file, "w") as banner:
            self.process = subprocess.Popen(
                [os.environ["PERENNIAL"], "serve", *place, "--port", "0", "--tls", "--tls-port", "0", "--ready-file",
                 ready_file, "--catalog", CATALOG, *options],
                stdout=banner, stdin=subprocess.DEVNULL)
        deadline = time.monotonic() + READY_WITHIN_SECONDS
        while not os.path.exists(ready_file):
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise RuntimeError("perennial serve did not become ready")
            time.sleep(0.05)
        with open(ready_file) as file:
            self.ready = json.load(file)
        self.app = self.ready["apps"][0]
        self.ready_file = ready_file
        with open(self.ready["rootCertificate"], "rb") as file:
            self.root = file.read()
        with open(self.ready["receiptRootCertificate"], "rb") as file:
            self.receipt_root = file.read()
        with open(self.app["serverAPIKey"]["privateKey"], "rb") as file:
            self.private_key = file.read()

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(ENDS_WITHIN_SECONDS)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def control(self, path, body=None, environment="Sandbox", method=None):
        """What a test does to an environment."""
        request = urllib.request.Request(
            f"{self.ready['environments'][environment]}/control/v1/{path}", method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.ready['controlToken']}", "Content-Type": "application/json"})
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=30) as response:
            text = response.read()
        return json.loads(text) if text else None

    def command(self, *words):
        """What the command line prints, of this store."""
        return subprocess.run(
            [os.environ["PERENNIAL"], *words, "--ready-file", self.ready_file], check=True, capture_output=True,
            text=True, timeout=60).stdout

    def buy(self, product, account="ann", environment="Sandbox", **more):
        return self.control(
            "purchases", {"bundleId": BUNDLE_ID, "account": account, "productId": product, **more}, environment)


class StoreTestCase(unittest.TestCase):
    """Tests that share a store."""

    options = ()

    @classmethod
    def setUpClass(cls):
        cls.store = Store(*cls.options)
        cls.addClassCleanup(cls.store.stop)
        network = Network(cls.store.ready["tls"])
        network.__enter__()
        cls.addClassCleanup(network.__exit__)

    def seller(self, answer):
        """A seller's server for this test: `answer` makes of each request's JSON that of its response, or nothing."""

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                response = answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                body = b"" if response is None else json.dumps(response).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        class Server(ThreadingHTTPServer):
            # Python's 5 are fewer than the connections of a performance test: one that finds the queue full comes
            # back after a second, which is no fault of the store's and fails the test.
            request_queue_size = 128

        server = Server(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return f"http://127.0.0.1:{server.server_address[1]}"


ENVIRONMENTS = {"Production": Environment.PRODUCTION, "Sandbox": Environment.SANDBOX}
