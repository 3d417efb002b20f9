import SourceCore

/// The base that elements of a feed give to the URLs in them (XML Base, RFC 4287 §2).
enum XMLBase {
    /// Returns a URL as it is relative to the page, given a base that may be relative to it, too.
    static func resolved(_ text: String, against base: String?) -> String {
        guard let base, !base.isEmpty else { return text }
        let reference = URLReference(base)
        if isRooted(reference) { return reference.resolving(text).text }
        let other = URLReference(text)
        if isRooted(other) { return text }
        if other.path.isEmpty { return reference.path + text }
        // The page's own URL comes in front later, and dots are resolved then.
        return reference.path.lastIndex(of: "/").map { reference.path[...$0] + text } ?? text
    }

    private static func isRooted(_ reference: URLReference) -> Bool {
        reference.scheme != nil || reference.host != nil || reference.path.hasPrefix("/")
    }
}
