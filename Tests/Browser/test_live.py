"""The live page: its filters, and that nothing which is read or typed is disturbed by what arrives."""

import re
import urllib.parse

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from console import BUNDLE_ID, PHONE, WIDE, ConsoleTest, Receiver

FILM = f"{BUNDLE_ID}.film.roll"
COMMERCE = {"purchase", "refund"}


class Live(ConsoleTest):
    def setUp(self):
        self.browser.language("en")
        self.browser.resize(WIDE)
        self.browser.scheme("light")

    def open_live(self, query=""):
        self.browser.open("live" + query)
        self.await_connection()

    def await_connection(self):
        self.browser.until(lambda: self.browser.all(".live-state.on"), "the list isn't connected")

    def kinds(self):
        """The kind of each row, the newest first."""
        return self.browser.driver.execute_script(
            "return [...document.querySelectorAll('.live .rows > li')].map(row => row.dataset.kind)")

    def buy(self, name, count=10):
        for number in range(count):
            self.store.buy(FILM, f"{name}{number}@example.com")

    def waiting(self):
        """The number of rows that wait; 0 while the list takes them."""
        counter = self.browser.find(".live [data-waiting]")
        return max(map(int, re.findall("[0-9]+", counter.text)), default=0) if counter.is_displayed() else 0

    def point_elsewhere(self):
        """Takes the pointer from the list: one that stands there holds it still."""
        ActionChains(self.browser.driver).move_to_element(self.browser.find("h1")).perform()


