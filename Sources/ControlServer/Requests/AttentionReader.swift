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
            switch Key(rawValue: name) {
            case .visible: reason = try ids(into: &seen.visible, name, &reader) ?? reason
            case .near: reason = try ids(into: &seen.near, name, &reader) ?? reason
            case nil:
                try reader.skip()
                reason = "the body has an unknown key, \(name.quoted); it takes only visible and near"
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

    /// Reads a list of ids; returns what is wrong with it.
    private static func ids(
        into list: inout [JobID],
        _ name: String,
        _ reader: inout JSONReader
    ) throws(JSONReader.Malformed) -> String? {
        var ids: [JobID] = []
        var count = 0
        let kind = try reader.elements { (reader) throws(JSONReader.Malformed) in
            count += 1
            if case .integer(let id) = try reader.value(), id > 0, ids.count <= AttentionRequest.idCount {
                ids.append(JobID(rawValue: id))
            }
        }
        let most = AttentionRequest.idCount
        guard case .array = kind, ids.count == count, count <= most else {
            return "\(name) must be an array of at most \(most) integers from 1"
        }
        list = ids
        return nil
    }
}
