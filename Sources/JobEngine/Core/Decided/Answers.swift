/// Answers to those who asked, each given once what it says is durable.
struct Answers {
    private var waiting: [@Sendable (ControlError?) -> Void] = []

    /// Whether anybody waits.
    var isEmpty: Bool { waiting.isEmpty }

    /// Answers with a value, or with why it came to nothing.
    mutating func add<Value: Sendable>(_ reply: @escaping EngineInput.Reply<Value>, _ value: Value) {
        waiting.append { error in reply(error.map(Result.failure) ?? .success(value)) }
    }

    /// Answers everyone: nil says that all went well.
    mutating func give(_ error: ControlError?) {
        let answered = waiting
        waiting = []
        for answer in answered { answer(error) }
    }
}
