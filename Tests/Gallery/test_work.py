"""Work, Add and Log: what is under way, what is given to do, and what is said of it."""

import time
import unittest

from playwright.sync_api import expect

from page_test import PageTest


class Work(PageTest):
    def test_adding(self):
        page = self.open("Add")
        page.get_by_role("textbox", name="URLs").fill(f"{self.rig.origin}/painted-2.jpg again.jpg\nnonsense\n")
        page.get_by_role("button", name="Start").click()
        expect(page.get_by_role("button", name="line 2")).to_be_visible()
        self.assertEqual(self.violations(page), [])
        self.shot(page, "wrong")
        page.get_by_role("textbox", name="URLs").fill(f"{self.rig.origin}/slow/painted-6.jpg again.jpg")
        page.get_by_role("button", name="Start").click()
        expect(page.get_by_role("log")).to_contain_text("started download", timeout=5000)
        page.get_by_role("navigation").get_by_role("link", name="Work").click()
        expect(page.get_by_text("again.jpg")).to_be_visible()
        page.get_by_role("navigation").get_by_role("link", name="Log").click()
        expect(page.get_by_role("log")).to_contain_text("finished download", timeout=20000)
        self.shot(page, "log")
        self.assertEqual(self.violations(page), [])

    def test_more_than_can_be_read_is_counted(self):
        page = self.open("Log")
        self.rig.post(*[f"{self.rig.origin}/painted-1.jpg?{time.time()}{number}" for number in range(300)])
        log = page.get_by_role("log")
        expect(log).to_contain_text("lines not shown here; the event log has them all", timeout=20000)
        self.assertLessEqual(log.locator("p").count(), 600)
        self.until(lambda: self.rig.api("GET", "/v1/status")["detection"] | {"engine": ""} ==
                   {"gate": "open", "active": 0, "waiting": 0, "engine": ""}, "it doesn't come to an end", 60)
        page.wait_for_timeout(1200)
        end = "(() => { const log = document.querySelector('[role=log]'); return log.scrollHeight - log.scrollTop - log.clientHeight; })()"
        self.assertLess(page.evaluate(end), 30, "it doesn't follow the end")

    def test_work_is_steered(self):
        page = self.open("Work")
        names = [f"steered{number}.jpg" for number in range(3)]
        for name, source in zip(names, ("painted-12.jpg", "painted-11.jpg", "painted-10.jpg")):
            self.rig.facefetch("add", f"{self.rig.origin}/slow/{source}?{time.time()}", "--name", name)
        self.rig.facefetch("add", f"{self.rig.origin}/missing.jpg", "--name", "missing.jpg")
        self.rig.facefetch("add", "http://127.0.0.1:9/never.jpg", "--name", "never.jpg")
        self.rig.add_source("dogs", [{"id": "rex", "src": f"/painted-1.jpg?{time.time()}"}])
        failed = page.get_by_role("region", name="Failed")
        expect(failed).to_contain_text("missing.jpg", timeout=10000)
        expect(failed).to_contain_text("Look whether the address is right.")
        waiting = page.get_by_role("region", name="Waiting")
        expect(waiting).to_contain_text("never.jpg", timeout=10000)
        expect(waiting).to_contain_text("Again at")
        expect(page.get_by_role("region", name="Sources")).to_contain_text("Read to its end")
        progress = page.get_by_role("region", name="In progress")
        expect(progress).to_contain_text("steered2.jpg")
        expect(progress.get_by_role("progressbar", name="Progress of steered1.jpg")).to_be_visible()
        self.shot(page, "work")
        self.assertEqual(self.violations(page), [])
        # One, by the keyboard, which then stands on the next.
        page.get_by_role("button", name="Pause steered0.jpg").focus()
        page.keyboard.press("Enter")
        paused = page.get_by_role("region", name="Paused")
        expect(paused).to_contain_text("steered0.jpg")
        self.wait(page, "document.activeElement !== document.body", "the keyboard stands nowhere")
        page.get_by_role("button", name="Resume steered0.jpg").click()
        expect(progress).to_contain_text("steered0.jpg")
        # Several.
        page.get_by_role("checkbox", name="Choose steered1.jpg").check()
        page.get_by_role("checkbox", name="Choose steered2.jpg").check()
        expect(page.get_by_role("group", name="Chosen jobs")).to_contain_text("2 jobs chosen")
        page.get_by_role("combobox", name="Priority of the chosen").select_option("First")
        expect(page.get_by_role("combobox", name="Priority of steered1.jpg")).to_have_value("50")
        page.get_by_role("button", name="Cancel chosen").click()
        expect(page.get_by_text("2 jobs changed.")).to_be_visible()
        expect(progress).not_to_contain_text("steered1.jpg")
        page.get_by_role("button", name="Cancel never.jpg").click()
        expect(waiting).to_be_hidden()
        page.get_by_role("button", name="Pause: dogs").click()
        expect(page.get_by_role("region", name="Sources")).to_contain_text("Paused")
        page.get_by_role("button", name="Resume: dogs").click()
        # Detection is held, and goes on.
        page.get_by_role("button", name="Hold face detection").click()
        expect(page.get_by_role("button", name="Hold face detection")).to_have_attribute("aria-pressed", "true")
        self.rig.facefetch("add", f"{self.rig.origin}/painted-1.jpg?{time.time()}", "--name", "held.jpg")
        expect(page.get_by_role("region", name="Stored, waiting for face detection")).to_contain_text("held.jpg")
        page.get_by_role("button", name="Hold face detection").click()
        expect(page.get_by_role("region", name="Stored, waiting for face detection")).to_be_hidden(timeout=15000)
        page.get_by_role("button", name="Cancel steered0.jpg").click()
        expect(progress).to_be_hidden()

    def test_what_holds_things_up_is_said(self):
        page = self.open()
        holds = [{"kind": "disk", "reason": "only 12 MB are free, and disk.reserve is 1 GiB", "until": None},
                 {"kind": "network", "reason": "there is no network", "until": None}]
        address = page.url.split("#")[0]
        status = page.evaluate("fetch('/v1/status').then((answer) => answer.json())")
        self.assertEqual(status["holds"], [], address)
        self.context.route("**/v1/status", lambda route: route.fulfill(json={**status, "holds": holds}))
        notice = page.get_by_role("status").filter(has_text="Only 12 MB are free")
        expect(notice).to_contain_text("There is no network.")
        self.shot(page, "held")
        # What is stored is shown all the same.
        self.wait(page, self.ALL_THERE, "not all came")
        self.context.route("**/v1/status", lambda route: route.fulfill(json={**status, "may_change": False}))
        expect(page.get_by_role("status").filter(has_text="You may look, and change nothing")).to_be_visible()


if __name__ == "__main__":
    unittest.main()