class Filters(Live):
    # The kinds of rows that each choice shows, of those that `happen` makes.
    SHOWN = {
        "All": {"purchase", "refund", "request", "refusal", "notification"},
        "Commerce": COMMERCE,
        "Requests": {"request", "refusal"},
        "Notifications": {"notification"},
        "Problems": {"refusal"},
    }

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        receiver = Receiver()
        cls.addClassCleanup(receiver.stop)
        cls.store.control("PUT", f"apps/{BUNDLE_ID}/notifications", {"url": receiver.url})

    def happen(self, account):
        """Makes one of each: a purchase, its refund, their notifications, a request that is refused."""
        sold = self.store.buy(FILM, account)
        self.store.control("POST", f"transactions/{sold['transactionId']}/refund", {})
        status, _, _ = self.store.send(
            "POST", "/sandbox/store/v1/purchases", b"{}",
            {"Authorization": "Bearer none", "Content-Type": "application/json"})
        self.assertEqual(status, 400)

    def choose(self, text, label="Show"):
        """Follows a choice of the page's filter."""
        page = self.browser.find("html")
        self.browser.find(f'main .filter nav[aria-label="{label}"]').find_element("link text", text).click()
        self.browser.until(lambda: self.browser.is_gone(page), f"{text} isn't followed")
        self.await_connection()

    def chosen(self, label="Show"):
        return [one.text for one in self.browser.all(f'main .filter nav[aria-label="{label}"] [aria-current]')]

    def query(self):
        """The query of the page's address."""
        return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.browser.driver.current_url).query))

    def assertNarrows(self, expected, account):
        """All that arrives, and all that is there after the page is loaded again, is of the expected kinds."""
        browser = self.browser
        self.point_elsewhere()
        # What doesn't belong there would be there before the second of what does.
        for number in (1, 2):
            before = {kind: self.kinds().count(kind) for kind in expected}
            self.happen(f"{account}{number}@example.com")
            browser.until(
                lambda: all(self.kinds().count(kind) > before[kind] for kind in expected),
                f"{expected} isn't shown: {before}, {self.kinds()}")
        self.assertEqual(set(self.kinds()) - expected, set())
        query = self.query()
        browser.driver.refresh()
        self.await_connection()
        self.assertEqual(self.query(), query)
        # The journal has the commerce; requests and attempts are those of now.
        self.assertEqual(set(self.kinds()) - expected, set())
        self.assertEqual(set(self.kinds()) & COMMERCE, expected & COMMERCE)

    def test_each_group_narrows_what_arrives_and_what_is_there(self):
        for text, expected in self.SHOWN.items():
            with self.subTest(text):
                self.open_live()
                self.choose(text)
                self.assertEqual(self.query(), {} if text == "All" else {"show": text.lower()})
                self.assertNarrows(expected, text.lower())
                self.assertEqual(self.chosen(), [text])

    def test_kinds_are_chosen_and_taken_back_one_by_one(self):
        self.open_live()
        self.choose("Commerce")
        self.choose("Refund", "Only")
        self.assertEqual(self.query(), {"show": "commerce", "kinds": "refund"})
        self.assertNarrows({"refund"}, "only-refunds")
        self.choose("Purchase", "Only")
        self.assertNarrows({"purchase", "refund"}, "both")
        self.assertEqual(self.chosen("Only"), ["Purchase", "Refund"])
        self.choose("Refund", "Only")
        self.assertNarrows({"purchase"}, "only-purchases")
        # The kinds belong to their group.
        self.choose("Requests")
        self.assertEqual((self.query(), self.chosen("Only")), ({"show": "requests"}, []))

    def test_a_customer_narrows_what_arrives_and_what_is_there(self):
        browser = self.browser
        self.open_live("?show=commerce")
        page = browser.find("html")
        field = browser.find('main .filter input[name="account"]')
        field.send_keys("mine@example.com", Keys.ENTER)
        browser.until(lambda: browser.is_gone(page), "the filter isn't sent")
        self.await_connection()
        self.assertEqual(self.query(), {"show": "commerce", "account": "mine@example.com"})
        self.point_elsewhere()
        for account in ("others@example.com", "mine@example.com"):
            self.happen(account)
        browser.until(lambda: {"purchase", "refund"} <= set(self.kinds()), "the customer's aren't shown")

        def assert_own():
            rows = [row.get_attribute("textContent") for row in browser.all(".live .rows > li")]
            self.assertTrue(rows and all("mine@example.com" in row for row in rows), rows)

        assert_own()
        browser.driver.refresh()
        self.await_connection()
        self.assertEqual(browser.find('main .filter input[name="account"]').get_attribute("value"), "mine@example.com")
        assert_own()

    def test_a_phone_has_the_filters_in_a_sheet_from_below(self):
        browser = self.browser
        browser.resize(PHONE)
        self.open_live()
        sheet, button = browser.find("main .filter"), browser.find("main .filters")
        self.assertFalse(sheet.is_displayed())
        button.click()
        self.assertTrue(sheet.is_displayed())
        box = browser.driver.execute_script("return arguments[0].getBoundingClientRect().toJSON()", sheet)
        self.assertEqual((box["left"], box["right"], box["bottom"]), (0, PHONE[0], PHONE[1]))
        self.assertEqual(browser.small_targets("main .filter"), [])
        # The page behind doesn't matter until the sheet is closed, which Escape does, too.
        ActionChains(browser.driver).send_keys(Keys.ESCAPE).perform()
        self.assertFalse(sheet.is_displayed())
        self.assertEqual(browser.driver.switch_to.active_element, button)
        button.click()
        self.choose("Commerce")
        self.assertFalse(browser.find("main .filter").is_displayed())
        self.assertEqual(browser.find("main .filters .selected").text, "Commerce")
        self.assertEqual(set(self.kinds()) - {"purchase", "refund"}, set())


