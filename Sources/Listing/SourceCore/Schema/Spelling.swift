/// Helpers for words in error messages.
enum Spelling {
    /// The most words of one kind for which a similar one is looked for: nobody mistypes very many.
    static let mostMistakes = 10
    /// The longest word that is compared with others, which takes time with its length.
    private static let longest = 40
    /// The most words that one is compared with.
    private static let mostWords = 100

    /// Returns the known word most similar to an unknown one; nil if none is similar.
    static func nearest(to word: String, in words: [String]) -> String? {
        guard word.utf8.count <= longest else { return nil }
        // Swapped letters count as one mistake, although two or more letters differ.
        let distances = words.prefix(mostWords).filter { $0.utf8.count <= 2 * longest }
            .map { ($0, $0.sorted() == word.sorted() ? 1 : distance(word.lowercased(), $0)) }
        guard let best = distances.min(by: { $0.1 < $1.1 }), best.1 <= max(1, best.0.count / 3) else {
            return nil
        }
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
