"""Apple's receipt utility on the store's receipts, and their certificates as strict readers want them."""

import base64
import datetime
import subprocess
import unittest

from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.serialization import Encoding, pkcs7

from appstoreserverlibrary.receipt_utility import ReceiptUtility

from perennial import BUNDLE_ID, FILM, FILTER, StoreTestCase
from receipts import is_signed


class Receipts(StoreTestCase):
    def test_a_transaction_is_found_in_app_receipts(self):
        for environment in ("Production", "Sandbox"):
            with self.subTest(environment=environment):
                sold = self.store.buy(FILTER, environment=environment)
                found = ReceiptUtility().extract_transaction_id_from_app_receipt(sold["appReceipt"])
                self.assertEqual(found, sold["transactionId"])

    def test_a_transaction_is_found_in_old_receipts(self):
        sold = self.store.buy(FILM, account="old")
        found = ReceiptUtility().extract_transaction_id_from_transaction_receipt(sold["transactionReceipt"])
        self.assertEqual(found, sold["transactionId"])

    def test_a_receipt_without_purchases_has_none(self):
        self.store.control("accounts", {"account": "poor"})
        receipt = self.store.control(f"receipt?bundleId={BUNDLE_ID}&account=poor")["appReceipt"]
        self.assertIsNone(ReceiptUtility().extract_transaction_id_from_app_receipt(receipt))
        self.assertEqual(base64.b64decode(receipt)[0], 0x30)


class Certificates(StoreTestCase):
    """A chain as Apple's: RSA throughout, dates as UTCTime, below a root of its own."""

    def chain(self):
        receipt = base64.b64decode(self.store.buy(FILTER)["appReceipt"])
        leaf, intermediate, root = pkcs7.load_der_pkcs7_certificates(receipt)
        return receipt, [leaf, intermediate, root]

    def test_the_chain_leads_to_the_root_of_receipts_by_rsa_alone(self):
        _, chain = self.chain()
        self.assertEqual(chain[2].public_bytes(Encoding.DER), self.store.receipt_root)
        self.assertNotEqual(self.store.receipt_root, self.store.root)
        for certificate, issuer in zip(chain, chain[1:] + chain[2:]):
            self.assertIsInstance(certificate.public_key(), rsa.RSAPublicKey)
            self.assertEqual(certificate.issuer, issuer.subject)
            issuer.public_key().verify(
                certificate.signature, certificate.tbs_certificate_bytes, padding.PKCS1v15(),
                certificate.signature_hash_algorithm)

    def test_dates_are_utc_time(self):
        _, chain = self.chain()
        for certificate in chain:
            self.assertLess(certificate.not_valid_after_utc, datetime.datetime(2050, 1, 1, tzinfo=datetime.timezone.utc))
            parsed = subprocess.run(
                ["openssl", "asn1parse", "-inform", "DER"], input=certificate.public_bytes(Encoding.DER),
                capture_output=True, check=True, timeout=30).stdout
            self.assertIn(b"UTCTIME", parsed)
            self.assertNotIn(b"GENERALIZEDTIME", parsed)

    def test_openssl_verifies_the_receipt_with_the_root_of_receipts_only(self):
        receipt, _ = self.chain()
        for root, accepted in ((self.store.receipt_root, True), (self.store.root, False)):
            self.assertEqual(is_signed(receipt, root), accepted)


if __name__ == "__main__":
    unittest.main()
