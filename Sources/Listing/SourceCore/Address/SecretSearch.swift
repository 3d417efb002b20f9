import Vocabulary

/// Finds secrets in texts of strangers, however they are written there.
///
/// Texts are compared decoded: as they are, and after each layer of escapes that is undone (``DecodedText``),
/// in which a plus is the same as a blank, as in forms. So it doesn't matter which of the many spellings a
/// server chooses, or how often it has encoded one. Base64 is found in lines as well, as mail and certificates
/// have it, also where blanks have taken the place of their ends.
struct SecretSearch: Hashable, Sendable {
    /// A secret that was found.
    struct Match: Hashable, Sendable {
        /// Its place in the bytes of the text.
        var place: Range<Int>
        /// The name that takes its place.
        var name: String
    }

    /// Something to look for.
    private struct Spelling: Hashable, Sendable {
        var bytes: [UInt8]
        var name: String
        /// True if the character before it, or behind it, has bits of the secret, too, as in base64.
        var reaches = (before: false, behind: false)
        /// The bytes that are looked for in a text without blanks; empty for none.
        var joined: [UInt8] = []

        static func == (one: Spelling, other: Spelling) -> Bool {
            one.bytes == other.bytes && one.name == other.name
                && one.reaches == other.reaches && one.joined == other.joined
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(bytes)
            hasher.combine(name)
        }
    }

    /// The number of layers of escapes that are undone.
    private static let mostLayers = 4
    /// The shortest beginning of a secret that is taken for that secret within a text that was cut, in bytes:
    /// less is found in honest texts, `https://` for one.
    private static let shortestPart = 12
    /// The same at the end of such a text.
    private static let shortestEnd = 4

    /// The longer ones first, since one secret may be part of another.
    private let spellings: [Spelling]

    /// The shortest secret that is looked for in base64, in bytes: what a shorter one leaves there that doesn't depend
    /// on what surrounds it is found in honest texts.
    private static let shortestInBase64 = 6
    /// The fewest characters of base64 that are looked for in a text without blanks: as many as such a secret has.
    private static let shortestJoined = 7

    /// Looks for secrets, each with what takes its place.
    ///
    /// - Parameter base64Name: Returns what takes the place of a secret in base64 by what does otherwise; without it,
    ///   base64 isn't looked for.
    init(_ secrets: [(secret: String, name: String)], base64Name: ((String) -> String)? = nil) {
        var all: Set<Spelling> = []
        for (secret, name) in secrets where !secret.isEmpty {
            // One that looks encoded itself is decoded with the text around it.
            for (index, layer) in Self.layers(of: Array(secret.utf8)).enumerated()
            where index == 0 || layer.bytes.count >= Self.shortestEnd {
                all.insert(Spelling(bytes: layer.bytes.map(Self.folded), name: name))
            }
            let inName = Self.inFileName(secret)
            if inName != secret, inName.utf8.count >= Self.shortestEnd {
                all.insert(Spelling(bytes: inName.utf8.map(Self.folded), name: name))
            }
            // What is sent in a URL is percent-encoded, and may be repeated so in base64.
            for sent in [secret, PercentEncoding.encode(secret)] {
                guard let base64Name else { break }
                all.formUnion(Self.base64(of: Array(sent.utf8), named: base64Name(name)))
            }
        }
        spellings = all.sorted { ($1.bytes.count, $0.name) < ($0.bytes.count, $1.name) }
    }

    /// Returns the secret as the name of a file has it, as a server may ask for or a redirect lead to one: without what
    /// can't be in one (`DocumentName` in JobModel).
    private static func inFileName(_ secret: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in secret.unicodeScalars {
            scalars.append(scalar == "/" || scalar.steersTerminal ? "_" : scalar)
        }
        // Neither are there blanks at its ends, nor a dot at its beginning.
        let front = scalars.drop { $0 == "." || $0.properties.isWhitespace }
        let back = front.reversed().drop { $0.properties.isWhitespace }
        return String(String.UnicodeScalarView(back.reversed()))
    }

    /// Returns the secret as base64 has it (RFC 4648 §4 and §5), wherever in what was encoded it stands: without the
    /// characters that have bits of what is before or behind it.
    private static func base64(of secret: [UInt8], named name: String) -> [Spelling] {
        guard secret.count >= shortestInBase64 else { return [] }
        var spellings: [Spelling] = []
        for skipped in 0..<3 {
            let bits = 8 * skipped..<8 * (skipped + secret.count)
            let characters = (bits.lowerBound + 5) / 6..<bits.upperBound / 6
            let bytes = Array(repeating: 0, count: skipped) + secret
            for alphabet in [Base64.standard, .forURLs] {
                let text = alphabet.encode(bytes, characters)
                var spelling = Spelling(bytes: text.map(folded), name: name)
                let joined = spelling.bytes.filter { $0 != 0x20 }
                if joined.count >= shortestJoined { spelling.joined = joined }
                spelling.reaches = (!bits.lowerBound.isMultiple(of: 6), !bits.upperBound.isMultiple(of: 6))
                spellings.append(spelling)
            }
        }
        return spellings
    }

    /// True if there is nothing to look for.
    var isEmpty: Bool { spellings.isEmpty }

    private static func folded(_ byte: UInt8) -> UInt8 { byte == UInt8(ascii: "+") ? 0x20 : byte }

