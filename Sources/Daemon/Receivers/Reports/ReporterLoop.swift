import CurlTransfer
import Glibc
import JobModel
import Logging
import SmallFiles
import Vocabulary

/// The work of the reporter's thread between two waits.
struct ReporterLoop: FollowerLoop {
    private let spool: ReportSpool
    private let logger: Logger
    private var configuration: ReportingConfiguration?
    private var queue = ReportQueue()
    private var allowance = ReportAllowance()
    /// Reports that could not be written: the disk may be what is broken.
    private var unwritten: [String: [UInt8]] = [:]
    /// The report that was sent last.
    private var sending: String?
    private var sent = 0
    private var dropped = 0
    private var lastComplaint: String?
    /// The failure to keep reports that people know of; nil while they can be kept.
    private var lack: FileFailure?
    /// The time in the name of the latest report.
    private var lastStamp = 0.0

    /// Creates a loop without a configuration.
    init(spool: ReportSpool, logger: Logger) { (self.spool, self.logger) = (spool, logger) }

    mutating func handle(_ mail: FollowerMail<ReportingConfiguration, ReporterNews>, now: Double) {
        let wall = Self.wall
        if let configuration = mail.configuration { configure(configuration, wall: wall) }
        if let stuck = mail.news.stuck, configuration != nil { mark(stuck) }
        dropped += mail.news.missed
        for sighting in mail.news.sightings { report(Self.fault(sighting), wall: wall) }
    }

    /// Unix time.
    private static var wall: Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private mutating func configure(_ newer: ReportingConfiguration?, wall: Double) {
        let wasOff = configuration == nil
        configuration = newer
        guard newer != nil else {
            if !wasOff { logger.notice("error reports are off") }
            (queue, unwritten) = (ReportQueue(), [:])
            return spool.removeAll()
        }
        queue.goOn()
        guard wasOff else { return }
        for (name, length) in spool.open() where !queue.add(name, length: length) {
            spool.remove(name)
            dropped += 1
        }
        allowance = spool.allowance
        guard let parts = spool.stuck else { return }
        report(.endedWhileStuck(parts), wall: wall)
        mark(nil)
    }

    private mutating func mark(_ parts: [Fault.Part]?) {
        do throws(FileFailure) { try spool.mark(parts) } catch { tell(error) }
    }

    private mutating func report(_ fault: Fault, wall: Double) {
        guard let configuration, fault.isOurs else { return }
        guard let repeats = allowance.ask(fault.fingerprint, now: wall) else {
            dropped += 1
            // How often is kept as well, so that the next report of it can say so.
            return keep()
        }
        let id = Self.newID()
        let report = Report(fault, id: id, time: wall, repeats: repeats, version: configuration.version)
        // Names are in order even if two faults are seen at once.
        lastStamp = max(wall, lastStamp + 0.001)
        let name = ReportSpool.name(id: id, time: lastStamp)
        guard let bytes = report.envelope, queue.add(name, length: bytes.count) else {
            dropped += 1
            return
        }
        var failure: FileFailure?
        do throws(FileFailure) { try spool.write(bytes, as: name) } catch {
            unwritten[name] = bytes
            failure = error
        }
        keep(beside: failure)
        logger.info("a report is made: \(fault.sentence)")
    }

    /// Keeps the allowance, beside a report that could not be kept if there is a failure.
    private mutating func keep(beside failure: FileFailure? = nil) {
        do throws(FileFailure) {
            try spool.keep(allowance)
            if failure == nil { try keepUnwritten() }
            tell(failure)
        } catch { tell(failure ?? error) }
    }

    /// Keeps the reports for which there was no room: a kill would lose them.
    private mutating func keepUnwritten() throws(FileFailure) {
        for (name, bytes) in unwritten {
            try spool.write(bytes, as: name)
            unwritten[name] = nil
        }
    }

    /// Tells people that nothing can be kept, or is again, once each.
    private mutating func tell(_ failure: FileFailure?) {
        guard failure != lack else { return }
        lack = failure
        if let failure {
            logger.error("error reports can't be kept: \(failure)")
        } else {
            logger.notice("error reports are kept again")
        }
    }

    mutating func step(now: Double) -> FollowerStep {
        while true {
            guard let configuration else { return .wait(seconds: nil) }
            switch queue.next(now: now) {
            case .wait(let seconds): return .wait(seconds: seconds)
            case .send(let name):
                if let bytes = unwritten[name] ?? spool.read(name) {
                    sending = name
                    return .send(configuration.post(bytes))
                }
                queue.lost(name)
                dropped += 1
            }
        }
    }

    mutating func answered(_ answer: PostAnswer, now: Double) {
        // Reports may have been turned off while it was on its way.
        guard let name = sending, queue.names.contains(name) else { return }
        let verdict = ReceiverVerdict(answer)
        queue.answered(name, verdict, now: now)
        switch verdict {
        case .taken:
            sent += 1
            if lastComplaint != nil { logger.notice("error reports are taken again") }
            lastComplaint = nil
        case .refused(let reason):
            dropped += 1
            complain("an error report was refused and is dropped: \(reason); check reporting.dsn")
        case .failed(let reason, _):
            complain("an error report was not taken: \(reason); it is tried again")
        }
        guard !queue.names.contains(name) else { return }
        spool.remove(name)
        unwritten[name] = nil
    }

    private mutating func complain(_ complaint: String) {
        if complaint != lastComplaint { logger.warning("\(complaint)") }
        lastComplaint = complaint
    }

    mutating func finish(now: Double) {
        // The daemon ends as it should, whatever was stuck before.
        if configuration != nil { mark(nil) }
    }

    func status(now: Double) -> ReportingStatus {
        ReportingStatus(
            state: configuration == nil ? .off : queue.isWaiting(now: now) ? .waiting : .delivering,
            sent: sent,
            dropped: dropped,
            lastError: configuration == nil ? nil : queue.lastError
        )
    }

    private static func fault(_ sighting: ReporterNews.Sighting) -> Fault {
        switch sighting {
        case .fault(let fault): fault
        case .child(let child, let end, let path):
            .childEnded(child, end, picture: path.flatMap(PictureFacts.init(path:)))
        }
    }

    /// Returns a unique id: 128 random bits in hexadecimal.
    private static func newID() -> String {
        (0..<2).map { _ in UInt64.random(in: .min ... .max).hexText }.joined()
    }
}

extension ReceiverVerdict {
    /// Judges an answer, or its absence.
    fileprivate init(_ answer: PostAnswer) {
        switch answer {
        case .status(let status, let retryAfter, let field):
            self.init(status: status, retryAfter: retryAfter, limits: field)
        case .failed(let reason): self = .failed(reason, pause: nil)
        }
    }
}

extension PictureFacts {
    /// Looks at the beginning of a document; nil if it is gone.
    fileprivate init?(path: String) {
        var status = stat()
        guard let file = try? OpenedFile(path, [.isRegular, .isNoLink]), fstat(file.descriptor, &status) == 0
        else { return nil }
        var pieces = Pieces(file.descriptor, ofAtMost: ReportedFormat.headLength)
        let head = (try? pieces.next()) ?? []
        self.init(format: ReportedFormat(head: Array(head)), bytes: Int64(status.st_size))
    }
}
