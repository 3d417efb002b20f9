import JobModel
import Vocabulary

@testable import JobEngine

/// Bodies, which arrive in pieces.
extension SimulatedTransfers {
    /// The longest body that stays in memory.
    private static let mostBuffered: Int64 = 128 << 10
    private static let room = BufferRoom(limit: .max)

    func accept(
        _ running: Running,
        _ start: TransferStart,
        _ file: ServerFile,
        _ breaks: (how: Reaction.Break, share: Double)?
    ) {
        running.file = file
        let begin = { [unowned self] in
            guard isUnderWay(running) else { return }
            guard open(running, start, file) else { return }
            report(running.job, .began(start))
            let rest = file.length - running.length
            let stop = breaks.map { running.length + Int64(Double(rest) * $0.share) }
            running.marked = running.length
            arrive(running, piece: max(1, rest / 8), stop: stop, breaks?.how)
        }
        guard case .restarted(let reason) = start.mode else { return begin() }
        running.afterConfirmation = begin
        report(running.job, .restarting(reason: reason))
    }

    /// Makes the partial ready; returns false if that ends the transfer.
    private func open(_ running: Running, _ start: TransferStart, _ file: ServerFile) -> Bool {
        running.length = start.offset
        let seconds = Double(file.length) / world.rate(of: running.url)
        running.isBuffered =
            running.request.mayBuffer && start.mode == .fresh && file.length <= Self.mostBuffered
            && seconds < 1
        if running.isBuffered { return true }
        guard case .resumed = start.mode else {
            world.disk.partials[running.job] = SimulatedDisk.Partial(
                inode: world.disk.makeInode(),
                version: file.version,
                whole: file.length,
                modified: world.now
            )
            return true
        }
        guard let partial = world.disk.partials[running.job], partial.length >= start.offset else {
            end(running, .interrupted(JobFailure(.storageLost, "the partial is gone"), retryAfter: nil))
            return false
        }
        if partial.version != file.version {
            world.promises.breaks(
                .wholeDocuments,
                "\(running.job) goes on with \(file.version) in a partial of \(partial.version)"
            )
        }
        world.disk.partials[running.job]?.length = start.offset
        return true
    }

    /// Brings the next piece of a body.
    private func arrive(_ running: Running, piece: Int64, stop: Int64?, _ how: Reaction.Break?) {
        guard let file = running.file else { return }
        let most = stop ?? file.length
        let next = min(most, running.length + piece)
        let seconds = Double(next - running.length) / world.rate(of: running.url)
        life.after(seconds) { [unowned self] in
            guard isUnderWay(running) else { return }
            if world.isLineDown {
                let failure = JobFailure(.stalled, "it sent almost nothing for too long")
                return life.after(Web.patience.body) { [unowned self] in
                    end(running, .interrupted(failure, retryAfter: nil))
                }
            }
            guard mayWrite(running, piece: piece, stop: stop, how) else { return }
            if next > running.length {
                running.length = next
                write(running)
                world.promises.places.brings(running, at: world.now)
                report(running.job, .progressed(bytes: next))
            }
            if next < most { return arrive(running, piece: piece, stop: stop, how) }
            if let how { return breakOff(running, how) }
            complete(running, file)
        }
    }

    /// Returns whether the disk takes what has arrived; it may only do so later, or never.
    private func mayWrite(_ running: Running, piece: Int64, stop: Int64?, _ how: Reaction.Break?) -> Bool {
        if running.isBuffered { return true }
        let disk = world.disk
        if life.isWritingHeld || world.seconds < disk.hangsUntil {
            life.after(max(1, disk.hangsUntil - world.seconds)) { [unowned self] in
                if isUnderWay(running) { arrive(running, piece: piece, stop: stop, how) }
            }
            return false
        }
        if world.seconds < disk.isReadOnlyUntil {
            end(
                running,
                .damaged(JobFailure(.storageError, "the partial can't be written: Read-only file system"))
            )
            return false
        }
        if world.seconds < disk.isFullUntil {
            end(running, .interrupted(JobFailure(.diskFull, "the disk is full"), retryAfter: nil))
            return false
        }
        return true
    }

    private func write(_ running: Running) {
        guard !running.isBuffered else { return }
        world.disk.partials[running.job]?.length = running.length
        world.disk.partials[running.job]?.modified = world.now
    }

    private func breakOff(_ running: Running, _ how: Reaction.Break) {
        switch how {
        case .lost:
            end(
                running,
                .interrupted(JobFailure(.connectionLost, "the connection was lost"), retryAfter: nil)
            )
        case .truncated:
            end(running, .interrupted(JobFailure(.truncated, "it ended the file early"), retryAfter: nil))
        case .stalled:
            let failure = JobFailure(.stalled, "it sent almost nothing for too long")
            life.after(Web.patience.body) { [unowned self] in
                end(running, .interrupted(failure, retryAfter: nil))
            }
        }
    }

    private func complete(_ running: Running, _ file: ServerFile) {
        guard file.length > 0 else {
            return end(
                running,
                .interrupted(JobFailure(.empty, "it sent a file without a byte"), retryAfter: nil)
            )
        }
        let isProven = world.tellsLengths(running.url)
        guard running.isBuffered else {
            return end(running, .completed(length: running.length, lengthProven: isProven))
        }
        let bytes = [UInt8](repeating: 0, count: Int(file.length))
        life.documents.expect(running.job, version: file.version)
        end(running, .buffered(BufferedBody(bytes, of: Self.room, taken: 0), lengthProven: isProven))
    }

    /// Writes what is in memory of a body that isn't whole to its partial.
    func spill(_ running: Running, _ end: TransferEnd) {
        guard running.isBuffered, running.length > 0, let file = running.file else { return }
        switch end {
        case .interrupted, .hindered, .stopped:
            world.disk.partials[running.job] = SimulatedDisk.Partial(
                inode: world.disk.makeInode(),
                length: running.length,
                version: file.version,
                whole: file.length,
                modified: world.now
            )
        case .completed, .buffered, .mustRestart, .damaged, .refused, .unsent: break
        }
    }
}
