import SourceCore

/// A recipe's expressions, compiled as one jq program because compiling takes 20 ms whatever its size.
///
/// Its input is
/// `{c: the values that expressions may use, n: the number of items, o: the question, v: the page or a row}`.
public final class PageProgram {
    /// The part of the program to run.
    enum Question: Int {
        case items, next, more, total, body
    }

    let program: ListerProgram
    let preset: Preset
    private let filter: Filter

    /// Compiles a program, or reports which of its expressions are invalid.
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
            // As definitions, since an expression in parentheses could close them and open others.
            let expressions = Self.expressions(program)
            if !expressions.isEmpty { _ = try Filter(Self.definitions(expressions)) }
        } catch {
            let problems = Self.problems(program)
            throw UnusableProgram(
                problems: problems.isEmpty ? [.init(field: "items", message: error.message)] : problems
            )
        }
    }

    /// Returns a program that contains the expressions unchanged, with the names that they may use.
    private static func definitions(_ expressions: [(field: String, expression: String)]) -> String {
        let all = expressions.enumerated()
        let definitions = all.map { "def __expression\($0.offset): \($0.element.expression)\n; " }
        // The definitions are used here because jq doesn't compile unused ones.
        return names + definitions.joined() + "[.\(all.map { ", __expression\($0.offset)" }.joined())]"
    }

    /// Returns the recipe's expressions with the names of their fields.
    private static func expressions(_ program: ListerProgram) -> [(field: String, expression: String)] {
        let section = program.section
        let all: [(String, String?)] =
            [
                (program.itemsField, program.items), ("select", program.select),
                ("job.url", program.url), (program.keyField, program.key),
                ("job.name", program.name), ("job.folder", program.folder),
                ("job.sha256", program.sha256), ("job.priority", program.priority),
                ("job.meta", program.meta), ("\(section)next", program.next == "link" ? nil : program.next),
                ("request.body", program.body), ("more", program.more), ("total", program.total),
                ("\(section)changed", program.changed),
            ] + program.variables.sorted { $0.key < $1.key }.map { ("\(section)vars.\($0.key)", $0.value) }
        return all.compactMap { field, expression in expression.map { (field, $0) } }
    }

    /// Returns the errors of each expression by itself.
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
        | $c.headers as $headers | $c.vars as $vars | $c.next as $next | .n as $count |

        """

    /// Returns a program for a single value of an expression, whose errors name its field.
    ///
    /// The line break ends a comment in the expression.
    ///
    /// In jq 1.6, `try` also catches errors that occur after it, so an error that has a field already
    /// keeps it.
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
            "\"\(name)\": \(one(expression, "\(program.section)vars.\(name)"))"
        }
        let url = program.isManifest ? "null" : one(program.url ?? preset.url, "job.url")
        let key = program.key ?? (program.isManifest ? "." : program.url == nil ? preset.key : nil)
        let keyValue = optional(key, program.keyField)
        // What a kind leaves out by itself has no URL to make a job of, unless the recipe makes one.
        let wanted =
            program.url == nil && preset.select != "true"
            ? program.select.map { "if \(preset.select) then (\($0)\n) else false end" } : program.select
        // Unwanted items also get a key, because the page is recognized by its keys: the item itself
        // where it has none.
        let item = """
            . as $__item | try (if \(one(wanted ?? (program.url == nil ? preset.select : "true"), "select")) then [true, \(keyValue), \
            \(url), \(optional(program.name, "job.name")), \(optional(program.sha256, "job.sha256")), \
            \(optional(program.priority, "job.priority")), \(optional(program.meta, "job.meta")), \
            \(optional(program.changed, "\(program.section)changed")), {\(variables.joined(separator: ", "))}, \
            \(optional(program.folder, "job.folder")), .] \
            else [false, (try \(keyValue == "null" ? url : keyValue) catch null), .] end) \
            catch {e: ., i: $__item}
            """
        // A single array stands for its elements, except as a row.
        let flattening =
            preset.isStreamed
            ? "" : "| [.[]] | if length == 1 and (.[0] | type) == \"array\" then .[0] else . end"
        let items = "[\(program.items ?? preset.items)\n] \(flattening) | .[] | \(item)"
        // A page's own link is for those whose server has no such field.
        let link = preset.reader == .feed || preset.reader == .html ? "$links.next // .next" : "$links.next"
        let next = program.next == "link" ? link : program.next ?? "null"
        return names + """
            .o as $__question | .v | if $__question == 0 then (\(items)) elif $__question == 1 then (\(next)
            ) elif $__question == 2 then (\(program.more ?? "null")
            ) elif $__question == 4 then (\(program.body ?? "null")
            ) else (\(program.total ?? "null")
            ) end
            """
    }

    /// Runs a part of the program.
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

extension ListerProgram {
    /// The section of the recipe that is read, with a dot; empty for the recipe itself.
    var section: String { isManifest ? isNested == true ? "slices.slices." : "slices." : "" }
    /// The field that gives the items.
    var itemsField: String { isManifest ? "\(section)each" : "items" }
    /// The field that gives an item's key.
    var keyField: String { isManifest ? "\(section)key" : "job.key" }
}

/// The error of expressions that can't be compiled.
public struct UnusableProgram: Error {
    /// The invalid expressions with their errors.
    public var problems: [ListerGreeting.Problem]
}
