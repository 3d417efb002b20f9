"""The days on the wall: where they begin, what they are called, and that the rows go by them."""

import re
import time
import unittest

from playwright.sync_api import expect

from page_test import PageTest

# Documents as the wall has them, from [job, second at which it came, width÷height] each.
MADE = """
    window.made = async (entries) => {
        const { Documents } = await import('/documents.js');
        const view = new DataView(new ArrayBuffer(12 * entries.length));
        entries.forEach(([id, time, aspect], place) => {
            view.setUint32(place * 12, id, true);
            view.setUint16(place * 12 + 4, aspect * 1000, true);
            view.setUint32(place * 12 + 8, time, true);
        });
        return new Documents(view.buffer, true, true);
    };
"""


class Days(PageTest):
    def days(self, page, times):
        return page.evaluate("""async (times) => {
            const { days, dayName } = await import('/wall/days.js');
            const { first, begin } = days(await made(times.map((time, at) => [at + 1, time, 1])));
            return [first, begin.map((second) => dayName(second, new Date('2026-11-26T12:00:00')))];
        }""", times)

    def test_they_are_those_of_the_persons_clock(self):
        # Half past midnight in Auckland is noon of the day before in Reykjavik.
        times = [1795606200, 1795606200 - 3600, 1795606200 - 13 * 3600, 1764000000]
        for zone, first, names in (
                ("Pacific/Auckland", [0, 1, 3], ["Thursday, November 26", "Wednesday, November 25", "Tuesday, November 25, 2025"]),
                ("Atlantic/Reykjavik", [0, 2, 3], ["Wednesday, November 25", "Tuesday, November 24", "Monday, November 24, 2025"])):
            page = self.open(script=MADE, timezone_id=zone, locale="en-US")
            got = self.days(page, times)
            names = [{"Thursday, November 26": "Today", "Wednesday, November 25": "Yesterday"}.get(name, name) for name in names]
            self.assertEqual(got, [first, names], zone)
            self.context.close()
        # A day of 25 hours is one, when the clocks are set back.
        page = self.open(script=MADE, timezone_id="Europe/Berlin", locale="en-US")
        midnight = 1792879200  # 2026-10-25, 00:00 in Berlin
        self.assertEqual(self.days(page, [midnight + 25 * 3600, midnight + 25 * 3600 - 1, midnight, midnight - 1])[0], [0, 1, 3])

    def test_no_clock_that_was_wrong_makes_days_of_its_own(self):
        page = self.open(script=MADE, timezone_id="UTC", locale="en-US")
        now = int(time.time()) // 86400 * 86400
        # One whose answer came long before it was stored, one from the future, and one of which nobody knows.
        self.assertEqual(self.days(page, [now - 50 * 86400, now, 4_000_000_000, now - 86400, 0])[0], [0, 2, 4])
        self.assertEqual(self.days(page, [0, 0]), [[0], ["Without a date"]])
        self.assertEqual(self.days(page, []), [[], []])

    def test_rows_keep_to_days_whatever_comes_and_goes(self):
        page = self.open(script=MADE)
        wrong = page.evaluate("""async () => {
            const { Rows, head, gap } = await import('/wall/rows.js');
            const { begins } = await import('/wall/days.js');
            let seed = 7;
            const dice = (most) => { seed = (seed * 1103515245 + 12345) % 2147483648; return Math.floor(seed / 65536) % most; };
            for (let run = 0; run < 300; run += 1) {
                let id = 1;
                let time = 1700000000;
                const daily = [1, 3, 20, 200][dice(4)];
                const fresh = () => { time += dice(2 * Math.floor(86400 / daily)); return [id++, time, 0.4 + dice(36) / 10]; };
                let all = Array.from({ length: dice(400) }, fresh).reverse();
                let before = null;
                for (let step = 0; step < 8; step += 1) {
                    if (step > 0 && dice(3) > 0) all = [...Array.from({ length: dice(30) }, fresh).reverse(), ...all];
                    if (dice(4) === 0) all = all.slice(dice(5));
                    // The beginning comes before the rest; and what is filtered is another list.
                    const shown = step === 0 ? all.slice(0, 100) : dice(6) === 0 ? all.filter(([id]) => id % 3) : all;
                    const documents = await made(shown);
                    const rows = new Rows(documents, 1000, 180, before && { documents: before.documents, rows: before.rows });
                    let next = 0;
                    let y = 0;
                    for (let row = 0; row < rows.count; row += 1) {
                        if (rows.first[row] !== next) return `run ${run}: row ${row} begins at ${rows.first[row]}, not ${next}`;
                        next = rows.first[row + 1];
                        if (next <= rows.first[row]) return `run ${run}: row ${row} is empty`;
                        if (begins(rows.days, rows.first[row])) y += head;
                        if (Math.abs(rows.top[row] - y) > 0.01) return `run ${run}: row ${row} is at ${rows.top[row]}, not ${y}`;
                        y += rows.high[row] + gap;
                        for (let at = rows.first[row] + 1; at < next; at += 1)
                            if (begins(rows.days, at)) return `run ${run}: a day begins within row ${row}`;
                        const wide = rows.left[next - 1] + rows.wide[next - 1];
                        const isLast = next === shown.length || begins(rows.days, next);
                        if (wide > 1000.1 || (!isLast && wide < 999.9)) return `run ${run}: row ${row} is ${wide} wide`;
                        if (rows.high[row] > 180 * 2.6) return `run ${run}: row ${row} is ${rows.high[row]} high`;
                    }
                    if (next !== shown.length) return `run ${run}: ${next} of ${shown.length} have a row`;
                    before = { documents, rows };
                }
            }
            return '';
        }""")
        self.assertEqual(wrong, "")

    def test_the_wall_is_divided_by_them_where_the_newest_come_first(self):
        page = self.open()
        self.wait(page, self.ALL_THERE, "not all came")
        names = page.get_by_role("main").get_by_role("heading", level=2)
        expect(names.first).to_have_text("Today")
        # It stands above the first picture, and comes before it for who hears the page.
        self.assertTrue(page.evaluate("""(() => {
            const day = document.querySelector('.wall > .day');
            const tile = day.nextElementSibling;
            return tile.getAttribute('aria-posinset') === '1'
                && tile.getBoundingClientRect().top >= day.getBoundingClientRect().bottom - 1;
        })()"""))
        self.assertEqual(self.violations(page), [])
        expect(page.locator(".total")).to_have_text(re.compile("pictures$"))
        for down in (0.3, 0.9):
            page.evaluate(f"scrollTo(0, document.documentElement.scrollHeight * {down})")
            self.wait(page, self.ALL_THERE, "not all came")
            # Names that are there stand above the first tile of their day, each once.
            self.wait(page, """(() => {
                const days = [...document.querySelectorAll('.wall > .day')];
                return new Set(days.map((day) => day.textContent)).size === days.length && days.every((day) => {
                    const tile = day.nextElementSibling;
                    return tile?.matches('.tile') && Math.abs(tile.getBoundingClientRect().top - day.getBoundingClientRect().bottom) < 2;
                });
            })()""", "names of days aren't at their pictures")
        page.evaluate("scrollTo(0, 0)")
        page.get_by_role("combobox", name="Order").select_option("By name")
        expect(names).to_have_count(0)
        page.get_by_role("combobox", name="Order").select_option("Newest first")
        expect(names.first).to_have_text("Today")

    def test_at_midnight_they_are_called_otherwise(self):
        page = self.open()
        self.wait(page, self.ALL_THERE, "not all came")
        names = page.get_by_role("main").get_by_role("heading", level=2)
        expect(names.first).to_have_text("Today")
        page.clock.set_fixed_time(time.time() + 86_400)
        page.evaluate("dispatchEvent(new Event('scroll'))")
        expect(names.first).to_have_text("Yesterday")


if __name__ == "__main__":
    unittest.main()
