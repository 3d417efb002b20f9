import ArgumentParser
import Confinement
import Glibc
import SourceCore
import Vocabulary

/// Prints items as lines of JSON, then what the page says about the next one.
struct ItemPrinter {
    let recipe: Recipe
    let page: URLReference
    let isManifest: Bool

    /// Prints the wanted items.
    func print(_ items: [ListedItem]) throws {
        var lines: [UInt8] = []
        for item in items where item.wanted != false { lines += line(item) + [0x0A] }
        try write(lines)
    }

    private func line(_ item: ListedItem) -> [UInt8] {
        var json = JSONWriter()
        guard !isManifest else {
            json.textOrNull("key", item.key)
            json.textOrNull("changed", item.changed)
            var inner = JSONWriter()
            for (name, value) in (item.variables ?? [:]).sorted(by: { $0.key < $1.key }) {
                inner.text(name, value)
            }
            json.raw("vars", String(decoding: inner.bytes, as: UTF8.self))
            return json.bytes
        }
        let url = resolved(item.url)
        json.text("url", url)
        json.text("key", item.key ?? url)
        json.textOrNull("name", item.name)
        if let folder = item.folder { json.text("folder", folder) }
        json.textOrNull("sha256", item.sha256)
        json.raw("priority", item.priority.map(String.init) ?? "\(recipe.priority)")
        json.raw("meta", item.meta ?? "null")
        json.raw("line", item.line.map(String.init))
        return json.bytes
    }

    /// Prints what the page says about the next one.
    func print(_ listed: ListedPage) throws {
        var json = JSONWriter()
        json.textOrNull("next", next(listed))
        json.raw("more", listed.more.map(String.init) ?? "null")
        json.raw("total", listed.total.map(String.init) ?? "null")
        if !listed.children.isEmpty {
            var children: [UInt8] = []
            for child in listed.children {
                var inner = JSONWriter()
                inner.text("url", resolved(child.url))
                inner.textOrNull("changed", child.changed)
                children += (children.isEmpty ? [] : [0x2C]) + inner.bytes
            }
            json.raw("sitemaps", "[" + String(decoding: children, as: UTF8.self) + "]")
        }
        try write(json.bytes + [0x0A])
    }

    private func next(_ listed: ListedPage) -> String? {
        switch listed.next {
        case .url(let text)?: return resolved(text)
        case .query(let parameters)?: return page.replacingQuery(parameters.map { ($0.name, $0.value) }).text
        case .value(let json)?: return json
        case .end?, .rows?, nil: break
        }
        guard let bucket = listed.bucket else { return nil }
        switch S3Listing(bucket).next {
        case .token(let token)?: return "?continuation-token=" + PercentEncoding.encode(token)
        case .after(let key)?: return "?start-after=" + PercentEncoding.encode(key)
        case .marker(let key)?: return "?marker=" + PercentEncoding.encode(key)
        case nil: return nil
        }
    }

    /// Resolves a URL of the page; an object's URL in a bucket stays as it is, including dots.
    private func resolved(_ text: String) -> String {
        text.hasPrefix("s3://") ? text : page.resolving(text).text
    }

    private func write(_ bytes: [UInt8]) throws {
        guard Streams.write(Self.harmless(bytes), to: STDOUT_FILENO) else { throw ExitCode(1) }
    }

    /// Returns lines of JSON in which no character steers a terminal or hides text: such characters can only
    /// be in strings, where an escape means the same (RFC 8259 §7).
    static func harmless(_ json: [UInt8]) -> [UInt8] {
        guard json.contains(where: { $0 >= 0x7F }) else { return json }
        return Array(String(decoding: json, as: UTF8.self).withoutSteering(keeping: "\n").utf8)
    }
}
