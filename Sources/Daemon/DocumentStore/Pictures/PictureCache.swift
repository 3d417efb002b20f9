import Dispatch
import Glibc
import JobModel
import Synchronization

/// Keeps pictures of documents on the disk, by the SHA-256 of their content, within a budget.
///
/// Nothing depends on it: what is missing is made again, so that the directory may be removed at any
/// time, and nothing is synced. What can't be read or written is as if it weren't kept.
public final class PictureCache: Sendable {
    /// The limits of what is kept.
    public struct Limits: Hashable, Sendable {
        /// The most bytes that pictures may take; with 0, none are kept.
        public var budget: Int64
        /// The bytes to leave free on the disk.
        public var reserve: Int64

        public init(budget: Int64, reserve: Int64) {
            self.budget = budget
            self.reserve = reserve
        }
    }

    private struct State {
        var limits: Limits
        /// The bytes that all pictures take; nil before they have been counted.
        var length: Int64?
        /// The bytes that wait to be written.
        var waiting = 0
    }

    /// The most bytes that wait to be written; pictures beyond that are not kept.
    private static let mostWaiting = 16 << 20

    private let folder: PictureFolder
    private let mayWrite: DocumentStore.WriteGuard
    private let state: Mutex<State>
    private let reads = DispatchQueue(label: "facefetch.pictures.read")
    private let writes = DispatchQueue(label: "facefetch.pictures.write", qos: .utility)

    /// Creates a cache in a directory, which is made when the first picture is kept.
    ///
    /// - Parameter mayWrite: Asked before a picture is written, which isn't kept where it may not be.
    public init(
        directory: String,
        limits: Limits,
        mayWrite: @escaping DocumentStore.WriteGuard = DocumentStore.always
    ) {
        self.mayWrite = mayWrite
        folder = PictureFolder(path: directory)
        state = Mutex(State(limits: limits))
        if limits.budget == 0 { trimSoon() }
    }

    /// True if any pictures are kept.
    public var isKeeping: Bool { state.withLock { $0.limits.budget > 0 } }

    /// Applies new limits.
    public func configure(_ limits: Limits) {
        let isSmaller = state.withLock { state in
            defer { state.limits = limits }
            return limits.budget < state.limits.budget
        }
        if isSmaller { trimSoon() }
    }

    /// Returns a picture; nil if it isn't kept.
    public func picture(_ sha256: String, _ size: PictureSize) async -> [UInt8]? {
        guard isKeeping, let name = PictureFile.name(sha256, size) else { return nil }
        return await withCheckedContinuation { continuation in
            reads.async { [folder] in
                guard let contents = folder.read(name, atMost: size.limit + PictureFile.sealLength) else {
                    return continuation.resume(returning: nil)
                }
                let jpeg = PictureFile.jpeg(in: contents, sha256: sha256, size)
                if jpeg == nil { folder.remove(name) }
                continuation.resume(returning: jpeg)
            }
        }
    }

    /// Keeps a picture, some time soon.
    ///
    /// - Parameter isRight: Asked once then, on a thread that may wait for a disk; if it says no, nothing is kept.
    public func keep(
        _ jpeg: [UInt8],
        _ sha256: String,
        _ size: PictureSize,
        if isRight: @escaping @Sendable () -> Bool = { true }
    ) {
        guard let name = PictureFile.name(sha256, size), jpeg.count <= size.limit else { return }
        let isTaken = state.withLock { state in
            guard state.limits.budget > 0, state.waiting + jpeg.count <= Self.mostWaiting else {
                return false
            }
            state.waiting += jpeg.count
            return true
        }
        guard isTaken else { return }
        writes.async { [self] in
            defer { state.withLock { $0.waiting -= jpeg.count } }
            let limits = state.withLock { $0.limits }
            guard limits.budget > 0, isRight() else { return }
            let contents = PictureFile.contents(of: jpeg, sha256: sha256, size)
            var isWritten = false
            let mayWrite = mayWrite { isWritten = folder.write(contents, to: name, leaving: limits.reserve) }
            guard mayWrite, isWritten else { return }
            let mustTrim = state.withLock { state in
                state.length? += Int64(contents.count)
                // What an earlier run has left is counted with the first picture.
                return state.length.map { $0 > state.limits.budget } ?? true
            }
            if mustTrim { trim() }
        }
    }

    /// Removes all pictures of some documents, by the SHA-256 of their content, some time soon.
    public func remove(_ contents: Set<String>) {
        writes.async { [self] in
            var removed: Int64 = 0
            for content in contents {
                for size in PictureSize.allCases {
                    if let name = PictureFile.name(content, size) { removed += folder.remove(name) }
                }
            }
            state.withLock { $0.length? -= removed }
        }
    }

    /// Waits until everything that was to be kept or removed so far has been.
    public func settle() async {
        await withCheckedContinuation { continuation in writes.async { continuation.resume() } }
    }

    private func trimSoon() { writes.async { [self] in trim() } }

    /// Counts what there is, and removes what is too much.
    private func trim() {
        let kept = folder.list()
        let excess = PictureBudget.excess(of: kept, budget: state.withLock { $0.limits.budget })
        for picture in excess { folder.remove(picture) }
        let left = kept.reduce(0) { $0 + $1.length } - excess.reduce(0) { $0 + $1.length }
        state.withLock { $0.length = left }
    }
}
