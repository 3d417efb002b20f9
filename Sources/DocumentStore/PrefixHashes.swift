import CLinux
import Crypto
import Glibc
import JobCore
import Synchronization

/// Hashes large partials while they grow, so that only their last bytes are left to hash when
/// they are complete.
///
/// A hash belongs to bytes that don't change any more. When a transfer begins before the place
/// where a hash has come to, the hash is thrown away, and made anew from the file.
final class PrefixHashes: Sendable {
    /// The hash of a partial's first bytes.
    struct Prefix: Sendable {
        var hash = SHA256()
        /// How many bytes those are.
        var length: Int64 = 0
    }

    /// One partial's hash; whoever works on it holds the lock, for a slice at the most.
    private final class Entry: Sendable {
        let prefix = Mutex(Prefix())
    }

    private struct Place {
        let entry = Entry()
        /// Where the hash may go; it is never further.
        var target: Int64 = 0
        var isQueued = false
    }

    private let places = Mutex<[JobID: Place]>([:])
    private let queue = WorkQueue<JobID>()
    /// Bytes that are hashed at a time: so much makes others wait for a hundredth of a second or two.
    private static let sliceLength: Int64 = 8 << 20

    /// Has the first bytes of a partial hashed, so many of them.
    func follow(_ job: JobID, to length: Int64) {
        let isNew = places.withLock { places in
            var place = places[job] ?? Place()
            place.target = max(place.target, length)
            defer { places[job] = place }
            guard !place.isQueued else { return false }
            place.isQueued = true
            return true
        }
        if isNew { queue.add(job) }
    }

    /// Says that bytes behind the first `length` are about to change: a hash that may have more is void.
    func void(_ job: JobID, behind length: Int64) {
        places.withLock { places in
            guard let place = places[job], place.target > length else { return }
            places[job] = nil
        }
    }

    /// Hands out what has been hashed of a partial, and forgets it; nil when that is nothing.
    func take(_ job: JobID) -> Prefix? {
        places.withLock { $0.removeValue(forKey: job) }?.entry.prefix.withLock { $0 }
    }

    /// Works until ``end()``, on the calling thread.
    func run(in partials: Directory, name: (JobID) -> String) {
        while let jobs = queue.take(atMost: 1) {
            for job in jobs { advance(job, in: partials, name: name(job)) }
        }
    }

    /// Lets the working thread go.
    func end() { queue.end() }

    private func advance(_ job: JobID, in partials: Directory, name: String) {
        guard let place = places.withLock({ $0[job] }) else { return }
        let (length, isWhole) = place.entry.prefix.withLock { prefix in
            let end = min(place.target, prefix.length + Self.sliceLength)
            let isWhole = Self.extend(&prefix, to: end, in: partials, name: name)
            return (prefix.length, isWhole)
        }
        let goesOn = places.withLock { places in
            // Void, or taken, meanwhile.
            guard let current = places[job], current.entry === place.entry else { return false }
            guard isWhole else {
                // What can't be read now is read, and judged, when the partial is sealed.
                places[job] = nil
                return false
            }
            places[job]?.isQueued = length < current.target
            return length < current.target
        }
        if goesOn { queue.add(job) }
    }

    /// Hashes on to an offset; false when the file doesn't have so much.
    private static func extend(
        _ prefix: inout Prefix,
        to end: Int64,
        in partials: Directory,
        name: String
    ) -> Bool {
        guard prefix.length < end else { return true }
        let file = openat(partials.descriptor, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return false }
        defer { close(file) }
        // The disk may as well begin to write: then little is left for the sync at the end.
        // This neither waits for it nor takes note of its errors, which are the sync's to tell.
        _ = CLinux_begin_writing(file, off_t(prefix.length), off_t(end - prefix.length))
        return
            (try? PartialReader.read(file, from: prefix.length, to: end) { bytes in
                prefix.hash.update(bufferPointer: bytes)
                prefix.length += Int64(bytes.count)
            }) == end
    }
}
