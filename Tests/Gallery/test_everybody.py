"""Every view for everybody: dark, forced colours, without motion, on a phone, at 200%, by keyboard alone."""

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
            .filter(([, box]) => box.top > 0 && box.bottom < innerHeight)
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
        self.look_through("zoomed", viewport={"width": 640, "height": 400}, device_scale_factor=2)

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
        stops = self.stops(page, 6)
        self.assertEqual(stops[:5], ["Search", "Faces at least", "Order", "More filters", "Face boxes"])
        self.assertRegex(stops[5], r", (\d+ faces?|unreadable|not looked at)$")
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
