/// A variable of a recipe.
public struct RecipeVariable: Hashable, Sendable {
    /// The value of a variable.
    public enum Value: Hashable, Sendable {
        /// A text.
        case text(String)
        /// A secret given by its name, with a fallback if it doesn't exist.
        case secret(String, fallback: String?)
        /// Several texts, for each of which the source is walked once.
        case each([String])
        /// One of several texts.
        case choice([String], chosen: String)
    }

    /// The variable's name.
    public var name: String
    /// The variable's value.
    public var value: Value

    public init(_ name: String, _ value: Value) {
        self.name = name
        self.value = value
    }

    /// The most slices that all ranges together may produce.
    public static let mostSlices = 100_000

    /// The name of its secret, if it has one.
    public var secret: String? { if case .secret(let name, _) = value { name } else { nil } }

    /// The texts, if the source is walked once for each.
    public var slices: [String]? { if case .each(let texts) = value { texts } else { nil } }

    /// The text, if it is neither secret nor different between slices.
    public var plain: String? {
        switch value {
        case .text(let text), .choice(_, let text): text
        case .secret, .each: nil
        }
    }
}

/// A header field for requests to the source's own origin.
public struct RecipeHeader: Hashable, Sendable {
    /// The value of the field.
    public enum Value: Hashable, Sendable {
        /// A text with variables, which are inserted without encoding.
        case text(URLTemplate)
        /// A secret given by its name.
        case secret(String)
    }

    /// The field's name.
    public var name: String
    /// The value of the field.
    public var value: Value

    /// The name of its secret, if it has one.
    public var secret: String? { if case .secret(let name) = value { name } else { nil } }
}

/// A rule that lists a source's slices, each of which is walked separately.
public struct SliceRecipe: Hashable, Sendable {
    /// The page that lists the slices.
    public var url: URLTemplate
    /// The slices (jq).
    public var each: String
    /// The expression for a slice's identity (jq).
    public var key: String = "."
    /// A value that changes whenever the slice has changed (jq).
    public var changed: String?
    /// Variables for a slice's pages (jq), in the order of the recipe.
    public var variables: [SliceVariable] = []
    /// The order in which the slices on a page of the list are walked.
    public var order: SliceOrder = .listed
    /// The rule that finds the next page of the list; nil for a list of one page.
    public var next: NextRule?
    /// The list that each of these slices has of its own; nil if each has pages.
    public var slices: SliceRecipe? {
        get { inner.first }
        set { inner = newValue.map { [$0] } ?? [] }
    }
    /// At most one.
    private var inner: [SliceRecipe] = []

    public init(url: URLTemplate, each: String) {
        self.url = url
        self.each = each
    }
}

/// A variable of a slice's pages.
public struct SliceVariable: Hashable, Sendable {
    /// The variable's name.
    public var name: String
    /// The variable's value (jq, evaluated on the slice).
    public var expression: String
}
