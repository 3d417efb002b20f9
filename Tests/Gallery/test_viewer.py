"""One picture, large: with PhotoSwipe, without it, and with strangers' bytes in it."""

import re
import struct
import time
import unittest
import zlib

from playwright.sync_api import expect

from page_test import PageTest


class Viewer(PageTest):
    def test_a_picture_is_zoomed_with_its_boxes(self):
        page = self.open()
        page.get_by_role("searchbox", name="Search").fill("painted-3.jpg")
        # Other tests have fetched the same address under other names.
        page.get_by_role("listitem", name=re.compile(r"^painted-3\.jpg,")).locator("a").click()
        self.wait(page, self.SHOWN, "no picture came")
        self.wait(page, "document.querySelectorAll('.pswp [data-face]').length >= 2", "no boxes came")
        places = """(() => {
            const wide = (one) => one.getBoundingClientRect();
            const shown = document.querySelector('.pswp__item[aria-hidden=false]');
            const [image, box] = [wide(shown.querySelector('img.pswp__img:not(.pswp__img--placeholder)')), wide(shown.querySelector('[data-face]'))];
            return { wide: image.width, left: (box.left - image.left) / image.width, top: (box.top - image.top) / image.height };
        })()"""
        before = page.evaluate(places)
        page.keyboard.press("+")
        self.wait(page, f"{places}.wide > {before['wide'] * 1.3}", "it wasn't zoomed")
        time.sleep(0.3)
        after = page.evaluate(places)
        self.assertAlmostEqual(before["left"], after["left"], delta=0.01)
        self.assertAlmostEqual(before["top"], after["top"], delta=0.01)
        page.get_by_role("button", name="Boxes", exact=True).click()
        expect(page.locator(".pswp [data-face]")).to_have_count(0)
        page.get_by_role("button", name="Boxes", exact=True).click()
        page.get_by_role("dialog").get_by_role("button", name="Close").click()
        expect(page.get_by_role("dialog")).to_be_hidden()
        expect(page.locator(".pswp")).to_have_count(0)

    def test_similar_ones_are_shown_and_turned_to(self):
        page = self.open()
        page.get_by_role("searchbox", name="Search").fill("painted-2.jpg")
        page.get_by_role("listitem", name=re.compile(r"^painted-2\.jpg,")).first.locator("a").click()
        self.wait(page, self.SHOWN, "no picture came")
        dialog = page.get_by_role("dialog")
        expect(dialog.locator("summary")).to_have_text("Similar")
        dialog.locator("summary").click()
        # The same bytes are there under a name that is meant badly.
        other = dialog.get_by_role("button", name=re.compile(r"^<img src=x onerror=top\.hurt=1>\.jpg: "))
        expect(other.first).to_be_visible()
        other.first.click()
        expect(dialog.get_by_role("heading")).to_have_text("<img src=x onerror=top.hurt=1>.jpg")
        self.wait(page, self.SHOWN, "the similar one didn't come")
        # It stays open, and the one before is among those that are like this one.
        expect(dialog.get_by_role("button", name=re.compile(r"^painted-2\.jpg: ")).first).to_be_visible()
        self.assertFalse(page.evaluate("'hurt' in window"))
        self.assertEqual(self.violations(page), [])
        dialog.get_by_role("button", name="Close").click()
        expect(page.get_by_role("dialog")).to_be_hidden()
        # A dialog tells of its end after it has closed.
        self.wait(page, "location.hash === '#/pictures?q=painted-2.jpg'", "the address still has a picture")

    def test_back_closes_a_picture(self):
        page = self.open()
        page.get_by_role("navigation").get_by_role("link", name="Add").click()
        page.get_by_role("navigation").get_by_role("link", name="Pictures").click()
        for _ in range(2):
            self.wait(page, self.THERE, "no pictures")
            page.locator(".tile a:not([data-word])").nth(2).click()
            self.wait(page, self.SHOWN, "no picture came")
            page.go_back()
            expect(page.get_by_role("dialog")).to_be_hidden()
            expect(page.locator(".pswp")).to_have_count(0)
            self.assertEqual(page.evaluate("location.hash"), "#/pictures")
            # Closed by its button, it leaves a place that the next one takes.
            page.locator(".tile a:not([data-word])").nth(2).click()
            page.get_by_role("dialog").get_by_role("button", name="Close").click()
            expect(page.get_by_role("dialog")).to_be_hidden()
        page.get_by_role("navigation").get_by_role("link", name="Add").click()
        page.get_by_role("textbox", name="URLs").fill("abc")
        page.keyboard.press("ArrowRight")
        self.assertEqual(page.evaluate("location.hash"), "#/add")

    def test_a_view_that_comes_late_stays_away_when_one_has_gone_back(self):
        page = self.open(script="addEventListener('hashchange', () => window.been = (window.been ?? '') + location.hash)")
        self.wait(page, self.THERE, "no pictures")
        held = []
        self.context.route("**/add.js", lambda route: held.append(route))
        page.reload()
        self.wait(page, self.THERE, "no pictures")
        for name in ("Add", "Pictures"):
            page.get_by_role("navigation").get_by_role("link", name=name).click()
        self.wait(page, "window.been === '#/add#/pictures'", "it isn't heard where one has gone")
        self.until(lambda: held, "the view isn't asked for")
        for route in held:
            route.continue_()
        page.evaluate("import('/add.js')")
        # The page asked for it first, and has got it when this has.
        page.evaluate("new Promise((resolve) => setTimeout(resolve))")
        expect(page.get_by_role("textbox", name="URLs")).to_have_count(0)
        self.assertEqual(page.title(), "Pictures – facefetch")
        self.wait(page, self.THERE, "no pictures")

    def test_a_view_that_comes_late_takes_no_opened_pictures_place(self):
        page = self.open()
        self.wait(page, self.THERE, "no pictures")
        held = []
        self.context.route("**/work/work.js", lambda route: held.append(route))
        page.reload()
        self.wait(page, self.THERE, "no pictures")
        page.get_by_role("navigation").get_by_role("link", name="Work").click()
        self.wait(page, "location.hash === '#/work'", "it doesn't go there")
        page.locator(".tile a:not([data-word])").nth(2).click()
        self.wait(page, self.SHOWN, "no picture came")
        self.until(lambda: held, "the view isn't asked for")
        for route in held:
            route.continue_()
        page.evaluate("import('/work/work.js')")
        page.evaluate("new Promise((resolve) => setTimeout(resolve))")
        self.assertEqual(page.title(), "Pictures – facefetch")
        expect(page.get_by_role("dialog")).to_be_visible()

    def test_a_very_narrow_picture_is_drawn_narrow(self):
        def part(kind, data):
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

        name = "narrow.png"
        (self.rig.pictures / name).write_bytes(
            b"\x89PNG\r\n\x1a\n" + part(b"IHDR", struct.pack(">IIBBBBB", 1, 30_000, 8, 0, 0, 0, 0))
            + part(b"IDAT", zlib.compress(b"\0\x40" * 30_000)) + part(b"IEND", b""))
        self.addCleanup((self.rig.pictures / name).unlink)
        self.rig.add(name)
        page = self.open()
        self.may_say = True
        page.get_by_role("searchbox", name="Search").fill(name)
        self.wait(page, "document.querySelectorAll('.tile').length === 1", "the search found something else")
        page.locator(".tile a").first.click()
        self.wait(page, """(() => {
            const image = document.querySelector('.pswp__item[aria-hidden=false] .pswp__img:not(.pswp__img--placeholder)');
            const box = image?.getBoundingClientRect();
            return box && box.height > 100 && box.width > 0 && box.width < 5;
        })()""", "it isn't narrow")

    def test_without_photoswipe_pictures_open_plainly_and_it_is_said(self):
        link = self.rig.start_plain_gallery()
        page = self.open(link=link)
        page.locator(".tile a").first.click()
        expect(page.get_by_role("dialog")).to_contain_text("PhotoSwipe isn’t installed")
        self.wait(page, "document.querySelector('.viewer img')?.naturalWidth > 0", "no picture came")
        page.keyboard.press("ArrowRight")
        expect(page.get_by_role("button", name="Previous")).to_be_enabled()
        for size in ((1280, 800), (390, 760)):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            self.wait(page, f"{self.COVERED}.length === 0", f"buttons lie over the picture in a window of {size}")
        self.assertEqual(self.violations(page), [])
        page.keyboard.press("Escape")
        self.expect_keyboard_at(page, "2")

    def test_strangers_bytes_never_run(self):
        page = self.open()
        page.get_by_role("searchbox", name="Search").fill("hostile")
        self.wait(page, "document.querySelector('.tile')?.getAttribute('aria-label').includes('unreadable')",
                  "it isn't called unreadable")
        page.locator(".tile a").first.click()
        expect(page.get_by_role("dialog")).to_contain_text("can’t be read")
        page.keyboard.press("Escape")
        page.get_by_role("searchbox", name="Search").fill("onerror")
        self.wait(page, "document.querySelector('.tile')?.getAttribute('aria-label').includes('onerror')", "its name is missing")
        page.locator(".tile a").first.click()
        expect(page.get_by_role("heading", name="onerror")).to_be_visible()
        self.assertIsNone(page.evaluate("window.hurt ?? null"))
        address, cookie, _, prefix = self.rig.enter(self.rig.new_link())
        for job in range(1, 15):
            status, fields, _ = self.rig.ask("GET", f"{address}{prefix}/v1/jobs/{job}/document", {"Cookie": cookie})
            if status == 200:
                self.assertEqual(fields["Content-Type"], "application/octet-stream")
                self.assertIn("attachment", fields["Content-Disposition"])
                self.assertIn("sandbox", fields["Content-Security-Policy"])

    def test_boxes_have_a_confidence_where_there_is_one(self):
        page = self.open()
        sure = """async (engine) => {
            const { boxes } = await import('/boxes.js');
            const faces = [{ x: 1, y: 1, width: 2, height: 2, confidence: 0.876 }];
            return boxes({ detection: { engine, width: 9, height: 9, faces } }).map((box) => box.getAttribute('data-sure'));
        }"""
        self.assertEqual(page.evaluate(sure, "yunet"), ["0.88"])
        # Haar cascades have a score, which is told in the list as such.
        self.assertEqual(page.evaluate(sure, "haar"), [None])


if __name__ == "__main__":
    unittest.main()
