/// Tells a follower of events that some are not on this stream.
///
/// The data of `event: missed` (it read too slowly) and of `event: gone` (it
/// asked for events that are no longer kept).
public struct NoticeJSON: APIObject {
    /// The last event that was sent, or asked for, before the hole.
    public var after: Int64
    /// The oldest event that is still kept, where any is.
    public var oldest: Int64?
    /// What was lost and what to fetch again, one sentence for people.
    public var detail: String

    /// A notice.
    public init(after: Int64, oldest: Int64?, detail: String) {
        self.after = after
        self.oldest = oldest
        self.detail = detail
    }

    enum CodingKeys: String, CodingKey {
        case after, oldest, detail
    }

    /// The oldest is left out where nothing is kept.
    public static let shape = Shape<NoticeJSON>(
        "Notice",
        [
            Member(CodingKeys.after, \.after, .integer(from: 0)),
            Member(ifKnown: CodingKeys.oldest, \.oldest, .id),
            Member(CodingKeys.detail, \.detail),
        ]
    )
}
