import FoundationEssentials
import Glibc
import SmallFiles

/// The file with what a webhook keeps over restarts: a line of JSON, and the body of the pending request.
struct WebhookFile {
    /// The first line of the file.
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

    /// The path of the file.
    let path: String

    /// The path under which a damaged file is set aside.
    var damagedPath: String { path + ".damaged" }

    /// Returns what was kept, and for which receiver; nil if nothing was.
    func read() throws(Failure) -> (url: String, machine: WebhookMachine)? {
        guard let bytes = try bytes() else { return nil }
        return try Self.content(bytes)
    }

    /// Returns what a file's bytes say.
    static func content(_ bytes: [UInt8]) throws(Failure) -> (url: String, machine: WebhookMachine) {
        guard let end = bytes.firstIndex(of: 0x0A),
            let head = try? JSONDecoder().decode(Head.self, from: Data(bytes[..<end]))
        else { throw .damaged }
        guard head.isPossible else { throw .damaged }
        var request: WebhookRequest?
        if let id = head.id {
            guard let through = head.through, let count = head.count else { throw .damaged }
            request = WebhookRequest(
                id: id,
                through: through,
                count: count,
                gap: head.gap,
                body: Array(bytes[(end + 1)...])
            )
        }
        let machine = WebhookMachine(
            cursor: head.cursor,
            told: head.told,
            request: request,
            isStopped: head.stopped
        )
        return (head.url, machine)
    }

    /// Gives a damaged file another name, too.
    ///
    /// It keeps its own until it is replaced, so that a kill before that loses nothing of what must be said.
    func setAside() throws(Failure) {
        unlink(damagedPath)
        guard link(path, damagedPath) == 0 || rename(path, damagedPath) == 0 else { throw .system(errno) }
    }

    /// Returns the file's bytes; nil if there is none.
    private func bytes() throws(Failure) -> [UInt8]? {
        do throws(FileFailure) {
            return try WholeFile.bytes(path, atMost: .max, [.isNoLink])
        } catch .system(ENOENT) {
            return nil
        } catch {
            throw .system(error.number)
        }
    }

    /// Keeps the machine's state, so that it survives a power cut.
    func write(_ machine: WebhookMachine, url: String) throws(FileFailure) {
        guard let bytes = Self.bytes(of: machine, url: url) else { throw FileFailure.system(EINVAL) }
        try KeptFile.write(bytes, to: path)
    }

    /// Returns the bytes of a file with the machine's state; nil if it has none.
    static func bytes(of machine: WebhookMachine, url: String) -> [UInt8]? {
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

    /// Removes the file.
    func remove() { unlink(path) }

    /// The reason why the file can't be read.
    enum Failure: Error, Hashable, CustomStringConvertible {
        /// The system's error number.
        case system(Int32)
        /// The file's content makes no sense.
        case damaged

        /// The end of a sentence.
        var description: String {
            switch self {
            case .system(let number): String(cString: strerror(number))
            case .damaged: "it is damaged"
            }
        }
    }
}
