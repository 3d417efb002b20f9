import ControlAPI
import JobModel
import Vocabulary

/// Reads the body in which a client says what it looks at.
enum AttentionReader {
    private typealias Key = AttentionRequest.CodingKeys

    /// The jobs that a client looks at.
    struct Seen: Sendable {
        /// The jobs in view.
        var visible: [JobID] = []
        /// The jobs near the view.
        var near: [JobID] = []
    }

    /// The body, as used by the row of the endpoint.
    static let body = SmallBody<Seen>(AttentionRequest.self, isRequired: true) {
        (body) throws(ProblemJSON) in try read(body)
    }

    private static func read(_ body: [UInt8]) throws(ProblemJSON) -> Seen {
        var seen = Seen()
        var reason: String?
        let kind = try JSONReader.body(body) { (reader, name) throws(JSONReader.Malformed) in
            guard let key = Key(rawValue: name) else {
                reason = "the body has an unknown key, \(name.quoted); it takes only visible and near"
                return try reader.skip()
            }
            guard let ids = try reader.ids(0...AttentionRequest.idCount) else {
                reason = "\(name) must be an array of at most \(AttentionRequest.idCount) integers from 1"
                return
            }
            switch key {
            case .visible: seen.visible = ids.map(JobID.init(rawValue:))
            case .near: seen.near = ids.map(JobID.init(rawValue:))
            }
        }
        guard case .object = kind else {
            throw ProblemJSON(
                .invalidRequest,
                "the body must be an object with the keys visible and near, not \(kind.kindName)"
            )
        }
        if let reason { throw ProblemJSON(.invalidRequest, reason) }
        guard seen.visible.count + seen.near.count <= AttentionRequest.idCount else {
            throw ProblemJSON(
                .invalidRequest,
                "a client can look at \(AttentionRequest.idCount) jobs at most, in visible and near together"
            )
        }
        return seen
    }
}
