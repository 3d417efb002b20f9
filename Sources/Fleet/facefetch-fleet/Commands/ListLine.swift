import ControlAPI
import Digests
import FoundationEssentials
import SourceCore
import Vocabulary

/// A line of a list of items.
enum ListLine {
    /// An item as an object of JSON.
    private struct Object: Decodable {
        var url: String
        var name: String?
        var sha256: String?
        var priority: Int?
        var headers: [String: String]?
        var folder: String?
        var meta: MetaJSON?
    }

    /// Reads a line; nil if nothing is in it.
    static func item(
        _ line: [UInt8],
        priority: Int,
        place: @autoclosure () -> String
    ) throws(FleetFailure) -> FleetQueue.NewItem? {
        // With its white space: it may be more than it looks like.
        guard line.count <= longest else { throw tooLong(place()) }
        var line = line[...]
        while let last = line.last, last == 0x20 || last == 0x0D || last == 0x09 { line = line.dropLast() }
        while let first = line.first, first == 0x20 || first == 0x09 { line = line.dropFirst() }
        guard let first = line.first, first != UInt8(ascii: "#") else { return nil }
        guard !line.contains(0) else {
            throw FleetFailure(.usage, "\(place()): this line has a zero byte in it, so it is no text.")
        }
        guard first == UInt8(ascii: "{") else {
            guard let line = URLLine(PercentEncoding.text(ofURL: line)[...]) else { return nil }
            var item = try item(url: line.url, priority: priority, place: place())
            item.name = try name(line.name, place())
            return item
        }
        guard String(validating: line, as: UTF8.self) != nil else {
            throw FleetFailure(.usage, "\(place()): this object of JSON is not in UTF-8.")
        }
        guard let object = try? JSONDecoder().decode(Object.self, from: Data(line)) else {
            throw FleetFailure(
                .usage,
                "\(place()): this is not a JSON object with a url, or one of its members has the wrong type."
            )
        }
        var item = try item(url: object.url, priority: object.priority ?? priority, place: place())
        guard (-100...100).contains(item.priority ?? 0) else {
            throw FleetFailure(.usage, "\(place()): a priority is from -100 to 100.")
        }
        if let sha256 = object.sha256 {
            guard sha256.utf8.isHex(count: 64) else {
                throw FleetFailure(.usage, "\(place()): a SHA-256 has 64 hexadecimal digits.")
            }
            item.sha256 = sha256
        }
        item.name = try name(object.name, place())
        guard object.folder.map(ItemOptions.isFolder) ?? true else {
            throw FleetFailure(
                .usage,
                "\(place()): a folder is a relative path of names that don't begin with a dot, at most 8."
            )
        }
        item.folder = object.folder
        if let meta = object.meta {
            // A daemon's limit, and the member by which a job is known again.
            guard meta.text.utf8.count <= 4000, !meta.members.contains(where: { $0.name == "fleet" }) else {
                throw FleetFailure(
                    .usage,
                    "\(place()): meta has at most 4000 bytes, and no member fleet, which is the fleet's own."
                )
            }
            guard !hasZero(meta.text) else {
                throw FleetFailure(
                    .usage,
                    "\(place()): meta has a character U+0000, which PostgreSQL can't store."
                )
            }
            item.meta = meta.text
        }
        if let headers = object.headers, !headers.isEmpty {
            guard headers.allSatisfy({ ItemOptions.isField($0.key, $0.value) }) else {
                throw FleetFailure(
                    .usage,
                    "\(place()): headers has something that can't be a header field: those have ASCII characters only."
                )
            }
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            guard let data = try? encoder.encode(headers) else { return item }
            item.headers = String(decoding: data, as: UTF8.self)
        }
        return item
    }

    /// Returns a name that a daemon takes.
    private static func name(_ name: String?, _ place: String) throws(FleetFailure) -> String? {
        guard name.map(ItemOptions.isFileName) ?? true else {
            throw FleetFailure(
                .usage,
                "\(place): a name is that of a file, without a slash, and doesn't begin with a dot."
            )
        }
        return name
    }

    /// Returns whether a text of JSON has a character U+0000 in one of its texts.
    private static func hasZero(_ json: String) -> Bool {
        var rest = json.utf8[...]
        while let mark = rest.firstIndex(of: UInt8(ascii: "\\")) {
            rest = rest[mark...].dropFirst()
            if rest.starts(with: "u0000".utf8) { return true }
            rest = rest.dropFirst()
        }
        return false
    }

    /// The longest line, in bytes.
    static let longest = 1 << 16

    private static func tooLong(_ place: String, than most: Int = longest) -> FleetFailure {
        FleetFailure(.usage, "\(place): this is longer than \(most) bytes.")
    }

    /// An item of a URL, which stays as it is written.
    static func item(
        url: String,
        priority: Int,
        place: @autoclosure () -> String
    ) throws(FleetFailure) -> FleetQueue.NewItem {
        do throws(JobURL.Refusal) {
            // A daemon would refuse all that comes with it.
            _ = try JobURL(url)
        } catch .tooLong {
            throw tooLong("\(place().prefix(200))", than: JobURL.maximumLength)
        } catch {
            throw FleetFailure(.usage, "\(place()): \(error.message).")
        }
        // The queue's own rule, whoever puts items into it.
        guard !url.utf8.contains(where: { $0 <= 0x20 }) else {
            throw FleetFailure(.usage, "\(place()): a blank in a URL is written as %20.")
        }
        var item = FleetQueue.NewItem(url: url)
        item.priority = priority
        return item
    }
}

/// A digest of items, by which it is known whether a key comes with the same ones again.
struct ItemsDigest {
    private var hash = SHA256()
    private var bytes: [UInt8] = []

    /// Adds the next item to the digest.
    mutating func update(with item: FleetQueue.NewItem) {
        bytes.removeAll(keepingCapacity: true)
        let priority = item.priority.map { "\($0)" }
        for text in [item.url, item.name, item.sha256, priority, item.headers, item.folder, item.meta] {
            // No member has a byte of 0 or 1.
            if let text { bytes += text.utf8 } else { bytes.append(1) }
            bytes.append(0)
        }
        hash.update(data: bytes)
    }

    /// The digest as text.
    var text: String { hash.finalize().hexText }
}
