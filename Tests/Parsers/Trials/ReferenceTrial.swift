import JobModel
import SourceCore
import Vocabulary

/// A page's URL, and after a line break one that is found in that page.
enum ReferenceTrial {
    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        let lines = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard let first = lines.first else { return nil }
        let base = URLReference(first)
        try check(base)
        try checkMask(first)
        guard lines.count > 1 else { return nil }
        let reference = URLReference(lines[1])
        try check(reference)
        let target = base.resolving(reference)
        try check(target)
        try promise(target.fragment == nil, "a fragment is asked for")
        if base.isFetchable {
            try promise(target.scheme != nil, "a URL has no scheme")
            if reference.scheme == nil, reference.host == nil {
                try promise(URLOrigin(target) == URLOrigin(base), "a path leads to another server")
            }
        }
        try checkQuery(of: target)
        try checkServer(of: target)
        return String(target.path.drop { $0 == "/" })
    }

    /// Checks that whatever is written down of a URL means the same when it is read again.
    private static func check(_ url: URLReference) throws(BrokenPromise) {
        let text = url.text
        // White space at its ends is none of a URL, and was none as long as a fragment stood behind it.
        if text.utf8.first ?? 0x21 > 0x20, text.utf8.last ?? 0x21 > 0x20 {
            try promise(
                URLReference(text) == url,
                "\(text.debugDescription) is another when it is read again"
            )
        }
        if let scheme = url.scheme {
            try promise(scheme == scheme.lowercased() && !scheme.isEmpty, "the scheme is \(scheme)")
        }
        try promise(!(url.host ?? "").utf8.contains(UInt8(ascii: "/")), "the host has a path in it")
    }

    /// A secret goes to an origin, and so has the request that it goes with.
    private static func checkServer(of url: URLReference) throws(BrokenPromise) {
        guard let fetched = try? JobURL(url.text) else { return }
        guard let origin = URLOrigin(URLReference(fetched.text)) else {
            throw BrokenPromise(description: "\(fetched.text) has no origin")
        }
        let host = fetched.host.hasSuffix(".") ? String(fetched.host.dropLast()) : fetched.host
        let bare = origin.host.hasPrefix("[") ? String(origin.host.dropFirst().dropLast()) : origin.host
        try promise(
            origin.scheme == fetched.scheme && bare == host && origin.port == fetched.port,
            "\(fetched.text) goes to \(fetched.host), and what is for \(origin.host) with it"
        )
    }

    private static func checkQuery(of url: URLReference) throws(BrokenPromise) {
        let next = url.replacingQuery([("page", "2 & 3"), ("token", nil)])
        try check(next)
        // By bytes: "&" and an accent behind it are one character.
        let parameters = (next.query ?? "").utf8.split(separator: UInt8(ascii: "&"))
            .map { String(Substring($0)) }
        try promise(parameters.count { $0 == "page=2%20%26%203" } == 1, "the next page is another")
        try promise(!parameters.contains { $0.hasPrefix("token=") }, "a parameter that goes has stayed")
    }

    private static func checkMask(_ text: String) throws(BrokenPromise) {
        let masked = UserInformation.masked(url: text)
        try promise(UserInformation.masked(url: masked) == masked, "a masked URL is masked again")
        try promise(
            UserInformation.all(in: UserInformation.masked(in: text)).allSatisfy { $0.hasSuffix("***") },
            "a password can be seen"
        )
        try promise(
            PercentEncoding.decode(PercentEncoding.encode(text)) == text,
            "a text isn't the same after it was encoded"
        )
    }
}
