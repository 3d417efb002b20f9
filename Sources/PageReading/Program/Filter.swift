import CJq
import Glibc

/// A program of jq, compiled.
final class Filter {
    /// What libjq said while it compiled.
    private final class Words {
        var lines: [String] = []
    }

    private var state: OpaquePointer?
    private let words = Words()

    /// Compiles a program; throws what libjq says of it.
    init(_ program: String) throws(FilterProblem) {
        guard let state = jq_init() else { throw FilterProblem(message: "there is no memory for jq") }
        self.state = state
        jq_set_error_cb(
            state,
            { context, message in
                let value = Value(owning: jq_format_error(message))
                guard let context else { return }
                Unmanaged<Words>.fromOpaque(context).takeUnretainedValue().lines.append(value.text ?? "")
            },
            Unmanaged.passUnretained(words).toOpaque()
        )
        // An object, also without members: libjq 1.6 frees an array twice.
        let isCompiled = jq_compile_args(state, program, jv_object()) != 0
        let said = words.lines
        guard isCompiled else {
            jq_teardown(&self.state)
            throw FilterProblem(message: Self.first(said))
        }
    }

    deinit { if state != nil { jq_teardown(&state) } }

    /// The first thing that libjq complained of, without its own decoration.
    private static func first(_ lines: [String]) -> String {
        let line = lines.first?.split(separator: "\n").first.map(String.init) ?? "jq doesn't say why"
        return line.replacing("jq: error: ", with: "")
            .replacing(" (Unix shell quoting issues?)", with: "").replacing(
                " at <top-level>, line 1:",
                with: ""
            )
    }

    /// Runs the program on a value and hands over each result until one is refused.
    ///
    /// - Throws: ``FilterProblem`` with the program's own error.
    func run<Failure: Error>(
        _ input: Value,
        _ take: (Value) throws(Failure) -> Bool
    ) throws(Failure) -> FilterProblem? {
        guard let state else { return nil }
        jq_start(state, input.copy(), 0)
        while true {
            let result = Value(owning: jq_next(state))
            guard result.isValid else {
                return result.error.map { FilterProblem(message: $0) }
            }
            guard try take(result) else { return nil }
        }
    }
}

/// What is wrong with a program, or went wrong in it.
struct FilterProblem: Error {
    var message: String
}
