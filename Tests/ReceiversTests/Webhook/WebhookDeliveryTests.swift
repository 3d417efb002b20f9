import Foundation
import TestSupport
import Testing

@testable import Receivers

@Suite("A webhook at a real receiver")
struct WebhookDeliveryTests {
    private static let secrets = [
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "whsec_" + Data(repeating: 7, count: 32).base64EncodedString(),
    ]

    @Test(
        "Requests are taken for what they are by standardwebhooks and cloudevents, with either secret",
        .enabled(if: PostReceiver.canVerify, "needs what scripts/install-readers installs"),
        arguments: secrets
    )
    func verified(secret: String) async throws {
        let stage = try WebhookStage()
        try await stage.receive(["200"], secret: secret)
        stage.end(1...5)
        let webhook = stage.webhook()
        defer { webhook.stop() }
        webhook.configure(stage.configuration(secrets: Self.secrets))
        await stage.begins()
        stage.end(6...255)
        stage.somethingEnded()
        let lines = try await stage.lines(3)
        // From now on, not from the beginning; in order, a hundred at once.
        let ids: [String] = lines.flatMap { $0.events.map(\.id) }
        let expected: [String] = (6...255).map { String($0) }
        #expect(ids == expected)
        #expect(lines.allSatisfy { $0.verified?.text == "true" && $0.cloudevents == $0.events.count })
        #expect(lines.map(\.events.count) == [100, 100, 50] && Set(lines.map(\.id)).count == 3)
        #expect(await stage.keeps("\"cursor\":255"))
        #expect(webhook.status.state == .delivering)
    }

    @Test("A request that fails, is answered with 429 or redirected goes out again as it was")
    func again() async throws {
        let stage = try WebhookStage()
        try await stage.receive(["500", "429/1", "302/http://127.0.0.1:1/", "204"])
        let webhook = stage.webhook()
        defer { webhook.stop() }
        webhook.configure(stage.configuration())
        await stage.begins()
        stage.end(1...3)
        stage.somethingEnded()
        let lines = try await stage.lines(4)
        #expect(lines.count == 4 && Set(lines.map(\.id)).count == 1)
        #expect(lines.allSatisfy { $0.events.map(\.id) == ["1", "2", "3"] && $0.signature == nil })
        #expect(await stage.keeps("\"cursor\":3"))
    }

    @Test("A request that is refused for what is in it goes out again in pieces")
    func refused() async throws {
        let stage = try WebhookStage()
        try await stage.receive(["400", "200"])
        let webhook = stage.webhook()
        defer { webhook.stop() }
        webhook.configure(stage.configuration())
        await stage.begins()
        stage.end(1...3)
        stage.somethingEnded()
        #expect(await stage.keeps("\"cursor\":3"))
        let lines = try await stage.lines(4)
        #expect(lines.map { $0.events.map(\.id) } == [["1", "2", "3"], ["1"], ["2"], ["3"]])
        #expect(webhook.status.leftOut == 0)
    }

    @Test("A receiver that asks for more time than there is waits an hour, and that is told")
    func absurdRetryAfter() async throws {
        let stage = try WebhookStage()
        try await stage.receive(["429/99999999999999999999"])
        let webhook = stage.webhook()
        defer { webhook.stop() }
        webhook.configure(stage.configuration())
        await stage.begins()
        stage.end(1...1)
        stage.somethingEnded()
        try await waitWhile { webhook.status.lastError == nil }
        #expect(webhook.status.lastError?.contains("asked for more than an hour") == true)
        #expect((webhook.status.wait ?? 0) > 3000)
    }

    @Test("After a restart the request goes out under the same name, with what it had")
    func restart() async throws {
        let stage = try WebhookStage()
        try await stage.receive(["503"])
        let first = stage.webhook()
        first.configure(stage.configuration())
        await stage.begins()
        stage.end(1...2)
        stage.somethingEnded()
        _ = try await stage.lines(1)
        first.stop()
        stage.end(3...4)
        try await stage.receive(["200"])
        let second = stage.webhook()
        defer { second.stop() }
        second.configure(stage.configuration())
        #expect(await stage.keeps("\"cursor\":4"))
        let lines = try await stage.lines(3)
        let names = lines.map(\.id)
        #expect(Set(names).count == 2 && Set(names.dropLast()).count == 1)
        #expect(lines.dropLast().allSatisfy { $0.events.map(\.id) == ["1", "2"] })
        #expect(lines.last?.events.map(\.id) == ["3", "4"])
    }

