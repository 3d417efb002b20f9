import ControlAPI
import JobEngine
import SourceEngine
import Vocabulary

extension Endpoint {
    /// Sources: to add, to look at, and to steer.
    static let sources = sourceRecipes + sourceViews + SourceAction.allCases.map(steering)

    private static let recipeBody = BodyShape(
        schema: .anyObject,
        isRequired: true,
        types: ["application/json", "application/yaml"]
    )

    private static let sourceRecipes = [
        Endpoint(
            .post,
            "/v1/sources",
            id: "createSource",
            "Adds a source by its recipe. It is durable when this answers.",
            parameters: [Parameters.fallbackName, Parameters.replace, Parameters.reset],
            body: recipeBody,
            answer: AnswerShape(status: 201, schema: SourceJSON.schema),
            problems: [.nameTaken, .needsReset, .badRecipe, .secretNotAllowed, .unreadablePage],
            handler: .reply { server, call in
                let order = RecipeOrder(
                    call.text,
                    fallback: call[Parameters.fallbackName],
                    target: call[Parameters.replace] == true ? .any : .new,
                    maySeeSecrets: call.mayNameSecrets,
                    reset: call[Parameters.reset],
                    asker: .user(call.user)
                )
                let source = try await server.apply(order, call)
                return .json(
                    try await server.show(source),
                    status: .created,
                    fields: [.location: "/v1/sources/\(source.name)"]
                )
            }
        ),
        Endpoint(
            .post,
            "/v1/sources/try",
            id: "trySource",
            "Says what a recipe makes of its first page, or of one that is given. Nothing is stored.",
            body: BodyShape(schema: SourceTrialRequest.schema, isRequired: true, isLarge: true),
            answer: AnswerShape(schema: SourceTrialJSON.schema),
            problems: [.badRecipe, .secretNotAllowed, .unreadablePage],
            handler: .reply { server, call in
                let trial = try await call.whileWaited { try await server.tryOut(call) }
                return .json(SourceTrialJSON(trial))
            }
        ),
        Endpoint(
            .put,
            "/v1/sources/{name}",
            id: "applySource",
            "Adds a source, or applies another recipe to the one of that name.",
            parameters: [Parameters.reset],
            body: recipeBody,
            answer: AnswerShape(schema: SourceJSON.schema),
            problems: [.notFound, .needsReset, .badRecipe, .secretNotAllowed, .unreadablePage],
            handler: .reply { server, call in
                let order = RecipeOrder(
                    call.text,
                    name: call.name,
                    maySeeSecrets: call.mayNameSecrets,
                    reset: call[Parameters.reset],
                    asker: .user(call.user)
                )
                let source = try await server.apply(order, call)
                return .json(try await server.show(source))
            }
        ),
        Endpoint(
            .delete,
            "/v1/sources/{name}",
            id: "removeSource",
            "Removes a source; its jobs stay, or those that haven't ended are cancelled.",
            parameters: [Parameters.jobsOfRemoved],
            problems: [.noSuchSource, .secretNotAllowed]
        ) { server, call in
            // What is added under its name next would have its jobs.
            let refusal = try server.sourceControl.secretsRefusal(call.name)
            if let refusal, !call.mayNameSecrets { throw refusal }
            try await server.sourceControl.remove(
                call.name,
                cancelsJobs: call[Parameters.jobsOfRemoved] ?? false
            )
            return RemovedSourceJSON(removed: call.name)
        },
    ]

