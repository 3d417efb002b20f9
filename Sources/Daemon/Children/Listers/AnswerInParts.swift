import SourceCore
import Vocabulary

/// An answer as it comes, part after part.
///
/// A lister has read bytes from strangers, who may speak through it: what no honest one says ends it.
struct AnswerInParts {
    /// The most bytes of an answer.
    static let longest = 256 << 20

    let id: UInt64
    let program: ListerProgram
    let rows: ListerRequest.Rows
    private var items: [ListedItem] = []
    private var children: [ListedPage.Child] = []
    private var length = 0

    /// The most items that a page can list.
    ///
    /// Of rows, any number may be bad, but each has bytes.
    private var mostListed: Int { rows.most == .max ? program.maximumItems : Self.longest }

    init(to request: ListerRequest, program: ListerProgram) {
        id = request.id
        self.program = program
        rows = request.rows
    }

    /// Adds a part; returns what has come of the page once it was the last.
    mutating func receive(_ frame: ListerFrame) throws(Misbehaviour) -> Result<ListerAnswer, ListerFailure>? {
        guard frame.id == id else { throw Misbehaviour("an answer that nobody asked for") }
        length += frame.body.count
        guard length <= Self.longest else {
            throw Misbehaviour("an answer of more than \(Self.longest) bytes")
        }
        do {
            switch frame.kind {
            case .items:
                let more = try frame.decode([ListedItem].self)
                guard more.allSatisfy(\.isPossible) else { throw Misbehaviour("an item that can't be") }
                items += more
                guard items.count <= max(program.maximumItems, rows.most == .max ? 0 : rows.most) else {
                    throw Misbehaviour("more items than were asked for")
                }
                return nil
            case .children:
                let more = try frame.decode([ListedPage.Child].self)
                guard more.allSatisfy({ $0.url.utf8.count <= ListedItem.longestText }) else {
                    throw Misbehaviour("a sitemap that can't be")
                }
                children += more
                guard children.count <= ListedPage.mostChildren else {
                    throw Misbehaviour("more sitemaps than an index has")
                }
                return nil
            case .page:
                var page = try frame.decode(ListedPage.self).limited
                let isPossible = page.isPossible(after: rows, items: items.count, most: mostListed)
                guard isPossible, page.children.isEmpty else { throw Misbehaviour("a page that can't be") }
                page.children = children
                return .success(ListerAnswer(items: items, page: page))
            case .failure:
                return .failure(try frame.decode(ListerFailure.self).limited)
            case .program, .greeting, .request, .recipe, .values:
                throw Misbehaviour("a message that isn't its to send")
            }
        } catch let misbehaviour as Misbehaviour {
            throw misbehaviour
        } catch {
            throw Misbehaviour("a message that can't be read")
        }
    }
}

extension ListedItem {
    /// True if each of its texts is as long as one can be.
    fileprivate var isPossible: Bool {
        let texts = [url, key ?? "", name ?? "", sha256 ?? "", changed ?? ""]
        return texts.allSatisfy { $0.utf8.count <= Self.longestText }
            && (-100...100).contains(priority ?? 0) && (meta ?? "").utf8.count <= Self.longestMeta
            && (variables?.count ?? 0) <= 1000
            && (variables ?? [:]).allSatisfy {
                max($0.key.utf8.count, $0.value.utf8.count) <= Self.longestText
            }
    }
}

extension ListedPage {
    /// The largest number of anything, which can be added to without end.
    private static let largest = 1 << 52
    /// The longest names of columns together, and the most of them.
    private static let mostColumns = 1 << 16

    /// The page with no larger numbers, and no more words, than are of use: those come from the server.
    fileprivate var limited: ListedPage {
        var page = self
        page.total = total.map { min(max(0, $0), Self.largest) }
        page.ttl = ttl.map { min(max(0, $0), 1 << 31) }
        page.badItems = badItems.prefix(Self.mostNamed).map {
            BadItem(number: min(max(0, $0.number), Self.largest), message: $0.message.limited(toBytes: 2000))
        }
        return page
    }

    fileprivate func isPossible(after rows: ListerRequest.Rows, items: Int, most: Int) -> Bool {
        if case .rows(let next)? = next {
            // Somewhere a list has to end, and a page that isn't read by rows has none.
            guard rows.most != .max, next.bytes > rows.bytes, next.line >= rows.line,
                max(next.bytes, next.line) <= Self.largest,
                (next.columns ?? []).count <= Self.mostColumns,
                (next.columns ?? []).reduce(0, { $0 + $1.utf8.count }) <= Self.mostColumns,
                next.place?.isPossible(before: next.bytes) != false
            else { return false }
        }
        return (0...most).contains(listed) && (0...listed).contains(bad) && items <= listed - bad
    }
}

extension ListerFailure {
    /// The failure with no more words than a failure has.
    var limited: ListerFailure {
        var failure = self
        failure.message = message.limited(toBytes: 1000)
        failure.excerpt = excerpt?.limited(toBytes: 4 * Self.longestExcerpt)
        failure.bucketCode = bucketCode?.limited(toBytes: 100)
        failure.region = region?.limited(toBytes: 100)
        return failure
    }
}
