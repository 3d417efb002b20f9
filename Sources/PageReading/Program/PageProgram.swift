import ListerProtocol

/// A recipe's expressions as one program of jq: compiling takes 20 ms, whatever is compiled.
///
/// Its input is `{c: what a page's expressions may see, n: the number of items, o: what is asked for,
/// v: the page, or a row}`.
public final class PageProgram {
    /// What is asked for.
    enum Question: Int {
        case items, next, more, total
    }

    let program: ListerProgram
    let preset: Preset
    private let filter: Filter

    /// Compiles a program, or says which of its expressions can't be.
    public init(_ program: ListerProgram) throws(UnusableProgram) {
        guard let preset = Preset(program.kind) else {
            throw UnusableProgram(problems: [
                .init(field: "kind", message: "this lister doesn't read \(program.kind)")
            ])
        }
        self.program = program
        self.preset = preset
        do throws(FilterProblem) {
            filter = try Filter(Self.source(program, preset))
            // In parentheses, an expression could close those of its own and open another's.
            _ = try Filter(Self.definitions(Self.expressions(program)))
        } catch {
            let problems = Self.problems(program)
            throw UnusableProgram(
                problems: problems.isEmpty ? [.init(field: "items", message: error.message)] : problems
            )
        }
    }

    /// A program that has expressions as they are, with the names that they may use.
    private static func definitions(_ expressions: [(field: String, expression: String)]) -> String {
        let all = expressions.enumerated()
        let definitions = all.map { "def __expression\($0.offset): \($0.element.expression)\n; " }
        // What isn't used isn't compiled.
        return names + definitions.joined() + "[.\(all.map { ", __expression\($0.offset)" }.joined())]"
    }

    /// The recipe's expressions by the names of their fields.
    private static func expressions(_ program: ListerProgram) -> [(field: String, expression: String)] {
        let section = program.isManifest ? "slices." : ""
        let items = program.isManifest ? "slices.each" : "items"
        let all: [(String, String?)] =
            [
                (items, program.items), ("select", program.select),
                ("job.url", program.url), (program.isManifest ? "slices.key" : "job.key", program.key),
                ("job.name", program.name), ("job.sha256", program.sha256),
                ("job.priority", program.priority),
                ("job.meta", program.meta), ("next", program.next == "link" ? nil : program.next),
                ("more", program.more), ("total", program.total), ("slices.changed", program.changed),
            ] + program.variables.sorted { $0.key < $1.key }.map { ("\(section)vars.\($0.key)", $0.value) }
        return all.compactMap { field, expression in expression.map { (field, $0) } }
    }

    /// What is wrong with each expression by itself.
    private static func problems(_ program: ListerProgram) -> [ListerGreeting.Problem] {
        expressions(program).compactMap { field, expression in
            do throws(FilterProblem) {
                _ = try Filter(definitions([(field, expression)]))
                return nil
            } catch {
                return .init(field: field, message: error.message)
            }
        }
    }

    private static let names = """
        .c as $c | $c.page as $page | $c.offset as $offset | $c.url as $url | $c.links as $links \
        | $c.headers as $headers | $c.vars as $vars | .n as $count |

        """

    /// One value of an expression, under the name of its field.
    ///
    /// A comment in it ends with its line.
    ///
    /// jq 1.6 has `try` catch what goes wrong after it, too, so that an error that has a field keeps it.
    private static func one(_ expression: String, _ field: String) -> String {
        """
        (try ([(\(expression)
        )] | if length == 0 then error("this gives nothing") else .[0] end) \
        catch error(if type == "object" and has("__field") then . else {__field: "\(field)", message: .} end))
        """
    }

    private static func optional(_ expression: String?, _ field: String) -> String {
        expression.map { one($0, field) } ?? "null"
    }

    private static func source(_ program: ListerProgram, _ preset: Preset) -> String {
        let variables = program.variables.sorted { $0.key < $1.key }.map { name, expression in
            "\"\(name)\": \(one(expression, "slices.vars.\(name)"))"
        }
        let url = program.isManifest ? "null" : one(program.url ?? preset.url, "job.url")
        let key = program.key ?? (program.isManifest ? "." : program.url == nil ? preset.key : nil)
        let keyField = program.isManifest ? "slices.key" : "job.key"
        let keyValue = optional(key, keyField)
        // What isn't wanted has a key, if it can be had, to know a page by.
        let item = """
            try (if \(one(program.select ?? preset.select, "select")) then [true, \(keyValue), \(url), \
            \(optional(program.name, "job.name")), \(optional(program.sha256, "job.sha256")), \
            \(optional(program.priority, "job.priority")), \(optional(program.meta, "job.meta")), \
            \(optional(program.changed, "slices.changed")), {\(variables.joined(separator: ", "))}] \
            else [false, (try \(keyValue == "null" ? url : keyValue) catch null)] end) catch {e: .}
            """
        // One array counts as its elements; a row is what it is.
        let flattening =
            preset.isStreamed
            ? "" : "| [.[]] | if length == 1 and (.[0] | type) == \"array\" then .[0] else . end"
        let items = "[\(program.items ?? preset.items)\n] \(flattening) | .[] | \(item)"
        let next = program.next == "link" ? "$links.next" : program.next ?? "null"
        return names + """
            .o as $__question | .v | if $__question == 0 then (\(items)) elif $__question == 1 then (\(next)
            ) elif $__question == 2 then (\(program.more ?? "null")
            ) else (\(program.total ?? "null")
            ) end
            """
    }

    /// Runs the program for a question.
    func run<Failure: Error>(
        _ question: Question,
        on value: Value,
        context: Value,
        count: Int,
        _ take: (Value) throws(Failure) -> Bool
    ) throws(Failure) -> FilterProblem? {
        let input = Value.object([
            ("c", context), ("n", .number(count)), ("o", .number(question.rawValue)), ("v", value),
        ])
        return try filter.run(input, take)
    }
}

/// Expressions that can't be compiled.
public struct UnusableProgram: Error {
    /// Each of them, and what is wrong with it.
    public var problems: [ListerGreeting.Problem]
}
