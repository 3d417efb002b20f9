"""Lists that are dropped, and what has been typed."""

import time
import unittest

from playwright.sync_api import expect

from page_test import PageTest


class Lists(PageTest):
    DROP = """([place, name, text]) => {
        const data = new DataTransfer();
        data.items.add(new File([text], name));
        const target = document.querySelector(place);
        return ['dragover', 'drop'].map((type) =>
            target.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true })));
    }"""

    def test_a_table_is_dropped_anywhere(self):
        page = self.open("Add")
        name = f"table{time.time()}.jpg"
        table = f'id,Title,URL,name\r\n1,"a, ""b""",{self.rig.origin}/painted-2.jpg?{name},"{name}"\r\n2,,,\r\n'
        self.assertEqual(page.evaluate(self.DROP, [".bar", "list.csv", table]), [False, False], "the browser would open it")
        expect(page.get_by_role("textbox", name="URLs")).to_have_value(f"{self.rig.origin}/painted-2.jpg?{name}\t{name}")
        page.get_by_role("button", name="Start").click()
        self.until(lambda: self.rig.api("GET", f"/v1/jobs?q={name}")["items"], "it wasn't added")

    def test_a_table_without_addresses_says_what_to_do(self):
        page = self.open("Add")
        page.evaluate(self.DROP, ["main", "ages.csv", "name,age\nrex,3\n"])
        expect(page.get_by_text("ages.csv has no column with addresses")).to_be_visible()
        expect(page.get_by_role("textbox", name="URLs")).to_have_value("")

    def test_tables_of_all_kinds(self):
        page = self.open("Add")
        read = "async ([name, text]) => (await import('/list-file.js')).listLines(name, text)"
        for name, text, lines in (
                ("a.csv", "\ufefflink;file_name\nhttp://a/1.jpg;one two.jpg\nhttp://a/2.jpg;\n", "http://a/1.jpg\tone two.jpg\nhttp://a/2.jpg"),
                ("a.csv", "http://a/1.jpg,3\nhttp://a/2.jpg,4", "http://a/1.jpg\nhttp://a/2.jpg"),
                ("a.tsv", "n\twhere\n1\thttp://a/1,2.jpg\n", "http://a/1,2.jpg"),
                ("a.CSV", 'url\r"http://a/1,2.jpg"\r"http://a/\n', 'http://a/1,2.jpg\n"http://a/'),
                ("a.csv", "url,name\nhttp://a/1.jpg,Photo #3.jpg\n http://a/x #2.jpg,\n", 'http://a/1.jpg\t"Photo #3.jpg"\nhttp://a/x%20#2.jpg'),
                ("a.csv", "", None), ("a.txt", "# one\nhttp://a/1.jpg", "# one\nhttp://a/1.jpg")):
            self.assertEqual(page.evaluate(read, [name, text]), lines, text)

    def test_what_a_table_has_is_what_is_read(self):
        page = self.open("Add")
        table = 'url,name\nhttp://a/1.jpg,Photo #3.jpg\nhttp://a/2.jpg,"#""4"""\nhttp://a/3.jpg,"""5"""\nhttp://a/x #2.jpg,#\n'
        items = page.evaluate("async (text) => { const list = await import('/list-file.js'); return list.read(list.listLines('a.csv', text)).items; }", table)
        self.assertEqual(items, [{"url": "http://a/1.jpg", "name": "Photo #3.jpg"}, {"url": "http://a/2.jpg", "name": '#"4"'},
                                 {"url": "http://a/3.jpg", "name": '"5"'}, {"url": "http://a/x%20#2.jpg", "name": "#"}])

    def test_a_name_follows_after_a_tab_and_encodings_go_by_their_marks(self):
        page = self.open("Add")
        items = page.evaluate("async (text) => (await import('/list-file.js')).read(text).items",
                              "# one\nhttp://a/1 2.jpg\tone two.jpg # mine\nhttp://a/3.jpg\t\n#\nhttp://a/4.jpg#x")
        self.assertEqual(items, [{"url": "http://a/1 2.jpg", "name": "one two.jpg"}, {"url": "http://a/3.jpg"}, {"url": "http://a/4.jpg#x"}])
        items = page.evaluate("async (text) => (await import('/list-file.js')).read(text).items",
                              'http://a/1\t"Photo #3.jpg" # mine\nhttp://a/2\t"#""4"""\nhttp://a/x%20#2.jpg\nhttp://a/5 # \t"no"\nhttp://a/6\t"6" or #7')
        self.assertEqual(items, [{"url": "http://a/1", "name": "Photo #3.jpg"}, {"url": "http://a/2", "name": '#"4"'},
                                 {"url": "http://a/x%20#2.jpg"}, {"url": "http://a/5"}, {"url": "http://a/6", "name": '"6" or'}])
        text = "async (bytes) => (await import('/list-file.js')).listText(new Uint8Array(bytes))"
        for encoding in ("utf-8-sig", "utf-16"):
            self.assertEqual(page.evaluate(text, list("http://a/é".encode(encoding))), "http://a/é", encoding)
        self.assertIsNone(page.evaluate(text, [0xFF, 0xD8, 0xFF, 0xE0, 0, 16]))

    def test_bytes_that_are_no_utf8_are_percent_encoded_as_they_are(self):
        page = self.open("Add")
        text = "async (bytes) => (await import('/list-file.js')).listText(new Uint8Array(bytes))"
        self.assertEqual(page.evaluate(text, list("http://a/é\nhttp://a/".encode() + b"\xe9\n")), "http://a/é\nhttp://a/%E9\n")

    LONGEST = """window.longest = 0;
        new PerformanceObserver((list) => list.getEntries().forEach((one) => { longest = Math.max(longest, one.duration); }))
            .observe({ type: 'longtask' });"""
    # Making a file of megabytes takes the page's thread as long as dropping it may.
    MAKE = """([name, bytes, text]) => {
        window.made = new File(bytes ? [new Uint8Array(bytes[0]).fill(bytes[1])] : [text], name);
    }"""
    GIVE = """() => {
        const data = new DataTransfer();
        data.items.add(made);
        document.querySelector('main').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    }"""

    def give(self, page, *file):
        page.evaluate(self.MAKE, list(file))
        page.evaluate(self.GIVE)

    def test_a_wrong_file_is_refused_at_once_and_a_long_list_holds_nothing_up(self):
        page = self.open("Add")
        page.evaluate(self.LONGEST)
        start = time.monotonic()
        self.give(page, "holiday.jpg", [26_000_000, 0], "")
        expect(page.get_by_text("holiday.jpg is no list")).to_be_visible()
        # Without a zero byte it is one line, which is too long for an address.
        self.give(page, "noise.txt", [26_000_000, 35], "")
        expect(page.get_by_text("noise.txt has no address in it")).to_be_visible()
        self.give(page, "huge.txt", [33_000_000, 65], "")
        expect(page.get_by_text("huge.txt is larger than 32 MB")).to_be_visible()
        self.tells("refusing three wrong files", time.monotonic() - start, "s", 2, 60)
        name = f"long{time.time()}"
        text = "".join(f"http://127.0.0.1:9/{name}/{number}.jpg\n" for number in range(50_000))
        self.give(page, "long.txt", None, text)
        lists = page.get_by_role("list", name="Lists")
        expect(lists).to_contain_text("50,000 addresses")
        self.assertEqual(self.violations(page), [])
        page.get_by_role("button", name="Remove long.txt").click()
        expect(lists).to_be_hidden()
        page.get_by_role("button", name="Start").click()
        expect(page.get_by_text("There is no address yet")).to_be_visible()
        # What is wrong in a list is told by its lines, and nothing of it is added.
        self.give(page, "long.txt", None, text + "nonsense\n")
        expect(lists).to_contain_text("50,000 addresses")
        page.get_by_role("button", name="Start").click()
        expect(page.get_by_role("alert").filter(has_text="long.txt, line 50001")).to_be_visible()
        page.get_by_role("button", name="Remove long.txt").click()
        page.evaluate(self.MAKE, ["long.txt", None, text])
        # What is told of it comes late.
        page.wait_for_timeout(500)
        page.evaluate("() => { longest = 0; }")
        page.evaluate(self.GIVE)
        expect(lists).to_contain_text("50,000 addresses")
        page.get_by_role("button", name="Start").click()
        expect(page.get_by_text("50,000 files started as b")).to_be_visible()
        expect(lists).to_be_hidden()
        self.tells("longest stretch on the page's thread", page.evaluate("longest"), "ms", 50, 1000)
        batch = self.rig.api("GET", f"/v1/jobs?q={name}&limit=1")["items"][0]["batch"]
        self.assertEqual(self.rig.api("GET", f"/v1/batches?after={batch - 1}&limit=1")["items"][0]["job_count"], 50_000)
        self.rig.api("POST", f"/v1/batches/{batch}/cancel")

    def test_a_long_list_goes_as_several_batches(self):
        page = self.open("Add")
        got = page.evaluate("""async () => {
            const { forget, takeIn, prepare, whence } = await import('/lists.js');
            const { list } = await takeIn(new File(['http://a/1\\nhttp://a/2\\n# x\\nhttp://a/3\\tc.jpg\\n' + '# nothing\\n'.repeat(3000)], 'some.txt'));
            const { bodies } = await prepare('http://b/1', [list], 3, 1000);
            const all = [await Promise.all(bodies.map(({ body }) => body.text())), await whence(1, [0, 7]), await whence(0, [0])];
            // A list that the worker hasn't (any more) is said, and not left out.
            forget([list]);
            return [...all, await prepare('http://b/1', [list], 3, 1000)];
        }""")
        self.assertEqual(got[0], ['{"items":[{"url":"http://b/1"},{"url":"http://a/1"},{"url":"http://a/2"}]}',
                                  '{"items":[{"url":"http://a/3","name":"c.jpg"}]}'])
        self.assertEqual(got[1:], [[{"name": "some.txt", "line": 4}, None], [{"line": 1}], {"refused": "unreadable"}])

    def test_batches_are_split_by_bytes_as_well(self):
        page = self.open("Add")
        got = page.evaluate("""async () => {
            const { prepare, whence } = await import('/lists.js');
            const lines = ['http://a/' + 'x'.repeat(300), 'http://a/' + 'é'.repeat(150), 'http://a/3', 'http://a/' + 'y'.repeat(900), 'http://a/5'];
            const { bodies } = await prepare(lines.join('\\n'), [], 100, 600);
            const texts = await Promise.all(bodies.map(({ body }) => body.text()));
            return [bodies.map(({ body, items }) => [body.size <= 600, items]), texts.flatMap((text) => JSON.parse(text).items.map(({ url }) => url)).join('\\n') === lines.join('\\n'),
                await whence(1, [0]), await whence(3, [0])];
        }""")
        # One that is longer than all of them may be goes alone.
        self.assertEqual(got, [[[True, 1], [True, 2], [False, 1], [True, 1]], True, [{"line": 2}], [{"line": 5}]])

    def test_a_lost_answer_is_asked_for_again_and_nothing_is_added_twice(self):
        page = self.open("Add")
        self.may_say = True
        name = f"lost{time.time()}.jpg"
        keys = []

        def lose(route):
            keys.append(route.request.headers["idempotency-key"])
            if len(keys) <= 2:
                route.fetch()
                return route.abort() if len(keys) == 1 else route.fulfill(
                    status=502, json={"code": "daemon_unreachable", "detail": "the daemon ended"})
            route.continue_()

        self.context.route("**/v1/batches", lose)
        page.get_by_role("textbox", name="URLs").fill(f"{self.rig.origin}/painted-2.jpg?{name}\t{name}")
        page.get_by_role("button", name="Start").click()
        expect(page.get_by_text("1 file started as b")).to_be_visible()
        self.assertEqual([len(keys), len(set(keys))], [3, 1])
        self.assertEqual(len(self.rig.api("GET", f"/v1/jobs?q={name}")["items"]), 1)

    def test_who_does_not_know_does_not_say_that_nothing_was_added(self):
        page = self.open("Add", script="window.setTimeout = ((was) => (act, time, ...more) => was(act, time / 20, ...more))(setTimeout);")
        self.may_say = True
        keys = []

        def answer(route):
            keys.append(route.request.headers["idempotency-key"])
            route.fulfill(status=status, json={"code": "daemon_unreachable", "detail": "the daemon can't be reached"})

        self.context.route("**/v1/batches", answer)
        self.context.route("**/v1/status", lambda route: route.fulfill(
            status=503, json={"code": "daemon_unreachable", "detail": "the daemon can't be reached"}))
        box = page.get_by_role("textbox", name="URLs")
        box.fill("http://127.0.0.1:9/a.jpg")
        status = 502
        page.get_by_role("button", name="Start").click()
        expect(page.get_by_text("may have been added, or not. Press Start again")).to_be_visible()
        expect(page.get_by_text("Nothing was added")).to_have_count(0)
        status = 503
        page.get_by_role("button", name="Start").click()
        expect(page.get_by_text("Nothing was added: the daemon can’t be reached; press Start once it is back.")).to_be_visible()
        self.assertEqual(len(set(keys)), 1, "another key would add them twice")
        expect(box).to_have_value("http://127.0.0.1:9/a.jpg")
        expect(page.get_by_role("alert").filter(has_text="What is typed here stays")).to_be_visible()

    def test_a_file_that_is_dropped_elsewhere_does_not_take_the_pages_place(self):
        for view in ("Pictures", "Work", "Log"):
            page = self.open(view)
            self.assertFalse(page.evaluate(self.DROP, [".bar", "list.txt", "x"])[0], view)
            self.context.close()

    def test_what_was_typed_outlasts_loading_anew(self):
        page = self.open("Add")
        box = page.get_by_role("textbox", name="URLs")
        box.fill("https://example.org/half")
        page.reload()
        expect(box).to_have_value("https://example.org/half")
        # Another store has the page begin anew by itself.
        self.may_say = True
        status = self.status(page)
        box.fill("https://example.org/whole")
        self.context.route("**/v1/status", lambda route: route.fulfill(json={**status, "store": "another"}))
        expect(page.get_by_role("status").filter(has_text="another store now")).to_be_visible()
        expect(box).to_have_value("https://example.org/whole")
        box.fill("")
        page.reload()
        expect(box).to_have_value("")


if __name__ == "__main__":
    unittest.main()
