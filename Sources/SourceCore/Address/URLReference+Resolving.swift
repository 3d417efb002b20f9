extension URLReference {
    /// The URL that a reference on this page leads to (RFC 3986 §5.2.2), without its fragment.
    public func resolving(_ reference: URLReference) -> URLReference {
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
        } else if reference.path.hasPrefix("/") {
            target.path = Self.withoutDots(reference.path)
        } else {
            target.path = Self.withoutDots(merged(with: reference.path))
        }
        return target
    }

    /// The URL that a text on this page leads to.
    public func resolving(_ text: String) -> URLReference { resolving(URLReference(text)) }

    /// RFC 3986 §5.2.3.
    private func merged(with other: String) -> String {
        if host != nil, path.isEmpty { return "/" + other }
        guard let slash = path.lastIndex(of: "/") else { return other }
        return path[...slash] + other
    }

    /// RFC 3986 §5.2.4, on segments.
    static func withoutDots(_ path: String) -> String {
        guard path.utf8.contains(0x2E) else { return path }
        let isAbsolute = path.hasPrefix("/")
        let segments = (isAbsolute ? path.dropFirst() : path[...]).split(
            separator: "/",
            omittingEmptySubsequences: false
        )
        var result: [Substring] = []
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".": if isLast { result.append("") }
            case "..":
                _ = result.popLast()
                if isLast { result.append("") }
            default: result.append(segment)
            }
        }
        return (isAbsolute ? "/" : "") + result.joined(separator: "/")
    }

    /// The page with other parameters in its query: nil removes one, the others stay as they are
    /// written and where they stand, and new ones follow in the order given.
    public func replacingQuery(_ changes: [(name: String, value: String?)]) -> URLReference {
        var parts: [String] = []
        var open = changes
        for part in (query ?? "").split(separator: "&") {
            let name = PercentEncoding.decode(part.prefix { $0 != "=" }, isForm: true)
            guard let index = changes.firstIndex(where: { $0.name == name }) else {
                parts.append(String(part))
                continue
            }
            // A parameter that stands there several times is replaced as a whole.
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