    @Test("410 stops it, over restarts too, until the settings are read again")
    func gone() async throws {
        let stage = try WebhookStage()
        try await stage.receive(["410", "200"])
        let first = stage.webhook()
        first.configure(stage.configuration())
        await stage.begins()
        stage.end(1...2)
        stage.somethingEnded()
        #expect(await stage.keeps("\"stopped\":true"))
        first.stop()
        let second = stage.webhook()
        defer { second.stop() }
        second.configure(stage.configuration())
        stage.end(3...3)
        stage.somethingEnded()
        // Settings that are read again before it has read what was kept are those of its beginning.
        try await waitWhile { second.status.state != .stopped }
        #expect(try await stage.lines(1).count == 1)
        second.configure(stage.configuration())
        #expect(await stage.keeps("\"cursor\":3"))
        #expect(try await stage.lines(3).map { $0.events.map(\.id) } == [["1", "2"], ["1", "2"], ["3"]])
    }

    @Test("A receiver that hangs has ten seconds, and holds up nothing but itself", .timeLimit(.minutes(1)))
    func hangs() async throws {
        let stage = try WebhookStage()
        try await stage.receive(["hang", "200"])
        let webhook = stage.webhook()
        defer { webhook.stop() }
        webhook.configure(stage.configuration())
        await stage.begins()
        stage.end(1...1)
        stage.somethingEnded()
        let begin = ContinuousClock.now
        #expect(try await stage.lines(2).count == 2)
        #expect(.now - begin > .seconds(9))
    }

    @Test("An answer goes by its status, however long its body is")
    func endless() async throws {
        let stage = try WebhookStage()
        try await stage.receive(["200/endless", "500/endless", "204"])
        let webhook = stage.webhook()
        defer { webhook.stop() }
        webhook.configure(stage.configuration())
        await stage.begins()
        stage.end(1...2)
        stage.somethingEnded()
        #expect(await stage.keeps("\"cursor\":2"))
        stage.end(3...3)
        stage.somethingEnded()
        #expect(await stage.keeps("\"cursor\":3"))
        #expect(try await stage.lines(3).map { $0.events.map(\.id) } == [["1", "2"], ["3"], ["3"]])
    }

    @Test("An answer whose body trickles is known by its status when its time is up", .timeLimit(.minutes(1)))
    func trickling() async throws {
        let stage = try WebhookStage()
        try await stage.receive(["200/endless/0.5", "200"])
        let webhook = stage.webhook()
        defer { webhook.stop() }
        webhook.configure(stage.configuration())
        await stage.begins()
        stage.end(1...1)
        stage.somethingEnded()
        #expect(await stage.keeps("\"cursor\":1"))
        #expect(webhook.status.lastError == nil)
        #expect(try await stage.lines(1).count == 1)
    }

    @Test("Nothing is sent into a network that is denied")
    func denied() async throws {
        let stage = try WebhookStage()
        try await stage.receive(["200"])
        let webhook = stage.webhook()
        defer { webhook.stop() }
        webhook.configure(stage.configuration(denied: ["127.0.0.0/8"]))
        await stage.begins()
        stage.end(1...1)
        stage.somethingEnded()
        #expect(await stage.keeps("\"id\":\"msg_"))
        webhook.configure(stage.configuration())
        #expect(await stage.keeps("\"cursor\":1"))
        #expect(try await stage.lines(1).count == 1)
    }

