"""Apple's receipt utility on the store's receipts."""

import base64
import unittest

from appstoreserverlibrary.receipt_utility import ReceiptUtility

from perennial import BUNDLE_ID, FILM, FILTER, StoreTestCase


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


if __name__ == "__main__":
    unittest.main()
