import CPages

/// Collects what a page of HTML says, element by element, in its order, with URLs as they are written.
struct HTMLGathering {
    /// A picture in the page.
    struct Image {
        /// The URL, from all candidates the one of the largest picture.
        var url: String
        var alt: String?
        var title: String?
        var width: Int?
        var height: Int?
        var srcset: String?
        var `class`: String?
        var id: String?
        /// The number of the link that it is in.
        var link: Int?
    }

    /// A link: an `a`, `area` or `link` with an address.
    struct Link {
        var url: String
        /// The text in it; nil for elements that have none.
        var text: String?
        var rel: String?
        var type: String?
        var `class`: String?
        var id: String?
    }

    private(set) var base: String?
    private(set) var title: String?
    /// What `meta` elements say, each name once.
    private(set) var meta: [(name: String, content: String)] = []
    private(set) var images: [Image] = []
    private(set) var links: [Link] = []
    /// The texts of scripts that are JSON-LD.
    private(set) var data: [String] = []
    /// The number of other scripts.
    private(set) var scripts = 0

    private var metaNames: Set<String> = []
    /// The links that are open; nil for one without an address.
    private var openLinks: [Int?] = []
    /// The candidates of the pictures that are open.
    private var pictures: [[SourceSet.Candidate]] = []
    /// The text of the title or the script that is open.
    private var openText: String?

    /// True if the script that is open is JSON-LD.
    private var isData = false

    init() {}

    mutating func open(_ event: CHTMLTreeEvent) {
        func attribute(_ name: String) -> String? {
            withUnsafePointer(to: event) { CHTMLTree_attribute($0, name) }.map { String(cString: $0) }
        }
        switch event.element {
        case CHTMLElement_base: if base == nil { base = attribute("href") }
        case CHTMLElement_title: openText = ""
        case CHTMLElement_meta: addMeta(attribute)
        case CHTMLElement_a:
            openLinks.append(addLink(attribute, text: "") ? links.count - 1 : nil)
        case CHTMLElement_area, CHTMLElement_link: _ = addLink(attribute, text: nil)
        case CHTMLElement_picture: pictures.append([])
        case CHTMLElement_source:
            guard let last = pictures.indices.last else { return }
            for name in SourceSet.attributes {
                if let set = attribute(name) { pictures[last] += SourceSet.candidates(set) }
            }
        case CHTMLElement_img: addImage(attribute)
        case CHTMLElement_script:
            isData = attribute("type").map { Self.isJSONLD($0) } ?? false
            if !isData { scripts += 1 }
            // Of no link around it either.
            openText = ""
        default: break
        }
    }

    mutating func close(_ element: CHTMLElement) {
        switch element {
        case CHTMLElement_title:
            if title == nil { title = openText.map(Self.collapsed) }
            openText = nil
        case CHTMLElement_script:
            if isData, let text = openText { data.append(text) }
            openText = nil
        case CHTMLElement_a:
            if let link = openLinks.popLast() ?? nil {
                links[link].text = links[link].text.map(Self.collapsed)
            }
        case CHTMLElement_picture: _ = pictures.popLast()
        default: break
        }
    }

    mutating func text(_ text: String) {
        if openText != nil {
            openText? += text
        } else if let link = openLinks.last ?? nil {
            links[link].text? += text
        }
    }

    // MARK: - Elements

    private mutating func addMeta(_ attribute: (String) -> String?) {
        let names = ["name", "property", "itemprop", "http-equiv"]
        guard let content = attribute("content"),
            let name = names.compactMap({ attribute($0) }).first(where: { !$0.isEmpty })?.lowercased(),
            metaNames.insert(name).inserted
        else { return }
        meta.append((name, content))
    }

    private mutating func addLink(_ attribute: (String) -> String?, text: String?) -> Bool {
        guard let url = attribute("href") else { return false }
        links.append(
            Link(
                url: url,
                text: text,
                rel: attribute("rel")?.lowercased(),
                type: attribute("type"),
                class: attribute("class"),
                id: attribute("id")
            )
        )
        return true
    }

    private mutating func addImage(_ attribute: (String) -> String?) {
        let sets = SourceSet.attributes.compactMap { attribute($0) }
        let candidates = sets.flatMap(SourceSet.candidates) + (pictures.last ?? [])
        let addresses: [String] = ["data-src", "src"].compactMap { attribute($0) }
        let single = addresses.first(where: SourceSet.isUsable)
        guard let url = SourceSet.largest(candidates, single: single) else { return }
        images.append(
            Image(
                url: url,
                alt: attribute("alt"),
                title: attribute("title"),
                width: Self.length(attribute("width")),
                height: Self.length(attribute("height")),
                srcset: sets.first,
                class: attribute("class"),
                id: attribute("id"),
                link: openLinks.last ?? nil
            )
        )
    }

    // MARK: - Texts

    /// Returns a number of pixels (HTML §2.3.4.4); nil for a percentage and for what is no number.
    private static func length(_ text: String?) -> Int? {
        guard let rest = text?.utf8.drop(while: { $0 <= 0x20 }), !rest.contains(UInt8(ascii: "%")) else {
            return nil
        }
        return Int(String(Substring(rest.prefix { (0x30...0x39).contains($0) }.prefix(9))))
    }

    private static func isJSONLD(_ type: String) -> Bool {
        let name = type.prefix { $0 != ";" }.filter { !$0.isWhitespace }
        return name.lowercased() == "application/ld+json"
    }

    /// Returns a text with a single blank in place of each run of white space, and none around it.
    private static func collapsed(_ text: String) -> String {
        text.split { $0 == " " || $0.isNewline || $0 == "\t" || $0 == "\u{C}" }.joined(separator: " ")
    }
}
