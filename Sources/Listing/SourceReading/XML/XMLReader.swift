import CPages
import SourceCore

/// Reads XML into elements, using expat.
final class XMLReader {
    /// The deepest nesting of elements; feeds have about six levels.
    static let deepest = 100
    /// The most elements in a page.
    static let mostElements = 2_000_000

    /// The names that elements get.
    enum Names {
        /// Local names with the usual prefix of their namespace.
        case prefixed
        /// Local names alone.
        case local
        /// Names with the prefixes that the page gives them.
        case written
    }

    private let names: Names
    private var stack: [XMLElement] = []
    private var root: XMLElement?
    private var count = 0
    private var failure: String?
    private var parser: OpaquePointer?

    private init(_ names: Names) { self.names = names }

    /// Reads a document.
    ///
    /// Feeds often contain stray ampersands, HTML entities and control characters, or begin with an empty line. If
    /// those are the problem, they are repaired and the document is read again. Nothing else is guessed.
    static func read(
        _ given: [UInt8],
        _ encoding: PageEncoding = PageEncoding(),
        names: Names = .prefixed
    ) throws(ListerFailure) -> XMLElement {
        let bytes = try encoding.xml(given) ?? given
        let start = bytes.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0].contains($0) }
        guard start == 0x3C else {
            throw ListerFailure(
                "unexpected_type",
                start == nil
                    ? "the page should be XML, but is empty"
                    : "the page should be XML, but is something else; check the source's url and kind",
                excerpt: Excerpt.of(bytes)
            )
        }
        do throws(ListerFailure) {
            return try XMLReader(names).parse(bytes)
        } catch {
            guard let mended = XMLMending.mended(bytes) else { throw error }
            do throws(ListerFailure) {
                return try XMLReader(names).parse(mended)
            } catch {
                throw ListerFailure(error.code, error.message, excerpt: Excerpt.of(bytes))
            }
        }
    }

    private func parse(_ bytes: [UInt8]) throws(ListerFailure) -> XMLElement {
        // The separator between namespace and name is a character that no name contains.
        // Whatever its declaration says, it is UTF-8 by now.
        guard let parser = XML_ParserCreateNS("UTF-8", 0x7C) else {
            throw ListerFailure("too_much_memory", "there is no memory to read the page")
        }
        self.parser = parser
        // Of each name there are the namespace, the local name and the prefix then.
        if names == .written { XML_SetReturnNSTriplet(parser, 1) }
        defer { XML_ParserFree(parser) }
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(parser, Self.start, Self.end)
        XML_SetCharacterDataHandler(parser, Self.characters)
        XML_SetEntityDeclHandler(parser, Self.entity)
        let status = bytes.withUnsafeBytes { buffer in
            XML_Parse(
                parser,
                buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
                Int32(clamping: buffer.count),
                1
            )
        }
        if status == XML_STATUS_OK, let root { return root }
        // What follows the whole document, such as what a server measures of itself, isn't of it.
        let isAfterEnd = XML_GetErrorCode(parser) == XML_ERROR_JUNK_AFTER_DOC_ELEMENT && stack.isEmpty
        if isAfterEnd, let root { return root }
        let line = CExpat_current_line(parser)
        let reason =
            failure ?? XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) }
            ?? "it can't be read"
        let isPage = String(decoding: bytes.prefix(1024), as: UTF8.self).lowercased().contains("<html")
        throw ListerFailure(
            isPage ? "unexpected_type" : "unexpected_shape",
            isPage
                ? "the page should be XML, but is \(HTMLBeginning.words)"
                : "the page is not valid XML: \(reason) (line \(line))",
            excerpt: Excerpt.of(bytes)
        )
    }

    private func stop(_ reason: String) {
        failure = failure ?? reason
        if let parser { XML_StopParser(parser, 0) }
    }

    private static func reader(_ context: UnsafeMutableRawPointer?) -> XMLReader? {
        context.map { Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }
    }

    private static let start: XML_StartElementHandler = { context, name, attributes in
        guard let reader = reader(context), let name, let attributes else { return }
        var values: [String: String] = [:]
        var index = 0
        while let attribute = attributes[index], let value = attributes[index + 1] {
            values[Namespaces.attribute(String(cString: attribute), reader.names)] = String(cString: value)
            index += 2
        }
        reader.count += 1
        guard reader.stack.count < deepest else {
            return reader.stop("elements are nested more than \(deepest) deep")
        }
        guard reader.count <= mostElements else { return reader.stop("there are too many elements") }
        var base = reader.stack.last?.base
        if let own = values["xml:base"] { base = XMLBase.resolved(own, against: base) }
        let element = XMLElement(
            name: Namespaces.name(String(cString: name), reader.names),
            attributes: values,
            base: base
        )
        reader.stack.last?.append(element)
        if reader.root == nil { reader.root = element }
        reader.stack.append(element)
    }

    private static let end: XML_EndElementHandler = { context, _ in _ = reader(context)?.stack.popLast() }

    private static let characters: XML_CharacterDataHandler = { context, bytes, count in
        guard let bytes, let last = reader(context)?.stack.last else { return }
        let start = UnsafeRawPointer(bytes).assumingMemoryBound(to: UInt8.self)
        last.append(String(decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self))
    }

    /// A document's own entities can grow without limit or refer to files, and no feed needs them.
    private static let entity: XML_EntityDeclHandler = { context, _, _, _, _, _, _, _, _ in
        reader(context)?.stop("it declares entities, which aren't supported")
    }
}

