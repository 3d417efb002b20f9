import ControlAPI
import JobCore

/// Checks one item of a batch.
enum ItemReader {
    /// The keys of an item.
    static let keys = ["url", "name", "sha256", "priority", "headers", "rate_limit"]
    /// The priorities there are; higher goes first.
    static let priorities = -100...100
    /// The rates there are, in bytes a second.
    static let rates: ClosedRange<Int64> = 1...1 << 50

    /// Reads an item; nil, with a reason for each wrong field, when it can't be taken.
    static func read(
        _ reader: inout JSONReader,
        errors: inout ItemErrors
    ) throws(JSONReader.Malformed) -> NewJob? {
        var draft = Draft()
        let kind = try reader.members { (reader, key) throws(JSONReader.Malformed) in
            guard key == "headers" else { return draft.take(key, try reader.value(), &errors) }
            var fields: [(key: String, value: JSONValue)] = []
            let value = try reader.members { (reader, name) throws(JSONReader.Malformed) in
                fields.append((name, try reader.value()))
            }
            draft.takeHeaders(value, fields, &errors)
        }
        guard case .object = kind else {
            errors.refuse("item", "an item is an object, not \(kind.kindName)")
            return nil
        }
        if !draft.hasURL { errors.refuse("url", "the URL is missing") }
        guard !errors.areOfThisItem, let url = draft.url else { return nil }
        return NewJob(
            url: url,
            name: draft.name,
            expectedSHA256: draft.sha256,
            priority: draft.priority,
            headers: draft.headers,
            rateLimit: draft.rateLimit
        )
    }

    /// What of an item has been read.
    private struct Draft {
        var url: JobURL?
        var hasURL = false
        var name: String?
        var sha256: String?
        var priority = 0
        var headers: [RequestHeader] = []
        var rateLimit: Int64?

        mutating func take(_ key: String, _ value: JSONValue, _ errors: inout ItemErrors) {
            switch (key, value) {
            case ("url", .string(let text)):
                hasURL = true
                do throws(JobURL.Refusal) { url = try JobURL(text) } catch {
                    errors.refuse("url", error.message)
                }
            case ("name", .string(let text)):
                name = text
                if !DocumentName.isSafe(text) {
                    errors.refuse(
                        "name",
                        "a name has 1 to 255 bytes, no slash or control characters, no dot in front and no white space "
                            + "at its ends"
                    )
                }
            case ("sha256", .string(let text)):
                sha256 = text.lowercased()
                if text.utf8.count != 64
                    || !text.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
                {
                    errors.refuse("sha256", "a SHA-256 is 64 hexadecimal digits")
                }
            case ("priority", .integer(let number)):
                priority = Int(number)
                if !priorities.contains(priority) {
                    errors.refuse("priority", "a priority is from -100 to 100")
                }
            case ("rate_limit", .integer(let number)):
                rateLimit = number
                if !rates.contains(number) {
                    errors.refuse("rate_limit", "a rate is 1 byte a second at least")
                }
            case ("name", .null), ("sha256", .null), ("priority", .null), ("rate_limit", .null): break
            case ("url", let value):
                hasURL = true
                errors.refuse("url", "the URL must be a string, not \(value.kindName)")
            case ("priority", let value):
                errors.refuse("priority", "a priority is an integer, not \(value.kindName)")
            case ("rate_limit", let value):
                errors.refuse(
                    "rate_limit",
                    "a rate is an integer of bytes a second, not \(value.kindName)"
                )
            case ("name", let value), ("sha256", let value):
                errors.refuse(key, "this must be a string, not \(value.kindName)")
            default:
                errors.refuse(key, "there is no such key; an item takes \(keys.joined(separator: ", "))")
            }
        }

        mutating func takeHeaders(
            _ value: JSONValue,
            _ fields: [(key: String, value: JSONValue)],
            _ errors: inout ItemErrors
        ) {
            switch value {
            case .object: headers = HeaderReader.read(fields) { errors.refuse("headers", $0) }
            case .null: break
            default:
                errors.refuse(
                    "headers",
                    "this must be an object of names with values, not \(value.kindName)"
                )
            }
        }
    }
}
