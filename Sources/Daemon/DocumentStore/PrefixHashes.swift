import CLinux
import Digests
import Dispatch
import Glibc
import JobModel
import SmallFiles
import Synchronization
import Vocabulary

/// Hashes large partials while they grow, and finishes when they are documents, so that no document
/// waits for its hash to be stored.
///
/// A hash is of bytes that no longer change. If a transfer begins before the offset that a hash has
/// reached, the hash is discarded and computed again from the file.
final class PrefixHashes: Sendable {
    /// The hash of a file's first bytes.
    struct Prefix: Sendable {
        var hash = SHA256()
        /// The number of bytes hashed.
        var length: Int64 = 0
        /// The file's identity when its first bytes were read as a document.
        var identity: Identity?

        /// The identity of a file, which holds until somebody writes to it or replaces it.
        struct Identity: Equatable, Sendable {
            var inode: UInt64
            var seconds: Int
            var nanoseconds: Int

            init(_ status: stat) {
                inode = UInt64(status.st_ino)
                (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
            }
        }
    }

    /// The hash of one file, locked while being worked on, for one slice at most.
    private final class Entry: Sendable {
        let prefix: Mutex<Prefix>

        init(_ prefix: Prefix = Prefix()) { self.prefix = Mutex(prefix) }
    }

    private struct Place {
        var entry = Entry()
        /// The offset up to which bytes may be hashed.
        var target: Int64 = 0
        /// The document that the partial has become, if it has.
        var document: Document?
        var isQueued = false
    }

    private struct State {
        var places: [JobID: Place] = [:]
        /// The partials that have grown, which get a slice each in turn.
        var partials: [JobID] = []
        /// The documents, hashed one after another, because each is looked at as soon as it is hashed.
        var documents: [JobID] = []
        var hasEnded = false

        mutating func enqueue(_ job: JobID) {
            guard let place = places[job], !place.isQueued else { return }
            places[job]?.isQueued = true
            if place.document == nil { partials.append(job) } else { documents.append(job) }
        }

        /// Returns whose slice is next: that of a partial that has grown, or else of the first document.
        mutating func next() -> JobID? {
            guard !hasEnded else { return nil }
            let job: JobID
            if !partials.isEmpty {
                job = partials.removeFirst()
            } else if !documents.isEmpty {
                job = documents.removeFirst()
            } else {
                return nil
            }
            places[job]?.isQueued = false
            return job
        }
    }

    private let state = Mutex(State())
    private let available = DispatchSemaphore(value: 0)
    /// The bytes hashed at a time; sealing a partial waits for its slice.
    private static let sliceLength: Int64 = 1 << 20

    /// Requests hashing of the first `length` bytes of a partial.
    func follow(_ job: JobID, to length: Int64) { extend(job, to: length) { _ in } }

    /// Requests hashing of a whole document, continuing after the bytes already hashed.
    func finish(_ job: JobID, _ document: Document) {
        extend(job, to: document.length) { $0.document = document }
    }

    private func extend(_ job: JobID, to length: Int64, _ change: (inout Place) -> Void) {
        state.withLock { state in
            var place = state.places[job] ?? Place()
            place.target = max(place.target, length)
            change(&place)
            state.places[job] = place
            state.enqueue(job)
        }
        available.signal()
    }

    /// Notes that bytes after the first `length` will change, which makes a hash of more than those
    /// void.
    func void(_ job: JobID, behind length: Int64) {
        state.withLock { state in
            guard let place = state.places[job], place.target > length else { return }
            state.places[job] = nil
        }
    }

    /// Forgets the hash of a partial that no longer exists.
    func forget(_ job: JobID) { state.withLock { $0.places[job] = nil } }

    /// Removes and returns the hashed prefix of a partial; nil if there is none.
    func removePrefix(of job: JobID) -> Prefix? {
        let prefix = state.withLock { $0.places.removeValue(forKey: job) }?.entry.prefix.withLock { $0 }
        return prefix.flatMap { $0.length > 0 ? $0 : nil }
    }

    /// Keeps what has been hashed, to be continued.
    func keep(_ prefix: Prefix, of job: JobID) {
        let place = Place(entry: Entry(prefix), target: prefix.length)
        state.withLock { $0.places[job] = place }
    }

