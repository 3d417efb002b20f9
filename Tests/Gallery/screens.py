"""Pictures of every view, for a designer's eye: on a phone, a tablet and a desk, light and dark.

Not a test of its own; `SCREENSHOTS=FOLDER scripts/test-gallery screens` takes them, in some minutes. Those of the manual
(docs/*.jpg, of painted pictures alone) are taken by screens.Manual.
"""

import pathlib
import time
import unittest

from playwright.sync_api import expect

import page_test
from page_test import PageTest
from rig import Rig

page_test.SHOTS = page_test.SHOTS or str(pathlib.Path(__file__).resolve().parents[2] / ".build/screenshots")

SIZES = {"phone": (390, 844), "tablet": (768, 1024), "desk": (1440, 900)}


class Screens(PageTest):
    def everywhere(self, take, path="", link=None):
        """Hands a page of each size and colour to somebody who takes pictures, by the beginning of their names."""
        for size, (width, height) in SIZES.items():
            for scheme in ("light", "dark"):
                words = {"is_mobile": True, "has_touch": True} if size == "phone" else {}
                page = self.open(path, link=link and link(), color_scheme=scheme,
                                 viewport={"width": width, "height": height}, **words)
                take(page, lambda name: self.shot(page, f"{name}-{size}-{scheme}"))
                self.context.close()
                self.context = None

    def small(self, page):
        """Tells what a finger would miss on a phone: controls below 44 pixels; and whether the page is too wide."""
        if page.viewport_size["width"] > 400:
            return
        found = page.evaluate("""[...document.querySelectorAll('a, button, input, select, textarea, summary')].filter((one) => {
            const { width, height } = one.getBoundingClientRect();
            const style = getComputedStyle(one);
            return width > 0 && style.visibility !== 'hidden' && one.type !== 'checkbox' && !one.closest('.unseen, .tile, .skip, p')
                && (height < 43.5 || width < 43.5);
        }).map((one) => `${one.tagName} ${one.getAttribute('aria-label') ?? one.textContent} ` +
            `${Math.round(one.getBoundingClientRect().width)}x${Math.round(one.getBoundingClientRect().height)}`)""")
        wide = page.evaluate("document.documentElement.scrollWidth > innerWidth ? document.documentElement.scrollWidth : 0")
        if found or wide:
            print(f"\ntoo small for a finger: {found}; the page is {wide or 'not'} wider than the window")

    def test_pictures(self):
        def take(page, shot):
            self.wait(page, self.ALL_THERE, "not all came")
            shot("wall")
            self.small(page)
            page.get_by_role("button", name="Face boxes").click()
            page.get_by_role("button", name="More filters").click()
            page.evaluate("scrollTo(0, 5000)")
            page.wait_for_timeout(300)
            self.wait(page, self.ALL_THERE, "not all came")
            shot("wall-down")
            page.evaluate("scrollTo(0, 0)")
            page.get_by_role("button", name="Choose").click()
            for place in (1, 2):
                page.locator(".tile a").nth(place).click()
            shot("choosing")
            self.small(page)
            page.keyboard.press("Escape")
            page.get_by_role("searchbox", name="Search").fill("no such picture")
            expect(page.get_by_text("Nothing matches")).to_be_visible()
            shot("nothing")

        self.everywhere(take)

    def test_the_viewer(self):
        def take(page, shot):
            self.wait(page, self.ALL_THERE, "not all came")
            if not page.get_by_label("Faces at least").is_visible():
                page.get_by_role("button", name="More filters").click()
            page.get_by_label("Faces at least").fill("2")
            page.wait_for_timeout(600)
            self.wait(page, self.ALL_THERE, "not all came")
            page.locator(".tile a").first.click()
            self.wait(page, self.SHOWN, "no picture came")
            page.wait_for_timeout(400)
            shot("viewer")
            self.small(page)
            page.get_by_role("dialog").get_by_role("button", name="Details").click()
            page.wait_for_timeout(400)
            shot("viewer-details")
            page.keyboard.press("Escape")
            page.get_by_label("Faces at least").fill("")
            page.get_by_role("searchbox", name="Search").fill("hostile")
            self.wait(page, "document.querySelectorAll('.tile [data-word]').length === document.querySelectorAll('.tile').length", "it isn't found")
            page.wait_for_timeout(300)
            shot("unreadable")
            page.locator(".tile a").first.click()
            page.wait_for_timeout(600)
            shot("viewer-unreadable")

        self.everywhere(take)

    def test_work(self):
        def items(folder, number):
            return [{"url": f"{self.rig.origin}{folder}/painted-12.jpg?{number}-{at}",
                     "name": f"a picture with a name that goes on and on, as those of cameras and museums do, {number}-{at}.jpg" if at == 1 else f"IMG_{number}{at:04}.jpg"}
                    for at in range(12)]

        # First, since the slow ones take all that may be fetched from there at once.
        wrong = self.rig.post(f"{self.rig.origin}/no-such-picture.jpg", "http://127.0.0.1:9/refused.jpg", f"{self.rig.origin}/missing/a-name-that-is-long-enough-to-be-cut-off-on-a-phone-in-any-case.jpg")
        time.sleep(2)
        slow = self.rig.api("POST", "/v1/batches", {"items": items("/slowest", 1)})["id"]
        answer = self.rig.api("POST", "/v1/batches", {"items": items("/slowest", 2)[:4]})
        self.assertIn("id", answer, answer)
        paused = answer["id"]
        self.rig.api("POST", f"/v1/batches/{paused}/pause")
        self.rig.add_source("museum", [{"id": "1", "src": f"/painted-1.jpg?{time.time()}"}])
        for batch in (slow, paused, wrong):
            self.addCleanup(self.rig.api, "POST", f"/v1/batches/{batch}/cancel")
        time.sleep(2)

        def take(page, shot):
            expect(page.get_by_role("region", name="Failed")).to_be_visible()
            page.wait_for_timeout(1000)
            shot("work")
            self.small(page)
            page.get_by_role("checkbox", name="Choose all shown: Paused").check()
            page.evaluate("scrollTo(0, 900)")
            page.wait_for_timeout(200)
            shot("work-down")
            page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
            page.wait_for_timeout(200)
            shot("work-end")
            page.evaluate("scrollTo(0, 0)")
            page.wait_for_timeout(200)
            shot("work-chosen")
            page.get_by_role("searchbox", name="Search the queue").fill("no such thing")
            expect(page.get_by_role("heading", name="Nothing matches")).to_be_visible()
            shot("work-nothing")

        self.everywhere(take, "Work")

    def test_held_up(self):
        holds = [{"kind": "disk", "reason": "the disk of /var/lib/facefetch/documents has 1.2 GB free, and 2 GB are kept", "until": None},
                 {"kind": "host", "reason": "upload.wikimedia.org asked to wait", "until": "2026-11-26T23:59:00Z", "host": "upload.wikimedia.org"}]

        def take(page, shot):
            now = self.status(page)
            self.context.route("**/v1/status", lambda route: route.fulfill(json={
                **now, "holds": holds, "detection": {**now["detection"], "gate": "held"}}))
            self.context.route("**/v1/hosts*", lambda route: route.fulfill(json={"items": [
                {"host": "upload.wikimedia.org", "queued": 1204, "waiting": {"reason": holds[1]["reason"], "until": holds[1]["until"]}}], "has_more": False}))
            expect(page.get_by_role("region", name="Held up")).to_be_visible()
            shot("held-up")
            self.small(page)

        self.everywhere(take, "Work")

    def test_add(self):
        def take(page, shot):
            shot("add")
            self.small(page)
            page.evaluate("""() => {
                const data = new DataTransfer();
                data.items.add(new File([Array.from({ length: 3000 }, (_, at) => `http://127.0.0.1:9/a${at}.jpg`).join('\\n')], 'a list of museum pictures.txt'));
                document.querySelector('main').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
            }""")
            expect(page.get_by_role("list", name="Lists")).to_contain_text("3,000 addresses")
            page.get_by_role("textbox", name="URLs").fill("https://example.org/a.jpg\nexample.org/b.jpg\nnonsense\nhttps://example.org/a-very-long-address/that-goes-on-and-on/and-on/and-on.jpg\ta name.jpg")
            page.get_by_role("button", name="Start").click()
            expect(page.get_by_role("alert").filter(has_text="nonsense")).to_be_visible()
            shot("add-wrong")
            self.small(page)

        self.everywhere(take, "Add")

    def test_the_log(self):
        def take(page, shot):
            page.wait_for_timeout(500)
            shot("log")
            self.small(page)

        self.everywhere(take, "Log")

    def test_empty_and_out_of_reach(self):
        rig = Rig()
        self.addCleanup(rig.stop)
        rig.start_daemon()
        first = [rig.start_gallery()]
        self.may_say = True

        def take(page, shot):
            for view in ("Pictures", "Work", "Log", "Add"):
                page.get_by_role("navigation").get_by_role("link", name=view).click()
                page.wait_for_timeout(600)
                if view != "Add":
                    shot(f"empty-{view.lower()}")

        self.everywhere(take, link=lambda: first.pop() if first else rig.new_link())
        pages = []

        def gone(page, shot):
            if not pages:
                rig.kill_daemon()
                pages.append(page)
            for view in ("Pictures", "Work", "Add", "Log"):
                page.get_by_role("navigation").get_by_role("link", name=view).click()
                page.wait_for_timeout(1500)
                shot(f"gone-{view.lower()}")

        self.everywhere(gone, link=rig.new_link)

        def locked(page, shot):
            page.context.clear_cookies()
            page.evaluate("sessionStorage.clear()")
            page.reload()
            page.wait_for_timeout(2500)
            shot("locked-out")

        self.everywhere(locked, link=rig.new_link)


