"""What a parent and a reviewer decide on a phone, with buttons that are large enough for a thumb."""

import os
import subprocess
import uuid

from console import BUNDLE_ID, PHONE, ROOT, ConsoleTest

FILM = f"{BUNDLE_ID}.film.roll"
PRODUCT = f"{BUNDLE_ID}.phone"
PICTURE = os.path.join(ROOT, "docs/images/console-overview.png")
# The design's size of what a finger touches, in points; the browser rounds.
THUMB = 43.5


class Decisions(ConsoleTest):
    def setUp(self):
        self.browser.language("en")
        self.browser.resize(PHONE)

    def run_command(self, *words):
        """Runs a command of the command line at the store."""
        subprocess.run(
            [os.environ["PERENNIAL"], *words, "--url", self.store.url, "--token", self.store.ready["controlToken"]],
            check=True, capture_output=True, timeout=60)

    def ask_to_buy(self, account):
        """Asks for a purchase on a child's device."""
        device = {"account": account, "deviceId": str(uuid.uuid4()), "bundleId": BUNDLE_ID, "applicationVersion": "1"}
        token = self.store.device("devices", device)["token"]
        self.store.device("purchases", {"productId": FILM, "simulatesAskToBuy": True}, token)

    def tap(self, path, value=None):
        """Taps the button of a form in the middle of the page, after its size was looked at."""
        fields = "" if value is None else f':has([name="approved"][value="{value}"])'
        button = self.browser.find(f'main form[action="{self.browser.path(path)}"]{fields} button:not([type=button])')
        self.browser.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", button)
        self.assertGreaterEqual(min(button.size["height"], button.size["width"]), THUMB, path)
        page = self.browser.find("html")
        button.click()
        self.browser.until(lambda: self.browser.is_gone(page), f"{path} was not sent")

    def test_an_ask_to_buy_request_is_approved(self):
        self.ask_to_buy("child")
        approvals = f"approvals?bundleId={BUNDLE_ID}"
        asked = self.store.control("GET", approvals)["approvals"][0]["id"]
        self.browser.open("customers/child")
        self.tap(f"customers/child/approvals/{asked}", "true")
        self.assertEqual(self.store.control("GET", approvals)["approvals"], [])
        sold = self.store.control("GET", f"apps/{BUNDLE_ID}/transactions?account=child")["transactions"]
        self.assertEqual([one["productId"] for one in sold], [FILM])

    def test_a_submission_under_review_is_approved(self):
        self.run_command("reviews", "mode", "manual")
        self.run_command("products", "create", PRODUCT, "--type", "consumable", "--name", "Phone", "--price", "0.99",
                         "--display-name", "en-US=Phone", "--description", "en-US=Bought by phone")
        self.run_command("products", "screenshot", PRODUCT, PICTURE)
        self.run_command("products", "submit", PRODUCT)
        review = self.store.control("GET", "reviews", base="")["reviews"][0]["submissionId"]
        self.browser.open("reviews")
        self.tap(f"reviews/{review}/start")
        self.tap(f"reviews/{review}/approve")
        self.assertEqual(self.store.control("GET", "reviews", base="")["reviews"], [])
