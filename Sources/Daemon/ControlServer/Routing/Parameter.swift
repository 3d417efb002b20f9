import ControlAPI

/// A parameter that an endpoint reads in addition to path and body.
protocol ReadParameter: Sendable {
    /// The parameter's name.
    var name: String { get }
    /// The parameter's place.
    var place: ParameterPlace { get }
    /// The schema of its text in the OpenAPI document.
    var schema: JSONSchema { get }
    /// A sentence for the OpenAPI document that says what it means.
    var meaning: String { get }
    /// True if a request needs it, as the OpenAPI document says; the handler refuses one without.
    var isRequired: Bool { get }
    /// Returns the value of a text; nil if that is the same as leaving it out.
    func value(of text: String) throws(ProblemJSON) -> (any Sendable)?
}

/// The place of a parameter in a request.
enum ParameterPlace: Sendable {
    case query, header
    /// In the query, under any name that begins with the parameter's own and a dot.
    case members

    /// Its word in the document.
    var word: String { self == .header ? "header" : "query" }
}

/// A parameter with the type of its value.
struct Parameter<Value: Sendable>: ReadParameter {
    let name: String
    let place: ParameterPlace
    let schema: JSONSchema
    let meaning: String
    var isRequired = false
    let read: @Sendable (String) throws(ProblemJSON) -> Value?

    init(
        _ name: String,
        in place: ParameterPlace = .query,
        _ schema: JSONSchema,
        _ meaning: String,
        _ read: @escaping @Sendable (String) throws(ProblemJSON) -> Value?
    ) {
        self.name = name
        self.place = place
        self.schema = schema
        self.meaning = meaning
        self.read = read
    }

    func value(of text: String) throws(ProblemJSON) -> (any Sendable)? { try read(text) }

    /// The same parameter, where a request needs it.
    var required: Parameter {
        var copy = self
        copy.isRequired = true
        return copy
    }
}

extension Parameter<Int64> {
    /// Returns a query parameter with an integer value.
    static func integer(
        _ name: String,
        from least: Int64,
        to most: Int64? = nil,
        _ meaning: String,
        unless schema: JSONSchema? = nil
    ) -> Parameter {
        let schema = schema ?? .integer(from: least, to: most).format("int64")
        return Parameter(name, schema, meaning) { (text) throws(ProblemJSON) in
            guard let number = Int64(decimal: text), (least...(most ?? .max)).contains(number) else {
                let range = most.map { "\(least) to \($0)" } ?? "\(least) or more"
                throw ProblemJSON(
                    .invalidParameter,
                    "\(name) must be an integer, \(range), not \(text.quoted)"
                )
            }
            return number
        }
    }
}

extension Parameter where Value: RawRepresentable<String> & CaseIterable & Hashable {
    /// Returns a query parameter whose value is one of the words that its type has, and named as they are.
    static func word(_ name: String, _ meaning: String) -> Parameter {
        Parameter(name, APIWord<Value>.schema, meaning) { (text) throws(ProblemJSON) in
            guard let value = Value(rawValue: text) else {
                throw ProblemJSON(
                    .invalidParameter,
                    "there is no \(name) \(text.quoted); there are "
                        + Value.allCases.map(\.rawValue).joined(separator: ", ")
                )
            }
            return value
        }
    }
}
