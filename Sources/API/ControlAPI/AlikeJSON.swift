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

    public static let shape = Shape<AlikeJSON>("Alike", CodingKeys.self) {
        $0.member(ifKnown: .group, \.group, .integer(from: 1)) {
            "Only among duplicates: the place of the document's group, from 1; the largest comes first."
        }
        $0.member(ifKnown: .groupSize, \.groupSize, .integer(from: 2)) {
            "Only among duplicates: the number of documents in the group."
        }
        $0.member(ifKnown: .distance, \.distance, .integer(from: 0, to: 16)) {
            "Only where one document was asked about: the number of bits in which the fingerprints differ; 0 for the "
                + "same content, too."
        }
        $0.member(.job, \.job)
    }
}
