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