    private static let sourceViews = [
        Endpoint(
            .get,
            "/v1/sources",
            id: "listSources",
            "All sources, by their names."
        ) { server, _ in
            var sources: [SourceJSON] = []
            for source in server.sources?.sources() ?? [] { sources.append(try await server.show(source)) }
            for source in server.sources?.unreadSources() ?? [] {
                sources.append(try await server.show(source))
            }
            sources.sort { $0.name < $1.name }
            return PageJSON(items: sources, total: sources.count, hasMore: false, next: nil)
        },
        Endpoint(
            .get,
            "/v1/sources/{name}",
            id: "showSource",
            "One source, with the numbers of its jobs.",
            problems: [.noSuchSource]
        ) { server, call in
            if let unread = try server.sourceControl.unreadSources().first(where: { $0.name == call.name }) {
                return try await server.show(unread)
            }
            return try await server.show(try server.sourceControl.source(call.name))
        },
        Endpoint(
            .get,
            "/v1/sources/{name}/pages",
            id: "listSourcePages",
            "The pages of a source that were asked for last, the newest first.",
            problems: [.noSuchSource]
        ) { server, call in
            let pages = try await server.sourceControl.pages(of: call.name).map(SourcePageJSON.init)
            return PageJSON(items: pages, total: pages.count, hasMore: false, next: nil)
        },
    ]

    private static func steering(_ action: SourceAction) -> Endpoint {
        Endpoint(
            .post,
            PathTemplate("/v1/sources/{name}/\(action.rawValue)"),
            id: "\(action.rawValue)Source",
            action.summary,
            parameters: action == .poll ? [Parameters.missing] : [],
            problems: [.noSuchSource]
        ) { server, call in
            let source = try await server.sourceControl.steer(
                action,
                call.name,
                fetchesMissing: action == .poll && call[Parameters.missing] == true
            )
            return try await server.show(source)
        }
    }
}

extension SourceAction {
    /// A summary of the action, for the document.
    fileprivate var summary: String {
        switch self {
        case .poll: "Makes a source walk at once; one that walks already goes on."
        case .more: "Makes a lazy source read on, one page at least."
        case .pause: "Stops a source from asking for more pages; its jobs go on."
        case .resume: "Lets a paused source go on."
        }
    }
}

extension RequestHandler {
    /// Returns a source as it is now, with the numbers of its jobs.
    fileprivate func show(_ source: SourceSnapshot) async throws -> SourceJSON {
        var shown = SourceJSON(source, now: now())
        shown.jobs = try await sourceControl.jobsByState(of: source.name).everyState
        let handed = try await sourceControl.handedCount(of: source.name)
        if source.recipe.queue == .fleet || handed > 0 { shown.handed = handed }
        return shown
    }

    /// Returns a source that doesn't run, with the numbers of its jobs.
    fileprivate func show(_ source: UnreadSource) async throws -> SourceJSON {
        var shown = SourceJSON(source)
        shown.jobs = try await sourceControl.jobsByState(of: source.name).everyState
        return shown
    }

    /// Applies a recipe; while it is read and checked, its client must wait for it.
    fileprivate func apply(_ order: RecipeOrder, _ call: Call) async throws -> SourceSnapshot {
        let control = try sourceControl
        let checked = try await call.whileWaited { try await control.check(order) }
        return try await control.apply(checked).source
    }

    /// Tries a recipe out.
    fileprivate func tryOut(_ call: Call) async throws -> SourceTrial {
        let body = call.body
        let read = await bodyThread.runIfWanted(for: call.user) {
            Result { () throws(ProblemJSON) in try SourceTrialBody(body) }
        }
        guard let asked = try read?.get() else { throw CancellationError() }
        let order = RecipeOrder(
            asked.recipe,
            fallback: RecipeOrder.trialName,
            maySeeSecrets: call.mayNameSecrets,
            asker: .user(call.user)
        )
        return try await sourceControl.tryOut(order, page: asked.page)
    }

    /// The port that runs sources.
    var sourceControl: any SourceControl {
        get throws(ControlError) {
            // A daemon that waits for room to start has none yet.
            guard let sources else { throw .outOfSpace }
            return sources
        }
    }
}

extension Call {
    /// The body as text.
    fileprivate var text: String { String(decoding: body, as: UTF8.self) }

    /// True if whoever asks may have secrets sent somewhere: root, and the daemon's own user.
    fileprivate var mayNameSecrets: Bool { user == 0 || user == Peer.ownUser }
}
