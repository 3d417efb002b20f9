/// What is known of the faces in a document.
public struct DetectionResult: Hashable, Sendable {
    /// What came of it.
    public var outcome: DetectionOutcome
    /// The faces, when ``outcome`` is `counted`.
    public var faces: [Face]
    /// The engine that looked, `haar` or `yunet`; empty when none did.
    public var engine: String
    /// The engine's parameters, so that a later change is known to redo this.
    public var parameters: String
    /// The job whose result this is, where the same bytes had been looked at before.
    public var sharedFrom: JobID?
    /// Seconds spent looking, decoding included.
    public var seconds: Double

    /// A result; only `counted` has faces.
    public init(
        outcome: DetectionOutcome,
        faces: [Face] = [],
        engine: String = "",
        parameters: String = "",
        sharedFrom: JobID? = nil,
        seconds: Double = 0
    ) {
        self.outcome = outcome
        self.faces = faces
        self.engine = engine
        self.parameters = parameters
        self.sharedFrom = sharedFrom
        self.seconds = seconds
    }
}
