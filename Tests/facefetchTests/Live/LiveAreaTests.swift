import Testing

@testable import facefetch

@Suite("Lines redrawn in place")
struct LiveAreaTests {
    @Test("What is drawn replaces what was drawn, with more lines or fewer")
    func redraws() {
        var area = LiveArea()
        var output = "before\r\n"
        let screen = Screen(columns: 20, rows: 10)
        for lines in [["one", "two", "three"], ["a longer line"], ["x", "y", "z", "w"]] {
            output += area.redraw(lines, width: 20)
            #expect(screen.showing(output) == ["before"] + lines)
        }
        output += area.clear(width: 20)
        #expect(screen.showing(output) == ["before"])
        #expect(area.clear(width: 20).isEmpty)
    }

    @Test("Lines that fill the window are whole")
    func full() {
        var area = LiveArea()
        let screen = Screen(columns: 10, rows: 4)
        var output = ""
        for lines in [["0123456789", "abcdefghij"], ["abc", "0123456789"], ["9876543210"]] {
            output += area.redraw(lines, width: 10)
            #expect(screen.showing(output) == lines)
        }
    }

    @Test("Lines that have wrapped since the window became narrower are taken away too")
    func narrower() {
        var area = LiveArea()
        let wide = "before\r\n" + area.redraw(["0123456789012345678", "0123456789"], width: 20)
        // The window is 10 wide now: the first line takes two rows.
        let output = wide + area.redraw(["new"], width: 10)
        #expect(Screen(columns: 10, rows: 10).showing(output) == ["before", "new"])
    }
}