class Updates(Live):
    # Shifts of what isn't a row of the list, and of everything.
    OBSERVER = """
        window.shifts = {others: 0, all: 0};
        new PerformanceObserver(list => {
            for (const entry of list.getEntries()) {
                window.shifts.all += entry.value;
                const isOther = source => !source.node || !source.node.parentElement?.closest('.live .rows');
                if (entry.sources.some(isOther)) window.shifts.others += entry.value;
            }
        }).observe({type: 'layout-shift'});
        """

    def fill(self, query=""):
        """Opens the page with a list that fills the window, as it does in use."""
        if len(self.store.control("GET", f"apps/{BUNDLE_ID}/transactions?limit=50")["transactions"]) < 40:
            self.buy("before", 40)
        self.open_live(query)
        self.point_elsewhere()
        self.browser.driver.execute_script(self.OBSERVER)

    def arrive(self, name):
        """Makes purchases, and waits until the page has the last one: in its list, or among those that wait."""
        self.buy(name)
        self.browser.until(
            lambda: f"{name}9@example.com" in self.browser.find(".live .rows").text or self.waiting() >= 10,
            "the purchases aren't shown")
        return self.browser.driver.execute_script("return window.shifts")

    def top(self, element):
        return self.browser.driver.execute_script("return arguments[0].getBoundingClientRect().top", element)

    def test_live_updates_shift_nothing(self):
        browser = self.browser
        self.fill()
        # New rows push older ones down, and nothing else moves.
        self.assertLess(self.arrive("moving")["others"], 0.1)
        # Under the pointer the list holds still: nothing moves at all.
        ActionChains(browser.driver).move_to_element(browser.find(".live .rows li")).perform()
        before = browser.driver.execute_script("return window.shifts")
        self.assertLess(self.arrive("still")["all"] - before["all"], 0.1)

    def test_the_focus_and_what_is_typed_stay(self):
        browser = self.browser
        for selector, typed in (('main .filter input[name="account"]', "an"), (".live [data-pause]", ""),
                                ("main .filter nav a", ""), ('header input[name="query"]', "film")):
            with self.subTest(selector):
                self.fill()
                element = browser.find(selector)
                browser.driver.execute_script("arguments[0].focus()", element)
                if typed:
                    ActionChains(browser.driver).send_keys(typed).perform()
                top = self.top(element)
                self.arrive(f"focus{len(selector)}-")
                self.assertEqual(self.waiting(), 0)
                self.assertEqual(browser.driver.switch_to.active_element, element)
                self.assertEqual(element.get_attribute("value") or "", typed)
                self.assertEqual(self.top(element), top)

    def test_a_row_with_the_focus_stays_in_its_place_until_the_focus_goes(self):
        browser = self.browser
        self.fill("?show=commerce")
        row = browser.all(".live .rows summary")[2]
        browser.driver.execute_script("arguments[0].focus()", row)
        top = self.top(row)
        self.arrive("held")
        self.assertEqual((self.waiting(), self.top(row)), (10, top))
        self.assertEqual(browser.driver.switch_to.active_element, row)
        browser.driver.execute_script("arguments[0].blur()", row)
        browser.until(lambda: not self.waiting(), "what waited isn't shown")
        self.assertIn("held9@example.com", browser.find(".live .rows").text)

    def test_an_open_row_stays_in_its_place_until_it_is_closed(self):
        browser = self.browser
        # On a phone there is no pointer that says where a visitor reads.
        browser.resize(PHONE)
        self.fill("?show=commerce")
        browser.driver.execute_script(
            "const row = document.querySelectorAll('.live .rows details')[1]; row.open = true; row.scrollIntoView({block: 'center'})")
        row = browser.all(".live .rows details")[1]
        browser.driver.execute_script("scrollTo(0, 0)")
        top = self.top(row)
        self.arrive("open")
        self.assertEqual((self.waiting(), self.top(row)), (10, top))
        browser.driver.execute_script("arguments[0].open = false", row)
        browser.until(lambda: not self.waiting(), "what waited isn't shown")

    def test_a_visitor_who_has_scrolled_down_reads_on(self):
        browser = self.browser
        for size in (WIDE, PHONE):
            with self.subTest(size=size):
                browser.resize(size)
                self.fill("?show=commerce")
                row = browser.all(".live .rows > li")[15]
                browser.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", row)
                top = self.top(row)
                self.arrive(f"scrolled{size[0]}-")
                self.assertEqual((self.waiting(), self.top(row)), (10, top))
                # The number stays in sight, and leads to what is new.
                counter = browser.find(".live [data-waiting]")
                self.assertGreaterEqual(self.top(counter), browser.find("header.bar").size["height"])
                counter.click()
                browser.until(lambda: not self.waiting(), "what waited isn't shown")
                first = browser.find(".live .rows > li")
                self.assertIn(f"scrolled{size[0]}-9@example.com", first.text)
                self.assertGreater(self.top(first), self.top(browser.find(".live .live-bar")))

    def test_new_rows_slide_in_unless_motion_is_reduced(self):
        browser = self.browser
        browser.driver.execute_script("scrollTo(0, 0)")
        for motion, names in (("no-preference", ["enter"]), ("reduce", [])):
            with self.subTest(motion):
                browser.media("", motion=motion)
                self.fill()
                browser.driver.execute_script(
                    "window.started = new Set(); document.addEventListener('animationstart', e => window.started.add(e.animationName));"
                    "document.addEventListener('transitionrun', e => window.started.add(e.propertyName))")
                self.arrive(f"motion-{motion}-")
                # An animation's event comes with a frame of its own.
                browser.driver.execute_async_script(
                    "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(done))")
                self.assertEqual(browser.driver.execute_script("return [...window.started]"), names)
