import Foundation
import SourceCore
import Testing

@testable import RecipeFile

/// The recipes of facefetch-source(5), as scripts/build-manual has them.
@Suite struct ManualExampleTests {
    private static func recipes() throws -> [String] {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let script = try String(contentsOf: package.appending(path: "scripts/build-manual"), encoding: .utf8)
        let start = try #require(script.range(of: "RECIPES = ["))
        let end = try #require(script.range(of: "\n]\n", range: start.upperBound..<script.endIndex))
        let blocks = script[start.upperBound..<end.lowerBound].components(separatedBy: "\"\"\"")
        let texts = stride(from: 1, to: blocks.count, by: 2).map { blocks[$0] }
        return texts.flatMap { text in
            let isOneALine = text.contains("\n{name")
            return isOneALine
                ? text.split(separator: "\n").map(String.init)
                : text.components(separatedBy: "\n\n")
        }
    }

    @Test("Every recipe in the manual is one that is read")
    func examples() throws {
        let recipes = try Self.recipes()
        #expect(recipes.count == 9)
        for text in recipes {
            do throws(RecipeRefusal) {
                _ = try RecipeFile.read(text)
            } catch {
                Issue.record("\(text): \(error)")
            }
        }
    }
}
