import ArgumentParser

/// Names the command that somebody may have meant.
enum CommandSuggestion {
    /// What to say about a command line whose command there isn't; nil where there is nothing to say.
    static func complaint(about arguments: [String]) -> String? {
        // What shells ask ArgumentParser is not for people.
        guard let first = arguments.first, first != "---completion",
            !first.hasPrefix("--generate-completion-script")
        else { return nil }
        guard let word = command(in: arguments) else { return nil }
        let names = Facefetch.configuration.allCommandNames
        guard !names.contains(word), word != "help" else { return nil }
        let unknown = "There is no command \"\(word.safeForTerminal)\"."
        guard let nearest = nearest(to: word, among: names) else {
            return "\(unknown) See \"facefetch --help\" for those there are."
        }
        return "\(unknown) Did you mean \"facefetch \(nearest)\"?"
    }

    /// The name with the fewest edits to `word`, where that is few enough for a slip.
    static func nearest(to word: String, among names: [String]) -> String? {
        let ranked = names.map { (name: $0, distance: editDistance($0, word)) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, best.name.count / 2) ? best.name : nil
    }

    /// How many single-letter insertions, removals, changes and swaps of
    /// neighbours lead from one to the other (optimal string alignment).
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

    /// The first word that is neither an option nor an option's value.
    private static func command(in arguments: [String]) -> String? {
        var rest = arguments[...]
        while let word = rest.popFirst() {
            if word == "--socket" {
                _ = rest.popFirst()
            } else if !word.hasPrefix("-") {
                return word
            }
        }
        return nil
    }
}

extension CommandConfiguration {
    /// The names of the subcommands, in order.
    var allCommandNames: [String] { subcommands.compactMap { $0.configuration.commandName } }
}
