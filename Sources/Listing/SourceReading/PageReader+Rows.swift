import SourceCore
import Vocabulary

extension PageReader {
    /// Reads as many rows of a long list as the request asks for, from the position that it gives.
    func rows(_ input: PageInput) throws(ListerFailure) -> ListedPage {
        let recipe = program.program
        let asked = request.rows
        let contentType = request.headers["content-type"]
        var lines = try LineReader(
            input,
            offset: asked.bytes,
            line: asked.line,
            PageEncoding(given: recipe.encoding, contentType: contentType),
            known: asked.encoding
        )
        var delimiter = asked.delimiter
        var columns = asked.columns
        // Of a table, the header tells.
        let isFirst = asked.bytes == 0 && program.preset.reader == .jsonLines
        var items = ItemGathering(program: recipe, isFirst: isFirst, send: send)
        let context = request.context
        var page = ListedPage()
        if asked.bytes == 0 {
            let beginning = ListBeginning(try lines.ahead(ListBeginning.length))
            try beginning.check(program.preset.reader, hasOwnItems: recipe.items != nil)
            if program.preset.reader == .rows, let given = beginning.delimiter {
                delimiter = given
                _ = try lines.next()
            }
        }
        let parser = try program.preset.reader == .rows ? rowParser(delimiter) : nil
        parser?.urlColumn = recipe.hasHeader ? columns.flatMap(urlColumn) : 0
        var isDone = false
        while !isDone, items.listed < asked.most {
            let line = try lines.next()
            var number = lines.line
            var row: Value?
            var listLine: URLLine?
            if let parser {
                let fields: [String]?
                if let line {
                    fields = try parser.parse(line, number: number)
                } else {
                    fields = try parser.end(number: number)
                }
                number = parser.firstLine
                if let fields {
                    if recipe.hasHeader, columns == nil {
                        columns = fields
                        page.notes = Self.doubles(fields)
                        parser.urlColumn = urlColumn(fields)
                        try check(columns: fields)
                        try AskedColumns(program: recipe).check(fields)
                    } else {
                        row = Self.row(fields, columns: recipe.hasHeader ? columns : nil)
                    }
                }
            } else if let line {
                let body = line.withoutLineEnd
                switch program.preset.reader {
                case .lines:
                    let given = TextDecoder.text(body, isURL: true)
                    listLine = URLLine(given[...])
                    if listLine != nil {
                        // What is too long is refused as it is: it may be more than it looks like.
                        row = .text(given.utf8.count > ListedItem.longestText ? given : given.trimmingBlanks)
                    }
                default:
                    if body.contains(where: { $0 != 0x20 && $0 != 0x09 }) {
                        do throws(ListerFailure) {
                            row = try JSONValueReader.read(
                                Array(body),
                                what: "the line",
                                PageEncoding(given: "utf-8")
                            )
                        } catch {
                            try items.takeBad("line: \(error.message)", number: number)
                        }
                    }
                }
            }
            isDone = line == nil
            guard let row else { continue }
            let problem = try program.run(.items, on: row, context: context, count: items.listed) {
                (answer) throws(ListerFailure) in
                try items.add(answer, number: number, line: listLine)
                return true
            }
            if let problem { try items.takeBad("items: \(problem.message)", number: number) }
        }
        try items.finish(&page, isWhole: isDone)
        page.next =
            isDone
            ? .end
            : .rows(
                .init(
                    bytes: lines.offset,
                    line: lines.line,
                    columns: columns,
                    most: asked.most,
                    delimiter: delimiter,
                    encoding: lines.encoding.rawValue,
                    place: input.place(before: lines.offset)
                )
            )
        return page
    }

    /// Creates the parser for a table; `given` is the delimiter that the table itself has named.
    private func rowParser(_ given: UInt8?) throws(ListerFailure) -> RowParser {
        let recipe = program.program
        return try RowParser(
            delimiter: given ?? recipe.delimiter ?? program.preset.delimiter,
            hasQuotes: recipe.quote.map { $0 != "none" } ?? program.preset.hasQuotes
        )
    }

    /// Returns a sentence about columns of the same name; nil if there are none.
    private static func doubles(_ columns: [String]) -> [String]? {
        var counts: [String: Int] = [:]
        for column in columns { counts[column, default: 0] += 1 }
        var seen: Set<String> = []
        let doubles = columns.filter { counts[$0] ?? 0 > 1 && seen.insert($0).inserted }
        guard !doubles.isEmpty else { return nil }
        let names = doubles.prefix(5).map { $0.isEmpty ? "without a name" : String($0.prefix(40)) }
        return ["there is more than one column \(names.joined(separator: ", ")); the last one counts"]
    }

    /// The column that has the URLs, as far as the recipe says that plainly.
    private func urlColumn(_ columns: [String]) -> Int? {
        guard let expression = program.program.url else {
            return columns.lastIndex { $0.lowercased() == "url" }
        }
        return MissingPath.member(expression).flatMap { columns.lastIndex(of: $0) }
    }

    private func check(columns: [String]) throws(ListerFailure) {
        guard columns.count <= 1 << 16, columns.reduce(0, { $0 + $1.utf8.count }) <= 1 << 16 else {
            throw ListerFailure(
                "unexpected_shape",
                "there are more than 65,536 columns, or their names are longer than 64 KiB; check header"
            )
        }
    }

    /// Returns a row as an object with the columns' names; extra fields are left out, and missing ones
    /// are null.
    private static func row(_ fields: [String], columns: [String]?) -> Value {
        guard let columns else { return .array(fields.map(Value.text)) }
        return .object(
            columns.enumerated().map { index, name in
                (name, index < fields.count ? .text(fields[index]) : .null)
            }
        )
    }
}

extension String {
    /// The text without spaces and tabs around it.
    fileprivate var trimmingBlanks: String {
        var text = drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }
}
