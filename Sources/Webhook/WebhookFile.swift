import CurlTransfer
import FoundationEssentials
import Glibc

/// The file with what a webhook keeps over restarts: a line of JSON, and the body of the pending request.
struct WebhookFile {
    /// The first line of the file.
    private struct Head: Codable {
        var url: String
        var cursor: Int64
        var stopped: Bool
        var id: String?
        var through: Int64?
        var count: Int?
    }

    /// The path of the file.
    let path: String

    /// Returns what was kept, and for which receiver; nil if there is nothing, or if it can't be read.
    func read() -> (url: String, machine: WebhookMachine)? {
        guard let bytes = try? Data(contentsOf: URL(filePath: path)), let end = bytes.firstIndex(of: 0x0A),
            let head = try? JSONDecoder().decode(Head.self, from: Data(bytes[..<end]))
        else { return nil }
        var request: WebhookRequest?
        if let id = head.id, let through = head.through, let count = head.count {
            request = WebhookRequest(id: id, through: through, count: count, body: Array(bytes[(end + 1)...]))
        }
        let machine = WebhookMachine(cursor: head.cursor, request: request, isStopped: head.stopped)
        return (head.url, machine)
    }

    /// Keeps the machine's state, so that it survives a power cut.
    ///
    /// - Throws: ``KeptFile/Failure``
    func write(_ machine: WebhookMachine, url: String) throws(KeptFile.Failure) {
        let head = Head(
            url: url,
            cursor: machine.cursor,
            stopped: machine.isStopped,
            id: machine.request?.id,
            through: machine.request?.through,
            count: machine.request?.count
        )
        guard let line = try? JSONEncoder().encode(head) else { throw KeptFile.Failure(number: EINVAL) }
        try KeptFile.write(Array(line) + [0x0A] + (machine.request?.body ?? []), to: path)
    }

    /// Removes the file.
    func remove() { unlink(path) }
}
