"""Work and Add: what is under way, and what is given to do."""

import pathlib
import re
import time
import unittest

from playwright.sync_api import expect

from page_test import OWN_EVENTS, PageTest


class Work(PageTest):
    def setUp(self):
        super().setUp()
        # What one of the tests leaves undone isn't work that the next one finds.
        self.rig.facefetch("cancel", "--all")
        self.rig.api("POST", "/v1/detection/release")

    def test_every_failure_has_something_that_helps(self):
        sources = pathlib.Path(__file__).parent.parent.parent / "Sources"
        codes = {code for file in sources.rglob("*.swift")
                 for code in re.findall(r'= FailureCode\(rawValue: "([a-z_]+)"\)', file.read_text())}
        self.assertTrue(codes > {"no_source", "refused_redirect", "protocol_error"}, codes)
        page = self.open("Work")
        describe = """async (code) => (await import('/work/words.js')).describe({ state: 'failed', bytes: 0, total_bytes: null,
            error: { code, message: '' } })"""
        for code in codes:
            self.assertNotEqual(page.evaluate(describe, code), page.evaluate(describe, "something"), code)

    def test_adding(self):
        page = self.open("Add")
        page.get_by_role("textbox", name="URLs").fill(f"{self.rig.origin}/painted-2.jpg\tagain.jpg\nnonsense\n")
        page.get_by_role("button", name="Start").click()
        expect(page.get_by_role("button", name="line 2")).to_be_visible()
        self.assertEqual(self.violations(page), [])
        self.shot(page, "wrong")
        page.get_by_role("textbox", name="URLs").fill(f"{self.rig.origin}/slowest/painted-12.jpg\tagain.jpg")
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
        page.get_by_role("textbox", name="URLs").fill(f"# two\n{self.rig.origin}/painted-2.jpg\twrong.jpg\nhttps://example.org:99999/a.jpg\n")
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
        expect(page.get_by_text("steered0.jpg is paused.")).to_be_visible()
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
        expect(page.get_by_text("2 jobs are cancelled.")).to_be_visible()
        expect(progress).not_to_contain_text("steered1.jpg")
        page.get_by_role("button", name="Cancel never.jpg").click()
        expect(waiting).to_be_hidden()
        page.get_by_role("button", name="Pause: dogs").click()
        expect(page.get_by_role("region", name="Sources")).to_contain_text("Paused")
        page.get_by_role("button", name="Resume: dogs").click()
        # Detection is held, and goes on.
        page.get_by_role("button", name="Hold face detection").click()
        release = page.get_by_role("button", name="Face detection is held: release")
        expect(release).to_be_visible()
        self.rig.facefetch("add", f"{self.rig.origin}/painted-1.jpg?{time.time()}", "--name", "held.jpg")
        expect(page.get_by_role("region", name="Stored, waiting for face detection")).to_contain_text("held.jpg")
        release.click()
        expect(page.get_by_role("region", name="Stored, waiting for face detection")).to_be_hidden()
        expect(page.get_by_role("button", name="Hold face detection")).to_be_visible()
        page.get_by_role("button", name="Cancel steered0.jpg").click()
        expect(progress).to_be_hidden()

    def test_what_failed_is_dismissed(self):
        page = self.open("Work")
        names = [f"failed{time.time()}-{number}.jpg" for number in range(3)]
        for name in names:
            self.rig.facefetch("add", f"{self.rig.origin}/missing/{name}", "--name", name)
        failed = page.get_by_role("region", name="Failed")
        for name in names:
            expect(failed).to_contain_text(name)
        expect(failed.get_by_role("button", name=f"Cancel {names[0]}")).to_have_count(0)
        page.get_by_role("button", name=f"Dismiss {names[0]}").click()
        expect(page.get_by_text("1 job dismissed.")).to_be_visible()
        expect(failed).not_to_contain_text(names[0])
        for name in names[1:]:
            page.get_by_role("checkbox", name=f"Choose {name}").check()
        page.get_by_role("button", name="Cancel chosen").click()
        expect(page.get_by_text("This does nothing to the chosen")).to_be_visible()
        page.get_by_role("button", name="Dismiss chosen").click()
        expect(page.get_by_text("2 jobs dismissed.")).to_be_visible()
        for name in names:
            expect(failed.get_by_text(name)).to_have_count(0)
            self.assertEqual(self.rig.api("GET", f"/v1/jobs?q={name}")["items"], [])

    def test_holds_and_hosts_that_wait_are_shown_with_until_when(self):
        page = self.open("Work")
        self.may_say = True
        status = self.status(page)
        until = "2031-02-03T04:05:06Z"
        holds = [{"kind": "hours", "reason": "transfers rest until 22:00", "until": until},
                 {"kind": "host", "host": "slow.example.org", "reason": "the server asked to wait", "until": until},
                 {"kind": "host", "host": "other.example.org", "reason": "the server asked to wait", "until": None}]
        hosts = [{"host": "slow.example.org", "active": 0, "queued": 12, "pace": None,
                  "waiting": {"reason": "the server asked for fewer requests", "until": until}},
                 {"host": "busy.example.org", "active": 3, "queued": 20, "pace": "2/s", "waiting": None}]
        self.context.route("**/v1/hosts?*", lambda route: route.fulfill(json={"items": hosts}))
        self.context.route("**/v1/status", lambda route: route.fulfill(json={**status, "holds": holds}))
        held = page.get_by_role("region", name="Held up")
        expect(held).to_contain_text("Transfers rest until 22:00.")
        expect(held).to_contain_text("The server asked for fewer requests. Until ")
        expect(held).to_contain_text("2031")
        expect(held).to_contain_text("12 jobs wait for it.")
        expect(held).not_to_contain_text("busy.example.org")
        # Of which the daemon has told, but not how many jobs wait.
        expect(held).to_contain_text("other.example.org")
        expect(page.get_by_role("status").filter(has_text="2 hosts have to be waited for: see Work.")).to_be_visible()
        self.assertEqual(self.violations(page), [])
        self.shot(page, "held-up")
        # Whoever has most to do comes first.
        rows = page.get_by_role("region", name="Hosts").get_by_role("listitem")
        expect(rows).to_have_text([re.compile(r"^busy\.example\.org.*3 downloads · 20 to come · at a pace of 2/s$"),
                                   re.compile(r"^slow\.example\.org.*12 to come · held up$")])
        # Also where other work is left, for which the hosts are asked about.
        holds, hosts = [], []
        expect(held).to_be_hidden()

    def test_a_host_that_has_asked_to_wait_is_asked_before_its_time(self):
        page = self.open("Work")
        name = f"busy{time.time()}.jpg"
        # Under another name, so that nobody else has to wait.
        place = self.rig.origin.replace("127.0.0.1", "localhost")
        self.rig.facefetch("add", f"{place}/busy/painted-2.jpg?{name}", "--name", name)
        held = page.get_by_role("region", name="Held up")
        host = place.removeprefix("http://")
        expect(held.get_by_role("listitem")).to_contain_text(re.compile(rf"{host}.*429 Too Many Requests\. Until \d", re.DOTALL))
        self.assertEqual(self.violations(page), [])
        page.get_by_role("button", name=f"Ask now: {host}").click()
        expect(page.get_by_text(f"{host} is asked again now: one request first.")).to_be_visible()
        expect(held).to_be_hidden()
        self.until(lambda: self.rig.api("GET", f"/v1/jobs?q={name}")["items"][0]["state"] == "done", "it isn't asked")

    def test_what_is_wrong_with_the_detectors_is_said(self):
        page = self.open("Work")
        expect(page.get_by_text("YuNet")).to_be_visible()
        status = self.status(page)
        status["detection"]["problem"] = "documents wait to be looked at: the network is gone"
        self.context.route("**/v1/status", lambda route: route.fulfill(json=status))
        expect(page.get_by_text("Documents wait to be looked at: the network is gone.")).to_be_visible()
        self.assertEqual(self.violations(page), [])

    def test_what_holds_things_up_is_said(self):
        page = self.open()
        holds = [{"kind": "disk", "reason": "only 12 MB are free, and disk.reserve is 1 GiB", "until": None},
                 {"kind": "network", "reason": "there is no network", "until": None}]
        address = page.url.split("#")[0]
        status = self.status(page)
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
