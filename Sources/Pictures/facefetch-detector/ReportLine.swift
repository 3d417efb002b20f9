import DetectorProtocol
import FaceDetection
import FoundationEssentials
import Vocabulary

/// The line printed for a file.
struct ReportLine {
    let file: String
    let outcome: String
    let faces: [Face]?
    let looks: [Int]?
    let engine: String
    let seconds: Double
    /// True if much of the file's data is damaged.
    var isDamaged = false
    /// The fingerprint of the picture; nil if there is too little in it.
    var fingerprint: Fingerprint?
    /// The angle by which the picture was turned when the faces were found; nil if it wasn't.
    var turned: Int?
    /// The copies that were made of the picture; nil if none are made.
    var copies: CopyMaker.Result?

    /// Returns the line of JSON, with its keys in the order given in `--help`.
    func json() throws -> String {
        let values: [(String, any Encodable)] = [
            ("file", file), ("outcome", outcome), ("face_count", faces?.count), ("faces", faces ?? []),
            ("looks", looks ?? []), ("engine", engine), ("seconds", seconds),
        ]
        let names: [(String, any Encodable)] = copies.map { [("copies", $0.files)] } ?? []
        let hidden: [(String, any Encodable)] =
            copies?.hidden.map { [("doubtful", $0.doubtful.map(\.answer))] } ?? []
        let damage: [(String, any Encodable)] = isDamaged ? [("damaged", true)] : []
        let likeness: [(String, any Encodable)] = fingerprint.map { [("fingerprint", $0.hexadecimal)] } ?? []
        let turn: [(String, any Encodable)] = turned.map { [("turned", $0)] } ?? []
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        let pairs = try (values + damage + likeness + turn + names + hidden).map { key, value in
            "\"\(key)\":" + String(decoding: try encoder.encode(value), as: UTF8.self)
        }
        return ("{" + pairs.joined(separator: ",") + "}").withoutSteering()
    }
}

extension Face {
    /// The face as an answer has it; four decimals are enough for a confidence.
    var answer: Face {
        var face = self
        face.confidence = (confidence * 10_000).rounded() / 10_000
        return face
    }
}

extension Duration {
    /// The duration in seconds, rounded to a tenth of a millisecond.
    var seconds: Double {
        let (whole, rest) = components
        return ((Double(whole) + Double(rest) / 1e18) * 10_000).rounded() / 10_000
    }
}
