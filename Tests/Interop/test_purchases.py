"""What a seller reads of its customers' purchases with Apple's client, each answer judged by Apple's verifier."""

import unittest
import uuid

from appstoreserverlibrary.api_client import APIError, APIException, GetTransactionHistoryVersion
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.ExtendReasonCode import ExtendReasonCode
from appstoreserverlibrary.models.ExtendRenewalDateRequest import ExtendRenewalDateRequest
from appstoreserverlibrary.models.InAppOwnershipType import InAppOwnershipType
from appstoreserverlibrary.models.MassExtendRenewalDateRequest import MassExtendRenewalDateRequest
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.NotificationTypeV2 import NotificationTypeV2
from appstoreserverlibrary.models.OrderLookupStatus import OrderLookupStatus
from appstoreserverlibrary.models.Status import Status
from appstoreserverlibrary.models.Subtype import Subtype
from appstoreserverlibrary.models.TransactionHistoryRequest import Order, ProductType, TransactionHistoryRequest
from appstoreserverlibrary.models.UpdateAppAccountTokenRequest import UpdateAppAccountTokenRequest

from perennial import APPLE_ID, ARCHIVE, BUNDLE_ID, ENVIRONMENTS, FILM, FILTER, MAGAZINE
from test_api import APITestCase

PAGE = 20
ONE_DAY = 86_400_000
# A number of the right form that nothing has.
NOBODY = "2000000999999999"


class PurchasesTestCase(APITestCase):
    def setUp(self):
        # One that remembers the chain it has verified, as a server keeps it.
        self.judge = self.verifier()

    def decoded(self, signed):
        return [self.judge.verify_and_decode_signed_transaction(jws) for jws in signed]

    def history(self, number, version=GetTransactionHistoryVersion.V2, revision=None, **filters):
        return self.client().get_transaction_history(number, revision, TransactionHistoryRequest(**filters), version)

    def found(self, number, version=GetTransactionHistoryVersion.V2, **filters):
        """The numbers of all that a history holds, page by page."""
        page = self.history(number, version, **filters)
        numbers = [transaction.transactionId for transaction in self.decoded(page.signedTransactions)]
        while page.hasMore:
            self.assertEqual(len(page.signedTransactions), PAGE)
            page = self.history(number, version, page.revision, **filters)
            numbers += [transaction.transactionId for transaction in self.decoded(page.signedTransactions)]
        return numbers

    def refund(self, sold, environment="Sandbox"):
        self.store.control(f"transactions/{sold['transactionId']}/refund", {"reason": 1}, environment)


