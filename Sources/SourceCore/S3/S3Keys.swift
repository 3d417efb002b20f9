/// The keys of a profile in a file in the form of ~/.aws/credentials.
public struct S3Keys: Hashable, Sendable {
    /// `aws_access_key_id`.
    public var id: String
    /// `aws_secret_access_key`.
    public var key: String
    /// `aws_session_token`, where there is one.
    public var sessionToken: String?

    /// Reads a profile; nil where it isn't there, or lacks a key.
    public init?(_ text: String, profile: String) {
        var values: [String: String] = [:]
        var isInside = false
        for line in text.split(whereSeparator: \.isNewline) {
            let line = Self.trimmed(line)
            if line.hasPrefix("#") || line.hasPrefix(";") { continue }
            if line.hasPrefix("["), line.hasSuffix("]") {
                let name = Self.trimmed(line.dropFirst().dropLast())
                isInside = name == profile || name == "profile \(profile)"
            } else if isInside, let mark = line.firstIndex(of: "=") {
                let name = Self.trimmed(line[..<mark]).lowercased()
                values[name] = String(Self.trimmed(line[line.index(after: mark)...]))
            }
        }
        guard let id = values["aws_access_key_id"], let key = values["aws_secret_access_key"], !id.isEmpty,
            !key.isEmpty
        else { return nil }
        self.id = id
        self.key = key
        sessionToken = values["aws_session_token"]
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var rest = text
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return rest
    }
}
