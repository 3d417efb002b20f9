import TestSupport

extension Torture {
    /// Returns the number of times that a daemon fetched a large file in segments: parts of it, each with an
    /// end, were being sent at the same time.
    func countSegmented() -> Int {
        files.files.filter(\.isLarge).reduce(0) { sum, file in
            let parts = origin.requests("/" + file.name).filter { $0.range?.last != nil }
            // What a daemon asked for that was killed may still be on its way in the next one's time.
            let byDaemon = Dictionary(grouping: parts) { part in starts.lastIndex { $0 <= part.came } }
            return sum + byDaemon.values.count(where: Self.overlap)
        }
    }

    /// Returns what was asked and sent of a file, between the kills, for whoever looks for what was lost.
    func story(of file: TorturedFiles.File) -> String {
        let begun = starts.first ?? .now
        func seconds(_ time: ContinuousClock.Instant) -> String {
            String(((time - begun) / .milliseconds(10)).rounded() / 100)
        }
        let requests = origin.requests("/" + file.name).map { request in
            let range = request.range.map { "\($0.first)-\($0.last.map(String.init) ?? "")" } ?? "all"
            let end = request.ended.map(seconds) ?? "now"
            return (
                request.came, "\(range): \(request.bodyBytesSent) from \(seconds(request.came)) to \(end)"
            )
        }
        let deaths = kills.map { ($0, "killed at \(seconds($0))") }
        return (requests + deaths).sorted { $0.0 < $1.0 }.map(\.1).joined(separator: "; ")
            + "; of \(file.count)"
    }

    private static func overlap(_ parts: [OriginRequest]) -> Bool {
        var end: ContinuousClock.Instant?
        for part in parts.sorted(by: { $0.came < $1.came }) {
            if let end, part.came < end { return true }
            guard let ended = part.ended else {
                end = .now + .seconds(3600)
                continue
            }
            end = max(end ?? ended, ended)
        }
        return false
    }
}

/// Tells when a second part of a large file was asked for beside the first.
final class SegmentWatch: Sendable {
    private let sights: AsyncStream<Void>
    private let sight: AsyncStream<Void>.Continuation

    init() { (sights, sight) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    /// Takes a look at a request of a file.
    func note(_ request: OriginRequest, of file: TorturedFiles.File) {
        // The first stream, the first segment beside it, and this one.
        if file.isLarge, request.index >= 2, request.range?.last != nil { sight.yield() }
    }

    /// Waits for it, for a minute at the most.
    func sighted() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [sights] in for await _ in sights { break } }
            group.addTask { try? await Task.sleep(for: .seconds(60)) }
            await group.next()
            group.cancelAll()
        }
    }
}
