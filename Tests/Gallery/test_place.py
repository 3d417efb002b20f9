"""The address: it holds what is looked at, so that a reload and Back come to the same place."""

import re
import unittest

from playwright.sync_api import expect

from page_test import PageTest


class Place(PageTest):
    def here(self, page):
        return page.evaluate("location.hash")

    def shows(self, page, number):
        expect(page.locator(".total")).to_have_text(f"{number:,} picture{'' if number == 1 else 's'}")

    def at(self, page, address):
        self.wait(page, f"location.hash === {address!r}", f"the address isn't {address}")

    def test_the_address_holds_search_filters_and_order(self):
        page = self.open()
        self.wait(page, self.ALL_THERE, "not all came")
        expect(page.locator(".total")).to_have_text(re.compile("pictures"))
        whole = page.locator(".total").inner_text()
        page.get_by_role("searchbox", name="Search").press_sequentially("painted-1", delay=20)
        self.at(page, "#/pictures?q=painted-1")
        expect(page.locator(".total")).not_to_have_text(whole)
        page.get_by_role("combobox", name="Order").select_option("By name")
        self.at(page, "#/pictures?q=painted-1&order=name")
        page.get_by_role("button", name="More filters").click()
        page.get_by_role("spinbutton", name="Batch").fill("1")
        self.at(page, "#/pictures?q=painted-1&order=name&batch=1")
        page.reload()
        expect(page.get_by_role("searchbox", name="Search")).to_have_value("painted-1")
        expect(page.get_by_role("combobox", name="Order")).to_have_value("name")
        expect(page.get_by_role("spinbutton", name="Batch")).to_have_value("1")
        expect(page.locator(".total")).to_have_text(re.compile("picture"))
        expect(page.locator(".total")).not_to_have_text(whole)
        # Back undoes one choice after the other, not one letter.
        page.go_back()
        self.at(page, "#/pictures?q=painted-1&order=name")
        expect(page.get_by_role("combobox", name="Order")).to_have_value("name")
        page.go_back()
        expect(page.get_by_role("combobox", name="Order")).to_have_value("newest")
        expect(page.get_by_role("searchbox", name="Search")).to_have_value("painted-1")
        page.go_back()
        expect(page.get_by_role("searchbox", name="Search")).to_have_value("")
        expect(page.locator(".total")).to_have_text(whole)
        page.go_forward()
        expect(page.get_by_role("searchbox", name="Search")).to_have_value("painted-1")
        expect(page.locator(".total")).not_to_have_text(whole)
        # Whoever goes elsewhere and comes back finds it as it was.
        links = page.get_by_role("navigation").get_by_role("link")
        links.get_by_text("Work").click()
        links.get_by_text("Pictures").click()
        self.at(page, "#/pictures?q=painted-1")
        expect(page.locator(".total")).not_to_have_text(whole)

    def test_what_an_address_says_wrongly_is_not_taken(self):
        page = self.open()
        page.evaluate("location.hash = '#/pictures?order=sideways&faces=many&batch=0x&unknown=1&q=' + 'x'.repeat(9999)")
        expect(page.get_by_role("combobox", name="Order")).to_have_value("newest")
        expect(page.get_by_role("heading", name="Nothing matches")).to_be_visible()
        page.evaluate("location.hash = '#/pictures/99999999999999999999?q=%E0%A4%A'")
        expect(page.get_by_role("heading", name="Nothing matches")).to_be_visible()
        expect(page.get_by_role("dialog")).to_have_count(0)

    def test_a_reload_comes_back_to_the_open_picture_and_the_place_on_the_wall(self):
        page = self.open()
        page.get_by_role("searchbox", name="Search").fill("painted")
        self.at(page, "#/pictures?q=painted")
        self.wait(page, self.ALL_THERE, "not all came")
        page.locator(".tile a").first.click()
        self.wait(page, "/^#\\/pictures\\/\\d+\\?q=painted$/.test(location.hash)", "it has no address")
        heading = page.get_by_role("dialog").get_by_role("heading")
        # It has the picture's number until its name has come.
        expect(heading).not_to_have_text(re.compile(r"^Picture \d+$"))
        title = heading.inner_text()
        page.reload()
        expect(page.get_by_role("dialog").get_by_role("heading")).to_have_text(title)
        page.go_back()
        expect(page.get_by_role("dialog")).to_have_count(0)
        self.at(page, "#/pictures?q=painted")
        page.get_by_role("searchbox", name="Search").fill("")
        self.at(page, "#/pictures")
        self.wait(page, self.ALL_THERE, "not all came")
        page.evaluate("scrollTo(0, 2500)")
        self.wait(page, self.ALL_THERE, "not all came")
        self.wait(page, "history.state?.anchor?.id > 0", "it isn't taken down")
        before = page.evaluate(self.PLACE)
        page.reload()
        self.wait(page, self.ALL_THERE, "not all came")
        self.assertEqual(page.evaluate(self.PLACE), before)

    def test_a_picture_that_turns_while_one_goes_back_is_closed(self):
        page = self.open()
        page.get_by_role("searchbox", name="Search").fill("painted")
        self.at(page, "#/pictures?q=painted")
        self.wait(page, self.ALL_THERE, "not all came")
        page.locator(".tile a").first.click()
        self.wait(page, "/^#\\/pictures\\/\\d+\\?q=painted$/.test(location.hash)", "it has no address")
        expect(page.locator(".viewer .pswp")).to_be_visible()
        # Between the two events of going back.
        page.evaluate(
            "addEventListener('popstate', () => document.querySelector('.viewer .turn.on').click(), { once: true })"
        )
        page.go_back()
        expect(page.get_by_role("dialog")).to_have_count(0)
        self.at(page, "#/pictures?q=painted")

    def test_a_search_with_a_blank_and_one_with_a_plus_find(self):
        name = f"two words+{id(self)}.jpg"
        self.rig.facefetch("add", f"{self.rig.origin}/painted-9.jpg?{id(self)}", "--name", name, "--wait")
        page = self.open()
        for text in ("two words", "words+", name):
            page.get_by_role("searchbox", name="Search").fill(text)
            self.shows(page, 1)
            expect(page.get_by_role("listitem", name=name)).to_be_visible()
        page.get_by_role("searchbox", name="Search").fill("two+words")
        self.shows(page, 0)


if __name__ == "__main__":
    unittest.main()
