import Vocabulary

/// A template of the folders for documents for which none was asked for, such as `{host}/{year}`.
///
/// ``filled(for:at:)`` puts in all that is known of a job, and ``folder(sha256:)`` the rest.
public struct DocumentLayout: Hashable, Sendable {
    /// A word in braces, which stands for something that is known of a document.
    public enum Placeholder: String, CaseIterable, Sendable {
        /// The host of the job's URL.
        case host
        /// The id of the job's batch, such as `b7`.
        case batch
        /// The name of the source that the job comes from; nothing for one that was posted.
        case source
        /// The year of the document's arrival, in UTC, with four digits.
        case year
        /// The month of the document's arrival, in UTC, from 01.
        case month
        /// The day of the document's arrival, in UTC, from 01.
        case day
        /// The first two hexadecimal digits of the document's SHA-256.
        case sha2
    }

    private enum Piece: Hashable, Sendable {
        case text(String)
        case placeholder(Placeholder)
    }

    private var parts: [[Piece]]
    /// The folder for all documents, as it is; nil if the parts tell.
    private var only: DocumentFolder?

    /// The layout with no folders at all.
    public init() { parts = [] }

    /// The layout that has all documents in one folder, whose names stay as they were asked for.
    public init(_ folder: DocumentFolder) {
        parts = []
        only = folder
    }

    /// Reads a template; the empty one has no folders.
    public init(template: String) throws(Refusal) {
        parts = []
        guard !template.isEmpty else { return }
        guard !template.utf8.starts(with: "/".utf8) else { throw .folder(.absolute) }
        for part in template.split(separator: "/", omittingEmptySubsequences: false) {
            parts.append(try Self.pieces(of: part))
        }
        guard parts.count <= DocumentFolder.maximumParts else { throw .folder(.tooDeep) }
        guard template.utf8.count <= DocumentFolder.maximumBytes else { throw .folder(.tooLong) }
    }

    private static func pieces(of part: Substring) throws(Refusal) -> [Piece] {
        var pieces: [Piece] = []
        var rest = part
        // What has the length of a letter for each placeholder: a safe name, if the texts are such.
        var sample = ""
        while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            let text = rest[..<open]
            guard rest[open] == "{", let close = rest[open...].firstIndex(of: "}") else {
                throw .brace(String(part))
            }
            let word = String(rest[rest.index(after: open)..<close])
            guard let placeholder = Placeholder(rawValue: word) else { throw .unknown(word) }
            if !text.isEmpty { pieces.append(.text(String(text))) }
            pieces.append(.placeholder(placeholder))
            sample += text + "x"
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { pieces.append(.text(String(rest))) }
        guard DocumentName.isSafe(sample + rest) else { throw .folder(.unsafePart) }
        return pieces
    }

    /// True if the SHA-256 of a document has to be known before its folder is.
    public var needsHash: Bool { parts.contains { $0.contains(.placeholder(.sha2)) } }

    /// Returns the layout with all in it that is known of a job whose document arrives at this time.
    public func filled(for job: Job, at time: Timestamp) -> DocumentLayout {
        guard !parts.isEmpty else { return self }
        let date = CivilDate(daysSinceEpoch: time.microseconds.floored(by: 86_400_000_000))
        var filled = self
        filled.parts = parts.map { part in
            part.map { piece in
                guard case .placeholder(let placeholder) = piece else { return piece }
                return switch placeholder {
                case .host: .text(job.url.host)
                case .batch: .text(job.batch.description)
                case .source: .text(job.source ?? "")
                case .year: .text(Self.digits(date.year, 4))
                case .month: .text(Self.digits(date.month, 2))
                case .day: .text(Self.digits(date.day, 2))
                case .sha2: piece
                }
            }
        }
        return filled
    }

    /// Returns the folder of a document with this SHA-256; a part of which nothing is known is left out.
    public func folder(sha256: String?) -> DocumentFolder {
        guard !parts.isEmpty else { return only ?? DocumentFolder() }
        return DocumentFolder(
            parts.map { part in
                part.reduce(into: "") { name, piece in
                    switch piece {
                    case .text(let text): name += text
                    case .placeholder(.sha2): name += sha256?.prefix(2) ?? ""
                    case .placeholder: break
                    }
                }
            }
        )
    }

    private static func digits(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }

    /// The reason why a text is no template.
    public enum Refusal: Error, Hashable, Sendable {
        /// A placeholder has a name that there is none of.
        case unknown(String)
        /// A part has a brace that isn't one of a pair.
        case brace(String)
        /// What it makes is no folder.
        case folder(DocumentFolder.Refusal)

        /// A sentence for people.
        public var message: String {
            switch self {
            case .unknown(let name):
                "there is no {\(name)}; there are "
                    + Placeholder.allCases.map { "{\($0.rawValue)}" }.joined(separator: " ")
            case .brace(let part): "a brace in \"\(part)\" isn't one of a pair"
            case .folder(let refusal): refusal.message
            }
        }
    }
}

/// The name that a job wants for its document, and the folder, as far as that is known before the document is.
public struct WantedName: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The name, the last part of the path.
    public var name: String
    /// The folder, in which the digits of the SHA-256 may be missing.
    public var layout: DocumentLayout

    public init(_ name: String, in layout: DocumentLayout = DocumentLayout()) {
        self.name = name
        self.layout = layout
    }

    /// Wants a name in the documents directory itself.
    public init(stringLiteral name: String) { self.init(name) }
}
