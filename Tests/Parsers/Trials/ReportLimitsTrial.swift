@testable import Receivers

/// A trial of how long a receiver of error reports wants nothing, in the words of its X-Sentry-Rate-Limits.
enum ReportLimitsTrial {
    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        let field = String(decoding: bytes, as: UTF8.self)
        let pause = ReceiverVerdict.pause(in: field)
        if let pause {
            try promise((0...ReceiverVerdict.longestPause).contains(pause), "it is to wait \(pause) s")
        }
        guard case .failed(_, let wait?) = ReceiverVerdict(status: 429, retryAfter: nil, limits: field) else {
            throw BrokenPromise(description: "the report is neither kept nor waits")
        }
        try promise(wait == pause ?? ReceiverVerdict.usualPause, "the wait isn't the one that was read")
        return pause.map { "\($0)" }
    }
}
