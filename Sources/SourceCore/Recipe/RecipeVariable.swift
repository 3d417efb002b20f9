/// A variable of a recipe.
public struct RecipeVariable: Hashable, Sendable {
    /// What a variable stands for.
    public enum Value: Hashable, Sendable {
        /// A text.
        case text(String)
        /// A secret by its name, and what holds where there is none of that name.
        case secret(String, fallback: String?)
        /// Several texts: the source is walked once for each.
        case each([String])
        /// One of several texts.
        case choice([String], chosen: String)
    }

    /// Its name.
    public var name: String
    /// What it stands for.
    public var value: Value

    /// A name with a value.
    public init(_ name: String, _ value: Value) {
        self.name = name
        self.value = value
    }

    /// The most walks that ranges may come to, multiplied.
    public static let mostSlices = 100_000

    /// The secret that it stands for.
    public var secret: String? { if case .secret(let name, _) = value { name } else { nil } }

    /// The texts, for each of which there is a walk.
    public var slices: [String]? { if case .each(let texts) = value { texts } else { nil } }

    /// The text without secrets: nil for those, and for what changes from slice to slice.
    public var plain: String? {
        switch value {
        case .text(let text), .choice(_, let text): text
        case .secret, .each: nil
        }
    }
}

/// A header field for requests to the source's own origin.
public struct RecipeHeader: Hashable, Sendable {
    /// What stands in it.
    public enum Value: Hashable, Sendable {
        /// A text with variables, which are put in as they are.
        case text(URLTemplate)
        /// A secret by its name.
        case secret(String)
    }

    /// The field's name.
    public var name: String
    /// What stands in it.
    public var value: Value

    /// The secret that it stands for.
    public var secret: String? { if case .secret(let name) = value { name } else { nil } }
}

/// A list of parts, each of which is walked by itself.
public struct SliceRecipe: Hashable, Sendable {
    /// The page that lists them.
    public var url: URLTemplate
    /// The parts (jq).
    public var each: String
    /// What a part is known by (jq).
    public var key: String = "."
    /// A value that is another when the part has changed (jq).
    public var changed: String?
    /// Variables for the part's pages (jq), in the order of the recipe.
    public var variables: [SliceVariable] = []
    /// Which part is walked first.
    public var order: SliceOrder = .listed

    /// A list of parts without variables.
    public init(url: URLTemplate, each: String) {
        self.url = url
        self.each = each
    }
}

/// A variable of a slice's pages.
public struct SliceVariable: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// What it stands for (jq, given the slice).
    public var expression: String
}
