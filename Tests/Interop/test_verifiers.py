"""Apple's verifier of signed data, with its online checks off and on."""

import unittest

from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.InAppOwnershipType import InAppOwnershipType
from appstoreserverlibrary.models.TransactionReason import TransactionReason
from appstoreserverlibrary.models.Type import Type
from appstoreserverlibrary.signed_data_verifier import (
    SignedDataVerifier, VerificationException, VerificationStatus)

from perennial import (
    APPLE_ID, ARCHIVE, BUNDLE_ID, ENVIRONMENTS, FILM, FILTER, MAGAZINE, VERSION, Store, StoreTestCase)


def verifier(store, environment=Environment.SANDBOX, online=False, bundle_id=BUNDLE_ID, apple_id=APPLE_ID):
    return SignedDataVerifier([store.root], online, environment, bundle_id, apple_id)


class Verifying(StoreTestCase):
    def test_transactions_verify_offline_and_online_in_both_environments(self):
        for name, environment in ENVIRONMENTS.items():
            signed = self.store.buy(FILM, environment=name, quantity=2)["signedTransaction"]
            for online in (False, True):
                with self.subTest(environment=name, online=online):
                    transaction = verifier(
                        self.store, environment, online).verify_and_decode_signed_transaction(signed)
                    self.assertEqual(transaction.bundleId, BUNDLE_ID)
                    self.assertEqual(transaction.productId, FILM)
                    self.assertEqual(transaction.quantity, 2)
                    self.assertEqual(transaction.type, Type.CONSUMABLE)
                    self.assertEqual(transaction.environment, environment)
                    self.assertEqual(transaction.inAppOwnershipType, InAppOwnershipType.PURCHASED)
                    self.assertEqual(transaction.transactionReason, TransactionReason.PURCHASE)
                    self.assertEqual(transaction.price, 1980)
                    self.assertEqual(transaction.currency, "USD")
                    self.assertEqual(transaction.storefront, "USA")
                    self.assertEqual(transaction.storefrontId, "143441")

    def test_every_kind_of_product_verifies(self):
        for product, kind in (
            (FILM, Type.CONSUMABLE), (FILTER, Type.NON_CONSUMABLE),
            (ARCHIVE, Type.NON_RENEWING_SUBSCRIPTION), (MAGAZINE, Type.AUTO_RENEWABLE_SUBSCRIPTION),
        ):
            with self.subTest(product=product):
                signed = self.store.buy(product, account="kinds")["signedTransaction"]
                transaction = verifier(self.store, online=True).verify_and_decode_signed_transaction(signed)
                self.assertEqual(transaction.type, kind)

    def test_renewal_info_verifies_offline_and_online(self):
        token = "7e3fb204-2a39-4b2c-8f2e-0e6f6a4c2f11"
        sold = self.store.buy(MAGAZINE, account="renewing", appAccountToken=token)
        for online in (False, True):
            with self.subTest(online=online):
                info = verifier(self.store, online=online).verify_and_decode_renewal_info(sold["signedRenewalInfo"])
                self.assertEqual(info.originalTransactionId, sold["originalTransactionId"])
                self.assertEqual(info.autoRenewProductId, MAGAZINE)
                self.assertEqual(info.appAccountToken, token)
                self.assertEqual(info.environment, Environment.SANDBOX)
                transaction = verifier(self.store, online=online).verify_and_decode_signed_transaction(
                    sold["signedTransaction"])
                self.assertEqual(transaction.expiresDate, info.renewalDate)

    def test_app_transactions_verify_offline_and_online(self):
        for name, environment in ENVIRONMENTS.items():
            self.store.buy(FILM, account="apps", environment=name)
            signed = self.store.control(
                f"app-transaction?bundleId={BUNDLE_ID}&account=apps", environment=name)["signedAppTransaction"]
            for online in (False, True):
                with self.subTest(environment=name, online=online):
                    app = verifier(self.store, environment, online).verify_and_decode_app_transaction(signed)
                    self.assertEqual(app.bundleId, BUNDLE_ID)
                    self.assertEqual(app.receiptType, environment)
                    self.assertEqual(app.applicationVersion, VERSION)

    def test_what_is_signed_at_any_time_of_a_clock_verifies(self):
        for year in (1970, 1999, 2061, 9999):
            with self.subTest(year=year):
                name = f"in-{year}"
                made = self.store.control(
                    "environments", {"name": name, "kind": "Sandbox", "clock": "manual", "now": f"{year}-12-31T23:59:58Z"},
                    environment="Production")
                url = self.store.ready["environments"]["Production"].rstrip("/") + made["path"]
                self.store.ready["environments"][name] = url
                sold = self.store.buy(MAGAZINE, environment=name)
                transaction = verifier(self.store).verify_and_decode_signed_transaction(sold["signedTransaction"])
                self.assertEqual(transaction.productId, MAGAZINE)
                verifier(self.store).verify_and_decode_renewal_info(sold["signedRenewalInfo"])

    def test_what_is_for_another_is_refused(self):
        signed = self.store.buy(FILM, account="others")["signedTransaction"]
        other_root = Store()
        self.addCleanup(other_root.stop)
        changed = signed[:-4] + ("AAAA" if signed[-4:] != "AAAA" else "BBBB")
        for text, judge, status in (
            (signed, verifier(self.store, bundle_id="com.example.other"), VerificationStatus.INVALID_APP_IDENTIFIER),
            (signed, verifier(self.store, Environment.PRODUCTION), VerificationStatus.INVALID_ENVIRONMENT),
            (signed, verifier(other_root), VerificationStatus.VERIFICATION_FAILURE),
            (changed, verifier(self.store), VerificationStatus.VERIFICATION_FAILURE),
        ):
            with self.subTest(status=status), self.assertRaises(VerificationException) as refused:
                judge.verify_and_decode_signed_transaction(text)
            self.assertEqual(refused.exception.status, status)


