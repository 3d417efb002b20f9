import Dispatch
import Glibc
import JobModel
import Synchronization

/// Keeps the directories of documents and partials open, and compares them with their paths.
///
/// Somebody may move a directory away, delete it, replace it, or mount another one over it. What the daemon
/// then stored would be where nobody is told that it is. So work is done only while the paths lead where the
/// descriptors do; as soon as the path leads to a directory that can be used, that is opened in place of the
/// one before.
final class DocumentPlace: Sendable {
    private struct State {
        var folders: Folders
        /// The number of times that other directories were opened.
        var generation = 0
        /// The number of times that one of them was another directory of partials.
        var partialsGeneration = 0
        /// The number of threads at work in the directories.
        var inside = 0
        var hasEnded = false
    }

    /// The time and the result of the last look, locked while somebody looks.
    private struct Looks {
        var lastAt: UInt64?
        var trouble: String?
    }

    private let home: Directory
    private let move: Move
    private let hearers: DocumentHearers
    private let state: Mutex<State>
    private let looks = Mutex(Looks())

    /// Threads that want to work look no more often than this, in nanoseconds.
    private static let interval: UInt64 = 250_000_000

    /// Opens both directories, creating what is missing.
    init(state: String, documents: String, move: Move, hearers: DocumentHearers) throws(DocumentStoreError) {
        (self.move, self.hearers) = (move, hearers)
        let documents = try Directory(creating: documents, mode: 0o755)
        let folders = try Folders(documents: documents, state: state, move: move)
        // Now it exists.
        home = try Directory(creating: state, mode: 0o700)
        try PartialOrigin.settle(folders, in: home)
        for directory in [folders.documents, folders.partials] { Probe.clean(directory) }
        self.state = Mutex(State(folders: folders))
        DocumentOrigin(path: documents.path, stateDirectory: state).settle()
    }

    /// The directories as they are open now.
    var folders: Folders { state.withLock { $0.folders } }

    /// The number of times that other directories were opened in place of those before.
    var generation: Int { state.withLock(\.generation) }

    /// The number of times that another directory of partials was opened in place of the one before.
    var partialsGeneration: Int { state.withLock(\.partialsGeneration) }

    /// Returns why nothing may be stored, by looking where the paths lead; nil if all is well.
    ///
    /// This opens nothing.
    var trouble: String? {
        // The job store is in it as well, which is open and can't be replaced.
        if let words = home.whereabouts.trouble(orElse: "restart the daemon") {
            return "the state directory \(home.path) \(words)"
        }
        let folders = folders
        if let words = folders.documents.whereabouts.trouble(orElse: "make it again") {
            return "the documents directory \(folders.documents.path) \(words)"
        }
        if let words = folders.partials.whereabouts.trouble(orElse: "make it again") {
            return "the directory of unfinished files, \(folders.partials.path), \(words)"
        }
        return nil
    }

    /// Returns why nothing can be written to the directories, found by trying it; nil if it can be, or if it is only
    /// room that is lacking.
    ///
    /// That takes as long as a disk takes to answer, which may be for ever. `begins` is called with the name of each
    /// directory before it is tried.
    func refusal(begins: (_ place: String) -> Void = { _ in }) -> String? {
        let folders = folders
        let places = [
            ("the documents directory \(folders.documents.path)", folders.documents),
            ("the directory of unfinished files \(folders.partials.path)", folders.partials),
        ]
        for (name, directory) in places {
            begins(name)
            if let words = Probe.refusal(of: directory) {
                return "nothing can be written to \(name): \(words)"
            }
        }
        return nil
    }

    /// Looks where the paths lead, and opens what can be used there; returns why nothing may be stored.
    func findAgain() -> String? {
        looks.withLock { looks in
            looks.trouble = search()
            looks.lastAt = Self.now()
            return looks.trouble
        }
    }

    /// Waits until the directories are where they should be, and begins work in them, which
    /// ``leave()`` ends; returns false once the store has ended.
    func enter() -> Bool {
        var isWaiting = false
        while true {
            let isHere = looks.withLock { looks in
                if looks.lastAt.map({ Self.now() - $0 >= Self.interval }) ?? true {
                    looks.trouble = search()
                    looks.lastAt = Self.now()
                }
                // Within the lock, so that nobody opens other directories before this is counted.
                guard looks.trouble == nil else { return false }
                state.withLock { $0.inside += 1 }
                return true
            }
            let hasEnded = state.withLock(\.hasEnded)
            if hasEnded, isHere { leave() }
            guard !hasEnded else { return false }
            if isHere { return true }
            if !isWaiting { hearers.lost() }
            isWaiting = true
            usleep(useconds_t(Self.interval / 1000))
        }
    }

    /// Ends work that ``enter()`` began.
    func leave() { state.withLock { $0.inside -= 1 } }

    /// Ends all waiting.
    func end() { state.withLock { $0.hasEnded = true } }

    /// Compares, and opens what is to be opened; only while the looks are locked.
    private func search() -> String? {
        guard let trouble else { return nil }
        let (old, isBusy) = state.withLock { ($0.folders, $0.inside > 0) }
        // Threads at work notice this, and leave.
        guard home.whereabouts == .here, !isBusy else { return trouble }
        let found = old.documents.whereabouts
        guard found == .here || found == .another else { return trouble }
        do throws(DocumentStoreError) {
            let documents = found == .here ? old.documents : try Directory(opening: old.documents)
            let folders = try Folders(documents: documents, state: home.path, move: move, before: old)
            let isOther = folders.partials !== old.partials
            // Files in a directory that has replaced another don't match the job store: none of them may be
            // continued, or become a document.
            if isOther {
                folders.partials.removePartials()
                try PartialOrigin.note(folders.partials, in: home)
            }
            state.withLock { state in
                state.folders = folders
                state.generation += 1
                if isOther { state.partialsGeneration += 1 }
            }
            // Before anybody begins work there.
            if found != .here {
                DocumentOrigin(path: documents.path, stateDirectory: home.path).settle()
                hearers.replaced()
            }
            // Transfers still write to the one before.
            if isOther { hearers.lost() }
            return nil
        } catch {
            return "the documents directory \(old.documents.path) is another one now: \(error.description)"
        }
    }

    private static func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds }
}

/// Functions that are told of what happens to documents and their directories, on any thread.
public struct DocumentHearers: Sendable {
    /// Called when work begins to wait because a directory is not where it should be, and when the directory of
    /// partials is another one than before.
    public var lost: @Sendable () -> Void = {}
    /// Called with what came of each try to write: the reason for which nothing can be, if there is one.
    public var tried: @Sendable (_ refusal: String?) -> Void = { _ in }
    /// Called, on the thread that removes them, with the path of each document that was removed, while its folder is
    /// still there.
    public var removed: @Sendable (_ path: String) -> Void = { _ in }
    /// Called each time that the documents directory is another one than before; nothing is stored in it before that
    /// returns.
    public var replaced: @Sendable () -> Void = {}

    /// Functions that do nothing.
    public init() {}
}
