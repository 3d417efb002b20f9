import JobCore
import Vocabulary

/// What the settings have sent to a host with every request, which is shown to nobody.
public struct HostCredentials: Hashable, Sendable {
    /// The header fields.
    public var fields: [RequestHeader]
    /// The cookies.
    public var cookies: [CookieFile.Cookie]

    public init(fields: [RequestHeader] = [], cookies: [CookieFile.Cookie] = []) {
        self.fields = fields
        self.cookies = cookies
    }
}