class Revoking(StoreTestCase):
    def test_a_revoked_leaf_fails_with_online_checks_only_and_a_new_one_signs(self):
        old = self.store.buy(FILM)["signedTransaction"]
        verifier(self.store, online=True).verify_and_decode_signed_transaction(old)
        revoked = self.store.control("certificates/revoke", {"reason": 1}, environment="Production")
        verifier(self.store).verify_and_decode_signed_transaction(old)
        with self.assertRaises(VerificationException) as refused:
            verifier(self.store, online=True).verify_and_decode_signed_transaction(old)
        self.assertEqual(refused.exception.status, VerificationStatus.VERIFICATION_FAILURE)
        new = self.store.buy(FILM)["signedTransaction"]
        verifier(self.store, online=True).verify_and_decode_signed_transaction(new)
        listed = self.store.control("certificates", environment="Production")
        self.assertEqual([entry["serialNumber"] for entry in listed["revoked"]], [revoked["serialNumber"]])
        self.assertIn({"purpose": "transactions", "serialNumber": revoked["replacement"]}, listed["signing"])

    def test_the_command_line_revokes(self):
        old = self.store.buy(FILM)["signedTransaction"]
        judge = verifier(self.store, online=True)
        judge.verify_and_decode_signed_transaction(old)
        self.assertIn("is revoked", self.store.command("certificates", "revoke"))
        with self.assertRaises(VerificationException):
            verifier(self.store, online=True).verify_and_decode_signed_transaction(old)
        verifier(self.store, online=True).verify_and_decode_signed_transaction(
            self.store.buy(FILM)["signedTransaction"])

    def test_a_store_that_is_gone_can_be_asked_again(self):
        store = Store()
        self.addCleanup(store.stop)
        signed = store.buy(FILM)["signedTransaction"]
        judge, offline = verifier(store, online=True), verifier(store)
        store.stop()
        offline.verify_and_decode_signed_transaction(signed)
        with self.assertRaises(VerificationException) as refused:
            judge.verify_and_decode_signed_transaction(signed)
        self.assertEqual(refused.exception.status, VerificationStatus.RETRYABLE_VERIFICATION_FAILURE)


if __name__ == "__main__":
    unittest.main()
