"""Each page: in all languages, on a desktop and on a phone, in light and dark, without an error, and accessible."""

from itertools import product

from console import BUNDLE_ID, LANGUAGES, PHONE, SCHEMES, WIDE, Browser, ConsoleTest, Receiver

FILM = f"{BUNDLE_ID}.film.roll"
SILVER = f"{BUNDLE_ID}.filter.silver"
MAGAZINE = f"{BUNDLE_ID}.magazine.monthly"

# Every page route of the console. A name in braces stands for a thing that the store makes.
PAGES = [
    "overview", "live", "customers", "customers/ann", "transactions", "transactions/{sold}", "products",
    f"products/{FILM}", f"products/{FILM}/prices", f"products/{FILM}/edit", "products/new",
    "products/new?type=autoRenewable", f"products/{MAGAZINE}/offers", f"products/{MAGAZINE}/offers/new?kind=winBack",
    "explain/comparison?column=units", "groups", "subscriptions", "sales", "explain", "payments", "notifications",
    "notification-url", "inspect", "testers", "keys", "secret", "certificates", "team", "environments", "clock",
    "health", "audit", "search?query=ann",
    f"products/{FILM}/delete", f"products/{FILM}/review", f"products/{FILM}/availability", f"products/{MAGAZINE}/availability/removal",
    f"products/{FILM}/localizations", f"products/{FILM}/localizations/edit", f"products/{FILM}/history",
    f"products/{SILVER}/content", f"products/{FILM}/prices/change",
    f"products/{MAGAZINE}/prices/change?step=preview&price=12.99", f"products/{FILM}/prices/points",
    f"products/{FILM}/prices/equal", f"products/{MAGAZINE}/offers/edit?kind=code&offer=radio",
    f"products/{MAGAZINE}/codes?offer=radio", "{group}", "{group}/edit", "{group}/localizations", "{group}/delete",
    "promoted", "reviews", "apps", "catalog", "catalog/history", "{user}", "{key}", "{tester}", "{notification}",
    "subscriptions/list", "payments/2026-04", "payments/2026-04/reconcile", "explain/entries?statistic=units",
    "explain?figure=statistic&statistic=mrr-movement&column=net&currency=USD&from=2026-02-01&to=2026-02-28",
    "payments/2026-04/explain?column=owed",
]
# Pages for a visitor who isn't signed in.
VISITOR_PAGES = ["/console/sign-in", "/console/password?code=none"]
# Pages of errors, with their status.
ERROR_PAGES = {"transactions/1": 404, "no-such-page": 404, "products/none": 404, "customers/none": 404}
# What an environment says on its pages before its first purchase.
EMPTY = {
    "overview": "Nothing was sold yet", "customers": "No customer yet", "transactions": "No transaction yet",
    "notifications": "No notification has been made yet", "live": "Nothing has happened yet",
}
SCREENSHOTS = {
    "overview": "console-overview", "sales": "console-sales", "subscriptions": "console-subscriptions",
    "customers/ann": "console-customer", "transactions/{sold}": "console-transaction", "live": "console-live",
    f"products/{FILM}": "console-product",
}


# A window of 1440 by 900 at 200 %, as a browser's zoom and a screen of twice the pixels make it; and just wider.
ZOOMED = ((720, 450), (721, 450))
# A4 without its margins of 16 mm.
PAPER = (673, 1000)
LEGIBLE_POINTS = 6


