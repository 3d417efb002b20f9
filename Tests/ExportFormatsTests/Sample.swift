@testable import ExportFormats

/// Jobs as the control socket has them.
enum Sample {
    /// A page of these items.
    static func page(_ items: [String]) -> [UInt8] {
        Array(
            #"{"has_more":false,"items":[\#(items.joined(separator: ","))],"next":null,"total":\#(items.count)}"#
                .utf8
        )
    }

    /// A face of a counted picture.
    static func face(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ confidence: Double = 0.9) -> String {
        #"{"confidence":\#(confidence),"height":\#(height),"landmarks":[{"x":\#(x).5,"y":\#(y)}],"width":\#(width),"#
            + #""x":\#(x),"y":\#(y)}"#
    }

    /// A picture of 400 × 300 with these faces.
    static func item(
        id: Int = 7,
        name: String = "a.jpg",
        faces: [String],
        width: Int? = 400,
        height: Int? = 300,
        orientation: Int? = 1
    ) -> String {
        let number: (Int?) -> String = { $0.map { String($0) } ?? "null" }
        return """
            {"attempts":1,"batch":2,"bytes":1234,"created_at":"2026-11-21T06:45:03.611Z","detection":\
            {"engine":"yunet","face_count":\(faces.count),"faces":[\(faces.joined(separator: ","))],\
            "fingerprint":"0123456789abcdef","format":"jpeg","height":\(number(height)),"orientation":\(number(orientation)),\
            "outcome":"counted","parameters":"p","seconds":0.25,"shared_from":null,"width":\(number(width))},\
            "ended":41,"ending":"done","error":null,"finished_at":"2026-11-21T06:45:04.611Z","id":\(id),\
            "item_key":"k\\"1","meta":{"a":[1,{"b":"}"}]},"name":"\(name)","path":"/d/\(name)",\
            "response":{"content_type":"image/jpeg","etag":"W/\\"v1\\"",\
            "final_url":"https://cdn/a.jpg?x","last_modified":"2026-11-20T00:00:00.000Z","received_at":null,\
            "status":200},"sha256":"ab",\
            "source":"s","state":"done","url":"https://h/\(name)","unknown_to_us":[{"deep":null}]}
            """
    }

    /// A job that failed.
    static let failed = #"""
        {"batch":2,"bytes":0,"created_at":"2026-11-21T06:45:03.611Z","detection":null,"ended":42,"ending":"failed",
        "error":{"code":"not_found","message":"it is gone, \"they\" say"},"finished_at":null,"id":8,
        "name":"=cmd|'/c calc'!A1","path":null,"sha256":null,"state":"failed","url":"https://h/\u00e4\ud83d\ude00\n"}
        """#

    /// A counted picture with its faces, in these coordinates.
    static func picture(
        _ faces: [String],
        orientation: Int? = 1,
        in coordinates: Coordinates = .upright
    ) throws -> (ExportedJob, ExportedPicture?) {
        let job = try ExportedJob(json: Array(item(faces: faces, orientation: orientation).utf8))
        return (job, job.picture(in: coordinates))
    }
}

extension [UInt8] {
    /// The bytes as text.
    var text: String { String(decoding: self, as: UTF8.self) }
}
