import CPages
import SourceCore

/// Checks the program's answer for an item.
enum ItemCheck {
    /// An error in an item, as a message that begins with the field.
    struct Problem: Error {
        var message: String
        /// The field, where its expression gave nothing that could be used.
        var field: String?
    }

    /// Returns the page's item for which an answer is.
    static func given(_ answer: Value) -> Value {
        answer.kind == JV_KIND_OBJECT
            ? answer.member("i") : answer.element(answer.element(0).isTruthy ? 10 : 2)
    }

    /// Converts the answer `[wanted, key, url, name, sha256, priority, meta, changed, vars, folder, item]`,
    /// `[false, key, item]` or `{e: message, i: item}` to an item.
    ///
    /// A problem names the path in the item that leads nowhere, if the recipe has one there.
    static func item(_ answer: Value, of program: ListerProgram) throws(Problem) -> ListedItem {
        do throws(Problem) {
            return try item(answer, of: program, hasKey: program.key != nil)
        } catch {
            guard let field = error.field, let expression = program.expression(of: field) else { throw error }
            if MissingPath.isWhole(expression), let path = MissingPath.find(expression, in: given(answer)) {
                throw Problem(message: "\(field): \(path)")
            }
            let isShort = expression.count <= 60 && !expression.contains(where: \.isNewline)
            guard isShort, error.message.hasPrefix("\(field): this ") else { throw error }
            let rest = error.message.dropFirst(field.count + 6)
            throw Problem(message: "\(field): \(expression)\(rest)")
        }
    }

    private static func item(
        _ answer: Value,
        of program: ListerProgram,
        hasKey: Bool
    ) throws(Problem) -> ListedItem {
        if answer.kind == JV_KIND_OBJECT {
            let error = answer.member("e")
            let message = error.member("message")
            guard let field = error.member("__field").text else {
                throw Problem(message: error.text ?? error.json)
            }
            throw Problem(
                message: "\(field): \(FilterProblem.advised(message.text ?? message.json))",
                field: field
            )
        }
        var item = ListedItem(url: "")
        guard answer.element(0).isTruthy else {
            item.wanted = false
            // What nobody wants still tells one page from another.
            item.key =
                (try? text(answer.element(1), "job.key"))
                ?? PageFingerprint(keys: [answer.element(2).json]).hexadecimal
            return item
        }
        let isManifest = program.isManifest
        item.key = try optionalKey(answer.element(1), program.keyField, isNeeded: isManifest || hasKey)
        if isManifest {
            item.changed = try optional(answer.element(7), "\(program.section)changed") { value in
                value.scalar ?? value.json
            }
            item.variables = try variables(answer.element(8), program.section)
            return item
        }
        item.url = try text(answer.element(2), "job.url")
        // No URL begins like that (RFC 3986 §2), but the lines of a page to log in at do.
        guard !item.url.hasPrefix("<") else {
            throw Problem(
                message: "job.url: this should be a URL, but is \(answer.element(2).noun)",
                field: "job.url"
            )
        }
        item.name = try optional(answer.element(3), "job.name") { $0.scalar }
        item.folder = try optional(answer.element(9), "job.folder") { $0.scalar }
        item.sha256 = try optional(answer.element(4), "job.sha256") { value in
            value.text.flatMap { isSHA256($0) ? $0.lowercased() : nil }
        }
        item.priority = try optional(answer.element(5), "job.priority") { value in
            value.number.flatMap(Int.init(exactly:)).flatMap { (-100...100).contains($0) ? $0 : nil }
        }
        item.meta = try optional(answer.element(6), "job.meta") { value in
            guard value.kind == JV_KIND_OBJECT else { return nil }
            let json = value.json
            return json.utf8.count <= ListedItem.longestMeta ? json : nil
        }
        return item
    }

    private static let wants = [
        "job.name": "a text", "job.folder": "a text", "job.sha256": "64 hexadecimal digits",
        "job.priority": "a whole number from -100 to 100",
        "job.meta": "an object of at most \(ListedItem.longestMeta) bytes as JSON",
        "slices.changed": "a value",
    ]

    private static func optional<Result>(
        _ value: Value,
        _ field: String,
        _ read: (Value) -> Result?
    ) throws(Problem) -> Result? {
        if value.kind == JV_KIND_NULL { return nil }
        if let result = read(value) {
            if let text = result as? String, field != "job.meta" { try checkLength(text, field) }
            return result
        }
        let isLong = field == "job.meta" && value.kind == JV_KIND_OBJECT
        let found = isLong ? "has \(value.json.utf8.count)" : "is \(value.noun)"
        throw Problem(message: "\(field): this should be \(wants[field] ?? "a text"), but \(found)")
    }

    private static func text(_ value: Value, _ field: String) throws(Problem) -> String {
        guard let text = value.scalar, !text.isEmpty else {
            throw Problem(
                message: "\(field): this should be a text, but is \(value.text == "" ? "empty" : value.noun)",
                field: field
            )
        }
        try checkLength(text, field)
        return text
    }

    /// Returns an item's key, which must be there if the recipe has an expression for it: items without
    /// a key would all look the same.
    private static func optionalKey(
        _ value: Value,
        _ field: String,
        isNeeded: Bool
    ) throws(Problem) -> String? {
        if value.kind == JV_KIND_NULL, !isNeeded { return nil }
        return try text(value, field)
    }

    private static func variables(_ value: Value, _ section: String) throws(Problem) -> [String: String] {
        var variables: [String: String] = [:]
        for name in value.names { variables[name] = try text(value.member(name), "\(section)vars.\(name)") }
        return variables
    }

    private static func checkLength(_ text: String, _ field: String) throws(Problem) {
        guard text.utf8.count <= ListedItem.longestText else {
            throw Problem(message: "\(field): this is longer than \(ListedItem.longestText) bytes")
        }
    }

    private static func isSHA256(_ text: String) -> Bool {
        text.utf8.count == 64
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) }
    }
}

extension ListerProgram {
    /// The recipe's own expression for a field of an item.
    fileprivate func expression(of field: String) -> String? {
        switch field {
        case "select": select
        case "job.url": url
        case keyField: key
        case "job.name": name
        case "job.folder": folder
        case "job.sha256": sha256
        case "job.priority": priority
        case "job.meta": meta
        case "\(section)changed": changed
        default: variables.first { "\(section)vars.\($0.key)" == field }?.value
        }
    }
}
