import Vocabulary

/// A source, as shown on the control socket; never with a secret.
public struct SourceJSON: APIObject {
    /// The source's name.
    public var name: String
    /// The kind of its pages; empty for a source whose stored recipe can't be read.
    public var kind: String
    /// The source's present activity.
    public var state: Condition
    /// The URL of its first page, with its variables unfilled; empty where the recipe can't be read.
    public var url: String
    /// The seconds from one walk to the next; null for never.
    public var every: Double?
    /// The numbers of pages and items in the present walk, or the last one.
    public var pages: Int
    public var items: Int
    public var known: Int
    public var new: Int
    public var bad: Int
    /// The number of items that the source says there are; null if it doesn't.
    public var total: Int?
    /// The present walk, or the last one; null before the first.
    public var walk: Walk?
    /// The number of the source's jobs in each state; only in the answer to getting a single source.
    public var jobs: JobCountsJSON?
    /// The number of its items that a fleet has, or is to have; nil for a source that feeds none.
    public var handed: Int?
    /// The time when a page was last read (RFC 3339); null if none was.
    public var lastReadAt: String?
    /// The last problem, until a page is read; null if there was none.
    public var lastError: Failure?
    /// The time when the source asks for its next page, if that is known (RFC 3339).
    public var nextAt: String?
    /// The results of asking whether pictures have changed; null if the recipe doesn't say so (`refresh`), or
    /// none was asked about yet.
    public var refresh: Refresh?
    /// The time when the source was added (RFC 3339).
    public var createdAt: String
    /// The file that the recipe comes from; null if it was added by a command.
    public var file: String?
    /// The recipe as it was given; empty where it can't be read, and may have what is not shown.
    public var recipe: String

    enum CodingKeys: String, CodingKey {
        case name, kind, state, url, every, pages, items, known, new, bad, total, walk, jobs, handed
        case lastReadAt = "last_read_at"
        case lastError = "last_error"
        case nextAt = "next_at"
        case refresh
        case createdAt = "created_at"
        case file, recipe
    }

    /// Creates a source.
    public init(
        name: String,
        kind: String,
        state: Condition,
        url: String,
        every: Double?,
        createdAt: String,
        recipe: String
    ) {
        self.name = name
        self.kind = kind
        self.state = state
        self.url = url
        self.every = every
        self.createdAt = createdAt
        self.recipe = recipe
        (pages, items, known, new, bad) = (0, 0, 0, 0, 0)
    }

    public static let shape = Shape<SourceJSON>("Source", CodingKeys.self) {
        $0.member(.name, \.name)
        $0.member(.kind, \.kind)
        $0.member(.state, \.state)
        $0.member(.url, \.url)
        $0.member(.every, \.every)
        $0.member(.pages, \.pages, .count)
        $0.member(.items, \.items, .count)
        $0.member(.known, \.known, .count)
        $0.member(.new, \.new, .count)
        $0.member(.bad, \.bad, .count)
        $0.member(.total, \.total)
        $0.member(.walk, \.walk)
        $0.member(ifKnown: .jobs, \.jobs, .jobCounts)
        $0.member(ifKnown: .handed, \.handed, .count) {
            "How many items a fleet hasn't done with, or hasn't got yet (queue: fleet)."
        }
        $0.member(.lastReadAt, \.lastReadAt, .time.orNull)
        $0.member(.lastError, \.lastError)
        $0.member(.nextAt, \.nextAt, .time.orNull)
        $0.member(.refresh, \.refresh)
        $0.member(.createdAt, \.createdAt, .time)
        $0.member(.file, \.file)
        $0.member(.recipe, \.recipe) { "The recipe as it was given, YAML or JSON." }
    }

    /// The activity of a source, until when it lasts, and why.
    public struct Condition: APIObject {
        /// The activity.
        public var code: APIWord<SourceCondition>
        /// Until when (RFC 3339); null if that isn't known.
        public var until: String?
        /// A clause for people; null if the code says all.
        public var reason: String?

        public init(code: APIWord<SourceCondition>, until: String?, reason: String?) {
            (self.code, self.until, self.reason) = (code, until, reason)
        }

        public static let shape = Shape<Condition>("SourceCondition", CodingKeys.self) {
            $0.member(.code, \.code)
            $0.member(.until, \.until, .time.orNull)
            $0.member(.reason, \.reason)
        }
    }

