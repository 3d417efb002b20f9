import ArgumentParser
import ExportFormats

/// A program and its arguments, with places for what is known of a job.
///
/// A place is a whole argument, such as `{path}`, and what is put there is never looked at again, by
/// nobody: no shell, and no second filling. Braces that hold no word are text.
struct ProgramTemplate: Hashable, Sendable {
    /// The words that can be said of a job.
    enum Word: String, CaseIterable, Sendable {
        case job, batch, ending, state, name, path, url, sha256, faces, source
        case itemKey = "item_key"
        case error

        /// All of them, for help texts.
        static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
    }

    private enum Argument: Hashable, Sendable {
        case text(String)
        case word(Word)
        case meta(String)
    }

    /// The program.
    let program: String
    private let arguments: [Argument]

    /// Reads a program and its arguments.
    ///
    /// - Throws: `ValidationError` for a place that there is nothing for, or that is a part of an argument.
    init(_ words: [String]) throws {
        guard let program = words.first, !program.isEmpty else {
            throw ValidationError("Name the program to run, behind --.")
        }
        // A document is nothing to be run.
        if let place = Self.places(in: program).first {
            throw ValidationError("The program itself can't be {\(place)}.")
        }
        self.program = program
        arguments = try words.dropFirst().map(Self.argument)
    }

    /// The arguments for a job, the program's name in front.
    func filled(for job: ExportedJob) -> [String] {
        [program]
            + arguments.map { argument in
                switch argument {
                case .text(let text): text
                case .word(let word): job.text(of: word)
                case .meta(let key): job.metaText(of: key) ?? ""
                }
            }
    }

    private static func argument(_ text: String) throws -> Argument {
        let places = places(in: text)
        guard let place = places.first else { return .text(text) }
        guard text == "{\(place)}" else {
            throw ValidationError("{\(place)} has to be an argument of its own, not a part of \"\(text)\".")
        }
        if let word = Word(rawValue: place) { return .word(word) }
        if place.hasPrefix("meta."), place.count > 5 { return .meta(String(place.dropFirst(5))) }
        throw ValidationError("There is nothing for {\(place)}; there are \(Word.list) and meta.KEY.")
    }

    /// The words that stand in braces: small letters, digits and signs between them, as a place has them.
    private static func places(in text: String) -> [String] {
        var places: [String] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            rest = rest[rest.index(after: open)...]
            guard let close = rest.firstIndex(of: "}") else { break }
            let word = rest[..<close]
            guard let first = word.utf8.first, (0x61...0x7A).contains(first) else { continue }
            let isMeta = word.hasPrefix("meta.") && !word.contains("{")
            if isMeta
                || word.utf8.allSatisfy({
                    (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F
                })
            {
                places.append(String(word))
            }
        }
        return places
    }
}

extension ExportedJob {
    /// Returns what is known of the job under a word; empty if nothing is.
    func text(of word: ProgramTemplate.Word) -> String {
        let text: String? =
            switch word {
            case .job: String(id)
            case .batch: String(batch)
            case .ending: ending
            case .state: state
            case .name: name
            case .path: path
            case .url: url
            case .sha256: sha256
            case .faces: detection?.faceCount.map(String.init)
            case .source: source
            case .itemKey: itemKey
            case .error: error
            }
        // A program's argument ends at a zero, and can't hold one.
        return (text ?? "").filter { $0 != "\0" }
    }

    /// Returns the environment of a program.
    func environment(socket: String) -> [String: String] {
        var environment = ["FACEFETCH_SOCKET": socket]
        for word in ProgramTemplate.Word.allCases {
            environment["FACEFETCH_" + word.rawValue.uppercased()] = text(of: word)
        }
        return environment
    }
}
