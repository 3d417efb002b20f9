import Vocabulary

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
            let line = line.trimmed
            if line.hasPrefix("#") || line.hasPrefix(";") { continue }
            if line.hasPrefix("["), line.hasSuffix("]") {
                let name = line.dropFirst().dropLast().trimmed
                isInside = name == profile || name == "profile \(profile)"
            } else if isInside, let mark = line.firstIndex(of: "=") {
                let name = line[..<mark].trimmed.lowercased()
                values[name] = line[line.index(after: mark)...].trimmed
            }
        }
        guard let id = values["aws_access_key_id"], let key = values["aws_secret_access_key"], !id.isEmpty,
            !key.isEmpty
        else { return nil }
        self.id = id
        self.key = key
        sessionToken = values["aws_session_token"]
    }
}
