import ControlAPI
import SourceEngine

/// A request to try a recipe: the recipe, as text or as an object, and perhaps a page.
struct SourceTrialBody {
    private(set) var recipe = ""
    private(set) var page: String?

    /// Reads the body.
    init(_ body: [UInt8]) throws(ProblemJSON) {
        var recipe: String?
        var page: String?
        var stranger: String?
        let kind: JSONValue
        do throws(JSONReader.Malformed) {
            var reader = JSONReader(body)
            kind = try reader.members { (reader, name) throws(JSONReader.Malformed) in
                let start = reader.position
                // A recipe that is too long is refused by who reads it, and a page is as long as it is.
                let limit =
                    switch name {
                    case "recipe": RecipeOrder.maximumLength + 1
                    case "page": Int.max
                    default: 0
                    }
                let value = try reader.value(textAtMost: limit)
                switch (name, value) {
                case ("recipe", .string(let text)): recipe = text
                case ("recipe", .object):
                    recipe = String(decoding: reader.bytes[start..<reader.position], as: UTF8.self)
                case ("page", .string(let text)): page = text
                case ("page", .null): break
                default: stranger = stranger ?? name
                }
            }
            try reader.end()
        } catch {
            throw ProblemJSON(error)
        }
        guard case .object = kind, let recipe, stranger == nil else {
            throw ProblemJSON(
                .invalidRequest,
                "the body must be an object with the key recipe, a text or an object, and perhaps the key page, a text"
            )
        }
        (self.recipe, self.page) = (recipe, page)
    }
}
