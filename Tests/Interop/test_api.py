"""Apple's App Store Server API client, call by call, over TLS under Apple's own host names."""

import json
import struct
import unittest
import uuid
import zlib

from appstoreserverlibrary.api_client import APIError, APIException, AppStoreServerAPIClient
from appstoreserverlibrary.models.AccountTenure import AccountTenure
from appstoreserverlibrary.models.ConsumptionRequest import ConsumptionRequest
from appstoreserverlibrary.models.ConsumptionRequestV1 import ConsumptionRequestV1
from appstoreserverlibrary.models.ConsumptionStatus import ConsumptionStatus
from appstoreserverlibrary.models.DefaultConfigurationRequest import DefaultConfigurationRequest
from appstoreserverlibrary.models.DeliveryStatus import DeliveryStatus
from appstoreserverlibrary.models.DeliveryStatusV1 import DeliveryStatusV1
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.ExtendReasonCode import ExtendReasonCode
from appstoreserverlibrary.models.ExtendRenewalDateRequest import ExtendRenewalDateRequest
from appstoreserverlibrary.models.ImageState import ImageState
from appstoreserverlibrary.models.LifetimeDollarsPurchased import LifetimeDollarsPurchased
from appstoreserverlibrary.models.LifetimeDollarsRefunded import LifetimeDollarsRefunded
from appstoreserverlibrary.models.MassExtendRenewalDateRequest import MassExtendRenewalDateRequest
from appstoreserverlibrary.models.MessageState import MessageState
from appstoreserverlibrary.models.PerformanceTestRequest import PerformanceTestRequest
from appstoreserverlibrary.models.PerformanceTestStatus import PerformanceTestStatus
from appstoreserverlibrary.models.Platform import Platform
from appstoreserverlibrary.models.PlayTime import PlayTime
from appstoreserverlibrary.models.RealtimeUrlRequest import RealtimeUrlRequest
from appstoreserverlibrary.models.RefundPreferenceV1 import RefundPreferenceV1
from appstoreserverlibrary.models.RevocationReason import RevocationReason
from appstoreserverlibrary.models.UploadMessageRequestBody import UploadMessageRequestBody
from appstoreserverlibrary.models.UserStatus import UserStatus
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier

from perennial import APPLE_ID, BUNDLE_ID, ENVIRONMENTS, FILM, MAGAZINE, StoreTestCase


class APITestCase(StoreTestCase):
    def client(self, environment=Environment.SANDBOX, **changes):
        key = self.store.app["serverAPIKey"]
        arguments = {
            "signing_key": self.store.private_key, "key_id": key["keyId"], "issuer_id": key["issuerId"],
            "bundle_id": BUNDLE_ID, "environment": environment}
        return AppStoreServerAPIClient(**{**arguments, **changes})

    def verifier(self, environment=Environment.SANDBOX):
        return SignedDataVerifier([self.store.root], True, environment, BUNDLE_ID, APPLE_ID)

    def assertRefused(self, error, call, *arguments):
        with self.assertRaises(APIException) as refused:
            call(*arguments)
        self.assertEqual(refused.exception.api_error, error)
        self.assertTrue(refused.exception.error_message)


class Authentication(APITestCase):
    def test_both_environments_let_the_key_in(self):
        for name, environment in ENVIRONMENTS.items():
            with self.subTest(environment=name):
                sold = self.store.buy(FILM, environment=name)
                info = self.client(environment).get_transaction_info(sold["transactionId"])
                transaction = self.verifier(environment).verify_and_decode_signed_transaction(
                    info.signedTransactionInfo)
                self.assertEqual(transaction.transactionId, sold["transactionId"])

    def test_local_testing_means_sandbox(self):
        sold = self.store.buy(FILM)
        info = self.client(Environment.LOCAL_TESTING).get_transaction_info(sold["transactionId"])
        self.assertTrue(info.signedTransactionInfo)

    def test_a_wrong_key_stays_outside(self):
        for changes in ({"key_id": "ABCDEFGHIJ"}, {"issuer_id": str(uuid.uuid4())}, {"bundle_id": "com.example.other"}):
            with self.subTest(**changes), self.assertRaises(APIException) as refused:
                self.client(**changes).get_transaction_info("1")
            self.assertEqual(refused.exception.http_status_code, 401)
            self.assertIsNone(refused.exception.raw_api_error)


