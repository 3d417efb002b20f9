import CPages
import SourceCore

/// What comes after a page.
extension PageReader {
    /// Returns the place of the next page, from what the expression for it gives.
    func next(_ answer: Value, _ bytes: [UInt8]) throws(ListerFailure) -> ListedPage.Next {
        switch answer.kind {
        case JV_KIND_NULL, JV_KIND_FALSE: return .end
        case JV_KIND_STRING:
            let text = answer.text ?? ""
            // An empty reference would lead to the page itself.
            return text.isEmpty ? .end : .url(text)
        case JV_KIND_OBJECT:
            // A place of which nothing is known is no other page, as where `{after}` comes to its end.
            let isEmpty = answer.names.allSatisfy { answer.member($0).kind == JV_KIND_NULL }
            if !isEmpty, program.program.body != nil { return .value(answer.json) }
            return isEmpty
                ? .end
                : .query(
                    try answer.names.map { (name) throws(ListerFailure) in
                        let value = answer.member(name)
                        if value.kind == JV_KIND_NULL { return .init(name: name, value: nil) }
                        guard value.scalar != nil || value.kind == JV_KIND_TRUE || value.kind == JV_KIND_FALSE
                        else {
                            throw ListerFailure(
                                "unexpected_shape",
                                "\(program.program.section)next: \(name) should be a text or a number, but is \(value.noun)",
                                excerpt: Excerpt.of(bytes)
                            )
                        }
                        return .init(name: name, value: value.scalar ?? value.json)
                    }
                )
        default:
            if program.program.body != nil { return .value(answer.json) }
            throw ListerFailure(
                "unexpected_shape",
                "\(program.program.section)next: this should be null, a URL or an object of parameters, but is "
                    + answer.noun,
                excerpt: Excerpt.of(bytes)
            )
        }
    }

    /// Makes the body of a request from what `next` gave, which comes as the page.
    func body(_ input: PageInput) throws(ListerFailure) -> ListedPage {
        let bytes = try input.all(most: ListedPage.longestBody)
        let next = try JSONValueReader.read(bytes, what: "what next gave", PageEncoding(given: "utf-8"))
        var first: Value?
        let problem = program.run(.body, on: next, context: request.context(next: next), count: 0) {
            answer -> Bool in
            first = answer
            return false
        }
        if let problem { throw shape("request.body", program.program.body, problem.message, next, bytes) }
        guard let first else {
            throw ListerFailure(
                "unexpected_shape",
                "request.body: this gives nothing",
                excerpt: Excerpt.of(bytes)
            )
        }
        var page = ListedPage()
        let body = first.json
        guard body.utf8.count <= ListedPage.longestBody else {
            throw ListerFailure(
                "unexpected_shape",
                "request.body: this is longer than \(ListedPage.longestBody) bytes"
            )
        }
        page.body = body
        return page
    }
}
