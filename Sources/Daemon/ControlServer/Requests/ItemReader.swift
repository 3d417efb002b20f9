import ControlAPI
import JobModel
import Vocabulary

/// Parses and validates one item of a batch.
enum ItemReader {
    private typealias Item = BatchRequest.Item
    private typealias Key = BatchRequest.Item.CodingKeys

    /// Reads an item; nil if it is invalid, with an error for each invalid field.
    static func read(
        _ reader: inout JSONReader,
        errors: inout ItemErrors
    ) throws(JSONReader.Malformed) -> NewJob? {
        var draft = Draft()
        let kind = try reader.members { (reader, key) throws(JSONReader.Malformed) in
            if key == Key.meta.rawValue {
                let start = reader.position
                let value = try reader.value()
                return draft.options.takeMeta(value, reader.bytes[start..<reader.position], &errors)
            }
            guard key == Key.headers.rawValue else { return draft.apply(key, try reader.value(), &errors) }
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
        draft.takeCookies(&errors)
        if !draft.hasURL { errors.refuse("url", "the URL is missing") }
        guard !errors.areOfThisItem, let url = draft.url else { return nil }
        return NewJob(
            url: url,
            name: draft.name,
            priority: draft.priority,
            options: draft.options
        )
    }

    /// The part of an item that has been parsed.
    private struct Draft {
        var url: JobURL?
        var hasURL = false
        var name: String?
        var priority = 0
        var options = JobOptions()
        var cookies: String?

        mutating func apply(_ name: String, _ value: JSONValue, _ errors: inout ItemErrors) {
            guard let key = Key(rawValue: name) else {
                let keys = Key.allCases.map(\.rawValue).joined(separator: ", ")
                return errors.refuse(name, "this key is unknown; an item may have \(keys)")
            }
            switch (key, value) {
            case (.url, .string(let text)):
                hasURL = true
                do throws(JobURL.Refusal) { url = try JobURL(text) } catch {
                    errors.refuse(name, error.message)
                }
            case (.url, let value):
                hasURL = true
                errors.refuse(name, "the URL must be a string, not \(value.kindName)")
            case (_, .null): break
            case (.cookies, .string(let text)): cookies = text
            case (.cookies, let value):
                errors.refuse(name, "this must be a string, not \(value.kindName)")
            case (.name, .string(let text)):
                self.name = text
                if !DocumentName.isSafe(text) {
                    errors.refuse(
                        name,
                        "a name has 1 to 255 bytes, no slash or control characters, no dot in front and no white space "
                            + "at its ends"
                    )
                }
            case (.priority, .integer(let number)):
                priority = Int(number)
                if !Item.priorities.contains(priority) {
                    errors.refuse(name, "a priority is from -100 to 100")
                }
            case (.priority, let value):
                errors.refuse(name, "a priority is an integer, not \(value.kindName)")
            case (.name, let value):
                errors.refuse(name, "this must be a string, not \(value.kindName)")
            case (_, let value): options.apply(key, value, &errors)
            }
        }

        /// Puts the cookies into the Cookie field, of which a request has one (RFC 6265 §5.4).
        mutating func takeCookies(_ errors: inout ItemErrors) {
            guard let cookies else { return }
            guard CookieField.isValid(cookies) else {
                return errors.refuse("cookies", "cookies are NAME=VALUE, with semicolons between several")
            }
            let index = options.headers.firstIndex { $0.name.lowercased() == "cookie" }
            let others = index.map { options.headers.remove(at: $0).value + "; " } ?? ""
            do throws(RequestHeader.Refusal) {
                options.headers.append(try RequestHeader(name: "Cookie", value: others + cookies))
            } catch {
                errors.refuse("cookies", error.message)
            }
        }

        mutating func takeHeaders(
            _ value: JSONValue,
            _ fields: [(key: String, value: JSONValue)],
            _ errors: inout ItemErrors
        ) {
            switch value {
            case .object: options.headers = HeaderReader.read(fields) { errors.refuse("headers", $0) }
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