    /// A walk over all pages of a source.
    public struct Walk: APIObject {
        /// The walk's number, from 1.
        public var number: Int
        /// The slice being read; null if the source has none.
        public var slice: String?
        /// The page that is asked for next; null at the end.
        public var cursor: String?
        /// True if the list was read to its end, but for the slices that could not be read.
        public var complete: Bool
        /// The word for why it has ended; null while it goes on.
        public var stop: String?
        /// The number of slices that could not be read; the next walk tries them again.
        public var slicesFailed: Int
        /// The first of those, 20 at the most.
        public var badSlices: [BadSlice]

        enum CodingKeys: String, CodingKey {
            case number, slice, cursor, complete, stop
            case slicesFailed = "slices_failed"
            case badSlices = "bad_slices"
        }

        public init(
            number: Int,
            slice: String?,
            cursor: String?,
            complete: Bool,
            stop: String? = nil,
            slicesFailed: Int = 0,
            badSlices: [BadSlice] = []
        ) {
            (self.number, self.slice, self.cursor, self.complete) = (number, slice, cursor, complete)
            (self.stop, self.slicesFailed, self.badSlices) = (stop, slicesFailed, badSlices)
        }

        public static let shape = Shape<Walk>("SourceWalk", CodingKeys.self) {
            $0.member(.number, \.number, .integer(from: 1))
            $0.member(.slice, \.slice)
            $0.member(.cursor, \.cursor)
            $0.member(.complete, \.complete)
            $0.member(.stop, \.stop)
            $0.member(.slicesFailed, \.slicesFailed, .count)
            $0.member(.badSlices, \.badSlices)
        }
    }

    /// A slice that could not be read.
    public struct BadSlice: APIObject {
        /// The slice's key.
        public var slice: String
        /// The URL of the page that could not be read, with secrets unfilled.
        public var url: String
        /// A stable code for programs.
        public var code: String
        /// A sentence for people.
        public var message: String

        public init(slice: String, url: String, code: String, message: String) {
            (self.slice, self.url, self.code, self.message) = (slice, url, code, message)
        }

        public static let shape = Shape<BadSlice>("SourceBadSlice", CodingKeys.self) {
            $0.member(.slice, \.slice)
            $0.member(.url, \.url)
            $0.member(.code, \.code)
            $0.member(.message, \.message)
        }
    }

    /// A round of asking whether pictures have changed, each of them once.
    public struct Refresh: APIObject {
        /// The number of the walk with which the round began.
        public var walk: Int
        /// The number of pictures asked about so far.
        public var asked: Int
        /// The number of those of which there was another version, which became a job.
        public var changed: Int
        /// The number of those that their server no longer has; their documents stay.
        public var gone: Int
        /// The number of those about which there was no answer.
        public var unanswered: Int
        /// True if all were asked about.
        public var complete: Bool
        /// A sentence about what went wrong last; null if nothing did.
        public var trouble: String?

        public init(
            walk: Int,
            asked: Int,
            changed: Int,
            gone: Int,
            unanswered: Int,
            complete: Bool,
            trouble: String?
        ) {
            (self.walk, self.asked, self.changed) = (walk, asked, changed)
            (self.gone, self.unanswered) = (gone, unanswered)
            (self.complete, self.trouble) = (complete, trouble)
        }

        public static let shape = Shape<Refresh>("SourceRefresh", CodingKeys.self) {
            $0.member(.walk, \.walk, .count)
            $0.member(.asked, \.asked, .count)
            $0.member(.changed, \.changed, .count)
            $0.member(.gone, \.gone, .count)
            $0.member(.unanswered, \.unanswered, .count)
            $0.member(.complete, \.complete)
            $0.member(.trouble, \.trouble)
        }
    }

    /// The reason why a page couldn't be read.
    public struct Failure: APIObject {
        /// A stable code for programs.
        public var code: String
        /// A sentence for people.
        public var message: String
        /// The beginning of the page, if that helps.
        public var excerpt: String?

        public init(code: String, message: String, excerpt: String?) {
            (self.code, self.message, self.excerpt) = (code, message, excerpt)
        }

        public static let shape = Shape<Failure>("SourceFailure", CodingKeys.self) {
            $0.member(.code, \.code)
            $0.member(.message, \.message)
            $0.member(.excerpt, \.excerpt)
        }
    }
}

/// The answer to removing a source.
public struct RemovedSourceJSON: APIObject {
    /// The source's name.
    public var removed: String

    /// Creates the answer for a source that was removed.
    public init(removed: String) { self.removed = removed }

    public static let shape = Shape<RemovedSourceJSON>("RemovedSource", CodingKeys.self) {
        $0.member(.removed, \.removed)
    }
}
