import Dispatch
import Synchronization

/// Writes the sidecars of pictures as they are looked at.
///
/// It works on a queue of its own, reads the store by a number that it keeps over restarts, and nobody
/// waits for it. What happens while it is switched off is left to `facefetch export --format xmp`.
public final class SidecarFollower: Sendable {
    private struct State {
        var machine = SidecarMachine()
        /// Folders with sidecars whose names aren't synced yet.
        var folders: Set<String> = []
        var lastWait: String?
        var leastFree: Int64 = 0
        var hasStarted = false
        /// Counts the waits, of which only the latest counts.
        var alarm = 0
        var isStopped = false
    }

    private let queue = DispatchQueue(label: "facefetch.sidecars", qos: .utility)
    private let state = Mutex(State())
    private let place = SidecarPlace(temporaryName: ".facefetch-sidecar")
    private let cursor: SidecarCursor
    private let documents: String
    private let freeBytes: @Sendable () -> Int64?
    private let obstacle: @Sendable () -> String?
    private let whenStarted: @Sendable (SidecarFollower) -> Void
    private let report: @Sendable (SidecarReport) -> Void
    private let isDocument: @Sendable (_ path: String) throws -> Bool
    private let source: SidecarSource

    /// Creates a follower that is switched off.
    ///
    /// - Parameters:
    ///   - cursorPath: The file that keeps how far it is.
    ///   - documents: The documents directory.
    ///   - freeBytes: Returns the free space of the documents' disk; nil if unknown.
    ///   - obstacle: Returns why nothing may be written now, or can be found; nil if there is no such reason.
    ///   - whenStarted: Called once, when it is switched on for the first time.
    ///   - report: Called with what people should know, on the queue.
    ///   - isDocument: Returns whether a file with the name of a sidecar is the document of some job.
    ///   - source: Returns what was looked at.
    public init(
        cursorPath: String,
        documents: String,
        freeBytes: @escaping @Sendable () -> Int64?,
        obstacle: @escaping @Sendable () -> String? = { nil },
        whenStarted: @escaping @Sendable (SidecarFollower) -> Void = { _ in },
        report: @escaping @Sendable (SidecarReport) -> Void,
        isDocument: @escaping @Sendable (_ path: String) throws -> Bool,
        source: @escaping SidecarSource
    ) {
        cursor = SidecarCursor(path: cursorPath)
        self.documents = documents
        self.freeBytes = freeBytes
        self.obstacle = obstacle
        self.whenStarted = whenStarted
        self.report = report
        self.isDocument = isDocument
        self.source = source
    }

    /// Switches sidecars on, leaving at least so many bytes free on the disk, or off with nil.
    ///
    /// Once switched on, it begins with what is looked at from then on, or continues after a restart. What
    /// waits is tried at once.
    public func configure(leastFree: Int64?) {
        queue.async { [self] in
            guard let leastFree else {
                state.withLock { $0.machine.end() }
                return cursor.remove()
            }
            let (isOn, isFirst) = state.withLock { state in
                defer { (state.leastFree, state.hasStarted) = (leastFree, true) }
                return (state.machine.isOn, !state.hasStarted)
            }
            if isFirst { whenStarted(self) }
            if isOn {
                state.withLock { $0.machine.goOn() }
            } else {
                place.clean(folder: documents)
                state.withLock { $0.machine.begin() }
            }
            work()
        }
    }

    /// Notes that a document may have been looked at.
    public func somethingEnded() {
        queue.async { [self] in
            state.withLock { $0.machine.somethingEnded() }
            work()
        }
    }

    /// Stops after the sidecar that is being written; the next start goes on there.
    public func stop() async {
        state.withLock { $0.isStopped = true }
        await settle()
    }

    /// Waits until the queue has done what was asked of it before.
    func settle() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    /// Takes steps until there is something to wait for; on the queue only.
    private func work() {
        while true {
            let step = state.withLock { state in
                state.isStopped ? .rest : state.machine.next(now: Self.now())
            }
            switch step {
            case .load: load()
            case .put(let item): put(item)
            case .keep(let number): keep(number)
            case .read(let number): return ask(after: number)
            case .wait(let seconds): return wake(after: seconds)
            case .rest: return
            }
        }
    }

    private func load() {
        do throws(SidecarFailure) {
            var kept: Int64?
            switch try cursor.read() {
            case .none: break
            case .number(let number): kept = number
            case .damaged:
                try cursor.setAside()
                report(.lost(path: cursor.damagedPath))
            }
            let goesOn = state.withLock { state in
                state.machine.loaded(kept)
                defer { state.lastWait = nil }
                return state.lastWait != nil
            }
            if goesOn { report(.goesOn) }
        } catch {
            wait("\(error.path) can't be read: \(error.words)")
        }
    }

    private func put(_ item: SidecarItem) {
        guard let job = item.job, job.detection?.isCounted == true else { return dealt(in: nil) }
        if let obstacle = obstacle() { return wait(obstacle) }
        let leastFree = state.withLock(\.leastFree)
        if let free = freeBytes(), free <= leastFree {
            return wait("the documents' disk has no more free space than disk.reserve")
        }
        do {
            let outcome = try place.put(job, unless: isDocument)
            // Nobody has removed a document when none can be found.
            if case .leftAlone(.document) = outcome, let obstacle = obstacle() { return wait(obstacle) }
            if case .leftAlone(let reason) = outcome { report(.leftAlone(job, reason)) }
            dealt(in: outcome == .written || outcome == .removed ? job.path : nil)
        } catch let error as SidecarFailure {
            if error.mayPass { return wait("\(error.path) can't be written: \(error.words)") }
            report(.failed(job, error))
            dealt(in: nil)
        } catch {
            wait("the store can't be read: \(error)")
        }
    }

    private func dealt(in document: String?) {
        let goesOn = state.withLock { state in
            state.machine.dealt()
            if let document { state.folders.insert(place.folder(ofDocument: document)) }
            defer { if document != nil { state.lastWait = nil } }
            return document != nil && state.lastWait != nil
        }
        if goesOn { report(.goesOn) }
    }

    private func keep(_ number: Int64) {
        do throws(SidecarFailure) {
            for folder in state.withLock(\.folders) { try SidecarPlace.sync(folder: folder) }
            try cursor.keep(number)
            state.withLock { state in
                state.folders = []
                state.machine.kept(number)
            }
        } catch {
            wait("\(error.path) can't be written: \(error.words)")
        }
    }

    private func wait(_ reason: String) {
        let isNews = state.withLock { state in
            state.machine.putOff(now: Self.now())
            defer { state.lastWait = reason }
            return state.lastWait != reason
        }
        if isNews { report(.waits(reason: reason)) }
    }

    /// Has the store read, whose answer comes back to the queue.
    private func ask(after number: Int64?) {
        Task { [self] in
            let page: SidecarPage?
            do {
                page = try await source(number ?? .max, SidecarMachine.pageSize)
            } catch {
                page = nil
            }
            queue.async { [self] in
                state.withLock { $0.machine.read(page, now: Self.now()) }
                work()
            }
        }
    }

    private func wake(after seconds: Double) {
        let alarm = state.withLock { state in
            state.alarm += 1
            return state.alarm
        }
        queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
            guard let self, state.withLock({ $0.alarm == alarm }) else { return }
            work()
        }
    }

    /// Seconds of a steady clock.
    private static func now() -> Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }
}
