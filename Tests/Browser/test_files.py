"""Files between the browser and the console: an upload with its progress, and what an installed app consists of."""

import io
import json
import os
import shutil
import tempfile
import urllib.parse
import xml.etree.ElementTree

from PIL import Image

from console import BUNDLE_ID, ROOT, Browser, ConsoleTest, Store

SILVER = f"{BUNDLE_ID}.filter.silver"
FILE_BYTES = 8 << 20
# Fast enough for the test, slow enough for some events of progress.
BYTES_EACH_SECOND = 6 << 20


class ContentUpload(ConsoleTest):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="perennial-content-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        content = os.path.join(cls.folder, "content")
        shutil.copytree(os.path.join(ROOT, "Examples", "Magazine", "content"), content)
        cls.store = Store("--content", content)
        cls.addClassCleanup(cls.store.stop)
        cls.browser = Browser(cls.store)
        cls.addClassCleanup(cls.browser.quit)
        cls.browser.sign_in()

    def upload(self, path, version):
        """Sends the form; the values of its progress are kept in the session's storage, which the next page has, too."""
        browser = self.browser
        form = browser.find("main form[data-upload]")
        browser.driver.execute_script(
            "sessionStorage.removeItem('progress'); const values = [];"
            "new MutationObserver(() => { const bar = arguments[0].querySelector('progress');"
            "  if (bar) values.push(bar.value); sessionStorage.setItem('progress', JSON.stringify(values)) })"
            ".observe(arguments[0], {subtree: true, childList: true, attributes: true, attributeFilter: ['value']})",
            form)
        field = form.find_element("name", "version")
        field.clear()
        field.send_keys(version)
        form.find_element("css selector", "input[type=file]").send_keys(path)
        form.find_element("css selector", "button:not([type=button])").click()
        browser.until(lambda: browser.is_gone(form), "the upload doesn't end")

    def rows(self):
        return [row.text for row in self.browser.all("main table tbody tr")]

    def test_an_upload_shows_its_progress_and_the_version(self):
        browser = self.browser
        path = os.path.join(self.folder, "silver.bin")
        with open(path, "wb") as file:
            file.write(os.urandom(FILE_BYTES))
        browser.open(f"products/{SILVER}/content")
        self.assertFalse([row for row in self.rows() if "silver.bin" in row])
        browser.driver.execute_cdp_cmd("Network.enable", {})
        browser.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {
            "offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": BYTES_EACH_SECOND})
        self.upload(path, "7.0")
        browser.until(lambda: [row for row in self.rows() if "silver.bin" in row and "7.0" in row], "it isn't listed")
        values = json.loads(browser.driver.execute_script("return sessionStorage.getItem('progress')"))
        self.assertEqual(values, sorted(values), "the progress goes back")
        self.assertGreaterEqual(len({value for value in values if 0 < value < 1}), 2, f"it doesn't move: {values}")
        self.assertEqual(values[-1], 1)
        self.assertEqual(browser.all("main progress"), [])
        # A version is never replaced: the progress ends at the form again, which says why.
        self.upload(path, "7.0")
        self.assertTrue(browser.all("main [aria-invalid], main [role=alert]"))
        self.assertEqual(browser.all("main progress, main form[data-upload] button:disabled"), [])
        self.assertEqual(len([row for row in self.rows() if "silver.bin" in row]), 1)
        # The refusal is a status of the protocol, which Chromium reports.
        errors = browser.console_errors()
        self.assertTrue(errors and all("status of 4" in line for line in errors), errors)


class Installation(ConsoleTest):
    def test_the_console_can_be_installed(self):
        browser = self.browser
        browser.open("overview")
        page = browser.driver.current_url
        link = urllib.parse.urljoin(page, browser.find('link[rel="manifest"]').get_attribute("href"))
        read = browser.driver.execute_cdp_cmd("Page.getAppManifest", {})
        self.assertEqual((read["url"], read["errors"]), (link, []))
        found = browser.driver.execute_cdp_cmd("Page.getInstallabilityErrors", {})
        self.assertEqual(found["installabilityErrors"], [])
        status, headers, body = self.store.send("GET", urllib.parse.urlsplit(link).path)
        self.assertEqual((status, headers["Content-Type"]), (200, "application/manifest+json"))
        manifest = json.loads(body)
        self.assertEqual(manifest["display"], "standalone")
        self.assertTrue(manifest["name"] and manifest["short_name"])
        self.assertTrue(manifest["start_url"].startswith(manifest["scope"]))
        sizes = [self.size(icon) for icon in manifest["icons"]]
        # Chromium asks for a picture of 144 pixels or more.
        self.assertTrue(any(size and min(size) >= 144 for size in sizes), sizes)
        browser.open(manifest["start_url"])
        self.assertEqual(browser.status, 200)
        self.assertTrue(browser.find("main h1").text)

    def size(self, icon):
        """Checks that an icon is what the manifest declares; returns its size, `None` for a drawing of any size."""
        status, headers, body = self.store.send("GET", icon["src"])
        self.assertEqual((status, headers["Content-Type"]), (200, icon["type"]), icon["src"])
        if icon["type"] == "image/svg+xml":
            self.assertEqual(xml.etree.ElementTree.fromstring(body).tag, "{http://www.w3.org/2000/svg}svg")
            self.assertEqual(icon["sizes"], "any")
            return None
        picture = Image.open(io.BytesIO(body))
        self.assertEqual((Image.MIME[picture.format], f"{picture.width}x{picture.height}"), (icon["type"], icon["sizes"]))
        return picture.size
