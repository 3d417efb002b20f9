"""Work, many at once: what is chosen stays chosen, and whole batches are steered."""

import re
import time
import unittest

from playwright.sync_api import expect

from page_test import PageTest


class Many(PageTest):
    def start_slow(self, number):
        """Gives a batch to do that goes on for longer than this test, and back its id and the names."""
        mark = f"{time.time()}".replace(".", "-")
        names = [f"many{mark}-{at}.jpg" for at in range(number)]
        items = [{"url": f"{self.rig.origin}/slowest/painted-12.jpg?{name}", "name": name} for name in names]
        batch = self.rig.api("POST", "/v1/batches", {"items": items})["id"]
        self.addCleanup(self.rig.api, "POST", f"/v1/batches/{batch}/cancel")
        return batch, names

    def states(self, batch):
        return {job["name"]: job["state"] for job in self.rig.api("GET", f"/v1/jobs?batch={batch}")["items"]}

    def test_what_is_chosen_stays_chosen_wherever_it_goes(self):
        page = self.open("Work")
        batch, names = self.start_slow(3)
        progress = page.get_by_role("region", name="In progress")
        for name in names[:2]:
            progress.get_by_role("checkbox", name=f"Choose {name}").check()
        chosen = page.get_by_role("group", name="Chosen jobs")
        expect(chosen).to_contain_text("2 jobs chosen")
        page.get_by_role("button", name="Pause chosen").click()
        paused = page.get_by_role("region", name="Paused")
        for name in names[:2]:
            expect(paused.get_by_role("checkbox", name=f"Choose {name}")).to_be_checked()
        expect(chosen).to_contain_text("2 jobs chosen")
        # What does nothing to them is said, and not asked of the daemon, which would refuse it.
        page.get_by_role("button", name="Pause chosen").click()
        expect(page.get_by_text("This does nothing to the chosen")).to_be_visible()
        page.get_by_role("button", name="Resume chosen").click()
        for name in names[:2]:
            expect(progress.get_by_role("checkbox", name=f"Choose {name}")).to_be_checked()
        # What can be done with them stays in sight, however far down one is.
        page.set_viewport_size({"width": 390, "height": 300})
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        expect(page.get_by_role("button", name="Pause chosen")).to_be_in_viewport()
        page.set_viewport_size({"width": 1280, "height": 800})
        progress.get_by_role("checkbox", name="Choose all shown: In progress").check()
        page.get_by_role("combobox", name="Priority of the chosen").select_option("Last")
        for name in names:
            expect(page.get_by_role("combobox", name=f"Priority of {name}")).to_have_value("-50")
        page.get_by_role("button", name="Cancel chosen").click()
        self.until(lambda: set(self.states(batch).values()) == {"cancelled"}, "they aren't cancelled")
        expect(chosen).to_be_hidden()

    def test_what_the_keyboard_comes_to_is_not_hidden(self):
        for size in ({"width": 1280, "height": 500}, {"width": 390, "height": 600}):
            page = self.open("Work", viewport=size)
            batch, names = self.start_slow(20)
            boxes = page.get_by_role("region", name="Queued").get_by_role("checkbox", name="Choose many")
            expect(boxes.last).to_be_visible()
            boxes.last.check()
            for _ in range(30):
                page.keyboard.press("Shift+Tab")
                top, covered = page.evaluate("""[document.activeElement.getBoundingClientRect().top,
                    Math.max(...[...document.querySelectorAll('.bar, .row.chosen')].map((one) => one.getBoundingClientRect().bottom).filter((y) => y < 300))]""")
                self.assertGreaterEqual(top, covered - 1, size)
            self.rig.api("POST", f"/v1/batches/{batch}/cancel")
            self.context.close()

    def test_what_waits_for_a_look_is_paused_and_cancelled(self):
        self.rig.api("POST", "/v1/detection/hold")
        self.addCleanup(self.rig.api, "POST", "/v1/detection/release")
        page = self.open("Work")
        names = [f"unseen{time.time()}-{at}.jpg" for at in range(2)]
        for name in names:
            (self.rig.pictures / name).write_bytes((self.rig.pictures / "painted-3.jpg").read_bytes() + name.encode())
        batch = self.rig.post(*[f"{self.rig.origin}/{name}" for name in names])
        stored = page.get_by_role("region", name="Stored, waiting for face detection")
        expect(stored).to_contain_text(names[1])
        stored.get_by_role("button", name=f"Pause {names[0]}").click()
        expect(page.get_by_role("region", name="Paused")).to_contain_text(names[0])
        stored.get_by_role("button", name=f"Cancel {names[1]}").click()
        self.until(lambda: self.states(batch) == {names[0]: "paused", names[1]: "cancelled"}, "it isn't so")
        self.rig.api("POST", "/v1/detection/release")
        page.get_by_role("button", name=f"Resume {names[0]}").click()
        self.until(lambda: self.states(batch)[names[0]] == "done", "it isn't looked at")

    def test_a_batch_is_paused_and_cancelled_as_one(self):
        page = self.open("Work")
        asked = []
        page.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.accept()))
        batch, names = self.start_slow(3)
        row = page.get_by_role("region", name="Batches").get_by_role("listitem").filter(has=page.get_by_text(f"b{batch}", exact=True))
        expect(row).to_contain_text("0 of 3 jobs done")
        self.assertEqual(self.violations(page), [])
        self.shot(page, "batches")
        page.get_by_role("button", name=f"Pause b{batch}").click()
        expect(row).to_contain_text("3 paused")
        page.get_by_role("button", name=f"Resume b{batch}").click()
        expect(row).to_contain_text("3 downloading")
        page.get_by_role("button", name=f"Cancel b{batch}").click()
        expect(row).to_be_hidden()
        self.assertRegex(asked.pop(), rf"^Cancel the 3 jobs of b{batch} \(3 files from 127.0.0.1:\d+, \d.*\) that are not done\? What is stored stays\.$")
        self.assertEqual(self.states(batch), dict.fromkeys(names, "cancelled"))

    def test_a_batch_is_told_by_time_number_and_host_and_stays_when_all_is_paused(self):
        page = self.open("Work")
        batch, names = self.start_slow(30)
        other = self.rig.api("POST", "/v1/batches", {"items": [{"url": f"http://{host}:9/a.jpg"} for host in ("127.0.0.1", "localhost")]})["id"]
        self.addCleanup(self.rig.api, "POST", f"/v1/batches/{other}/cancel")
        batches = page.get_by_role("region", name="Batches")
        row = batches.get_by_role("listitem").filter(has=page.get_by_text(f"b{batch}", exact=True))
        expect(row).to_contain_text(re.compile(r"30 files from 127\.0\.0\.1:\d+, \d+:\d\d"))
        expect(batches).to_contain_text("2 files from 127.0.0.1:9 and other hosts")
        # All of it is further down than what is shown of the paused.
        page.get_by_role("button", name="Pause all").click()
        expect(row).to_contain_text("30 paused")
        expect(page.get_by_role("region", name="Paused")).to_be_visible()
        page.wait_for_timeout(2500)
        expect(row.get_by_role("button", name=f"Resume b{batch}")).to_be_visible()
        self.rig.api("POST", f"/v1/batches/{batch}/cancel")
        expect(row).to_be_hidden()

    def test_a_batch_behind_very_many_of_one_job_is_shown(self):
        page = self.open("Work")
        urls = [f"http://127.0.0.1:9/{time.time()}-{number}.jpg" for number in range(125)]
        batch = self.rig.post(*urls[:3])
        self.addCleanup(self.rig.facefetch, "cancel", "--all")
        for url in urls[3:]:
            self.rig.post(url)
        batches = page.get_by_role("region", name="Batches")
        expect(batches.get_by_role("button", name=f"Pause b{batch},")).to_be_visible()

    def test_the_queue_is_searched_and_the_address_holds_it(self):
        page = self.open("Work")
        batch, names = self.start_slow(30)
        search = page.get_by_role("searchbox", name="Search the queue")
        search.fill(names[27])
        rows = page.get_by_role("main").get_by_role("listitem").filter(has=page.get_by_role("checkbox"))
        expect(rows).to_have_count(1)
        expect(rows).to_contain_text(names[27])
        self.wait(page, f"location.hash === '#/work?q={names[27]}'", "the address hasn't got it")
        page.reload()
        expect(search).to_have_value(names[27])
        expect(rows).to_have_count(1)
        search.fill("no such thing")
        expect(page.get_by_role("heading", name="Nothing matches")).to_be_visible()
        self.assertEqual(self.violations(page), [])
        search.fill("")
        expect(page.get_by_role("region", name="Queued")).to_contain_text(names[20])
        page.go_back()
        expect(search).to_have_value(names[27])


if __name__ == "__main__":
    unittest.main()
