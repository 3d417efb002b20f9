"""The wall of pictures: how it is gone over, filtered, and kept in place."""

import re
import time
import unittest

from playwright.sync_api import expect

from page_test import PageTest


class Wall(PageTest):
    def test_the_keyboard_goes_over_the_wall_and_into_a_picture(self):
        page = self.open()
        self.wait(page, self.ALL_THERE, "not all came")
        self.assertEqual(page.locator('.tile a[tabindex="0"]').count(), 1)
        page.locator('.tile a[tabindex="0"]').focus()
        first = page.evaluate("document.activeElement.closest('li').getAttribute('aria-posinset')")
        self.assertEqual(first, "1")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowDown")
        place = int(page.evaluate("document.activeElement.closest('li').getAttribute('aria-posinset')"))
        self.assertGreater(place, 3)
        page.keyboard.press("End")
        # Of a long list the end may still be on its way.
        at_end = "(({ ariaPosInSet, ariaSetSize }) => Number(ariaPosInSet) > 300 && ariaPosInSet === ariaSetSize)"
        self.wait(page, f"{at_end}(document.activeElement.closest('li'))", "End doesn't lead to the end")
        page.keyboard.press("Home")
        page.keyboard.press("Enter")
        dialog = page.get_by_role("dialog")
        expect(dialog).to_be_visible()
        for name in ("Close", "Next", "Previous", "Look again"):
            expect(dialog.get_by_role("button", name=name)).to_be_visible()
        expect(dialog.get_by_role("link", name="Download")).to_be_visible()
        page.keyboard.press("ArrowRight")
        self.wait(page, self.SHOWN, "no picture came")
        self.shot(page, "viewer")
        self.assertEqual(self.violations(page), [])
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
        self.expect_keyboard_at(page, 2)

    def test_the_first_screen_is_there_before_the_rest_and_stays(self):
        rest = []
        shown = """JSON.stringify([...document.querySelectorAll('.tile')].map((tile) => {
            const { left, top, width, height } = tile.getBoundingClientRect();
            return [tile.querySelector('a').hash, left, top, width, height].join(' ');
        }))"""
        page = self.open("Add")
        self.context.route(re.compile(r"/documents/index\?times=true$"), lambda route: rest.append(route))
        page.reload()
        page.get_by_role("navigation").get_by_role("link", name="Pictures").click()
        self.wait(page, self.ALL_THERE, "not all came")
        self.assertEqual(page.locator('.tile').first.get_attribute("aria-setsize"), "-1")
        for down in (0, 1000):
            page.evaluate(f"scrollTo(0, {down})")
            self.wait(page, f"Math.round(scrollY) === {down}", "the page isn't long enough")
            # Tiles are made in the next frame, whenever that is.
            page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
            self.wait(page, self.ALL_THERE, "not all came")
        before = page.evaluate(shown)
        self.until(lambda: rest, "the rest isn't asked for")
        for route in rest:
            route.continue_()
        self.context.unroute(re.compile(r"/documents/index\?times=true$"))
        expect(page.locator(".total")).to_have_text(re.compile("pictures$"))
        self.assertGreater(int(page.locator('.tile').first.get_attribute("aria-setsize")), 400)
        self.assertEqual(page.evaluate(shown), before)

    def test_boxes_and_filters(self):
        page = self.open()
        page.get_by_label("Faces at least").fill("2")
        page.get_by_role("button", name="Face boxes").click()
        self.assertEqual(page.get_by_role("button", name="Face boxes").get_attribute("aria-pressed"), "true")
        self.wait(page, "document.querySelectorAll('.tile [data-face]').length > 3", "no boxes came")
        self.shot(page, "boxes")
        page.get_by_label("Faces at least").fill("")
        page.get_by_role("searchbox", name="Search").fill("painted-2.jpg")
        self.wait(page, "document.querySelectorAll('.tile').length < 10 && document.querySelectorAll('.tile').length > 0",
                  "the search found nothing")
        page.get_by_role("searchbox", name="Search").fill("no such picture")
        expect(page.get_by_text("Nothing matches")).to_be_visible()

    def test_filters_of_where_pictures_come_from(self):
        page = self.open()
        self.rig.add_source("cats", [{"id": "tom", "src": f"/painted-1.jpg?{time.time()}"}, {"id": "kit", "src": f"/painted-2.jpg?{time.time()}"}])
        page.reload()
        page.get_by_role("button", name="More filters").click()
        page.get_by_role("combobox", name="Source").select_option("cats")
        self.wait(page, "document.querySelectorAll('.tile').length === 2", "the source has other pictures")
        page.get_by_label("Meta").fill("id=kit")
        self.wait(page, "document.querySelectorAll('.tile').length === 1", "meta finds others")
        page.locator(".tile a").first.click()
        expect(page.get_by_role("dialog").get_by_text("kit", exact=True)).to_be_visible()
        expect(page.get_by_role("dialog").get_by_text("cats", exact=True)).to_be_visible()
        page.keyboard.press("Escape")
        page.get_by_label("Meta").fill("")
        page.get_by_role("combobox", name="Source").select_option("")
        page.get_by_label("Batch").fill("1")
        expect(page.get_by_role("status").or_(page.locator(".total")).filter(has_text="pictures").first).to_be_visible()
        self.assertEqual(self.violations(page), [])

    def test_new_ones_come_without_moving_what_is_looked_at(self):
        page = self.open()
        self.wait(page, self.ALL_THERE, "not all came")
        page.evaluate("scrollTo(0, 3000)")
        time.sleep(0.3)
        self.wait(page, self.ALL_THERE, "not all came")
        time.sleep(1)
        before = page.evaluate(self.PLACE)
        self.rig.add(*[f"{self.rig.origin}/painted-1.jpg?{number}-{time.time()}" for number in range(5)])
        expect(page.get_by_role("button", name="5 new")).to_be_visible()
        self.assertEqual(page.evaluate(self.PLACE), before)
        page.get_by_role("button", name="5 new").click()
        self.assertEqual(page.evaluate("scrollY"), 0)

    # Where tiles lie beside each other, below the first rows.
    ROWS = """Object.fromEntries([...document.querySelectorAll('.tile')].filter((tile) => tile.getBoundingClientRect().top > 720).map((tile) => {
        const { left, width, height } = tile.getBoundingClientRect();
        return [tile.querySelector('a').hash, `${Math.round(left)} ${Math.round(width)} ${Math.round(height)}`];
    }))"""

    def test_at_the_top_new_ones_come_by_themselves_unless_a_picture_is_looked_at(self):
        page = self.open(viewport={"width": 1280, "height": 2400})
        self.wait(page, self.ALL_THERE, "not all came")
        expect(page.locator(".total")).to_have_text(re.compile("pictures$"))
        add = lambda: self.rig.add(f"{self.rig.origin}/painted-1.jpg?{time.time()}")
        first = "document.querySelector('.tile[aria-posinset=\"1\"] a')?.hash"
        was, rows = page.evaluate(first), page.evaluate(self.ROWS)
        add()
        self.wait(page, f"{first} !== '{was}'", "it doesn't come")
        # Those that were there stay in their rows.
        now = page.evaluate(self.ROWS)
        both = set(rows) & set(now)
        self.assertGreater(len(both), 8)
        self.assertEqual({one: rows[one] for one in both}, {one: now[one] for one in both})
        # Somebody points at one, or has the keyboard on it.
        fresh = page.get_by_role("button", name=re.compile("new$"))
        page.mouse.move(600, 500)
        page.mouse.move(610, 510)
        # However long that takes: for ten seconds after it has moved, a pointer counts.
        page.evaluate("""(() => {
            const move = () => document.elementFromPoint(610, 510).dispatchEvent(new PointerEvent('pointermove', { bubbles: true }));
            window.moving = setInterval(move, 1000);
        })()""")
        for number in (1, 2):
            was = page.evaluate(self.PLACE)
            add()
            expect(fresh).to_have_text(f"{number} new")
            self.assertEqual(page.evaluate(self.PLACE), was)
            page.evaluate("clearInterval(moving)")
            page.locator('.tile a[tabindex="0"]').focus()
        fresh.press("Enter")
        expect(fresh).to_be_hidden()
        self.expect_keyboard_at(page, 1)

    def test_what_the_keyboard_is_at_is_not_hidden(self):
        in_sight = """(() => {
            const bars = [...document.querySelectorAll('.bar, .filters')].filter((bar) => getComputedStyle(bar).position === 'sticky');
            const edge = Math.max(0, ...bars.map((bar) => bar.getBoundingClientRect().bottom));
            const { top, bottom } = document.activeElement.getBoundingClientRect();
            return top >= edge - 1 && (bottom <= innerHeight + 1 || top <= edge + 20) ? '' : `${top} to ${bottom}, of ${edge} to ${innerHeight}`;
        })()"""
        for width, height in ((700, 500), (1280, 500), (640, 400), (320, 256), (1280, 800)):
            page = self.open(viewport={"width": width, "height": height})
            expect(page.locator('.tile a[tabindex="0"]')).to_have_count(1)
            page.get_by_role("button", name="More filters").click()
            page.locator('.tile a[tabindex="0"]').focus()
            for key in [*["ArrowDown"] * 5, *["ArrowUp"] * 4, "PageDown", "PageDown", "ArrowRight", "PageUp", "End", "ArrowUp"]:
                page.keyboard.press(key)
                self.wait(page, f"{in_sight} === ''", f"{key} at {width} × {height}")
            # What has been scrolled under the bars meanwhile.
            page.keyboard.press("Home")
            page.keyboard.press("ArrowDown")
            page.evaluate("""(() => {
                const { top, height } = document.activeElement.getBoundingClientRect();
                scrollBy(0, top + height - 30);
                document.activeElement.blur();
            })()""")
            page.evaluate("""[...document.querySelectorAll('.filters :is(input, button)')].filter((one) => one.checkVisibility()).at(-1).focus({ preventScroll: true })""")
            page.keyboard.press("Tab")
            self.wait(page, "document.activeElement.closest('.tile') !== null", "Tab doesn't come to the wall")
            self.wait(page, f"{in_sight} === ''", f"Tab at {width} × {height}")
            self.context.close()

    def test_what_is_looked_at_is_told_to_the_daemon(self):
        page = self.open()
        told = []
        page.on("request", lambda request: "/v1/attention/" in request.url and told.append(request.post_data_json))
        page.reload()
        self.wait(page, self.ALL_THERE, "not all came")
        first = page.evaluate("Number(document.querySelector('.tile a').hash.split('/')[2])")
        self.until(lambda: told and first in told[-1]["visible"], "it isn't told")
        self.assertGreater(len(told[-1]["near"]), 0)
        page.evaluate("scrollTo(0, 4000)")
        self.until(lambda: first not in told[-1]["visible"] + told[-1]["near"], "it is still told")
        number = len(told)
        passed = page.evaluate("""new Promise((resolve) => {
            const start = performance.now();
            let steps = 0;
            const step = () => { scrollBy(0, 30); steps += 1; steps < 120 ? setTimeout(step, 16) : resolve(performance.now() - start); };
            step();
        })""")
        self.assertLessEqual(len(told) - number, passed / 300 + 2, "told more often than anybody looks")
        self.until(lambda: len(told) > number, "it isn't renewed")
        page.locator(".tile a").nth(8).click()
        self.until(lambda: len(told[-1]["visible"]) == 1, "the picture that is open isn't told")
        page.keyboard.press("Escape")
        self.until(lambda: len(told[-1]["visible"]) > 1, "the wall isn't told again")
        page.evaluate("""Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
            document.dispatchEvent(new Event('visibilitychange'))""")
        self.until(lambda: told[-1] == {"visible": [], "near": []}, "it isn't given up when hidden")

    def test_what_has_left_the_view_is_not_waited_for(self):
        page = self.open("Add")
        self.may_say = True
        held, given_up = [], set()
        self.context.route("**/picture/thumb", lambda route: held.append(route))
        page.on("requestfailed", lambda request: given_up.add(request.url))
        page.get_by_role("navigation").get_by_role("link", name="Pictures").click()
        self.until(lambda: len(held) > 3, "nothing is asked for")
        first = {route.request.url for route in held}
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight / 2)")
        self.until(lambda: first <= given_up, "it is still waited for")
        self.context.unroute("**/picture/thumb")

    def test_a_thumbnail_that_fails_says_so_and_is_asked_for_again(self):
        page = self.open("Add")
        self.may_say = True
        self.context.route("**/picture/thumb", lambda route: route.abort())
        page.get_by_role("navigation").get_by_role("link", name="Pictures").click()
        self.wait(page, "document.querySelector('[data-word*=\"is asked for again\"]') !== null", "it doesn't say so")
        self.context.unroute("**/picture/thumb")
        self.wait(page, "document.querySelector('[data-word*=\"asked for\"]') === null", "it isn't asked for again")
        self.wait(page, self.ALL_THERE, "not all came")


if __name__ == "__main__":
    unittest.main()
