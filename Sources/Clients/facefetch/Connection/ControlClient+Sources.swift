import ControlAPI
import Vocabulary

/// Requests about sources.
extension ControlClient {
    /// Pages may take as long as their servers do.
    private static let patience = 300

    /// Adds a source; `name` is that of a recipe that doesn't say its own.
    ///
    /// - Throws: ``ClientError``
    func addSource(_ recipe: String, name: String?) throws -> SourceJSON {
        try ask(
            HTTPRequest("POST", "/v1/sources", query: [("name", name)], recipe: recipe),
            timeout: Self.patience
        )
    }

    /// Adds a source, or changes the one of its name.
    ///
    /// - Throws: ``ClientError``
    func applySource(_ recipe: String, name: String?, reset: String?) throws -> SourceJSON {
        let query = [("name", name), ("replace", "true"), ("reset", reset)]
        return try ask(
            HTTPRequest("POST", "/v1/sources", query: query, recipe: recipe),
            timeout: Self.patience
        )
    }

    /// Tries a recipe on a page.
    ///
    /// - Throws: ``ClientError``
    func tryOut(_ trial: SourceTrialRequest) throws -> SourceTrialJSON {
        try ask(HTTPRequest("POST", "/v1/sources/try", body: trial.json), timeout: Self.patience)
    }

    /// All sources.
    ///
    /// - Throws: ``ClientError``
    func sources() throws -> [SourceJSON] {
        let page: PageJSON<SourceJSON> = try ask(HTTPRequest("GET", "/v1/sources"))
        return page.items
    }

    /// One source.
    ///
    /// - Throws: ``ClientError``
    func source(_ name: String) throws -> SourceJSON {
        try ask(HTTPRequest("GET", "/v1/sources/\(name.percentEncoded)"))
    }

    /// The pages of a source that were asked for last.
    ///
    /// - Throws: ``ClientError``
    func pages(of name: String) throws -> [SourcePageJSON] {
        let page: PageJSON<SourcePageJSON> = try ask(
            HTTPRequest("GET", "/v1/sources/\(name.percentEncoded)/pages")
        )
        return page.items
    }

    /// Does one thing to a source.
    ///
    /// - Throws: ``ClientError``
    func steer(_ action: SourceAction, source name: String, missing: Bool = false) throws -> SourceJSON {
        // A page under way is read to its end first.
        let query = missing ? [("missing", "true")] : []
        return try ask(
            HTTPRequest("POST", "/v1/sources/\(name.percentEncoded)/\(action.rawValue)", query: query),
            timeout: Self.patience
        )
    }

    /// Removes a source.
    ///
    /// - Throws: ``ClientError``
    func removeSource(_ name: String, jobs: String) throws -> RemovedSourceJSON {
        try ask(
            HTTPRequest("DELETE", "/v1/sources/\(name.percentEncoded)", query: [("jobs", jobs)]),
            timeout: Self.patience
        )
    }
}
