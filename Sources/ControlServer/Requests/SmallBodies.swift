import ControlAPI
import JobCore

/// Reads the bodies that are one small object.
enum SmallBodies {
    /// The largest of them, in bytes: a URL of which each byte is written as an escape, and then some.
    static let maximumSize = 64 << 10

    /// The new URL of a retry, where the body has one.
    static func retry(_ body: [UInt8]) throws(ProblemJSON) -> JobURL? {
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
    static func detect(_ body: [UInt8]) throws(ProblemJSON) -> DetectionEngine? {
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
    static func priority(_ body: [UInt8]) throws(ProblemJSON) -> Int {
        guard let value = try onlyValue(of: "priority", in: body) else {
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

    /// The value of the only key that there may be; nil where there is no body, or nothing in it.
    private static func onlyValue(of key: String, in body: [UInt8]) throws(ProblemJSON) -> JSONValue? {
        guard !body.isEmpty else { return nil }
        var value: JSONValue?
        var stranger: String?
        let kind: JSONValue
        do throws(JSONReader.Malformed) {
            var reader = JSONReader(body)
            kind = try reader.members { (reader, name) throws(JSONReader.Malformed) in
                let read = try reader.value()
                if name == key { value = read } else { stranger = stranger ?? name }
            }
            try reader.end()
        } catch {
            throw ProblemJSON(error)
        }
        guard case .object = kind else {
            throw ProblemJSON(
                .invalidRequest,
                "the body must be an object with the key \(key), not \(kind.kindName)"
            )
        }
        if let stranger {
            throw ProblemJSON(
                .invalidRequest,
                "the body has an unknown key, \(stranger.quoted); it takes only \(key)"
            )
        }
        return value
    }
}
