import JobCore
import JobModel
import Vocabulary

/// The end of a transfer of which it isn't known yet whether its host is to blame, or a part of the line.
struct Undecided {
    var job: JobID
    var end: TransferReport
    var failure: JobFailure
    var host: String
    /// The part of the line that is missing if it isn't the host's own fault.
    var part: LinePatience.Part
    var at: Moment
    /// The page that came; nil where the host couldn't be reached.
    var sign: PortalSign?
}

extension PatienceWork {
    /// Notes that a host couldn't be reached, which may be the fault of a part of the line; nil until that is known.
    mutating func miss(
        _ host: String,
        _ part: LinePatience.Part,
        _ report: TransferReport,
        _ failure: JobFailure,
        of job: JobID,
        now: Moment
    ) -> AttemptFault? {
        // Whoever has led there was reached.
        if url(of: job)?.hostKey != host {
            heard(job, now: now)
        } else {
            bench.queues.transfers.broughtNothing(job, now: now)
        }
        bench.queues.transfers.missed(host, now: now)
        if bench.queues.transfers.line.outage != nil { return shared(job, now: now) }
        undecided.append(
            Undecided(job: job, end: report, failure: failure, host: host, part: part, at: now)
        )
        return nil
    }

    /// Notes a page that came instead of a picture, which may be a portal's; nil until that is known.
    mutating func page(
        _ address: String?,
        _ report: TransferReport,
        _ failure: JobFailure,
        of job: JobID,
        now: Moment
    ) -> AttemptFault? {
        guard let url = url(of: job), address == nil || bench.queues.transfers.hasSeveralHosts else {
            answered(job, now: now)
            return .own
        }
        if isPortal {
            pagedAt = now
            return missAtPortal(url.hostKey, of: job, now: now)
        }
        let sign = PortalSign(host: url.hostKey, address: address)
        undecided.append(
            Undecided(
                job: job,
                end: report,
                failure: failure,
                host: url.hostKey,
                part: .portal,
                at: now,
                sign: sign
            )
        )
        return nil
    }

    /// Notes that a portal has answered for a host.
    mutating func missAtPortal(_ host: String, of job: JobID, now: Moment) -> AttemptFault {
        bench.queues.transfers.missed(host, now: now)
        return shared(job, now: now)
    }

    /// True if a portal answers.
    var isPortal: Bool { bench.queues.transfers.line.outage?.part == .portal }

    /// The seconds after a portal's last page for which what else goes wrong is taken for its work: two rounds of probes.
    private static let portalMemory = 2 * LinePatience.intervals.upperBound

    /// Returns whether a portal answers, or what came lately may be a portal's.
    ///
    /// Behind the login there may be nothing left but a host that is really away.
    func mayBePortal(now: Moment) -> Bool {
        guard isPortal else { return undecided.contains { $0.sign != nil } }
        return pagedAt.map { now.seconds(since: $0) < Self.portalMemory } ?? false
    }

    /// The moment at which something is to be decided that isn't known yet.
    var decidesAt: Moment? { undecided.first?.at.adding(seconds: LinePatience.quiet) }

    /// Decides about hosts that couldn't be reached, or sent pages: they are to blame themselves if something else has
    /// come from another one since, or if no other was tried in vain, and the line if nothing has come for a moment;
    /// passes on the reports that waited for that.
    mutating func decide(
        now: Moment,
        _ pass: (TransferReport, JobID, AttemptFault) throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        while let first = undecided.first {
            guard let fault = fault(of: first, now: now) else { return }
            undecided.removeFirst()
            if first.sign != nil, fault == .own { settle(first, now: now) }
            try pass(first.end, first.job, fault)
        }
    }

    /// Returns whose fault an attempt is; nil until that is known.
    private mutating func fault(of first: Undecided, now: Moment) -> AttemptFault? {
        if bench.queues.transfers.line.hasHeard(since: first.at) { return .own }
        let isKnown = first.sign == nil ? bench.queues.transfers.line.outage != nil : isPortal
        if !isKnown {
            guard now.seconds(since: first.at) >= LinePatience.quiet else { return nil }
            let signs = undecided.compactMap(\.sign)
            if first.sign != nil {
                guard PortalSign.showPortal(signs) else { return .own }
            } else if bench.queues.transfers.line.isAlone(first.host, now: now) {
                let isOwn = url(of: first.job)?.hostKey == first.host
                return isOwn ? fail(first.host, first.failure, of: first.job, now: now) : .own
            }
            bench.queues.transfers.beginOutage(
                of: first.part,
                reason: first.failure.message,
                since: first.at,
                now: now
            )
            if isPortal { pagedAt = now }
            for sign in signs where isPortal { bench.queues.transfers.missed(sign.host, now: now) }
        }
        return shared(first.job, now: now)
    }

    /// Notes that a page was its host's own answer.
    ///
    /// It says nothing of the line, where others may still turn out to have got a portal's, but that it isn't silent.
    private mutating func settle(_ page: Undecided, now: Moment) {
        if bench.queues.transfers.line.outage != nil { heard(page.job, now: now) }
        bench.queues.transfers.hostAnswered(page.host, job: page.job, now: now)
        forgive(page.host)
    }
}
