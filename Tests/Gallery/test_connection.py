"""Tabs, the daemon, and what is between them."""

import http.server
import os
import re
import signal
import threading
import time
import unittest

from playwright.sync_api import expect

from page_test import PageTest
from relay import Relay


class OldProgram:
    """A program that has a service worker answer all requests, also those that come when it is gone."""

    PAGE = b"<!doctype html><p>the old program's page</p><script>navigator.serviceWorker.register('/worker.js')</script>"
    WORKER = b"""addEventListener('install', () => skipWaiting());
        addEventListener('activate', (event) => event.waitUntil(clients.claim()));
        addEventListener('fetch', (event) => event.respondWith(
            new Response("<p>the old program's page</p>", { headers: { 'Content-Type': 'text/html' } })));"""

    def __init__(self):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                is_worker = self.path == "/worker.js"
                self.send_response(200)
                self.send_header("Content-Type", "text/javascript" if is_worker else "text/html")
                self.end_headers()
                self.wfile.write(OldProgram.WORKER if is_worker else OldProgram.PAGE)

            def log_message(self, *arguments):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        self.is_open = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        if self.is_open:
            self.is_open = False
            self.server.shutdown()
            self.server.server_close()


class Connection(PageTest):
    def test_the_daemon_may_go_and_come_back(self):
        page = self.open("Log")
        self.may_say = True
        mark = f"back{time.time()}"
        batch = self.rig.post(f"{self.rig.origin}/slow/painted-6.jpg?{mark}")
        expect(page.get_by_role("log")).to_contain_text(f"started download of {self.rig.origin}/slow/painted-6.jpg?{mark}")
        self.rig.kill_daemon()
        expect(page.get_by_role("alert")).to_contain_text("daemon can’t be reached")
        self.shot(page, "daemon-gone")
        self.rig.start_daemon()
        expect(page.get_by_role("status").filter(has_text="The daemon is back")).to_be_visible()
        # All that it has said is there, in order, and nothing twice.
        said = self.rig.log_when_done(batch)
        self.assertGreater(len(said), 10)
        self.until(lambda: self.lines(page, said[-1]) == 1, "the last line is missing")
        self.assertEqual([line for line in self.shown(page) if line in said], said)

    def lines(self, page, text):
        return self.shown(page).count(text)

    def shown(self, page):
        # Without the time of day and the batch, which the client doesn't print.
        return [re.sub(r"^\d\d:\d\d:\d\d b\d+ ", "", " ".join(line.split())) for line in page.locator("[role=log] p").all_inner_texts()]

    def test_a_connection_that_was_lost_is_made_again_without_a_gap(self):
        path = self.rig.folder / "relay.sock"
        relay = Relay(path, self.rig.socket)
        self.addCleanup(relay.close)
        page = self.open("Log", link=self.rig.start_other_gallery(at=path))
        self.may_say = True
        before = self.rig.post(f"{self.rig.origin}/painted-1.jpg?{time.time()}")
        said = self.rig.log_when_done(before)
        self.until(lambda: self.lines(page, said[-1]) == 1, "the log shows nothing")
        relay.cut()
        expect(page.get_by_role("alert")).to_contain_text("daemon can’t be reached")
        said += self.rig.log_when_done(self.rig.post(f"{self.rig.origin}/painted-2.jpg?{time.time()}"))
        relay.mend()
        self.until(lambda: self.lines(page, said[-1]) == 1, "the last line is missing")
        self.assertEqual([line for line in self.shown(page) if line in said], said)

    def test_the_gallery_gone_is_said(self):
        gallery, own = self.rig.gallery, self.rig.galleries
        page = self.open(link=self.rig.start_plain_gallery())
        self.may_say = True
        own[-1].terminate()
        expect(page.get_by_role("alert")).to_contain_text("The gallery has ended")
        self.assertIs(self.rig.gallery, gallery)

    def test_seven_tabs(self):
        page = self.open()
        address = page.url.split("#")[0]
        tabs = [page]
        for _ in range(6):
            tab = self.context.new_page()
            tab.goto(address)
            tabs.append(tab)
        for tab in tabs:
            tab.bring_to_front()
            self.wait(tab, self.THERE, "a tab has no pictures")
        # The last has its secret and its prefix from the first.
        tabs[-1].get_by_role("navigation").get_by_role("link", name="Work").click()
        hold = tabs[-1].get_by_role("button", name="Hold face detection")
        hold.click()
        tabs[-1].get_by_role("button", name="Face detection is held: release").click()
        expect(hold).to_be_visible()

    def test_a_link_that_is_pasted_into_a_locked_tab_lets_it_in(self):
        page = self.open()
        self.may_say = True
        other = self.browser.new_context()
        self.addCleanup(other.close)
        locked = other.new_page()
        locked.goto(page.url.split("#")[0])
        expect(locked.get_by_role("heading", name="This tab has not been let in")).to_be_visible()
        link = self.rig.new_link()
        # Only what is behind the # differs: the page stays the one that it is.
        locked.goto(link)
        self.wait(locked, self.THERE, "it isn't let in")
        self.assertNotIn(link.split("#")[1], locked.url)

    def test_a_secret_that_is_no_longer_right_is_dropped_and_told_to_nobody(self):
        page = self.open("Work")
        self.may_say = True
        page.evaluate("sessionStorage.setItem('facefetch-secret', '0'.repeat(32))")
        page.reload()
        hold = page.get_by_role("button", name="Hold face detection")
        # A new tab asks it for its secret, and finds that this isn't right.
        tab = self.context.new_page()
        tab.goto(page.url)
        expect(tab.get_by_role("heading", name="This tab has not been let in")).to_be_visible()
        page.bring_to_front()
        hold.click()
        expect(page.get_by_role("alert").filter(has_text="This tab has not been let in")).to_be_visible()
        self.assertIsNone(page.evaluate("sessionStorage.getItem('facefetch-secret') ?? sessionStorage.getItem('facefetch-prefix')"))
        page.goto(self.rig.new_link())
        expect(page.get_by_role("status").filter(has_text="This tab has been let in")).to_be_visible()

    def test_a_gallery_that_was_started_anew_lets_a_tab_of_the_old_one_in(self):
        link = self.rig.start_other_gallery()
        page = self.open(link=link)
        self.wait(page, self.THERE, "no pictures")
        self.may_say = True
        old = page.evaluate("sessionStorage.getItem('facefetch-prefix')")
        self.rig.galleries[-1].terminate()
        self.rig.galleries[-1].wait(60)
        expect(page.get_by_role("alert")).to_contain_text("The gallery has ended")
        link = self.rig.start_other_gallery("--port", link.split(":")[2].split("/")[0])
        # In the old tab, the way that it had leads nowhere any more.
        expect(page.get_by_role("alert")).to_contain_text("This tab has not been let in")
        # It loads itself anew, since all that it has asked for is elsewhere there.
        with page.expect_event("load"):
            page.goto(link)
        self.wait(page, self.THERE, "it isn't let in")
        self.assertNotEqual(page.evaluate("sessionStorage.getItem('facefetch-prefix')"), old)
        # Events come from the new one.
        page.get_by_role("navigation").get_by_role("link", name="Log").click()
        mark = f"anew{time.time()}"
        self.rig.post(f"{self.rig.origin}/painted-1.jpg?{mark}")
        expect(page.get_by_role("log")).to_contain_text(mark)

    def test_what_is_read_has_the_prefix_and_the_address_has_it_not(self):
        asked = []
        # Without a worker, so that its requests are those of the page.
        page = self.open(script="delete window.SharedWorker")
        prefix = page.evaluate("sessionStorage.getItem('facefetch-prefix')")
        page.on("request", lambda request: asked.append(request))
        page.reload()
        self.wait(page, self.ALL_THERE, "not all came")
        page.locator(".tile a").first.click()
        self.wait(page, self.SHOWN, "no picture came")
        paths = ["/" + request.url.split("/", 3)[3] for request in asked]
        read = [path for path in paths if "/v1/" in path]
        for kind in ("/v1/documents/index", "/v1/status", "/v1/events", "/picture/thumb", "/picture/medium"):
            self.assertTrue(any(kind in path for path in read), kind)
        self.assertEqual([path for path in read if not path.startswith(f"{prefix}/v1/")], [])
        self.assertEqual([path for path in paths if prefix in path and not path.startswith(f"{prefix}/v1/")], [])
        for request in asked:
            self.assertFalse(request.headers.get("referer"), request.url)
        self.assertNotIn(prefix, page.url)
        self.assertNotIn(prefix, page.evaluate("document.referrer + location.href + JSON.stringify(history.state)"))

    def test_a_daemon_that_hangs_is_said(self):
        path = self.rig.folder / "hang.sock"
        relay = Relay(path, self.rig.socket)
        self.addCleanup(relay.close)
        quick = "{ const was = window.setTimeout; window.setTimeout = (act, pause) => was(act, pause === 10000 ? 500 : pause); }"
        page = self.open(link=self.rig.start_other_gallery(at=path), script=quick)
        self.may_say = True
        os.kill(self.rig.daemon.pid, signal.SIGSTOP)
        self.addCleanup(os.kill, self.rig.daemon.pid, signal.SIGCONT)
        expect(page.get_by_role("alert")).to_contain_text("The daemon doesn’t answer")
        os.kill(self.rig.daemon.pid, signal.SIGCONT)
        expect(page.get_by_role("alert").filter(has_text="The daemon doesn’t answer")).to_be_hidden()

    def test_an_answer_that_is_none_does_not_end_the_asking(self):
        page = self.open()
        asked = []

        def answer(route):
            asked.append(route)
            return route.fulfill(json={}) if len(asked) == 1 else route.continue_()

        self.context.route("**/v1/status", answer)
        self.until(lambda: len(asked) > 2, "it isn't asked again")

    def test_another_store_begins_anew(self):
        page = self.open()
        self.wait(page, self.THERE, "no pictures")
        self.may_say = True
        status = self.status(page)
        self.context.route("**/v1/status", lambda route: route.fulfill(json={**status, "store": "another"}))
        expect(page.get_by_role("status").filter(has_text="another store now")).to_be_visible()
        self.wait(page, self.THERE, "no pictures after it")
        mark = f"anew{time.time()}"
        page.get_by_role("navigation").get_by_role("link", name="Log").click()
        self.rig.post(f"{self.rig.origin}/painted-1.jpg?{mark}")
        expect(page.get_by_role("log")).to_contain_text(mark)

    def test_a_service_worker_that_another_program_left_behind_is_ended(self):
        old = OldProgram()
        self.addCleanup(old.close)
        page = self.open()
        self.may_say = True
        address = f"http://127.0.0.1:{old.port}"
        page.goto(address)
        self.wait(page, "navigator.serviceWorker.controller !== null", "it has no service worker")
        old.close()
        page.reload()
        expect(page.get_by_text("the old program's page")).to_be_visible()
        # The gallery comes to its port; people open the link in a new tab, or in that of the old program.
        link = self.rig.start_other_gallery("--port", str(old.port))
        for tab in (self.context.new_page(), page):
            tab.goto(link)
            # The page is opened once more meanwhile.
            expect(tab.locator(".tile").first).to_be_visible()
            self.assertEqual(tab.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)"), 0)
            gallery = self.rig.galleries[-1]
            gallery.stdin.write("\n")
            gallery.stdin.flush()
            link = gallery.stdout.readline().rstrip("\n")

    def test_a_link_lets_a_tab_in_that_still_asks_the_others(self):
        page = self.open()
        self.may_say = True
        other = self.browser.new_context()
        self.addCleanup(other.close)
        tab = other.new_page()
        # For how long it asks is this test's to say.
        tab.add_init_script("{ const was = window.setTimeout; window.setTimeout = (act, pause) => "
                            "pause === 1500 ? void (window.giveUp = act) : was(act, pause); }")
        tab.goto(page.url.split("#")[0])
        self.wait(tab, "'giveUp' in window", "it doesn't ask the others")
        tab.goto(self.rig.new_link())
        self.wait(tab, self.THERE, "it isn't let in")
        tab.evaluate("new Promise((resolve) => { giveUp(); setTimeout(resolve); })")
        expect(tab.get_by_role("heading", name="This tab has not been let in")).to_have_count(0)
        tab.get_by_role("navigation").get_by_role("link", name="Work").click()
        hold = tab.get_by_role("button", name="Hold face detection")
        hold.click()
        tab.get_by_role("button", name="Face detection is held: release").click()
        expect(hold).to_be_visible()

    def test_what_is_stored_is_shown_without_a_network(self):
        page = self.open()
        self.wait(page, self.ALL_THERE, "not all came")
        # Nothing but the gallery is asked for anything; the server that the pictures come from is never.
        asked = set()
        page.on("request", lambda request: asked.add(request.url.split("/")[2]))
        self.context.route(re.compile("^(?!http://127\\.0\\.0\\.1:)"), lambda route: route.abort())
        page.reload()
        self.wait(page, self.ALL_THERE, "not all came")
        page.locator(".tile a").first.click()
        self.wait(page, self.SHOWN, "no picture came")
        self.assertEqual(asked, {page.url.split("/")[2]})

    def test_pictures_are_asked_for_anew_and_are_the_same(self):
        page = self.open()
        self.wait(page, self.THERE, "no pictures")
        path = page.evaluate("[...document.querySelectorAll('.tile img')].find((one) => one.naturalWidth > 0).getAttribute('src')")
        fields = page.evaluate("path => fetch(path).then((answer) => Object.fromEntries(answer.headers))", path)
        self.assertEqual(fields["cache-control"], "no-cache")
        again = page.evaluate("([path, tag]) => fetch(path, { cache: 'no-store', headers: { 'If-None-Match': tag } }).then((answer) => answer.status)",
                              [path, fields["etag"]])
        self.assertEqual(again, 304)


if __name__ == "__main__":
    unittest.main()
