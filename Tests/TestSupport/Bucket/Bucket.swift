import Foundation
import Synchronization

/// A bucket as strict servers have it: ListObjectsV2 in pages, objects, and signatures that must be right.
///
/// It is put behind an ``Origin``, in the path's style, or the host's where the request's Host begins with
/// its name.
public final class Bucket: Sendable {
    /// The bucket's name.
    public let name: String
    /// The region that requests must be signed for.
    public let region: String
    /// The objects, by their keys.
    public let objects: [String: [UInt8]]
    /// The keys with which it may be read; nil for everybody.
    public let keys: SignatureKeys?
    /// The number of objects that a page lists.
    public let pageSize: Int
    /// The requests that were refused, with the reason.
    private let log = Mutex<[String]>([])

    /// A bucket with its objects.
    public init(
        _ name: String,
        region: String = "eu-central-1",
        keys: SignatureKeys? = nil,
        objects: [String: [UInt8]],
        pageSize: Int = 1000
    ) {
        (self.name, self.region, self.keys) = (name, region, keys)
        (self.objects, self.pageSize) = (objects, pageSize)
    }

    /// The reasons why requests were refused so far.
    public var refusals: [String] { log.withLock { $0 } }

    /// Returns the bucket's answer to a request for a path below a folder of its own.
    public func answer(to request: OriginRequest, below folder: String = "") -> OriginAnswer {
        if let keys {
            let check = SignatureCheck(request: request, keys: keys, region: region)
            if let problem = check.problem(now: Date()) { return refuse(request, problem) }
        } else if request.header("authorization") != nil {
            return refuse(request, .init(403, "InvalidAccessKeyId", "this bucket knows no key"))
        }
        let path = request.path.dropFirst(folder.utf8.count)
        let isHostStyle = (request.header("host") ?? "").hasPrefix(name + ".")
        guard isHostStyle || path.hasPrefix("/\(name)/") else {
            return refuse(request, .init(404, "NoSuchBucket", String(path)))
        }
        let key = Self.decoded(isHostStyle ? path.dropFirst() : path.dropFirst(name.utf8.count + 2))
        if key.isEmpty { return listing(request) }
        guard let bytes = objects[key] else { return refuse(request, .init(404, "NoSuchKey", key)) }
        return OriginFile(bytes, entityTag: Self.tag(bytes)).answer(to: request)
    }

    private func refuse(_ request: OriginRequest, _ problem: SignatureProblem) -> OriginAnswer {
        log.withLock { $0.append("\(request.target): \(problem.code): \(problem.detail)") }
        var body = "<?xml version=\"1.0\"?>\n<Error><Code>\(problem.code)</Code><Message>refused</Message>"
        if problem.code == "AuthorizationHeaderMalformed" { body += "<Region>\(region)</Region>" }
        return OriginAnswer(
            problem.status,
            [("Content-Type", "application/xml")],
            body: Array((body + "</Error>").utf8)
        )
    }

    private func listing(_ request: OriginRequest) -> OriginAnswer {
        var parameters: [String: String] = [:]
        for part in request.target.drop(while: { $0 != "?" }).dropFirst().split(separator: "&") {
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            parameters[Self.decoded(halves[0])] = halves.count > 1 ? Self.decoded(halves[1]) : ""
        }
        guard parameters["list-type"] == "2", parameters["encoding-type"] == "url" else {
            return refuse(request, .init(400, "InvalidArgument", "list-type"))
        }
        // A token looks like S3's: base64 with all the characters that need care.
        let after = (parameters["continuation-token"]?.dropFirst(4)).flatMap {
            Data(base64Encoded: String($0))
        }
        let start = after.map { Array($0) } ?? []
        let all = objects.keys.filter { $0.hasPrefix(parameters["prefix"] ?? "") }
            .sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
        let left = all.filter { start.isEmpty || start.lexicographicallyPrecedes(Array($0.utf8)) }
        let page = left.prefix(pageSize)
        let isTruncated = left.count > page.count
        var body = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        body += "<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Name>\(name)</Name>"
        body += "<EncodingType>url</EncodingType><KeyCount>\(page.count)</KeyCount>"
        body += "<IsTruncated>\(isTruncated)</IsTruncated>"
        if isTruncated, let last = page.last {
            body +=
                "<NextContinuationToken>1/+=\(Data(last.utf8).base64EncodedString())</NextContinuationToken>"
        }
        for key in page {
            let bytes = objects[key] ?? []
            body += "<Contents><Key>\(SignatureCheck.encoded(key, keeping: "/"))</Key>"
            body +=
                "<ETag>&quot;\(Self.tag(bytes).dropFirst().dropLast())&quot;</ETag><Size>\(bytes.count)</Size></Contents>"
        }
        return OriginAnswer(
            200,
            [("Content-Type", "application/xml")],
            body: Array((body + "</ListBucketResult>").utf8)
        )
    }

    private static func tag(_ bytes: [UInt8]) -> String {
        "\"" + bytes.reduce(into: "") { $0 += String($1, radix: 16) }.suffix(32) + "\""
    }

    private static func decoded(_ text: Substring) -> String { SignatureCheck.decoded(String(text)) }
}
