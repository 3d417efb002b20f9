import FoundationEssentials
import Glibc
import JobCore
import RecipeFile
import SourceCore

/// Recipes in files, which an administrator keeps: applied at the start and with each reload.
extension SourceEngine {
    /// Applies every recipe in a directory; what is wrong with one is said, and the others are applied.
    ///
    /// A source whose file is gone is paused, and goes on when the file is back.
    public func apply(filesIn directory: String) async {
        var seen: [String: String] = [:]
        for (path, name) in Self.recipes(in: directory) {
            guard let text = Self.read(path) else {
                parts.logger.error("\(path) can't be read: \(String(cString: strerror(errno)))")
                continue
            }
            if let name = await apply(file: path, text, fallback: name, seen: seen) { seen[name] = path }
        }
        for source in sources() {
            guard let file = source.file, file.hasPrefix(directory + "/"), seen[source.name] != file else {
                continue
            }
            guard !FileManager.default.fileExists(atPath: file), source.state.pause == nil else { continue }
            parts.logger.warning("the source \(source.name) is paused, for its file \(file) is gone")
            _ = try? await runner(source.name).ask(.pause(Self.gone(file)))
        }
    }

    static func gone(_ file: String) -> String { "its file \(file) is gone" }

    /// Applies the recipe of a file; gives back its name.
    private func apply(
        file path: String,
        _ text: String,
        fallback: String,
        seen: [String: String]
    ) async -> String? {
        var name = fallback
        do throws(RecipeRefusal) {
            name = try RecipeFile.read(text, name: fallback).name
        } catch {
            for problem in error.problems { parts.logger.error("\(path): \(problem)") }
            return nil
        }
        if let other = seen[name] {
            parts.logger.error(
                "\(path): \(other) has a source of the name \(name), too; this one is left out"
            )
            return nil
        }
        var order = RecipeOrder(text, name: name, maySeeSecrets: true, reset: nil)
        order.file = path
        do throws(SourceRefusal) {
            let (source, isNew) = try await apply(order)
            if isNew { parts.logger.notice("\(path): the source \(name) is new") }
            if source.state.pause == Self.gone(path) { _ = try? await runner(name).ask(.resume) }
        } catch {
            parts.logger.error("\(path): \(error.words)")
        }
        return name
    }

    /// The recipes of a directory, with the name that each gives its source, in order.
    private static func recipes(in directory: String) -> [(path: String, name: String)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.sorted().compactMap { file in
            guard !file.hasPrefix("."), let dot = file.lastIndex(of: "."),
                ["yaml", "yml", "json"].contains(file[file.index(after: dot)...].lowercased())
            else { return nil }
            return ("\(directory)/\(file)", String(file[..<dot]))
        }
    }

    private static func read(_ path: String) -> String? {
        guard let data = FileManager.default.contents(atPath: path), data.count <= RecipeFile.maximumLength
        else { return nil }
        return String(decoding: data, as: UTF8.self)
    }
}

extension SourceRefusal {
    /// Why, as a sentence for the daemon's log.
    public var words: String {
        switch self {
        case .noSuchSource(let name): "there is no source \(name)"
        case .nameTaken(let name): "there is a source \(name) already"
        case .badRecipe(let problems): problems.map(\.description).joined(separator: "; ")
        case .otherName(let name): "the recipe is that of \(name)"
        case .secretNotAllowed(let names): "it may not name \(names.joined(separator: ", "))"
        case .needsReset(let name):
            "url or kind is another than before, so \(name) may be another list: remove the source "
                + "(facefetch source remove \(name)), then reload; or apply the file by hand with --reset"
        case .page(let failure): failure.message
        case .control: "the store can't take it now; reload once it can"
        }
    }
}
