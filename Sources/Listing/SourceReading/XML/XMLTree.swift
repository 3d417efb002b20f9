/// Converts any XML to a value: an element is an object of its attributes (`@name`), its children by their names, always
/// as arrays, and its own text (`#text`), if it has one.
///
/// The page is an object with one member, the root.
enum XMLTree {
    static func value(_ root: XMLElement) -> Value { .object([(root.name, contents(root))]) }

    private static func contents(_ element: XMLElement) -> Value {
        var members = element.attributes.map { ("@" + $0.key, Value.text($0.value)) }
        var places: [String: Int] = [:]
        var children: [(name: String, values: [Value])] = []
        for child in element.children {
            if let place = places[child.name] {
                children[place].values.append(contents(child))
            } else {
                places[child.name] = children.count
                children.append((child.name, [contents(child)]))
            }
        }
        members += children.map { ($0.name, .array($0.values)) }
        let text = element.trimmed
        if !text.isEmpty { members.append(("#text", .text(text))) }
        return .object(members)
    }
}
