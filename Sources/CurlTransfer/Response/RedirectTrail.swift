import JobCore

/// The URLs that one transfer has been sent to, so that it doesn't run in circles.
struct RedirectTrail: Hashable, Sendable {
    private var visited: [JobURL]

    /// A trail that begins where the job's own URL points.
    init(from url: JobURL) { visited = [url] }

    /// The URL that is fetched now.
    var current: JobURL { visited[visited.count - 1] }

    /// How many redirects were followed.
    var count: Int { visited.count - 1 }

    /// Goes on to a redirect's target; throws where the policy ends the trail.
    mutating func follow(_ target: JobURL, policy: TransferPolicy) throws(JobFailure) {
        let target = try policy.permitted(target)
        guard !visited.contains(target) else {
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
    }

    /// A target for a message, which is no place for a signed URL's thousands of characters.
    private static func words(_ target: JobURL) -> String { target.masked.limited(toBytes: 300) }

    /// Whether the current URL has the scheme, host and port of the first: a
    /// job's own header fields go nowhere else.
    var isAtHome: Bool { visited[0].hasSameOrigin(as: current) }
}