class Transactions(APITestCase):
    def test_numbers_that_are_none_and_numbers_of_nothing(self):
        self.assertRefused(APIError.INVALID_TRANSACTION_ID, self.client().get_transaction_info, "abc")
        self.assertRefused(APIError.TRANSACTION_ID_NOT_FOUND, self.client().get_transaction_info, "2000000999999999")

    def test_refund_history(self):
        sold = self.store.buy(FILM, account="refunded")
        self.store.control(f"transactions/{sold['transactionId']}/refund", {"reason": 1})
        history = self.client().get_refund_history(sold["transactionId"], None)
        self.assertIs(history.hasMore, False)
        refunded = self.verifier().verify_and_decode_signed_transaction(history.signedTransactions[0])
        self.assertEqual(refunded.transactionId, sold["transactionId"])
        self.assertEqual(refunded.revocationReason, RevocationReason.REFUNDED_DUE_TO_ISSUE)
        again = self.client().get_refund_history(sold["transactionId"], history.revision)
        self.assertEqual(again.signedTransactions, [])

    def test_consumption_in_both_versions(self):
        sold = self.store.buy(FILM, account="consuming")
        self.client().send_consumption_information(
            sold["transactionId"],
            ConsumptionRequest(
                customerConsented=True, sampleContentProvided=False, deliveryStatus=DeliveryStatus.DELIVERED,
                consumptionPercentage=50000))
        with self.assertWarns(DeprecationWarning):
            self.client().send_consumption_data(
                sold["transactionId"],
                ConsumptionRequestV1(
                    customerConsented=True, consumptionStatus=ConsumptionStatus.NOT_CONSUMED,
                    platform=Platform.APPLE, sampleContentProvided=False,
                    deliveryStatus=DeliveryStatusV1.DID_NOT_DELIVER_DUE_TO_SERVER_OUTAGE,
                    appAccountToken=str(uuid.uuid4()), accountTenure=AccountTenure.THIRTY_DAYS_TO_NINETY_DAYS,
                    playTime=PlayTime.ONE_DAY_TO_FOUR_DAYS,
                    lifetimeDollarsRefunded=LifetimeDollarsRefunded.ZERO_DOLLARS,
                    lifetimeDollarsPurchased=LifetimeDollarsPurchased.ZERO_DOLLARS, userStatus=UserStatus.ACTIVE,
                    refundPreference=RefundPreferenceV1.NO_PREFERENCE))
        self.assertRefused(
            APIError.INVALID_CUSTOMER_CONSENTED, self.client().send_consumption_information, sold["transactionId"],
            ConsumptionRequest(
                customerConsented=False, sampleContentProvided=False, deliveryStatus=DeliveryStatus.DELIVERED))


