extension JobURL {
    /// Returns the URL with the credentials of another one, if both have the same scheme, host and port, and this
    /// one has none of its own.
    ///
    /// So they stay with the server that they are for, and go nowhere else.
    public func withCredentials(of other: JobURL) -> JobURL {
        guard hasSameOrigin(as: other), userInformation == nil, let credentials = other.userInformation else {
            return self
        }
        let start = scheme + "://"
        // A URL that would get too long, or unreadable, stays without them.
        return (try? JobURL(start + credentials + "@" + text.dropFirst(start.utf8.count))) ?? self
    }

    /// User and password as they are sent, before the `@`; nil where there is none.
    private var userInformation: String? {
        URLParts(text).authority.map(URLAuthority.init)?.userInformation.map(String.init)
    }
}