class Manual(PageTest):
    def take(self, page, name):
        pathlib.Path(page_test.SHOTS).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=f"{page_test.SHOTS}/{name}.jpg", type="jpeg", quality=80)

    def test_the_manual(self):
        rig = Rig(photos=None)
        self.addCleanup(rig.stop)
        rig.start_daemon()
        rig.add(*[f"painted-{number}.jpg" for number in range(2, 13)])
        rig.fill(40, step=6000)
        rig.start_gallery()
        desk = {"viewport": {"width": 1200, "height": 750}, "locale": "en-US"}
        phone = {"viewport": {"width": 390, "height": 780}, "device_scale_factor": 2, "is_mobile": True, "has_touch": True, "locale": "en-US"}
        page = self.open(link=rig.new_link(), **desk)
        page.get_by_role("button", name="Face boxes").click()
        self.wait(page, self.ALL_THERE, "not all came")
        expect(page.locator(".total")).to_have_text("51 pictures")
        page.wait_for_timeout(500)
        self.take(page, "wall")
        page.get_by_role("searchbox", name="Search").fill("painted-4.jpg")
        expect(page.locator(".total")).to_have_text("1 picture")
        page.locator(".tile a").first.click()
        self.wait(page, self.SHOWN, "no picture came")
        page.wait_for_timeout(500)
        self.take(page, "viewer")
        self.context.close()
        slow = [f"{rig.origin}/slower/painted-{number}.jpg?slow" for number in range(2, 13)]
        rig.post(*slow)
        rig.post(*[url.replace("127.0.0.1", "localhost") for url in slow[:6]])
        page = self.open("Work", link=rig.new_link(), color_scheme="dark", **desk)
        expect(page.get_by_role("region", name="Batches").get_by_role("listitem")).to_have_count(2)
        page.wait_for_timeout(5000)
        self.take(page, "work")
        self.context.close()
        page = self.open(link=rig.new_link(), **phone)
        self.wait(page, self.ALL_THERE, "not all came")
        page.wait_for_timeout(1500)
        self.take(page, "phone")


if __name__ == "__main__":
    unittest.main()
