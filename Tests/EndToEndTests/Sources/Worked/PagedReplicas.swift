import ControlAPI
import TestSupport

/// A list that goes on for ever, for who has its key.
struct EndlessReplica: Replica {
    static let secret = "k3y-of-the-endless-list"
    let recipe = "endless"
    var keys: [String] { (0..<20).map(String.init) }
    var pages: Int { 2 }

    func answer(_ request: OriginRequest, _ path: String) -> OriginAnswer? {
        guard path == "/photos" else { return nil }
        guard request.header("api-key") == Self.secret else { return OriginAnswer(401) }
        let page = ListOrigin.parameter("page", of: request).flatMap { Int($0) } ?? 1
        return ListOrigin.json([
            "items": (0..<10).map { index in
                [
                    "id": page * 10 - 10 + index, "title": "no. \(index)",
                    "image_url": "/endless/picture/\(page)-\(index).jpg",
                ] as [String: Any]
            },
            "page": page, "total": 1000, "has_more": true,
        ])
    }
}

/// A bucket with objects whose keys are hard to write, in pages of three.
struct BucketReplica: Replica {
    static let signature = SignatureKeys(
        id: "AKIDEXAMPLE",
        secret: "s3cr/et+of=the(bucket)",
        token: "to/ken+=="
    )
    static let names = [
        "a b.jpg", "a+b=(1).jpg", "é/ü//ß.jpg", "../../up.jpg", "./b/./c.jpg", "100%25.jpg",
        "~*'!@:,;$&?#[].jpg",
        "\u{1F600}.jpg", "a\\b\"c<d>e^f`g{h|i}.jpg", "plain.jpg",
    ]
    let recipe = "bucket"
    let bucket: Bucket

    init() {
        let objects = Self.names.map { ("2026/" + $0, Array("object \($0)".utf8)) } + [("2025/old.jpg", [1])]
        bucket = Bucket(
            "photos",
            keys: Self.signature,
            objects: Dictionary(uniqueKeysWithValues: objects),
            pageSize: 3
        )
    }

    var keys: [String] {
        bucket.objects.keys.filter { $0.hasPrefix("2026/") }
            .sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
    }
    var pages: Int { 4 }

    /// Known by key and tag, so that an object that is written over is another.
    func key(of job: JobJSON) -> String? {
        job.itemKey?.lastIndex(of: "@").flatMap { job.itemKey?[..<$0] }.map(String.init)
    }

    func bytes(of job: JobJSON) -> [UInt8] { key(of: job).flatMap { bucket.objects[$0] } ?? [] }

    func answer(_ request: OriginRequest, _ path: String) -> OriginAnswer? {
        bucket.answer(to: request, below: "/bucket")
    }
}
