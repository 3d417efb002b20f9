extension ListerProgram {
    /// Creates the program with which a lister reads a recipe's pages.
    public init(_ recipe: Recipe) {
        self.init(kind: recipe.kind.rawValue)
        items = recipe.items
        select = recipe.select
        url = recipe.job.url
        key = recipe.job.key
        name = recipe.job.name
        folder = recipe.job.folder
        sha256 = recipe.job.sha256
        priority = recipe.job.priority
        meta = recipe.job.meta
        next = Self.next(recipe.next)
        body = recipe.request?.body
        more = recipe.more
        total = recipe.total
        delimiter = recipe.table.delimiter
        hasHeader = recipe.table.hasHeader
        quote = recipe.table.quote?.rawValue
        namespaces = recipe.namespaces ? true : nil
        encoding = recipe.table.encoding?.rawValue
        maximumBytes = recipe.limits.pageBytes
        maximumItems = recipe.limits.items
    }

    private static func next(_ rule: NextRule?) -> String? {
        switch rule {
        case .link?: "link"
        case .expression(let expression)?: expression
        case nil: nil
        }
    }

    /// Creates the program with which a lister reads a recipe's list of slices; nil if it has none.
    ///
    /// - Parameter isNested: whether the list is that of a slice.
    public init?(slicesOf recipe: Recipe, isNested: Bool = false) {
        guard let slices = isNested ? recipe.slices?.slices : recipe.slices else { return nil }
        self.init(kind: "json")
        isManifest = true
        self.isNested = isNested ? true : nil
        items = slices.each
        key = slices.key
        changed = slices.changed
        next = Self.next(slices.next)
        for variable in slices.variables { variables[variable.name] = variable.expression }
        maximumBytes = recipe.limits.pageBytes
        maximumItems = RecipeVariable.mostSlices
    }
}
