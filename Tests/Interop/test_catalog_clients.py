"""Clients of the App Store Connect API create, price, list and delete a store's products over TLS, unmodified, under Apple's
host name, and customers pay what the clients set."""

import json
import os
import re
import subprocess
import unittest
from datetime import date, timedelta
from decimal import Decimal

import jwt

from perennial import APPLE_ID, BUNDLE_ID, FILM, HERE, Store

# A subscription without an introductory offer.
WEEKLY = f"{BUNDLE_ID}.magazine.weekly"
# Sandbox sells what isn't approved yet.
CUSTOMERS = {"ann": "USA", "ben": "DEU", "chie": "JPN", "dora": "CHE"}
TERRITORIES = 175


class CatalogTestCase(unittest.TestCase):
    """One run of a client's program against a store of its own."""

    client = None

    @classmethod
    def setUpClass(cls):
        if cls.client is None:
            raise unittest.SkipTest("the base of the others")
        cls.store = Store()
        cls.addClassCleanup(cls.store.stop)
        for account, storefront in CUSTOMERS.items():
            cls.store.control("accounts", {"account": account, "storefront": storefront})
        python = os.path.join(os.environ["PERENNIAL_INTEROP_CLIENTS"], cls.client, "bin", "python")
        home = os.path.join(cls.store.folder, "home")
        os.mkdir(home)
        given = {
            "url": None, "app": cls.store.app, "tls": cls.store.ready["tls"], "folder": home, **cls.prepare()}
        done = subprocess.run(
            [python, os.path.join(HERE, "clients", f"{cls.client}_catalog.py")], input=json.dumps(given),
            capture_output=True, text=True, timeout=300)
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        cls.read = json.loads(done.stdout)

    @classmethod
    def prepare(cls):
        """What a client's program needs besides."""
        return {}

    def assertPrinted(self, command, *texts):
        self.assertEqual(command["code"], 0, command)
        for text in texts:
            self.assertRegex(command["output"], text)

    def price(self, product, account, environment="Sandbox"):
        """What a customer pays now."""
        sold = self.store.buy(product, account=account, environment=environment)
        transaction = jwt.decode(sold["signedTransaction"], options={"verify_signature": False})
        return Decimal(transaction["price"]) / 1000

    def changes(self):
        """The entries of the catalog's journal."""
        return self.store.control("catalog/changes", environment="Production")["changes"]


class AscCLI(CatalogTestCase):
    client = "asc_cli"
    product = "com.example.photomag.cli.monthly"

    def test_it_creates_a_subscription_and_reads_it_back(self):
        read = self.read
        self.assertEqual(read["app"], [str(APPLE_ID), "Photo Magazine"])
        self.assertPrinted(read["apps"], re.escape(BUNDLE_ID))
        self.assertNotIn("From the shell", read["groupsBefore"])
        self.assertRegex(read["subscription"], r"^\d{10,}$")
        self.assertEqual(read["created"], ["MISSING_METADATA", None])
        self.assertEqual(read["period"], "ONE_MONTH")
        self.assertPrinted(read["list"], "Group: From the shell", f"CLI monthly .*{re.escape(self.product)}")
        self.assertPrinted(read["check"], "Period: ONE_MONTH", "Localizations: 1", "Pricing: ")

    def test_a_product_id_is_used_once(self):
        self.assertEqual(
            self.read["duplicate"], [409, "ENTITY_ERROR.ATTRIBUTE.INVALID.DUPLICATE", "/data/attributes/productId"])

    def test_availability_is_missing_until_it_is_set(self):
        self.assertIsNone(self.read["availabilityBefore"])
        self.assertEqual(self.read["availability"], [True, TERRITORIES])

    def test_its_command_sets_the_prices_of_all_territories(self):
        read = self.read
        self.assertEqual(read["territories"], TERRITORIES)
        self.assertPrinted(
            read["bulk"], "Set period to ONE_MONTH", f"Set availability for {TERRITORIES} territories",
            f"Set pricing for {TERRITORIES - 1} territories", "Created offers for 2 territories",
            "Created offers for 1 territories")
        self.assertNotIn("error", read["bulk"]["output"])
        self.assertEqual(read["base"], "2.99")
        self.assertEqual(len(read["equal"]), TERRITORIES - 1)
        self.assertNotIn("USA", read["equal"])
        self.assertGreater(read["grid"], 200)
        self.assertEqual(read["unknownPrice"]["code"], 1)
        self.assertIn("No price point found", read["unknownPrice"]["output"])

    def test_customers_pay_its_prices(self):
        # Without introductory offers in their storefronts.
        self.assertEqual(self.price(self.product, "chie"), Decimal(self.read["equal"]["JPN"]))
        self.assertEqual(self.price(self.product, "dora"), Decimal(self.read["equal"]["CHE"]))

    def test_its_offers_are_sold_and_deleted(self):
        read = self.read
        self.assertEqual(
            read["offers"],
            [["FREE_TRIAL", "TWO_WEEKS", 1], ["FREE_TRIAL", "TWO_WEEKS", 1], ["PAY_AS_YOU_GO", "ONE_MONTH", 3]])
        self.assertPrinted(read["offerList"], "PAY_AS_YOU_GO")
        self.assertPrinted(read["deleted"], "Deleted offer")
        self.assertFalse(read["deletedAgain"])
        self.assertEqual(read["offersAfter"], 2)
        self.assertEqual(self.price(self.product, "ann"), Decimal("1.99"))

    def test_the_journal_of_the_catalog_names_the_key(self):
        key = self.store.app["connectAPIKey"]["keyId"]
        actors = {change["actor"] for change in self.changes()}
        self.assertTrue(any(key in actor for actor in actors), actors)


