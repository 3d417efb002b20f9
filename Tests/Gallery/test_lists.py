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
        status = page.evaluate("fetch('/v1/status').then((answer) => answer.json())")
        box.fill("https://example.org/whole")
        self.context.route("**/v1/status", lambda route: route.fulfill(json={**status, "store": "another"}))
        expect(page.get_by_role("status").filter(has_text="another store now")).to_be_visible()
        expect(box).to_have_value("https://example.org/whole")
        box.fill("")
        page.reload()
        expect(box).to_have_value("")


if __name__ == "__main__":
    unittest.main()
