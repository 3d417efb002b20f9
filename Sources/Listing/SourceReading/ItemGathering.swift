import SourceCore
import Vocabulary

/// Collects the items of a page and sends them in frames.
struct ItemGathering {
    /// The approximate number of bytes of items in a frame.
    static let frameLength = 256 << 10
    /// The number of items at the beginning of a long list that have what the others have.
    private static let enough = 100

    private let program: ListerProgram
    private let send: (ListerFrame.Kind, [UInt8]) -> Void
    private var json: [UInt8] = []
    /// The number of items so far, including bad ones.
    private(set) var listed = 0
    private var bad: [ListedPage.BadItem] = []
    private var badCount = 0
    /// The beginning of the first bad item.
    private var excerpt: String?
    /// The paths that are plainly asked for on the first page: if no item has one, that has another name now.
    private var asked: [AskedPath] = []

    init(
        program: ListerProgram,
        isFirst: Bool,
        send: @escaping (ListerFrame.Kind, [UInt8]) -> Void
    ) {
        self.program = program
        self.send = send
        if isFirst { asked = AskedPath.all(of: program) }
    }

    /// True if all that is listed is one null.
    var isNull: Bool { listed == 1 && badCount == 1 && excerpt == "null" }

    /// Adds the program's answer for an item; `number` is the number of its line, if it has one, and `line` that
    /// of a list of URLs, which means what it does in all lists, unless the recipe says what it means.
    mutating func add(_ answer: Value, number: Int?, line: URLLine? = nil) throws(ListerFailure) {
        try count()
        do throws(ItemCheck.Problem) {
            var item = try ItemCheck.item(answer, of: program)
            item.line = number
            if let line, item.wanted != false, !program.isManifest, program.items == nil, program.url == nil {
                item.url = line.url
                if program.name == nil { item.name = line.name }
            }
            look(in: answer, isWanted: item.wanted != false)
            var text: [UInt8] = []
            item.write(into: &text)
            guard text.count <= Self.frameLength else {
                throw ItemCheck.Problem(message: "the item is longer than \(Self.frameLength) bytes as JSON")
            }
            append(text)
        } catch {
            look(in: answer, isWanted: true)
            if excerpt == nil { excerpt = Excerpt.of(ItemCheck.given(answer).json.utf8) }
            note(error.message, number ?? listed)
        }
    }

    private mutating func look(in answer: Value, isWanted: Bool) {
        for index in asked.indices where asked[index].isOfWanted == isWanted {
            asked[index].look(in: ItemCheck.given(answer))
        }
    }

    /// Counts an item that could not be read at all.
    mutating func takeBad(_ message: String, number: Int) throws(ListerFailure) {
        try count()
        note(message, number)
    }

    /// Sends the remaining items, and records their number in the page.
    ///
    /// - Parameter isWhole: Whether nothing follows; otherwise few items say nothing of what the others have.
    /// - Throws: ``ListerFailure`` if there were items but none could be read, or none has what the recipe
    ///   asks for.
    mutating func finish(_ page: inout ListedPage, isWhole: Bool = true) throws(ListerFailure) {
        flush()
        page.listed = listed
        page.bad = badCount
        page.badItems = bad
        if let first = bad.first, badCount == listed, !program.isStreamed {
            throw ListerFailure(
                "unexpected_shape",
                "no item of the page can be read: \(first.message)",
                excerpt: excerpt
            )
        }
        guard isWhole || listed >= Self.enough else { return }
        for path in asked { if let failure = path.failure(of: listed) { throw failure } }
    }

    private mutating func count() throws(ListerFailure) {
        listed += 1
        guard program.isStreamed || listed <= program.maximumItems else {
            throw ListerFailure(
                "too_large",
                "the page has more than \(program.maximumItems) items; ask for smaller pages, or raise limits.items"
            )
        }
    }

    private mutating func note(_ message: String, _ number: Int) {
        badCount += 1
        guard bad.count < ListedPage.mostNamed else { return }
        bad.append(.init(number: number, message: String(message.prefix(500))))
    }

    private mutating func append(_ item: [UInt8]) {
        json.append(json.isEmpty ? 0x5B : 0x2C)
        json += item
        if json.count >= Self.frameLength { flush() }
    }

    private mutating func flush() {
        guard !json.isEmpty else { return }
        send(.items, json + [0x5D])
        json = []
    }
}

extension ListerProgram {
    /// True if the pages are read row by row.
    var isStreamed: Bool { Preset(kind)?.isStreamed ?? false }
}
