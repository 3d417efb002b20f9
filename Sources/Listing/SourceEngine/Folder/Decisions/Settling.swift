import JobModel

/// Decides which files are complete: those that have not changed for a while.
///
/// An empty file isn't: whoever made it has yet to write. Time is that of the steady clock, so that no clock
/// of a server, and nobody who sets one, makes a file old.
struct Settling: Sendable {
    /// The seconds that a file must have been unchanged.
    let patience: Double
    private var seen: [EntryName: (mark: Sighting.Mark, since: SteadyTime)] = [:]

    init(patience: Double) { self.patience = patience }

    /// Notes what is in the folder now.
    ///
    /// - Returns: what is complete, in the order of names, and the seconds until something else may be; nil
    ///   if nothing is about to.
    mutating func look(at sightings: [Sighting], now: SteadyTime) -> (ready: [Sighting], next: Double?) {
        var (ready, next) = ([Sighting](), Double?.none)
        let before = seen
        seen = [:]
        for sighting in sightings where sighting.mark.size > 0 && EntryKind(sighting.name) != nil {
            var since = now
            if let known = before[sighting.name], known.mark == sighting.mark { since = known.since }
            seen[sighting.name] = (sighting.mark, since)
            let rest = patience - now.seconds(since: since)
            if rest <= 0 {
                ready.append(sighting)
            } else {
                next = min(next ?? rest, rest)
            }
        }
        ready.sort { $0.name.bytes.lexicographicallyPrecedes($1.name.bytes) }
        return (ready, next)
    }
}

/// A regular file as it was seen in the folder.
struct Sighting: Hashable, Sendable {
    /// Its name.
    var name: EntryName
    /// A mark that tells it from another, and from itself after a change.
    var mark: Mark

    /// A mark that changes with every change of a file.
    struct Mark: Hashable, Sendable {
        var inode: UInt64
        var size: Int64
        /// The times when the contents and the rest were changed, in nanoseconds since 1970.
        var modified: Int64
        var changed: Int64
    }
}
