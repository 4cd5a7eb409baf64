"""hledger and beancount on the exported books of a year: they agree with every financial report."""

import csv
import io
import json
import os
import shutil
import subprocess
import unittest
from collections import defaultdict
from decimal import Decimal

from perennial import BUNDLE_ID, FILM, FILTER, MAGAZINE, StoreTestCase

YEAR = "year"
MONTHS = [f"2027-{number:02}" for number in range(1, 13)]
STOREFRONTS = {"ann": "USA", "ben": "DEU", "cho": "JPN", "dan": "GBR", "eva": "CHE", "fay": "AUS", "gil": "BRA"}
RATES = {"EUR": "1.08", "JPY": "0.00667", "GBP": "1.265", "CHF": "1.1234", "AUD": "0.655", "BRL": "0.18155"}
TOOLS = ("hledger", "bean-check", "bean-query")


def run(*words):
    """What a tool prints; an error of the tool fails the test."""
    done = subprocess.run(words, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(words)}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


@unittest.skipUnless(
    all(shutil.which(tool) for tool in TOOLS), "hledger or beancount is missing: scripts/packages interop installs them")
class Books(StoreTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.store.control(
            "environments",
            {"name": YEAR, "kind": "Production", "clock": "manual", "now": "2026-09-28T19:00:00Z"}, "Production")
        cls.store.ready["environments"][YEAR] = f"{cls.store.ready['url']}/environments/{YEAR}"
        cls.live()
        cls.books = {format: cls.export(format) for format in ("hledger", "beancount")}

    @classmethod
    def live(cls):
        """A year of sales, renewals and refunds, with its months closed."""
        for account, storefront in STOREFRONTS.items():
            cls.store.control("accounts", {"account": account, "storefront": storefront}, YEAR)
            cls.store.buy(MAGAZINE, account, YEAR)
        for number in range(12):
            sold = [
                cls.store.buy(FILM, account, YEAR, quantity=1 + (number + index) % 9)
                for index, account in enumerate(STOREFRONTS) if (number + index) % 3]
            if number == 4:
                sold += [cls.store.buy(FILTER, account, YEAR) for account in STOREFRONTS]
            refunded = sold[number % len(sold)]["transactionId"]
            cls.store.control(f"transactions/{refunded}/refund", {"percentage": 100 - 7 * number}, YEAR)
            cls.store.control("clock/advance", {"by": "P1M"}, YEAR)
        path = os.path.join(cls.store.folder, "rates.csv")
        with open(path, "w") as file:
            file.write("month,from,to,rate\n")
            for month in MONTHS:
                for currency, rate in RATES.items():
                    file.write(f"{month},{currency},USD,{rate}\n")
        cls.finance("rates", "import", path)
        cls.finance(
            "settings", "set", "--bank-name", "Example Bank", "--account-ending", "1234", "--threshold", "60",
            "--withholding", "JP=20.42", "--input-tax", "BR=4.5")
        cls.finance("adjust", "GB", "--amount", "-3.21", "--currency", "GBP", "--reason", "A fee, with a comma; and more")
        cls.closed = {month: json.loads(cls.finance("close", month, "--json")) for month in MONTHS}

    @classmethod
    def finance(cls, *words):
        return cls.store.command("finance", *words, "--environment", YEAR)

    @classmethod
    def export(cls, format, *options):
        name = "-".join((format, *options)).replace("-", "")
        path = os.path.join(cls.store.folder, f"{name}.{format}")
        cls.store.command(
            "books", "export", "--format", format, "--output", path, "--environment", YEAR, *options)
        return path

    def hledger(self, *query, books=None):
        """Balances by account and currency."""
        text = run("hledger", "-f", books or self.books["hledger"], "balance", *query, "-N", "-O", "csv",
                   "--layout=bare")
        return {(row["account"], row["commodity"]): Decimal(row["balance"]) for row in rows(text)
                if Decimal(row["balance"])}

    def beancount(self, columns, condition):
        """Sums by columns, each named with its expression, and by currency."""
        selected = ", ".join(f"{expression} AS {name}" for name, expression in columns.items())
        text = run("bean-query", "-f", "csv", self.books["beancount"],
                   f"SELECT {selected}, currency, sum(number) AS total WHERE {condition} "
                   f"GROUP BY {', '.join(columns)}, currency")
        # Names and values are padded.
        return [{name.strip(): value.strip() for name, value in row.items()} for row in rows(text)]

    def reports(self, month):
        """The totals of each region's financial report, by currency."""
        totals = {}
        for line in self.closed[month]["lines"]:
            text = self.store.command(
                "report", "financial", "--month", month, "--region", line["region"], "--environment", YEAR)
            for row in text.splitlines():
                if row.startswith("Total_Amount"):
                    totals[line["region"], line["currency"]] = Decimal(row.split("\t")[1])
        return totals

    def test_both_tools_accept_the_books(self):
        run("hledger", "-f", self.books["hledger"], "check", "--strict")
        run("bean-check", self.books["beancount"])

    def test_reconcile_agrees(self):
        self.store.command("reconcile", "--environment", YEAR)
        self.store.command("reconcile", "--from", "2027-02", "--to", "2027-03", "--environment", YEAR)

    def test_every_financial_report_agrees_with_both(self):
        regions = set()
        found = defaultdict(Decimal)
        for row in self.beancount(
                {"fiscal": "entry_meta('fiscal-month')", "area": "entry_meta('region')"},
                "account = 'Assets:Proceeds'"):
            if row["fiscal"]:
                found[row["fiscal"], row["area"], row["currency"]] += Decimal(row["total"])
        for month in MONTHS:
            for (region, currency), total in self.reports(month).items():
                with self.subTest(month=month, region=region):
                    balances = self.hledger("Assets:Proceeds", f"tag:fiscal-month={month}", f"tag:region=^{region}$")
                    self.assertEqual(balances.get(("Assets:Proceeds", currency), Decimal(0)), total)
                    self.assertEqual(found[month, region, currency], total)
                    regions.add(region)
        self.assertEqual(regions, {"US", "EU", "JP", "GB", "CH", "AU", "BR"})

    def test_taxes_exchange_and_payouts_agree_with_both(self):
        def milliunits(lines, field):
            sums = defaultdict(Decimal)
            for line in lines:
                sums[line["currency"]] -= Decimal(line[field]) / 1000
            return {currency: amount for currency, amount in sums.items() if amount}

        lines = [line for closed in self.closed.values() for line in closed["lines"]]
        for account, field in (("Expenses:Withholding", "withholdingTax"), ("Expenses:Input-Tax", "inputTax")):
            expected = milliunits(lines, field)
            self.assertTrue(expected)
            self.assertEqual(self.hledger(account), {(account, currency): sum for currency, sum in expected.items()})
            self.assertEqual(
                {row["currency"]: Decimal(row["total"]) for row in self.beancount(
                    {"name": "account"}, f"account = '{account}'")},
                expected)
        payouts = [closed["payout"] for closed in self.closed.values() if "payout" in closed]
        self.assertGreater(len(payouts), 2)
        self.assertLess(len(payouts), 12)
        paid = sum(Decimal(payout["amount"]) for payout in payouts) / 1000
        self.assertEqual(self.hledger("Assets:Bank"), {("Assets:Bank", "USD"): paid})
        balance = Decimal(self.closed[MONTHS[-1]]["balance"]) / 1000
        self.assertEqual(self.hledger("Assets:Payable").get(("Assets:Payable", "USD"), Decimal(0)), balance)
        for payout in payouts:
            self.assertEqual(
                self.hledger("Assets:Bank", f"tag:reference={payout['reference']}", f"date:{payout['date']}"),
                {("Assets:Bank", "USD"): Decimal(payout["amount"]) / 1000})

    def test_the_books_of_the_months_add_up_to_the_year(self):
        whole = self.hledger("tag:fiscal-month=2027")
        parts = defaultdict(Decimal)
        for month in MONTHS:
            books = self.export("hledger", "--month", month)
            for key, amount in self.hledger("tag:fiscal-month=2027", books=books).items():
                parts[key] += amount
            run("bean-check", self.export("beancount", "--month", month))
        self.assertEqual({key: amount for key, amount in parts.items() if amount}, whole)

    def test_the_payments_summary_has_the_closings_totals(self):
        for month in MONTHS:
            lines = self.store.command("report", "payments", "--month", month, "--environment", YEAR).splitlines()
            head = next(index for index, line in enumerate(lines) if line.startswith("Region (Currency)"))
            table = rows("\n".join(line for line in lines[head:] if line.count(",") >= 10))
            regions = [row for row in table if row["Region (Currency)"] != "Total"]
            self.assertEqual(len(regions), len(self.closed[month]["lines"]))
            total = next(row for row in table if row["Region (Currency)"] == "Total")
            self.assertEqual(Decimal(total["Proceeds"]) * 1000, Decimal(self.closed[month]["total"]))


if __name__ == "__main__":
    unittest.main()
