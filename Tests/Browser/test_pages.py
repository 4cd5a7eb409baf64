"""Each page: in all languages, on a desktop and on a phone, in light and dark, without an error, and accessible."""

from console import BUNDLE_ID, LANGUAGES, PHONE, SCHEMES, WIDE, Browser, ConsoleTest, Store

FILM = f"{BUNDLE_ID}.film.roll"
MAGAZINE = f"{BUNDLE_ID}.magazine.monthly"

PAGES = [
    "overview", "live", "customers", "customers/ann", "transactions", "transactions/{sold}", "products",
    f"products/{FILM}", f"products/{FILM}/prices", f"products/{FILM}/edit", "products/new",
    "products/new?type=autoRenewable", "groups", "subscriptions", "sales", "explain", "payments", "notifications",
    "notification-url", "inspect", "testers", "keys", "secret", "certificates", "team", "environments", "clock",
    "health", "audit", "search?query=ann",
]
SCREENSHOTS = {
    "overview": "console-overview", "sales": "console-sales", "subscriptions": "console-subscriptions",
    "customers/ann": "console-customer", "transactions/{sold}": "console-transaction", "live": "console-live",
    f"products/{FILM}": "console-product",
}


class Pages(ConsoleTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        store = cls.store
        store.control("POST", "environments", {
            "name": "Demo", "kind": "Production", "clock": "manual", "now": "2026-01-05T10:00:00Z"}, base="")
        base = "/environments/Demo"
        # Two months of a growing business, the same each time.
        for week in range(8):
            for customer in range(week + 2):
                store.buy(MAGAZINE, f"customer{week}.{customer}@example.com", base)
                if customer % 2 == 0:
                    sold = store.buy(FILM, "ann" if customer == 2 else f"customer{week}.{customer}@example.com", base)
                store.control("POST", "clock/advance", {"by": f"PT{168 // (week + 2)}H"}, base)
        store.buy(MAGAZINE, "ann", base)
        store.control("POST", f"transactions/{sold['transactionId']}/refund", {}, base)
        store.control("POST", "clock/advance", {"by": "PT2H"}, base)
        cls.sold = sold["transactionId"]
        cls.browser.environment = "Demo"

    def pages(self):
        for page in PAGES:
            self.browser.open(page.format(sold=self.sold))
            yield page

    def test_pages_have_no_errors_and_fit_in_each_language(self):
        for language in LANGUAGES:
            self.browser.language(language)
            for page in self.pages():
                with self.subTest(language=language, page=page):
                    self.assertEqual(self.browser.find("html").get_attribute("lang"), language)
                    self.assertFalse(self.browser.all("body.error, main .failed-page"))
                    for size in (WIDE, PHONE):
                        self.browser.resize(size)
                        self.assertLessEqual(self.browser.overflow(), 0, f"{size[0]} px: it scrolls sideways")
                    self.browser.resize(WIDE)
                    self.assertEqual(self.browser.console_errors(), [])

    def test_pages_are_accessible(self):
        self.browser.language("en")
        for page in self.pages():
            for size in (WIDE, PHONE):
                self.browser.resize(size)
                for scheme in SCHEMES:
                    self.browser.scheme(scheme)
                    with self.subTest(page=page, size=size, scheme=scheme):
                        # The structure is the same in both schemes.
                        rules = None if scheme == "light" else ["color-contrast"]
                        self.assertEqual(self.browser.violations(rules), [])
                    if scheme == "light" and page in SCREENSHOTS:
                        suffix = "-phone" if size == PHONE else ""
                        self.browser.screenshot(SCREENSHOTS[page] + suffix)
            self.browser.resize(WIDE)

    def test_the_first_page_is_small(self):
        self.browser.open("overview")
        loaded = self.browser.driver.execute_script(
            "return performance.getEntries().filter(e => 'decodedBodySize' in e)"
            ".reduce((sum, e) => sum + e.decodedBodySize, 0)")
        self.assertLessEqual(loaded, 100_000)


class EmptyPages(ConsoleTest):
    def test_a_new_store_says_what_to_do(self):
        for page in PAGES:
            if "{sold}" in page or "customers/ann" in page:
                continue
            with self.subTest(page=page):
                self.browser.open(page)
                self.assertEqual(self.browser.overflow(), 0)
                self.assertEqual(self.browser.console_errors(), [])
