import ControlAPI
import SourceCore
import SourceEngine

/// A request to try a recipe: the recipe, as text or as an object, and perhaps a page with the head of its response.
struct SourceTrialBody {
    private(set) var recipe = ""
    private(set) var page: GivenPage?

    /// Reads the body.
    init(_ body: [UInt8]) throws(ProblemJSON) {
        var recipe: String?
        var page: String?
        var headers: String?
        var stranger: String?
        let kind = try JSONReader.body(body) { (reader, name) throws(JSONReader.Malformed) in
            let start = reader.position
            // A recipe that is too long is refused by who reads it, and a page is as long as it is.
            let limit =
                switch name {
                case "recipe": RecipeOrder.maximumLength + 1
                case "page": Int.max
                case "headers": SavedHead.longest + 1
                default: 0
                }
            let value = try reader.value(textAtMost: limit)
            switch (name, value) {
            case ("recipe", .string(let text)): recipe = text
            case ("recipe", .object):
                recipe = String(decoding: reader.bytes[start..<reader.position], as: UTF8.self)
            case ("page", .string(let text)): page = text
            case ("headers", .string(let text)): headers = text
            case ("page", .null), ("headers", .null): break
            default: stranger = stranger ?? name
            }
        }
        guard case .object = kind, let recipe, stranger == nil else {
            throw ProblemJSON(
                .invalidRequest,
                "the body must be an object with the key recipe, a text or an object, and perhaps the keys page and "
                    + "headers, texts"
            )
        }
        self.recipe = recipe
        guard let headers else {
            self.page = page.map { GivenPage($0) }
            return
        }
        guard let page else { throw ProblemJSON(.invalidRequest, "headers belong to a page; give page, too") }
        guard let head = SavedHead(headers) else {
            throw ProblemJSON(
                .invalidRequest,
                "headers must be the head of a response as a server sends it, a field such as \"Link: …\" a line, "
                    + "of at most 64 KiB"
            )
        }
        self.page = GivenPage(page, head: head)
    }
}