class Histories(PurchasesTestCase):
    def test_pages_of_both_versions(self):
        bought = [self.store.buy(FILM, account="pages")["transactionId"] for _ in range(2 * PAGE + 1)]
        for version in GetTransactionHistoryVersion:
            with self.subTest(version=version):
                self.assertEqual(self.found(bought[7], version), bought)
                self.assertEqual(self.found(bought[7], version, sort=Order.DESCENDING), bought[::-1])
        first = self.history(bought[0])
        self.assertEqual(
            (first.bundleId, first.appAppleId, first.environment, first.hasMore),
            (BUNDLE_ID, APPLE_ID, Environment.SANDBOX, True))

    def test_a_kept_revision_goes_on_where_it_ended(self):
        first = self.store.buy(FILM, account="resuming")["transactionId"]
        revision = self.history(first).revision
        self.assertEqual(self.history(first, revision=revision).signedTransactions, [])
        second = self.store.buy(FILTER, account="resuming")
        new = self.history(first, revision=revision)
        self.assertEqual(
            [transaction.transactionId for transaction in self.decoded(new.signedTransactions)],
            [second["transactionId"]])
        # A refund is a change: what was read before comes again.
        self.refund(second)
        again = self.decoded(self.history(first, revision=new.revision).signedTransactions)
        self.assertEqual([transaction.transactionId for transaction in again], [second["transactionId"]])
        self.assertIsNotNone(again[0].revocationDate)

    def test_filters(self):
        account = "filtering"
        roll, filter_, archive, magazine = (
            self.store.buy(product, account=account)["transactionId"]
            for product in (FILM, FILTER, ARCHIVE, MAGAZINE))
        self.refund({"transactionId": filter_})
        everything = self.decoded(self.history(roll).signedTransactions)
        dates = [transaction.purchaseDate for transaction in everything]
        group = next(t.subscriptionGroupIdentifier for t in everything if t.transactionId == magazine)
        # Refunded last, changed last.
        for expected, filters in (
            ([roll, archive, magazine, filter_], {}),
            ([roll, archive, magazine, filter_], {"startDate": min(dates), "endDate": max(dates) + 1}),
            ([], {"endDate": min(dates)}), ([], {"startDate": max(dates) + 1}),
            ([roll, magazine], {"productIds": [FILM, MAGAZINE]}),
            ([roll], {"productTypes": [ProductType.CONSUMABLE]}),
            ([archive, filter_], {"productTypes": [ProductType.NON_RENEWABLE, ProductType.NON_CONSUMABLE]}),
            ([magazine], {"productTypes": [ProductType.AUTO_RENEWABLE, ProductType.CONSUMABLE],
                          "productIds": [MAGAZINE]}),
            ([magazine], {"subscriptionGroupIdentifiers": [group]}), ([], {"subscriptionGroupIdentifiers": ["none"]}),
            ([roll, archive, magazine, filter_], {"inAppOwnershipType": InAppOwnershipType.PURCHASED}),
            ([], {"inAppOwnershipType": InAppOwnershipType.FAMILY_SHARED}),
            ([filter_], {"revoked": True}), ([roll, archive, magazine], {"revoked": False}),
        ):
            for version in GetTransactionHistoryVersion:
                with self.subTest(version=version, **filters):
                    self.assertEqual(self.found(roll, version, **filters), expected)

    def test_a_finished_consumable_is_in_version_2_alone(self):
        finished = self.store.buy(FILM, account="finishing")["transactionId"]
        open_ = self.store.buy(FILM, account="finishing")["transactionId"]
        for _ in range(2):
            self.assertIsNone(self.client().finish_transaction(finished))
        self.assertEqual(self.found(open_), [finished, open_])
        self.assertEqual(self.found(open_, GetTransactionHistoryVersion.V1), [open_])

    def test_refunds_in_pages(self):
        sold = [self.store.buy(FILM, account="refunds") for _ in range(PAGE + 2)]
        self.assertEqual(self.client().get_refund_history(sold[0]["transactionId"], None).signedTransactions, [])
        for one in sold[1:]:
            self.refund(one)
        first = self.client().get_refund_history(sold[0]["transactionId"], None)
        self.assertEqual((len(first.signedTransactions), first.hasMore), (PAGE, True))
        second = self.client().get_refund_history(sold[0]["transactionId"], first.revision)
        self.assertIs(second.hasMore, False)
        refunded = self.decoded(first.signedTransactions + second.signedTransactions)
        self.assertEqual({one.transactionId for one in refunded}, {one["transactionId"] for one in sold[1:]})
        dates = [one.revocationDate for one in refunded]
        self.assertEqual(dates, sorted(dates))


