import JobModel
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

extension HostNames<HostCredentials> {
    /// Returns what is sent with the current request of a trail; nil for nothing.
    ///
    /// A redirect from https to http takes nothing with it, not even on the same host. Over http, a host gets what it
    /// would get if the trail began there: anybody on the way can answer a request by http, and would otherwise have
    /// the secrets of any host sent in the clear. Nothing of that is on a network where the host is this machine.
    func due(on trail: RedirectTrail) -> HostCredentials? {
        let current = trail.current
        guard trail.isAsSecureAsHome, let credentials = self[current.hostName] else { return nil }
        let isSafe = current.scheme == "https" || current.isLoopback
        return isSafe || self[trail.home.hostName] == credentials ? credentials : nil
    }
}
