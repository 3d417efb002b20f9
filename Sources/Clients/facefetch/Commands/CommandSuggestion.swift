import ArgumentParser

/// Suggests the command that somebody may have meant.
enum CommandSuggestion {
    /// Returns a message about a command line with an unknown command; nil if the command is known.
    static func complaint(about arguments: [String]) -> String? {
        // Requests of shells for completions are left to ArgumentParser.
        guard let first = arguments.first, first != "---completion",
            !first.hasPrefix("--generate-completion-script")
        else { return nil }
        var command: any ParsableCommand.Type = Facefetch.self
        var path = "facefetch"
        // A command may have subcommands, as "detection" has.
        for word in words(of: arguments) {
            let known = command.configuration.subcommands
            // What follows "help" is a command, too.
            if word == "help", path == "facefetch" { continue }
            guard !known.isEmpty else { return nil }
            let names = command.configuration.allCommandNames
            if let place = names.firstIndex(of: word), known.count == names.count {
                command = known[place]
                path += " " + word
                continue
            }
            let unknown = "There is no command \"\(word.safeForTerminal)\"."
            guard let nearest = nearest(to: word, among: names) else {
                return "\(unknown) \"\(path) --help\" lists all commands."
            }
            return "\(unknown) Did you mean \"\(path) \(nearest)\"?"
        }
        return nil
    }

    /// Returns the name with the fewest edits from `word`, if they are few enough for a typing error.
    static func nearest(to word: String, among names: [String]) -> String? {
        let ranked = names.map { (name: $0, distance: editDistance($0, word)) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, best.name.count / 2) ? best.name : nil
    }

    /// Returns the number of single-letter insertions, deletions, replacements and swaps of neighbours
    /// that turn one text into the other (optimal string alignment).
    static func editDistance(_ first: String, _ second: String) -> Int {
        let (a, b) = (Array(first), Array(second))
        guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
        var rows = [Array(0...b.count)]
        for i in 1...a.count {
            var row = [i]
            for j in 1...b.count {
                let change = rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
                var best = min(change, rows[i - 1][j] + 1, row[j - 1] + 1)
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                    best = min(best, rows[i - 2][j - 2] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }

    /// Returns the words that are neither options nor their values, up to the first option that not all
    /// commands have.
    private static func words(of arguments: [String]) -> [String] {
        var words: [String] = []
        var rest = arguments[...]
        while let word = rest.popFirst() {
            if word == "--socket" {
                _ = rest.popFirst()
            } else if !word.hasPrefix("-") {
                words.append(word)
            } else if !word.hasPrefix("--socket=") {
                break
            }
        }
        return words
    }
}

extension CommandConfiguration {
    /// The names of the subcommands, in order.
    var allCommandNames: [String] { subcommands.compactMap { $0.configuration.commandName } }
}
