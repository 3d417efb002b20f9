import FoundationEssentials
import JobModel
import SmallFiles
import SourceCore

/// Recipes in files, which an administrator keeps: applied at the start and with each reload.
extension SourceEngine {
    /// Applies every recipe in a directory; what is wrong with one is said, and the others are applied.
    ///
    /// A source whose file is gone, or is of another one now, is paused, and goes on when a file has it again.
    public func apply(filesIn directory: String) async {
        var seen: [String: String] = [:]
        var names: [String: String] = [:]
        for (path, name) in Self.recipes(in: directory) {
            guard let name = await apply(file: path, fallback: name, seen: seen) else { continue }
            names[path] = name
            if seen[name] == nil { seen[name] = path }
        }
        for source in sources() {
            guard let file = source.file, file.hasPrefix(directory + "/"), seen[source.name] != file,
                source.state.pause == nil
            else { continue }
            let reason: String
            if let name = names[file], name != source.name {
                reason = Self.renamed(file, to: name, source.name)
            } else if !FileManager.default.fileExists(atPath: file) {
                reason = Self.gone(file)
            } else {
                continue
            }
            parts.logger.warning("the source \(source.name) is paused, for \(reason)")
            _ = try? await runner(source.name).perform(.pause(reason))
        }
    }

    static func gone(_ file: String) -> String { "its file \(file) is gone" }

    /// Returns the reason for which the source of a file is paused when the file names another; advice
    /// follows, for nobody may have meant it.
    static func renamed(_ file: String, to name: String, _ source: String) -> String {
        "its file \(file) is that of the source \(name) now; remove \(source) (facefetch source remove "
            + "\(source)), or give it a file again"
    }

    /// Returns whether a source is paused because it had no file any more.
    private static func isWithoutFile(_ source: SourceSnapshot) -> Bool {
        guard let file = source.file, let pause = source.state.pause else { return false }
        return pause == gone(file) || pause.hasPrefix("its file \(file) is that of the source ")
    }

    /// Applies the recipe of a file; gives back its name, also where another file has it already.
    private func apply(file path: String, fallback: String, seen: [String: String]) async -> String? {
        let result = await parts.files.run(for: nil) {
            Result { () throws(FileFailure) in try Self.order(path, fallback: fallback) }
        }
        let order: RecipeOrder
        do throws(FileFailure) { order = try result.get() } catch {
            parts.logger.error("\(path): \(error.words)")
            return nil
        }
        let read: ReadRecipe
        do throws(SourceRefusal) { read = try await parts.read(order) } catch {
            if case .badRecipe(let problems) = error {
                for problem in problems { parts.logger.error("\(path): \(problem)") }
            } else {
                parts.logger.error("\(path): \(error.words)")
            }
            return nil
        }
        let name = read.recipe.name
        if let other = seen[name] {
            parts.logger.error(
                "\(path): \(other) has a source of the name \(name), too; this one is left out"
            )
            return name
        }
        let lackedFile = registry[name].map { Self.isWithoutFile($0.snapshot.withLock { $0 }) } ?? false
        do throws(SourceRefusal) {
            let (_, isNew) = try await apply(try await checked(read, order))
            if isNew { parts.logger.notice("\(path): the source \(name) is new") }
            if lackedFile { _ = try? await runner(name).perform(.resume) }
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

    /// A file's recipe, read; a name that it doesn't say is the file's.
    private static func order(
        _ path: String,
        fallback: String
    ) throws(FileFailure) -> RecipeOrder {
        let bytes = try WholeFile.bytes(path, atMost: RecipeRequest.maximumLength, .isRegular)
        let text = String(decoding: bytes, as: UTF8.self)
        var order = RecipeOrder(text, fallback: fallback, maySeeSecrets: true)
        order.file = path
        return order
    }
}

extension SourceRefusal {
    /// The reason, as a sentence for the daemon's log.
    public var words: String {
        switch self {
        case .noSuchSource(let name): "there is no source \(name)"
        case .unusable(let name, let words):
            "the stored recipe of the source \(name) can't be used: \(words); apply another one, or remove it"
        case .unread(let name): "the recipe of the source \(name) could not be read yet"
        case .nameTaken(let name): "there is a source \(name) already"
        case .badRecipe(let problems): problems.map(\.description).joined(separator: "; ")
        case .otherName(let name): "the recipe is that of \(name)"
        case .secretNotAllowed(let names): "it may not name \(names.joined(separator: ", "))"
        case .hasSecrets(let name): "the source \(name) names secrets"
        case .mayHaveSecrets(let name):
            "the stored recipe of the source \(name) can't be used, and may name secrets: root can replace or remove it"
        case .needsReset(let name):
            "url or kind is another than before, so \(name) may be another list: remove the source "
                + "(facefetch source remove \(name)), then reload; or apply the file by hand with --reset"
        case .page(let failure): failure.message
        case .control: "the store can't take it now; reload once it can"
        }
    }
}
