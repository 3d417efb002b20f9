import Vocabulary

@testable import SourceEngine
@testable import facefetch

/// A list of URLs, a line each, as `facefetch add --from` reads it and as a watched folder does.
enum ListTrial {
    static func read(_ bytes: [UInt8]) throws(BrokenPromise) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        var list = ItemList()
        list.add(list: text, source: "list")
        for item in list.items {
            try promise(!item.url.isEmpty, "an item has no URL")
            try promise(item.url.first != "#" && item.url.last?.isWhitespace == false, "a comment is an item")
        }
        let lines = bytes.split(separator: 0x0A).compactMap {
            URLLine(String(decoding: $0, as: UTF8.self)[...])
        }
        for line in lines {
            try promise(URLLine(line.url[...])?.url == line.url, "a URL isn't the same when it is read again")
        }
        // Elsewhere people see other lines than bytes have, as the watched folder and a fleet do.
        if bytes.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x09 || $0 == 0x0A }) {
            try promise(list.items.map(\.url) == lines.map(\.url), "the same list has other URLs")
            try promise(
                list.items.map(\.name) == lines.map(\.name),
                "the same list has other names elsewhere"
            )
        }
        try checkName(bytes)
        return list.items.first?.url
    }

    /// Checks that what lies in the folder may have any name that a file has.
    private static func checkName(_ bytes: [UInt8]) throws(BrokenPromise) {
        let bytes = bytes.filter { $0 != 0 && $0 != 0x2F }.prefix(EntryName.longest)
        guard !bytes.isEmpty else { return }
        let name = EntryName(bytes)
        for suffix in [".added", ".refused.txt"] {
            let longer = name.appending(suffix).bytes
            try promise(longer.count <= EntryName.longest, "a name has \(longer.count) bytes")
            try promise(longer.suffix(suffix.utf8.count).elementsEqual(suffix.utf8), "a name lost its end")
        }
        try promise(EntryKind(name.appending(".added")) == nil, "what was added is added again")
        try promise(
            name.shown.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control },
            "a name breaks its line in the log"
        )
        try promise(!name.stem.isEmpty, "a source has no name")
    }
}
