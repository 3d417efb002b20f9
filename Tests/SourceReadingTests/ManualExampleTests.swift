import Foundation
import SourceCore
import Testing

@testable import SourceReading

/// The worked recipes of facefetch-source(5), which the end-to-end tests walk.
@Suite struct ManualExampleTests {
    private static let recipes = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent()
        .appending(path: "docs/recipes")

    @Test("Every recipe in the manual is one that is read, under its file's name")
    func examples() throws {
        let files = try FileManager.default.contentsOfDirectory(
            at: Self.recipes,
            includingPropertiesForKeys: nil
        )
        #expect(files.count > 10)
        for file in files {
            let text = try String(contentsOf: file, encoding: .utf8)
            do throws(RecipeRefusal) {
                #expect(try RecipeText.read(text).name == file.deletingPathExtension().lastPathComponent)
            } catch {
                Issue.record("\(file.lastPathComponent): \(error)")
            }
        }
    }
}