class PPPPrices(CatalogTestCase):
    client = "ppp_prices"

    def test_it_lists_products_with_their_prices(self):
        read = self.read
        self.assertEqual(read["products"][FILM], "CONSUMABLE")
        self.assertEqual(read["products"][WEEKLY], "AUTOMATICALLY_RENEWABLE_SUBSCRIPTION")
        self.assertEqual([read["filmBefore"], read["weeklyBefore"]], [0.99, 1.49])
        self.assertPrinted(
            read["list"], rf"\[IAP\] {re.escape(FILM)} .*\$0\.99", rf"\[SUB\] {re.escape(WEEKLY)} .*\$1\.49")
        self.assertEqual(read["unknown"]["code"], 1)
        self.assertIn("not found", read["unknown"]["output"])
        self.assertEqual(read["currencies"], TERRITORIES)

    def test_a_dry_run_changes_nothing(self):
        self.assertPrinted(self.read["dryRun"], "Dry run complete", r"Switzerland .* CHF")
        self.assertEqual(self.read["filmAfterDryRun"]["USA"], "0.99")

    def test_it_prices_an_in_app_purchase_in_one_request(self):
        read = self.read
        self.assertPrinted(read["film"], f"Sending {read['territories']} territory prices", "Done: prices applied")
        self.assertEqual(len(read["filmPrices"]), read["territories"])
        self.assertEqual(read["filmAfter"], 1.99)
        for account, storefront in CUSTOMERS.items():
            self.assertEqual(self.price(FILM, account), Decimal(read["filmPrices"][storefront]), storefront)

    def test_it_schedules_a_subscription_and_schedules_it_again(self):
        read, count = self.read, self.read["territories"]
        self.assertPrinted(read["weekly"], f"{count}/{count} territory prices applied")
        self.assertEqual(read["scheduled"], [0, count, 1])
        self.assertPrinted(read["weeklyAgain"], f"Deleted {count} pending", f"{count}/{count} territory prices")
        prices = read["weeklyPrices"]
        self.assertEqual(len(prices["later"]), count)
        self.assertEqual(prices["later"]["USA"], "0.99")
        (start,) = prices["starts"]
        self.assertIn(date.fromisoformat(start) - date.today(), [timedelta(days=1), timedelta(days=2)])
        self.assertEqual(read["weeklyAfter"], 1.49)

    def test_the_scheduled_prices_take_effect_by_the_clock(self):
        now = self.store.control("clock", environment="Production")["now"]
        self.store.control(
            "environments", {"name": "later", "kind": "Sandbox", "clock": "manual", "now": now},
            environment="Production")
        self.store.ready["environments"]["later"] = f"{self.store.ready['url']}/environments/later"
        for account in ("early", "late"):
            self.store.control("accounts", {"account": account, "storefront": "CHE"}, environment="later")
        self.assertNotEqual(self.price(WEEKLY, "early", "later"), Decimal(self.read["weeklyPrices"]["later"]["CHE"]))
        self.store.control("clock/advance", {"by": "P4D"}, environment="later")
        self.assertEqual(self.price(WEEKLY, "late", "later"), Decimal(self.read["weeklyPrices"]["later"]["CHE"]))


