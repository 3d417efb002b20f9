extension EventJSON {
    /// What a frame of the event stream is, by its `event` field.
    public enum StreamName: String, CaseIterable, Sendable {
        /// A durable event: the data is an ``EventJSON``.
        case job
        /// How far a transfer has come: the data is a ``ProgressJSON``.
        case progress
        /// The follower read too slowly, and lost some: the data is a ``NoticeJSON``.
        case missed
        /// What was asked for is no longer kept: the data is a ``NoticeJSON``.
        case gone
    }
}
