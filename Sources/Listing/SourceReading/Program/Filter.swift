import CPages
import Glibc

/// A compiled jq program.
final class Filter {
    /// The messages of libjq while compiling.
    private final class Words {
        var lines: [String] = []
    }

    private var state: OpaquePointer?
    private let words = Words()

    /// Compiles a program; throws libjq's error message.
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
        // libjq 1.6 calls these without looking whether they are there.
        jq_set_input_cb(state, { _, _ in jv_invalid() }, nil)
        jq_set_debug_cb(state, { _, message in jv_free(message) }, nil)
        // An object, also without members: libjq 1.6 frees an array twice.
        let isCompiled = jq_compile_args(state, KeptDigits.forgetting + program, jv_object()) != 0
        let said = words.lines
        guard isCompiled else {
            jq_teardown(&self.state)
            throw FilterProblem(message: Self.first(said))
        }
    }

    deinit { if state != nil { jq_teardown(&state) } }

    /// Returns libjq's first error message without its decoration.
    private static func first(_ lines: [String]) -> String {
        let line = lines.first?.split(separator: "\n").first.map(String.init) ?? "jq doesn't say why"
        var words = line.replacing("jq: error: ", with: "")
            .replacing(" (Unix shell quoting issues?)", with: "")
        if let place = words.firstRange(of: " at <top-level>, line ") {
            words.removeSubrange(place.lowerBound...)
        }
        // jq knows names of ASCII only.
        let advice = "; write a name with other signs than letters from a to z, digits and _ as .\"NAME\""
        return words.contains("INVALID_CHARACTER") ? words + advice : words
    }

    /// Runs the program on a value and passes each result to `take` until that returns false.
    ///
    /// - Throws: ``FilterProblem`` with an error raised by the program.
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

/// An error in a program, or raised by one.
struct FilterProblem: Error {
    var message: String

    /// Returns a message of jq with what to do where something isn't there that the program goes through.
    static func advised(_ message: String) -> String {
        message.hasPrefix("Cannot iterate over null")
            ? message + "; write []? where there may be nothing" : message
    }
}
