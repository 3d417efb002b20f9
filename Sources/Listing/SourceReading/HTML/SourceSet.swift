/// The candidates of a picture that comes in several sizes (HTML §4.8.4.2.2, srcset attributes).
enum SourceSet {
    struct Candidate: Hashable {
        var url: String
        /// The picture's width in pixels.
        var width: Double?
        /// The pixels of the picture for each of the page.
        var density: Double?
    }

    /// The attributes that have them; the second is that of pages which load pictures as they come into sight.
    static let attributes = ["srcset", "data-srcset"]

    /// Returns the candidates of an attribute in their order, without those that are no URL to ask for.
    ///
    /// URLs may have commas in them, and end where white space follows.
    static func candidates(_ text: String) -> [Candidate] {
        var candidates: [Candidate] = []
        var rest = text.utf8[...]
        while true {
            rest = rest.drop { isBlank($0) || $0 == UInt8(ascii: ",") }
            guard !rest.isEmpty else { return candidates }
            let written = rest.prefix { !isBlank($0) }
            rest = rest[written.endIndex...]
            var url = written
            while url.last == UInt8(ascii: ",") { url.removeLast() }
            var candidate = Candidate(url: String(Substring(url)))
            if url.endIndex == written.endIndex {
                for word in descriptors(&rest) {
                    guard let unit = word.last, let value = Double(word.dropLast()), value > 0,
                        value.isFinite
                    else { continue }
                    if unit == "w" { candidate.width = value }
                    if unit == "x" { candidate.density = value }
                }
            }
            if isUsable(candidate.url) { candidates.append(candidate) }
        }
    }

    /// Returns the URL of the largest picture; nil if there is none.
    ///
    /// A width says more than a density. Of those that are equal the first goes, and a URL that stands alone has
    /// the density 1 (and goes before its equals).
    static func largest(_ candidates: [Candidate], single: String?) -> String? {
        func isSmaller(_ one: Candidate, _ other: Candidate) -> Bool {
            switch (one.width, other.width) {
            case (let width?, let otherWidth?): width < otherWidth
            case (nil, .some): true
            case (.some, nil): false
            case (nil, nil): one.density ?? 1 < other.density ?? 1
            }
        }
        var all = candidates
        if let single { all.insert(Candidate(url: single), at: 0) }
        var largest = all.first
        for candidate in all.dropFirst() {
            if let present = largest, isSmaller(present, candidate) { largest = candidate }
        }
        return largest?.url
    }

    /// Returns whether something can be asked for under a URL: one that has its own picture in it is in the place
    /// of another, as a rule.
    static func isUsable(_ url: String) -> Bool {
        let start = url.utf8.drop { $0 <= 0x20 }
        guard !start.isEmpty else { return false }
        let scheme = Substring(start.prefix { $0 != UInt8(ascii: ":") }.prefix(12)).lowercased()
        let others = ["data", "about", "blob", "javascript"]
        return !(others.contains(scheme) && start.dropFirst(scheme.utf8.count).first == UInt8(ascii: ":"))
    }

    /// Takes the words up to the next comma that is in no parentheses.
    private static func descriptors(_ rest: inout Substring.UTF8View) -> [Substring] {
        var depth = 0
        let text = rest.prefix { byte in
            if byte == UInt8(ascii: "(") { depth += 1 }
            if byte == UInt8(ascii: ")"), depth > 0 { depth -= 1 }
            return byte != UInt8(ascii: ",") || depth > 0
        }
        rest = rest[text.endIndex...]
        return Substring(text).split { $0.utf8.first.map(isBlank) ?? false }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
