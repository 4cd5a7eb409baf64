"""What a parent and a reviewer decide on a phone, with buttons that are large enough for a thumb, and how pages of figures and
of products are read there."""

import os
import subprocess
import uuid

from selenium.webdriver.common.action_chains import ActionChains

from console import BUNDLE_ID, PHONE, ROOT, WIDE, Browser, ConsoleTest

FILM = f"{BUNDLE_ID}.film.roll"
SILVER = f"{BUNDLE_ID}.filter.silver"
MAGAZINE = f"{BUNDLE_ID}.magazine.monthly"
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
        self.run_command("reviews", "mode", "set", "manual")
        self.run_command("products", "create", PRODUCT, "--type", "consumable", "--name", "Phone", "--price", "0.99",
                         "--display-name", "en-US=Phone", "--description", "en-US=Bought by phone")
        self.run_command("products", "screenshot", "upload", PRODUCT, PICTURE)
        self.run_command("products", "submit", PRODUCT)
        review = self.store.control("GET", "reviews", base="")["reviews"][0]["submissionId"]
        self.browser.open("reviews")
        self.tap(f"reviews/{review}/start")
        self.tap(f"reviews/{review}/approve")
        self.assertEqual(self.store.control("GET", "reviews", base="")["reviews"], [])


class Reading(ConsoleTest):
    # Pages that name products and accounts in lists, facts, timelines and tables.
    NAMES = ["products", f"products/{SILVER}", "transactions", "customers", "customers/a.reader%40mail.example.com", "live",
             "overview", "sales?by=product", "subscriptions/list", "search?query=com.example", "testers", "promoted"]

    # The pieces of long names, between dots and low lines, that stand in more than one line although they would fit in one.
    BROKEN = """
        const found = [], walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            const one = node.parentElement;
            if (!one.checkVisibility({visibilityProperty: true}) || one.closest('pre, .hidden')) continue;
            const range = document.createRange();
            for (const piece of node.data.matchAll(/[^\\s._@]+[._@]*/g)) {
                range.setStart(node, piece.index);
                range.setEnd(node, piece.index + piece[0].length);
                const lines = [...range.getClientRects()].filter(line => line.width > 1);
                if (new Set(lines.map(line => Math.round(line.top))).size > 1) found.push(`${piece[0]} in ${one.outerHTML.slice(0, 120)}`);
            }
        }
        return found;
        """

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for product in (FILM, MAGAZINE, SILVER):
            cls.store.buy(product, "a.reader@mail.example.com")
        cls.store.wait_for_roll_ups()

    def setUp(self):
        self.browser.language("en")
        self.browser.resize(PHONE)
        self.addCleanup(self.browser.resize, WIDE)

    def definitions(self, browser):
        """The titles of columns that have a definition, each with the mark that opens it."""
        heads = [head for head in browser.all("main .table thead th") if head.find_elements("css selector", ".define")]
        return [(head, head.find_element("css selector", "summary")) for head in heads if head.is_displayed()]

    def assertDefined(self, browser, page):
        browser.open(page)
        found = self.definitions(browser)
        self.assertTrue(found, f"{page}: no definition is to be seen")
        for head, mark in found:
            title = head.text.split("?")[0].strip()
            # A tap on the title does it, too. Its sheet is above everything else and within the window.
            ActionChains(browser.driver).move_to_element(head).click().perform()
            sheet = head.find_element("css selector", ".sheet")
            self.assertTrue(sheet.is_displayed(), f"{page}: {title}")
            self.assertGreater(len(sheet.text), 10)
            self.assertIn(title, mark.get_attribute("aria-label"))
            box = sheet.rect
            inside = browser.driver.execute_script(
                "const box = arguments[0].getBoundingClientRect(); return box.left >= 0 && box.right <= innerWidth"
                " && box.top >= 0 && box.bottom <= innerHeight"
                " && arguments[0].contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2))", sheet)
            self.assertTrue(inside, f"{page}: {title}: {box}")
            self.assertEqual(browser.overflow(), 0)
            mark.click()
            self.assertFalse(sheet.is_displayed())
            self.assertGreaterEqual(head.size["height"], THUMB)

    def test_the_definitions_of_columns_are_opened_by_a_tap(self):
        self.assertDefined(self.browser, "sales?by=product")
        self.assertEqual(self.browser.violations(), [])
        # The other titles are for screen readers, and all of them stand above their columns on a wide screen.
        self.browser.resize(WIDE)
        heads = self.browser.all("main .table thead th")
        self.assertTrue(all(head.size["width"] > 20 for head in heads if head.text))

    def test_definitions_are_opened_without_javascript(self):
        visitor = Browser(self.store, has_scripts=False)
        self.addCleanup(visitor.quit)
        visitor.sign_in()
        visitor.resize(PHONE)
        self.assertDefined(visitor, "sales?by=product")

    def test_the_days_of_figures_are_chosen_in_the_sheet_of_filters(self):
        browser = self.browser
        for page in ("sales", "subscriptions"):
            with self.subTest(page):
                browser.open(page)
                day = browser.find('main .filter input[name="from"]')
                self.assertFalse(day.is_displayed(), "the sheet isn't open yet")
                browser.find("main .filters").click()
                browser.until(day.is_displayed, "the sheet has no days")
                self.assertEqual(browser.small_targets("main .filter"), [])
                form = day.find_element("xpath", "ancestor::form")
                browser.driver.execute_script(
                    "arguments[0].elements.from.value = '2026-01-01'; arguments[0].elements.to.value = '2026-01-31'", form)
                shown = browser.find("html")
                form.find_element("css selector", "button").click()
                browser.until(lambda: browser.is_gone(shown), "the days weren't sent")
                self.assertIn("from=2026-01-01&to=2026-01-31", browser.driver.current_url)
                self.assertIn("Jan 1, 2026", browser.find("main .filters").text)
                browser.resize(WIDE)
                browser.open(page)
                self.assertTrue(browser.find('main .filter input[name="from"]').is_displayed())
                browser.resize(PHONE)

    def test_long_names_break_after_their_dots(self):
        browser = self.browser
        for page in self.NAMES:
            with self.subTest(page=page):
                browser.open(page)
                self.assertEqual(browser.driver.execute_script(self.BROKEN), [])
                self.assertEqual(browser.overflow(), 0)
        # A copied ID is the ID.
        browser.open(f"products/{SILVER}")
        names = [one.get_attribute("textContent") for one in browser.all("main code")]
        self.assertIn(SILVER, names)
