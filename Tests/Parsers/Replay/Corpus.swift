import Foundation

/// The inputs that the trials begin from, a folder for each: written by hand, and those that once
/// broke something.
enum Corpus {
    /// An input and the name of its file.
    struct Input: Sendable, CustomStringConvertible {
        let name: String
        let bytes: [UInt8]
        var description: String { name }
    }

    /// The inputs of a trial, by name.
    static func inputs(of trial: ParserTrial) throws -> [Input] {
        let folder = URL(filePath: #filePath).appending(path: "../../Corpus/\(trial.rawValue)")
            .standardizedFileURL
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return try files.sorted { $0.lastPathComponent < $1.lastPathComponent }
            .map { Input(name: $0.lastPathComponent, bytes: [UInt8](try Data(contentsOf: $0))) }
    }
}
