/// A document that is like others, as shown on the control socket.
public struct AlikeJSON: APIObject {
    /// The job of the document.
    public var job: JobJSON
    /// The number of bits in which its fingerprint differs from that of the document that was asked about.
    public var distance: Int?
    /// The place of its group among all, from 1.
    public var group: Int?
    /// The number of documents in its group.
    public var groupSize: Int?

    enum CodingKeys: String, CodingKey {
        case group
        case groupSize = "group_size"
        case distance, job
    }

    public init(job: JobJSON, distance: Int? = nil, group: Int? = nil, groupSize: Int? = nil) {
        self.job = job
        self.distance = distance
        self.group = group
        self.groupSize = groupSize
    }

    /// The members, of which those are present that belong to what was asked.
    public static let shape = Shape<AlikeJSON>(
        "Alike",
        [
            Member(
                ifKnown: CodingKeys.group,
                \.group,
                .integer(from: 1),
                about:
                    "Only among duplicates: the place of the document's group, from 1; the largest comes first."
            ),
            Member(
                ifKnown: CodingKeys.groupSize,
                \.groupSize,
                .integer(from: 2),
                about: "Only among duplicates: the number of documents in the group."
            ),
            Member(
                ifKnown: CodingKeys.distance,
                \.distance,
                .integer(from: 0, to: 16),
                about:
                    "Only where one document was asked about: the number of bits in which the fingerprints differ; 0 "
                    + "for the same content, too."
            ),
            Member(CodingKeys.job, \.job),
        ]
    )
}
