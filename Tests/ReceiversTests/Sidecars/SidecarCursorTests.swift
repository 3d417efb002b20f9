import Foundation
import TestSupport
import Testing

@testable import Receivers

@Suite("How far the sidecars are, as it was kept")
struct SidecarCursorTests {
    private static func read(_ text: String) throws -> Int64? {
        let directory = try TemporaryDirectory()
        try directory.write(Array(text.utf8), to: "sidecars")
        let kept = try FollowerFile(path: directory.path("sidecars")).read(atMost: 100, SidecarLoop.number)
        if case .content(let number) = kept { return number }
        guard case .damaged = kept else { throw CocoaError(.fileNoSuchFile) }
        return nil
    }

    @Test(
        "A number that can't be is damage, and ends nothing",
        arguments: [
            "-1", "-9223372036854775808", "9223372036854775808", "1e300", "", "\u{0}", "1\n2",
            String(repeating: "0", count: 100),
        ]
    )
    func impossible(number: String) throws {
        #expect(try Self.read("facefetch-sidecars 1\n\(number)\n") == nil)
        #expect(try Self.read(number) == nil)
    }

    @Test("A number that is ahead of every result is taken for another store's")
    func ahead() throws {
        #expect(try Self.read("facefetch-sidecars 1\n\(Int64.max)\n") == .max)
        var machine = SidecarMachine()
        machine.begin()
        machine.loaded(.max)
        #expect(machine.next(now: 0) == .read(after: .max))
        machine.read(FollowedPage(items: [], total: 0, oldest: 0, newest: 7), now: 0)
        #expect(machine.cursor == 0 && machine.next(now: 0) == .keep(0))
    }
}
