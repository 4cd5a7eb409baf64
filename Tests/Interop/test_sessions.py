"""An app's tests sell in an SKTestSession, and a backend in Python verifies with Apple's library what was sold."""

import base64
import json
import os
import subprocess
import threading
import unittest
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from appstoreserverlibrary.api_client import AppStoreServerAPIClient
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.receipt_utility import ReceiptUtility
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException

from perennial import HERE
from receipts import is_signed

TESTS = os.environ.get(
    "PERENNIAL_TESTS", os.path.join(HERE, "..", "..", ".build", "debug", "perennialPackageTests.xctest"))
TESTS_WITHIN_SECONDS = 120


class SessionVerifier(SignedDataVerifier):
    """Apple's verifier for what a session signs. Apple's own doesn't look at signatures of the environment Xcode; with
    those of a session it can, since their root certificate is known."""

    def __init__(self, root, bundle_id):
        super().__init__([root], False, Environment.SANDBOX, bundle_id)
        self._named = SignedDataVerifier([root], False, Environment.XCODE, bundle_id)

    def transaction(self, signed):
        self._decode_signed_object(signed)
        return self._named.verify_and_decode_signed_transaction(signed)

    def app_transaction(self, signed):
        self._decode_signed_object(signed)
        return self._named.verify_and_decode_app_transaction(signed)


class SellersServer:
    """What the app calls: each path verifies something and says what came of it."""

    def configure(self, body):
        self.store, self.secret = body["store"], body["sharedSecret"]
        self.verifier = SessionVerifier(base64.b64decode(body["rootCertificate"]), body["bundleId"])
        self.receipt_root = base64.b64decode(body["receiptRootCertificate"])
        self.api = AppStoreServerAPIClient(
            body["privateKey"].encode(), body["keyId"], body["issuerId"], body["bundleId"], Environment.SANDBOX)
        self.api._base_url = self.store
        return {}

    def purchases(self, body):
        return {"unlocked": [self.verifier.transaction(body["jws"]).productId]}

    def app(self, body):
        return {"unlocked": [self.verifier.app_transaction(body["jws"]).bundleId]}

    def status(self, body):
        answer = self.api.get_all_subscription_statuses(body["transactionId"])
        last = answer.data[0].lastTransactions[0]
        self.verifier.transaction(last.signedTransactionInfo)
        return {"status": int(last.status)}

    def transaction(self, body):
        signed = self.api.get_transaction_info(body["transactionId"]).signedTransactionInfo
        return {"revoked": self.verifier.transaction(signed).revocationDate is not None}

    def receipt(self, body):
        if not is_signed(base64.b64decode(body["receipt"]), self.receipt_root):
            return {"error": "not verified"}
        identifier = ReceiptUtility().extract_transaction_id_from_app_receipt(body["receipt"])
        request = urllib.request.Request(
            f"{self.store}/verifyReceipt",
            json.dumps({"receipt-data": body["receipt"], "password": self.secret}).encode(),
            {"Content-Type": "application/json"})
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=30) as response:
            answer = json.load(response)
        if identifier is None or answer["status"] != 0:
            return {"error": f"receipt {answer['status']}"}
        return {"unlocked": [purchase["product_id"] for purchase in answer["receipt"]["in_app"]]}


class Sessions(unittest.TestCase):
    def test_a_backend_verifies_what_a_session_sold(self):
        self.assertTrue(os.path.exists(TESTS), f"Build the tests first: swift build --build-tests ({TESTS})")
        backend, answered = SellersServer(), []

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                try:
                    answer = getattr(backend, self.path.strip("/"))(body)
                except VerificationException:
                    answer = {"error": "not verified"}
                except Exception as error:  # The app's test shows what went wrong here.
                    answer = {"error": repr(error)}
                answered.append((self.path, answer))
                text = json.dumps(answer).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.addCleanup(server.server_close)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.shutdown)
        tests = subprocess.run(
            [TESTS, "--testing-library", "swift-testing", "--filter", "BackendTests"],
            env={**os.environ, "PERENNIAL_TEST_BACKEND": f"http://127.0.0.1:{server.server_address[1]}"},
            capture_output=True, text=True, timeout=TESTS_WITHIN_SECONDS)
        self.assertEqual(tests.returncode, 0, tests.stdout + tests.stderr + repr(answered))
        self.assertEqual(
            [path for path, _ in answered],
            ["/configure", "/purchases", "/purchases", "/status", "/status", "/transaction", "/transaction", "/app",
             "/receipt", "/receipt"])
        for forged in (2, -1):
            self.assertEqual(answered[forged][1], {"error": "not verified"})


if __name__ == "__main__":
    unittest.main()
