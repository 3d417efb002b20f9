import JobCore
import JobModel
import Vocabulary

/// The URLs that a transfer has been redirected to, to recognize loops.
struct RedirectTrail: Hashable, Sendable {
    private var visited: [JobURL]
    /// The current URL's ``JobURL/hostKey``; kept, since each request needs it many times.
    private(set) var hostKey: String

    /// Creates a trail that begins at the job's own URL.
    init(from url: JobURL) { (visited, hostKey) = ([url], url.hostKey) }

    /// The URL that the trail began at.
    var home: JobURL { visited[0] }

    /// The URL being fetched.
    var current: JobURL { visited[visited.count - 1] }

    /// The number of redirects followed.
    var count: Int { visited.count - 1 }

    /// Follows a redirect; throws if the policy forbids it.
    ///
    /// Credentials in a URL are for its own scheme, host and port, and go with every request there, also where an
    /// absolute target doesn't repeat them. A target that brings its own has those.
    ///
    /// - Parameter mayRepeat: True if a URL that was asked before may answer otherwise now.
    mutating func follow(
        _ target: JobURL,
        policy: TransferPolicy,
        mayRepeat: Bool = false
    ) throws(JobFailure) {
        var target = try policy.permitted(target)
        if let latest = visited.last(where: { $0.hasSameOrigin(as: target) }) {
            target = target.withCredentials(of: latest)
        }
        guard mayRepeat || !visited.contains(target) else {
            throw JobFailure(
                .tooManyRedirects,
                "the redirects form a loop: \(Self.words(target)) comes twice"
            )
        }
        guard count < policy.maximumRedirects else {
            throw JobFailure(
                .tooManyRedirects,
                "there were more than \(policy.maximumRedirects) redirects (transfer.redirects), the last to \(Self.words(target))"
            )
        }
        visited.append(target)
        hostKey = target.hostKey
    }

    /// Returns a target for use in a message, shortened because signed URLs can have thousands of
    /// characters.
    private static func words(_ target: JobURL) -> String { target.masked.limited(toBytes: 300) }

    /// True unless the trail has led from https to http.
    var isAsSecureAsHome: Bool { visited[0].scheme != "https" || current.scheme == "https" }

    /// True if the current URL has the scheme, host and port of the first, without which a job's own header
    /// fields aren't sent.
    var isAtHome: Bool { visited[0].hasSameOrigin(as: current) }
}
