import TestSupport
import Testing

@testable import Sidecars

@Suite("How far the sidecars are, as it was kept")
struct SidecarCursorTests {
    private static func read(_ text: String) throws -> SidecarCursor.Content {
        let directory = try TemporaryDirectory()
        try directory.write(Array(text.utf8), to: "sidecars")
        return try SidecarCursor(path: directory.path("sidecars")).read()
    }

    @Test(
        "A number that can't be is damage, and ends nothing",
        arguments: ["-1", "-9223372036854775808", "9223372036854775808", "1e300", "", "\u{0}", "1\n2"]
    )
    func impossible(number: String) throws {
        #expect(try Self.read("facefetch-sidecars 1\n\(number)\n") == .damaged)
        #expect(try Self.read(number) == .damaged)
    }

    @Test("A number that is ahead of every result is taken for another store's")
    func ahead() throws {
        #expect(try Self.read("facefetch-sidecars 1\n\(Int64.max)\n") == .number(.max))
        var machine = SidecarMachine()
        machine.begin()
        machine.loaded(.max)
        #expect(machine.next(now: 0) == .read(after: .max))
        machine.read(SidecarPage(items: [], hasMore: false, newest: 7), now: 0)
        #expect(machine.cursor == 0 && machine.next(now: 0) == .keep(0))
    }
}
