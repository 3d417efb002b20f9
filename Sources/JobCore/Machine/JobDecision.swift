/// What follows from one input.
public struct JobDecision: Hashable, Sendable {
    /// What to tell, in order.
    public var events: [JobEvent.Kind] = []
    /// What changes in the engine's queues, in order.
    public var moves: [QueueMove] = []
    /// What the outside is to do, in order, after the commit.
    public var deeds: [JobDeed] = []
    /// True when the job is to be written.
    public var isDirty = false
    /// True when what changed may be written together with what happens to the job next: nobody asked
    /// for it, nothing rests on it, and a crash that loses it loses little work.
    public var canWait = false
    /// Why an input was not possible in the job's state, for who asked.
    public var refusal: String?
    /// Why the input can't have happened: whoever told of it, or who listened, has made a mistake.
    ///
    /// Nothing follows from such an input. A test fails by it; a daemon says so once and goes on.
    public var impossibility: String?

    /// Nothing decided yet.
    public init() {}

    /// Whether anything follows but what is stored.
    var hasConsequences: Bool { !events.isEmpty || !moves.isEmpty || !deeds.isEmpty }
}
