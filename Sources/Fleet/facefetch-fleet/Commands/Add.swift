import ArgumentParser

/// Adds items as one batch.
struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Adds URLs as one batch, whole or not at all, and prints its number.",
        discussion: """
            A list has one URL per line, or one JSON object per line, with url and, if wanted, name, folder, sha256, \
            priority, headers and meta. Empty lines and lines that begin with # are left out. What a line has goes \
            before the options.

            Header fields lie in the database until their job has ended, and are shown to nobody.

            With --skip-known, a URL is left out if a job of any batch has it that has neither failed nor been \
            cancelled, if a document of it is known from a batch that was forgotten, or if it comes twice. If \
            nothing is left, there is no batch and no number.
            """
    )

    @OptionGroup var config: ConfigOptions
    @Argument(help: ArgumentHelp("What to fetch.", valueName: "url"))
    var urls: [String] = []
    @Option(help: ArgumentHelp("A list; - is standard input. May be given several times.", valueName: "file"))
    var from: [String] = []
    @Option(help: ArgumentHelp("Under a key that is known, nothing is added again.", valueName: "text"))
    var key: String?
    @OptionGroup var each: ItemOptions
    @Flag(help: "Leaves out URLs that the fleet has, or has had.")
    var skipKnown = false

    func validate() throws {
        guard !urls.isEmpty || !from.isEmpty else {
            throw ValidationError("Name URLs, or lists with --from.")
        }
    }

    /// The number of items that are in memory at once.
    private static let piece = 5000

    func run() throws {
        var filling = try each.filling()
        var lists = ItemLists(urls: urls, paths: from, priority: each.priority)
        var digest = ItemsDigest()
        let queue = try config.queue()
        let added = try asked {
            try queue.add(key: key, digest: key == nil ? nil : digest.text, skipsKnown: skipKnown) {
                var items = try lists.next(atMost: Self.piece)
                guard lists.count > 0 else { throw FleetFailure(.usage, "There is nothing in it.") }
                try filling.fill(&items)
                if key != nil { for item in items { digest.update(with: item) } }
                return items.isEmpty ? nil : items
            }
        }
        switch added {
        case .new(let batch): Output.line("\(batch)")
        case .partly(let batch, let new):
            Output.note("\(new) of \(lists.count) are new.")
            Output.line("\(batch)")
        case .nothing: Output.note("Nothing of it is new.")
        case .known(let batch):
            Output.note("This has been added before, under the same key.")
            Output.line("\(batch)")
        case .keyReused: throw FleetFailure(.usage, "The key \(key ?? "") has been used for another batch.")
        }
    }
}
