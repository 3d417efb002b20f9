extension EventJSON {
    /// The type of a frame of the event stream, as in its `event` field.
    public enum StreamName: String, CaseIterable, Sendable {
        /// A durable event: the data is an ``EventJSON``.
        case job
        /// The progress of a transfer: the data is a ``ProgressJSON``.
        case progress
        /// The follower read too slowly and missed events: the data is a ``NoticeJSON``.
        case missed
        /// The events asked for are no longer kept: the data is a ``NoticeJSON``.
        case gone
    }
}
