import JobCore
import Vocabulary

@testable import CurlTransfer
@testable import JobModel

/// A URL, and after a line break where a server sends us from there.
enum URLTrial {
    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        let lines = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = lines.first, let url = try? JobURL(String(decoding: first, as: UTF8.self)) else {
            return nil
        }
        try check(url)
        if lines.count > 1, let target = try? url.redirected(to: String(decoding: lines[1], as: UTF8.self)) {
            try check(target)
            var trail = RedirectTrail(from: url)
            try? trail.follow(target, policy: TransferPolicy())
            try promise(
                trail.isAtHome == url.hasSameOrigin(as: trail.current),
                "a redirect to elsewhere counts as home"
            )
        }
        return String(url.path.dropFirst())
    }

    private static func check(_ url: JobURL) throws(BrokenPromise) {
        try promise(url.isReadable && !url.host.isEmpty, "it has no host")
        try promise((1...65535).contains(url.port), "its port is \(url.port)")
        try promise(url.text.utf8.count <= JobURL.maximumLength, "it is longer than it may be")
        try promise(url.text.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "a byte of it isn't encoded")
        try promise(url.host == url.host.lowercased(), "its host isn't in lower case")
        try promise((try? JobURL(url.text)) == url, "it isn't the same when it is read again")
        try promise(url.path.isEmpty || url.path.hasPrefix("/"), "its path begins elsewhere")
        try ContentDispositionTrial.checkSafety(DocumentName.derived(from: url))
        if let parts = CurlURL(url.text) {
            try promise(
                parts.isAt(url.host) && parts.port == url.port && parts.scheme == url.scheme,
                "libcurl would go to \(parts.scheme)://\(parts.host):\(parts.port), not to "
                    + "\(url.scheme)://\(url.host):\(url.port)"
            )
            if let secret = parts.password, secret.utf8.count >= 8,
                !(parts.user?.contains(secret) ?? false)
            {
                // A user, a host or a path may say the same by chance, or because a server wants it so.
                let authority = url.masked.dropFirst(url.scheme.utf8.count + 3).prefix { !"/?".contains($0) }
                let user = authority[..<(authority.lastIndex(of: "@") ?? authority.startIndex)]
                try promise(!user.contains(secret), "its password can be seen")
            }
        }
        let upgraded = try? TransferPolicy(plainHTTP: .upgrade).permitted(url)
        try promise(
            upgraded.map { $0.scheme == "https" && $0.host == url.host } ?? true,
            "under https it leads elsewhere"
        )
    }
}
