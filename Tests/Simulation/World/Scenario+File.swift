import Foundation

/// Scenarios in files, so that one that was made smaller can be lived through again.
extension Scenario {
    private static let endless = (positive: "inf", negative: "-inf", none: "nan")

    /// Reads a scenario that was kept.
    init(file: String) throws {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: Self.endless.positive,
            negativeInfinity: Self.endless.negative,
            nan: Self.endless.none
        )
        self = try decoder.decode(Scenario.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
    }

    /// Keeps the scenario in a file of its own, and returns that.
    func keep() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: Self.endless.positive,
            negativeInfinity: Self.endless.negative,
            nan: Self.endless.none
        )
        let folder = FileManager.default.temporaryDirectory.path
        let file = "\(folder)/facefetch-simulation-\(seed)-\(steps.count)-\(jobCount).json"
        try encoder.encode(self).write(to: URL(fileURLWithPath: file))
        return file
    }
}
