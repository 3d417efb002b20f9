import Dispatch
import Glibc
import JobEngine
import JobModel
import Logging
import SmallFiles
import SourceCore

/// Watches one folder until its task is cancelled.
///
/// It lives in one task. What blocks is done on a queue of its own, since a network's file system may hang.
final class FolderRun {
    private let directory: String
    private let parts: WatchedFolderParts
    private let queue = DispatchQueue(label: "facefetch.watch")
    private var settling: Settling
    /// Taken files for which it isn't time yet.
    private var postponed: [Claim: Postponement] = [:]
    /// The number of times that the reader has failed at a taken file.
    private var crashes: [Claim: Int] = [:]
    private var added = AddedLists()
    /// The problem with the folder, as said last.
    private var trouble: FolderFailure?
    private var identity: [UInt64] = []
    private var changes: FolderChanges?
    private let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    /// The shortest time between two looks, for a folder in which very much happens.
    private static let pause = Duration.milliseconds(100)

    /// The number of times that the daemon may end while a file is read before that counts as the file's
    /// fault.
    private static let mostAttempts = 2

    /// The number of times that the reader may fail at a file before that counts as the file's fault.
    private static let patienceWithReaders = 3

    private struct Postponement {
        var until: SteadyTime
        var reason: String
    }

    init(directory: String, parts: WatchedFolderParts) {
        self.directory = directory
        self.parts = parts
        settling = Settling(patience: parts.configuration.patience)
    }

    func run() async {
        var iterator = wakes.makeAsyncIterator()
        while !Task.isCancelled {
            let seconds = min(await look(), parts.configuration.interval)
            let wake = wake
            let alarm = Task {
                try? await Task.sleep(for: .seconds(seconds))
                wake.yield()
            }
            defer { alarm.cancel() }
            // It returns when the task is cancelled, too.
            _ = await iterator.next()
            try? await Task.sleep(for: Self.pause)
        }
    }

    /// Looks at the folder once, and does what is to be done.
    ///
    /// - Returns: the seconds after which to look again.
    private func look() async -> Double {
        do throws(FolderFailure) {
            let directory = directory
            let desk = try await blocking { () throws(FolderFailure) in try FolderDesk(directory) }
            await follow(desk)
            for name in await takeBackGrown(desk) {
                parts.logger.notice(
                    "\(directory)/\(name.shown) has grown since it was added: its rest is added, too"
                )
            }
            let (files, claims) = try await blocking { () throws(FolderFailure) in try desk.look() }
            let now = parts.now().steady
            postponed = postponed.filter { claims.contains($0.key) }
            crashes = crashes.filter { claims.contains($0.key) }
            for claim in claims where postponed[claim].map({ $0.until <= now }) ?? true {
                await settle(claim, desk)
            }
            let (ready, next) = settling.look(at: files, now: parts.now().steady)
            // What can't be taken holds up nothing behind it.
            var failure: FolderFailure?
            for sighting in ready where !Task.isCancelled {
                do throws(FolderFailure) {
                    try await handle(sighting, desk)
                } catch {
                    failure = error
                }
            }
            complain(failure)
            return next ?? parts.configuration.interval
        } catch {
            complain(error)
            return parts.configuration.interval
        }
    }

    /// Gives lists that have grown since they were added their first names again, and returns those.
    private func takeBackGrown(_ desk: FolderDesk) async -> [EntryName] {
        let before = added
        let (after, names) = await onQueue {
            var lists = before
            let names = lists.look(desk.takeBack)
            return (lists, names)
        }
        added = after
        return names
    }

    private func handle(_ sighting: Sighting, _ desk: FolderDesk) async throws(FolderFailure) {
        let time = parts.now().wall
        let claim = try await blocking { () throws(FolderFailure) in try desk.claim(sighting, at: time) }
        if let claim { await settle(claim, desk) }
    }

    /// Follows the changes of the folder that is there now.
    private func follow(_ desk: FolderDesk) async {
        let now = desk.folder.identity
        guard now != identity || changes == nil else { return }
        identity = now
        let (directory, wake) = (directory, wake)
        changes = try? await blocking { () throws(FolderFailure) in
            FolderChanges(of: directory) { wake.yield() }
        }
    }

    /// Adds what was taken, and gives it its last name.
    private func settle(_ claim: Claim, _ desk: FolderDesk) async {
        let earlier: Int
        do throws(FolderFailure) {
            earlier = try await blocking { () throws(FolderFailure) in
                try desk.begin(claim, atMost: Self.mostAttempts)
            }
        } catch {
            return postpone(claim, because: "that it is read can't be noted (\(error.words))")
        }
        let outcome =
            earlier < Self.mostAttempts ? await outcome(of: claim, desk) : Self.givenUp(after: earlier)
        if await !settled(claim, desk, outcome) { await onQueue { desk.end(claim, earlier: earlier) } }
    }

    private static func givenUp(after attempts: Int) -> Outcome {
        .refused(
            "the daemon has ended \(attempts) times while it read or added this, so it is left alone: its log may "
                + "say why that was\nwhat was added of it stays; put it into the folder again to add all of it"
        )
    }

    /// Does with what was taken what came of it; false if it is still taken then.
    private func settled(_ claim: Claim, _ desk: FolderDesk, _ outcome: Outcome) async -> Bool {
        let name = claim.name.shown
        do throws(FolderFailure) {
            switch outcome {
            case .added(let words):
                try await blocking { () throws(FolderFailure) in try desk.finish(claim) }
                parts.logger.notice("\(directory)/\(name): added \(words)")
                return true
            case .refused(let reason):
                try await blocking { () throws(FolderFailure) in try desk.refuse(claim, because: reason) }
                let first = reason.split(separator: "\n").first.map(String.init) ?? reason
                parts.logger.warning("\(directory)/\(name) can't be added, and is in failed: \(first)")
                return true
            case .later(let reason): postpone(claim, because: reason)
            case .interrupted: break
            }
        } catch {
            postpone(claim, because: "its last name can't be given to it (\(error.words))")
        }
        return false
    }

