import Foundation

/// The worked recipes, as they are installed.
enum RecipeBook {
    private static let folder = Repository.path("docs/recipes")

    /// The recipes' names.
    static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).map { String($0.dropLast(".yaml".count)) }
    }

    /// A recipe whose servers are all replaced by one.
    static func text(_ name: String, at base: String) throws -> String {
        let text = try String(contentsOfFile: "\(folder)/\(name).yaml", encoding: .utf8)
        return text.replacing(/https:\/\/[a-z0-9.-]+/, with: base)
    }

    /// The names of the secrets of a recipe.
    static func secrets(_ name: String) throws -> [String] {
        let text = try String(contentsOfFile: "\(folder)/\(name).yaml", encoding: .utf8)
        return text.matches(of: /secret: ([a-z0-9-]+)/).map { String($0.1) }
    }
}
