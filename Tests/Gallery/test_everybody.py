"""Every view for everybody: dark, forced colours, without motion, on a phone, at 200%, by keyboard alone."""

import time
import unittest

from playwright.sync_api import expect

from page_test import PageTest

VIEWS = ("Pictures", "Work", "Add", "Log")
PHONE = {"viewport": {"width": 390, "height": 760}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}


class Everybody(PageTest):
    def look_through(self, name, **words):
        """Goes through all views: nothing for axe to find, and nothing wider than the window."""
        page = self.open(**words)
        self.wait(page, self.ALL_THERE, "not all came")
        for view in VIEWS:
            page.get_by_role("navigation").get_by_role("link", name=view).click()
            expect(page.get_by_role("heading", level=1)).to_contain_text(view)
            page.wait_for_timeout(200)
            self.shot(page, f"{name}-{view.lower()}")
            self.assertEqual(self.violations(page), [], f"{name}, {view}")
            self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth - innerWidth"), 0, f"{name}, {view}")
        page.get_by_role("navigation").get_by_role("link", name="Pictures").click()
        self.wait(page, self.ALL_THERE, "not all came")
        # The widest that is in view.
        page.evaluate("""[...document.querySelectorAll('.tile a:not([data-word])')].map((link) => [link, link.getBoundingClientRect()])
            .filter(([, box]) => box.bottom > 0 && box.top < innerHeight)
            .sort(([, one], [, other]) => other.width / other.height - one.width / one.height)[0][0].click()""")
        self.wait(page, self.SHOWN, "no picture came")
        page.wait_for_timeout(200)
        self.shot(page, f"{name}-viewer")
        self.assertEqual(page.evaluate(self.COVERED), [], f"{name}: these lie over the picture")
        self.assertEqual(self.violations(page), [], f"{name}, viewer")
        return page

    def test_in_the_light(self):
        self.look_through("light")

    def test_in_the_dark(self):
        page = self.look_through("dark", color_scheme="dark")
        page.keyboard.press("Escape")
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        self.assertLess(sum(int(part) for part in ground[4:-1].split(",")), 150, ground)

    def test_in_forced_colours(self):
        self.look_through("forced", forced_colors="active")

    def test_without_motion(self):
        page = self.open(reduced_motion="reduce")
        self.wait(page, self.ALL_THERE, "not all came")
        self.assertEqual(page.evaluate("getComputedStyle(document.querySelector('.tile img')).animationName"), "none")

    def test_at_200_percent(self):
        page = self.look_through("zoomed", viewport={"width": 640, "height": 400}, device_scale_factor=2)
        # Beside Details there is room for a picture, and no strip of it.
        details = page.get_by_role("button", name="Details")
        if details.get_attribute("aria-pressed") != "true":
            details.click()
        box = page.get_by_role("region", name="About this picture").bounding_box()
        self.assertGreater(box["x"], 300)
        self.assertGreater(box["height"], 250)

    # Whatever a finger is to hit, by its name, where it is smaller than 44 pixels; a checkbox has room around it.
    SMALL = """[...document.querySelectorAll('.bar a:not(.brand), main :is(button, select, input:not([type=checkbox]), a.button), .viewer :is(button, a.button)')]
        .filter((one) => one.checkVisibility() && !one.closest('.wrong'))
        .map((one) => [one.getAttribute('aria-label') ?? one.textContent, one.getBoundingClientRect()])
        .filter(([, box]) => box.width > 0 && (box.height < 43.5 || box.width < 43.5)).map(([name, box]) => `${name} ${box.width}×${box.height}`)"""

    def test_a_phone_has_what_is_going_on_and_targets_for_fingers(self):
        page = self.open(**PHONE)
        status = self.status(page)
        status["transfers"] |= {"active": 6, "bytes_per_second": 1_234_567}
        status["jobs"] |= {"failed": 12, "queued": 300}
        status["detection"] |= {"active": 1, "waiting": 30}
        self.context.route("**/v1/status", lambda route: route.fulfill(json=status))
        for name in ("slow.jpg", "missing.jpg"):
            self.rig.facefetch("add", f"{self.rig.origin}/slowest/{name.replace('slow', 'painted-12')}?{time.time()}", "--name", name)
        for view in VIEWS:
            page.get_by_role("navigation").get_by_role("link", name=view).click()
            expect(page.get_by_role("heading", level=1)).to_contain_text(view)
            line = page.get_by_role("banner").get_by_role("link", name="Work: 12 failed")
            for text in ("12 failed", "6 downloads, 1.2 MB/s", "300 to come", "31 pictures to look at", "free"):
                expect(line).to_contain_text(text)
            expect(line.get_by_text("12 failed")).to_be_in_viewport()
            expect(line.get_by_text("6 downloads")).to_be_in_viewport()
            page.wait_for_timeout(300)
            self.assertEqual(page.evaluate(self.SMALL), [], view)
        line.click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Work")
        expect(page.get_by_role("region", name="In progress").get_by_role("progressbar", name="Progress of slow.jpg")).to_be_visible()
        self.assertEqual(page.evaluate(self.SMALL), [])
        self.rig.facefetch("cancel", "--all")

    def test_on_a_phone_the_wall_comes_before_filters_that_few_need(self):
        page = self.open(**PHONE)
        self.wait(page, self.ALL_THERE, "not all came")
        self.assertLess(page.locator(".tile").first.bounding_box()["y"], 300)
        faces = page.get_by_label("Faces at least")
        expect(faces).to_be_hidden()
        page.get_by_role("button", name="More filters").click()
        faces.fill("2")
        self.wait(page, "location.hash.includes('faces=2')", "it isn't looked for")
        # What is chosen is seen, also after a reload.
        page.reload()
        expect(faces).to_have_value("2")
        expect(faces).to_be_visible()
        self.assertEqual(page.evaluate(self.SMALL), [])

    def test_on_a_phone_by_finger(self):
        page = self.look_through("phone", **PHONE)
        title = page.get_by_role("dialog").get_by_role("heading").inner_text()
        session = self.context.new_cdp_session(page)
        session.send("Input.synthesizeScrollGesture", {
            "x": 300, "y": 400, "xDistance": -220, "yDistance": 0, "gestureSourceType": "touch", "speed": 1500})
        expect(page.get_by_role("dialog").get_by_role("heading")).not_to_have_text(title)

    def test_by_keyboard_alone(self):
        page = self.open()
        self.wait(page, self.ALL_THERE, "not all came")
        page.keyboard.press("Tab")
        self.assertEqual(self.focus(page), "Skip to the content")
        page.keyboard.press("Enter")
        self.assertEqual(page.evaluate("document.activeElement.id"), "main")
        # Filters, and then one stop for all of the wall.
        stops = self.stops(page, 7)
        self.assertEqual(stops[:6], ["Search", "Faces at least", "Order", "More filters", "Face boxes", "Choose"])
        self.assertRegex(stops[6], r", (\d+ faces?|unreadable|not looked at)$")
        page.keyboard.press("Tab")
        self.assertFalse(page.evaluate("document.activeElement.closest('.wall') !== null"))
        page.evaluate("document.querySelector('.bar nav a').focus()")
        self.tab_to(page, "Add")
        page.keyboard.press("Enter")
        self.tab_to(page, "URLs")
        page.keyboard.type("nonsense")
        self.tab_to(page, "Start")
        page.keyboard.press("Enter")
        self.wait(page, "document.activeElement.id === 'urls'", "the keyboard isn't where the mistake is")
        expect(page.get_by_role("alert").filter(has_text="line 1")).to_be_visible()

    NAME = """(() => {
        const one = document.activeElement;
        return one.getAttribute('aria-label') ?? one.labels?.[0]?.firstChild?.textContent ?? one.textContent;
    })()"""

    def focus(self, page):
        return page.evaluate(self.NAME).strip()

    def stops(self, page, most):
        """What Tab comes to, one after the other."""
        names = []
        for _ in range(most):
            page.keyboard.press("Tab")
            names.append(self.focus(page))
        return names

    def tab_to(self, page, name):
        for _ in range(30):
            if self.focus(page) == name:
                return
            page.keyboard.press("Tab")
        self.fail(f"Tab doesn't come to {name}")


if __name__ == "__main__":
    unittest.main()
