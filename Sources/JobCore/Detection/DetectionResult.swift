/// The result of looking for faces in a document.
public struct DetectionResult: Hashable, Sendable {
    /// What came of it.
    public var outcome: DetectionOutcome
    /// The faces, when ``outcome`` is `counted`.
    public var faces: [Face]
    /// The picture; nil where it couldn't be read, or an earlier version looked, which didn't keep it.
    public var picture: SeenPicture?
    /// The longer sides of what was looked at, in pixels, in the order of the looks; empty where that
    /// isn't known.
    public var looks: [Int]
    /// The engine that looked, `haar` or `yunet`; empty when none did.
    public var engine: String
    /// The engine's parameters, so that a later change is known to redo this.
    public var parameters: String
    /// The job whose result this is, where the same bytes had been looked at before.
    public var sharedFrom: JobID?
    /// Seconds spent looking, decoding included.
    public var seconds: Double
    /// True when the document may not have been what was hashed any more: what was found is then no
    /// other document's.
    public var isOfChangedDocument = false

    /// A result; only `counted` has faces.
    public init(
        outcome: DetectionOutcome,
        faces: [Face] = [],
        picture: SeenPicture? = nil,
        looks: [Int] = [],
        engine: String = "",
        parameters: String = "",
        sharedFrom: JobID? = nil,
        seconds: Double = 0
    ) {
        self.outcome = outcome
        self.faces = faces
        self.picture = picture
        self.looks = looks
        self.engine = engine
        self.parameters = parameters
        self.sharedFrom = sharedFrom
        // It stands in JSON, which has only numbers that are some.
        self.seconds = seconds.isFinite ? max(0, seconds) : 0
    }

    /// Another job's result, for a document of the same bytes that nobody has to look at.
    public init(sharing result: DetectionResult, of job: JobID) {
        self = result
        // Where that job shares a result itself, the job is named whose document was looked at.
        sharedFrom = result.sharedFrom ?? job
        seconds = 0
    }

    /// Whether it says something about the bytes, and not about the moment: only then is it worth sharing.
    ///
    /// A picture that crashed its detectors would do so again; one that took too long may not.
    public var isShareable: Bool {
        switch outcome {
        case .counted, .unreadable, .crashed: !engine.isEmpty && !isOfChangedDocument
        case .timedOut, .skipped: false
        }
    }
}
