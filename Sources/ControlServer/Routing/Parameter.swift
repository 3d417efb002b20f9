import ControlAPI

/// Something that an endpoint reads beside path and body.
protocol ReadParameter: Sendable {
    /// Its name.
    var name: String { get }
    /// Where it stands.
    var place: ParameterPlace { get }
    /// What the document says of its text.
    var schema: JSONSchema { get }
    /// What it means, one sentence for the document.
    var meaning: String { get }
    /// What a text says; nil where that is as if there were none.
    func value(of text: String) throws(ProblemJSON) -> (any Sendable)?
}

/// Where a parameter stands.
enum ParameterPlace: String, Sendable {
    case query, header
}

/// A parameter with the type of what it says.
struct Parameter<Value: Sendable>: ReadParameter {
    let name: String
    let place: ParameterPlace
    let schema: JSONSchema
    let meaning: String
    private let read: @Sendable (String) throws(ProblemJSON) -> Value?

    /// A parameter, and how its text is read.
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
}

extension Parameter<Int64> {
    /// A query parameter that is an integer.
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
