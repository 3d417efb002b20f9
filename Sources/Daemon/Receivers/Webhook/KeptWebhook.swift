import FoundationEssentials

/// The state that a webhook keeps over restarts: a line of JSON, and the body of the pending request.
struct KeptWebhook {
    /// The first line.
    private struct Head: Codable {
        var url: String
        var cursor: Int64
        var told: Int64
        var stopped: Bool
        var id: String?
        var through: Int64?
        var count: Int?
        var gap: Int64?

        /// True if the daemon can have written it: numbers of endings are never below zero, and a request has
        /// so many endings at most, and an id that is a word.
        var isPossible: Bool {
            let numbers = [cursor, told, through ?? 0, gap ?? 0]
            let isWord = (id ?? "msg_").utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x5F
            }
            return numbers.allSatisfy { $0 >= 0 } && (0...WebhookRequest.maximumCount).contains(count ?? 0)
                && isWord && (id ?? "msg_").utf8.count <= 100 && id != ""
        }
    }

    /// The most bytes that are read: far more than a request has (``WebhookRequest/maximumLength``), also one of a
    /// single job with very many faces.
    static let longest = 256 << 20

    /// The receiver's URL.
    let url: String
    /// The state of delivery.
    let machine: WebhookMachine

    init(url: String, machine: WebhookMachine) { (self.url, self.machine) = (url, machine) }

    /// Reads what was kept; nil for bytes that make no sense.
    init?(_ bytes: [UInt8]) {
        guard let end = bytes.firstIndex(of: 0x0A),
            let head = try? JSONDecoder().decode(Head.self, from: Data(bytes[..<end])), head.isPossible
        else { return nil }
        var request: WebhookRequest?
        if let id = head.id {
            guard let through = head.through, let count = head.count else { return nil }
            request = WebhookRequest(
                id: id,
                through: through,
                count: count,
                gap: head.gap,
                body: Array(bytes[(end + 1)...])
            )
        }
        url = head.url
        machine = WebhookMachine(
            cursor: head.cursor,
            told: head.told,
            request: request,
            isStopped: head.stopped
        )
    }

    /// The bytes to keep; nil if there are none.
    var bytes: [UInt8]? {
        let head = Head(
            url: url,
            cursor: machine.cursor,
            told: machine.told,
            stopped: machine.isStopped,
            id: machine.keptRequest?.id,
            through: machine.keptRequest?.through,
            count: machine.keptRequest?.count,
            gap: machine.keptRequest?.gap
        )
        guard let line = try? JSONEncoder().encode(head) else { return nil }
        return Array(line) + [0x0A] + (machine.keptRequest?.body ?? [])
    }
}
