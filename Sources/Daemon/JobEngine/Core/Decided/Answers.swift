/// The answers to callers, held back until what they say is durable.
struct Answers {
    private var waiting: [@Sendable (ControlError?) -> Void] = []

    /// True if no caller waits for an answer.
    var isEmpty: Bool { waiting.isEmpty }

    /// Adds an answer, which will be the value, or an error if the commit fails.
    mutating func add<Value: Sendable>(_ reply: @escaping EngineInput.Reply<Value>, _ value: Value) {
        waiting.append { error in reply(error.map(Result.failure) ?? .success(value)) }
    }

    /// Answers everyone, with their values if `error` is nil, otherwise with the error.
    mutating func give(_ error: ControlError?) {
        let answered = waiting
        waiting = []
        for answer in answered { answer(error) }
    }
}