    private static func layers(of text: [UInt8]) -> [DecodedText] {
        var layers = [DecodedText(text)]
        while layers.count <= mostLayers, let next = layers[layers.count - 1].unescaped() {
            layers.append(next)
        }
        return layers
    }

    /// Returns whether the whole of a text is a secret.
    func isWhole(_ text: some StringProtocol) -> Bool {
        Self.layers(of: Array(text.utf8)).contains { layer in
            let bytes = layer.bytes.map(Self.folded)
            return spellings.contains { $0.bytes == bytes }
        }
    }

    /// Returns a text with each secret replaced.
    ///
    /// - Parameters:
    ///   - isCut: whether parts of the text were left out, so that what is left of a secret whose end is missing
    ///     is replaced as well.
    ///   - byte: what has to be in the spelling of a secret that is replaced; nil for all.
    ///   - isShort: whether what takes a secret's place is no longer than that.
    func replacing(
        in text: String,
        isCut: Bool = false,
        having byte: UInt8? = nil,
        isShort: Bool = false
    ) -> String {
        guard !spellings.isEmpty else { return text }
        let bytes = Array(text.utf8)
        var matches = matches(in: bytes, isCut: isCut)
        if let byte { matches = matches.filter { bytes[$0.place].contains(byte) } }
        guard !matches.isEmpty else { return text }
        var (result, position) = ([UInt8](), 0)
        for match in matches {
            result += bytes[position..<match.place.lowerBound]
            result += isShort ? Array("***".utf8.prefix(match.place.count)) : Array(match.name.utf8)
            position = match.place.upperBound
        }
        result += bytes[position...]
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns the secrets in a text in their order, none of which overlaps another.
    private func matches(in text: [UInt8], isCut: Bool) -> [Match] {
        var found: [(rank: Int, match: Match)] = []
        for layer in Self.layers(of: text) {
            let bytes = layer.bytes.map(Self.folded)
            for (rank, spelling) in spellings.enumerated() {
                find(spelling.bytes, in: bytes, isCut ? layer : nil) { place in
                    found.append((rank, Self.match(of: spelling, at: place, in: layer)))
                }
            }
            guard let joined = layer.withoutBlanks() else { continue }
            for (rank, spelling) in spellings.enumerated() where !spelling.joined.isEmpty {
                find(spelling.joined, in: joined.bytes, isCut ? joined : nil) { place in
                    // What stands on one line is found above.
                    guard joined.hasGap(in: place, of: text) else { return }
                    found.append((rank, Self.match(of: spelling, at: place, in: joined)))
                }
            }
        }
        // The longer secret first, and of the places of one the longer, which has all of an escape.
        found.sort { ($0.rank, $1.match.place.count) < ($1.rank, $0.match.place.count) }
        return Self.apart(found.map(\.match))
    }

    /// Returns the match of a spelling at its place, with the characters beside it that have bits of the secret, too.
    private static func match(of spelling: Spelling, at place: Range<Int>, in text: DecodedText) -> Match {
        var (start, end) = (place.lowerBound, place.upperBound)
        if spelling.reaches.before, start > 0, Base64.has(text.bytes[start - 1]) { start -= 1 }
        if spelling.reaches.behind, end < text.bytes.count, Base64.has(text.bytes[end]) { end += 1 }
        return Match(place: text.starts[start]..<text.ends[end - 1], name: spelling.name)
    }

    /// Calls `emit` with each place of what is looked for; in a text that was cut (`cut`) also of its beginning.
    private func find(
        _ wanted: [UInt8],
        in bytes: [UInt8],
        _ cut: DecodedText?,
        _ emit: (Range<Int>) -> Void
    ) {
        guard let first = wanted.first else { return }
        var index = 0
        while let start = bytes[index...].firstIndex(of: first) {
            var length = 1
            while length < wanted.count, start + length < bytes.count, bytes[start + length] == wanted[length]
            {
                length += 1
            }
            let end = start + length
            var last = length == wanted.count ? end : nil
            if last == nil, let cut, length >= Self.shortestEnd {
                // A cut escape goes with the secret that it was part of.
                last = cut.cut(from: end)
                // Its length as written.
                if last == nil, cut.ends[end - 1] - cut.starts[start] >= Self.shortestPart {
                    let isEscape = end < bytes.count && bytes[end] == UInt8(ascii: "%")
                    last = end + (isEscape ? cut.beginningOfEscape(at: end) : 0)
                }
            }
            if let last { emit(start..<last) }
            index = last ?? start + 1
        }
    }

    /// Returns matches in the order of their places; where two overlap, what is left of the later one in the
    /// given order.
    private static func apart(_ matches: [Match]) -> [Match] {
        var taken: [Match] = []
        for match in matches {
            var open = [match.place]
            for other in taken where other.place.overlaps(match.place) {
                open = open.flatMap { place in
                    [
                        place
                            .lowerBound..<max(place.lowerBound, min(place.upperBound, other.place.lowerBound)),
                        min(
                            place.upperBound,
                            max(place.lowerBound, other.place.upperBound)
                        )..<place.upperBound,
                    ]
                }
            }
            taken += open.filter { !$0.isEmpty }.map { Match(place: $0, name: match.name) }
        }
        return taken.sorted { $0.place.lowerBound < $1.place.lowerBound }
    }
}
