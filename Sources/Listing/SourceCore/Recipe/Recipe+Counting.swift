extension Recipe {
    /// True if the recipe itself counts where the next page is, as `{page: ($page + 1)}` does, instead of reading
    /// it in the page.
    ///
    /// Then an empty page, or one that the server doesn't have, is where the list ends. A page that is named by the
    /// one before can be empty and be followed by others, as Bluesky, MediaWiki and OneDrive do it.
    public var countsPages: Bool {
        if let body = request?.body, Self.counts(Self.code(of: body)) { return next != nil }
        return Self.countsPages(next)
    }

    /// Returns whether a rule for the next page counts where that is.
    static func countsPages(_ next: NextRule?) -> Bool {
        guard case .expression(let expression)? = next else { return false }
        let code = code(of: expression)
        if counts(code) { return true }
        return code.split(separator: "+", omittingEmptySubsequences: false).dropFirst().contains { rest in
            rest.first { $0 != " " }?.isNumber == true
        }
    }

    /// The values by which expressions count.
    private static let counters = ["$page", "$offset", "$count"]

    /// Returns whether an expression uses one of those, rather than a longer name such as `$pageInfo`.
    private static func counts(_ code: String) -> Bool {
        counters.contains { counter in
            var rest = code[...]
            while let start = rest.range(of: counter) {
                rest = rest[start...].dropFirst(counter.count)
                let isLonger = rest.first.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
                if !isLonger { return true }
            }
            return false
        }
    }

    /// Returns an expression without comments and texts, but with what is evaluated within those.
    ///
    /// A text may be a query of GraphQL, whose own variables are often called `$count` and `$page`.
    private static func code(of expression: String) -> String {
        var code = ""
        var (isText, isEscaped, isComment) = (false, false, false)
        // Of each text within which something is evaluated: how many parentheses are open there.
        var open: [Int] = []
        for character in expression {
            if isComment {
                isComment = !character.isNewline
            } else if isEscaped {
                isEscaped = false
                if character == "(" {
                    isText = false
                    open.append(0)
                    code += "("
                }
            } else if isText {
                isEscaped = character == "\\"
                isText = character != "\""
            } else if character == "\"" {
                isText = true
            } else if character == "#" {
                isComment = true
            } else {
                code.append(character)
                if character == "(", !open.isEmpty { open[open.count - 1] += 1 }
                if character == ")", let parentheses = open.last {
                    isText = parentheses == 0
                    if isText { open.removeLast() } else { open[open.count - 1] -= 1 }
                }
            }
        }
        return code
    }
}