class Extensions(APITestCase):
    def test_one_subscription(self):
        # The free weeks of the first time are not paid for, and so not extended.
        first = self.store.buy(MAGAZINE)
        self.store.control(f"subscriptions/{first['originalTransactionId']}/expire", {})
        sold = self.store.buy(MAGAZINE)
        before = self.verifier().verify_and_decode_signed_transaction(sold["signedTransaction"])
        request = ExtendRenewalDateRequest(
            extendByDays=45, extendReasonCode=ExtendReasonCode.SERVICE_ISSUE_OR_OUTAGE,
            requestIdentifier=str(uuid.uuid4()))
        answer = self.client().extend_subscription_renewal_date(sold["originalTransactionId"], request)
        self.assertIs(answer.success, True)
        self.assertEqual(answer.originalTransactionId, sold["originalTransactionId"])
        self.assertGreater(answer.effectiveDate, before.expiresDate)
        self.assertRefused(
            APIError.INVALID_EXTEND_BY_DAYS, self.client().extend_subscription_renewal_date,
            sold["originalTransactionId"], ExtendRenewalDateRequest(
                extendByDays=91, extendReasonCode=ExtendReasonCode.OTHER, requestIdentifier="x"))

    def test_all_subscribers(self):
        self.store.buy(MAGAZINE, account="massive")
        identifier = str(uuid.uuid4())
        answer = self.client().extend_renewal_date_for_all_active_subscribers(
            MassExtendRenewalDateRequest(
                extendByDays=3, extendReasonCode=ExtendReasonCode.CUSTOMER_SATISFACTION,
                requestIdentifier=identifier, storefrontCountryCodes=["USA", "MEX"], productId=MAGAZINE))
        self.assertEqual(answer.requestIdentifier, identifier)
        status = self.client().get_status_of_subscription_renewal_date_extensions(identifier, MAGAZINE)
        self.assertEqual(status.requestIdentifier, identifier)
        self.assertIsNotNone(status.complete)
        self.assertRefused(
            APIError.STATUS_REQUEST_NOT_FOUND, self.client().get_status_of_subscription_renewal_date_extensions,
            str(uuid.uuid4()), MAGAZINE)


class Messaging(APITestCase):
    def test_images_messages_and_defaults(self):
        client, image, message = self.client(), uuid.uuid4(), uuid.uuid4()
        client.upload_image(image, png(3840, 2160))
        listed = client.get_image_list().imageIdentifiers
        self.assertEqual([(item.imageIdentifier, item.imageState) for item in listed], [(image, ImageState.APPROVED)])
        client.upload_message(message, UploadMessageRequestBody(header="Stay", body="Please"))
        listed = client.get_message_list().messageIdentifiers
        self.assertEqual(
            [(item.messageIdentifier, item.messageState) for item in listed], [(message, MessageState.APPROVED)])
        client.configure_default_message(MAGAZINE, "en-US", DefaultConfigurationRequest(messageIdentifier=message))
        self.assertEqual(client.get_default_message(MAGAZINE, "en-US").messageIdentifier, message)
        client.delete_default_message(MAGAZINE, "en-US")
        self.assertRefused(APIError.DEFAULT_MESSAGE_NOT_FOUND, client.get_default_message, MAGAZINE, "en-US")
        client.delete_message(message)
        client.delete_image(image)
        self.assertRefused(APIError.IMAGE_NOT_FOUND, client.delete_image, image)

    def test_the_realtime_call_is_signed_and_tested(self):
        message, received = str(uuid.uuid4()), []

        def answer(request):
            received.append(request)
            return {"message": {"messageIdentifier": message}}

        client, url = self.client(), f"{self.seller(answer)}/realtime"
        self.assertRefused(APIError.REALTIME_URL_NOT_FOUND, client.get_realtime_url)
        client.configure_realtime_url(RealtimeUrlRequest(realtimeURL=url))
        self.assertEqual(client.get_realtime_url().realtimeURL, url)
        sold = self.store.buy(MAGAZINE, account="leaving")
        begun = client.initiate_performance_test(
            PerformanceTestRequest(originalTransactionId=sold["originalTransactionId"]))
        result = client.get_performance_test_results(begun.requestId)
        self.assertEqual(result.result, PerformanceTestStatus.PASS, result)
        self.assertEqual(result.target, url)
        asked = self.verifier().verify_and_decode_realtime_request(received[0]["signedPayload"])
        self.assertEqual(asked.originalTransactionId, sold["originalTransactionId"])
        self.assertEqual(asked.appAppleId, APPLE_ID)
        client.delete_realtime_url()
        self.assertRefused(APIError.REALTIME_URL_NOT_FOUND, client.get_realtime_url)


def png(width, height):
    """An image of one opaque colour."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + b"\x40\x80\xc0" * width) * height
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


if __name__ == "__main__":
    unittest.main()
