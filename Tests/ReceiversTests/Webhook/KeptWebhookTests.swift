import Testing

@testable import Receivers

@Suite("What a webhook has kept")
struct KeptWebhookTests {
    /// A head as the daemon writes it, with other words in places.
    private static func head(_ changes: [String: String] = [:]) -> String {
        let fields = [
            ("url", "\"http://h/\""), ("cursor", "3"), ("told", "0"), ("stopped", "false"),
            ("id", "\"msg_1a\""), ("through", "5"), ("count", "2"), ("gap", "4"),
        ]
        return "{\(fields.map { "\"\($0.0)\":\(changes[$0.0] ?? $0.1)" }.joined(separator: ","))}\n[]"
    }

    private static let impossibleChanges: [[String: String]] = {
        let numbers = ["-1", "-9223372036854775808", "9223372036854775808", "1e300", "\"\"", "[]"]
        var changes: [[String: String]] = []
        for name in ["cursor", "told", "through", "count", "gap"] {
            for number in numbers { changes.append([name: number]) }
        }
        for count in ["101", "9223372036854775807"] { changes.append(["count": count]) }
        let long = String(repeating: "a", count: 101)
        for id in ["", "a\\r\\nX-Evil: 1", long] { changes.append(["id": "\"\(id)\""]) }
        return changes
    }()

    private static func read(_ text: String) -> KeptWebhook? { KeptWebhook(Array(text.utf8)) }

    @Test("It is read as it was written, also where a request says only that there is a gap")
    func whole() throws {
        let machine = try #require(Self.read(Self.head())).machine
        #expect(machine.cursor == 3 && machine.request?.count == 2)
        #expect(machine.request?.body == Array("[]".utf8))
        #expect(Self.read(Self.head(["count": "0"]))?.machine.request?.gap == 4)
        #expect(Self.read(Self.head(["count": "100"]))?.machine.request?.count == 100)
    }

    @Test(
        "A value that can't be is damage, and ends nothing",
        arguments: impossibleChanges
    )
    func impossible(changes: [String: String]) {
        #expect(Self.read(Self.head(changes)) == nil)
    }

    @Test("A number that is ahead of every ending is taken for another store's")
    func ahead() throws {
        let most = "9223372036854775807"
        var machine = try #require(
            Self.read(Self.head(["cursor": most, "told": most, "through": most, "gap": most]))
        ).machine
        machine.answered(.taken, now: 0)
        machine.read(FollowedPage(items: [], total: 0, oldest: 0, newest: 7), source: "s", id: "msg_2")
        #expect(machine.cursor == 0 && machine.told == 0 && machine.request == nil)
    }
}
