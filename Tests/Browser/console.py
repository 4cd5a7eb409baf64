"""A store with its console, and a browser in front of it."""

import base64
import faulthandler
import importlib.resources
import io
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from PIL import Image
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

BUNDLE_ID = "com.example.photomag"
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
# Relative to the root: the console shows where a product came from.
CATALOG = os.path.join("Examples", "Magazine", "catalog.yaml")
IMAGES = os.path.join(ROOT, "docs", "images")
RECORDS = os.environ.get("PERENNIAL_RECORD") == "1"

READY_WITHIN_SECONDS = 60
ENDS_WITHIN_SECONDS = 20
SHOWN_WITHIN_SECONDS = 10
ALL_WITHIN_SECONDS = 900
PICTURE_BYTES = 120_000

WIDE, PHONE = (1440, 900), (390, 844)
SCHEMES = ("light", "dark")
LANGUAGES = ("en", "fr", "pt", "zh-Hant", "de")

# A run that hangs says where, and fails.
faulthandler.dump_traceback_later(ALL_WITHIN_SECONDS, exit=True)


class Store:
    """`perennial serve`, from ready to ended."""

    def __init__(self, *options):
        self.folder = tempfile.mkdtemp(prefix="perennial-browser-")
        ready_file = os.path.join(self.folder, "ready.json")
        self.log = open(os.path.join(self.folder, "log"), "w+")
        self.process = subprocess.Popen(
            [os.environ["PERENNIAL"], "serve", "--in-memory", "--port", "0", "--ready-file", ready_file, "--catalog",
             CATALOG, *options], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=self.log, stdin=subprocess.DEVNULL)
        deadline = time.monotonic() + READY_WITHIN_SECONDS
        while not os.path.exists(ready_file):
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise RuntimeError("perennial serve did not become ready")
            time.sleep(0.05)
        with open(ready_file) as file:
            self.ready = json.load(file)
        self.url = self.ready["url"]

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(ENDS_WITHIN_SECONDS)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def send(self, method, path, body=None, headers=None):
        """Sends a request; returns status, headers and bytes, also of errors."""
        request = urllib.request.Request(self.url + path, method=method, headers=headers or {}, data=body)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read()

    def control(self, method, path, body=None, base="/sandbox"):
        """Calls the control API of an environment."""
        status, _, answer = self.send(
            method, f"{base}/control/v1/{path}", None if body is None else json.dumps(body).encode(),
            {"Authorization": "Bearer " + self.ready["controlToken"], "Content-Type": "application/json"})
        if status >= 300:
            raise RuntimeError(f"{method} {path}: {status} {answer[:500]}")
        return json.loads(answer) if answer else None

    def device(self, path, body, token=None, base="/sandbox"):
        """Calls the store API as a device."""
        headers = {"Content-Type": "application/json"} | ({"Authorization": "Bearer " + token} if token else {})
        status, _, answer = self.send("POST", f"{base}/store/v1/{path}", json.dumps(body).encode(), headers)
        if status >= 300:
            raise RuntimeError(f"POST {path}: {status} {answer[:500]}")
        return json.loads(answer) if answer else None

    def buy(self, product, account, base="/sandbox"):
        return self.control(
            "POST", "purchases", {"bundleId": BUNDLE_ID, "account": account, "productId": product}, base)

    def link(self):
        """A path that signs in once."""
        return self.control("POST", "console/links", base="")["path"]

    def wait_for_roll_ups(self, base="/sandbox"):
        """Waits until the tables that reports and figures read have every entry of the journal."""
        deadline = time.monotonic() + SHOWN_WITHIN_SECONDS
        while any(one["lagEntries"] for one in self.control("GET", "roll-ups", base=base)["rollUps"]):
            if time.monotonic() > deadline:
                raise RuntimeError("the roll-ups don't follow")
            time.sleep(0.05)


class Receiver:
    """A server for notifications: takes each one with 200, and says so."""

    ANSWER = b"taken\n"

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"] or 0))
            self.send_response(200)
            self.send_header("Content-Length", str(len(Receiver.ANSWER)))
            self.end_headers()
            self.wfile.write(Receiver.ANSWER)

        def log_message(self, *_):
            pass

    def __init__(self):
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self.Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/notifications"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


