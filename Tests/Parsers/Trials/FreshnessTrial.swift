import JobCore
import JobModel
import SourceCore
import Vocabulary

@testable import CurlTransfer
@testable import SourceEngine

/// The head of a page, line by line as libcurl hands it over, and for how long the page is fresh by it.
enum FreshnessTrial {
    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        guard let url = try? JobURL("https://example.org/list") else { return nil }
        var reader = PageHeadReader()
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            // An array of its own: reading past the line is reading past the memory.
            guard (Array(line) + [0x0D, 0x0A]).withUnsafeBytes({ reader.parse($0) }) else { return nil }
        }
        for field in reader.fields {
            try promise(
                (field.name + field.value).utf8.allSatisfy { $0 != 0x0A },
                "a field goes on in the next line"
            )
        }
        let answer = PageAnswer(status: reader.status, fields: reader.fields, url: url, length: 0)
        let now = Timestamp(microseconds: 1_700_000_000_000_000)
        if let wait = answer.retryAfter(now: now) {
            try promise(wait >= 1, "the page is left alone for \(wait) s")
        }
        let head = PageHead(answer)
        try checkSeconds(of: head)
        try checkValidators(of: head)
        return head.etag
    }

    private static func checkSeconds(of head: PageHead) throws(BrokenPromise) {
        let fresh = Freshness.seconds(head)
        try promise((0...Freshness.longest).contains(fresh), "it is fresh for \(fresh) s")
        // More may be said against a page's freshness, and then it isn't fresher.
        var strict = head
        strict.cacheControl.append("max-age=1")
        try promise(Freshness.seconds(strict) <= max(fresh, 1), "it is fresher for a shorter time")
        strict.cacheControl.append("no-store")
        try promise(Freshness.seconds(strict) == 0, "what is not to be stored is fresh")
        try promise(
            PageValidators(strict, sha256: nil, url: "https://example.org/list") == nil,
            "what is not to be stored is kept"
        )
    }

    /// Checks that what is sent back later is a field, and nothing more.
    private static func checkValidators(of head: PageHead) throws(BrokenPromise) {
        guard let kept = PageValidators(head, sha256: nil, url: "https://example.org/list") else {
            try promise(Freshness.seconds(head) == 0, "a fresh page is not to be stored")
            return
        }
        for (name, value) in kept.fields {
            try promise(
                (1...1024).contains(value.utf8.count) && !value.utf8.contains { $0 < 0x20 || $0 == 0x7F },
                "\(name) can't be sent"
            )
        }
        let unchanged = kept.head(updatedBy: PageHead())
        if kept.lifetime != nil {
            var same = head
            same.age = nil
            same.etag = kept.etag
            same.lastModified = kept.lastModified
            try promise(unchanged == same, "a page that is unchanged has another head")
        }
    }
}
