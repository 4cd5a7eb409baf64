"""Signatures of Apple's library, accepted at the purchase."""

import json
import time
import unittest
import urllib.error
import urllib.request
import uuid

from appstoreserverlibrary.jws_signature_creator import (
    IntroductoryOfferEligibilitySignatureCreator, PromotionalOfferV2SignatureCreator)
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.OfferType import OfferType
from appstoreserverlibrary.promotional_offer import PromotionalOfferSignatureCreator
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier

from perennial import APPLE_ID, BUNDLE_ID, MAGAZINE, StoreTestCase

OFFER = "return-half-price"


class Offers(StoreTestCase):
    def ask(self, path, body, token=None):
        """What a device says to the store."""
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        request = urllib.request.Request(
            f"{self.store.ready['environments']['Sandbox']}/store/v1/{path}", data=json.dumps(body).encode(),
            headers=headers)
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=30) as response:
            return json.loads(response.read())

    def former_subscriber(self, account):
        """Promotional offers are for those who subscribe or did."""
        sold = self.store.buy(MAGAZINE, account=account)
        self.transaction = sold["transactionId"]
        self.store.control(f"subscriptions/{sold['originalTransactionId']}/expire", {})
        session = self.ask("devices", {
            "account": account, "deviceId": str(uuid.uuid4()), "bundleId": BUNDLE_ID, "applicationVersion": "3.2"})
        return session["token"]

    def signed_transaction(self, bought):
        verifier = SignedDataVerifier([self.store.root], False, Environment.SANDBOX, BUNDLE_ID, APPLE_ID)
        history = self.store.control(f"subscriptions/{bought['transaction']['originalTransactionId']}")
        return verifier.verify_and_decode_signed_transaction(history["signedTransaction"])

    def test_the_original_form(self):
        token = self.former_subscriber("original")
        key = self.store.control(f"apps/{BUNDLE_ID}/keys", {"kind": "promotionalOffer"})
        creator = PromotionalOfferSignatureCreator(key["privateKey"].encode(), key["keyId"], BUNDLE_ID)
        nonce, timestamp = uuid.uuid4(), round(time.time() * 1000)
        signature = creator.create_signature(MAGAZINE, OFFER, "Ann", nonce, timestamp)
        offer = {
            "identifier": OFFER, "keyIdentifier": key["keyId"], "nonce": str(nonce), "signature": signature,
            "timestamp": timestamp}
        with self.assertRaises(urllib.error.HTTPError) as refused:
            self.ask("purchases", {"productId": MAGAZINE, "applicationUsername": "Eve", "offer": offer}, token)
        self.assertEqual(json.loads(refused.exception.read())["error"]["code"], "offerSignatureInvalid")
        bought = self.ask("purchases", {"productId": MAGAZINE, "applicationUsername": "Ann", "offer": offer}, token)
        transaction = self.signed_transaction(bought)
        self.assertEqual(transaction.offerType, OfferType.PROMOTIONAL_OFFER)
        self.assertEqual(transaction.offerIdentifier, OFFER)

    def test_the_jws_form(self):
        token = self.former_subscriber("jws")
        key = self.store.app["serverAPIKey"]
        creator = PromotionalOfferV2SignatureCreator(
            self.store.private_key, key["keyId"], key["issuerId"], BUNDLE_ID)
        signature = creator.create_signature(MAGAZINE, OFFER, None)
        bought = self.ask("purchases", {"productId": MAGAZINE, "offer": {"token": signature}}, token)
        transaction = self.signed_transaction(bought)
        self.assertEqual(transaction.offerIdentifier, OFFER)

    def test_introductory_eligibility(self):
        token = self.former_subscriber("newcomer")
        key = self.store.app["serverAPIKey"]
        creator = IntroductoryOfferEligibilitySignatureCreator(
            self.store.private_key, key["keyId"], key["issuerId"], BUNDLE_ID)
        signature = creator.create_signature(MAGAZINE, False, self.transaction)
        bought = self.ask("purchases", {"productId": MAGAZINE, "offer": {"token": signature}}, token)
        self.assertIsNone(self.signed_transaction(bought).offerType)


if __name__ == "__main__":
    unittest.main()
