import ControlAPI

/// A recipe that comes with the program, to start another from.
///
/// The comment above it begins with a sentence about the place. Paragraphs of it that begin with `Change:` and
/// `Know:` are remarks about what is to be changed for another place, and about keys, rates and terms.
struct WorkedRecipe: Hashable, Sendable {
    /// The recipe's name, which is that of its file.
    let name: String
    /// The whole text, comment included.
    let text: String
    /// The sentence about the place.
    private(set) var about = ""
    /// The remarks about what is to be changed.
    private(set) var changes: [String] = []
    /// The remarks about keys, rates and terms.
    private(set) var facts: [String] = []

    /// Reads the comment above a recipe.
    init(name: String, text: String) {
        (self.name, self.text) = (name, text)
        let comment = text.split(separator: "\n", omittingEmptySubsequences: false).prefix {
            $0.hasPrefix("#")
        }
        var remarks: [String] = []
        for line in comment {
            let words = line.drop { $0 == "#" || $0 == " " }
            let begins = remarks.isEmpty || [Self.change, Self.fact].contains(where: words.hasPrefix)
            if begins {
                remarks.append(String(words))
            } else if !words.isEmpty {
                remarks[remarks.count - 1] += " " + words
            }
        }
        for remark in remarks {
            if remark.hasPrefix(Self.change) {
                changes.append(Self.rest(remark, behind: Self.change))
            } else if remark.hasPrefix(Self.fact) {
                facts.append(Self.rest(remark, behind: Self.fact))
            } else {
                about = remark
            }
        }
    }

    private static let change = "Change:"
    private static let fact = "Know:"

    private static func rest(_ remark: String, behind word: String) -> String {
        String(remark.dropFirst(word.count).drop { $0 == " " })
    }

    /// Returns the recipe under another name; nil if no line of it says its name.
    func text(named new: String) -> String? {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let place = lines.firstIndex(where: { $0.hasPrefix("name: ") }) else { return nil }
        lines[place] = "name: \(Self.written(new))"
        return lines.joined(separator: "\n")
    }

    /// Returns a name as it is written in YAML, where numbers and some words mean something else.
    private static func written(_ name: String) -> String {
        let isPlain = name.first?.isLetter == true && !meaningful.contains(name.lowercased())
        return isPlain ? name : "\"\(name)\""
    }

    private static let meaningful = ["yes", "no", "true", "false", "on", "off", "null", "y", "n"]

    /// Returns whether a source may have this name.
    static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, text.utf8.count <= 63, text != "try" else { return false }
        return isLetterOrDigit(first)
            && text.utf8.allSatisfy { isLetterOrDigit($0) || "-._".utf8.contains($0) }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }
}

extension WorkedRecipe {
    /// The recipe as `source recipes --json` prints it.
    struct Line: APIObject {
        /// The recipe's name, and the sentence about its place.
        var name: String
        var about: String
        /// What is to be changed, and what is worth knowing.
        var change: [String]
        var know: [String]
        /// The path of its file.
        var file: String

        static let shape = Shape<Line>("WorkedRecipe", CodingKeys.self) {
            $0.member(.name, \.name)
            $0.member(.about, \.about)
            $0.member(.change, \.change)
            $0.member(.know, \.know)
            $0.member(.file, \.file)
        }
    }
}
