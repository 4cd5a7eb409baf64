"""Clients of the App Store Connect API read the reports of a store over TLS, under Apple's host name, and their totals are
the store's."""

import json
import os
import subprocess
import unittest
from datetime import date, datetime, timedelta
from decimal import Decimal

import jwt
import requests

from hosts import Network
from perennial import APPLE_ID, BUNDLE_ID, FILM, FILTER, HERE, MAGAZINE, Store

ENVIRONMENT = "books"
HOST = "api.appstoreconnect.apple.com"


def fiscal_month(day):
    """The fiscal month of a day, and its last day: months of 5, 4 and 4 weeks from the Sunday after September's last
    Saturday."""

    def first(year):
        last = date(year - 1, 9, 30)
        return last - timedelta(days=(last.weekday() - 5) % 7) + timedelta(days=1)

    year = day.year + 1 if day >= first(day.year + 1) else day.year
    weeks = [5, 4, 4] * 4
    if (first(year + 1) - first(year)).days == 7 * 53:
        weeks[2] += 1
    start = first(year)
    for month, count in enumerate(weeks, 1):
        end = start + timedelta(weeks=count) - timedelta(days=1)
        if day <= end:
            return f"{year}-{month:02}", end
        start = end + timedelta(days=1)


class Reports(unittest.TestCase):
    """Two days of commerce in an environment whose clock stands still until it is advanced."""

    @classmethod
    def setUpClass(cls):
        cls.store = Store()
        cls.addClassCleanup(cls.store.stop)
        # Noon in UTC is the same day in Pacific time. The days are of one fiscal month.
        today = date.today()
        month, end = fiscal_month(today)
        if end - today < timedelta(days=3):
            today = end + timedelta(days=1)
            month, end = fiscal_month(today)
        cls.month, cls.end, cls.days = month, end, [today + timedelta(days=count) for count in range(3)]
        cls.store.control(
            "environments", {
                "name": ENVIRONMENT, "kind": "Production", "clock": "manual", "now": f"{today}T20:00:00Z"},
            environment="Production")
        cls.store.ready["environments"][ENVIRONMENT] = f"{cls.store.ready['url']}/environments/{ENVIRONMENT}"
        for account, storefront in (("ann", "USA"), ("ben", "DEU"), ("cleo", "USA")):
            cls.control("accounts", {"account": account, "storefront": storefront})
        cls.units = {}
        cls.buy(FILM, "ann", 3)
        silver = cls.buy(FILTER, "ben")
        cls.buy(MAGAZINE, "cleo")
        cls.control("clock/advance", {"by": "P1D"})
        cls.control(f"transactions/{silver['transactionId']}/refund", {})
        cls.count(FILTER, -1)
        cls.buy(FILM, "ben", 2)
        # A day without commerce follows, and then the end of the fiscal month.
        cls.control("clock/advance", {"to": f"{end + timedelta(days=1)}T20:00:00Z"})
        cls.control("finance/rates", {"rates": [{"month": month, "from": "EUR", "to": "USD", "rate": "1.08"}]})
        cls.store.control(f"finance/months/{month}/close", environment=ENVIRONMENT, method="POST")

    @classmethod
    def control(cls, path, body=None):
        return cls.store.control(path, body, environment=ENVIRONMENT)

    @classmethod
    def buy(cls, product, account, quantity=1):
        made = cls.control(
            "purchases", {"bundleId": BUNDLE_ID, "account": account, "productId": product, "quantity": quantity})
        cls.count(product, quantity)
        return made

    @classmethod
    def count(cls, product, quantity):
        cls.units[product] = cls.units.get(product, 0) + quantity

    def read(self, client):
        """What a client's program reads of the store."""
        python = os.path.join(os.environ["PERENNIAL_INTEROP_CLIENTS"], client, "bin", "python")
        given = {
            "url": f"https://{HOST}/environments/{ENVIRONMENT}", "app": self.store.app,
            "tls": self.store.ready["tls"], "days": [str(day) for day in self.days], "month": self.month}
        program = os.path.join(HERE, "clients", f"{client}_reports.py")
        done = subprocess.run(
            [python, program], input=json.dumps(given), capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def proceeds(self, last):
        """The store's own proceeds by currency, from the first day to another."""
        rows = self.store.control(
            f"statistics/proceeds?bundleId={BUNDLE_ID}&from={self.days[0]}&to={last}", environment=ENVIRONMENT)["rows"]
        totals = {}
        for row in rows:
            totals[row["currency"]] = totals.get(row["currency"], Decimal(0)) + Decimal(row["values"][0])
        return {currency: amount for currency, amount in totals.items() if amount}

    def assertTotals(self, read):
        units = {product: Decimal(count) for product, count in read["units"].items()}
        self.assertEqual(units, {product: Decimal(count) for product, count in self.units.items()})
        proceeds = {currency: Decimal(amount) for currency, amount in read["proceeds"].items()}
        self.assertEqual(
            {currency: amount for currency, amount in proceeds.items() if amount}, self.proceeds(self.days[2]))

    def assertPartnerShare(self, read):
        """A closed month pays what was sold in it."""
        shares = {currency: Decimal(amount) for currency, amount in read["partnerShare"].items()}
        self.assertEqual(
            {currency: amount for currency, amount in shares.items() if amount}, self.proceeds(self.end))

    def test_storepulse(self):
        read = self.read("storepulse")
        self.assertTotals(read)
        days = [str(day) for day in self.days]
        self.assertEqual(read["statuses"], {days[0]: "ok", days[1]: "ok", days[2]: "no_sales"})
        # The magazine begins with a free trial.
        self.assertEqual(read["active"], {days[0]: [0, 1], days[1]: [0, 1]})
        self.assertEqual(read["events"], {"Start Introductory Offer": "1"})
        self.assertIn(True, read["analytics"])
        self.assertEqual(read["unknownVendor"], 500)
        self.assertEqual(read["stranger"], [401, "NOT_AUTHORIZED"])

    def test_applaud(self):
        read = self.read("applaud")
        self.assertTotals(read)
        self.assertPartnerShare(read)
        vendor, days = self.store.app["vendorNumber"], [f"{day:%Y%m%d}" for day in self.days]
        self.assertEqual(
            list(read["statuses"].values()),
            [f"S_D_{vendor}_{days[0]}.txt.gz", f"S_D_{vendor}_{days[1]}.txt.gz", "NOT_FOUND"])
        self.assertEqual(read["subscriptions"], [f"Subscription_{vendor}_{days[0]}.txt.gz", 1])
        self.assertTrue(read["financeFile"].startswith(f"{vendor}_"), read["financeFile"])
        self.assertEqual(read["apps"], [BUNDLE_ID])
        self.assertEqual(read["app"], "Photo Magazine")

    def test_appstoreconnect(self):
        read = self.read("appstoreconnect")
        self.assertTotals(read)
        self.assertPartnerShare(read)
        self.assertEqual(list(read["statuses"].values())[:2], ["ok", "ok"])
        status, detail = read["statuses"][str(self.days[2])]
        self.assertEqual(status, 404)
        self.assertIn("no sales", detail)
        self.assertEqual(read["subscriptions"], 1)
        self.assertEqual(read["oldVersion"][0], 400)
        self.assertIn("1_4", read["oldVersion"][1])
        self.assertEqual(read["apps"], [1, [BUNDLE_ID]])

    def test_surquest(self):
        read = self.read("surquest")
        self.assertEqual(read["type"], "analyticsReportRequests")
        self.assertEqual(len(read["dates"]), 1)
        self.assertEqual({row["app_apple_identifier"] for row in read["purchases"]}, {APPLE_ID})
        # The days before the magazine's free trial ends: a trial is no purchase.
        rows = [row for row in read["purchases"] if row["date"] <= str(self.days[2])]
        units = {}
        for row in rows:
            units[row["content_name"]] = units.get(row["content_name"], 0) + row["purchases"]
        self.assertEqual(sorted(units.values()), sorted([self.units[FILM], self.units[FILTER]]))
        dollars = sum(Decimal(str(row["sales_in_usd"])) for row in rows if row["territory"] == "US")
        self.assertEqual(dollars, 3 * Decimal("0.99"))

    def test_a_key_without_the_role_is_refused_with_apples_words(self):
        keys = self.store.command(
            "keys", "create", "--kind", "connect", "--role", "marketing", "--output",
            os.path.join(self.store.folder, "marketing.p8"))
        key = keys.split(":")[0]
        with open(os.path.join(self.store.folder, "marketing.p8")) as file:
            token = jwt.encode(
                {
                    "iss": self.store.app["connectAPIKey"]["issuerId"], "aud": "appstoreconnect-v1",
                    "exp": int(datetime.now().timestamp()) + 600}, file.read(), algorithm="ES256",
                headers={"kid": key})
        with Network(self.store.ready["tls"]):
            answer = requests.get(
                f"https://{HOST}/v1/salesReports", headers={"Authorization": f"Bearer {token}"}, timeout=30)
        self.assertEqual(answer.status_code, 403)
        self.assertEqual(answer.headers["Content-Type"], "application/json")
        self.assertEqual(answer.json()["errors"][0]["detail"], "The API key in use does not allow this request")
        self.assertRegex(answer.headers["X-Rate-Limit"], r"^user-hour-lim:3600;user-hour-rem:\d+;$")


if __name__ == "__main__":
    unittest.main()