/// The namespaces of feeds and sitemaps with their usual prefixes.
enum Namespaces {
    private static let prefixes: [(part: String, prefix: String)] = [
        ("search.yahoo.com/mrss", "media:"), ("rssboard.org/media-rss", "media:"),
        ("sitemap-image", "image:"), ("/xml/1998/namespace", "xml:"),
        ("purl.org/rss/1.0/modules/content", "content:"), ("purl.org/dc/", "dc:"),
        ("purl.org/rss/1.0/modules/syndication", "sy:"), ("itunes.com/dtds/podcast", "itunes:"),
        ("22-rdf-syntax-ns", "rdf:"),
    ]
    /// The namespaces whose elements have no prefix.
    private static let plain = [
        "www.w3.org/2005/Atom", "purl.org/atom/ns", "purl.org/rss/1.0/", "my.netscape.com/rdf",
        "sitemaps.org/schemas",
        "google.com/schemas/sitemap/0", "s3.amazonaws.com/doc", "backend.userland.com",
        "blogs.law.harvard.edu",
    ]

    static func name(_ name: String, _ names: XMLReader.Names = .prefixed) -> String {
        guard let bar = name.lastIndex(of: "|") else { return name }
        guard names == .prefixed else { return other(name, names) }
        let (space, local) = (name[..<bar].lowercased(), String(name[name.index(after: bar)...]))
        if let known = prefixes.first(where: { space.contains($0.part.lowercased()) }) {
            return known.prefix + local
        }
        return plain.contains { space.contains($0.lowercased()) } ? local : "other:" + local
    }

    /// Returns an attribute's local name; xml:base keeps its prefix, since others may be named base.
    static func attribute(_ name: String, _ names: XMLReader.Names = .prefixed) -> String {
        guard let bar = name.lastIndex(of: "|") else { return name }
        guard names == .prefixed else { return other(name, names) }
        let local = String(name[name.index(after: bar)...])
        return local == "base" && name.contains("/XML/1998/namespace") ? "xml:base" : local
    }

    /// Returns the name without its namespace, from `namespace|local` or `namespace|local|prefix`.
    private static func other(_ name: String, _ names: XMLReader.Names) -> String {
        let parts = name.split(separator: "|", omittingEmptySubsequences: false)
        guard names == .written, parts.count > 2 else {
            return String(parts[names == .written ? 1 : parts.count - 1])
        }
        return "\(parts[parts.count - 1]):\(parts[parts.count - 2])"
    }
}
