/// Helpers for words in error messages.
enum Spelling {
    /// Returns the known word most similar to an unknown one; nil if none is similar.
    static func nearest(to word: String, in words: [String]) -> String? {
        // Swapped letters count as one mistake, although two or more letters differ.
        let distances = words.map { ($0, $0.sorted() == word.sorted() ? 1 : distance(word.lowercased(), $0)) }
        guard word.count <= 40, let best = distances.min(by: { $0.1 < $1.1 }),
            best.1 <= max(1, best.0.count / 3)
        else { return nil }
        return best.0
    }

    /// Returns a list such as `a, b or c`.
    static func list(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }

    /// Returns the number of letters to insert, delete or replace (Levenshtein distance).
    private static func distance(_ one: String, _ other: String) -> Int {
        let other = Array(other)
        var row = Array(0...other.count)
        for (i, letter) in one.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, candidate) in other.enumerated() {
                let change = diagonal + (letter == candidate ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(change, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row[other.count]
    }
}
