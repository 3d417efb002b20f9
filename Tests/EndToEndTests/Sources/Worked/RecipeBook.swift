import Foundation

/// The worked recipes of facefetch-source(5), as the manual has them.
enum RecipeBook {
    private static let folder = Repository.path("scripts/recipes")

    /// The recipes' names.
    static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).map { String($0.dropLast(".yaml".count)) }
    }

    /// A recipe whose servers are all replaced by one.
    static func text(_ name: String, at base: String) throws -> String {
        let text = try String(contentsOfFile: "\(folder)/\(name).yaml", encoding: .utf8)
        return text.replacing(/https:\/\/[a-z0-9.-]+/, with: base)
    }
}
