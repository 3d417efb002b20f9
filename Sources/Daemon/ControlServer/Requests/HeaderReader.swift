import ControlAPI
import JobModel

/// Validates the header fields that an item asks to be sent.
///
/// Error messages name a field but never its value, which may be a secret.
enum HeaderReader {
    /// Reads the fields, leaving out those that can't be sent and giving a reason for each.
    static func read(
        _ fields: [(key: String, value: JSONValue)],
        refuse: (String) -> Void
    ) -> [RequestHeader] {
        guard fields.count <= BatchRequest.Item.headerCount else {
            refuse("a job has at most \(BatchRequest.Item.headerCount) header fields, not \(fields.count)")
            return []
        }
        var headers: [RequestHeader] = []
        for field in fields {
            guard case .string(let value) = field.value else {
                refuse("\(field.key.quoted): the value must be a string, not \(field.value.kindName)")
                continue
            }
            do throws(RequestHeader.Refusal) {
                let header = try RequestHeader(name: field.key, value: value)
                // Names are case-insensitive (RFC 9110 §5.1).
                if headers.contains(where: { $0.name.lowercased() == header.name.lowercased() }) {
                    refuse("\(field.key.quoted): this header field is given twice")
                }
                headers.append(header)
            } catch {
                refuse("\(field.key.quoted): \(error.message)")
            }
        }
        return headers
    }
}
