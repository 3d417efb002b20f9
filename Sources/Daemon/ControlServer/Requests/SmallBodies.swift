import ControlAPI
import JobModel
import Vocabulary

/// The bodies that consist of one small object.
enum SmallBodies {
    /// The new URL of a retry, if the body has one.
    static let retry = SmallBody<JobURL?>(RetryRequest.self) { (body) throws(ProblemJSON) in
        switch try onlyValue(of: RetryRequest.self, in: body) {
        case nil, .null?: return nil
        case .string(let text)?:
            do throws(JobURL.Refusal) {
                return try JobURL(text)
            } catch {
                throw ProblemJSON(.invalidRequest, error.message)
            }
        case let value?:
            throw ProblemJSON(.invalidRequest, "the URL must be a string, not \(value.kindName)")
        }
    }

    /// The engine to look for faces with, if the body has one.
    static let detect = SmallBody<DetectionEngine?>(DetectRequest.self) { (body) throws(ProblemJSON) in
        switch try onlyValue(of: DetectRequest.self, in: body) {
        case nil, .null?: return nil
        case .string(let text)?:
            if let engine = DetectionEngine(rawValue: text) { return engine }
            throw ProblemJSON(
                .invalidRequest,
                "there is no engine \(text.quoted); there are "
                    + DetectionEngine.allCases.map(\.rawValue).joined(separator: " and ")
            )
        case let value?:
            throw ProblemJSON(.invalidRequest, "the engine must be a string, not \(value.kindName)")
        }
    }

    /// The seconds for which a lease is renewed, if the body says so.
    static let renewal = SmallBody<Int?>(RenewRequest.self) { (body) throws(ProblemJSON) in
        switch try onlyValue(of: RenewRequest.self, in: body) {
        case nil, .null?: return nil
        case .integer(let number)? where RenewRequest.leases.contains(number): return Int(number)
        case _?:
            let range = RenewRequest.leases
            throw ProblemJSON(
                .invalidRequest,
                "the lease must be an integer from \(range.lowerBound) to \(range.upperBound)"
            )
        }
    }

    /// The new priority of a job.
    static let priority = SmallBody<Int>(JobChange.self, isRequired: true) { (body) throws(ProblemJSON) in
        let priorities = BatchRequest.Item.priorities
        let range = "from \(priorities.lowerBound) to \(priorities.upperBound)"
        guard let value = try onlyValue(of: JobChange.self, in: body) else {
            throw ProblemJSON(
                .invalidRequest,
                "the body needs the key priority with an integer \(range)"
            )
        }
        guard case .integer(let number) = value, priorities.contains(Int(number)) else {
            throw ProblemJSON(.invalidRequest, "the priority must be an integer \(range)")
        }
        return Int(number)
    }

    /// Returns the value of the object's only key; nil if there is no body, or nothing in it.
    private static func onlyValue<Said: APIObject>(
        of type: Said.Type,
        in body: [UInt8]
    ) throws(ProblemJSON) -> JSONValue? {
        guard !body.isEmpty else { return nil }
        let keys = type.shape.members.map(\.name)
        var value: JSONValue?
        var stranger: String?
        let kind = try JSONReader.body(body) { (reader, name) throws(JSONReader.Malformed) in
            let read = try reader.value()
            if keys.contains(name) { value = read } else { stranger = stranger ?? name }
        }
        let takes = keys.joined(separator: ", ")
        guard case .object = kind else {
            throw ProblemJSON(
                .invalidRequest,
                "the body must be an object with the key \(takes), not \(kind.kindName)"
            )
        }
        if let stranger {
            throw ProblemJSON(
                .invalidRequest,
                "the body has an unknown key, \(stranger.quoted); it takes only \(takes)"
            )
        }
        return value
    }
}
