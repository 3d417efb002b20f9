import TestSupport
import Testing

/// The way by which tortured daemons come to an origin's files: directly, or through an nginx before it that answers
/// many requests over one connection.
struct TortureDoor: Sendable {
    /// The most connections that a daemon may have to it, and the most requests at once.
    private static let connections = 6
    private static let streams = 32

    private let origin: Origin
    private let front: (server: NginxServer, certificate: TestCertificate)?

    /// True if this machine has what a shared door takes.
    static var canBeShared: Bool { NginxServer.executable != nil && TestCertificate.isPossible }

    /// - Parameter isShared: True for an nginx that speaks HTTP/2, and hands on what it is asked as it is asked.
    init(to origin: Origin, isShared: Bool) throws {
        self.origin = origin
        guard isShared else {
            front = nil
            return
        }
        let certificate = try TestCertificate()
        let server = try NginxServer.start(
            location: """
                proxy_pass http://127.0.0.1:\(origin.port); proxy_http_version 1.1; proxy_buffering off;
                proxy_next_upstream off;
                """,
            server: "http2_max_concurrent_streams 128;",
            certificate: (certificate.file, certificate.key)
        )
        front = (server, certificate)
    }

    /// True if requests share connections there.
    var isShared: Bool { front != nil }

    /// What a daemon has to be told for it.
    var settings: [String: String] {
        guard let front else {
            // All files are of one host: with room for the segments of some of them.
            return ["FACEFETCH_TRANSFER_PER_HOST": "64"]
        }
        return [
            "FACEFETCH_TRANSFER_PER_HOST": String(Self.connections),
            "FACEFETCH_TRANSFER_STREAMS": String(Self.streams),
            "FACEFETCH_TRANSFER_CA_FILE": front.certificate.file,
        ]
    }

    func url(_ path: String) -> String { front?.server.url(path) ?? origin.url(path) }

    func close() { front?.server.stop() }
}

extension Torture {
    /// Returns the number of small files that were under way at the last kill.
    func countUnderWay() -> Int {
        guard let kill = kills.last else { return 0 }
        return files.files.filter { !$0.isLarge }.reduce(0) { sum, file in
            sum + origin.requests("/" + file.name).count { $0.came <= kill && ($0.ended ?? .now) > kill }
        }
    }

    /// Where requests share connections, some kill met more of them than there may be connections.
    func checkStreams() {
        guard door.isShared else { return }
        #expect((underWay.max() ?? 0) > 6, "at no kill were many requests under way: \(underWay)")
    }
}
