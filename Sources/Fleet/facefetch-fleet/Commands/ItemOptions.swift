import ArgumentParser
import FoundationEssentials

/// Options that say what all items of a command come with, unless a line of a list says otherwise.
struct ItemOptions: ParsableArguments {
    @Option(help: "The name of the document; for one URL.")
    var name: String?
    @Option(
        help: ArgumentHelp(
            "The folder for the documents, in each daemon's documents directory, such as holiday/2026.",
            valueName: "folder"
        )
    )
    var into: String?
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Something to know of the files later, such as album=holiday. May be repeated.",
            valueName: "key=value"
        )
    )
    var meta: [String] = []
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The priority of items that have none, from -100 to 100.", valueName: "number")
    )
    var priority = 0
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A header field to send along, or @FILE to read some from a file, one per line, which other users of this machine don't see. May be repeated.",
            valueName: "name: value"
        )
    )
    var header: [String] = []

    func validate() throws {
        guard (-100...100).contains(priority) else {
            throw ValidationError("A priority is from -100 to 100.")
        }
        guard into.map(Self.isFolder) ?? true else {
            throw ValidationError(
                "--into is a relative path of names that don't begin with a dot, at most 8, and of at most 1024 bytes."
            )
        }
        guard name.map(Self.isFileName) ?? true else {
            throw ValidationError("--name is the name of a file that doesn't begin with a dot; see --into.")
        }
        // A daemon takes 4096 bytes, and the fleet's own mark is among them.
        guard (Self.json(try members())?.utf8.count ?? 0) <= 4000 else {
            throw ValidationError("--meta has at most 4000 bytes in all.")
        }
    }

    /// Returns whether a daemon takes a text for a folder.
    static func isFolder(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        return text.utf8.count <= 1024 && parts.count <= 8 && parts.allSatisfy(isName)
    }

    /// Returns whether a daemon takes a text for a document's name.
    static func isFileName(_ text: String) -> Bool {
        isName(text[...]) && !text.utf8.contains(UInt8(ascii: "/"))
    }

    private static func isName(_ text: Substring) -> Bool {
        guard let first = text.first, let last = text.last, text.utf8.count <= 255 else { return false }
        return first != "." && !first.isWhitespace && !last.isWhitespace
            && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    /// The facts by their keys.
    private func members() throws -> [String: String] {
        var members: [String: String] = [:]
        for text in meta {
            guard let mark = text.firstIndex(of: "="), mark != text.startIndex else {
                throw ValidationError("--meta is key=value, such as album=holiday.")
            }
            let key = String(text[..<mark])
            guard key != "fleet" else { throw ValidationError("The key fleet is the fleet's own.") }
            guard members.updateValue(String(text[text.index(after: mark)...]), forKey: key) == nil else {
                throw ValidationError("--meta has the key \(key) twice.")
            }
        }
        return members
    }

    /// Returns the header fields; no error has a value, which may be a secret.
    private func fields() throws(FleetFailure) -> [String: String] {
        var fields: [String: String] = [:]
        for (index, option) in header.enumerated() {
            guard option.hasPrefix("@") else {
                try Self.add(option, "--header \(index + 1)", to: &fields)
                continue
            }
            let path = String(option.dropFirst())
            let text = try FleetSettings.read(path, isSecret: false)
            for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
                .enumerated()
            where !line.isEmpty && !line.hasPrefix("#") {
                try Self.add(String(line), "\(path), line \(number + 1)", to: &fields)
            }
        }
        return fields
    }

    private static func add(
        _ line: String,
        _ place: String,
        to fields: inout [String: String]
    ) throws(FleetFailure) {
        guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else {
            throw FleetFailure(.usage, "\(place) is not a header field: write it as 'Name: value'.")
        }
        let name = String(line[..<colon])
        let value = String(line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" })
        guard isField(name, value) else {
            throw FleetFailure(
                .usage,
                "\(place): this can't be a header field: those have ASCII characters only."
            )
        }
        guard !fields.keys.contains(where: { $0.lowercased() == name.lowercased() }) else {
            throw FleetFailure(.usage, "\(place): the header field \(name) is given twice.")
        }
        fields[name] = value
    }

    /// Returns whether this can be a header field.
    static func isField(_ name: String, _ value: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy(isOfName) && value.utf8.count <= 4000
            && value.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }

    /// Returns whether a byte can be in the name of a header field (RFC 9110, 5.6.2).
    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    /// Reads what is to be given to items.
    ///
    /// - Throws: ``FleetFailure``
    func filling() throws -> Filling {
        Filling(name: name, folder: into, meta: Self.json(try members()), headers: Self.json(try fields()))
    }

    /// What items get that they don't have themselves.
    struct Filling {
        fileprivate var name, folder, meta, headers: String?
        private var count = 0

        fileprivate init(name: String?, folder: String?, meta: String?, headers: String?) {
            (self.name, self.folder, self.meta, self.headers) = (name, folder, meta, headers)
        }

        /// Gives it to items, which come piece by piece.
        mutating func fill(_ items: inout [FleetQueue.NewItem]) throws(FleetFailure) {
            count += items.count
            guard name == nil || count == 1 else { throw FleetFailure(.usage, "--name is for one URL.") }
            for index in items.indices {
                if let name { items[index].name = name }
                if items[index].folder == nil { items[index].folder = folder }
                if items[index].meta == nil { items[index].meta = meta }
                if items[index].headers == nil { items[index].headers = headers }
            }
        }
    }

    private static func json(_ members: [String: String]) -> String? {
        guard !members.isEmpty else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(members)).map { String(decoding: $0, as: UTF8.self) }
    }
}
