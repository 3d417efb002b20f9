import Vocabulary

/// The names of the files in an archive: each once, as different systems see it.
struct ArchiveNames: Sendable {
    private var used: Set<String> = []

    /// Returns a name for a document, which its Content-Disposition suggests (RFC 6266); a job's number is one
    /// where that says nothing usable.
    mutating func name(suggested field: String?, job: Int64) -> String {
        let plain =
            field.flatMap(Self.suggestion).map(Self.part).flatMap { $0.isEmpty ? nil : $0 } ?? "\(job)"
        return unused(plain)
    }

    /// Returns this name, or one like it where it has been used.
    mutating func unused(_ name: String) -> String {
        var candidate = name
        var number = 2
        while !used.insert(candidate.lowercased()).inserted {
            let dot =
                name.utf8.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 == name.startIndex ? nil : $0 }
                ?? name.endIndex
            candidate = "\(name[..<dot]) (\(number))\(name[dot...])"
            number += 1
        }
        return candidate
    }

    /// The name in a field as the daemon writes it: in its extended form, or else in quotation marks.
    private static func suggestion(_ field: String) -> String? {
        if let extended = field.firstRange(of: "filename*=UTF-8''") {
            return PercentEncoding.decode(field[extended.upperBound...].prefix { $0 != ";" })
        }
        guard let plain = field.firstRange(of: "filename=\"") else { return nil }
        return String(field[plain.upperBound...].prefix { $0 != "\"" })
    }

    /// One part of a path, whatever a name has in it.
    private static func part(_ name: String) -> String {
        // Not by characters: to a file system, one with an accent on it is a backslash all the same.
        var safe = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            let isUnsafe = scalar.value < 32 || "/\\:*?\"<>|".unicodeScalars.contains(scalar)
            safe.append(isUnsafe ? "_" : scalar)
        }
        return safe.allSatisfy { $0 == "." } ? "" : String(safe)
    }
}