class Pages(ConsoleTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        store = cls.store
        store.control("POST", "environments", {
            "name": "Demo", "kind": "Production", "clock": "manual", "now": "2026-01-05T10:00:00Z"}, base="")
        base = "/environments/Demo"
        receiver = Receiver()
        cls.addClassCleanup(receiver.stop)
        store.control("PUT", f"apps/{BUNDLE_ID}/notifications", {"url": receiver.url}, base)
        # Two months of a growing business, the same each time.
        for week in range(8):
            for customer in range(week + 2):
                store.buy(MAGAZINE, f"customer{week}.{customer}@example.com", base)
                if customer % 2 == 0:
                    sold = store.buy(FILM, "ann" if customer == 2 else f"customer{week}.{customer}@example.com", base)
                store.control("POST", "clock/advance", {"by": f"PT{168 // (week + 2)}H"}, base)
        store.control("POST", f"transactions/{sold['transactionId']}/refund", {}, base)
        # The pictures show a day with sales, in the afternoon in Cupertino.
        store.control("POST", "clock/advance", {"to": "2026-03-10T16:00:00Z"}, base)
        store.buy(MAGAZINE, "ann", base)
        for customer in range(6):
            store.buy(FILM if customer % 2 else MAGAZINE, f"today{customer}@example.com", base)
            store.control("POST", "clock/advance", {"by": "PT1H"}, base)
        store.wait_for_roll_ups(base)
        cls.made = {"sold": sold["transactionId"], **cls.things()}

    @classmethod
    def things(cls):
        """Makes what has pages of its own; returns their paths, as the lists of the console link to them."""
        cls.store.buy(FILM, "tina@example.com")
        cls.store.control("POST", "users", {
            "username": "pia@example.com", "firstName": "Pia", "lastName": "Page", "roles": ["DEVELOPER"]}, base="")
        browser = cls.browser
        browser.environment = "Demo"

        def first(page, part):
            browser.open(page)
            links = [path for path in browser.links(f"/{part}/") if not path.endswith(("/new", "/edit"))]
            return links[0] if links else None

        made = {name: first(page, page) for name, page in (("group", "groups"), ("user", "team"), ("key", "keys"))}
        browser.until(lambda: first("notifications", "notifications"), "no notification was made")
        made["notification"] = first("notifications", "notifications")
        made["tester"] = f"/console/Sandbox/{BUNDLE_ID}/testers/tina@example.com"
        if not all(made.values()):
            raise RuntimeError(f"a list has no link: {made}")
        return made

    def pages(self):
        for page in PAGES:
            self.browser.open(page.format(**self.made))
            yield page

    def test_pages_have_no_errors_and_fit_in_each_language_width_and_scheme(self):
        for language in LANGUAGES:
            self.browser.language(language)
            for page in self.pages():
                with self.subTest(language=language, page=page):
                    self.assertEqual(self.browser.find("html").get_attribute("lang"), language)
                    self.assertEqual(self.browser.status, 200)
                    self.assertFits(self.browser)
                    self.assertEqual(self.browser.console_errors(), [])

    def assertFits(self, browser):
        """The page in all looks, loaded once: it doesn't scroll sideways, and can be read."""
        for size, scheme in product((WIDE, PHONE), SCHEMES):
            browser.resize(size)
            browser.scheme(scheme)
            self.assertLessEqual(browser.overflow(), 0, f"{size[0]} px, {scheme}: it scrolls sideways")
            self.assertEqual(browser.low_contrast(), [], f"{size[0]} px, {scheme}")
        browser.resize(WIDE)

    def test_the_contrast_of_texts_is_measured_as_axe_core_does(self):
        browser = self.browser
        browser.language("en")
        browser.scheme("light")
        browser.open("overview")
        # The ratios are 4.48 and 4.54 on white; the second is enough, and the first is for large texts.
        for color, size, isLow in (("#777", 14, True), ("#767676", 14, False), ("#777", 24, False), ("#999", 24, True)):
            browser.driver.execute_script(
                "const one = document.createElement('p'); one.id = 'probe'; one.textContent = 'A probe';"
                "one.style = `color:${arguments[0]};font-size:${arguments[1]}px;background:#fff`;"
                "document.getElementById('probe')?.remove(); document.querySelector('main').append(one)", color, size)
            self.assertEqual([bool(browser.low_contrast()), bool(browser.violations(["color-contrast"]))],
                             [isLow, isLow], f"{color}, {size} px")

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

    def test_errors_say_what_happened_and_what_to_do(self):
        browser = self.browser
        self.addCleanup(browser.language, "en")
        for language in LANGUAGES:
            browser.language(language)
            for page, status in ERROR_PAGES.items():
                with self.subTest(language=language, page=page):
                    browser.open(page)
                    self.assertEqual(browser.status, status)
                    self.assertEqual(browser.find("html").get_attribute("lang"), language)
                    self.assertTrue(browser.find("main h1").text)
                    self.assertTrue(browser.find("main .notice.bad p").text)
                    self.assertTrue(browser.find("main .notice.bad .advice").text)
                    self.assertFits(browser)
                    if language == "en":
                        self.assertEqual(browser.violations(), [])
                    # The protocol's status is all that Chromium complains about.
                    self.assertTrue(all(str(status) in line for line in browser.console_errors()))

    def test_pages_before_signing_in_fit_in_each_language(self):
        visitor = Browser(self.store)
        self.addCleanup(visitor.quit)
        for language in LANGUAGES:
            visitor.language(language)
            for page in VISITOR_PAGES:
                with self.subTest(language=language, page=page):
                    visitor.open(page)
                    self.assertEqual(visitor.find("html").get_attribute("lang"), language)
                    self.assertTrue(visitor.find("body.bare main h1").text)
                    self.assertFits(visitor)
                    if language == "en":
                        self.assertEqual(visitor.violations(), [])
                    # A link that isn't valid is refused by a status of the protocol, which Chromium reports.
                    errors = visitor.console_errors()
                    self.assertTrue("password" in page or not errors, errors)

    # The controls in the window that can't be used: what stands at their middle is something else.
    COVERED = """
        return [...document.querySelectorAll('main :is(a[href], button, summary, select, textarea, input:not([type=hidden]))')]
            .filter(one => {
                if (!one.checkVisibility({visibilityProperty: true, opacityProperty: true})) return false;
                const part = one.closest('label') ?? one;
                part.scrollIntoView({block: 'center', inline: 'center'});
                // A link of several lines has no middle of its own; titles of columns may be for screen readers alone.
                const box = part.getClientRects()[0], whole = part.closest('thead')?.getBoundingClientRect() ?? box;
                if (!box || whole.width <= 1 || box.width <= 1 || box.height <= 1) return false;
                const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
                const isSeen = x >= 0 && x <= innerWidth && y >= 0 && y <= innerHeight;
                return !isSeen || !part.contains(document.elementFromPoint(x, y));
            }).map(one => one.outerHTML.slice(0, 120));
        """
    # What moves on the page.
    MOVING = """
        const found = document.getAnimations().map(one => `${one.animationName ?? one.transitionProperty}`);
        for (const one of document.querySelectorAll('*')) {
            for (const part of [null, '::before', '::after']) {
                const style = getComputedStyle(one, part);
                if (style.animationName !== 'none' || parseFloat(style.transitionDuration) > 0) {
                    found.push(one.outerHTML.slice(0, 80));
                }
            }
        }
        return found.slice(0, 5);
        """

    def test_pages_are_used_at_twice_the_size_and_rest_where_motion_is_reduced(self):
        browser = self.browser
        browser.language("en")
        browser.scheme("light")
        self.addCleanup(browser.resize, WIDE)
        for page in self.pages():
            for size in ZOOMED:
                with self.subTest(page=page, size=size):
                    browser.resize(size, ratio=2)
                    self.assertLessEqual(browser.overflow(), 0, "it scrolls sideways")
                    self.assertEqual(browser.driver.execute_script(self.COVERED), [])
            with self.subTest(page=page):
                self.assertEqual(browser.driver.execute_script(self.MOVING), [])
            browser.resize(WIDE)

    # What has no use on paper: all that is for clicks, but for the app and the environment, which say what the page is about, and
    # the fields of forms, which say what is set.
    TOUCHED = """
        return [...document.querySelectorAll('nav, button, summary, input[type=search], .copy, .tip, .filter')].filter(one =>
            !one.closest('.menu:is(.app, .environment), .rows') && one.getClientRects().length
            && one.checkVisibility({visibilityProperty: true, opacityProperty: true})
        ).map(one => one.outerHTML.slice(0, 120));
        """
    # What is cut off: beyond the paper's edge, or out of sight in a part that would scroll.
    CUT = """
        const found = [];
        for (const one of document.querySelectorAll('main *, header *')) {
            if (one instanceof SVGElement && !(one instanceof SVGSVGElement)) continue;
            if (one.closest('.hidden') || !one.checkVisibility({visibilityProperty: true, opacityProperty: true})) continue;
            const box = one.getBoundingClientRect(), style = getComputedStyle(one);
            if (box.width <= 1 || box.height <= 1) continue;
            if (box.right > innerWidth + 1 || box.left < -1) found.push(`beyond the edge: ${one.outerHTML.slice(0, 120)}`);
            const isCut = (scroll, client, overflow) => scroll > client + 1 && overflow !== 'visible';
            if (isCut(one.scrollWidth, one.clientWidth, style.overflowX)
                || isCut(one.scrollHeight, one.clientHeight, style.overflowY)) {
                found.push(`cut off: ${one.outerHTML.slice(0, 120)}`);
            }
        }
        return found.slice(0, 5);
        """
    # The texts of drawings and tables that are smaller than so many points on paper.
    SMALL = """
        const found = [];
        for (const drawing of document.querySelectorAll('.drawing svg')) {
            if (!drawing.getClientRects().length) continue;
            const scale = drawing.getBoundingClientRect().width / drawing.viewBox.baseVal.width;
            for (const text of drawing.querySelectorAll('text')) {
                const size = parseFloat(getComputedStyle(text).fontSize) * scale * 0.75;
                if (size < arguments[0]) found.push(`${size.toFixed(1)} pt: ${text.textContent}`);
            }
        }
        for (const cell of document.querySelectorAll('main td, main th')) {
            if (!cell.textContent.trim() || !cell.getClientRects().length) continue;
            const size = parseFloat(getComputedStyle(cell).fontSize) * 0.75;
            if (size < arguments[0]) found.push(`${size.toFixed(1)} pt: ${cell.textContent}`);
        }
        return found.slice(0, 5);
        """

    def test_pages_print_as_one_would_file_them(self):
        browser = self.browser
        browser.language("en")
        self.addCleanup(browser.resize, WIDE)
        self.addCleanup(browser.media, "")
        for page in self.pages():
            browser.resize(PAPER)
            for scheme in SCHEMES:
                browser.media("print", scheme)
                with self.subTest(page=page, scheme=scheme):
                    self.assertEqual(browser.driver.execute_script(self.TOUCHED), [])
                    self.assertEqual(browser.driver.execute_script(self.CUT), [])
                    self.assertEqual(browser.driver.execute_script(self.SMALL, LEGIBLE_POINTS), [])
                    self.assertEqual(browser.low_contrast(), [])
                    # Tables are tables, with the titles of their columns.
                    heads = [one.value_of_css_property("display") for one in browser.all("main .table thead")]
                    self.assertEqual(set(heads) - {"table-header-group", "none"}, set())
            browser.media("")
            browser.resize(WIDE)

    def test_controls_are_large_enough_for_a_thumb(self):
        self.browser.language("en")
        for page in self.pages():
            with self.subTest(page=page):
                self.browser.resize(PHONE)
                self.assertEqual(self.browser.small_targets(), [])
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
            if "{" in page or "customers/ann" in page:
                continue
            with self.subTest(page=page):
                self.browser.open(page)
                self.assertEqual(self.browser.status, 200)
                self.assertEqual(self.browser.overflow(), 0)
                self.assertEqual(self.browser.console_errors(), [])
                if page in EMPTY:
                    self.assertShows(EMPTY[page])
        # The first page leads on: to the live list, and to a command that can be copied.
        self.browser.open("overview")
        self.assertTrue(self.browser.find('main .empty a[href$="/live"]').is_displayed())
        self.assertIn("perennial buy", self.browser.find("main .empty pre").get_attribute("textContent"))
