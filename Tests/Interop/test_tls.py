"""The App Store's host names over TLS and the responder of certificates, as ordinary clients see them."""

import base64
import json
import os
import subprocess
import sys
import tempfile
import unittest

import requests

from perennial import FILM, StoreTestCase


class HostNames(StoreTestCase):
    def test_each_name_means_its_environment(self):
        for environment, names in self.store.ready["tls"]["hosts"].items():
            for name in names:
                with self.subTest(name=name):
                    sold = self.store.buy(FILM, account=name, environment=environment)
                    # The other environment says of this receipt that it is not its own.
                    answer = requests.post(
                        f"https://{name}/verifyReceipt", json={"receipt-data": sold["appReceipt"]}, timeout=30).json()
                    self.assertEqual(answer["status"], 0)
                    self.assertEqual(answer["environment"], environment)

    def test_what_belongs_to_the_whole_process_is_there_under_every_name(self):
        for name in sum(self.store.ready["tls"]["hosts"].values(), []):
            self.assertEqual(
                requests.get(f"https://{name}/certificates/root.cer", timeout=30).content, self.store.root)
            self.assertEqual(
                requests.get(f"https://{name}/certificates/receipt-root.cer", timeout=30).content,
                self.store.receipt_root)

    def test_a_client_without_the_root_refuses(self):
        with self.assertRaises(requests.exceptions.SSLError):
            requests.get(
                f"https://localhost:{self.store.ready['tls']['port']}/health", verify=requests.certs.where(), timeout=30)

    def test_what_uses_pythons_ssl_as_httpx_and_aiohttp_do_needs_ssl_cert_file(self):
        program = f"import urllib.request as r; r.urlopen('https://localhost:{self.store.ready['tls']['port']}/health')"
        for variable, accepted in (("SSL_CERT_FILE", True), ("REQUESTS_CA_BUNDLE", False)):
            with self.subTest(variable=variable):
                environment = {"PATH": os.environ["PATH"], variable: self.store.ready["tls"]["trust"]}
                answer = subprocess.run(
                    [sys.executable, "-c", program], env=environment, capture_output=True, timeout=30)
                self.assertEqual(answer.returncode == 0, accepted, answer.stderr)

    def test_openssl_accepts_the_chain(self):
        tls = self.store.ready["tls"]
        answer = subprocess.run(
            ["openssl", "s_client", "-connect", f"127.0.0.1:{tls['port']}", "-servername",
             "api.storekit-sandbox.apple.com", "-verify_hostname", "api.storekit-sandbox.apple.com",
             "-verify_return_error", "-CAfile", tls["trust"]],
            input=b"", capture_output=True, timeout=30)
        self.assertIn(b"Verify return code: 0 (ok)", answer.stdout)

    def test_curl_reaches_each_environment(self):
        tls = self.store.ready["tls"]
        for environment, names in tls["hosts"].items():
            sold = self.store.buy(FILM, account="curl", environment=environment)
            for name in names:
                with self.subTest(name=name):
                    answer = subprocess.run(
                        ["curl", "--silent", "--show-error", "--noproxy", "*", "--cacert", tls["trust"], "--resolve",
                         f"{name}:{tls['port']}:127.0.0.1", f"https://{name}:{tls['port']}/verifyReceipt", "--data",
                         "@-"],
                        input=json.dumps({"receipt-data": sold["appReceipt"]}).encode(), capture_output=True, timeout=30,
                        check=True)
                    self.assertEqual(json.loads(answer.stdout)["environment"], environment)


class Responder(StoreTestCase):
    """openssl asks over HTTP about the certificates that a transaction carries."""

    def status(self, signed, index):
        """Of a certificate of the chain: 0 is the leaf, 1 the intermediate."""
        header = signed.split(".")[0]
        chain = json.loads(base64.urlsafe_b64decode(header + "=" * (-len(header) % 4)))["x5c"]
        self.assertEqual(len(chain), 3)
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name) for name in ("leaf.pem", "intermediate.pem", "root.pem")]
            for path, certificate in zip(paths, chain):
                with open(path, "w") as file:
                    file.write(f"-----BEGIN CERTIFICATE-----\n{certificate}\n-----END CERTIFICATE-----\n")
            url = subprocess.run(
                ["openssl", "x509", "-in", paths[index], "-noout", "-ocsp_uri"], capture_output=True, text=True,
                check=True).stdout.strip()
            self.assertEqual(url, f"{self.store.ready['url']}/ocsp")
            answer = subprocess.run(
                ["openssl", "ocsp", "-sha1", "-url", url, "-issuer", paths[index + 1], "-cert", paths[index],
                 "-CAfile", paths[2]], capture_output=True, text=True, timeout=30)
            self.assertIn("Response verify OK", answer.stderr)
            self.assertNotIn("no nonce", answer.stderr)
            return answer.stdout.split("\n")[0].split(": ")[1]

    def test_openssl_is_told_good_and_revoked(self):
        old = self.store.buy(FILM)["signedTransaction"]
        self.assertEqual([self.status(old, 0), self.status(old, 1)], ["good", "good"])
        self.store.command("certificates", "revoke")
        self.assertEqual([self.status(old, 0), self.status(old, 1)], ["revoked", "good"])
        self.assertEqual(self.status(self.store.buy(FILM)["signedTransaction"], 0), "good")


if __name__ == "__main__":
    unittest.main()
