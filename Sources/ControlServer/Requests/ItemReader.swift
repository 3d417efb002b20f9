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
        _ item: JSONValue,
        index: Int,
        errors: inout [ProblemJSON.ItemError]
    ) -> NewJob? {
        guard case .object(let members) = item else {
            errors.append(
                .init(index: index, field: "item", reason: "an item is an object, not \(item.kindName)")
            )
            return nil
        }
        let before = errors.count
        func refuse(_ field: String, _ reason: String) {
            errors.append(.init(index: index, field: field, reason: reason))
        }
        var url: JobURL?
        var hasURL = false
        var name: String?
        var sha256: String?
        var priority = 0
        var headers: [RequestHeader] = []
        var rateLimit: Int64?
        for member in members {
            switch (member.key, member.value) {
            case ("url", .string(let text)):
                hasURL = true
                do throws(JobURL.Refusal) { url = try JobURL(text) } catch { refuse("url", error.message) }
            case ("name", .string(let text)):
                name = text
                if !DocumentName.isSafe(text) {
                    refuse(
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
                    refuse("sha256", "a SHA-256 is 64 hexadecimal digits")
                }
            case ("priority", .integer(let number)):
                priority = Int(number)
                if !priorities.contains(priority) { refuse("priority", "a priority is from -100 to 100") }
            case ("headers", .object(let fields)):
                headers = HeaderReader.read(fields) { refuse("headers", $0) }
            case ("rate_limit", .integer(let number)):
                rateLimit = number
                if !rates.contains(number) { refuse("rate_limit", "a rate is 1 byte a second at least") }
            case ("name", .null), ("sha256", .null), ("priority", .null), ("headers", .null),
                ("rate_limit", .null):
                break
            case ("url", let value):
                hasURL = true
                refuse("url", "the URL must be a string, not \(value.kindName)")
            case ("priority", let value):
                refuse("priority", "a priority is an integer, not \(value.kindName)")
            case ("rate_limit", let value):
                refuse("rate_limit", "a rate is an integer of bytes a second, not \(value.kindName)")
            case ("headers", let value):
                refuse("headers", "this must be an object of names with values, not \(value.kindName)")
            case ("name", let value), ("sha256", let value):
                refuse(member.key, "this must be a string, not \(value.kindName)")
            default:
                refuse(member.key, "there is no such key; an item takes \(keys.joined(separator: ", "))")
            }
        }
        if !hasURL { refuse("url", "the URL is missing") }
        guard errors.count == before, let url else { return nil }
        return NewJob(
            url: url,
            name: name,
            expectedSHA256: sha256,
            priority: priority,
            headers: headers,
            rateLimit: rateLimit
        )
    }
}
