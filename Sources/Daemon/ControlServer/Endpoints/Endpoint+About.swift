import ControlAPI

extension Endpoint {
    /// The endpoints about the daemon itself and its events.
    static let about = [
        Endpoint(.get, "/v1/status", id: "showStatus", "The daemon's state.") { server, call in
            StatusJSON(
                server.control.status(),
                version: server.configuration.version,
                isStopping: server.stop.isRaised,
                mayChange: call.mayChange,
                webhook: server.configuration.webhook(),
                reporting: server.configuration.reporting(),
                sources: server.sources.map {
                    $0.sources().map(\.condition) + $0.unreadSources().map(\.condition)
                }
                    ?? [],
                proxy: server.configuration.proxy,
                detectionProblem: server.configuration.detectors()?.problem,
                now: server.now()
            )
        },
        Endpoint(
            .get,
            "/v1/metrics",
            id: "showMetrics",
            "Counts and gauges.",
            answer: AnswerShape(type: ServerMetrics.contentType, schema: .string()),
            handler: .reply { server, _ in
                .text(
                    server.metrics.text(
                        server.control.status(),
                        version: server.configuration.version,
                        connections: server.connections.count,
                        followers: server.followers.count,
                        detectors: server.configuration.detectors(),
                        webhook: server.configuration.webhook(),
                        reporting: server.configuration.reporting(),
                        sources: server.sources?.sources() ?? [],
                        unreadSources: server.sources?.unreadSources().map(\.condition) ?? [],
                        now: server.now()
                    ),
                    type: ServerMetrics.contentType
                )
            }
        ),
        Endpoint(
            .get,
            "/v1/openapi.json",
            id: "showDescription",
            "This document.",
            answer: AnswerShape(schema: .anyObject),
            handler: .reply { server, _ in
                .text(
                    OpenAPIDocument.text(version: server.configuration.version),
                    type: "application/json"
                )
            }
        ),
        Endpoint(
            .get,
            "/v1/events",
            id: "followEvents",
            "Events as they happen. The answer does not end by itself unless asked to.",
            parameters: [
                Parameters.batch, Parameters.afterEvent, Parameters.since, Parameters.newest,
                Parameters.follow, Parameters.lastEventID,
            ],
            answer: EventFrames.shape,
            problems: [.noSuchBatch],
            handler: .eventStream
        ),
    ]
}
