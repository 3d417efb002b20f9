extension Recipe {
    /// The methods with which pages are asked for.
    private enum Method: String, CaseIterable { case get = "GET", post = "POST" }

    /// Reads the section `request`; nil for GET.
    func readRequest(_ reader: inout RecipeReader) -> PostRecipe? {
        guard let value = reader.value("request") else { return nil }
        var section = RecipeReader(value, section: "request")
        defer { reader.add(section.problems) }
        let body = section.expression("body")
        let method = section.word("method", Method.self) ?? (section.has("body") ? .post : .get)
        if method == .get {
            if section.has("body") { section.problem("body", "only method POST has this") }
            return nil
        }
        if kind.isStreamed || kind == .s3 {
            section.problem("method", "kind \(kind.rawValue) is asked for with GET")
            return nil
        }
        guard let body else {
            if !section.has("body") {
                section.problem("body", "method POST needs this: a jq expression for the body")
            }
            return nil
        }
        return PostRecipe(body: body)
    }
}