    private func postpone(_ claim: Claim, because reason: String) {
        let until = parts.now().steady.adding(seconds: parts.configuration.interval)
        let isNew = postponed[claim]?.reason != reason
        postponed[claim] = Postponement(until: until, reason: reason)
        if isNew { parts.logger.warning("\(directory)/\(claim.name.shown) waits: \(reason)") }
    }

    private func complain(_ failure: FolderFailure?) {
        guard failure != trouble else { return }
        trouble = failure
        if let failure {
            parts.logger.error(
                "the watched folder \(directory) can't be used (\(failure.words)): what is put there waits"
            )
        } else {
            parts.logger.notice("the watched folder \(directory) can be used again")
        }
    }

    // MARK: - What a file is

    private func outcome(of claim: Claim, _ desk: FolderDesk) async -> Outcome {
        let path = "\(parts.configuration.pagesDirectory)/watch\(claim.folder.text)"
        let outcome = await outcome(of: claim, desk, copiedTo: path)
        await onQueue { _ = unlink(path) }
        return outcome
    }

    private func outcome(of claim: Claim, _ desk: FolderDesk, copiedTo path: String) async -> Outcome {
        let (limit, room, isOver) = (limit(of: claim), parts.room, Flag())
        let copied: Result<FileCopy.Copied, FileCopy.Failure> = await withTaskCancellationHandler {
            await onQueue {
                do throws(FileCopy.Failure) {
                    return .success(
                        try desk.copy(claim, to: path, limit: limit, room: room) { isOver.isRaised }
                    )
                } catch {
                    return .failure(error)
                }
            }
        } onCancel: {
            isOver.raise()
        }
        let copy: FileCopy.Copied
        do throws(FileCopy.Failure) { copy = try copied.get() } catch {
            return Outcome(error, of: EntryKind(claim.name), limit: limit)
        }
        guard !Task.isCancelled else { return .interrupted }
        switch EntryKind(claim.name) {
        case .recipe: return await apply(claim, at: path)
        case .list(let kind): return await add(claim, kind, at: path, copy)
        case nil: return .refused("its name says that it is neither a list nor a recipe")
        }
    }

    private func limit(of claim: Claim) -> Int64 {
        EntryKind(claim.name) == .recipe
            ? Int64(RecipeRequest.maximumLength) : parts.configuration.largestList
    }

    private func add(
        _ claim: Claim,
        _ kind: String,
        at path: String,
        _ copy: FileCopy.Copied
    ) async -> Outcome {
        let list = ListedJobs(reader: parts.reader, kind: kind, path: path)
        do {
            let intake = ListIntake(
                control: parts.control,
                list: list,
                claim: claim,
                owner: copy.owner,
                most: parts.configuration.largestBatch,
                known: added.count(of: copy.mark)
            )
            let (outcome, count) = try await intake.add()
            if case .added = outcome { added.add(AddedList(claim.name, copy, count: count)) }
            return outcome
        } catch let refusal as ListedJobs.Refusal {
            // A reader that was ended with the daemon says nothing about the list.
            guard !Task.isCancelled else { return .interrupted }
            return refusal.isReaders ? readerFailed(claim, refusal.words) : .refused(refusal.words)
        } catch let error as ControlError {
            return Outcome(error)
        } catch {
            return .interrupted
        }
    }

    private func apply(_ claim: Claim, at path: String) async -> Outcome {
        let name = claim.name.stem
        // The copy was made with this limit.
        let bytes = await onQueue {
            try? WholeFile.bytes(path, atMost: RecipeRequest.maximumLength, .isNoLink)
        }
        guard let text = bytes.flatMap({ String(validating: $0, as: UTF8.self) }) else {
            return .refused("it is no text in UTF-8")
        }
        let order = RecipeOrder(text, fallback: name, maySeeSecrets: false, asker: .folder)
        do throws(SourceRefusal) {
            let (source, isNew) = try await parts.sources.apply(order)
            return .added(isNew ? "as the source \(source.name)" : "to the source \(source.name)")
        } catch {
            if case .control(let error) = error { return Outcome(error) }
            if case .needsReset(let name) = error {
                return .refused(
                    "its list is not that of the source \(name): remove that (facefetch source remove \(name)), or "
                        + "apply the recipe by hand with --reset"
                )
            }
            guard !Task.isCancelled else { return .interrupted }
            if case .page(let failure) = error, [.readerCrashed, .readerTimedOut].contains(failure.code) {
                return readerFailed(claim, "it can't be read: \(failure.message)")
            }
            return .refused(error.words)
        }
    }

    /// Returns the outcome for a file at which the reader itself has failed, be it for the file or not.
    private func readerFailed(_ claim: Claim, _ words: String) -> Outcome {
        crashes[claim, default: 0] += 1
        return crashes[claim, default: 0] >= Self.patienceWithReaders ? .refused(words) : .later(words)
    }

    // MARK: - What blocks

    private func blocking<Value: Sendable>(
        _ body: @escaping @Sendable () throws(FolderFailure) -> Value
    ) async throws(FolderFailure) -> Value {
        let result: Result<Value, FolderFailure> = await onQueue {
            do throws(FolderFailure) { return .success(try body()) } catch { return .failure(error) }
        }
        return try result.get()
    }

    private func onQueue<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }
}