def chromium(has_scripts=True):
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                     "--force-color-profile=srgb", "--lang=en"):
        options.add_argument(argument)
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    if not has_scripts:
        options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
    options.binary_location = shutil.which("chromium") or shutil.which("chromium-browser")
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))


class Browser:
    """A window of Chromium with a session of its own."""

    axe = importlib.resources.files("axe_core_python").joinpath("axe.min.js").read_text()

    def __init__(self, store, environment="Sandbox", app=BUNDLE_ID, has_scripts=True):
        self.store, self.environment, self.app = store, environment, app
        self.driver = chromium(has_scripts)
        self.resize(WIDE)

    def quit(self):
        self.driver.quit()

    def sign_in(self):
        self.driver.get(self.store.url + self.store.link())
        return self

    def path(self, page):
        return f"/console/{self.environment}/{self.app}/{page}"

    def open(self, page):
        self.driver.get(self.store.url + (page if page.startswith("/") else self.path(page)))

    @property
    def status(self):
        """The status of the page's answer."""
        return self.driver.execute_script("return performance.getEntriesByType('navigation')[0].responseStatus")

    def links(self, part):
        """The paths of the page's links that contain a text."""
        found = [link.get_attribute("href").removeprefix(self.store.url) for link in self.all("main a[href]")]
        return [path for path in found if part in path]

    def resize(self, size, ratio=1):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": size[0], "height": size[1], "deviceScaleFactor": ratio, "mobile": size == PHONE})

    def scheme(self, name):
        self.media("", name)

    def media(self, medium, scheme="light", motion="reduce"):
        """Shows the page as on a medium, such as print; on the screen by default."""
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "media": medium,
            "features": [{"name": "prefers-color-scheme", "value": scheme},
                         {"name": "prefers-reduced-motion", "value": motion}]})

    def language(self, name):
        self.driver.execute_cdp_cmd("Network.enable", {})
        self.driver.execute_cdp_cmd("Network.setExtraHTTPHeaders", {"headers": {"Accept-Language": name}})

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    @property
    def text(self):
        return self.find("main, body").text

    def until(self, condition, message):
        return WebDriverWait(self.driver, SHOWN_WITHIN_SECONDS, poll_frequency=0.02).until(
            lambda _: condition(), message)

    def submit(self, path, clicks=1, **fields):
        """Fills in the form that posts to a path, and sends it, by as many clicks."""
        form = self.find(f'main form[action="{self.path(path)}"]')
        # A form may be in a closed part of the page.
        self.driver.execute_script(
            "for (let e = arguments[0]; e; e = e.parentElement) if (e.tagName == 'DETAILS') e.open = true", form)
        for name, value in fields.items():
            self.driver.execute_script(
                "let e = arguments[0].elements[arguments[1]]; if (e instanceof RadioNodeList) e = e[0];"
                "if (e.type == 'checkbox') e.checked = arguments[2] == 'on'; else e.value = arguments[2]",
                form, name, value)
        for field in form.find_elements(By.NAME, "confirmation"):
            if "confirmation" not in fields:
                label = form.find_element(By.CSS_SELECTOR, f'label[for="{field.get_attribute("id")}"]')
                field.send_keys(re.search("“(.*)”", label.get_attribute("textContent")).group(1))
        page = self.find("html")
        self.driver.execute_script(
            # Clicks of one task would be one submission.
            "const button = arguments[0].querySelector('button:not([type=button])'); button.click();"
            "for (let n = 1; n < arguments[1]; n++) setTimeout(() => button.click(), n)",
            form, clicks)
        WebDriverWait(self.driver, SHOWN_WITHIN_SECONDS).until(lambda _: self.is_gone(page), f"{path} was not sent")

    @staticmethod
    def is_gone(element):
        try:
            element.is_enabled()
            return False
        except Exception:
            return True

    def console_errors(self):
        """What the browser has complained about since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]

    def overflow(self):
        """How many pixels the page is wider than the window."""
        return self.driver.execute_script(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth")

    def violations(self, rules=None):
        """What axe-core finds, each with the first element."""
        if not self.driver.execute_script("return 'axe' in window"):
            self.driver.execute_script(self.axe)
            # axe-core 4.4 takes what a closed <details> holds for visible, and for the ground of what stands there.
            self.driver.execute_script(
                "const style = new CSSStyleSheet(); style.replaceSync('details:not([open])>:not(summary){display:none}');"
                "document.adoptedStyleSheets = [style]")
        options = {"resultTypes": ["violations"]}
        if rules:
            options["runOnly"] = {"type": "rule", "values": rules}
        found = self.driver.execute_async_script(
            "const done = arguments[1]; axe.run(document, arguments[0]).then(r => done(r.violations), e => done([{id: `${e}`, nodes: []}]))",
            options)
        return [f"{one['id']}: " + "; ".join(node["html"][:160] for node in one["nodes"][:3]) for one in found]

    # Texts with too little contrast (WCAG 2.1, 1.4.3, AA), each with its ratio: axe-core's rule in a twentieth of the time, and
    # with the texts of drawings, which axe-core leaves out.
    CONTRAST = """
        if (!window.contrastOf) {
            const canvas = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true}), known = new Map();
            const color = text => {
                if (!known.has(text)) {
                    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = text; canvas.fillRect(0, 0, 1, 1);
                    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
                    known.set(text, [r, g, b, a / 255]);
                }
                return known.get(text);
            };
            const over = (top, ground) => [0, 1, 2].map(n => top[n] * top[3] + ground[n] * (1 - top[3])).concat(1);
            const luminance = rgb => {
                const [r, g, b] = rgb.slice(0, 3).map(value => {
                    const part = value / 255;
                    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
                });
                return 0.2126 * r + 0.7152 * g + 0.0722 * b;
            };
            const ratio = (one, other) => {
                const [a, b] = [luminance(one), luminance(other)];
                return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            };
            window.contrastOf = (one, style) => {
                const layers = [];
                let opacity = 1;
                for (let part = one; part; part = part.parentElement) {
                    const own = getComputedStyle(part);
                    opacity *= own.opacity;
                    layers.push(color(own.backgroundColor));
                    if (layers.at(-1)[3] === 1) break;
                }
                const canvasColor = matchMedia('(prefers-color-scheme: dark)').matches ? [18, 18, 18, 1] : [255, 255, 255, 1];
                const ground = layers.reverse().reduce((below, layer) => over(layer, below), canvasColor);
                const ink = [...color(one instanceof SVGElement ? style.fill : style.color)];
                ink[3] *= opacity;
                return ratio(over(ink, ground), ground);
            };
        }
        const found = [], seen = new Set();
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            const one = node.parentElement;
            if (seen.has(one) || !node.data.trim()) continue;
            seen.add(one);
            if (one.closest('script, style, title, [aria-hidden=true], :disabled')) continue;
            if (!one.checkVisibility({visibilityProperty: true, opacityProperty: true})) continue;
            const box = one.getBoundingClientRect();
            if (box.width <= 1 || box.height <= 1) continue;
            const style = getComputedStyle(one), size = parseFloat(style.fontSize);
            const isLarge = size >= 24 || size >= 18.66 && style.fontWeight >= 700;
            const contrast = window.contrastOf(one, style);
            if (contrast < (isLarge ? 3 : 4.5)) {
                found.push(`${contrast.toFixed(2)}: ${node.data.trim().slice(0, 40)} in ${one.outerHTML.slice(0, 80)}`);
            }
        }
        return found.slice(0, 5);
        """

    def low_contrast(self):
        """The texts that are hard to read in the present look."""
        return self.driver.execute_script(self.CONTRAST)

    # A control has 44 by 44 px where a finger may land: in its box or its label, in an area around it, or in its row. A link in
    # a line of text may be 24 px high (WCAG 2.2, 2.5.8), and so may a mark that explains a word, and the further links of a
    # row that is itself a link.
    TARGETS = """
        const controls = 'a[href], button, summary, select, textarea, input:not([type=hidden])';
        const isOn = (part, x, y) => part.contains(document.elementFromPoint(x, y));
        // Looks for a square of points that are all the control's, 4 px apart.
        const hasSquare = (part, row) => {
            const step = 4, count = 11, own = part.getBoundingClientRect(), around = row.getBoundingClientRect();
            const [left, top] = [Math.min(own.left - 22, around.left) + 1, Math.min(own.top - 22, around.top) + 1];
            const columns = Math.ceil((Math.max(own.right + 22, around.right) - left) / step);
            const rows = Math.ceil((Math.max(own.bottom + 22, around.bottom) - top) / step);
            // The side of the largest square that ends at a point, of the row before and of this one.
            let before = new Array(columns + 1).fill(0);
            for (let y = 0; y < rows; y += 1) {
                const sides = [0];
                for (let x = 0; x < columns; x += 1) {
                    const side = isOn(part, left + x * step, top + y * step)
                        ? 1 + Math.min(before[x], before[x + 1], sides[x]) : 0;
                    if (side >= count) return true;
                    sides.push(side);
                }
                before = sides;
            }
            return false;
        };
        const isLarge = part => {
            const box = part.getBoundingClientRect();
            const isIt = isOn(part, box.x + box.width / 2, box.y + box.height / 2);
            return isIt && box.width >= 43.5 && box.height >= 43.5
                || hasSquare(part, part.closest('tr, .facts > div, .figures > div, .rows > li') ?? part);
        };
        // A link of several lines is as high as its first one. Its neighbours may have a part of its padding.
        const isLine = part => {
            const line = part.getClientRects()[0], [x, y] = [line.x + line.width / 2, line.y + line.height / 2];
            let height = 0;
            for (let step = 0; step <= 24 && isOn(part, x, y + step); step += 1) height += 1;
            for (let step = 1; step <= 24 && isOn(part, x, y - step); step += 1) height += 1;
            return height >= 24;
        };
        const isInText = one => {
            if (one.closest('.define')) return true;
            if (one.tagName !== 'A' || getComputedStyle(one).display !== 'inline') return false;
            const row = one.closest('tr'), line = one.closest('p, dd, figcaption, .others');
            if (row) return (row.querySelector('th a') ?? row.querySelector('td.first a')) !== one;
            return line !== null && line.textContent.trim() !== one.textContent.trim();
        };
        return [...document.querySelector(arguments[0]).querySelectorAll(controls)].filter(one => {
            if (one.closest('.skip') || !one.checkVisibility({visibilityProperty: true, opacityProperty: true})) return false;
            const part = one.closest('label') ?? one;
            part.scrollIntoView({block: 'center', inline: 'center'});
            // The titles of columns are there for screen readers alone.
            const box = (part.closest('thead') ?? part).getBoundingClientRect();
            if (box.width <= 1 || box.height <= 1) return false;
            return isInText(one) ? !isLine(part) && !isLarge(part) : !isLarge(part);
        }).map(one => {
            const box = one.getBoundingClientRect();
            return `${Math.round(box.width)}x${Math.round(box.height)}: ${one.outerHTML.slice(0, 120)}`;
        });
    """

    def small_targets(self, part="body"):
        """The controls of a part of the page that are too small for a finger."""
        return self.driver.execute_script(self.TARGETS, part)

    def screenshot(self, name):
        if not RECORDS:
            return
        os.makedirs(IMAGES, exist_ok=True)
        image = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})["data"]
        picture = Image.open(io.BytesIO(base64.b64decode(image))).convert("RGB")
        # A palette of the page's own colours: fewer than 256 lose the small coloured marks.
        palette = picture.quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        path = os.path.join(IMAGES, name + ".png")
        palette.save(path, optimize=True)
        if os.path.getsize(path) > PICTURE_BYTES:
            raise RuntimeError(f"{name}.png has {os.path.getsize(path)} bytes")


class ConsoleTest(unittest.TestCase):
    """A store and a browser that is signed in, once for each class."""

    @classmethod
    def setUpClass(cls):
        cls.store = Store()
        cls.addClassCleanup(cls.store.stop)
        cls.browser = Browser(cls.store)
        cls.addClassCleanup(cls.browser.quit)
        cls.browser.sign_in()

    def tearDown(self):
        self.assertEqual(self.browser.console_errors(), [], "the browser's console has errors")

    def assertShows(self, text):
        self.assertIn(text, self.browser.text)