    /// Works on the calling thread until ``end()``, and reports each document that has been hashed or
    /// can't be; one that can't be found waits until the directories are where they should be.
    func run(in place: DocumentPlace, name: (JobID) -> String, report: (JobID, StorageReport) -> Void) {
        while true {
            available.wait()
            while let job = state.withLock({ $0.next() }) {
                guard place.enter() else { return }
                let document = state.withLock { $0.places[job]?.document }
                let told = advance(job, in: place.folders, name: name(job))
                let isLost = if case .hashFailed = told { place.trouble != nil } else { false }
                place.leave()
                if isLost, let document {
                    finish(job, document)
                } else if let told {
                    report(job, told)
                }
            }
            if state.withLock({ $0.hasEnded }) { return }
        }
    }

    /// Ends the working thread.
    func end() {
        state.withLock { $0.hasEnded = true }
        available.signal()
    }

    /// Hashes a slice of a file; returns a report if there is one.
    private func advance(_ job: JobID, in folders: Folders, name: String) -> StorageReport? {
        guard let place = state.withLock({ $0.places[job] }) else { return nil }
        let (prefix, failure) = place.entry.prefix.withLock { prefix in
            let end = min(place.target, prefix.length + Self.sliceLength)
            let failure =
                place.document.map { Self.extend(&prefix, to: end, of: $0, in: folders.documents.path) }
                ?? Self.extend(&prefix, to: end, in: folders.partials, name: name)
            return (prefix, failure)
        }
        let ended = state.withLock { state -> Document? in
            // It has become void or been taken in the meantime.
            guard let current = state.places[job], current.entry === place.entry else { return nil }
            // A partial that can't be read now is read again when it is sealed; one renamed in the
            // meantime continues as a document.
            let isOver = failure != nil && current.document == place.document
            if isOver || (current.document != nil && prefix.length == current.target) {
                state.places[job] = nil
                return current.document
            }
            guard prefix.length < current.target, !current.isQueued else { return nil }
            state.places[job]?.isQueued = true
            // A document stays first until it is done.
            if current.document == nil {
                state.partials.append(job)
            } else {
                state.documents.insert(job, at: 0)
            }
            return nil
        }
        guard let document = ended else { return nil }
        guard let failure, prefix.length < document.length else {
            return .hashed(sha256: prefix.hash.finalize().hexText)
        }
        return .hashFailed(JobFailure(.storageError, "the document can't be hashed: \(failure)"))
    }

    /// Continues to hash a partial up to an offset; returns the error if it can't.
    private static func extend(
        _ prefix: inout Prefix,
        to end: Int64,
        in partials: Directory,
        name: String
    ) -> String? {
        guard prefix.length < end else { return nil }
        let file = openat(partials.descriptor, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return describe(errno) }
        defer { close(file) }
        // Lets the disk begin to write, so that little is left for the sync at the end. This neither
        // waits nor consumes errors, which are for the sync to report.
        _ = CLinux_begin_writing(file, off_t(prefix.length), off_t(end - prefix.length))
        return extend(&prefix, to: end, of: file)
    }

    /// Continues to hash a document up to an offset; returns the error if it can't.
    private static func extend(
        _ prefix: inout Prefix,
        to end: Int64,
        of document: Document,
        in directory: String
    ) -> String? {
        let (file, status): (CInt, stat)
        do throws(FileFailure) {
            (file, status) = try (InnerPath(document.path, in: directory) ?? InnerPath(document.path))
                .openFile()
        } catch { return error.description }
        defer { close(file) }
        let identity = Prefix.Identity(status)
        guard Int64(status.st_size) == document.length,
            document.inode ?? identity.inode == identity.inode, prefix.identity ?? identity == identity
        else { return "it was changed" }
        prefix.identity = identity
        return extend(&prefix, to: end, of: file)
    }

    private static func extend(_ prefix: inout Prefix, to end: Int64, of file: CInt) -> String? {
        do {
            let reached = try PartialReader.read(file, from: prefix.length, to: end) { bytes in
                prefix.hash.update(bufferPointer: bytes)
                prefix.length += Int64(bytes.count)
            }
            return reached == end ? nil : "it has become shorter"
        } catch {
            return describe(error.number)
        }
    }
}
