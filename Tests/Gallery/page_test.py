"""What tests of the page have in common: one daemon and one gallery for all of them, and a browser.

DOCUMENTS=100000 says how many documents there are, SCREENSHOTS=FOLDER keeps pictures of each view, and
QUIET_MACHINE=1 holds times against the limits that they have on a machine with nothing else to do.
"""

import faulthandler
import os
import pathlib
import time
import unittest

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

from rig import Rig

DOCUMENTS = int(os.environ.get("DOCUMENTS") or 100_000)
SHOTS = os.environ.get("SCREENSHOTS")
QUIET = bool(os.environ.get("QUIET_MACHINE"))
# Seconds in which what must happen has to happen, on a machine that is busy with other things as well.
PATIENCE = 30
# Seconds after which a test hangs: where is told, and none of the others is waited for.
HANGS = 600
expect.set_options(timeout=PATIENCE * 1000)

# Puts the events of a page into the hands of its test, who tells of some by `tell(kind, data)`.
OWN_EVENTS = """
    delete window.SharedWorker;
    const streams = [];
    window.EventSource = class extends EventTarget {
        constructor(url) {
            super();
            streams.push(this);
            setTimeout(() => this.dispatchEvent(new Event('open')));
        }
        close() { streams.splice(streams.indexOf(this), 1); }
    };
    window.streams = streams;
    window.tell = (kind, data) => {
        for (const stream of [...streams]) stream.dispatchEvent(new MessageEvent(kind, { data: JSON.stringify(data) }));
    };
"""


class PageTest(unittest.TestCase):
    rig = None

    @classmethod
    def setUpClass(cls):
        if not PageTest.rig:
            PageTest.rig = rig = Rig()
            (rig.pictures / "hostile.jpg").write_text('<svg xmlns="http://www.w3.org/2000/svg" onload="top.hurt=1"/>')
            (rig.pictures / "hostile.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"><script>top.hurt=1</script></svg>')
            (rig.pictures / "<img src=x onerror=top.hurt=1>.jpg").write_bytes((rig.pictures / "painted-2.jpg").read_bytes())
            rig.start_daemon()
            rig.add_photos()
            rig.fill(DOCUMENTS)
            rig.start_gallery()
        cls.driver = sync_playwright().start()
        cls.browser = cls.driver.chromium.launch(
            executable_path=os.environ.get("CHROMIUM") or "/usr/bin/chromium", args=["--no-sandbox", "--disable-dev-shm-usage"])

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.driver.stop()

    def setUp(self):
        faulthandler.dump_traceback_later(HANGS, exit=True)
        self.addCleanup(faulthandler.cancel_dump_traceback_later)
        self.said = []
        self.context = None
        # Browsers say it in the console when a request fails, which some tests have them do.
        self.may_say = False

    def tearDown(self):
        if self.context:
            self.context.close()
        if not self.may_say:
            self.assertEqual(self.said, [], "said in the console")

    def open(self, path="", link=None, script=None, **words):
        """A new browser that has been let in, at a view; a script runs before the page's own."""
        words.setdefault("viewport", {"width": 1280, "height": 800})
        self.context = self.browser.new_context(**words)
        page = self.context.new_page()
        page.on("console", lambda message: self.said.append(f"{message.text} ({message.location.get('url')})"))
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.add_init_script("addEventListener('securitypolicyviolation', (event) => "
                             "console.error(`${event.violatedDirective} ${event.blockedURI}`))")
        if script:
            page.add_init_script(script)
        page.goto(link or self.rig.new_link())
        # It is let in, and shows a view.
        expect(page.locator("nav a[aria-current]")).to_have_count(1)
        if path:
            link = page.get_by_role("navigation").get_by_role("link", name=path)
            link.click()
            # A view may be loaded only now.
            expect(link).to_have_attribute("aria-current", "page")
        return page

    def status(self, page):
        """The daemon's status, as the page gets it."""
        return page.evaluate("fetch(sessionStorage.getItem('facefetch-prefix') + '/v1/status').then((answer) => answer.json())")

    def tells(self, name, value, unit, most, sane):
        """Prints a figure, and holds it against its limit, or what is sane on a machine with other work."""
        print(f"{name}: {value:.3g} {unit} (at most {most})")
        self.assertLessEqual(value, most if QUIET else sane, name)

    def shot(self, page, name):
        if SHOTS:
            pathlib.Path(SHOTS).mkdir(parents=True, exist_ok=True)
            page.screenshot(path=f"{SHOTS}/{name}.png")

    def wait(self, page, script, what, seconds=PATIENCE):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if page.evaluate(script):
                return
            time.sleep(0.02)
        self.shot(page, "failed")
        self.fail(what)

    def expect_keyboard_at(self, page, place):
        """Waits for it, since a dialog tells of its end after it has closed."""
        self.wait(page, f"document.activeElement.closest('li')?.getAttribute('aria-posinset') === '{place}'",
                  f"the keyboard isn't at picture {place}")

    def until(self, condition, what, seconds=PATIENCE):
        """Waits for something that the test itself sees."""
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                self.fail(what)
            self.context.pages[0].wait_for_timeout(20)

    def violations(self, page):
        found = Axe().run(page).response["violations"]
        return [f"{one['id']}: {[node['html'][:120] for node in one['nodes'][:3]]}" for one in found]

    THERE = "[...document.querySelectorAll('.tile img')].some((image) => image.complete && image.naturalWidth > 0)"
    ALL_THERE = """(() => {
        const seen = [...document.querySelectorAll('.tile')].filter((tile) => {
            const box = tile.getBoundingClientRect();
            return box.bottom > 0 && box.top < innerHeight;
        });
        return seen.length > 0 && seen.every((tile) => {
            const image = tile.querySelector('img');
            return tile.querySelector('[data-word]') || (image.complete && image.naturalWidth > 0);
        });
    })()"""

    # What PhotoSwipe shows in the middle of the window.
    SHOWN = """(() => {
        const image = document.querySelector('.pswp__item[aria-hidden=false] img.pswp__img:not(.pswp__img--placeholder)');
        return image?.complete && image.naturalWidth > 0;
    })()"""

    # What lies over a picture that is as large as there is room, by the names of the buttons.
    COVERED = """(() => {
        const wide = (one) => one.getBoundingClientRect();
        const image = wide(document.querySelector(
            '.pswp__item[aria-hidden=false] img.pswp__img:not(.pswp__img--placeholder), .viewer .sheet img'));
        return [...document.querySelectorAll('.viewer button, .viewer .button, .viewer .facts')].filter((one) => {
            const box = wide(one);
            return box.width > 0 && box.left < image.right - 1 && box.right > image.left + 1
                && box.top < image.bottom - 1 && box.bottom > image.top + 1;
        }).map((one) => one.getAttribute('aria-label') ?? one.textContent);
    })()"""

    PLACE = """(() => {
        const tile = [...document.querySelectorAll('.tile')].find((one) => one.getBoundingClientRect().top > 150);
        return `${tile.querySelector('a').hash} at ${Math.round(tile.getBoundingClientRect().top)}`;
    })()"""
