import ControlAPI
import JobCore

/// Reads the bodies that are one small object.
enum SmallBodies {
    /// The new URL of a retry, where the body has one.
    static func retry(_ body: JSONValue?) throws(ProblemJSON) -> JobURL? {
        guard let body else { return nil }
        switch try onlyValue(of: "url", in: body) {
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

    /// The engine that is to look again, where the body has one.
    static func detect(_ body: JSONValue?) throws(ProblemJSON) -> DetectionEngine? {
        guard let body else { return nil }
        switch try onlyValue(of: "engine", in: body) {
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

    /// The new priority of a job.
    static func priority(_ body: JSONValue?) throws(ProblemJSON) -> Int {
        guard let body, let value = try onlyValue(of: "priority", in: body) else {
            throw ProblemJSON(
                .invalidRequest,
                "the body needs the key priority with an integer from -100 to 100"
            )
        }
        guard case .integer(let number) = value, ItemReader.priorities.contains(Int(number)) else {
            throw ProblemJSON(.invalidRequest, "the priority must be an integer from -100 to 100")
        }
        return Int(number)
    }

    private static func onlyValue(of key: String, in body: JSONValue) throws(ProblemJSON) -> JSONValue? {
        guard case .object(let members) = body else {
            throw ProblemJSON(
                .invalidRequest,
                "the body must be an object with the key \(key), not \(body.kindName)"
            )
        }
        if let stranger = members.first(where: { $0.key != key }) {
            throw ProblemJSON(
                .invalidRequest,
                "the body has an unknown key, \(stranger.key.quoted); it takes only \(key)"
            )
        }
        return members.first?.value
    }
}
