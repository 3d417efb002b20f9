"""The first time: nothing is there yet."""

import unittest

from playwright.sync_api import expect

from page_test import PageTest
from rig import Rig


class Empty(PageTest):
    def test_it_says_what_to_do_first_and_the_first_picture_comes(self):
        rig = Rig()
        self.addCleanup(rig.stop)
        rig.start_daemon()
        page = self.open(link=rig.start_gallery())
        expect(page.get_by_role("heading", name="No pictures yet")).to_be_visible()
        self.shot(page, "empty")
        self.assertEqual(self.violations(page), [])
        links = page.get_by_role("navigation").get_by_role("link")
        links.get_by_text("Work").click()
        expect(page.get_by_role("heading", name="Nothing to do")).to_be_visible()
        self.shot(page, "empty-work")
        links.get_by_text("Log").click()
        expect(page.get_by_role("log")).to_contain_text("Nothing has happened")
        links.get_by_text("Pictures").click()
        page.get_by_role("main").get_by_role("link", name="Add pictures").click()
        page.get_by_role("textbox", name="URLs").fill(f"{rig.origin}/painted-3.jpg")
        page.get_by_role("button", name="Start").click()
        expect(page.get_by_role("log")).to_contain_text("finished face detection")
        self.shot(page, "empty-added")
        links.get_by_text("Pictures").click()
        expect(page.get_by_role("listitem", name="painted-3.jpg, 2 faces")).to_be_visible()

    def test_where_nobody_answers_it_is_said_and_comes_by_itself(self):
        rig = Rig()
        self.addCleanup(rig.stop)
        rig.start_daemon()
        rig.add("painted-3.jpg")
        page = self.open(link=rig.start_gallery())
        expect(page.get_by_role("listitem", name="painted-3.jpg, 2 faces")).to_be_visible()
        pulse = page.locator("#pulse")
        expect(pulse).to_contain_text("free")
        self.may_say = True
        rig.kill_daemon()
        # What was heard before isn't so any more.
        expect(pulse).to_be_hidden()
        page.reload()
        for view in ("Pictures", "Work"):
            page.get_by_role("navigation").get_by_role("link", name=view).click()
            expect(page.get_by_role("heading", name="Nothing can be shown yet")).to_be_visible()
            self.assertEqual(self.violations(page), [])
        rig.start_daemon()
        expect(page.get_by_role("heading", name="Nothing to do")).to_be_visible()
        page.get_by_role("navigation").get_by_role("link", name="Pictures").click()
        expect(page.get_by_role("listitem", name="painted-3.jpg, 2 faces")).to_be_visible()
        expect(pulse).to_contain_text("free")


if __name__ == "__main__":
    unittest.main()
