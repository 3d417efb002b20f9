import Glibc
import SmallFiles

/// The folder of the recipes that come with the program.
struct RecipeShelf: Sendable {
    /// The recipe that a new source starts from if nothing else is said.
    static let plainest = "api"

    /// The folder's path.
    let folder: String

    /// A folder of recipes.
    init(folder: String) { self.folder = folder }

    /// Finds the folder: as it is installed, or in the source that the program was built from.
    ///
    /// - Throws: ``ClientError`` if it isn't there.
    static func find() throws(ClientError) -> RecipeShelf {
        let own = realpath("/proc/self/exe", nil).map { pointer -> String in
            defer { free(pointer) }
            return String(cString: pointer)
        }
        let program =
            own.map { path in String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]) } ?? "/usr/bin"
        let places = [
            program + "/../share/facefetch/recipes", program + "/../../../docs/recipes",
            "/usr/share/facefetch/recipes",
        ]
        for place in places where access("\(place)/\(plainest).yaml", R_OK) == 0 {
            guard let path = realpath(place, nil) else { continue }
            defer { free(path) }
            return RecipeShelf(folder: String(cString: path))
        }
        throw .unsuccessful(
            "The worked recipes are not installed: they belong into ../share/facefetch/recipes, as seen from the "
                + "folder that facefetch is in."
        )
    }

    /// Returns the names of the recipes, in alphabetical order.
    ///
    /// - Throws: ``ClientError`` if the folder can't be read.
    func names() throws(ClientError) -> [String] {
        let files: [String]
        do throws(FileFailure) { files = try WholeFolder.names(folder) } catch {
            throw .unsuccessful("The folder \(folder.safeForTerminal) can't be read: \(error).")
        }
        return files.filter { $0.hasSuffix(Self.ending) }.map { String($0.dropLast(Self.ending.count)) }
            .filter(WorkedRecipe.isName).sorted()
    }

    private static let ending = ".yaml"

    /// Returns the path of a recipe's file.
    func path(_ name: String) -> String { "\(folder)/\(name)\(Self.ending)" }

    /// Reads a recipe.
    ///
    /// - Throws: ``ClientError`` if there is none of this name, with a similar one where there is.
    func recipe(_ name: String) throws(ClientError) -> WorkedRecipe {
        let names = try names()
        guard names.contains(name) else {
            let advice =
                Self.similar(to: name, among: names).map { "Did you mean \($0)?" }
                ?? "\"facefetch source recipes\" lists those that there are."
            throw .usage("There is no recipe \"\(name.safeForTerminal)\". \(advice)")
        }
        return WorkedRecipe(name: name, text: try TextFile.read(path(name), what: "The recipe"))
    }

    /// Returns the recipe whose name is meant by a slip, or begins or ends so; nil if none is near.
    static func similar(to name: String, among names: [String]) -> String? {
        let word = name.lowercased()
        // Whoever writes a novel for a name hasn't mistyped one.
        guard !word.isEmpty, word.count <= 40 else { return nil }
        let distances = names.map { ($0, CommandSuggestion.editDistance($0, word)) }
        if let best = distances.min(by: { $0.1 < $1.1 }), best.1 <= max(1, best.0.count / 3) { return best.0 }
        guard word.count > 2 else { return nil }
        return names.first { $0.contains(word) || $0.count > 2 && word.contains($0) }
    }
}
