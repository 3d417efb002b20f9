"""Work, Add and Log: what is under way, what is given to do, and what is said of it."""

import re
import time
import unittest

from playwright.sync_api import expect

from page_test import OWN_EVENTS, PageTest
from relay import Relay


class Work(PageTest):
    def setUp(self):
        super().setUp()
        # What one of the tests leaves undone isn't work that the next one finds.
        self.rig.facefetch("cancel", "--all")
        self.rig.api("POST", "/v1/detection/release")

    def test_adding(self):
        page = self.open("Add")
        page.get_by_role("textbox", name="URLs").fill(f"{self.rig.origin}/painted-2.jpg again.jpg\nnonsense\n")
        page.get_by_role("button", name="Start").click()
        expect(page.get_by_role("button", name="line 2")).to_be_visible()
        self.assertEqual(self.violations(page), [])
        self.shot(page, "wrong")
        page.get_by_role("textbox", name="URLs").fill(f"{self.rig.origin}/slowest/painted-12.jpg again.jpg")
        page.get_by_role("button", name="Start").click()
        expect(page.get_by_role("log")).to_contain_text("started download")
        page.get_by_role("navigation").get_by_role("link", name="Work").click()
        expect(page.get_by_text("again.jpg")).to_be_visible()
        page.get_by_role("button", name="Cancel again.jpg").click()
        page.get_by_role("navigation").get_by_role("link", name="Log").click()
        expect(page.get_by_role("log")).to_contain_text('cancelled "again.jpg"')
        self.shot(page, "log")
        self.assertEqual(self.violations(page), [])

    def test_what_only_the_daemon_finds_wrong_stands_beside_its_line(self):
        page = self.open("Add")
        self.may_say = True
        page.get_by_role("textbox", name="URLs").fill(f"# two\n{self.rig.origin}/painted-2.jpg wrong.jpg\nhttps://example.org:99999/a.jpg\n")
        page.get_by_role("button", name="Start").click()
        expect(page.get_by_role("button", name="line 3")).to_be_visible()
        self.assertEqual(self.rig.api("GET", "/v1/jobs?q=wrong.jpg")["items"], [])

    def test_a_list_is_dropped(self):
        page = self.open("Add")
        name = f"dropped{time.time()}.jpg"
        page.get_by_role("textbox", name="URLs").evaluate("""(area, text) => {
            const data = new DataTransfer();
            data.items.add(new File([text], 'list.txt', { type: 'text/plain' }));
            for (const type of ['dragover', 'drop']) area.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
        }""", f"# mine\n{self.rig.origin}/painted-2.jpg {name}\n")
        expect(page.get_by_text("list.txt is here. Press Start.")).to_be_visible()
        self.assertEqual(self.rig.api("GET", f"/v1/jobs?q={name}")["items"], [])
        page.get_by_role("button", name="Start").click()
        expect(page.get_by_text("1 file started as")).to_be_visible()
        self.until(lambda: self.rig.api("GET", f"/v1/jobs?q={name}")["items"], "it wasn't added")

    def test_more_than_can_be_read_is_counted(self):
        path = self.rig.folder / "burst.sock"
        relay = Relay(path, self.rig.socket)
        self.addCleanup(relay.close)
        page = self.open("Log", link=self.rig.start_other_gallery(at=path))
        self.may_say = True
        log = page.get_by_role("log")
        first = self.rig.log_when_done(self.rig.post(f"{self.rig.origin}/painted-1.jpg?{time.time()}"))
        expect(log).to_contain_text(first[-1].split(" ", 1)[1])
        # What has happened meanwhile comes all at once, however slow the machine is.
        relay.cut()
        batch = self.rig.post(*[f"{self.rig.origin}/painted-1.jpg?{time.time()}{number}" for number in range(300)])
        self.rig.log_when_done(batch)
        relay.mend()
        expect(log).to_contain_text("lines not shown here; the event log has them all")
        self.assertLessEqual(log.locator("p").count(), 600)
        self.until(lambda: self.rig.api("GET", "/v1/status")["detection"] | {"engine": ""} ==
                   {"gate": "open", "active": 0, "waiting": 0, "engine": ""}, "it doesn't come to an end", 60)
        end = "(() => { const log = document.querySelector('[role=log]'); return log.scrollHeight - log.scrollTop - log.clientHeight; })()"
        self.wait(page, f"{end} < 30", "it doesn't follow the end")

    SAY = """([from, count]) => {
        for (let id = from; id < from + count; id += 1) {
            tell('job', { id: 1e12 + id, time: new Date().toISOString(), elapsed: id, batch: 1e9, job: 1, kind: 'started', message: `said ${id}` });
        }
        return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(document.querySelectorAll('[role=log] p').length))));
    }"""

    def test_the_log_stays_where_it_is_read_and_has_an_end(self):
        page = self.open("Log", script=OWN_EVENTS)
        self.wait(page, "streams.length === 1", "no stream was asked for")
        self.assertLessEqual(page.evaluate(self.SAY, [1, 1000]), 600)
        read = """(() => {
            const log = document.querySelector('[role=log]');
            const edge = log.getBoundingClientRect().top;
            const line = [...log.children].find((one) => one.getBoundingClientRect().bottom > edge);
            return `${line.textContent} at ${Math.round(line.getBoundingClientRect().top - edge)}`;
        })()"""
        page.evaluate("""(() => { const log = document.querySelector('[role=log]'); log.scrollTop = log.scrollHeight - 2 * log.clientHeight; })()""")
        before = page.evaluate(read)
        self.assertIn("said", before)
        for start in range(1001, 3801, 400):
            self.assertLessEqual(page.evaluate(self.SAY, [start, 400]), 3000, "it grows for ever")
            if start < 3400:
                self.assertEqual(page.evaluate(read), before, "what is read has moved")
        self.assertLessEqual(page.evaluate(self.SAY, [10_000, 10_000]), 3000, "it grows for ever")
        # At the end again, it follows.
        page.evaluate("(() => { const log = document.querySelector('[role=log]'); log.scrollTop = log.scrollHeight; })()")
        self.assertLessEqual(page.evaluate(self.SAY, [30_000, 10]), 600)
        expect(page.get_by_role("log").locator("p").last).to_be_in_viewport()

    def test_the_log_says_what_it_does_not_show(self):
        page = self.open("Work", script=OWN_EVENTS)
        self.wait(page, "streams.length === 1", "no stream was asked for")
        page.evaluate("tell('omitted', { count: 777 })")
        page.evaluate(self.SAY, [1, 1500])
        page.get_by_role("navigation").get_by_role("link", name="Log").click()
        lines = page.get_by_role("log").locator("p")
        expect(lines).to_have_count(600)
        number = int(lines.first.inner_text().split(" ")[0].replace(",", ""))
        self.assertGreaterEqual(number, 777 + 901)
        expect(lines.last).to_contain_text("said 1500")

    def test_the_log_of_a_busy_past_has_its_newest(self):
        page = self.open()
        seen = page.evaluate("""(async () => {
            const { Feed } = await import('/feed-source.js');
            const frame = (id) => `event: job\\ndata: ${JSON.stringify({ id, message: 'x'.repeat(1000) })}\\n\\n`;
            const was = window.fetch;
            // The page goes on to ask for other things.
            window.fetch = async (path, ...rest) => String(path).startsWith('/v1/events')
                ? new Response(Array.from({ length: 9000 }, (_, id) => frame(id + 1)).join('')) : was(path, ...rest);
            const news = [];
            const feed = new Feed((one) => news.push(one));
            await feed.readPast();
            window.fetch = was;
            return [news[0].omitted, news[1].events.length, news[1].events.at(-1).id];
        })()""")
        self.assertEqual(seen, [8000, 1000, 9000])

    def test_the_log_is_filtered_and_copied(self):
        page = self.open("Log", script=OWN_EVENTS)
        self.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.wait(page, "streams.length === 1", "no stream was asked for")
        page.evaluate(self.SAY, [1, 30])
        page.get_by_role("searchbox", name="Filter").fill("SAID 2")
        lines = page.get_by_role("log").locator("p")
        expect(lines).to_have_count(11)
        page.evaluate(self.SAY, [31, 1])
        page.evaluate(self.SAY, [200, 1])
        expect(lines).to_have_count(12)
        page.get_by_role("button", name="Copy").click()
        expect(page.get_by_text("Copied.")).to_be_visible()
        copied = page.evaluate("navigator.clipboard.readText()").split("\n")
        self.assertEqual([line.split() for line in copied], [line.split() for line in lines.all_inner_texts()])
        page.get_by_role("searchbox", name="Filter").fill("")
        expect(lines.filter(has_text="said")).to_have_count(32)

    def test_work_goes_on_being_shown_while_much_happens(self):
        page = self.open("Work", script=OWN_EVENTS)
        self.wait(page, "streams.length === 1", "no stream was asked for")
        asked = []
        page.on("request", lambda request: request.url.endswith("/v1/sources") and asked.append(request))
        self.until(lambda: asked, "the work isn't asked for")
        page.evaluate("""(() => {
            let id = 1e12;
            setInterval(() => tell('job', { id: id += 1, time: '', elapsed: 1, batch: 1, job: 1, kind: 'progress', message: '' }), 50);
        })()""")
        number = len(asked)
        self.until(lambda: len(asked) > number + 3, "it isn't asked for again")
        name = f"steady{time.time()}.jpg"
        self.rig.facefetch("add", "http://127.0.0.1:9/never.jpg", "--name", name)
        waiting = page.get_by_role("region", name="Waiting")
        expect(waiting).to_contain_text(name)
        page.get_by_role("button", name=f"Cancel {name}").click()
        expect(waiting).to_be_hidden()

    def test_a_job_that_goes_on_while_the_work_is_read_is_shown_once(self):
        page = self.open("Work")
        name = f"moving{time.time()}.jpg"
        self.rig.facefetch("add", "http://127.0.0.1:9/never.jpg", "--name", name)
        self.rig.facefetch("pause", "--all")
        job = self.rig.api("GET", f"/v1/jobs?q={name}")["items"][0]
        self.assertEqual(job["state"], "paused")
        # It was being downloaded when that group was read, and a moment later, when the next one was, it was not.
        answered = []

        def answer(route):
            route.fulfill(json={"items": [{**job, "state": "downloading"}], "total": 1})
            answered.append(route)

        self.context.route("**/v1/jobs?state=downloading*", answer)
        # The second reading has begun when the first is shown.
        self.until(lambda: len(answered) > 1, "the work isn't asked for")
        expect(page.get_by_role("region", name="Paused")).to_contain_text(name)
        expect(page.get_by_role("button", name=f"Cancel {name}")).to_have_count(1)
        progress = page.get_by_role("region", name="In progress")
        expect(progress).to_be_hidden()
        # The same where both states are of one group.
        self.context.route("**/v1/jobs?state=detecting*", lambda route: route.fulfill(json={"items": [{**job, "state": "detecting"}], "total": 1}))
        self.context.route("**/v1/jobs?state=paused*", lambda route: route.fulfill(json={"items": [], "total": 0}))
        expect(progress.get_by_role("heading")).to_have_text("In progress 1")
        expect(progress.get_by_role("listitem")).to_contain_text("looking for faces")

    def test_a_job_that_goes_back_while_the_work_is_read_stays_in_sight(self):
        page = self.open("Work")
        name = f"resumed{time.time()}.jpg"
        self.rig.facefetch("add", "http://127.0.0.1:9/never.jpg", "--name", name)
        self.rig.facefetch("pause", "--all")
        expect(page.get_by_role("region", name="Paused")).to_contain_text(name)
        job = self.rig.api("GET", f"/v1/jobs?q={name}")["items"][0]
        # It wasn't downloaded yet when that group was read, and was when the paused ones were.
        self.context.route("**/v1/jobs?state=paused*", lambda route: route.fulfill(json={"items": [], "total": 0}))
        self.context.route("**/v1/jobs?ids=*", lambda route: route.fulfill(json={"items": [{**job, "state": "downloading"}], "total": 1}))
        progress = page.get_by_role("region", name="In progress")
        expect(progress.get_by_role("button", name=f"Pause {name}")).to_be_visible()
        expect(page.get_by_role("region", name="Paused")).to_be_hidden()

    def test_the_keyboard_stays_with_a_job_that_another_one_passes(self):
        page = self.open("Work")
        names = [f"{place}{time.time()}.jpg" for place in ("first", "second")]
        self.rig.facefetch("add", f"{self.rig.origin}/slowest/painted-12.jpg?{names[0]}", "--name", names[0])
        self.rig.facefetch("add", f"{self.rig.origin}/slowest/painted-12.jpg?{names[1]}", "--name", names[1])
        progress = page.get_by_role("region", name="In progress")
        for name in names:
            expect(progress).to_contain_text(name)
        order = lambda: [text for text in progress.locator("li .name").all_inner_texts() if text in names]
        self.assertEqual(order(), names)
        button = page.get_by_role("button", name=f"Pause {names[1]}")
        button.focus()
        jobs = {job["name"]: job for job in self.rig.api("GET", "/v1/jobs?state=downloading")["items"]}
        self.context.route("**/v1/jobs?state=downloading*",
                           lambda route: route.fulfill(json={"items": [jobs[names[1]]], "total": 1}))
        self.context.route("**/v1/jobs?state=detecting*",
                           lambda route: route.fulfill(json={"items": [{**jobs[names[0]], "state": "detecting"}], "total": 1}))
        self.until(lambda: order() == names[::-1], "it isn't passed")
        expect(button).to_be_focused()

    def test_rate_and_time_left(self):
        page = self.open("Work")
        told = []
        page.on("request", lambda request: "/v1/attention/" in request.url and told.append(request.post_data_json))
        name = f"rated{time.time()}.jpg"
        self.rig.facefetch("add", f"{self.rig.origin}/slower/painted-12.jpg?{time.time()}", "--name", name)
        row = page.get_by_role("region", name="In progress").get_by_role("listitem").filter(has_text=name)
        expect(row).to_contain_text(re.compile(r"\d (bytes|kB) of \d+(\.\d)? kB, \d+(\.\d)? kB/s, \d+ s left"))
        # What one looks at among the work is fetched first.
        job = self.rig.api("GET", f"/v1/jobs?q={name}")["items"][0]["id"]
        self.until(lambda: told and job in told[-1]["visible"], "it isn't told to the daemon")
        page.get_by_role("button", name=f"Cancel {name}").click()
        expect(row).to_be_hidden()

    def test_one_stream_of_events_is_enough(self):
        page = self.open("Work", script=OWN_EVENTS)
        self.wait(page, "streams.length === 1", "no stream was asked for")
        # Looked at, not looked at, looked at: while the past is still being read.
        left = page.evaluate("""(async () => {
            const { Feed } = await import('/feed-source.js');
            const feed = new Feed(() => {});
            let answer = () => {};
            feed.readPast = () => new Promise((resolve) => { const before = answer; answer = () => { before(); resolve(); }; });
            const starts = [feed.start()];
            feed.stop();
            starts.push(feed.start());
            answer();
            await Promise.all(starts);
            const during = streams.length;
            feed.stop();
            return [during, streams.length];
        })()""")
        self.assertEqual(left, [2, 1], "streams that are open, the page's own among them: during, and after the end")

    def test_work_is_steered(self):
        page = self.open("Work")
        names = [f"steered{number}.jpg" for number in range(3)]
        for name, source in zip(names, ("painted-12.jpg", "painted-11.jpg", "painted-10.jpg")):
            self.rig.facefetch("add", f"{self.rig.origin}/slowest/{source}?{time.time()}", "--name", name)
        self.rig.facefetch("add", f"{self.rig.origin}/missing.jpg", "--name", "missing.jpg")
        self.rig.facefetch("add", "http://127.0.0.1:9/never.jpg", "--name", "never.jpg")
        self.rig.add_source("dogs", [{"id": "rex", "src": f"/painted-1.jpg?{time.time()}"}])
        failed = page.get_by_role("region", name="Failed")
        expect(failed).to_contain_text("missing.jpg")
        expect(failed).to_contain_text("Look whether the address is right.")
        waiting = page.get_by_role("region", name="Waiting")
        expect(waiting).to_contain_text("never.jpg")
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
        expect(page.get_by_role("region", name="Stored, waiting for face detection")).to_be_hidden()
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