class Statuses(PurchasesTestCase):
    def test_statuses_of_all_subscriptions(self):
        sold = self.store.buy(MAGAZINE, account="subscribing")
        number = sold["originalTransactionId"]
        answer = self.client().get_all_subscription_statuses(number)
        self.assertEqual(
            (answer.bundleId, answer.appAppleId, answer.environment), (BUNDLE_ID, APPLE_ID, Environment.SANDBOX))
        item = answer.data[0].lastTransactions[0]
        self.assertEqual((item.status, item.originalTransactionId), (Status.ACTIVE, number))
        transaction = self.judge.verify_and_decode_signed_transaction(item.signedTransactionInfo)
        renewal = self.judge.verify_and_decode_renewal_info(item.signedRenewalInfo)
        self.assertEqual(transaction.subscriptionGroupIdentifier, answer.data[0].subscriptionGroupIdentifier)
        self.assertEqual((transaction.originalTransactionId, renewal.originalTransactionId), (number, number))
        others = [Status.EXPIRED, Status.BILLING_RETRY, Status.BILLING_GRACE_PERIOD, Status.REVOKED]
        self.assertEqual(self.client().get_all_subscription_statuses(number, others).data, [])
        self.assertEqual(len(self.client().get_all_subscription_statuses(number, [Status.ACTIVE]).data), 1)
        self.store.control(f"subscriptions/{number}/expire", {})
        expired = self.client().get_all_subscription_statuses(number, others).data[0].lastTransactions[0]
        self.assertEqual(expired.status, Status.EXPIRED)
        self.judge.verify_and_decode_renewal_info(expired.signedRenewalInfo)

    def test_the_app_itself_in_both_environments(self):
        for name, environment in ENVIRONMENTS.items():
            with self.subTest(environment=name):
                sold = self.store.buy(FILM, account="downloading", environment=name)
                client, judge = self.client(environment), self.verifier(environment)
                signed = client.get_app_transaction_info(sold["transactionId"]).signedAppTransactionInfo
                app = judge.verify_and_decode_app_transaction(signed)
                self.assertEqual((app.bundleId, app.receiptType), (BUNDLE_ID, environment))
                transaction = judge.verify_and_decode_signed_transaction(sold["signedTransaction"])
                self.assertEqual(transaction.appTransactionId, app.appTransactionId)
                again = client.get_app_transaction_info(app.appTransactionId).signedAppTransactionInfo
                self.assertEqual(
                    judge.verify_and_decode_app_transaction(again).appTransactionId, app.appTransactionId)
                history = client.get_transaction_history(
                    app.appTransactionId, None, TransactionHistoryRequest(), GetTransactionHistoryVersion.V2)
                self.assertEqual(len(history.signedTransactions), 1)

    def test_an_order_is_looked_up_in_production_alone(self):
        client, judge = self.client(Environment.PRODUCTION), self.verifier(Environment.PRODUCTION)
        sold = self.store.buy(FILTER, account="ordering", environment="Production")
        answer = client.look_up_order_id(sold["orderId"])
        self.assertEqual(answer.status, OrderLookupStatus.VALID)
        transaction = judge.verify_and_decode_signed_transaction(answer.signedTransactions[0])
        self.assertEqual(transaction.transactionId, sold["transactionId"])
        unknown = client.look_up_order_id("M0000000000")
        self.assertEqual((unknown.status, unknown.signedTransactions), (OrderLookupStatus.INVALID, None))
        with self.assertRaises(APIException) as refused:
            self.client().look_up_order_id(sold["orderId"])
        self.assertEqual((refused.exception.http_status_code, refused.exception.raw_api_error), (404, None))

    def test_an_app_account_token_is_set(self):
        sold, token = self.store.buy(FILTER, account="tokens"), str(uuid.uuid4())
        self.assertIsNone(
            self.client().set_app_account_token(sold["transactionId"], UpdateAppAccountTokenRequest(token)))
        signed = self.client().get_transaction_info(sold["transactionId"]).signedTransactionInfo
        transaction = self.judge.verify_and_decode_signed_transaction(signed)
        self.assertEqual(transaction.appAccountToken.lower(), token)


