"""Choosing pictures on the wall, and what is done with them."""

import hashlib
import io
import shutil
import subprocess
import tempfile
import time
import unittest
import zipfile

from playwright.sync_api import expect

from page_test import PageTest

PHONE = {"viewport": {"width": 390, "height": 760}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}


class Choosing(PageTest):
    def ready(self, **words):
        page = self.open(**words)
        self.wait(page, self.ALL_THERE, "not all came")
        return page, page.get_by_role("group", name="Chosen pictures")

    def tile(self, page, place):
        return page.locator(f'.tile[aria-posinset="{place}"] a')

    def chosen(self, page):
        return page.evaluate("[...document.querySelectorAll('.tile')].filter((one) => one.querySelector('a.chosen')).map((one) => Number(one.getAttribute('aria-posinset'))).sort((a, b) => a - b)")

    def test_one_by_one_and_from_one_to_another(self):
        page, bar = self.ready()
        self.tile(page, 2).click(modifiers=["Shift"])
        page.get_by_role("button", name="Choose none").click()
        expect(bar).to_be_hidden()
        page.get_by_role("button", name="Choose", exact=True).click()
        self.tile(page, 2).click()
        expect(bar).to_contain_text("1 picture chosen")
        self.assertIn(", chosen", self.tile(page, 2).get_attribute("aria-label"))
        self.tile(page, 5).click(modifiers=["Shift"])
        expect(bar).to_contain_text("4 pictures chosen")
        self.assertEqual(self.chosen(page), [2, 3, 4, 5])
        self.tile(page, 3).click()
        self.assertEqual(self.chosen(page), [2, 4, 5])
        expect(page.get_by_role("dialog")).to_have_count(0)
        # They fill their places as all others do.
        self.assertTrue(page.evaluate("""[...document.querySelectorAll('.tile')].every((tile) => {
            const [place, link] = [tile, tile.querySelector('a')].map((one) => one.getBoundingClientRect());
            return place.top === link.top && place.bottom === link.bottom && place.left === link.left;
        })"""))
        self.shot(page, "chosen")
        self.assertEqual(self.violations(page), [])
        # They stay chosen out of sight.
        page.evaluate("scrollTo(0, 4000)")
        self.wait(page, "!document.querySelector('.tile a.chosen')", "it doesn't scroll")
        expect(bar).to_contain_text("3 pictures chosen")
        page.evaluate("scrollTo(0, 0)")
        self.until(lambda: self.chosen(page) == [2, 4, 5], "they aren't chosen any more")
        # By keyboard.
        self.tile(page, 4).focus()
        page.keyboard.press("Space")
        self.assertEqual(self.chosen(page), [2, 5])
        page.keyboard.press("Escape")
        expect(bar).to_be_hidden()
        self.tile(page, 2).click()
        expect(page.get_by_role("dialog")).to_be_visible()

    def test_by_dragging(self):
        page, bar = self.ready()
        first, last = self.tile(page, 1).bounding_box(), self.tile(page, 4).bounding_box()
        page.mouse.move(first["x"] + 20, first["y"] + 20)
        page.mouse.down()
        page.mouse.move(last["x"] + 20, last["y"] + 20, steps=12)
        page.mouse.up()
        expect(bar).to_contain_text("4 pictures chosen")
        self.assertEqual(self.chosen(page), [1, 2, 3, 4])
        expect(page.get_by_role("dialog")).to_have_count(0)

    def test_with_a_finger(self):
        page, bar = self.ready(**PHONE)
        box = self.tile(page, 2).bounding_box()
        session = self.context.new_cdp_session(page)
        point = [{"x": box["x"] + 20, "y": box["y"] + 20}]
        session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": point})
        page.wait_for_timeout(900)
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        expect(bar).to_contain_text("1 picture chosen")
        self.tile(page, 3).tap()
        expect(bar).to_contain_text("2 pictures chosen")
        self.assertEqual(self.chosen(page), [2, 3])
        self.shot(page, "chosen-phone")
        expect(page.get_by_role("dialog")).to_have_count(0)
        self.assertEqual(self.violations(page), [])

    def test_they_are_downloaded_as_one_archive(self):
        page, bar = self.ready()
        page.get_by_role("searchbox", name="Search").fill("painted-")
        page.get_by_role("button", name="Choose", exact=True).click()
        self.tile(page, 1).click()
        self.tile(page, 4).click(modifiers=["Shift"])
        with page.expect_download() as download:
            bar.get_by_role("link", name="Download").click()
        ids = page.evaluate("[...document.querySelectorAll('.tile:has(.chosen) a')].map((one) => Number(one.hash.split('/')[2]))")
        jobs = [self.rig.api("GET", f"/v1/jobs/{id}") for id in ids]
        with zipfile.ZipFile(download.value.path()) as archive:
            self.assertIsNone(archive.testzip())
            self.assertEqual(sorted(archive.namelist()), sorted(job["name"] for job in jobs))
            for job in jobs:
                self.assertEqual(hashlib.sha256(archive.read(job["name"])).hexdigest(), job["sha256"])
        if shutil.which("unzip"):
            self.assertEqual(subprocess.run(["unzip", "-tq", download.value.path()], check=False).returncode, 0)
        # Whoever isn't let in gets none, and one that isn't there is named.
        address, cookie, _, prefix = self.rig.enter(self.rig.new_link())
        inside = address + prefix
        self.assertEqual(self.rig.ask("GET", f"{inside}/pictures.zip?ids={ids[0]}")[0], 401)
        self.assertEqual(self.rig.ask("GET", f"{address}/pictures.zip?ids={ids[0]}", {"Cookie": cookie})[0], 401)
        self.assertEqual(self.rig.ask("GET", f"{inside}/pictures.zip?ids=x", {"Cookie": cookie})[0], 400)
        status, fields, body = self.rig.ask("GET", f"{inside}/pictures.zip?ids=999999999,{ids[0]}", {"Cookie": cookie})
        self.assertEqual([status, fields["Content-Disposition"]], [200, 'attachment; filename="pictures.zip"'])
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            self.assertEqual(archive.namelist(), [jobs[0]["name"], "MISSING.txt"])
            self.assertIn(b"j999999999", archive.read("MISSING.txt"))

    def test_what_looks_like_them_is_chosen_too(self):
        mark = f"alike{time.time()}"
        with tempfile.TemporaryDirectory() as folder:
            # One that nobody else has.
            subprocess.run([self.rig.program("test-origin"), "paint", folder, "--count", "13"], check=True, stdout=subprocess.DEVNULL)
            shutil.copyfile(f"{folder}/painted-13.jpg", self.rig.pictures / f"{mark}.jpg")
        for number in range(3):
            picture = f"{mark}.jpg" if number < 2 else "painted-3.jpg"
            self.rig.facefetch("add", f"{self.rig.origin}/{picture}?{number}", "--name", f"{mark}-{number}.jpg", "--wait")
        page, bar = self.ready()
        page.get_by_role("searchbox", name="Search").fill(mark)
        expect(page.locator(".total")).to_have_text("3 pictures")
        page.get_by_role("button", name="Choose", exact=True).click()
        page.get_by_role("listitem", name=f"{mark}-0.jpg").get_by_role("link").click()
        bar.get_by_role("button", name="Choose similar").click()
        expect(bar).to_contain_text("1 similar picture chosen, too.")
        expect(bar).to_contain_text("2 pictures chosen")
        names = page.locator(".tile:has(a.chosen)").evaluate_all("all => all.map((one) => one.getAttribute('aria-label') ?? one.querySelector('a').getAttribute('aria-label'))")
        self.assertTrue(all(mark in name and f"{mark}-2" not in name for name in names), names)
        self.assertEqual(self.violations(page), [])
        # What isn't shown isn't chosen.
        page.get_by_role("searchbox", name="Search").fill(f"{mark}-0")
        expect(page.locator(".total")).to_have_text("1 picture")
        expect(bar).to_contain_text("1 picture chosen")
        bar.get_by_role("button", name="Choose similar").click()
        expect(bar).to_contain_text("1 similar picture is not shown here.")

    def test_they_are_looked_at_again_and_forgotten(self):
        mark = time.time()
        names = [f"choose{mark}-{number}.jpg" for number in range(3)]
        for name in names:
            self.rig.facefetch("add", f"{self.rig.origin}/painted-3.jpg?{name}", "--name", name, "--wait")
        page, bar = self.ready()
        page.get_by_role("searchbox", name="Search").fill(names[0][:-6])
        expect(page.locator(".total")).to_have_text("3 pictures")
        ids = {job["name"]: job["id"] for job in self.rig.api("GET", f"/v1/jobs?q={names[0][:-6]}")["items"]}
        tile = lambda name: page.get_by_role("listitem", name=name).get_by_role("link")
        tile(names[0]).click(modifiers=["Shift"])
        page.get_by_role("button", name="Choose none").click()
        page.get_by_role("button", name="Choose", exact=True).click()
        tile(names[0]).click()
        tile(names[1]).click()
        page.get_by_role("button", name="Look again").click()
        expect(bar).to_contain_text("2 jobs are looked at again.")
        events = lambda: self.rig.facefetch("log", "--batch", f"b{self.rig.api('GET', f'/v1/jobs/{ids[names[0]]}')['batch']}").stdout
        self.until(lambda: events().count("finished face detection") == 2, "it isn't looked at again")
        asked = []
        page.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.accept()))
        paths = [self.rig.api("GET", f"/v1/jobs/{ids[name]}")["path"] for name in names]
        bar.get_by_role("button", name="Forget").click()
        expect(page.locator(".total")).to_have_text("1 picture")
        expect(page.get_by_role("listitem", name=names[2])).to_be_visible()
        expect(bar).to_be_hidden()
        self.assertIn("Their files stay", asked[0])
        for path in paths:
            with open(path, "rb") as file:
                self.assertTrue(file.read(2))


if __name__ == "__main__":
    unittest.main()
