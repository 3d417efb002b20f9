import SourceCore

/// An XML element.
///
/// Names are local names with the usual prefix of their namespace.
final class XMLElement {
    /// The name, such as `item` or `media:content`.
    let name: String
    /// The attributes by local name.
    let attributes: [String: String]
    /// The URL that those in the element are relative to; nil for the page's own URL.
    let base: String?
    /// The child elements.
    private(set) var children: [XMLElement] = []
    /// The element's own text, without that of its children.
    private(set) var text = ""
    /// The number of bytes of the text before each child.
    private var places: [Int] = []

    init(name: String, attributes: [String: String], base: String? = nil) {
        self.name = name
        self.attributes = attributes
        self.base = base
    }

    /// Returns a URL in the element as it is relative to the page.
    func resolved(_ url: String) -> String { XMLBase.resolved(url, against: base) }

    /// Returns an attribute that is a URL, relative to the page; nil if it isn't there or empty.
    func url(_ attribute: String) -> String? {
        attributes[attribute].flatMap { $0.isEmpty ? nil : resolved($0) }
    }

    func append(_ child: XMLElement) {
        children.append(child)
        places.append(text.utf8.count)
    }
    func append(_ more: String) { text += more }

    /// Returns the child elements with a name.
    func all(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }

    /// Returns the first child element with a name.
    func first(_ name: String) -> XMLElement? { children.first { $0.name == name } }

    /// Returns the text of the first child element with one of these names that has any.
    func value(_ names: String...) -> String? {
        for name in names {
            for child in children where child.name == name {
                let text = child.trimmed
                if !text.isEmpty { return text }
            }
        }
        return nil
    }

    /// True if a page with this root is HTML that is XML, too.
    var isHTML: Bool { name == "html" || name == "other:html" }

    /// The text without white space around it.
    var trimmed: String {
        let scalars = text.unicodeScalars
        let isBlank: (Unicode.Scalar) -> Bool = { $0.properties.isWhitespace }
        let start = scalars.drop(while: isBlank)
        var end = start.endIndex
        while end > start.startIndex, isBlank(start[start.index(before: end)]) {
            end = start.index(before: end)
        }
        return String(start[..<end])
    }

    /// The contents as HTML, as far as elements and attributes make it: of those of another namespace, the local names.
    var html: String {
        var html = ""
        appendHTML(to: &html)
        return html
    }

    private func appendHTML(to html: inout String) {
        let bytes = Array(text.utf8)
        var done = 0
        func appendText(upTo end: Int) {
            html += Self.escaped(String(decoding: bytes[done..<end], as: UTF8.self))
            done = end
        }
        for (child, place) in zip(children, places) {
            appendText(upTo: place)
            let name = child.name.split(separator: ":").last ?? ""
            html += "<\(name)"
            for (attribute, value) in child.attributes.sorted(by: { $0.key < $1.key }) {
                html += " \(attribute)=\"\(Self.escaped(value))\""
            }
            html += ">"
            child.appendHTML(to: &html)
            html += Self.voids.contains(String(name)) ? "" : "</\(name)>"
        }
        appendText(upTo: bytes.count)
    }

    /// Elements that have no end (HTML §13.1.2).
    private static let voids: Set<String> = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
    ]

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}

/// The base that elements of a feed give to the URLs in them (XML Base, RFC 4287 §2).
enum XMLBase {
    /// Returns a URL as it is relative to the page, given a base that may be relative to it, too.
    static func resolved(_ text: String, against base: String?) -> String {
        guard let base, !base.isEmpty else { return text }
        let reference = URLReference(base)
        if isRooted(reference) { return reference.resolving(text).text }
        let other = URLReference(text)
        if isRooted(other) { return text }
        if other.path.isEmpty { return reference.path + text }
        // The page's own URL comes in front later, and dots are resolved then.
        return reference.path.lastIndex(of: "/").map { reference.path[...$0] + text } ?? text
    }

    private static func isRooted(_ reference: URLReference) -> Bool {
        reference.scheme != nil || reference.host != nil || reference.path.hasPrefix("/")
    }
}
