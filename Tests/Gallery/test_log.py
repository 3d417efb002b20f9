"""The log: what is said of what happens."""

import re
import time
import unittest

from playwright.sync_api import expect

from page_test import OWN_EVENTS, PageTest
from relay import Relay


class Log(PageTest):
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
        self.until(lambda: self.rig.api("GET", "/v1/status")["detection"].items() >=
                   {"gate": "open", "active": 0, "waiting": 0}.items(), "it doesn't come to an end", 60)
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
            window.fetch = async (path, ...rest) => String(path).includes('/v1/events')
                ? new Response(Array.from({ length: 9000 }, (_, id) => frame(id + 1)).join('')) : was(path, ...rest);
            const news = [];
            const feed = new Feed((one) => news.push(one));
            await feed.readPast();
            window.fetch = was;
            return [news[0].omitted, news[1].events.length, news[1].events.at(-1).id];
        })()""")
        self.assertEqual(seen, [8000, 1000, 9000])

    def test_a_line_tells_batch_and_time_of_day_and_one_batch_is_read(self):
        batches = []
        for number in range(2):
            batch = self.rig.post(*[f"{self.rig.origin}/painted-2.jpg?{time.time()}-{at}" for at in range(2)])
            self.rig.log_when_done(batch)
            batches.append(batch)
        page = self.open("Log")
        log = page.get_by_role("log")
        expect(log).to_contain_text(re.compile(rf"\d\d:\d\d:\d\d  b{batches[0]} +\d+\.\d{{3}}  started download"))
        expect(log).to_contain_text(f"b{batches[1]}")
        choice = page.get_by_role("combobox", name="Batch")
        expect(choice.locator("option").nth(1)).to_have_text(re.compile(rf"^b{batches[1]}: 2 files from 127.0.0.1:\d+, \d"))
        choice.select_option(str(batches[0]))
        expect(log).not_to_contain_text(f"b{batches[1]}")
        lines = log.locator("p")
        expect(lines.first).to_contain_text("started download")
        expect(lines.last).to_contain_text("finished face detection")
        self.wait(page, f"location.hash === '#/log?batch={batches[0]}'", "the address hasn't got it")
        self.assertEqual(self.violations(page), [])
        # Also one that nothing is heard of any more.
        self.rig.kill_daemon()
        self.rig.start_daemon()
        self.may_say = True
        page.reload()
        expect(choice).to_have_value(str(batches[0]))
        expect(log).to_contain_text("finished face detection")
        expect(log).not_to_contain_text(f"b{batches[1]}")
        page.go_back()
        expect(choice).to_have_value("")

    def test_the_steps_on_the_way_are_hidden_by_a_switch(self):
        page = self.open("Log", script=OWN_EVENTS)
        self.wait(page, "streams.length === 1", "no stream was asked for")
        page.evaluate("""(() => {
            [0, 10, 50, 90, 100].forEach((percent, id) => tell('job', { id: 2e12 + id, time: new Date().toISOString(), elapsed: id,
                batch: 7, job: 1, ...(percent ? { kind: 'progressed', percent } : { kind: 'started' }), message: `at ${percent}%` }));
        })()""")
        log = page.get_by_role("log")
        expect(log.locator("p").filter(has_text=re.compile(r"at \d+%"))).to_have_count(5)
        page.get_by_role("checkbox", name="Steps of downloads").uncheck()
        lines = log.locator("p").filter(has_text=re.compile(r"at \d+%"))
        expect(lines).to_have_count(2)
        expect(lines.last).to_contain_text("at 100%")
        self.wait(page, "location.hash === '#/log?steps=hidden'", "the address hasn't got it")
        page.evaluate("tell('job', { id: 3e12, time: '', elapsed: 1, batch: 7, job: 1, kind: 'progressed', percent: 20, message: 'at 20%' })")
        page.evaluate("tell('job', { id: 4e12, time: '', elapsed: 1, batch: 7, job: 1, kind: 'finished', message: 'at the end%' })")
        expect(log).to_contain_text("at the end%")
        expect(log).not_to_contain_text("at 20%")
        page.get_by_role("checkbox", name="Steps of downloads").check()
        expect(log).to_contain_text("at 20%")

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


if __name__ == "__main__":
    unittest.main()