    @Test("A connection that is still there isn't used once its network is denied", .timeLimit(.minutes(1)))
    func deniedConnection() async throws {
        let stage = try WebhookStage()
        try await stage.receive(["200"])
        let webhook = stage.webhook()
        defer { webhook.stop() }
        webhook.configure(stage.configuration())
        await stage.begins()
        stage.end(1...1)
        stage.somethingEnded()
        #expect(await stage.keeps("\"cursor\":1"))
        webhook.configure(stage.configuration(denied: ["127.0.0.0/8"]))
        stage.end(2...2)
        stage.somethingEnded()
        while webhook.status.lastError == nil, webhook.status.delivered < 2 {
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(webhook.status.lastError?.contains("denied") == true)
        #expect(try await stage.lines(1).count == 1)
        webhook.configure(stage.configuration())
        #expect(await stage.keeps("\"cursor\":2"))
        #expect(try await stage.lines(2).map { $0.events.map(\.id) } == [["1"], ["2"]])
    }

    @Test("State that can't be read is waited for, and nothing that was pending is lost by that")
    func unreadableState() async throws {
        let stage = try WebhookStage()
        try await stage.receive(["503"])
        let first = stage.webhook()
        first.configure(stage.configuration())
        await stage.begins()
        stage.end(1...2)
        stage.somethingEnded()
        let id = try #require(try await stage.lines(1).first?.id)
        first.stop()
        // A link is nothing that a webhook has written, and it follows none.
        let (state, kept) = (stage.directory.path("state"), stage.directory.path("kept"))
        #expect(rename(state, kept) == 0 && symlink(kept, state) == 0)
        try await stage.receive(["200"])
        let second = stage.webhook()
        defer { second.stop() }
        second.configure(stage.configuration())
        try await waitWhile { second.status.lastError == nil }
        #expect(second.status.state == .waiting && second.status.lastError?.contains("can't be read") == true)
        #expect(rename(kept, state) == 0)
        second.configure(stage.configuration())
        #expect(await stage.keeps("\"cursor\":2"))
        #expect(try await stage.lines(2).allSatisfy { $0.id == id && $0.events.map(\.id) == ["1", "2"] })
    }

    @Test("State that can't be written is waited for, and told of, as is the end of that, once each")
    func unwritableState() async throws {
        let stage = try WebhookStage()
        try await stage.receive(["200"])
        let webhook = stage.webhook()
        defer { webhook.stop() }
        webhook.configure(stage.configuration())
        await stage.begins()
        // The name that it is written under first is taken by what can't be written.
        let obstacle = try stage.directory.directory("state.new")
        stage.end(1...1)
        stage.somethingEnded()
        try await waitWhile { webhook.status.lastError == nil }
        #expect(webhook.status.lastError?.contains("can't be written") == true)
        #expect(rmdir(obstacle) == 0)
        webhook.configure(stage.configuration())
        #expect(await stage.keeps("\"cursor\":1"))
        stage.end(2...2)
        stage.somethingEnded()
        #expect(await stage.keeps("\"cursor\":2"))
        #expect(
            stage.log.lines.withLock(\.self) == [
                "the webhook waits: what is kept of the webhook can't be written: Is a directory",
                "the webhook goes on",
            ]
        )
    }

    @Test("Whoever ends it waits for no receiver", .timeLimit(.minutes(1)))
    func ends() async throws {
        let stage = try WebhookStage()
        try await stage.receive(["hang"])
        let webhook = stage.webhook()
        webhook.configure(stage.configuration())
        await stage.begins()
        stage.end(1...1)
        stage.somethingEnded()
        #expect(try await stage.lines(1).count == 1)
        webhook.stop()
        await webhook.thread.waitForEnd()
        // A receiver that had been waited for would have failed.
        #expect(webhook.status.failed == 0 && webhook.status.delivered == 0)
    }

    @Test("Damaged state is set aside, and the receiver is told of a gap")
    func damagedState() async throws {
        let stage = try WebhookStage()
        try await stage.receive(["200"])
        stage.end(1...5)
        try stage.directory.write(Array("{".utf8), to: "state")
        let webhook = stage.webhook()
        defer { webhook.stop() }
        webhook.configure(stage.configuration())
        #expect(await stage.keeps("\"cursor\":5"))
        #expect(try await stage.lines(1).map { $0.events.map(\.id) } == [["gap-5"]])
        #expect(try stage.directory.read("state.damaged") == Array("{".utf8))
        stage.end(6...6)
        stage.somethingEnded()
        #expect(try await stage.lines(2).last?.events.map(\.id) == ["6"])
    }
}
