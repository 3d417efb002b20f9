import DetectorProtocol
import FoundationEssentials

/// The line printed for a file.
struct ReportLine {
    let file: String
    let outcome: String
    let faces: [DetectorResponse.Face]?
    let looks: [Int]?
    let engine: String
    let seconds: Double

    /// Returns the line of JSON, with its keys in the order given in `--help`.
    func json() throws -> String {
        let values: [(String, any Encodable)] = [
            ("file", file), ("outcome", outcome), ("face_count", faces?.count), ("faces", faces ?? []),
            ("looks", looks ?? []), ("engine", engine), ("seconds", seconds),
        ]
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        let pairs = try values.map { key, value in
            "\"\(key)\":" + String(decoding: try encoder.encode(value), as: UTF8.self)
        }
        return "{" + pairs.joined(separator: ",") + "}"
    }
}
