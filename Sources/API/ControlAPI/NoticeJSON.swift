/// A notice to a follower that events are missing from its stream.
///
/// It is the data of `event: missed` (the follower read too slowly) and of `event: gone` (it asked for
/// events that are no longer kept).
public struct NoticeJSON: APIObject {
    /// The last event sent, or asked for, before the gap.
    public var after: Int64
    /// The oldest event still kept, if there is one.
    public var oldest: Int64?
    /// A sentence for people that says what was lost and what to fetch again.
    public var detail: String

    public init(after: Int64, oldest: Int64?, detail: String) {
        self.after = after
        self.oldest = oldest
        self.detail = detail
    }

    public static let shape = Shape<NoticeJSON>("Notice", CodingKeys.self) {
        $0.member(.after, \.after, .count)
        $0.member(ifKnown: .oldest, \.oldest, .id)
        $0.member(.detail, \.detail)
    }
}
