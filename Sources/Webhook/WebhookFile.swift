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
    /// - Throws: ``Failure``
    func write(_ machine: WebhookMachine, url: String) throws(Failure) {
        let head = Head(
            url: url,
            cursor: machine.cursor,
            stopped: machine.isStopped,
            id: machine.request?.id,
            through: machine.request?.through,
            count: machine.request?.count
        )
        guard let line = try? JSONEncoder().encode(head) else { throw Failure(number: EINVAL) }
        let temporary = path + ".new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Failure(number: errno) }
        defer { close(descriptor) }
        try Self.write(Array(line) + [0x0A] + (machine.request?.body ?? []), to: descriptor)
        guard fsync(descriptor) == 0, rename(temporary, path) == 0 else { throw Failure(number: errno) }
        let directory = open(
            String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]),
            O_RDONLY | O_CLOEXEC
        )
        guard directory >= 0 else { throw Failure(number: errno) }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw Failure(number: errno) }
    }

    /// Removes the file.
    func remove() { unlink(path) }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EINTR else { throw Failure(number: errno) }
            rest = rest.dropFirst(max(0, count))
        }
    }

    /// The file can't be written.
    struct Failure: Error, CustomStringConvertible {
        /// The system's error number.
        var number: Int32
        /// The system's message.
        var description: String { String(cString: strerror(number)) }
    }
}
