/// What follows from one input.
public struct JobDecision: Hashable, Sendable {
    /// What to tell, in order.
    public var events: [JobEvent.Kind] = []
    /// What changes in the engine's queues, in order.
    public var moves: [QueueMove] = []
    /// What the outside is to do, in order, after the commit.
    public var deeds: [JobDeed] = []
    /// True when the job's durable part changed.
    public var isDirty = false
    /// True when what changed may be written together with what happens to the job next: nobody asked
    /// for it, nothing rests on it, and a crash that loses it loses little work.
    public var canWait = false
    /// Why an input was not possible in the job's state, for who asked.
    public var refusal: String?

    /// Nothing decided yet.
    public init() {}
}