class Codemagic(CatalogTestCase):
    client = "codemagic"

    def test_it_lists_apps(self):
        self.assertEqual(self.read["apps"], [BUNDLE_ID])
        self.assertEqual(self.read["byName"], [str(APPLE_ID)])
        self.assertEqual(self.read["app"], "Photo Magazine")

    def test_it_creates_a_product_and_deletes_it(self):
        id, state = self.read["product"]
        self.assertRegex(id, r"^\d{10,}$")
        self.assertEqual(state, "MISSING_METADATA")
        self.assertEqual(self.read["version"], {"version": 1, "state": "PREPARE_FOR_SUBMISSION"})
        self.assertEqual([self.read["screenshot"], self.read["complete"]], ["COMPLETE", "READY_TO_SUBMIT"])
        self.assertEqual(self.read["gone"], [404, "NOT_FOUND"])

    def test_a_submission_has_items(self):
        read = self.read
        self.assertEqual(read["submission"], ["IOS", "READY_FOR_REVIEW"])
        self.assertEqual(read["items"], ["READY_FOR_REVIEW"])
        self.assertEqual(read["deleted"], 0)
        self.assertEqual(read["itemsAfter"], [])
        self.assertEqual(read["state"], "READY_FOR_REVIEW")
        self.assertEqual(read["open"], [True])
        # Versions of apps don't belong to this store.
        self.assertNotEqual(read["strangeItem"]["code"], 0)
        self.assertIn("409", read["strangeItem"]["errors"])

    def test_a_second_submission_names_the_first(self):
        status, text, first = self.read["second"]
        self.assertEqual(status, 409)
        self.assertIn(f"There is another reviewSubmissions with id {first} still in progress", text)


class ASConnect(CatalogTestCase):
    client = "asconnect"
    product = "com.example.photomag.as.postcard"

    @classmethod
    def prepare(cls):
        for name, role in (("Hana", "ACCOUNT_HOLDER"), ("Mo", "APP_MANAGER")):
            cls.store.control(
                "users", {
                    "username": f"{name.lower()}@example.com", "firstName": name, "lastName": "Example",
                    "roles": [role]}, environment="Production")
        key = cls.store.control("connect-keys", {"user": "hana@example.com"}, environment="Production")
        return {"individual": {"keyId": key["keyId"], "privateKey": key["privateKey"]}}

    def test_it_reads_apps_and_users(self):
        self.assertEqual(self.read["app"], [str(APPLE_ID), "Photo Magazine", "en-US"])
        self.assertEqual(
            sorted(self.read["users"]),
            [["hana@example.com", ["ACCOUNT_HOLDER"]], ["mo@example.com", ["APP_MANAGER"]]])

    def test_an_individual_key_opens_the_api(self):
        self.assertEqual(self.read["individual"], [BUNDLE_ID])

    def test_it_creates_changes_lists_and_deletes_a_product(self):
        read = self.read
        self.assertEqual(read["made"], ["MISSING_METADATA", None])
        self.assertEqual(read["changed"], ["Picture postcard", "Printed by hand"])
        # Pages of two, sorted by name.
        self.assertGreater(len(read["before"]), 2)
        self.assertEqual(sorted(read["during"]), sorted([*read["before"], self.product]))
        self.assertEqual(read["deleted"], 204)
        self.assertEqual(read["after"], read["before"])

    def test_refusals_have_apples_codes_and_pointers(self):
        status, code, source = self.read["otherType"]
        self.assertEqual([status, source["pointer"]], [409, "/data/attributes/inAppPurchaseType"])
        self.assertTrue(code.startswith("ENTITY_ERROR.ATTRIBUTE"), code)
        self.assertEqual(
            self.read["usedAgain"],
            [409, "ENTITY_ERROR.ATTRIBUTE.INVALID.DUPLICATE", {"pointer": "/data/attributes/productId"}])

    def test_an_app_has_one_open_submission(self):
        self.assertEqual(self.read["submittedTwice"][0], 409)


if __name__ == "__main__":
    unittest.main()
