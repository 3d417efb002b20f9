enum OpenAPIDocument {
    static func text(version: String) -> String { "{}" }
}
