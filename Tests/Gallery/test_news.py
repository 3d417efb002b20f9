"""What happens while one looks: pictures that are looked at, much that happens at once, orders, and one's own wishes."""

import re
import time
import unittest

from playwright.sync_api import expect

from page_test import OWN_EVENTS, PageTest


class News(PageTest):
    def paint(self, name, like="painted-3.jpg"):
        """A picture whose bytes nobody has seen yet."""
        (self.rig.pictures / name).write_bytes((self.rig.pictures / like).read_bytes() + name.encode())
        return f"{self.rig.origin}/{name}"

    def test_a_picture_that_is_looked_at_gets_its_boxes_and_keeps_its_name(self):
        page = self.open()
        self.wait(page, self.ALL_THERE, "not all came")
        page.get_by_role("button", name="Face boxes").click()
        self.addCleanup(self.rig.api, "POST", "/v1/detection/release")
        # At the top new ones come by themselves; further down nothing is moved.
        for down in (0, 60):
            page.evaluate("scrollTo(0, 0)")
            self.rig.api("POST", "/v1/detection/hold")
            name = f"later{time.time()}.jpg"
            self.rig.add(self.paint(name), wait=False)
            tile = page.get_by_role("listitem", name=name)
            expect(tile).to_have_accessible_name(f"{name}, not looked at")
            self.assertEqual(tile.locator("[data-face]").count(), 0)
            page.evaluate(f"scrollTo(0, {down})")
            self.wait(page, f"Math.round(scrollY) === {down}", "the page isn't long enough")
            page.evaluate("""(name) => {
                window.names = [];
                const tile = [...document.querySelectorAll('.tile')].find((one) => one.getAttribute('aria-label').startsWith(name));
                new MutationObserver(() => names.push(tile.getAttribute('aria-label'))).observe(tile, { attributes: true, attributeFilter: ['aria-label'] });
            }""", name)
            self.rig.api("POST", "/v1/detection/release")
            expect(tile.locator("[data-face]").nth(1)).to_be_visible()
            expect(tile).to_have_accessible_name(f"{name}, {tile.locator('[data-face]').count()} faces")
            self.assertEqual([one for one in page.evaluate("names") if not one.startswith(name)], [], "it lost its name")

    def test_what_was_left_out_of_the_news_is_looked_up(self):
        page = self.open(script=OWN_EVENTS)
        self.wait(page, self.ALL_THERE, "not all came")
        self.wait(page, "streams.length === 1", "no stream was asked for")
        self.addCleanup(self.rig.api, "POST", "/v1/detection/release")
        self.rig.api("POST", "/v1/detection/hold")
        name = f"unheard{time.time()}.jpg"
        self.rig.add(self.paint(name), wait=False)
        job = lambda: self.rig.api("GET", f"/v1/jobs?q={name}")["items"][0]
        self.until(lambda: job()["state"] == "stored", "it isn't stored")
        page.evaluate("tell('omitted', { count: 7 })")
        tile = page.get_by_role("listitem", name=name)
        expect(tile).to_have_accessible_name(f"{name}, not looked at")
        page.get_by_role("button", name="Face boxes").click()
        self.rig.api("POST", "/v1/detection/release")
        self.until(lambda: job()["state"] == "done", "it isn't looked at")
        page.evaluate("tell('omitted', { count: 7 })")
        expect(tile.locator("[data-face]").nth(1)).to_be_visible()
        expect(tile).to_have_accessible_name(f"{name}, {job()['detection']['face_count']} faces")

    def test_all_in_view_have_their_names_on_a_large_screen(self):
        page = self.open(viewport={"width": 3840, "height": 4320})
        self.wait(page, self.ALL_THERE, "not all came")
        answers = []
        page.on("response", lambda answer: "/v1/jobs?ids=" in answer.url and answers.append(answer))
        # Pictures of all shapes, of which few are known yet.
        page.get_by_role("combobox", name="Order").select_option("By name")
        asked = lambda: [answer.url.count("%2C") + 1 for answer in answers]
        self.until(lambda: sum(asked()) > 100, "so many aren't asked for")
        self.wait(page, """(() => {
            const seen = [...document.querySelectorAll('.tile')].filter((tile) => {
                const box = tile.getBoundingClientRect();
                return box.bottom > 0 && box.top < innerHeight;
            });
            return seen.length > 100 && seen.every((tile) => !/^picture \\d/.test(tile.getAttribute('aria-label')));
        })()""", "some have no names")
        for answer, number in zip(answers, asked()):
            self.assertEqual(len(answer.json()["items"]), number)

    def test_what_is_new_waits_seconds_however_long_the_index_takes(self):
        page = self.open(script=OWN_EVENTS)
        self.wait(page, self.ALL_THERE, "not all came")
        self.wait(page, "streams.length === 1", "no stream was asked for")
        expect(page.locator(".total")).to_have_text(re.compile("pictures$"))
        page.clock.install()
        asked = []
        self.context.route("**/v1/documents/index*", lambda route: asked.append(route))
        page.evaluate("tell('omitted', { count: 7 })")
        self.until(lambda: asked, "the index isn't asked for")
        # Something else happens while it is being read, which takes two seconds.
        page.evaluate("tell('omitted', { count: 7 })")
        page.clock.fast_forward(2000)
        asked[0].continue_()
        # Not forty seconds later.
        for _ in range(20):
            if len(asked) > 1:
                break
            page.clock.fast_forward(1000)
            page.wait_for_timeout(200)
        self.assertGreater(len(asked), 1, "it isn't asked for again")
        for route in asked[1:]:
            route.continue_()

    def test_the_order_is_the_persons(self):
        page = self.open()
        shown = "[...document.querySelectorAll('.tile a')].map((link) => Number(link.hash.split('/')[2])).slice(0, 20)"
        # As the daemon has them: the newest is the one that was stored last, whatever its number.
        index = """(order) => fetch(sessionStorage.getItem('facefetch-prefix') + `/v1/documents/index?order=${order}`).then((answer) => answer.arrayBuffer()).then((bytes) =>
            Array.from({ length: 20 }, (_, place) => new DataView(bytes).getUint32(place * 8, true)))"""
        newest, oldest = page.evaluate(index, "newest"), page.evaluate(index, "oldest")
        self.assertFalse(set(newest) & set(oldest))

        def begins(ids):
            there = page.evaluate(shown)
            return there and there == ids[:len(there)]

        self.until(lambda: begins(newest), "not the newest first")
        order = page.get_by_role("combobox", name="Order")
        order.select_option("Oldest first")
        self.until(lambda: begins(oldest), "not the oldest first")
        order.select_option("Most faces first")
        self.wait(page, """(() => {
            const faces = [...document.querySelectorAll('.tile a')].slice(0, 20).map((link) => Number(link.dataset.faces ?? 0));
            return faces[0] > 1 && faces.every((number, at) => at === 0 || number <= faces[at - 1]);
        })()""", "not those with most faces first")
        order.select_option("By name")
        names = """[...document.querySelectorAll('.tile')].slice(0, 10).map((tile) => tile.getAttribute('aria-label').replace(/, [^,]*$/, ''))"""
        self.wait(page, f"""(() => {{
            const names = {names}.map((name) => name.toLowerCase());
            return names.length > 5 && names.every((name, at) => !/^picture \\d/.test(name) && (at === 0 || name >= names[at - 1]));
        }})()""", "not by name")
        order.select_option("Newest first")
        self.until(lambda: begins(newest), "not the newest first")

    def looks(self, batch):
        """How often the only picture of a batch was looked at."""
        return len([line for line in self.rig.log_when_done(batch) if re.search("[0-9]+ faces?", line)])

    def test_a_picture_is_looked_at_again_and_downloaded(self):
        name = f"again{time.time()}.jpg"
        url = self.paint(name)
        batch = self.rig.post(url)
        self.assertEqual(self.looks(batch), 1)
        page = self.open()
        page.get_by_role("searchbox", name="Search").fill(name)
        self.wait(page, "document.querySelectorAll('.tile').length === 1", "the search found something else")
        page.locator(".tile a").first.click()
        dialog = page.get_by_role("dialog")
        expect(dialog.get_by_role("heading", name=name)).to_be_visible()
        dialog.get_by_role("button", name="Look again").click()
        expect(dialog.get_by_role("status")).to_contain_text(re.compile(r"Looked at again: \d faces?\."))
        self.until(lambda: self.looks(batch) == 2, "it isn't looked at again")
        # While nothing is looked at, it is said that this has been asked for.
        self.addCleanup(self.rig.api, "POST", "/v1/detection/release")
        self.rig.api("POST", "/v1/detection/hold")
        self.wait(page, "import('/status.js').then(({ status }) => status()?.detection.gate === 'held')", "it isn't held")
        dialog.get_by_role("button", name="Look again").click()
        expect(dialog.get_by_role("status")).to_contain_text("Asked for again. Face detection is held")
        expect(dialog.get_by_role("region", name="About this picture")).to_contain_text("; asked for again")
        self.rig.api("POST", "/v1/detection/release")
        expect(dialog.get_by_role("status")).to_contain_text("Looked at again")
        expect(dialog.get_by_role("region", name="About this picture")).not_to_contain_text("asked for again")
        with page.expect_download() as coming:
            dialog.get_by_role("link", name="Download").click()
        self.assertEqual(coming.value.suggested_filename, name)
        with open(coming.value.path(), "rb") as file:
            self.assertEqual(file.read(), (self.rig.pictures / name).read_bytes())


if __name__ == "__main__":
    unittest.main()
