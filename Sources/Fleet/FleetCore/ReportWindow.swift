/// The endings of a daemon that have been read and not yet dealt with.
///
/// They are read in the order of their numbers and dealt with in any: a large document that takes long to upload
/// holds nobody up. What is noted in the queue as read is what comes before the first that is left, so that
/// the others are read again after a crash.
public struct ReportWindow: Hashable, Sendable {
    /// The outcome of an upload.
    public enum Upload: Hashable, Sendable {
        /// The document is in the bucket.
        case stored
        /// The file is no longer what was stored.
        case changed
        /// It failed, and may succeed later.
        case failed
    }

    private enum Step: Hashable, Sendable {
        case waits(until: Duration, tries: Int)
        case isUploading(tries: Int)
        case isReady
    }

    private struct Entry: Hashable, Sendable {
        var number: Int64
        var ending: FleetEnding
        var step: Step
        /// Until when it isn't reported, because the database has refused it.
        var refusedUntil = Duration.zero
    }

    /// The most endings that are read ahead.
    public static let most = 2000
    /// The longest wait between two tries to upload a document.
    public static let longestWait = Duration.seconds(60)

    /// By ascending number.
    private var entries: [Entry] = []
    /// The number of the last ending that has been read.
    public private(set) var read: Int64

    /// A window behind a number.
    public init(behind number: Int64) { read = number }

    /// The number up to which everything has been dealt with.
    public var through: Int64 { entries.first.map { $0.number - 1 } ?? read }
    /// True if more may be read.
    public var hasRoom: Bool { entries.count < Self.most }
    /// True if nothing is left.
    public var isEmpty: Bool { entries.isEmpty }
    /// The number of documents that are still to be uploaded.
    public var uploadCount: Int { entries.count { $0.step != .isReady } }

    /// Returns whether endings were forgotten that haven't been read.
    ///
    /// - Parameter oldest: The number above which all are still known; nil if the daemon doesn't say.
    public func hasMissed(above oldest: Int64?) -> Bool { oldest.map { $0 > read } ?? false }

    /// Adds a page of endings.
    ///
    /// A job that has ended again is no longer what it was before.
    /// - Parameters:
    ///   - endings: Each with its number, in ascending order.
    ///   - last: The number of the last that was read, which may be of another's job.
    ///   - isUploaded: Whether the document of an ending has to be in a bucket before it is reported.
    public mutating func accept(
        _ endings: [(number: Int64, ending: FleetEnding)],
        through last: Int64,
        isUploaded: (FleetEnding) -> Bool
    ) {
        let new = Set(endings.map(\.ending.job))
        entries.removeAll { new.contains($0.ending.job) }
        for (number, ending) in endings where number > read {
            let needsUpload = ending.state == .done && ending.path != nil && isUploaded(ending)
            let step = needsUpload ? Step.waits(until: .zero, tries: 0) : .isReady
            entries.append(Entry(number: number, ending: ending, step: step))
        }
        read = max(read, last)
    }

    /// Returns documents to upload now, oldest first, so that at most so many are on their way.
    public mutating func uploads(at now: Duration, atMost most: Int) -> [FleetEnding] {
        var room = most - entries.count { if case .isUploading = $0.step { true } else { false } }
        var chosen: [FleetEnding] = []
        for index in entries.indices {
            guard room > 0 else { break }
            guard case .waits(let until, let tries) = entries[index].step, until <= now else { continue }
            entries[index].step = .isUploading(tries: tries)
            chosen.append(entries[index].ending)
            room -= 1
        }
        return chosen
    }

    /// Notes what has become of an upload.
    ///
    /// A document that is no longer what was stored goes back to the queue with its job.
    public mutating func uploaded(_ ending: FleetEnding, _ result: Upload, at now: Duration) {
        guard let index = entries.firstIndex(where: { $0.ending == ending }),
            case .isUploading(let tries) = entries[index].step
        else { return }
        switch result {
        case .stored: entries[index].step = .isReady
        case .changed:
            entries[index].step = .isReady
            entries[index].ending.state = .cancelled
        case .failed:
            let wait = min(Self.longestWait, .seconds(1 << min(tries, 10)))
            entries[index].step = .waits(until: now + wait, tries: tries + 1)
        }
    }

    /// Has all that waits for an upload, or is on its way, be given back as it is, because the node stops or no
    /// longer holds it.
    public mutating func giveUp(where isMeant: (FleetEnding) -> Bool) {
        for index in entries.indices where entries[index].step != .isReady {
            guard isMeant(entries[index].ending) else { continue }
            entries[index].step = .isReady
            entries[index].ending.state = .cancelled
        }
    }

    /// Returns what can be reported, oldest first.
    public func ready(atMost most: Int, at now: Duration = .zero) -> [FleetEnding] {
        Array(
            entries.lazy.filter { $0.step == .isReady && $0.refusedUntil <= now }.prefix(most).map(\.ending)
        )
    }

    /// Has an ending that was refused wait, so that it holds up no other.
    public mutating func postpone(_ ending: FleetEnding, until moment: Duration) {
        guard let index = entries.firstIndex(where: { $0.ending == ending }) else { return }
        entries[index].refusedUntil = moment
    }

    /// The jobs whose endings have been read and are still to be dealt with.
    public var jobs: Set<FleetJob> { Set(entries.map(\.ending.job)) }

    /// Notes that these have been reported, and that what had to be removed of them is.
    public mutating func finish(_ endings: [FleetEnding]) {
        let jobs = Set(endings.map(\.job))
        entries.removeAll { $0.step == .isReady && jobs.contains($0.ending.job) }
    }
}
