/// Where a source stands: all about it that survives a crash, but for its keys and slices.
///
/// Moments are seconds of the steady clock.
public struct SourceState: Hashable, Sendable, Codable {
    /// What a source does while nobody has paused it.
    public enum Activity: Hashable, Sendable, Codable {
        /// It walks.
        case walking
        /// It waits for its next walk.
        case idle(until: Double)
        /// It asks for the page that failed again, no earlier than this.
        case waiting(until: Double)
        /// Somebody has to mend something; until then it tries again now and then.
        case failed(until: Double)
        /// Only a person begins another walk.
        case ended
    }

    /// What it does.
    public internal(set) var activity = Activity.walking
    /// Why it is paused, as a clause; empty where a person wanted it so, nil where it isn't paused.
    public internal(set) var pause: String?
    /// The walk under way, or the last one.
    public internal(set) var walk: WalkState?
    /// The walk of a lazy list that goes on where it is held, once its front has been looked at; nil while
    /// nobody looks.
    var aside: WalkState?
    /// When the front of a held list is looked at; nil for never.
    var lookAt: Double?
    /// How many walks there have been.
    public internal(set) var walks = 0
    /// What walks have left for the next.
    public internal(set) var memory = WalkMemory()
    /// Whether any walk was read to its end.
    public internal(set) var hasCompleted = false
    /// Why the last walk ended; nil while one is under way.
    public internal(set) var lastStop: WalkStop?
    /// Whether a slice of the walk under way was left before its end.
    var hasGap = false
    /// Failures in a row, and when the first of them happened.
    public internal(set) var failures = 0
    public internal(set) var failingSince: Double?
    /// What went wrong last, until a page is read.
    public internal(set) var failure: SourceFailure?
    /// Items and pages since the start, or since somebody last asked for more.
    var listedSinceMore = 0
    var pagesSinceMore = 0
    /// What the first page, and the list of slices, are asked for again with: those of a complete walk.
    var first: PageValidators?
    var manifest: PageValidators?
    /// The same of the walk, or the slice, under way.
    var freshFirst: PageValidators?
    var freshManifest: PageValidators?
    /// Until when the first page is fresh, and until when the source itself wants to be left alone.
    var freshUntil = 0.0
    var unwantedUntil = 0.0
    /// The bucket's region, where the server has corrected the recipe's.
    public internal(set) var region: String?
    /// The list that is read row by row, by the SHA-256 of its file.
    public internal(set) var list: String?
    /// When pages were asked for, as far as the recipe's pace has to know.
    var requests = PaceRecord()
    /// The round of asking whether pictures have changed; nil before the first.
    public internal(set) var refresh: RefreshRound?

    /// A source that begins its first walk.
    public init() {}
}