class Refusals(PurchasesTestCase):
    """Every refusal has the number that Apple's library has a name for."""

    def test_histories(self):
        roll = self.store.buy(FILM, account="refusals")["transactionId"]
        for error, filters in (
            (APIError.INVALID_START_DATE, {"startDate": -1}), (APIError.INVALID_END_DATE, {"endDate": -1}),
            (APIError.INVALID_PRODUCT_ID, {"productIds": [""]}),
            (APIError.INVALID_SUBSCRIPTION_GROUP_IDENTIFIER, {"subscriptionGroupIdentifiers": [""]}),
        ):
            for version in GetTransactionHistoryVersion:
                with self.subTest(error=error.name, version=version):
                    self.assertRefused(
                        error, self.client().get_transaction_history, roll, None,
                        TransactionHistoryRequest(**filters), version)
        for error, number, revision in (
            (APIError.INVALID_TRANSACTION_ID, "x", None), (APIError.TRANSACTION_ID_NOT_FOUND, NOBODY, None)):
            self.assertRefused(
                error, self.client().get_transaction_history, number, revision, TransactionHistoryRequest(),
                GetTransactionHistoryVersion.V2)
        # The library has no name for this one.
        with self.assertRaises(APIException) as refused:
            self.history(roll, revision="x")
        self.assertEqual(refused.exception.raw_api_error, 4000005)

    def test_numbers(self):
        client, sold = self.client(), self.store.buy(FILM, account="numbers")
        download = self.judge.verify_and_decode_signed_transaction(sold["signedTransaction"]).appTransactionId
        token = UpdateAppAccountTokenRequest(str(uuid.uuid4()))
        for call, more in (
            (client.get_transaction_info, ()), (client.get_all_subscription_statuses, ()),
            (client.get_app_transaction_info, ()), (client.get_refund_history, (None,)),
            (client.finish_transaction, ()), (client.set_app_account_token, (token,)),
        ):
            unknown = APIError.TRANSACTION_ID_NOT_FOUND
            if call == client.set_app_account_token:
                unknown = APIError.ORIGINAL_TRANSACTION_ID_NOT_FOUND
            with self.subTest(call=call.__name__):
                self.assertRefused(APIError.INVALID_TRANSACTION_ID, call, "x", *more)
                self.assertRefused(unknown, call, NOBODY, *more)
        self.assertRefused(APIError.APP_TRANSACTION_ID_NOT_SUPPORTED_ERROR, client.get_transaction_info, download)
        self.assertRefused(
            APIError.APP_TRANSACTION_DOES_NOT_EXIST_ERROR, client.get_app_transaction_info, str(int(download) + 1))

    def test_app_account_tokens(self):
        sold = self.store.buy(FILTER, account="wrong tokens")
        self.assertRefused(
            APIError.INVALID_APP_ACCOUNT_TOKEN_UUID_ERROR, self.client().set_app_account_token, sold["transactionId"],
            UpdateAppAccountTokenRequest("x"))
        first = self.store.buy(MAGAZINE, account="renewed")["originalTransactionId"]
        self.store.control(f"subscriptions/{first}/renew", {})
        renewed = self.found(first)[-1]
        self.assertNotEqual(renewed, first)
        self.assertRefused(
            APIError.TRANSACTION_ID_IS_NOT_ORIGINAL_TRANSACTION_ID_ERROR, self.client().set_app_account_token,
            renewed, UpdateAppAccountTokenRequest(str(uuid.uuid4())))

    def test_extensions(self):
        client, identifier = self.client(), str(uuid.uuid4())
        good = {"extendByDays": 1, "extendReasonCode": ExtendReasonCode.OTHER, "requestIdentifier": identifier}
        free = self.store.buy(MAGAZINE, account="free weeks")["originalTransactionId"]
        for error, number, changes in (
            (APIError.INVALID_ORIGINAL_TRANSACTION_ID, "x", {}),
            (APIError.ORIGINAL_TRANSACTION_ID_NOT_FOUND, NOBODY, {}),
            (APIError.INVALID_EXTEND_BY_DAYS, free, {"extendByDays": 0}),
            (APIError.INVALID_REQUEST_IDENTIFIER, free, {"requestIdentifier": "x" * 129}),
            (APIError.SUBSCRIPTION_EXTENSION_INELIGIBLE, free, {}),
        ):
            with self.subTest(error=error.name):
                self.assertRefused(
                    error, client.extend_subscription_renewal_date, number,
                    ExtendRenewalDateRequest(**{**good, **changes}))
        for error, changes in (
            (APIError.INVALID_PRODUCT_ID, {"productId": "none"}),
            (APIError.INVALID_REQUEST_IDENTIFIER, {"requestIdentifier": "no UUID"}),
            (APIError.INVALID_EMPTY_STOREFRONT_COUNTRY_CODE_LIST, {"storefrontCountryCodes": []}),
            (APIError.INVALID_STOREFRONT_COUNTRY_CODE, {"storefrontCountryCodes": ["XX"]}),
        ):
            with self.subTest(error=error.name):
                self.assertRefused(
                    error, client.extend_renewal_date_for_all_active_subscribers,
                    MassExtendRenewalDateRequest(**{**good, "productId": MAGAZINE, **changes}))

    def test_notifications(self):
        now = self.judge.verify_and_decode_signed_transaction(
            self.store.buy(FILM, account="asking")["signedTransaction"]).signedDate
        client = self.client()
        for error, request in (
            (APIError.START_DATE_TOO_FAR_IN_PAST, {"startDate": now - 31 * ONE_DAY, "endDate": now}),
            (APIError.START_DATE_AFTER_END_DATE, {"startDate": now, "endDate": now - ONE_DAY}),
            (APIError.MULTIPLE_FILTERS_SUPPLIED, {
                "startDate": now - ONE_DAY, "endDate": now, "transactionId": NOBODY,
                "notificationType": NotificationTypeV2.DID_RENEW}),
            (APIError.INVALID_NOTIFICATION_TYPE, {
                "startDate": now - ONE_DAY, "endDate": now, "notificationSubtype": Subtype.VOLUNTARY}),
        ):
            with self.subTest(error=error.name):
                self.assertRefused(
                    error, client.get_notification_history, None, NotificationHistoryRequest(**request))
        self.assertRefused(
            APIError.INVALID_PAGINATION_TOKEN, client.get_notification_history, "x",
            NotificationHistoryRequest(startDate=now - ONE_DAY, endDate=now))
        self.assertRefused(APIError.SERVER_NOTIFICATION_URL_NOT_FOUND, client.request_test_notification)


if __name__ == "__main__":
    unittest.main()
