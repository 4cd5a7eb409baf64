"""Server notifications, as Apple's library reads them."""

import queue
import unittest

from appstoreserverlibrary.api_client import APIError, APIException
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.NotificationTypeV2 import NotificationTypeV2
from appstoreserverlibrary.models.SendAttemptResult import SendAttemptResult
from appstoreserverlibrary.models.Status import Status
from appstoreserverlibrary.models.Subtype import Subtype

from perennial import BUNDLE_ID, MAGAZINE
from test_api import APITestCase

ARRIVES_WITHIN_SECONDS = 30
ONE_DAY = 86_400_000


class Notifications(APITestCase):
    def setUp(self):
        self.received = queue.Queue()
        url = self.seller(lambda notification: self.received.put(notification["signedPayload"]))
        self.store.control(
            f"apps/{BUNDLE_ID}/notifications", {"url": f"{url}/", "version": 2}, method="PUT")

    def next(self):
        return self.verifier().verify_and_decode_notification(self.received.get(timeout=ARRIVES_WITHIN_SECONDS))

    def test_a_subscription_is_told_of_and_remembered(self):
        sold = self.store.buy(MAGAZINE, account="told")
        told = self.next()
        self.assertEqual(
            (told.notificationType, told.subtype), (NotificationTypeV2.SUBSCRIBED, Subtype.INITIAL_BUY))
        self.assertEqual((told.version, told.data.environment), ("2.0", Environment.SANDBOX))
        self.assertEqual((told.data.bundleId, told.data.status), (BUNDLE_ID, Status.ACTIVE))
        transaction = self.verifier().verify_and_decode_signed_transaction(told.data.signedTransactionInfo)
        self.assertEqual(transaction.transactionId, sold["transactionId"])
        renewal = self.verifier().verify_and_decode_renewal_info(told.data.signedRenewalInfo)
        self.assertEqual(renewal.originalTransactionId, sold["originalTransactionId"])
        history = self.client().get_notification_history(
            None, NotificationHistoryRequest(
                startDate=told.signedDate - ONE_DAY, endDate=told.signedDate + ONE_DAY,
                transactionId=sold["transactionId"]))
        self.assertIs(history.hasMore, False)
        item = history.notificationHistory[0]
        again = self.verifier().verify_and_decode_notification(item.signedPayload)
        self.assertEqual(again.notificationUUID, told.notificationUUID)
        self.assertEqual(item.sendAttempts[0].sendAttemptResult, SendAttemptResult.SUCCESS)

    def test_a_test_notification(self):
        token = self.client().request_test_notification().testNotificationToken
        told = self.next()
        self.assertEqual(told.notificationType, NotificationTypeV2.TEST)
        self.assertEqual(told.data.bundleId, BUNDLE_ID)
        status = self.client().get_test_notification_status(token)
        sent = self.verifier().verify_and_decode_notification(status.signedPayload)
        self.assertEqual(sent.notificationUUID, told.notificationUUID)
        with self.assertRaises(APIException) as refused:
            self.client().get_test_notification_status("nonsense")
        self.assertIn(
            refused.exception.api_error,
            (APIError.INVALID_TEST_NOTIFICATION_TOKEN, APIError.TEST_NOTIFICATION_NOT_FOUND))


if __name__ == "__main__":
    unittest.main()
