import Vocabulary

/// The result of looking for faces in a document.
public struct DetectionResult: Hashable, Sendable {
    /// The outcome of detection.
    public var outcome: DetectionOutcome
    /// The faces, if ``outcome`` is `counted`.
    public var faces: [Face]
    /// The picture; nil if it could not be read.
    public var picture: SeenPicture?
    /// The longer sides of what was looked at, in pixels, in the order of the looks; empty where that
    /// isn't known.
    public var looks: [Int]
    /// The reason why there is nothing else, as the end of a sentence about the document, in words of our own;
    /// nil where it was looked at, or nobody said.
    public var reason: String?
    /// The engine that looked, `haar` or `yunet`; empty when none did.
    public var engine: String
    /// The engine's parameters, which show whether the result is still current after they change.
    public var parameters: String
    /// The job that this result is shared from, if the same content had been looked at before.
    public var sharedFrom: JobID?
    /// The seconds that detection took, including decoding.
    public var seconds: Double
    /// True if the document may have changed since it was hashed, so that the result can't be shared with
    /// others.
    public var isOfChangedDocument = false

    /// The longest reason in bytes.
    public static let longestReason = 200

    /// Creates a result; only `counted` has faces.
    public init(
        outcome: DetectionOutcome,
        faces: [Face] = [],
        picture: SeenPicture? = nil,
        looks: [Int] = [],
        reason: String? = nil,
        engine: String = "",
        parameters: String = "",
        sharedFrom: JobID? = nil,
        seconds: Double = 0
    ) {
        self.outcome = outcome
        self.faces = faces
        self.picture = picture
        self.looks = looks
        self.reason = reason.map { String($0.limited(toBytes: Self.longestReason)) }
        self.engine = engine
        self.parameters = parameters
        self.sharedFrom = sharedFrom
        // It goes into JSON, which has no infinities or NaN.
        self.seconds = seconds.isFinite ? max(0, seconds) : 0
    }

    /// Creates a copy of another job's result, for a document with the same content.
    public init(sharing result: DetectionResult, of job: JobID) {
        self = result
        // If that job shares a result itself, the origin is the job whose document was looked at.
        sharedFrom = result.sharedFrom ?? job
        seconds = 0
    }

    /// The reason of a document that could not be opened.
    public static let unopened = "can't be opened"

    /// The reason where the detector could not open the documents directory either: it was away, or was when the
    /// detector began, which was let into none then.
    public static let unopenedDirectory = "can't be opened, nor can its directory"

    /// True if the document could not be opened, which says nothing about its content.
    public var isOfUnopened: Bool { outcome == .unreadable && reason == Self.unopened || isOfLostDirectory }

    /// True if the whole directory could not be opened, which says nothing about the document.
    public var isOfLostDirectory: Bool { outcome == .unreadable && reason == Self.unopenedDirectory }

    /// True if the result depends on the content alone and not on circumstances, so that it can be shared.
    ///
    /// A picture that crashed its detectors would do so again; one that took too long may not.
    public var isShareable: Bool {
        switch outcome {
        case .counted, .unreadable, .crashed: !engine.isEmpty && !isOfChangedDocument && !isOfUnopened
        case .timedOut, .skipped: false
        }
    }
}
