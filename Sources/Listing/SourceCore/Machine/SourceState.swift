/// The state of a source that survives a crash, apart from its keys and slices.
///
/// Moments are seconds of the steady clock.
public struct SourceState: Hashable, Sendable, Codable {
    /// The activity of a source that nobody has paused.
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

    /// The current activity.
    public internal(set) var activity = Activity.walking
    /// The reason for the pause, as a clause; empty where a person wanted it so, nil where it isn't paused.
    public internal(set) var pause: String?
    /// The walk under way, or the last one.
    public internal(set) var walk: WalkState?
    /// The walk of a lazy list that goes on where it is held, once its front has been looked at; nil while
    /// nobody looks.
    var aside: WalkState?
    /// The time of the next look at the front of a held list; nil for never.
    var lookAt: Double?
    /// The number of walks so far.
    public internal(set) var walks = 0
    /// The memory that earlier walks have left for the next.
    public internal(set) var memory = WalkMemory()
    /// True if any walk was read to its end.
    public internal(set) var hasCompleted = false
    /// The reason for which the last walk ended; nil while one is under way.
    public internal(set) var lastStop: WalkStop?
    /// The number of items that the last walk listed which listed any; nil where none is known.
    public internal(set) var lastListed: Int?
    /// True if a slice of the walk under way was left before its end.
    var hasGap = false
    /// Failures in a row, and when the first of them happened.
    public internal(set) var failures = 0
    public internal(set) var failingSince: Double?
    /// Failures in a row that say nothing of the page, since no server could be reached at all.
    var unheard = 0
    /// The origin of the last slice that was left out because its server couldn't be reached, until a server answers;
    /// nil where there is none.
    var silentOrigin: String?
    /// The last failure, until a page is read.
    public internal(set) var failure: SourceFailure?
    /// Items and pages since the start, or since somebody last asked for more.
    var listedSinceMore = 0
    var pagesSinceMore = 0
    /// The validators of a complete walk, with which the first page and the list of slices are requested
    /// again.
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
    /// The Content-Type with which that list came; nil where it isn't known.
    public internal(set) var listType: String?
    /// The times of requests for pages, as far as the recipe's pace needs them.
    var requests = PaceRecord()
    /// The round of asking whether pictures have changed; nil before the first.
    public internal(set) var refresh: RefreshRound?

    /// A source that begins its first walk.
    public init() {}
}
