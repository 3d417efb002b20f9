import CPages
import Glibc
import SourceCore

/// Reads one page: first its items, then what it says about the next page.
public struct PageReader {
    let program: PageProgram
    let request: ListerRequest
    /// Sends a part of the answer.
    let send: (ListerFrame.Kind, [UInt8]) -> Void

    public init(
        program: PageProgram,
        request: ListerRequest,
        send: @escaping (ListerFrame.Kind, [UInt8]) -> Void
    ) {
        self.program = program
        self.request = request
        self.send = send
    }

    /// Reads the page and sends the complete answer.
    public func run(_ input: PageInput) {
        do throws(ListerFailure) {
            let page =
                try request.asksBody == true
                ? body(input) : program.preset.isStreamed ? rows(input) : page(input)
            guard let frame = try? ListerFrame(.page, page) else {
                throw ListerFailure("reader_crashed", "the answer can't be written")
            }
            guard frame.body.count <= ListerFrame.maximumLength - ListerFrame.headerLength else {
                throw ListerFailure("too_large", "what the page says about the next one is longer than 1 MiB")
            }
            send(.page, frame.body)
        } catch {
            var failure = error
            failure.message = String(failure.message.prefix(1000))
            if let frame = try? ListerFrame(.failure, failure) { send(.failure, frame.body) }
        }
    }

    /// Reads a page that is read as a whole.
    private func page(_ input: PageInput) throws(ListerFailure) -> ListedPage {
        let bytes = try input.all(most: program.program.maximumBytes)
        var page = ListedPage()
        let contentType = request.headers["content-type"]
        let encoding = PageEncoding(given: program.program.encoding, contentType: contentType)
        let value: Value
        switch program.preset.reader {
        case .feed where JSONFeedReader.mayBe(bytes):
            value = try JSONFeedReader.read(try JSONValueReader.read(bytes, encoding))
        case .feed: (value, page.ttl) = try FeedReader.read(try XMLReader.read(bytes, encoding))
        case .sitemap:
            let read = try SitemapReader.read(try XMLReader.read(bytes, encoding))
            value = read.value
            try sendChildren(read.children)
        case .bucket:
            let root = try XMLReader.read(bytes, names: .local)
            let read = try BucketReader.read(root, url: request.url)
            value = read.value
            page.bucket = read.bucket
        case .xml:
            let names: XMLReader.Names = program.program.namespaces == true ? .written : .local
            value = XMLTree.value(try XMLReader.read(bytes, encoding, names: names))
        case .html:
            let read = try HTMLReader.read(
                bytes,
                url: request.url,
                encoding,
                most: program.program.maximumBytes
            )
            value = read.value
            page.seen = read.seen
            if program.program.items == nil { page.notes = read.note.map { [$0] } }
        case .json, .jsonLines, .rows, .lines: value = try JSONValueReader.read(bytes, encoding)
        }
        let isFirst = request.page == 1 && request.offset == 0
        var items = ItemGathering(program: program.program, isFirst: isFirst, send: send)
        let context = request.context
        let problem = try program.run(.items, on: value, context: context, count: 0) {
            (answer) throws(ListerFailure) in
            try items.add(answer, number: nil)
            return true
        }
        if let problem {
            throw shape(program.program.itemsField, program.program.items, problem.message, value, bytes)
        }
        do throws(ListerFailure) {
            try items.finish(&page)
        } catch {
            // Of a path that leads nowhere, jq makes a single null.
            if items.isNull, let expression = program.program.items,
                MissingPath.find(expression, in: value) != nil
            {
                throw shape(program.program.itemsField, expression, error.message, value, bytes)
            }
            throw error
        }
        try tail(&page, value, context, bytes)
        return page
    }

    /// Sends the sitemaps of an index in frames.
    private func sendChildren(_ children: [ListedPage.Child]) throws(ListerFailure) {
        guard children.count <= ListedPage.mostChildren else {
            throw ListerFailure("too_large", "the index has more than \(ListedPage.mostChildren) sitemaps")
        }
        var rest = children.filter { $0.url.utf8.count <= ListedItem.longestText }[...]
        while !rest.isEmpty {
            var (count, length) = (0, 0)
            for child in rest {
                length += child.url.utf8.count + (child.changed?.utf8.count ?? 0) + 40
                if count > 0, length > ItemGathering.frameLength { break }
                count += 1
            }
            guard let frame = try? ListerFrame(.children, Array(rest.prefix(count))) else {
                throw ListerFailure("reader_crashed", "the answer can't be written")
            }
            send(.children, frame.body)
            rest = rest.dropFirst(count)
        }
    }

    /// Evaluates what the page says about the next page and the total.
    private func tail(
        _ page: inout ListedPage,
        _ value: Value,
        _ context: Value,
        _ bytes: [UInt8]
    ) throws(ListerFailure) {
        let recipe = program.program
        func ask(
            _ question: PageProgram.Question,
            _ field: String,
            _ expression: String
        ) throws(ListerFailure) -> Value {
            var first: Value?
            let problem = program.run(question, on: value, context: context, count: page.listed) {
                answer -> Bool in
                first = answer
                return false
            }
            if let problem { throw shape(field, expression, problem.message, value, bytes) }
            return first ?? .null
        }
        if let next = recipe.next {
            page.next = try self.next(try ask(.next, "\(recipe.section)next", next), bytes)
        }
        if let more = recipe.more {
            let answer = try ask(.more, "more", more)
            switch (answer.kind, answer.number) {
            case (JV_KIND_TRUE, _), (_, 1?): page.more = true
            case (JV_KIND_FALSE, _), (_, 0?): page.more = false
            default:
                throw shape("more", more, "this should be true or false, but is \(answer.noun)", value, bytes)
            }
        }
        if let total = recipe.total {
            let answer = try ask(.total, "total", total)
            page.total =
                answer.number.flatMap { Int(exactly: $0.rounded(.down)) } ?? answer.text.flatMap { Int($0) }
            guard answer.kind == JV_KIND_NULL || (page.total ?? -1) >= 0 else {
                throw shape("total", total, "this should be a number, but is \(answer.noun)", value, bytes)
            }
        }
    }

    /// Returns the failure for an expression that doesn't fit the page: where its path fails if that is
    /// known, otherwise jq's own message.
    func shape(
        _ field: String,
        _ expression: String?,
        _ message: String,
        _ value: Value,
        _ bytes: [UInt8]
    ) -> ListerFailure {
        let path = expression.flatMap { MissingPath.find($0, in: value) }
        return ListerFailure(
            "unexpected_shape",
            "\(field): \(path ?? FilterProblem.advised(message))",
            excerpt: Excerpt.of(bytes)
        )
    }
}

extension PageReader {
    /// The exit status of a process that ran out of memory.
    public static let noMemory: Int32 = 77

    /// Makes libjq end this process with ``noMemory`` when it runs out of memory, instead of by a
    /// signal.
    public static func endWithoutMemory() { jv_nomem_handler({ _ in _exit(PageReader.noMemory) }, nil) }
}

extension ListerRequest {
    /// The values that a page's expressions may use.
    var context: Value { context(next: .null) }

    /// The same for a body, with what `next` gave.
    func context(next: Value) -> Value {
        .object([
            ("page", .number(page)), ("offset", .number(offset)), ("url", .text(url)),
            ("links", .object(links)),
            ("headers", .object(headers)), ("vars", .object(variables)),
            ("next", next),
        ])
    }
}
