import CurlTransfer
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Receivers

/// A request as the receiver wrote it down.
struct DeliveredRequest: Decodable {
    var id: String
    var signature: String?
    var type: String
    var events: [Event]
    var verified: Verdict?
    var cloudevents: Int?

    struct Event: Decodable {
        var id: String
        var type: String

        init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            id = try values.decode(String.self)
            type = try values.decode(String.self)
        }
    }

    /// True, or the complaint.
    struct Verdict: Decodable, Equatable {
        var text: String

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            text = (try? value.decode(Bool.self)) == true ? "true" : try value.decode(String.self)
        }
    }
}

/// A receiver, what has ended, and a webhook between them.
final class WebhookStage: Sendable {
    let directory: TemporaryDirectory
    let endings = Mutex<[WebhookItem]>([])
    private let hearers = Mutex<[@Sendable () -> Void]>([])
    private let receiver: PostReceiver
    let log = NotedLog()

    init() throws {
        directory = try TemporaryDirectory()
        receiver = PostReceiver(in: directory)
    }

    /// Starts a receiver at the port of the one before.
    func receive(_ answers: [String], secret: String? = nil) async throws {
        #expect(try await receiver.start(answers, secret: secret))
    }

    func webhook() -> Webhook {
        let tell = { @Sendable [self] (hearer: @escaping @Sendable () -> Void) in
            hearers.withLock { $0.append(hearer) }
        }
        let followed = FollowedEndings<WebhookItem>(tell: tell) { [self] query in
            let all = endings.withLock { $0 }
            let behind = all.filter { $0.number > query.endedAfter }
            return FollowedPage(
                items: Array(behind.prefix(query.limit)),
                total: behind.count,
                oldest: 0,
                newest: all.last?.number ?? 0
            )
        }
        return Webhook(path: directory.path("state"), logger: log.logger, endings: followed)
    }

    /// Tells all webhooks that something may have ended.
    func somethingEnded() { for hearer in hearers.withLock(\.self) { hearer() } }

    func configuration(secrets: [String] = [], denied: [String] = []) -> WebhookConfiguration {
        WebhookConfiguration(
            url: "http://127.0.0.1:\(receiver.port)/hook",
            secrets: secrets.compactMap(WebhookSecret.init),
            endings: [.done],
            source: "//test/facefetch",
            deniedNetworks: denied.compactMap { NetworkRange($0) },
            userAgent: "test"
        )
    }

    func end(_ numbers: ClosedRange<Int64>) {
        endings.withLock { endings in
            endings += numbers.map {
                WebhookItem(
                    number: $0,
                    ending: "done",
                    job: $0,
                    time: nil,
                    json: Array(#"{"id":\#($0)}"#.utf8)
                )
            }
        }
    }

    /// Waits until the webhook has kept where it begins.
    func begins() async { #expect(await directory.appears("state")) }

    /// Waits for so many requests.
    func lines(_ count: Int) async throws -> [DeliveredRequest] {
        try await receiver.lines(count).map {
            try JSONDecoder().decode(DeliveredRequest.self, from: Data($0.utf8))
        }
    }

    /// Waits until what is kept has these words in its first line.
    func keeps(_ words: String) async -> Bool {
        let path = directory.path("state")
        return await FolderWatch.until(in: directory.path) {
            (try? String(contentsOfFile: path, encoding: .utf8))?.prefix { $0 != "\n" }.contains(words)
                == true
        }
    }
}
