"""How fast the page is, and how little it takes; printed, and held against the limits on a quiet machine."""

import time
import unittest

from page_test import DOCUMENTS, PageTest


class Speed(PageTest):
    SCROLL = """([speed, from]) => new Promise((resolve) => {
        const times = []; let last = performance.now(); const start = last;
        scrollTo(0, from);
        const step = (now) => {
            times.push(now - last); last = now;
            scrollTo(0, from + (now - start) * speed / 1000);
            if (now - start < 3000) requestAnimationFrame(step);
            else resolve(times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)]);
        };
        requestAnimationFrame(step);
    })"""

    def test_the_wall(self):
        page = self.open()
        self.wait(page, self.THERE, "no thumbnail came")
        page.reload()
        self.wait(page, self.THERE, "no thumbnail came")
        first = page.evaluate("""Math.min(...performance.getEntriesByType('resource')
            .filter((entry) => entry.name.includes('/picture/')).map((entry) => entry.responseEnd))""")
        self.wait(page, self.ALL_THERE, "not all that is in view came")
        self.shot(page, "wall")
        print(f"\n{DOCUMENTS:,} documents")
        self.tells("page start to first thumbnail", first, "ms", 500, 30_000)
        self.tells("95th percentile of a frame at 8,000 px/s", page.evaluate(self.SCROLL, [8000, 0]), "ms", 20, 2000)
        self.tells("nodes", page.evaluate("document.querySelectorAll('*').length"), "", 200, 200)
        session = self.context.new_cdp_session(page)
        session.send("HeapProfiler.collectGarbage")
        self.tells("JS heap", session.send("Runtime.getHeapUsage")["usedSize"] / 1e6, "MB", 20, 20)
        start = time.monotonic()
        page.evaluate("scrollTo(0, (document.documentElement.scrollHeight - innerHeight) * 0.93)")
        self.wait(page, self.ALL_THERE, "not all that is in view came after a jump")
        self.tells("jump to 93%", time.monotonic() - start, "s", 1, 30)
        asked = []
        page.on("request", lambda request: "/picture/thumb" in request.url and asked.append(request))
        page.evaluate(self.SCROLL, [40000, 0])
        self.tells("thumbnails asked for in 3 s at 40,000 px/s", len(asked), "", 150, 150)

    def test_from_start_to_the_first_event(self):
        page = self.open("Add")
        url = f"{self.rig.origin}/painted-2.jpg?{time.time()}"
        page.get_by_role("textbox", name="URLs").fill(f"{url} soon.jpg")
        # The log has what was started before, too.
        passed = page.evaluate("""(text) => new Promise((resolve, reject) => {
            const start = performance.now();
            setTimeout(() => reject(new Error('no event came')), 30000);
            const look = () => document.querySelector('[role=log]').textContent.includes(text)
                ? resolve(performance.now() - start) : requestAnimationFrame(look);
            document.querySelector('form button[type=submit]').click();
            look();
        })""", f"started download of {url}")
        self.tells("click on Start to the first event in the log view", passed / 1000, "s", 0.3, 30)

    def test_memory_at_rest(self):
        gallery = self.rig.gallery
        with open(f"/proc/{gallery.pid}/status", encoding="ascii") as status:
            fields = dict(line.split(":", 1) for line in status)
        self.assertTrue("facefetch-gallery".startswith(fields["Name"].strip()))
        self.tells("anonymous memory of facefetch-gallery", int(fields["RssAnon"].split()[0]) / 1024, "MB", 25, 25)


if __name__ == "__main__":
    unittest.main()
