import Vocabulary

extension URLReference {
    /// Resolves a reference against this URL (RFC 3986 §5.2.2), dropping its fragment.
    public func resolving(_ reference: URLReference) -> URLReference {
        var target = target(of: reference)
        // Written down, such a path must not begin a host or a scheme (RFC 3986 §3.3 and §4.2).
        if target.host == nil, target.path.utf8.starts(with: "//".utf8) {
            target.path = "/." + target.path
        } else if target.scheme == nil, target.host == nil,
            target.path.utf8.prefix(while: { $0 != UInt8(ascii: "/") }).contains(UInt8(ascii: ":"))
        {
            target.path = "./" + target.path
        }
        return target
    }

    private func target(of reference: URLReference) -> URLReference {
        var target = reference
        target.fragment = nil
        if reference.scheme != nil {
            target.path = Self.withoutDots(reference.path)
            return target
        }
        target.scheme = scheme
        if reference.host != nil {
            target.path = Self.withoutDots(reference.path)
            return target
        }
        target.userinfo = userinfo
        target.host = host
        target.port = port
        if reference.path.isEmpty {
            target.path = path
            target.query = reference.query ?? query
        } else if reference.path.utf8.first == UInt8(ascii: "/") {
            target.path = Self.withoutDots(reference.path)
        } else {
            target.path = Self.withoutDots(merged(with: reference.path))
        }
        return target
    }

    /// Resolves a reference, given as text, against this URL.
    public func resolving(_ text: String) -> URLReference { resolving(URLReference(text)) }

    /// Merges a relative path with this URL's path (RFC 3986 §5.2.3).
    private func merged(with other: String) -> String {
        if host != nil, path.isEmpty { return "/" + other }
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return other }
        return String(Substring(path.utf8[..<slash])) + "/" + other
    }

    private static func withoutDots(_ path: String) -> String { String(URLParts.withoutDots(path[...])) }

    /// Returns this URL with changed query parameters.
    ///
    /// Nil removes a parameter. The others keep their form and their place, and new ones are appended in
    /// the given order.
    public func replacingQuery(_ changes: [(name: String, value: String?)]) -> URLReference {
        var parts: [String] = []
        var open = changes
        for part in (query ?? "").utf8.split(separator: UInt8(ascii: "&")).map(Substring.init) {
            let written = Substring(part.utf8.prefix { $0 != UInt8(ascii: "=") })
            // By bytes: names that aren't UTF-8 are none of these, nor the same.
            let decoded = PercentEncoding.decodedBytes(written, isForm: true)
            guard let index = changes.firstIndex(where: { decoded.elementsEqual($0.name.utf8) }) else {
                parts.append(String(part))
                continue
            }
            let name = changes[index].name
            // All occurrences of a repeated parameter are replaced together.
            guard let place = open.firstIndex(where: { $0.name == name }) else { continue }
            open.remove(at: place)
            if let value = changes[index].value { parts.append(Self.parameter(name, value)) }
        }
        for change in open {
            if let value = change.value { parts.append(Self.parameter(change.name, value)) }
        }
        var page = self
        page.fragment = nil
        page.query = parts.isEmpty ? nil : parts.joined(separator: "&")
        return page
    }

    private static func parameter(_ name: String, _ value: String) -> String {
        PercentEncoding.encode(name) + "=" + PercentEncoding.encode(value)
    }
}
